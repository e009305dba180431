#include "wide_numbers.h"

#include <charconv>
#include <cstring>
#include <system_error>

namespace {

constexpr char kLargest[] = "1.7976931348623157e308";
constexpr size_t kLargestSize = sizeof kLargest - 1;

/// A number as JSON writes it.
struct Number {
    size_t size = 0;  // 0: no number
    bool whole = true;
};

bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

size_t digits(const uint8_t *text, size_t count) {
    size_t size = 0;
    while (size < count && is_digit(text[size])) size++;
    return size;
}

Number number_at(const uint8_t *text, size_t count) {
    size_t at = count > 0 && text[0] == '-' ? 1 : 0;
    size_t whole = digits(text + at, count - at);
    if (whole == 0 || (whole > 1 && text[at] == '0')) return {};
    at += whole;
    Number number;
    if (at < count && text[at] == '.') {
        size_t fraction = digits(text + at + 1, count - at - 1);
        if (fraction == 0) return {};
        at += 1 + fraction;
        number.whole = false;
    }
    if (at < count && (text[at] == 'e' || text[at] == 'E')) {
        size_t sign = at + 1 < count && (text[at + 1] == '+' || text[at + 1] == '-') ? 1 : 0;
        size_t exponent = digits(text + at + 1 + sign, count - at - 1 - sign);
        if (exponent == 0) return {};
        at += 1 + sign + exponent;
        number.whole = false;
    }
    number.size = at;
    return number;
}

bool fits_64_bits(const uint8_t *text, size_t size) {
    const char *first = reinterpret_cast<const char *>(text);
    const char *last = first + size;
    if (*first == '-') {
        int64_t value;
        return std::from_chars(first, last, value).ec == std::errc();
    }
    uint64_t value;
    return std::from_chars(first, last, value).ec == std::errc();
}

/// Whether the number's absolute value is 10 or more. It tells a number too large from one too small.
bool is_ten_or_more(const uint8_t *text, size_t size) {
    size_t at = text[0] == '-' ? 1 : 0;
    size_t whole = digits(text + at, size - at);
    int64_t leading = 0;  // the power of ten of the first digit that is not zero
    if (text[at] != '0') {
        leading = int64_t(whole) - 1;
        at += whole;
        if (at < size && text[at] == '.') at += 1 + digits(text + at + 1, size - at - 1);
    } else {
        at += whole;
        if (at < size && text[at] == '.') {
            at += 1;
            size_t fraction = digits(text + at, size - at);
            size_t zeros = 0;
            while (zeros < fraction && text[at + zeros] == '0') zeros++;
            leading = -int64_t(zeros) - 1;
            at += fraction;
        }
    }
    if (at == size) return leading > 0;
    at += text[at + 1] == '+' ? 2 : 1;
    int64_t exponent = 0;
    const char *first = reinterpret_cast<const char *>(text + at);
    bool sound = std::from_chars(first, reinterpret_cast<const char *>(text + size), exponent).ec == std::errc();
    return sound ? leading + exponent > 0 : *first != '-';
}

bool too_large_for_double(const uint8_t *text, size_t size) {
    const char *first = reinterpret_cast<const char *>(text);
    double value = 0;
    return std::from_chars(first, first + size, value).ec == std::errc::result_out_of_range
        && is_ten_or_more(text, size);
}

/// Hands every piece of the copy to `emit(bytes, size)`.
template <typename Emit>
void rewrite(const uint8_t *text, size_t count, Emit emit) {
    bool quoted = false;
    size_t at = 0;
    while (at < count) {
        uint8_t byte = text[at];
        if (quoted) {
            size_t size = byte == '\\' && at + 1 < count ? 2 : 1;
            quoted = byte != '"';
            emit(text + at, size);
            at += size;
            continue;
        }
        Number number = byte == '-' || is_digit(byte) ? number_at(text + at, count - at) : Number{};
        if (number.size == 0) {
            quoted = byte == '"';
            emit(text + at, 1);
            at += 1;
            continue;
        }
        if (too_large_for_double(text + at, number.size)) {
            if (byte == '-') emit(text + at, 1);
            emit(reinterpret_cast<const uint8_t *>(kLargest), kLargestSize);
        } else {
            emit(text + at, number.size);
            if (number.whole && !fits_64_bits(text + at, number.size)) {
                emit(reinterpret_cast<const uint8_t *>("e0"), 2);
            }
        }
        at += number.size;
    }
}

}  // namespace

size_t widened_size(const uint8_t *text, size_t count) {
    size_t total = 0;
    rewrite(text, count, [&](const uint8_t *, size_t size) { total += size; });
    return total > count ? total : count;
}

size_t widen(const uint8_t *text, size_t count, uint8_t *target) {
    size_t used = 0;
    rewrite(text, count, [&](const uint8_t *bytes, size_t size) {
        std::memcpy(target + used, bytes, size);
        used += size;
    });
    return used;
}
