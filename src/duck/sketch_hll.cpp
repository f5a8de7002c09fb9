/*
 * duck/sketch_hll.cpp - HyperLogLog of Apache DataSketches
 *
 * The bytes, little-endian: words of the preamble (2 list, 3 set, 10 registers), version 1, family 7, lg_k, lg of the table, flags, then the count of the
 * list or the least register, the mode (2 bits: list, set, registers; 2 bits: 4, 6 or 8 bits a register). A list has up to 7 coupons at byte 8, a set
 * their number INT at 8 and a hash table at 12. Registers: three DOUBLE (an estimate that knows the order of values, two sums over the registers),
 * INT how many have the least, INT how many do not fit in 4 bits; the registers at 40, then those that do not fit. A coupon is a register's number in
 * 26 bits and a value in 6.
 *
 *   H1  What the library reads is a list or a set without repetition that its own hash finds, or registers of 8 bits with sums that fit them.
 *   H2  rebuilt: as the Java edition does after a union of registers, the least register and how many have it are written, not 0 and how many are 0.
 */
#include "duck/sketch.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <hll.hpp>
#include <vector>

namespace
{
using datasketches::hll_sketch;
using datasketches::hll_union;
using Bytes = std::vector<uint8_t>;

enum { AT_WORDS, AT_VERSION, AT_FAMILY, AT_LG_K, AT_LG_TABLE, AT_FLAGS, AT_COUNT, AT_MODE, AT_LIST };
enum { AT_SET_COUNT = 8, AT_SET = 12 };
enum { AT_ORDERED_ESTIMATE = 8, AT_SUM_LOW = 16, AT_SUM_HIGH = 24, AT_LEAST_COUNT = 32, AT_EXTRA_COUNT = 36, AT_REGISTERS = 40 };
enum { LIST = 0, SET = 1, REGISTERS = 2, BITS_4 = 0, BITS_6 = 1, BITS_8 = 2 };
enum { FLAG_EMPTY = 4, FLAG_COMPACT = 8, FLAG_UNORDERED = 16 };
enum { FAMILY = 7, LIST_MOST = 7, LG_SET_LEAST = 5, SLOT_BITS = 26, SLOT_MASK = (1 << SLOT_BITS) - 1, VALUE_MOST = 63, EXTRA = 15 };

template <typename T> T get(const uint8_t *at)
{
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

template <typename T> void set(Bytes &bytes, size_t at, T value)
{
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

int mode_of(const Bytes &bytes)
{
    return bytes[AT_MODE] & 3;
}

std::vector<uint32_t> coupons_at(const uint8_t *at, size_t count)
{
    std::vector<uint32_t> coupons(count);
    if (count > 0)
        std::memcpy(coupons.data(), at, count * sizeof(uint32_t));
    return coupons;
}

/* Each with a value, none twice? */
bool good_coupons(std::vector<uint32_t> coupons)
{
    std::sort(coupons.begin(), coupons.end());
    return std::adjacent_find(coupons.begin(), coupons.end()) == coupons.end() &&
           std::all_of(coupons.begin(), coupons.end(), [](uint32_t coupon) { return coupon >> SLOT_BITS != 0; });
}

bool good_list(const uint8_t *bytes, size_t size)
{
    size_t count = bytes[AT_COUNT];
    return bytes[AT_WORDS] == 2 && count <= LIST_MOST && size >= AT_LIST + count * 4 && good_coupons(coupons_at(bytes + AT_LIST, count));
}

/* Where the library looks for a coupon, or has room for it. */
bool found_in(const std::vector<uint32_t> &table, int lg_table, uint32_t coupon, size_t at)
{
    size_t mask = table.size() - 1, probe = coupon & mask, stride = ((coupon & SLOT_MASK) >> lg_table) | 1;
    for (size_t i = 0; i < table.size() && table[probe] != 0; i++, probe = (probe + stride) & mask)
        if (table[probe] == coupon)
            return probe == at;
    return false;
}

bool good_set(const uint8_t *bytes, size_t size)
{
    int lg_k = bytes[AT_LG_K], lg_table = bytes[AT_LG_TABLE];
    if (bytes[AT_WORDS] != 3 || size < AT_SET || lg_k <= 7)
        return false;
    size_t count = get<uint32_t>(bytes + AT_SET_COUNT), room = (size - AT_SET) / 4, most = size_t{3} << (lg_k - 3) >> 2;
    if (count > most)
        return false;
    if (bytes[AT_FLAGS] & FLAG_COMPACT)
        return count <= room && good_coupons(coupons_at(bytes + AT_SET, count));
    if (lg_table < LG_SET_LEAST || lg_table > lg_k - 3 || size_t{1} << lg_table > room || count > size_t{3} << lg_table >> 2)
        return false;
    std::vector<uint32_t> table = coupons_at(bytes + AT_SET, size_t{1} << lg_table);
    size_t used = 0;
    for (size_t i = 0; i < table.size(); i++)
        if (table[i] != 0) {
            if (table[i] >> SLOT_BITS == 0 || !found_in(table, lg_table, table[i], i))
                return false;
            used++;
        }
    return used == count;
}

/* What 4 bits do not hold stands behind the registers, as coupons. */
bool registers_of_4(const uint8_t *bytes, size_t size, size_t k, std::vector<uint8_t> &registers)
{
    size_t packed = k / 2, extras = get<uint32_t>(bytes + AT_EXTRA_COUNT), count = extras;
    if (size < AT_REGISTERS + packed || extras > k)
        return false;
    if (!(bytes[AT_FLAGS] & FLAG_COMPACT) && extras > 0) {
        if (bytes[AT_LG_TABLE] > SKETCH_HLL_LG_K_MOST)
            return false;
        count = size_t{1} << bytes[AT_LG_TABLE];
    }
    if (size - AT_REGISTERS - packed < count * 4)
        return false;
    std::vector<uint8_t> extra(k, 0);
    size_t seen = 0, wanted = 0;
    for (uint32_t coupon : coupons_at(bytes + AT_REGISTERS + packed, count)) {
        size_t slot = coupon & SLOT_MASK;
        if (coupon == 0)
            continue;
        if (slot >= k || extra[slot] != 0 || coupon >> SLOT_BITS == 0)
            return false;
        extra[slot] = static_cast<uint8_t>(coupon >> SLOT_BITS);
        seen++;
    }
    for (size_t i = 0; i < k; i++) {
        uint8_t nibble = bytes[AT_REGISTERS + i / 2] >> (i % 2 * 4) & 15;
        wanted += nibble == EXTRA;
        if (nibble == EXTRA && extra[i] == 0)
            return false;
        registers[i] = nibble == EXTRA ? extra[i] : static_cast<uint8_t>(nibble + bytes[AT_COUNT]);
    }
    return seen == extras && wanted == extras;
}

bool registers_of_6(const uint8_t *bytes, size_t size, size_t k, std::vector<uint8_t> &registers)
{
    if (size < AT_REGISTERS + k * 3 / 4 + 1)
        return false;
    for (size_t i = 0; i < k; i++)
        registers[i] = get<uint16_t>(bytes + AT_REGISTERS + i * 6 / 8) >> (i * 6 % 8) & VALUE_MOST;
    return true;
}

/* Sums, least register and counts of such registers. rebuilt: H2. */
void describe(Bytes &image, bool rebuilt)
{
    const uint8_t *registers = image.data() + AT_REGISTERS;
    size_t k = size_t{1} << image[AT_LG_K], zeros = static_cast<size_t>(std::count(registers, registers + k, 0));
    uint8_t least = rebuilt ? *std::min_element(registers, registers + k) : 0;
    double low = static_cast<double>(k), high = 0;
    for (size_t i = 0; i < k; i++) { /* above 31 the Java edition has one of two pairs with the same sum */
        low += registers[i] < 32 ? std::ldexp(1.0, -registers[i]) - 1.0 : -1.0;
        high += registers[i] < 32 ? 0.0 : std::ldexp(1.0, -registers[i]);
    }
    image[AT_COUNT] = least;
    set(image, AT_SUM_LOW, low);
    set(image, AT_SUM_HIGH, high);
    set(image, AT_LEAST_COUNT, static_cast<uint32_t>(least == 0 ? zeros : static_cast<size_t>(std::count(registers, registers + k, least))));
}

/* The same registers as an image of 8 bits each, with a least register of 0 as the library wants it. */
bool read_registers(const uint8_t *bytes, size_t size, Bytes &image)
{
    int type = bytes[AT_MODE] >> 2 & 3;
    size_t k = size_t{1} << bytes[AT_LG_K];
    std::vector<uint8_t> registers(k);
    if (bytes[AT_WORDS] != 10 || size < AT_REGISTERS || bytes[AT_COUNT] > VALUE_MOST)
        return false;
    if (type == BITS_4 ? !registers_of_4(bytes, size, k, registers) : type == BITS_6 && !registers_of_6(bytes, size, k, registers))
        return false;
    if (type == BITS_8) {
        if (size < AT_REGISTERS + k)
            return false;
        std::copy_n(bytes + AT_REGISTERS, k, registers.begin());
    }
    bool unordered = bytes[AT_FLAGS] & FLAG_UNORDERED;
    double estimate = unordered ? 0 : get<double>(bytes + AT_ORDERED_ESTIMATE);
    if (std::any_of(registers.begin(), registers.end(), [](uint8_t value) { return value > VALUE_MOST; }) || !(estimate >= 0 && estimate < 0x1p63))
        return false;
    image.assign(AT_REGISTERS + k, 0);
    image[AT_WORDS] = 10;
    image[AT_VERSION] = 1;
    image[AT_FAMILY] = FAMILY;
    image[AT_LG_K] = bytes[AT_LG_K];
    image[AT_FLAGS] = unordered ? FLAG_UNORDERED : 0;
    image[AT_MODE] = BITS_8 << 2 | REGISTERS;
    set(image, AT_ORDERED_ESTIMATE, estimate);
    std::copy(registers.begin(), registers.end(), image.begin() + AT_REGISTERS);
    describe(image, false);
    return true;
}
} // namespace

struct SketchHll {
    hll_sketch values;
    int lg_k;
    bool rebuilt; /* H2 */
    int parts;    /* united, of those not empty; 2 stands for more, and for values of its own */

    explicit SketchHll(int lg_k) : values(static_cast<uint8_t>(lg_k), datasketches::HLL_8), lg_k(lg_k), rebuilt(false), parts(0)
    {
    }

    bool has_registers() const /* no list and no set is as long */
    {
        return values.get_updatable_serialization_bytes() == AT_REGISTERS + (uint32_t{1} << lg_k);
    }

    Bytes image(bool as_rebuilt) const
    {
        auto written = values.serialize_updatable();
        Bytes bytes(written.begin(), written.end());
        if (mode_of(bytes) == REGISTERS)
            describe(bytes, as_rebuilt);
        return bytes;
    }
};

extern "C" SketchHll *sketch_hll_new(int lg_k) noexcept
{
    return new SketchHll(lg_k);
}

extern "C" void sketch_hll_free(SketchHll *sketch) noexcept
{
    delete sketch;
}

extern "C" int sketch_hll_read(const char *text, size_t size, SketchHll **out) noexcept
{
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(text);
    if (size < AT_LIST || bytes[AT_VERSION] != 1 || bytes[AT_FAMILY] != FAMILY || bytes[AT_LG_K] < SKETCH_HLL_LG_K_LEAST || bytes[AT_LG_K] > SKETCH_HLL_LG_K_MOST ||
        (bytes[AT_MODE] >> 2 & 3) > BITS_8)
        return SKETCH_DAMAGED;
    Bytes image;
    switch (bytes[AT_MODE] & 3) {
    case LIST:
        if (!good_list(bytes, size))
            return SKETCH_DAMAGED;
        image.assign(bytes, bytes + AT_LIST + bytes[AT_COUNT] * 4);
        image[AT_FLAGS] = FLAG_COMPACT | (bytes[AT_COUNT] == 0 ? FLAG_EMPTY : 0); /* empty places are not read, nor need they be there */
        break;
    case SET:
        if (!good_set(bytes, size))
            return SKETCH_DAMAGED;
        image.assign(bytes, bytes + size);
        image[AT_FLAGS] &= FLAG_COMPACT;
        break;
    case REGISTERS:
        if (!read_registers(bytes, size, image))
            return SKETCH_DAMAGED;
        break;
    default:
        return SKETCH_DAMAGED;
    }
    try {
        hll_sketch read = hll_sketch::deserialize(image.data(), image.size());
        SketchHll *sketch = new SketchHll(bytes[AT_LG_K]);
        sketch->values = hll_sketch(read, datasketches::HLL_8);
        sketch->rebuilt = mode_of(image) == REGISTERS && bytes[AT_COUNT] > 0 && (bytes[AT_MODE] >> 2 & 3) == BITS_8;
        sketch->parts = read.is_empty() ? 0 : 1;
        *out = sketch;
        return 0;
    } catch (const std::exception &) {
        return SKETCH_DAMAGED;
    }
}

extern "C" void sketch_hll_add_long(SketchHll *sketch, int64_t value) noexcept
{
    sketch->values.update(value);
    sketch->parts = 2;
}

extern "C" void sketch_hll_add_bytes(SketchHll *sketch, const char *bytes, size_t size) noexcept
{
    if (size == 0)
        return;
    sketch->values.update(bytes, size);
    sketch->parts = 2;
}

/* With so many registers. The result is asked for at once: until then the library takes a union of folded registers alone for empty. */
static hll_sketch folded(const hll_sketch &values, int lg_k)
{
    hll_union fold(static_cast<uint8_t>(lg_k));
    fold.update(values);
    return fold.get_result(datasketches::HLL_8);
}

extern "C" void sketch_hll_unite(SketchHll *sketch, const SketchHll *from) noexcept
{
    int lg_k = std::min(sketch->lg_k, from->lg_k);
    hll_union all(static_cast<uint8_t>(lg_k));
    bool both = sketch->has_registers() && from->has_registers();
    bool fold = (sketch->has_registers() && sketch->lg_k > lg_k) || (from->has_registers() && from->lg_k > lg_k);

    all.update(folded(sketch->values, lg_k));
    all.update(folded(from->values, lg_k));
    sketch->rebuilt = both || fold || (sketch->has_registers() ? sketch->rebuilt : from->rebuilt);
    sketch->values = all.get_result(datasketches::HLL_8);
    sketch->lg_k = lg_k;
    sketch->parts = std::min(2, sketch->parts + from->parts);
}

extern "C" int sketch_hll_lg_k(const SketchHll *sketch) noexcept
{
    return sketch->lg_k;
}

extern "C" double sketch_hll_estimate(const SketchHll *sketch) noexcept
{
    return sketch->values.get_estimate();
}

extern "C" void sketch_hll_write(const SketchHll *sketch, SketchPut *put, void *to) noexcept
{
    Bytes bytes = sketch->image(sketch->rebuilt);
    put(to, reinterpret_cast<const char *>(bytes.data()), bytes.size());
}

extern "C" void sketch_hll_write_unordered(const SketchHll *sketch, SketchPut *put, void *to) noexcept
{
    bool alone = sketch->parts < 2;
    Bytes bytes = sketch->image(alone ? sketch->rebuilt : true);
    int mode = mode_of(bytes);
    if (mode == REGISTERS && !alone) {
        bytes[AT_FLAGS] |= FLAG_UNORDERED;
        set(bytes, AT_ORDERED_ESTIMATE, 0.0);
    } else if (mode != REGISTERS) {
        size_t first = mode == LIST ? size_t{AT_LIST} : size_t{AT_SET}, places = (bytes.size() - first) / 4, mask = places - 1;
        std::vector<uint32_t> coupons = coupons_at(bytes.data() + first, places), table(places, 0);
        coupons.erase(std::remove(coupons.begin(), coupons.end(), 0u), coupons.end());
        std::sort(coupons.begin(), coupons.end());
        size_t next = 0;
        for (uint32_t coupon : coupons) {
            size_t place = mode == LIST ? next++ : coupon & mask, stride = ((coupon & SLOT_MASK) >> bytes[AT_LG_TABLE]) | 1;
            while (table[place] != 0)
                place = (place + stride) & mask;
            table[place] = coupon;
        }
        std::memcpy(bytes.data() + first, table.data(), places * 4);
    }
    put(to, reinterpret_cast<const char *>(bytes.data()), bytes.size());
}
