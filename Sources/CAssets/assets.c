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

static const uint8_t console_page[] = {
#embed "../Assets/Files/console/index.html"
};
PASSGATE_ASSET(console_page)

static const uint8_t console_style[] = {
#embed "../Assets/Files/console/console.css"
};
PASSGATE_ASSET(console_style)

static const uint8_t console_icon[] = {
#embed "../Assets/Files/console/icon.svg"
};
PASSGATE_ASSET(console_icon)

static const uint8_t console_api[] = {
#embed "../Assets/Files/console/api.js"
};
PASSGATE_ASSET(console_api)

static const uint8_t console_app[] = {
#embed "../Assets/Files/console/app.js"
};
PASSGATE_ASSET(console_app)

static const uint8_t console_dom[] = {
#embed "../Assets/Files/console/dom.js"
};
PASSGATE_ASSET(console_dom)

static const uint8_t console_pages[] = {
#embed "../Assets/Files/console/pages.js"
};
PASSGATE_ASSET(console_pages)

static const uint8_t console_switching[] = {
#embed "../Assets/Files/console/switching.js"
};
PASSGATE_ASSET(console_switching)

static const uint8_t console_delivery[] = {
#embed "../Assets/Files/console/delivery.js"
};
PASSGATE_ASSET(console_delivery)
