#pragma once
/* duck/print.h - values as Spark's CAST(... AS STRING) writes them */
#include "duck/chunk.h"
#include "duck/zone.h"

/*
 * One value that is not NULL (a NULL inside of a nested one prints as null). zone: for timestamps; NULL means UTC. Binary that is
 * not UTF-8 gets U+FFFD for each wrong byte.
 */
/* The text that Java makes of what Spark holds: dates, times and intervals by their numbers, [1,x] for arrays and structs, keys: [..], values: [..] for maps. */
void print_java_object(StrBuf *out, const Column *column, uint64_t row);
void value_print(StrBuf *out, const Column *column, uint64_t row, const Zone *zone);

void print_double(StrBuf *out, double value); /* as Java's Double.toString: shortest digits that read back, 1.0E10 */
void print_float(StrBuf *out, float value);
void print_decimal(StrBuf *out, __int128 unscaled, int scale);
void print_bytes(StrBuf *out, Str bytes); /* [61 0A] */
void print_date(StrBuf *out, int64_t days);
/* "2026-01-02 03:04:05.6": no zeros at the end of the fraction. */
void print_timestamp_ntz(StrBuf *out, int64_t local_us);
/* Unscaled values of a DECIMAL column of any physical width. */
__int128 decimal_value(const Column *column, uint64_t row);
void decimal_put(Column *column, uint64_t row, __int128 unscaled);
