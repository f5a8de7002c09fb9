#pragma once
/* duck/column_put.h - values into a column that is being built, in a few instructions */
#include "duck/chunk.h"

#include <string.h>

enum { CHUNK_TEXT_SLACK = 16 };

/* Rows are valid, unless they were made NULL. */
static inline void column_set_valid(Column *column, uint64_t row)
{
    if (column->validity)
        column->validity[row >> 6] |= UINT64_C(1) << (row & 63);
}

/* A whole number into a row of a BYTE, SHORT, INT or BIGINT. False: it does not fit, and the row holds no value that counts. */
static inline bool column_set_whole(Column *column, uint64_t row, __int128 value)
{
    switch (column->type->kind) {
    case TYPE_BYTE:
        ((int8_t *)column->data)[row] = (int8_t)value;
        return value == (int8_t)value;
    case TYPE_SHORT:
        ((int16_t *)column->data)[row] = (int16_t)value;
        return value == (int16_t)value;
    case TYPE_INT:
        ((int32_t *)column->data)[row] = (int32_t)value;
        return value == (int32_t)value;
    default:
        ((int64_t *)column->data)[row] = (int64_t)value;
        return value == (int64_t)value;
    }
}

/* column_set_string for text behind which CHUNK_TEXT_SLACK bytes can be read, whatever they hold: it is copied by 16 bytes, without a call. */
static inline void column_set_text(Column *column, uint64_t row, const char *ptr, size_t size)
{
    static const char kept[24] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}; /* from kept + 12 - size on: the bytes of a short text */
    ChunkString *slot = (ChunkString *)column->data + row;
    if (size <= sizeof slot->near.bytes) {
        struct {
            uint32_t size, first;
            uint64_t rest;
        } text = {.size = (uint32_t)size};
        uint32_t first;
        uint64_t rest;
        memcpy(&text.first, ptr, 4);
        memcpy(&text.rest, ptr + 4, 8);
        memcpy(&first, kept + 12 - size, 4);
        memcpy(&rest, kept + 16 - size, 8);
        text.first &= first;
        text.rest &= rest;
        memcpy(slot, &text, sizeof text);
    } else if (size + CHUNK_TEXT_SLACK <= column->room_left) {
        for (size_t i = 0; i < size; i += 16)
            memcpy(column->room + i, ptr + i, 16);
        slot->far.size = (uint32_t)size;
        memcpy(slot->far.prefix, ptr, sizeof slot->far.prefix);
        slot->far.ptr = column->room;
        column->room += size;
        column->room_left -= size;
    } else {
        column_set_string(column, row, ptr, size);
    }
}
