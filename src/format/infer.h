#pragma once
/*
 * format/infer.h - what values of a sample say about a schema
 *
 * A shape collects the kinds of values seen at one place; the type comes from the set of kinds, so the order in which
 * records, blocks and files were seen does not matter, and shapes of several threads can be merged.
 *
 *   N1  merge is commutative and associative; inferring A then B equals inferring B then A.
 *   N2  Every value of the sample can be held exactly by the inferred type, or is rescued when decoded (whole numbers beyond
 *       2^53 beside fractions).
 */
#include "duck/type.h"
#include "format/format.h"

typedef struct Shape Shape;

typedef enum ShapeKind {
    SHAPE_BOOLEAN = 1 << 0,
    SHAPE_INTEGER = 1 << 1,  /* fits int64 */
    SHAPE_BIG = 1 << 2,      /* whole number beyond int64, up to 38 digits */
    SHAPE_FRACTION = 1 << 3, /* fraction or exponent */
    SHAPE_STRING = 1 << 4,
    SHAPE_OBJECT = 1 << 5,
    SHAPE_ARRAY = 1 << 6,
    SHAPE_DATE = 1 << 7,      /* text that is a date (CSV) */
    SHAPE_TIMESTAMP = 1 << 8, /* text that is a timestamp (CSV, inferTimestamp) */
    SHAPE_NULL = 1 << 9,
} ShapeKind;

struct Shape {
    unsigned kinds;
    int whole_digits, scale; /* greatest seen of numbers without an exponent, for decimals */
    bool exponent;           /* a number with one was seen: of no use as a decimal */
    int64_t seen;            /* values, NULLs too */
    /* OBJECT */
    const char **names; /* in order of first appearance */
    uint32_t *name_sizes;
    int guess;          /* where the next name is probably found */
    Shape **members;
    int member_count, member_capacity;
    int *slots; /* hash of names; built when there are many members */
    int slot_count;
    Shape *element; /* ARRAY */
};

struct FormatInference {
    Arena *arena;
    Shape root;            /* of the records: an OBJECT */
    int64_t records;
    int64_t records_left;  /* infer() stops here: the sample is bounded; start with INT64_MAX for no bound */
    int member_total;      /* over all shapes; stops growing at SHAPE_MEMBERS_MAX */
};

enum { SHAPE_MEMBERS_MAX = 20000 };

FormatInference *inference_new(void);
void inference_free(FormatInference *inference); /* NULL allowed */
void inference_merge(FormatInference *into, const FormatInference *from);

/* For formats: note a value. Text of a number as it stood. */
void shape_note(Shape *shape, ShapeKind kind);
void shape_note_number(Shape *shape, Str text, bool integral);
void shape_note_text(Shape *shape, Str text, const FormatOptions *options, bool csv);
/* The member's shape, made when new; NULL when there are too many. */
Shape *shape_member(FormatInference *inference, Shape *object, Str name);
Shape *shape_element(FormatInference *inference, Shape *array);

/* As JSON text: a value's shape noted from its text (checked JSON); used for unknown fields. */
void shape_note_json(FormatInference *inference, Shape *shape, Str json, const FormatOptions *options);

/*
 * The schema: a STRUCT in arena. sorted: fields by name (JSON), else in order of appearance (CSV). Names that differ by case only are one
 * field, spelled as most records have it. Places without a type (only NULLs) are STRING at the top and left out below.
 */
const Type *inference_schema(const FormatInference *inference, const FormatOptions *options, Arena *arena, bool sorted);

/*
 * known, and what inference has that known lacks, nested too. wider: what becomes of a number's type where inference has met other numbers; each kind
 * of them counts by itself, so that a text among them is no matter. NULL: existing types stay as they are. Returns known itself when
 * there is nothing new. sorted decides where new fields go: behind the known ones, by name or as met.
 */
const Type *schema_widen(const Type *known, const FormatInference *inference, const FormatOptions *options, FormatWider wider, Arena *arena, bool sorted);

/* Put the types of hints (a STRUCT, nested allowed) over those of schema; hinted fields that are not there are added. */
const Type *schema_apply_hints(const Type *schema, const Type *hints, Arena *arena);
/*
 * The same for one place: path is names from the top; "element" leads into an ARRAY, "key" and "value" into a MAP. NULL when the path goes
 * through a type that has no parts.
 */
const Type *schema_apply_hint(const Type *schema, const Str *path, int depth, const Type *hint, Arena *arena);
/*
 * known, and the fields of `more` (a STRUCT) that it lacks, nested too, behind its own; types of fields that both have stay known's, or become what
 * wider says of them (NULL: they stay). Names are compared without case. known itself when there is nothing new.
 */
const Type *schema_add(const Type *known, const Type *more, FormatWider wider, Arena *arena);
