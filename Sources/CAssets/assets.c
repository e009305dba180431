#include "assets.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

/// A file of `Sources/Assets/Files` or of `Contracts`, as it is, under a name. A change of it compiles this file anew.
#define PASSGATE_ASSET(name)                                                                                           \
    struct passgate_asset passgate_asset_##name(void) {                                                                \
        return (struct passgate_asset){.bytes = name, .count = sizeof name};                                           \
    }

static const uint8_t problem_css[] = {
#embed "../Assets/Files/problem.css"
};
PASSGATE_ASSET(problem_css)

static const uint8_t openapi_json[] = {
#embed "../../Contracts/openapi.json"
};
PASSGATE_ASSET(openapi_json)

static const uint8_t reference_css[] = {
#embed "../Assets/Files/reference.css"
};
PASSGATE_ASSET(reference_css)

static const uint8_t reference_js[] = {
#embed "../Assets/Files/reference.js"
};
PASSGATE_ASSET(reference_js)
