#ifndef PASSGATE_WIDE_NUMBERS_H
#define PASSGATE_WIDE_NUMBERS_H

#include <cstddef>
#include <cstdint>

/// The length that `widen` needs, at least `count`.
size_t widened_size(const uint8_t *text, size_t count);

/// Copies a JSON text so that simdjson can read each of its numbers: a whole number beyond 64 bits gets the exponent
/// `e0`, which makes it a double, and a number beyond the doubles becomes the nearest finite one. All else is copied as
/// it is, faults included. `target` has room for `widened_size` bytes; the answer is the length that was used.
size_t widen(const uint8_t *text, size_t count, uint8_t *target);

#endif
