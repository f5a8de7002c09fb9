#pragma once
/* format/json_records.h - a block of JSON as records, one at a time (this folder only) */
#include "format/json_scan.h"
#include "format/json_walk.h"

/*
 * Lines: a record is a line that is not blank; a line that holds an array is as many records as it has elements, once the whole
 * line is known to be JSON. Multi-line: a record is a value at the top, or an element of an array at the top. With singleVariantColumn an array is a
 * value as any other. Given: a record is what the block says, one value; an array is none.
 */
typedef struct JsonRecords {
    const FormatOptions *options;
    JsonScanner *scanner;
    JsonTokens tokens; /* of the record, when it was tokenized leniently */
    JsonWalk walk;     /* at the value of the current record */

    Str text; /* the block, without a byte order mark */
    int64_t position; /* of text in the source */
    /* lineSep: where the block's own bytes end in it; the text is a copy in which it reads as a line feed (and blanks). Size 0: line feeds. */
    Str sep;
    const char *own;
    StrBuf copy;
    const FormatGiven *given; /* NULL: lines or multi-line */
    uint32_t given_count, given_next;
    bool by_record;   /* the scanner refused the block as a whole, or a record before was none to it: it is scanned record by record */
    bool rescan;      /* multi-line: the current record was left by the scan of the block, and is to be scanned alone */
    size_t next;      /* by_record, given: where the next record is looked for */

    Str record;     /* text of the current one, whole once it is done */
    const char *reason; /* of a bad one */
    const char *window_end; /* in the walk's text: tokens from here on are no part of the line; NULL: not yet looked for */
    bool split; /* arrays at the top are taken apart */
    uint32_t start; /* walk's token at which the value starts */
    bool in_array, lenient;
    /* lenient, and not by_record: the block's tokens and the first of the record, to come back to */
    const uint32_t *block_index;
    uint32_t block_count, block_at;
} JsonRecords;

enum { JSON_RECORD_END = 0, JSON_RECORD_VALUE = 1, JSON_RECORD_BAD = 2, JSON_RECORD_NULL = 3 /* given so */ };

void json_records_init(JsonRecords *r, const FormatOptions *options);
void json_records_fini(JsonRecords *r);
void json_records_begin(JsonRecords *r, const FormatBlock *block);
/* Step to the next record: VALUE with walk at it, BAD with record and reason set, NULL, or END. */
int json_records_next(JsonRecords *r);
/* The value was read (0) or found to be bad (-1). Settles record; true: it is whole and good; false: reason is set. */
bool json_records_done(JsonRecords *r, int result);
/* After a failure: has the record another reading (single quotes, comments)? Then walk is at it again. If not it is passed. */
bool json_records_retry(JsonRecords *r);

/* The current record as it stands in the file: of lines the whole line, with blanks around the value, without its line end. */
Str json_records_line(const JsonRecords *r);

/* Where the current record stands in the source. */
static inline int64_t json_records_position(const JsonRecords *r)
{
    return r->given ? r->given[r->given_next - 1].position : r->position + (r->record.ptr - r->text.ptr);
}

/* FormatOps.cut */
size_t json_cut(const FormatOptions *options, FormatCut *state, Str bytes, bool at_end, bool first);
