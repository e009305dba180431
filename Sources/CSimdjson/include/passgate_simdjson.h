#ifndef PASSGATE_SIMDJSON_H
#define PASSGATE_SIMDJSON_H
/* A JSON text as a flat list of nodes over one buffer of unescaped strings, made by simdjson's DOM parser. */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    PASSGATE_JSON_OK = 0,
    PASSGATE_JSON_MALFORMED = 1,
    PASSGATE_JSON_TOO_DEEP = 2,
    PASSGATE_JSON_TOO_LARGE = 3,
    PASSGATE_JSON_NO_MEMORY = 4
} passgate_json_code;

/* kind is as in ProviderKit's JSONDocument.Node.Kind; the meaning of first and second depends on it. */
typedef struct {
    int64_t first;
    int64_t second;
    uint8_t kind;
} passgate_json_node;

typedef struct {
    passgate_json_node *nodes;
    size_t node_count;
    uint8_t *text;
    size_t text_length;
} passgate_json_document;

/* Parses one whole text. On success the document is the caller's, to be given back by passgate_json_free. */
passgate_json_code passgate_json_parse(
    const uint8_t *bytes, size_t length, size_t depth_limit, size_t size_limit, passgate_json_document *out);

/* Wipes and frees what the document holds. */
void passgate_json_free(passgate_json_document *document);

#ifdef __cplusplus
}
#endif
#endif
