#include "passgate_simdjson.h"

#include <simdjson.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

namespace {

using namespace simdjson;

enum Kind : uint8_t { Null, Boolean, Integer, UnsignedInteger, Double, String, Array, Object };

/* Calls that the compiler may not leave out. */
void wipe(void *memory, size_t length) {
    if (memory != nullptr && length > 0) explicit_bzero(memory, length);
}

/* One per thread: its buffers are kept between calls, and hold nothing then. */
struct Reader {
    dom::parser parser;
    std::vector<uint8_t> input;
    std::vector<passgate_json_node> nodes;
    std::vector<uint8_t> text;

    bool walk(dom::element element, size_t depth) {
        if (depth == 0) return false;
        switch (element.type()) {
        case dom::element_type::NULL_VALUE: add(Null, 0, 0); return true;
        case dom::element_type::BOOL: add(Boolean, bool(element) ? 1 : 0, 0); return true;
        case dom::element_type::INT64: add(Integer, int64_t(element), 0); return true;
        case dom::element_type::UINT64: {
            uint64_t value = uint64_t(element);
            int64_t bits;
            std::memcpy(&bits, &value, sizeof bits);
            add(UnsignedInteger, bits, 0);
            return true;
        }
        case dom::element_type::DOUBLE: {
            double value = double(element);
            int64_t bits;
            std::memcpy(&bits, &value, sizeof bits);
            add(Double, bits, 0);
            return true;
        }
        case dom::element_type::STRING: addString(element.get_string().value_unsafe()); return true;
        case dom::element_type::ARRAY: {
            size_t index = nodes.size();
            int64_t count = 0;
            add(Array, 0, 0);
            for (dom::element child : element.get_array().value_unsafe()) {
                if (!walk(child, depth - 1)) return false;
                count += 1;
            }
            nodes[index].first = count;
            nodes[index].second = int64_t(nodes.size());
            return true;
        }
        case dom::element_type::OBJECT: {
            size_t index = nodes.size();
            int64_t count = 0;
            add(Object, 0, 0);
            for (dom::key_value_pair member : element.get_object().value_unsafe()) {
                addString(member.key);
                if (!walk(member.value, depth - 1)) return false;
                count += 1;
            }
            nodes[index].first = count;
            nodes[index].second = int64_t(nodes.size());
            return true;
        }
        }
        return false;
    }

    void add(Kind kind, int64_t first, int64_t second) { nodes.push_back({first, second, uint8_t(kind)}); }

    void addString(std::string_view value) {
        add(String, int64_t(text.size()), int64_t(value.size()));
        text.insert(text.end(), value.begin(), value.end());
    }

    /* Strings never grow when unescaped, so the arena is reserved once and no outgrown copy is left behind. */
    passgate_json_code read(const uint8_t *bytes, size_t length, size_t depthLimit, passgate_json_document *out) {
        input.resize(length + SIMDJSON_PADDING);
        std::memcpy(input.data(), bytes, length);
        std::memset(input.data() + length, 0, SIMDJSON_PADDING);
        nodes.clear();
        text.clear();
        text.reserve(length);
        dom::element root;
        error_code code = parser.parse(input.data(), length, false).get(root);
        passgate_json_code result = PASSGATE_JSON_MALFORMED;
        if (code == NUMBER_ERROR && shortenNumbers(length)) {
            code = parser.parse(input.data(), length, false).get(root);
        }
        if (code == SUCCESS) {
            result = walk(root, depthLimit) ? copyOut(out) : PASSGATE_JSON_TOO_DEEP;
        } else if (code == DEPTH_ERROR) {
            result = PASSGATE_JSON_TOO_DEEP;
        } else if (code == CAPACITY) {
            result = PASSGATE_JSON_TOO_LARGE;
        } else if (code == MEMALLOC) {
            result = PASSGATE_JSON_NO_MEMORY;
        }
        wipe(input.data(), input.size());
        wipe(text.data(), text.size());
        /* The parser allocates this much for a text of that length: each string stands with a length before it. */
        wipe(parser.doc.string_buf.get(), 5 * length / 3 + SIMDJSON_PADDING);
        if (input.capacity() > 65536) std::vector<uint8_t>().swap(input);
        if (text.capacity() > 65536) std::vector<uint8_t>().swap(text);
        return result;
    }

    /* Whole numbers beyond 64 bits are JSON, but simdjson refuses them. An exponent of zero makes each a double: the
       digits from the sixteenth on are below a double's precision, so the last two are overwritten by "e2" there. */
    bool shortenNumbers(size_t length) {
        bool inString = false, changed = false;
        for (size_t index = 0; index < length; index++) {
            uint8_t byte = input[index];
            if (inString) {
                if (byte == '\\') index += 1;
                else if (byte == '"') inString = false;
                continue;
            }
            if (byte == '"') { inString = true; continue; }
            if (byte < '0' || byte > '9') continue;
            size_t end = index;
            while (end < length && input[end] >= '0' && input[end] <= '9') end += 1;
            bool isWhole = end >= length || (input[end] != '.' && input[end] != 'e' && input[end] != 'E');
            bool isFraction = index > 0 && (input[index - 1] == '.' || isExponent(index));
            if (isWhole && !isFraction && end - index > 18 && input[index] != '0') {
                input[end - 2] = 'e';
                input[end - 1] = '2';
                changed = true;
            }
            index = end - 1;
        }
        return changed;
    }

    bool isExponent(size_t index) const {
        uint8_t before = input[index - 1];
        if (before == 'e' || before == 'E') return true;
        return (before == '+' || before == '-') && index > 1 && (input[index - 2] == 'e' || input[index - 2] == 'E');
    }

    passgate_json_code copyOut(passgate_json_document *out) {
        size_t nodeBytes = nodes.size() * sizeof(passgate_json_node);
        out->nodes = static_cast<passgate_json_node *>(std::malloc(nodeBytes > 0 ? nodeBytes : 1));
        out->text = static_cast<uint8_t *>(std::malloc(text.empty() ? 1 : text.size()));
        if (out->nodes == nullptr || out->text == nullptr) {
            std::free(out->nodes);
            std::free(out->text);
            return PASSGATE_JSON_NO_MEMORY;
        }
        std::memcpy(out->nodes, nodes.data(), nodeBytes);
        std::memcpy(out->text, text.data(), text.size());
        out->node_count = nodes.size();
        out->text_length = text.size();
        return PASSGATE_JSON_OK;
    }
};

} // namespace

extern "C" passgate_json_code passgate_json_parse(
    const uint8_t *bytes, size_t length, size_t depth_limit, size_t size_limit, passgate_json_document *out) {
    if (length > size_limit) return PASSGATE_JSON_TOO_LARGE;
    if (length == 0) return PASSGATE_JSON_MALFORMED;
    static thread_local Reader reader;
    try {
        return reader.read(bytes, length, depth_limit, out);
    } catch (const std::bad_alloc &) {
        return PASSGATE_JSON_NO_MEMORY;
    } catch (...) {
        return PASSGATE_JSON_MALFORMED;
    }
}

extern "C" void passgate_json_free(passgate_json_document *document) {
    wipe(document->text, document->text_length);
    std::free(document->nodes);
    std::free(document->text);
    document->nodes = nullptr;
    document->text = nullptr;
}
