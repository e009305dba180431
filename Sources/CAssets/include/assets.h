#ifndef PASSGATE_ASSETS_H
#define PASSGATE_ASSETS_H

#include <stddef.h>
#include <stdint.h>

/// A file that lies in the program: its first byte, and how many there are.
struct passgate_asset {
    const uint8_t *_Nonnull bytes;
    size_t count;
};

/// The style sheet of the error pages.
struct passgate_asset passgate_asset_problem_css(void);

/// The description of the API: OpenAPI 3.1.
struct passgate_asset passgate_asset_openapi_json(void);

/// The style sheet of the reference.
struct passgate_asset passgate_asset_reference_css(void);

/// The reference's search.
struct passgate_asset passgate_asset_reference_js(void);

#endif
