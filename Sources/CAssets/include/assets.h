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

/// The console's page.
struct passgate_asset passgate_asset_console_page(void);

/// The console's style sheet.
struct passgate_asset passgate_asset_console_style(void);

/// The console's icon.
struct passgate_asset passgate_asset_console_icon(void);

/// How the console's page calls the gateway.
struct passgate_asset passgate_asset_console_api(void);

/// The console's frame.
struct passgate_asset passgate_asset_console_app(void);

/// What the console's pages are made of.
struct passgate_asset passgate_asset_console_dom(void);

/// The console's pages of attempts.
struct passgate_asset passgate_asset_console_pages(void);

/// The console's pages of connections and migrations.
struct passgate_asset passgate_asset_console_switching(void);

/// The console's pages of destinations.
struct passgate_asset passgate_asset_console_delivery(void);

#endif
