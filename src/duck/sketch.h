#pragma once
/*
 * duck/sketch.h - the sketches of Apache DataSketches behind a C interface: what is behind it is C++ (sketch_*.cpp)
 *
 * The bytes are those of the library's Java edition, which Spark keeps in columns, so both read each other's. Bytes of others are checked whole
 * before the library sees them: damaged ones are an outcome, and no exception leaves this interface. Out of memory ends the process.
 *
 * A sketch is written in one form for all orders in which its values may have come, so that the same rows give the same bytes.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define SKETCH_NOEXCEPT noexcept
#else
#define SKETCH_NOEXCEPT
#endif

/* Outcomes beside 0. */
enum {
    SKETCH_DAMAGED = 1,      /* the bytes are no sketch of this family */
    SKETCH_OTHER_FAMILY = 2, /* they are, or begin as, one of another family */
};

/* Takes the bytes of a sketch, in one call or several; `to` is what the caller gave. */
typedef void SketchPut(void *to, const char *bytes, size_t size);

/* ---- HyperLogLog: how many different values, by 2^lg_k registers ---- */

enum { SKETCH_HLL_LG_K_LEAST = 4, SKETCH_HLL_LG_K_DEFAULT = 12, SKETCH_HLL_LG_K_MOST = 21 };

typedef struct SketchHll SketchHll;

/* lg_k within the bounds above. */
SketchHll *sketch_hll_new(int lg_k) SKETCH_NOEXCEPT;
/* Bytes of any writer of this family. 0 with a sketch for the caller to free, or SKETCH_DAMAGED. */
int sketch_hll_read(const char *bytes, size_t size, SketchHll **out) SKETCH_NOEXCEPT;
void sketch_hll_free(SketchHll *sketch) SKETCH_NOEXCEPT; /* NULL allowed */

/* Spark counts INT and BIGINT as one BIGINT, STRING by its UTF-8 bytes; no bytes at all are not counted. */
void sketch_hll_add_long(SketchHll *sketch, int64_t value) SKETCH_NOEXCEPT;
void sketch_hll_add_bytes(SketchHll *sketch, const char *bytes, size_t size) SKETCH_NOEXCEPT;
/* Take in all that `from` has seen, which stays as it is. The result has the smaller lg_k of the two. */
void sketch_hll_unite(SketchHll *sketch, const SketchHll *from) SKETCH_NOEXCEPT;

int sketch_hll_lg_k(const SketchHll *sketch) SKETCH_NOEXCEPT;
double sketch_hll_estimate(const SketchHll *sketch) SKETCH_NOEXCEPT;
/* As it is: where registers are in use, its estimate knows the order of the values that came one by one. */
void sketch_hll_write(const SketchHll *sketch, SketchPut *put, void *to) SKETCH_NOEXCEPT;
/* The one form for all orders; a sketch that was read and united with nothing but empty ones keeps its estimate. */
void sketch_hll_write_unordered(const SketchHll *sketch, SketchPut *put, void *to) SKETCH_NOEXCEPT;

/* ---- theta: which values, by the smallest of their hashes; for unions, intersections and differences ---- */

enum { SKETCH_THETA_LG_K_LEAST = 4, SKETCH_THETA_LG_K_DEFAULT = 12, SKETCH_THETA_LG_K_MOST = 26 };

typedef struct SketchTheta SketchTheta;

/* Keeps up to 2^lg_k hashes, lg_k within the bounds above. */
SketchTheta *sketch_theta_new(int lg_k) SKETCH_NOEXCEPT;
/* A compact sketch of version 3 or 4 (packed). 0 with a sketch for the caller to free, SKETCH_DAMAGED or SKETCH_OTHER_FAMILY. */
int sketch_theta_read(const char *bytes, size_t size, SketchTheta **out) SKETCH_NOEXCEPT;
/* Spark's class for such an outcome. */
static inline const char *sketch_theta_code(int outcome)
{
    return outcome == SKETCH_OTHER_FAMILY ? "THETA_INVALID_INPUT_SKETCH_BUFFER_FAMILY" : "THETA_INVALID_INPUT_SKETCH_BUFFER";
}
SketchTheta *sketch_theta_copy(const SketchTheta *sketch) SKETCH_NOEXCEPT;
void sketch_theta_free(SketchTheta *sketch) SKETCH_NOEXCEPT; /* NULL allowed */

/* Of one made by sketch_theta_new. INT counts as BIGINT, FLOAT as DOUBLE, -0.0 as 0.0, one NaN as the other; arrays by their bytes; no bytes are not counted. */
void sketch_theta_add_long(SketchTheta *sketch, int64_t value) SKETCH_NOEXCEPT;
void sketch_theta_add_double(SketchTheta *sketch, double value) SKETCH_NOEXCEPT;
void sketch_theta_add_bytes(SketchTheta *sketch, const char *bytes, size_t size) SKETCH_NOEXCEPT;

/* Take in all of `from`; of one made by sketch_theta_new, whose size the result has. */
void sketch_theta_unite(SketchTheta *sketch, const SketchTheta *from) SKETCH_NOEXCEPT;
/* Keep what `from` has too, or what it has not. */
void sketch_theta_intersect(SketchTheta *sketch, const SketchTheta *from) SKETCH_NOEXCEPT;
void sketch_theta_subtract(SketchTheta *sketch, const SketchTheta *from) SKETCH_NOEXCEPT;

double sketch_theta_estimate(const SketchTheta *sketch) SKETCH_NOEXCEPT;
/* Ordered, packed where that is shorter, as Spark does: the same for all orders of the values. */
void sketch_theta_write(const SketchTheta *sketch, SketchPut *put, void *to) SKETCH_NOEXCEPT;

/* The hashes below the next in order, each above 0, to `each`; *theta: all that are below it are here. False: it has seen no value. */
bool sketch_theta_hashes(const SketchTheta *sketch, uint64_t *theta, void (*each)(void *to, uint64_t hash), void *to) SKETCH_NOEXCEPT;

/* ---- tuple: a theta sketch with a number beside each hash, made of the numbers of all rows with that key ---- */

typedef enum SketchTupleKind { SKETCH_TUPLE_INTEGER, SKETCH_TUPLE_DOUBLE } SketchTupleKind;
/* How two numbers become one; in this order in the bytes. */
typedef enum SketchTupleMode { SKETCH_TUPLE_SUM, SKETCH_TUPLE_MIN, SKETCH_TUPLE_MAX, SKETCH_TUPLE_ALWAYS_ONE } SketchTupleMode;

typedef union SketchTupleValue {
    int32_t of_integer; /* a sum wraps around, as in Java */
    double of_double;
} SketchTupleValue;

typedef struct SketchTuple SketchTuple;

/* Keeps up to 2^lg_k hashes, lg_k within the bounds of a theta sketch. Mode: of values that are added, and of sketches that are united or intersected with it. */
SketchTuple *sketch_tuple_new(SketchTupleKind kind, SketchTupleMode mode, int lg_k) SKETCH_NOEXCEPT;
/* A compact sketch of version 3 with numbers of that kind; mode as above. 0 with a sketch for the caller to free, SKETCH_DAMAGED or SKETCH_OTHER_FAMILY. */
int sketch_tuple_read(SketchTupleKind kind, SketchTupleMode mode, const char *bytes, size_t size, SketchTuple **out) SKETCH_NOEXCEPT;
/* Spark's class for such an outcome. */
static inline const char *sketch_tuple_code(int outcome)
{
    return outcome == SKETCH_OTHER_FAMILY ? "TUPLE_INVALID_INPUT_SKETCH_BUFFER_FAMILY" : "TUPLE_INVALID_INPUT_SKETCH_BUFFER";
}
/* The hashes of a theta sketch, each beside what the mode begins with: 0, the greatest, the least, 1. */
SketchTuple *sketch_tuple_of_theta(SketchTupleKind kind, SketchTupleMode mode, const SketchTheta *theta) SKETCH_NOEXCEPT;
SketchTuple *sketch_tuple_copy(const SketchTuple *sketch) SKETCH_NOEXCEPT;
void sketch_tuple_free(SketchTuple *sketch) SKETCH_NOEXCEPT; /* NULL allowed */

/* Keys count as in a theta sketch. */
void sketch_tuple_add_long(SketchTuple *sketch, int64_t key, SketchTupleValue value) SKETCH_NOEXCEPT;
void sketch_tuple_add_double(SketchTuple *sketch, double key, SketchTupleValue value) SKETCH_NOEXCEPT;
void sketch_tuple_add_bytes(SketchTuple *sketch, const char *key, size_t size, SketchTupleValue value) SKETCH_NOEXCEPT;

/* Take in all of `from`, of the same kind; of one made by sketch_tuple_new, whose size the result has. */
void sketch_tuple_unite(SketchTuple *sketch, const SketchTuple *from) SKETCH_NOEXCEPT;
/* Keep what `from` has too, or what it has not. */
void sketch_tuple_intersect(SketchTuple *sketch, const SketchTuple *from) SKETCH_NOEXCEPT;
void sketch_tuple_subtract(SketchTuple *sketch, const SketchTuple *from) SKETCH_NOEXCEPT;

double sketch_tuple_estimate(const SketchTuple *sketch) SKETCH_NOEXCEPT;
double sketch_tuple_theta(const SketchTuple *sketch) SKETCH_NOEXCEPT; /* the share of all hashes that is looked at */
/* All numbers made one, those beside the smallest hashes first; 0 where there are none. SKETCH_TUPLE_ALWAYS_ONE: how many. By the kind of the sketch. */
int64_t sketch_tuple_summary_integer(const SketchTuple *sketch, SketchTupleMode mode) SKETCH_NOEXCEPT;
double sketch_tuple_summary_double(const SketchTuple *sketch, SketchTupleMode mode) SKETCH_NOEXCEPT;
/* In ascending order of hashes: the same for all orders of the rows, but for the last digits of sums of DOUBLE. */
void sketch_tuple_write(const SketchTuple *sketch, SketchPut *put, void *to) SKETCH_NOEXCEPT;

/* ---- KLL: which value stands at which rank, by a sample that halves as it grows ---- */

enum { SKETCH_KLL_K_LEAST = 8, SKETCH_KLL_K_DEFAULT = 200, SKETCH_KLL_K_MOST = 65535 };

typedef enum SketchKllKind { SKETCH_KLL_LONG, SKETCH_KLL_FLOAT, SKETCH_KLL_DOUBLE } SketchKllKind;

typedef union SketchKllValue {
    int64_t of_long;
    float of_float;
    double of_double;
} SketchKllValue;

typedef struct SketchKllSummary {
    int64_t values;    /* seen */
    int k, least_k, m; /* least_k: the accuracy, after a merge with a sketch of smaller k */
    int levels, capacity, retained;
    size_t bytes, bytes_unpacked; /* as it is written, and with the room that it has in memory */
    SketchKllValue least, greatest; /* where there are values */
} SketchKllSummary;

typedef struct SketchKll SketchKll;

/* k within the bounds above. */
SketchKll *sketch_kll_new(SketchKllKind kind, int k) SKETCH_NOEXCEPT;
/* 0 with a sketch for the caller to free, or SKETCH_DAMAGED: also for values that are not in order, as those of another kind are not. */
int sketch_kll_read(SketchKllKind kind, const char *bytes, size_t size, SketchKll **out) SKETCH_NOEXCEPT;
void sketch_kll_free(SketchKll *sketch) SKETCH_NOEXCEPT; /* NULL allowed */

void sketch_kll_add(SketchKll *sketch, SketchKllValue value) SKETCH_NOEXCEPT; /* NaN is left out */
/* Take in all of `from`, of the same kind, which stays as it is; k remains. 0, or SKETCH_DAMAGED: neither can be used any more. */
int sketch_kll_merge(SketchKll *sketch, const SketchKll *from) SKETCH_NOEXCEPT;

void sketch_kll_summary(const SketchKll *sketch, SketchKllSummary *out) SKETCH_NOEXCEPT;
/* Of a sketch with values: which of them is the last of this share of all, from 0 to 1; and which share is not above the value. */
SketchKllValue sketch_kll_quantile(const SketchKll *sketch, double share) SKETCH_NOEXCEPT;
double sketch_kll_rank(const SketchKll *sketch, SketchKllValue value) SKETCH_NOEXCEPT;
/* Up to k values are all there, in ascending order: then the bytes are the same for all orders in which they came. */
void sketch_kll_write(const SketchKll *sketch, SketchPut *put, void *to) SKETCH_NOEXCEPT;

#ifdef __cplusplus
}
#endif
