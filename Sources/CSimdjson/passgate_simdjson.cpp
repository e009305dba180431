#include "passgate_simdjson.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include <simdjson.h>

#include "wide_numbers.h"

using namespace simdjson;

namespace {

/// Texts up to this size leave their buffers to the next one.
constexpr size_t kKeptCapacity = 32 * 1024;

/// One thread's parser and buffers.
struct Reader {
    dom::parser parser;
    std::unique_ptr<uint8_t[]> input;
    size_t input_capacity = 0;
    size_t input_used = 0;
    std::vector<passgate_json_node> nodes;

    /// The input buffer, with room for `count` bytes and simdjson's padding. What it held is wiped if it moves.
    uint8_t *make_room(size_t count) {
        if (input_capacity < count) {
            size_t capacity = count < 4096 ? 4096 : count;
            std::unique_ptr<uint8_t[]> larger(new (std::nothrow) uint8_t[capacity + SIMDJSON_PADDING]());
            if (!larger) return nullptr;
            if (input) explicit_bzero(input.get(), input_used);
            input = std::move(larger);
            input_capacity = capacity;
        }
        input_used = count;
        return input.get();
    }

    /// Makes simdjson's own buffers large enough for the input. They hold nothing at this time.
    error_code prepare(size_t depth) {
        if (parser.capacity() >= input_capacity && parser.max_depth() == depth) return SUCCESS;
        error_code error = parser.allocate(input_capacity, depth);
        return error ? error : parser.doc.allocate(input_capacity);
    }

    /// Wipes what simdjson wrote: its own sizes for a text of this length bound it.
    void wipe_document() {
        size_t size = std::min(input_used, parser.doc.capacity());
        if (parser.doc.string_buf) explicit_bzero(parser.doc.string_buf.get(), 5 * size / 3 + SIMDJSON_PADDING);
        if (parser.doc.tape) explicit_bzero(parser.doc.tape.get(), (size + 3) * sizeof(uint64_t));
    }

    void wipe() {
        wipe_document();
        if (input) explicit_bzero(input.get(), input_used);
        if (!nodes.empty()) explicit_bzero(nodes.data(), nodes.size() * sizeof(passgate_json_node));
        nodes.clear();
        if (input_capacity > kKeptCapacity) {
            input.reset();
            input_capacity = 0;
            parser = dom::parser();
            nodes.shrink_to_fit();
        }
        input_used = 0;
    }
};

Reader &reader() {
    thread_local Reader reader;
    return reader;
}

/// Lays the elements out as nodes, and finds out how much of the string buffer they use.
class Walk {
public:
    Walk(Reader &reader) : nodes(reader.nodes), text(reader.parser.doc.string_buf.get()) {}

    size_t used = 0;

    void element(dom::element value) {
        switch (value.type()) {
        case dom::element_type::NULL_VALUE: add(PASSGATE_JSON_NULL, 0); break;
        case dom::element_type::BOOL: add(PASSGATE_JSON_BOOLEAN, bool(value) ? 1 : 0); break;
        case dom::element_type::INT64: add(PASSGATE_JSON_INTEGER, int64_t(value)); break;
        case dom::element_type::UINT64: add(PASSGATE_JSON_UNSIGNED, int64_t(uint64_t(value))); break;
        case dom::element_type::DOUBLE: {
            double number = double(value);
            int64_t bits;
            std::memcpy(&bits, &number, sizeof bits);
            add(PASSGATE_JSON_DOUBLE, bits);
            break;
        }
        case dom::element_type::STRING: string(std::string_view(value)); break;
        case dom::element_type::ARRAY: {
            size_t start = add(PASSGATE_JSON_ARRAY, 0);
            int64_t count = 0;
            for (dom::element child : dom::array(value)) {
                element(child);
                count++;
            }
            close(start, count);
            break;
        }
        case dom::element_type::OBJECT: {
            size_t start = add(PASSGATE_JSON_OBJECT, 0);
            int64_t count = 0;
            for (dom::key_value_pair member : dom::object(value)) {
                string(member.key);
                element(member.value);
                count++;
            }
            close(start, count);
            break;
        }
        }
    }

private:
    std::vector<passgate_json_node> &nodes;
    const uint8_t *text;

    size_t add(uint8_t kind, int64_t first, int64_t second = 0) {
        nodes.push_back({kind, first, second});
        return nodes.size() - 1;
    }

    void close(size_t start, int64_t count) {
        nodes[start].first = count;
        nodes[start].second = int64_t(nodes.size());
    }

    void string(std::string_view value) {
        size_t offset = size_t(reinterpret_cast<const uint8_t *>(value.data()) - text);
        if (offset + value.size() > used) used = offset + value.size();
        add(PASSGATE_JSON_STRING, int64_t(offset), int64_t(value.size()));
    }
};

error_code parse(Reader &reader, const uint8_t *bytes, size_t count, size_t depth, dom::element &root) {
    uint8_t *input = reader.make_room(count);
    if (input == nullptr) return MEMALLOC;
    std::memcpy(input, bytes, count);
    error_code error = reader.prepare(depth);
    if (error) return error;
    error = reader.parser.parse(input, count, false).get(root);
    if (error != NUMBER_ERROR) return error;

    // Perhaps a number that is sound JSON and needs more than 64 bits: read the text again with such numbers in a
    // form that simdjson accepts. A number that is no JSON stays as it is, and fails again.
    reader.wipe_document();
    size_t widened = widened_size(bytes, count);
    input = reader.make_room(widened);
    if (input == nullptr) return MEMALLOC;
    error = reader.prepare(depth);
    if (error) return error;
    return reader.parser.parse(input, widen(bytes, count, input), false).get(root);
}

}  // namespace

enum passgate_json_fault passgate_json_parse(
    const uint8_t *bytes, size_t count, size_t depth, struct passgate_json_result *result) {
    try {
        Reader &reader = ::reader();
        dom::element root;
        // simdjson counts the root too.
        error_code error = parse(reader, bytes, count, depth + 1, root);
        switch (error) {
        case SUCCESS: break;
        case DEPTH_ERROR: return PASSGATE_JSON_TOO_DEEP;
        case MEMALLOC: return PASSGATE_JSON_OUT_OF_MEMORY;
        default: return PASSGATE_JSON_MALFORMED;
        }
        // No text of this length has more nodes, so that the vector never moves and leaves numbers behind.
        reader.nodes.reserve(reader.input_used / 2 + 2);
        Walk walk(reader);
        walk.element(root);
        result->nodes = reader.nodes.data();
        result->node_count = reader.nodes.size();
        result->text = reader.parser.doc.string_buf.get();
        result->text_count = walk.used;
        return PASSGATE_JSON_OK;
    } catch (const std::bad_alloc &) {
        return PASSGATE_JSON_OUT_OF_MEMORY;
    } catch (...) {
        return PASSGATE_JSON_MALFORMED;
    }
}

void passgate_json_wipe(void) {
    try {
        reader().wipe();
    } catch (...) {
    }
}
