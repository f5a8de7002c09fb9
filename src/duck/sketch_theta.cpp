/*
 * duck/sketch_theta.cpp - theta sketches of Apache DataSketches
 *
 * The bytes of a compact sketch, little-endian: words of the preamble, version, family 3. Version 3: 2 unused, flags, SHORT hash of the seed; behind one
 * word the only hash, behind more INT how many, FLOAT which share of the values is looked at, BIGINT theta where there are three words, then the
 * hashes. Version 4: bits of a difference, bytes of the number, flags, SHORT hash of the seed, BIGINT theta where there are two words, the number,
 * then the differences of the ascending hashes.
 *
 *   T1  A result holds the 2^lg_k smallest hashes at most, and theta is the next: the same for all orders in which they came.
 *   T2  Hashes that were read are above 0, below theta and all different.
 */
#include "duck/sketch.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <theta_a_not_b.hpp>
#include <theta_intersection.hpp>
#include <theta_sketch.hpp>
#include <theta_union.hpp>
#include <vector>

namespace
{
using datasketches::compact_theta_sketch;
using datasketches::theta_union;
using datasketches::update_theta_sketch;

enum { AT_WORDS, AT_VERSION, AT_FAMILY, AT_BITS, AT_COUNT_BYTES, AT_FLAGS, AT_SEED, AT_COUNT = 8, AT_CHOSEN = 12, AT_THETA = 16 };
enum { FAMILY = 3, FAMILY_MOST = 21, FLAG_READ_ONLY = 2, FLAG_EMPTY = 4, FLAG_COMPACT = 8, FLAG_ORDERED = 16, FLAG_SINGLE = 32 };
enum { LG_K_LEAST_OF_LIBRARY = 5 };

template <typename T> T get(const uint8_t *at)
{
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

/* Highest bit first. The library's own packing is not used: at 35 bits it loses one (4.1.0). */
uint64_t take_bits(const uint8_t *bytes, size_t at, int bits)
{
    uint64_t value = 0;
    while (bits > 0) {
        int left = 8 - static_cast<int>(at & 7), count = std::min(left, bits);
        value = value << count | ((bytes[at >> 3] >> (left - count)) & ((1u << count) - 1));
        at += static_cast<size_t>(count);
        bits -= count;
    }
    return value;
}

void put_bits(uint8_t *bytes, size_t at, int bits, uint64_t value)
{
    while (bits > 0) {
        int left = 8 - static_cast<int>(at & 7), count = std::min(left, bits);
        bits -= count;
        bytes[at >> 3] |= static_cast<uint8_t>((value >> bits & ((1u << count) - 1)) << (left - count));
        at += static_cast<size_t>(count);
    }
}

struct Parts {
    bool empty;
    uint64_t theta;
    std::vector<uint64_t> hashes;
};

bool read_plain(const uint8_t *bytes, size_t size, Parts &parts)
{
    size_t words = bytes[AT_WORDS], head = words, count = 1;
    if (words < 1 || words > 3 || size < head * 8)
        return false;
    if (words > 1)
        count = get<uint32_t>(bytes + AT_COUNT);
    if (words == 3)
        parts.theta = get<uint64_t>(bytes + AT_THETA);
    if ((size - head * 8) / 8 < count)
        return false;
    for (size_t i = 0; i < count; i++)
        parts.hashes.push_back(get<uint64_t>(bytes + (head + i) * 8));
    return true;
}

bool read_packed(const uint8_t *bytes, size_t size, Parts &parts)
{
    size_t words = bytes[AT_WORDS], head = words * 8, count_bytes = bytes[AT_COUNT_BYTES], count = 0;
    int bits = bytes[AT_BITS];
    if (words < 1 || words > 2 || bits < 1 || bits > 63 || count_bytes < 1 || count_bytes > 4 || size < head + count_bytes)
        return false;
    if (words == 2)
        parts.theta = get<uint64_t>(bytes + AT_COUNT);
    for (size_t i = 0; i < count_bytes; i++)
        count |= size_t{bytes[head + i]} << 8 * i;
    size_t first = head + count_bytes;
    if ((count * static_cast<size_t>(bits) + 7) / 8 > size - first)
        return false;
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++) {
        hash += take_bits(bytes + first, i * static_cast<size_t>(bits), bits);
        parts.hashes.push_back(hash);
    }
    return true;
}

/* T2; puts them in order. */
bool good_parts(Parts &parts)
{
    std::vector<uint64_t> &hashes = parts.hashes;
    std::sort(hashes.begin(), hashes.end());
    if (parts.theta < 1 || parts.theta > datasketches::theta_constants::MAX_THETA)
        return false;
    return hashes.empty() || (hashes.front() > 0 && hashes.back() < parts.theta && std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end());
}

std::vector<uint8_t> packed(const compact_theta_sketch &sketch)
{
    size_t words = sketch.is_estimation_mode() ? 2 : 1, count = sketch.get_num_retained(), count_bytes = 0;
    uint64_t previous = 0, all = 0;
    for (uint64_t hash : sketch) {
        all |= hash - previous;
        previous = hash;
    }
    int bits = 64 - __builtin_clzll(all);
    for (size_t rest = count; rest > 0; rest >>= 8)
        count_bytes++;
    size_t first = words * 8 + count_bytes, at = 0;
    std::vector<uint8_t> bytes(first + (count * static_cast<size_t>(bits) + 7) / 8, 0);
    bytes[AT_WORDS] = static_cast<uint8_t>(words);
    bytes[AT_VERSION] = 4;
    bytes[AT_FAMILY] = FAMILY;
    bytes[AT_BITS] = static_cast<uint8_t>(bits);
    bytes[AT_COUNT_BYTES] = static_cast<uint8_t>(count_bytes);
    bytes[AT_FLAGS] = FLAG_READ_ONLY | FLAG_COMPACT | FLAG_ORDERED;
    uint16_t seed = sketch.get_seed_hash();
    uint64_t theta = sketch.get_theta64();
    std::memcpy(bytes.data() + AT_SEED, &seed, sizeof seed);
    if (words == 2)
        std::memcpy(bytes.data() + AT_COUNT, &theta, sizeof theta);
    for (size_t i = 0; i < count_bytes; i++)
        bytes[words * 8 + i] = static_cast<uint8_t>(count >> 8 * i);
    previous = 0;
    for (uint64_t hash : sketch) {
        put_bits(bytes.data() + first, at, bits, hash - previous);
        at += static_cast<size_t>(bits);
        previous = hash;
    }
    return bytes;
}

compact_theta_sketch made_of(const compact_theta_sketch &like, bool empty, uint64_t theta, std::vector<uint64_t> &&hashes)
{
    return compact_theta_sketch(empty, true, like.get_seed_hash(), theta, std::move(hashes));
}

/* T1, where the library does not go so low. */
compact_theta_sketch cut(const compact_theta_sketch &sketch, int lg_k)
{
    size_t most = size_t{1} << lg_k;
    if (sketch.get_num_retained() <= most)
        return sketch;
    std::vector<uint64_t> hashes(sketch.begin(), sketch.end());
    uint64_t theta = hashes[most];
    hashes.resize(most);
    return made_of(sketch, false, theta, std::move(hashes));
}

uint8_t size_for_library(int lg_k)
{
    return static_cast<uint8_t>(std::max<int>(lg_k, LG_K_LEAST_OF_LIBRARY));
}
} // namespace

/* Some of: values that came one by one, a union, a result. Of an operation on sets only the result. */
struct SketchTheta {
    int lg_k;
    std::optional<update_theta_sketch> values;
    std::optional<theta_union> all;
    std::optional<compact_theta_sketch> done;

    compact_theta_sketch result() const
    {
        if (done)
            return *done;
        if (all)
            return cut(all->get_result(true), lg_k);
        update_theta_sketch trimmed = values ? *values : update_theta_sketch::builder().set_lg_k(size_for_library(lg_k)).build();
        trimmed.trim();
        return cut(trimmed.compact(true), lg_k);
    }

    void become(compact_theta_sketch &&result)
    {
        values.reset();
        all.reset();
        done.emplace(std::move(result));
    }
};

static update_theta_sketch &values_of(SketchTheta *sketch)
{
    if (!sketch->values)
        sketch->values.emplace(update_theta_sketch::builder().set_lg_k(size_for_library(sketch->lg_k)).build());
    return *sketch->values;
}

extern "C" SketchTheta *sketch_theta_new(int lg_k) noexcept
{
    return new SketchTheta{lg_k, {}, {}, {}};
}

extern "C" SketchTheta *sketch_theta_copy(const SketchTheta *sketch) noexcept
{
    return new SketchTheta(*sketch);
}

extern "C" void sketch_theta_free(SketchTheta *sketch) noexcept
{
    delete sketch;
}

extern "C" int sketch_theta_read(const char *text, size_t size, SketchTheta **out) noexcept
{
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(text);
    if (size >= 8 && bytes[AT_FAMILY] != FAMILY)
        return bytes[AT_FAMILY] >= 1 && bytes[AT_FAMILY] <= FAMILY_MOST ? SKETCH_OTHER_FAMILY : SKETCH_DAMAGED;
    if (size < 8 || (bytes[AT_FLAGS] & (FLAG_COMPACT | FLAG_READ_ONLY)) != (FLAG_COMPACT | FLAG_READ_ONLY))
        return SKETCH_DAMAGED;
    uint16_t seed = compute_seed_hash(datasketches::DEFAULT_SEED);
    Parts parts = {bytes[AT_VERSION] == 3 && (bytes[AT_FLAGS] & FLAG_EMPTY), datasketches::theta_constants::MAX_THETA, {}};
    if (!parts.empty) {
        bool read = bytes[AT_VERSION] == 3 ? read_plain(bytes, size, parts) : bytes[AT_VERSION] == 4 && read_packed(bytes, size, parts);
        if (!read || get<uint16_t>(bytes + AT_SEED) != seed || !good_parts(parts))
            return SKETCH_DAMAGED;
    }
    compact_theta_sketch sketch(parts.empty, true, seed, parts.theta, std::move(parts.hashes));
    *out = new SketchTheta{SKETCH_THETA_LG_K_DEFAULT, {}, {}, std::move(sketch)};
    return 0;
}

extern "C" void sketch_theta_add_long(SketchTheta *sketch, int64_t value) noexcept
{
    values_of(sketch).update(value);
}

extern "C" void sketch_theta_add_double(SketchTheta *sketch, double value) noexcept
{
    values_of(sketch).update(value);
}

extern "C" void sketch_theta_add_bytes(SketchTheta *sketch, const char *bytes, size_t size) noexcept
{
    if (size > 0)
        values_of(sketch).update(bytes, size);
}

extern "C" void sketch_theta_unite(SketchTheta *sketch, const SketchTheta *from) noexcept
{
    if (!sketch->all) {
        theta_union all = theta_union::builder().set_lg_k(size_for_library(sketch->lg_k)).build();
        if (sketch->values || sketch->done)
            all.update(sketch->result());
        sketch->values.reset();
        sketch->done.reset();
        sketch->all.emplace(std::move(all));
    }
    sketch->all->update(from->result());
}

extern "C" void sketch_theta_intersect(SketchTheta *sketch, const SketchTheta *from) noexcept
{
    datasketches::theta_intersection both;
    both.update(sketch->result());
    both.update(from->result());
    sketch->become(both.get_result(true));
}

extern "C" void sketch_theta_subtract(SketchTheta *sketch, const SketchTheta *from) noexcept
{
    sketch->become(datasketches::theta_a_not_b().compute(sketch->result(), from->result(), true));
}

extern "C" bool sketch_theta_hashes(const SketchTheta *sketch, uint64_t *theta, void (*each)(void *, uint64_t), void *to) noexcept
{
    compact_theta_sketch result = sketch->result();
    *theta = result.get_theta64();
    for (uint64_t hash : result)
        each(to, hash);
    return !result.is_empty();
}

extern "C" double sketch_theta_estimate(const SketchTheta *sketch) noexcept
{
    return sketch->result().get_estimate();
}

extern "C" void sketch_theta_write(const SketchTheta *sketch, SketchPut *put, void *to) noexcept
{
    static const char empty[] = {1, 3, FAMILY, 0, 0, FLAG_READ_ONLY | FLAG_EMPTY | FLAG_COMPACT | FLAG_ORDERED, 0, 0};
    compact_theta_sketch result = sketch->result();
    if (result.is_empty()) {
        put(to, empty, sizeof empty);
        return;
    }
    std::vector<uint8_t> bytes;
    if (result.get_num_retained() > 1 || (result.get_num_retained() == 1 && result.is_estimation_mode())) {
        bytes = packed(result);
    } else {
        auto plain = result.serialize();
        bytes.assign(plain.begin(), plain.end());
        if (bytes[AT_WORDS] == 1)
            bytes[AT_FLAGS] |= FLAG_SINGLE;
        if (bytes[AT_WORDS] == 3) {
            const float chosen = 1; /* the share of all values that is looked at */
            std::memcpy(bytes.data() + AT_CHOSEN, &chosen, sizeof chosen);
        }
    }
    put(to, reinterpret_cast<const char *>(bytes.data()), bytes.size());
}
