#ifndef PASSGATE_SIMDJSON_H
#define PASSGATE_SIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The kinds of nodes, numbered like `JSONDocument.Node.Kind`.
enum passgate_json_kind {
    PASSGATE_JSON_NULL,
    PASSGATE_JSON_BOOLEAN,
    PASSGATE_JSON_INTEGER,
    PASSGATE_JSON_UNSIGNED,
    PASSGATE_JSON_DOUBLE,
    PASSGATE_JSON_STRING,
    PASSGATE_JSON_ARRAY,
    PASSGATE_JSON_OBJECT,
};

/// One node, with the members of `JSONDocument.Node`.
struct passgate_json_node {
    uint8_t kind;
    int64_t first;
    int64_t second;
};

/// What became of a parse.
enum passgate_json_fault {
    PASSGATE_JSON_OK,
    PASSGATE_JSON_MALFORMED,
    PASSGATE_JSON_TOO_DEEP,
    PASSGATE_JSON_OUT_OF_MEMORY,
};

/// A parsed text. It belongs to the thread that parsed it, and stands until that thread calls `passgate_json_wipe`.
struct passgate_json_result {
    const struct passgate_json_node *nodes;
    size_t node_count;
    const uint8_t *text;
    size_t text_count;
};

/// Parses one JSON text of `count` bytes, at most `depth` containers deep. `result` is filled when the answer is
/// `PASSGATE_JSON_OK`. Call `passgate_json_wipe` afterwards on the same thread, whatever the answer was.
enum passgate_json_fault passgate_json_parse(
    const uint8_t *bytes, size_t count, size_t depth, struct passgate_json_result *result);

/// Overwrites every buffer that held the text or a part of it, and gives large ones back.
void passgate_json_wipe(void);

#ifdef __cplusplus
}
#endif

#endif
