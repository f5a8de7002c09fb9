/*
 * duck/sketch_kll.cpp - KLL sketches of Apache DataSketches, of BIGINT, FLOAT and DOUBLE
 *
 * The bytes, little-endian: INTs of the preamble (2 or 5), version (2 for a single value, else 1), family 15, flags, SHORT k, m, one unused. A single
 * value stands at 8. Else: BIGINT how many were seen, SHORT least k, how many levels, one unused, INT where each level begins in memory, the least and the
 * greatest value, the values that are kept. One of level l stands for 2^l.
 *
 *   L1  What the library reads has levels that begin in order, weights that add up to what was seen, and sorted values from level 1 on.
 *   L2  Level 0 is written in ascending order.
 *   L3  Which half of a full level goes is chance in Spark; here chance begins anew from how many values were seen, so that the same values in the same
 *       order give the same bytes. room: how many more values come in before a level is halved.
 */
#include "duck/sketch.h"

#include <algorithm>
#include <cmath>
#include <common_defs.hpp>
#include <cstring>

/* L3: the library's chance is a Mersenne twister begun from the clock, which takes longer to begin anew than a level to be halved. */
namespace datasketches
{
struct ChanceOfKll {
    uint64_t state;
    void begin(uint64_t from)
    {
        state = from;
    }
    uint32_t operator()() /* splitmix64 (Steele, Lea, Flood, 2014) */
    {
        uint64_t z = state += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return static_cast<uint32_t>((z ^ z >> 31) >> 63);
    }
};
static thread_local ChanceOfKll chance_of_kll;
} // namespace datasketches
#define random_bit chance_of_kll
#include <kll_sketch.hpp>
#undef random_bit

#include <optional>
#include <vector>

namespace
{
using datasketches::kll_sketch;
using Bytes = std::vector<uint8_t>;

enum { AT_INTS, AT_VERSION, AT_FAMILY, AT_FLAGS, AT_K, AT_M = 6, AT_SEEN = 8, AT_LEAST_K = 16, AT_LEVELS = 18, AT_BEGINS = 20 };
enum { FAMILY = 15, M = 8, LEVELS_MOST = 60, FLAG_EMPTY = 1, FLAG_SORTED = 2, FLAG_SINGLE = 4, SHORT_SIZE = 8 };

template <typename T> T get(const uint8_t *at)
{
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

/* In memory: where the levels begin, and the end of the last. */
std::vector<uint32_t> begins_of(const uint8_t *bytes)
{
    uint8_t levels = bytes[AT_LEVELS];
    std::vector<uint32_t> begins(levels + size_t{1});
    std::memcpy(begins.data(), bytes + AT_BEGINS, levels * sizeof(uint32_t));
    begins[levels] = datasketches::kll_helper::compute_total_capacity(get<uint16_t>(bytes + AT_K), M, levels);
    return begins;
}

template <typename T> size_t values_at(const uint8_t *bytes)
{
    return AT_BEGINS + bytes[AT_LEVELS] * sizeof(uint32_t) + 2 * sizeof(T);
}

/* The size of a good sketch at the beginning of these bytes; 0: there is none. */
template <typename T> size_t good_size(const uint8_t *bytes, size_t size)
{
    if (size < SHORT_SIZE || bytes[AT_FAMILY] != FAMILY || bytes[AT_M] != M || get<uint16_t>(bytes + AT_K) < SKETCH_KLL_K_LEAST)
        return 0;
    if (bytes[AT_FLAGS] & FLAG_EMPTY)
        return bytes[AT_INTS] == 2 && bytes[AT_VERSION] == 1 ? size_t{SHORT_SIZE} : 0;
    if (bytes[AT_FLAGS] & FLAG_SINGLE) {
        if (bytes[AT_INTS] != 2 || bytes[AT_VERSION] != 2 || size < SHORT_SIZE + sizeof(T))
            return 0;
        T value = get<T>(bytes + SHORT_SIZE);
        return value == value ? SHORT_SIZE + sizeof(T) : 0;
    }
    if (bytes[AT_INTS] != 5 || bytes[AT_VERSION] != 1 || size < AT_BEGINS || bytes[AT_LEVELS] < 1 || bytes[AT_LEVELS] > LEVELS_MOST ||
        size < values_at<T>(bytes) || get<uint16_t>(bytes + AT_LEAST_K) < SKETCH_KLL_K_LEAST || get<uint16_t>(bytes + AT_LEAST_K) > get<uint16_t>(bytes + AT_K))
        return 0;
    std::vector<uint32_t> begins = begins_of(bytes);
    if (!std::is_sorted(begins.begin(), begins.end()) || (size - values_at<T>(bytes)) / sizeof(T) < begins.back() - begins.front())
        return 0;
    const uint8_t *at = bytes + values_at<T>(bytes);
    T least = get<T>(at - 2 * sizeof(T)), greatest = get<T>(at - sizeof(T));
    unsigned __int128 seen = 0;
    for (size_t level = 0; level + 1 < begins.size(); level++) {
        size_t count = begins[level + 1] - begins[level];
        seen += static_cast<unsigned __int128>(count) << level;
        for (size_t i = 0; i < count; i++, at += sizeof(T)) {
            T value = get<T>(at);
            if (!(value >= least && value <= greatest) || (level > 0 && i > 0 && value < get<T>(at - sizeof(T))))
                return 0;
        }
    }
    return seen > 0 && seen < (uint64_t{1} << 62) && seen == get<uint64_t>(bytes + AT_SEEN) ? static_cast<size_t>(at - bytes) : 0;
}

template <typename T> T &part(SketchKllValue &value);
template <> int64_t &part<int64_t>(SketchKllValue &value)
{
    return value.of_long;
}
template <> float &part<float>(SketchKllValue &value)
{
    return value.of_float;
}
template <> double &part<double>(SketchKllValue &value)
{
    return value.of_double;
}
} // namespace

struct SketchKll {
    virtual ~SketchKll() = default;
    virtual void add(SketchKllValue value) = 0;
    virtual void merge(const SketchKll &from) = 0;
    virtual void summary(SketchKllSummary &out) const = 0;
    virtual SketchKllValue quantile(double share) const = 0;
    virtual double rank(SketchKllValue value) const = 0;
    virtual Bytes bytes() const = 0;
};

namespace
{
/*
 * The values in order, each with how many were seen up to it: as the Java edition asks them. There the least and the greatest are always among them,
 * each with a weight of 1, and a rank is rounded to 7 digits; the library's own view differs at both ends.
 */
template <typename T> struct View {
    std::vector<T> values;
    std::vector<uint64_t> seen;

    View(std::vector<std::pair<T, uint64_t>> &&weights, T least, T greatest)
    {
        std::sort(weights.begin(), weights.end());
        uint64_t all = 0;
        for (const auto &[value, weight] : weights) {
            all += weight;
            values.push_back(value);
            seen.push_back(all);
        }
        if (values.front() != least) {
            values.insert(values.begin(), least);
            seen.insert(seen.begin(), 1);
        }
        if (values.back() != greatest) {
            seen.back() = all - 1;
            values.push_back(greatest);
            seen.push_back(all);
        }
    }

    T quantile(double share) const
    {
        const double digits = 1e7;
        double rank = share * static_cast<double>(seen.back());
        if (static_cast<double>(seen.back()) <= digits)
            rank = std::floor(rank * digits + 0.5) / digits;
        auto at = std::lower_bound(seen.begin(), seen.end(), static_cast<uint64_t>(std::ceil(rank)));
        return at == seen.end() ? values.back() : values[static_cast<size_t>(at - seen.begin())];
    }

    double rank(T value) const
    {
        auto above = std::upper_bound(values.begin(), values.end(), value);
        return above == values.begin() ? 0 : static_cast<double>(seen[static_cast<size_t>(above - values.begin()) - 1]) / static_cast<double>(seen.back());
    }
};

template <typename T> struct Kll final : SketchKll {
    kll_sketch<T> sketch;
    mutable std::optional<View<T>> asked; /* made when it is first asked */

    size_t room;                          /* L3 */

    explicit Kll(kll_sketch<T> &&of) : sketch(std::move(of)), room(room_left())
    {
    }

    size_t room_left() const
    {
        size_t retained = sketch.get_num_retained(), values = AT_BEGINS + (2 + retained) * sizeof(T);
        size_t levels = retained < 2 ? 1 : (sketch.get_serialized_size_bytes() - values) / sizeof(uint32_t);
        return datasketches::kll_helper::compute_total_capacity(sketch.get_k(), M, static_cast<uint8_t>(levels)) - retained;
    }

    void add(SketchKllValue value) override
    {
        T added = part<T>(value);
        if (added != added)
            return;
        asked.reset();
        if (room == 0)
            datasketches::chance_of_kll.begin(sketch.get_n());
        sketch.update(added);
        room = room == 0 ? room_left() : room - 1;
    }

    void merge(const SketchKll &from) override
    {
        const kll_sketch<T> &other = static_cast<const Kll &>(from).sketch;
        asked.reset();
        datasketches::chance_of_kll.begin(sketch.get_n() + other.get_n());
        sketch.merge(other);
        room = room_left();
    }

    Bytes bytes() const override
    {
        auto written = sketch.serialize();
        Bytes image(written.begin(), written.end());
        image[AT_FLAGS] &= static_cast<uint8_t>(~FLAG_SORTED);
        if (image[AT_INTS] == 5) { /* L2 */
            std::vector<uint32_t> begins = begins_of(image.data());
            std::vector<T> values(begins[1] - begins[0]);
            uint8_t *at = image.data() + values_at<T>(image.data());
            if (!values.empty()) {
                std::memcpy(values.data(), at, values.size() * sizeof(T));
                std::sort(values.begin(), values.end(), [](T a, T b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); });
                std::memcpy(at, values.data(), values.size() * sizeof(T));
                if (begins.size() == 2) { /* of 0.0 and -0.0 the library keeps whichever came first */
                    std::memcpy(at - 2 * sizeof(T), &values.front(), sizeof(T));
                    std::memcpy(at - sizeof(T), &values.back(), sizeof(T));
                }
            }
        }
        return image;
    }

    void summary(SketchKllSummary &out) const override
    {
        Bytes image = bytes();
        bool full = image[AT_INTS] == 5;
        out = {};
        out.values = static_cast<int64_t>(sketch.get_n());
        out.k = sketch.get_k();
        out.least_k = full ? get<uint16_t>(image.data() + AT_LEAST_K) : sketch.get_k();
        out.m = M;
        out.levels = full ? image[AT_LEVELS] : 1;
        out.capacity = static_cast<int>(datasketches::kll_helper::compute_total_capacity(sketch.get_k(), M, static_cast<uint8_t>(out.levels)));
        out.retained = static_cast<int>(sketch.get_num_retained());
        out.bytes = image.size();
        out.bytes_unpacked = AT_BEGINS + (static_cast<size_t>(out.levels) + 1) * sizeof(uint32_t) + (2 + static_cast<size_t>(out.capacity)) * sizeof(T);
        if (!sketch.is_empty()) {
            part<T>(out.least) = sketch.get_min_item();
            part<T>(out.greatest) = sketch.get_max_item();
        }
    }

    /* Not by the library's iterator, which takes level 1 for level 0 where that is empty (4.1.0). */
    static std::vector<std::pair<T, uint64_t>> weights_of(const Bytes &image)
    {
        if (image[AT_INTS] != 5)
            return {{get<T>(image.data() + SHORT_SIZE), 1}};
        std::vector<std::pair<T, uint64_t>> weights;
        std::vector<uint32_t> begins = begins_of(image.data());
        const uint8_t *at = image.data() + values_at<T>(image.data());
        for (size_t level = 0; level + 1 < begins.size(); level++)
            for (uint32_t i = begins[level]; i < begins[level + 1]; i++, at += sizeof(T))
                weights.emplace_back(get<T>(at), uint64_t{1} << level);
        return weights;
    }

    const View<T> &view() const
    {
        if (!asked) {
            asked.emplace(weights_of(bytes()), sketch.get_min_item(), sketch.get_max_item());
        }
        return *asked;
    }

    SketchKllValue quantile(double share) const override
    {
        SketchKllValue value = {};
        part<T>(value) = view().quantile(share);
        return value;
    }

    double rank(SketchKllValue value) const override
    {
        return view().rank(part<T>(value));
    }
};

template <typename T> int read(const char *text, size_t size, SketchKll **out)
{
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(text);
    size_t exact = good_size<T>(bytes, size);
    if (exact == 0)
        return SKETCH_DAMAGED;
    try {
        *out = new Kll<T>(kll_sketch<T>::deserialize(bytes, exact));
        return 0;
    } catch (const std::exception &) {
        return SKETCH_DAMAGED;
    }
}
} // namespace

extern "C" SketchKll *sketch_kll_new(SketchKllKind kind, int k) noexcept
{
    uint16_t size = static_cast<uint16_t>(k);
    if (kind == SKETCH_KLL_LONG)
        return new Kll<int64_t>(kll_sketch<int64_t>(size));
    if (kind == SKETCH_KLL_FLOAT)
        return new Kll<float>(kll_sketch<float>(size));
    return new Kll<double>(kll_sketch<double>(size));
}

extern "C" int sketch_kll_read(SketchKllKind kind, const char *bytes, size_t size, SketchKll **out) noexcept
{
    return kind == SKETCH_KLL_LONG ? read<int64_t>(bytes, size, out) : kind == SKETCH_KLL_FLOAT ? read<float>(bytes, size, out) : read<double>(bytes, size, out);
}

extern "C" void sketch_kll_free(SketchKll *sketch) noexcept
{
    delete sketch;
}

extern "C" void sketch_kll_add(SketchKll *sketch, SketchKllValue value) noexcept
{
    sketch->add(value);
}

extern "C" int sketch_kll_merge(SketchKll *sketch, const SketchKll *from) noexcept
{
    try {
        sketch->merge(*from);
        return 0;
    } catch (const std::exception &) {
        return SKETCH_DAMAGED;
    }
}

extern "C" void sketch_kll_summary(const SketchKll *sketch, SketchKllSummary *out) noexcept
{
    sketch->summary(*out);
}

extern "C" SketchKllValue sketch_kll_quantile(const SketchKll *sketch, double share) noexcept
{
    return sketch->quantile(share);
}

extern "C" double sketch_kll_rank(const SketchKll *sketch, SketchKllValue value) noexcept
{
    return sketch->rank(value);
}

extern "C" void sketch_kll_write(const SketchKll *sketch, SketchPut *put, void *to) noexcept
{
    Bytes bytes = sketch->bytes();
    put(to, reinterpret_cast<const char *>(bytes.data()), bytes.size());
}
