/*
 * duck/sketch_tuple.cpp - tuple sketches of Apache DataSketches with an INT or a DOUBLE beside each hash
 *
 * The bytes of a compact sketch, little-endian: words of the preamble, version 3, family 9, type 1, 1 unused, flags, SHORT hash of the seed. Behind one
 * word nothing (empty) or the only entry, behind more INT how many, 4 unused, BIGINT theta where there are three words, then the entries:
 * BIGINT hash, the number, a byte with the mode of which it was made. The library's C++ edition has no such numbers; of it only the hashes are taken.
 *
 *   U1  A result holds the 2^lg_k smallest hashes at most, and theta is the next: the same for all orders in which they came.
 *   U2  Hashes are above 0, below theta and all different.
 */
#include "duck/sketch.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <theta_sketch.hpp>
#include <unordered_map>
#include <vector>

namespace
{
enum { AT_WORDS, AT_VERSION, AT_FAMILY, AT_TYPE, AT_FLAGS = 5, AT_SEED = 6, AT_COUNT = 8, AT_THETA = 16 };
enum { VERSION = 3, FAMILY = 9, FAMILY_MOST = 21, TYPE_COMPACT = 1, FLAG_READ_ONLY = 2, FLAG_EMPTY = 4, FLAG_COMPACT = 8 };

const uint64_t THETA_MOST = datasketches::theta_constants::MAX_THETA;

struct Summary {
    SketchTupleValue value;
    SketchTupleMode mode;
};

template <typename T> T get(const uint8_t *at)
{
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

template <typename T> void put_value(std::vector<uint8_t> &out, T value)
{
    const uint8_t *at = reinterpret_cast<const uint8_t *>(&value);
    out.insert(out.end(), at, at + sizeof value);
}

/* What a mode begins with. */
Summary begin(SketchTupleKind kind, SketchTupleMode mode)
{
    Summary s = {{0}, mode};
    if (kind == SKETCH_TUPLE_INTEGER)
        s.value.of_integer = mode == SKETCH_TUPLE_MIN   ? std::numeric_limits<int32_t>::max()
                             : mode == SKETCH_TUPLE_MAX ? std::numeric_limits<int32_t>::min()
                                                        : mode == SKETCH_TUPLE_ALWAYS_ONE;
    else
        s.value.of_double = mode == SKETCH_TUPLE_MIN   ? std::numeric_limits<double>::infinity()
                            : mode == SKETCH_TUPLE_MAX ? -std::numeric_limits<double>::infinity()
                                                       : mode == SKETCH_TUPLE_ALWAYS_ONE;
    return s;
}

/* Take a number into another, by the mode of that; a NaN is neither the least nor the greatest. */
void update(Summary &s, SketchTupleKind kind, SketchTupleValue value)
{
    bool less = kind == SKETCH_TUPLE_INTEGER ? value.of_integer < s.value.of_integer : value.of_double < s.value.of_double;
    bool more = kind == SKETCH_TUPLE_INTEGER ? value.of_integer > s.value.of_integer : value.of_double > s.value.of_double;
    if (s.mode == SKETCH_TUPLE_MIN ? less : s.mode == SKETCH_TUPLE_MAX && more)
        s.value = value;
    else if (s.mode == SKETCH_TUPLE_SUM && kind == SKETCH_TUPLE_INTEGER)
        s.value.of_integer = static_cast<int32_t>(static_cast<uint32_t>(s.value.of_integer) + static_cast<uint32_t>(value.of_integer));
    else if (s.mode == SKETCH_TUPLE_SUM)
        s.value.of_double += value.of_double;
}

size_t entry_size(SketchTupleKind kind)
{
    return sizeof(uint64_t) + (kind == SKETCH_TUPLE_INTEGER ? sizeof(int32_t) : sizeof(double)) + 1;
}
} // namespace

struct SketchTuple {
    SketchTupleKind kind;
    SketchTupleMode mode;
    int lg_k; /* 0: no bound, of what was read or is a result */
    bool empty;
    uint64_t theta;
    std::unordered_map<uint64_t, Summary> entries;

    Summary merged(const Summary &a, const Summary &b) const
    {
        Summary s = begin(kind, mode);
        update(s, kind, a.value);
        update(s, kind, b.value);
        return s;
    }

    void lower_theta(uint64_t to)
    {
        if (to >= theta)
            return;
        theta = to;
        for (auto at = entries.begin(); at != entries.end();)
            at = at->first < theta ? std::next(at) : entries.erase(at);
    }

    /* U1 */
    void cut()
    {
        size_t most = size_t{1} << lg_k;
        if (lg_k == 0 || entries.size() <= most)
            return;
        std::vector<uint64_t> hashes;
        for (const auto &entry : entries)
            hashes.push_back(entry.first);
        std::nth_element(hashes.begin(), hashes.begin() + static_cast<std::ptrdiff_t>(most), hashes.end());
        lower_theta(hashes[most]);
    }

    void cut_if_much()
    {
        if (entries.size() > size_t{2} << lg_k)
            cut();
    }

    void add(uint64_t hash, SketchTupleValue value)
    {
        empty = false;
        if (hash == 0 || hash >= theta)
            return;
        Summary &s = entries.try_emplace(hash, begin(kind, mode)).first->second;
        update(s, kind, value);
        cut_if_much();
    }

    SketchTuple result() const
    {
        SketchTuple copy = *this;
        copy.cut();
        return copy;
    }

    std::vector<std::pair<uint64_t, Summary>> sorted() const
    {
        std::vector<std::pair<uint64_t, Summary>> all(entries.begin(), entries.end());
        std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
        return all;
    }
};

extern "C" SketchTuple *sketch_tuple_new(SketchTupleKind kind, SketchTupleMode mode, int lg_k) noexcept
{
    return new SketchTuple{kind, mode, lg_k, true, THETA_MOST, {}};
}

extern "C" SketchTuple *sketch_tuple_copy(const SketchTuple *sketch) noexcept
{
    return new SketchTuple(*sketch);
}

extern "C" void sketch_tuple_free(SketchTuple *sketch) noexcept
{
    delete sketch;
}

/* U2; all bytes are used. */
static bool read_entries(SketchTuple &sketch, const uint8_t *at, size_t size, size_t count)
{
    size_t each = entry_size(sketch.kind);
    if (size / each != count || size % each != 0)
        return false;
    for (size_t i = 0; i < count; i++, at += each) {
        Summary s = {{0}, static_cast<SketchTupleMode>(at[each - 1])};
        uint64_t hash = get<uint64_t>(at);
        if (sketch.kind == SKETCH_TUPLE_INTEGER)
            s.value.of_integer = get<int32_t>(at + sizeof hash);
        else
            s.value.of_double = get<double>(at + sizeof hash);
        if (at[each - 1] > SKETCH_TUPLE_ALWAYS_ONE || hash == 0 || hash >= sketch.theta || !sketch.entries.emplace(hash, s).second)
            return false;
    }
    return true;
}

extern "C" int sketch_tuple_read(SketchTupleKind kind, SketchTupleMode mode, const char *text, size_t size, SketchTuple **out) noexcept
{
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(text);
    if (size >= 8 && bytes[AT_FAMILY] != FAMILY)
        return bytes[AT_FAMILY] >= 1 && bytes[AT_FAMILY] <= FAMILY_MOST ? SKETCH_OTHER_FAMILY : SKETCH_DAMAGED;
    if (size < 8 || bytes[AT_VERSION] != VERSION || bytes[AT_TYPE] != TYPE_COMPACT)
        return SKETCH_DAMAGED;
    size_t words = bytes[AT_WORDS], count = 1;
    SketchTuple sketch = {kind, mode, 0, (bytes[AT_FLAGS] & FLAG_EMPTY) != 0, THETA_MOST, {}};
    if (words < 1 || words > 3 || size < words * 8 || get<uint16_t>(bytes + AT_SEED) != compute_seed_hash(datasketches::DEFAULT_SEED))
        return SKETCH_DAMAGED;
    if (sketch.empty && (words != 1 || size != 8))
        return SKETCH_DAMAGED;
    if (words > 1)
        count = get<uint32_t>(bytes + AT_COUNT);
    if (words == 3)
        sketch.theta = get<uint64_t>(bytes + AT_THETA);
    if (sketch.theta < 1 || sketch.theta > THETA_MOST || (!sketch.empty && !read_entries(sketch, bytes + words * 8, size - words * 8, count)))
        return SKETCH_DAMAGED;
    *out = new SketchTuple(std::move(sketch));
    return 0;
}

static void add_hash(void *to, uint64_t hash)
{
    SketchTuple *sketch = static_cast<SketchTuple *>(to);
    sketch->entries.emplace(hash, begin(sketch->kind, sketch->mode));
}

extern "C" SketchTuple *sketch_tuple_of_theta(SketchTupleKind kind, SketchTupleMode mode, const SketchTheta *theta) noexcept
{
    SketchTuple *sketch = new SketchTuple{kind, mode, 0, true, THETA_MOST, {}};
    sketch->empty = !sketch_theta_hashes(theta, &sketch->theta, add_hash, sketch);
    return sketch;
}

static uint64_t hash_of(const void *bytes, size_t size)
{
    return datasketches::compute_hash(bytes, size, datasketches::DEFAULT_SEED);
}

extern "C" void sketch_tuple_add_long(SketchTuple *sketch, int64_t key, SketchTupleValue value) noexcept
{
    sketch->add(hash_of(&key, sizeof key), value);
}

extern "C" void sketch_tuple_add_double(SketchTuple *sketch, double key, SketchTupleValue value) noexcept
{
    sketch_tuple_add_long(sketch, datasketches::canonical_double(key), value);
}

extern "C" void sketch_tuple_add_bytes(SketchTuple *sketch, const char *key, size_t size, SketchTupleValue value) noexcept
{
    if (size > 0)
        sketch->add(hash_of(key, size), value);
}

extern "C" void sketch_tuple_unite(SketchTuple *sketch, const SketchTuple *from) noexcept
{
    SketchTuple other = from->result();
    if (other.empty)
        return;
    sketch->empty = false;
    sketch->lower_theta(other.theta);
    for (const auto &entry : other.entries) {
        if (entry.first >= sketch->theta)
            continue;
        auto found = sketch->entries.emplace(entry.first, entry.second);
        if (!found.second)
            found.first->second = sketch->merged(found.first->second, entry.second);
    }
    sketch->cut_if_much();
}

extern "C" void sketch_tuple_intersect(SketchTuple *sketch, const SketchTuple *from) noexcept
{
    SketchTuple own = sketch->result(), other = from->result();
    if (own.empty || other.empty) {
        *sketch = SketchTuple{own.kind, own.mode, 0, true, THETA_MOST, {}};
        return;
    }
    own.lower_theta(other.theta);
    other.lower_theta(own.theta);
    *sketch = SketchTuple{own.kind, own.mode, 0, false, own.theta, {}};
    for (const auto &entry : own.entries) {
        auto found = other.entries.find(entry.first);
        if (found != other.entries.end())
            sketch->entries.emplace(entry.first, sketch->merged(entry.second, found->second));
    }
}

extern "C" void sketch_tuple_subtract(SketchTuple *sketch, const SketchTuple *from) noexcept
{
    SketchTuple own = sketch->result(), other = from->result();
    own.lg_k = 0;
    if (!own.empty && !other.empty) {
        own.lower_theta(other.theta);
        for (const auto &entry : other.entries)
            own.entries.erase(entry.first);
        own.empty = own.entries.empty() && own.theta == THETA_MOST;
    }
    *sketch = std::move(own);
}

extern "C" double sketch_tuple_theta(const SketchTuple *sketch) noexcept
{
    return static_cast<double>(sketch->result().theta) / static_cast<double>(THETA_MOST);
}

extern "C" double sketch_tuple_estimate(const SketchTuple *sketch) noexcept
{
    SketchTuple result = sketch->result();
    double count = static_cast<double>(result.entries.size());
    return result.empty || result.theta == THETA_MOST ? count : count / (static_cast<double>(result.theta) / static_cast<double>(THETA_MOST));
}

extern "C" int64_t sketch_tuple_summary_integer(const SketchTuple *sketch, SketchTupleMode mode) noexcept
{
    auto all = sketch->result().sorted();
    int64_t sum = 0, least = std::numeric_limits<int64_t>::max(), most = std::numeric_limits<int64_t>::min();
    for (const auto &entry : all) {
        int64_t value = entry.second.value.of_integer;
        sum += value;
        least = std::min(least, value);
        most = std::max(most, value);
    }
    if (mode == SKETCH_TUPLE_ALWAYS_ONE || all.empty())
        return static_cast<int64_t>(all.size());
    return mode == SKETCH_TUPLE_SUM ? sum : mode == SKETCH_TUPLE_MIN ? least : most;
}

/* Of Java: NaN is both the least and the greatest, -0.0 less than 0.0. */
static double less_of(double a, double b)
{
    if (std::isnan(a) || std::isnan(b))
        return std::numeric_limits<double>::quiet_NaN();
    return a == b ? (std::signbit(a) ? a : b) : std::min(a, b);
}

extern "C" double sketch_tuple_summary_double(const SketchTuple *sketch, SketchTupleMode mode) noexcept
{
    auto all = sketch->result().sorted();
    if (mode == SKETCH_TUPLE_ALWAYS_ONE || all.empty())
        return static_cast<double>(all.size());
    double sum = 0, least = all[0].second.value.of_double, most = least;
    for (const auto &entry : all) {
        double value = entry.second.value.of_double;
        sum += value;
        least = less_of(least, value);
        most = -less_of(-most, -value);
    }
    return mode == SKETCH_TUPLE_SUM ? sum : mode == SKETCH_TUPLE_MIN ? least : most;
}

extern "C" void sketch_tuple_write(const SketchTuple *sketch, SketchPut *put, void *to) noexcept
{
    SketchTuple result = sketch->result();
    auto all = result.sorted();
    bool estimating = !result.empty && result.theta < THETA_MOST;
    uint8_t words = result.empty || (all.size() == 1 && !estimating) ? 1 : estimating ? 3 : 2;
    uint8_t flags = static_cast<uint8_t>(FLAG_READ_ONLY | FLAG_COMPACT | (result.empty ? FLAG_EMPTY : 0));
    std::vector<uint8_t> bytes = {words, VERSION, FAMILY, TYPE_COMPACT, 0, flags};
    put_value(bytes, compute_seed_hash(datasketches::DEFAULT_SEED));
    if (words > 1)
        put_value(bytes, static_cast<uint64_t>(all.size()));
    if (words > 2)
        put_value(bytes, result.theta);
    for (const auto &entry : all) {
        put_value(bytes, entry.first);
        if (result.kind == SKETCH_TUPLE_INTEGER)
            put_value(bytes, entry.second.value.of_integer);
        else
            put_value(bytes, entry.second.value.of_double);
        bytes.push_back(static_cast<uint8_t>(entry.second.mode));
    }
    put(to, reinterpret_cast<const char *>(bytes.data()), bytes.size());
}
