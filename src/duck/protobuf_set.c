/*
 * duck/protobuf_set.c - descriptor sets: what protoc writes, read once
 *
 * A set is itself a message (descriptor.proto), small and fixed, so that it is read by hand: numbers of fields are those of that file. Names of types are resolved when
 * all files are read.
 */
#include "duck/protobuf.h"

#include "duck/protobuf_wire.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { NESTED_MAX = 64 };

typedef struct Reader {
    Arena *arena;
    SiltErr *err;
    ProtoMessage **messages; /* all, nested ones too */
    int message_count, message_capacity;
    ProtoEnum **enums;
    int enum_count, enum_capacity;
    const ProtoMessage **tops;
    int top_count, top_capacity;
    const char **files, **imports;
    int file_count, file_capacity, import_count, import_capacity;
    bool proto3; /* the file that is read */
} Reader;

static int broken(Reader *r)
{
    silt_fail(r->err, SILT_CONFIG, "the bytes are no set of Protobuf descriptors");
    silt_hint(r->err, "It is what `protoc --include_imports --descriptor_set_out=FILE x.proto` writes.");
    return silt_code(r->err, "CANNOT_PARSE_PROTOBUF_DESCRIPTOR");
}

/* One field of a descriptor. */
typedef struct Item {
    uint32_t number;
    uint64_t value; /* of a number */
    Str bytes;
} Item;

/* 1: *out is the next one; 0: there is none; < 0. */
static int next_item(Reader *r, ProtoCursor *c, Item *out)
{
    ProtoWire wire;

    *out = (Item){0};
    if (c->p == c->stop)
        return 0;
    if (!wire_tag(c, &out->number, &wire))
        return broken(r);
    bool good = wire == WIRE_VARINT ? wire_varint(c, &out->value) : wire == WIRE_BYTES ? wire_bytes(c, &out->bytes) : proto_skip(c, out->number, wire, 0);
    return good ? 1 : broken(r);
}

static ProtoCursor cursor_of(Str bytes)
{
    const char *start = bytes.ptr ? bytes.ptr : ""; /* a field that should hold bytes, and does not */

    return (ProtoCursor){start, start + bytes.size};
}

static const char *text(Reader *r, Str bytes)
{
    return arena_strndup(r->arena, bytes.ptr ? bytes.ptr : "", bytes.size);
}

static const char *join(Reader *r, const char *scope, const char *name)
{
    return *scope ? arena_printf(r->arena, "%s.%s", scope, name) : name;
}

/* ---- enums ---- */

static int read_enum(Reader *r, Str bytes, const char *scope)
{
    ProtoCursor c = cursor_of(bytes);
    ProtoEnum *e = ARENA_NEW(r->arena, ProtoEnum);
    int name_capacity = 0, number_capacity = 0, number_count = 0, got;
    Item item, part;

    *e = (ProtoEnum){.name = "", .closed = !r->proto3};
    while ((got = next_item(r, &c, &item)) > 0) {
        if (item.number == 1)
            e->name = text(r, item.bytes);
        if (item.number != 2)
            continue;
        ProtoCursor value = cursor_of(item.bytes);
        const char *name = "";
        int32_t number = 0;
        while ((got = next_item(r, &value, &part)) > 0) {
            if (part.number == 1)
                name = text(r, part.bytes);
            else if (part.number == 2)
                number = (int32_t)part.value;
        }
        if (got < 0)
            return -1;
        ARENA_PUSH(r->arena, e->names, e->count, name_capacity, name);
        ARENA_PUSH(r->arena, e->numbers, number_count, number_capacity, number);
    }
    if (got < 0)
        return -1;
    if (!e->count)
        return broken(r);
    e->full_name = join(r, scope, e->name);
    ARENA_PUSH(r->arena, r->enums, r->enum_count, r->enum_capacity, e);
    return 0;
}

/* ---- messages ---- */

/* What only parts of the set say of a field. */
typedef struct FieldFacts {
    Str initial;
    bool has_initial, packed, packed_given;
} FieldFacts;

static int read_field(Reader *r, Str bytes, ProtoField *out, FieldFacts *facts)
{
    ProtoCursor c = cursor_of(bytes);
    Item item, part;
    int got, label = 1;

    *out = (ProtoField){.name = "", .oneof = -1};
    *facts = (FieldFacts){0};
    while ((got = next_item(r, &c, &item)) > 0) {
        if (item.number == 1)
            out->name = text(r, item.bytes);
        else if (item.number == 3)
            out->number = (int32_t)item.value;
        else if (item.number == 4)
            label = (int)item.value;
        else if (item.number == 5)
            out->kind = item.value <= PROTO_SINT64 ? (ProtoKind)item.value : 0;
        else if (item.number == 6)
            out->type_name = text(r, item.bytes);
        else if (item.number == 7)
            facts->initial = item.bytes, facts->has_initial = true;
        else if (item.number == 9)
            out->oneof = (int)(int32_t)item.value;
        if (item.number != 8)
            continue;
        ProtoCursor options = cursor_of(item.bytes);
        while ((got = next_item(r, &options, &part)) > 0)
            if (part.number == 2)
                facts->packed = part.value != 0, facts->packed_given = true;
        if (got < 0)
            return -1;
    }
    if (got < 0)
        return -1;
    if (out->number <= 0 || label < 1 || label > 3 || out->oneof < -1)
        return broken(r);
    out->repeated = label == 3;
    out->required = label == 2;
    return 0;
}

static bool is_message(ProtoKind kind)
{
    return kind == PROTO_MESSAGE || kind == PROTO_GROUP;
}

/* Bytes as C writes them. */
static Str unescape(Arena *arena, Str text)
{
    char *out = arena_alloc(arena, text.size + 1);
    size_t size = 0;

    for (size_t i = 0; i < text.size; i++) {
        static const char letters[] = "abfnrtv", means[] = "\a\b\f\n\r\t\v";
        char ch = text.ptr[i];
        if (ch != '\\' || i + 1 == text.size) {
            out[size++] = ch;
            continue;
        }
        ch = text.ptr[++i];
        const char *letter = ch ? strchr(letters, ch) : NULL;
        int number = 0, digits = 0;
        while (digits < 3 && i < text.size && text.ptr[i] >= '0' && text.ptr[i] <= '7') {
            number = number * 8 + text.ptr[i++] - '0';
            digits++;
        }
        i -= digits > 0;
        out[size++] = digits ? (char)number : letter ? means[letter - letters] : ch;
    }
    return (Str){out, size};
}

static uint64_t bits_of(ProtoKind kind, const char *text)
{
    double wide = strtod(text, NULL);
    float narrow = strtof(text, NULL);
    uint64_t bits = 0;

    if (kind == PROTO_FLOAT)
        memcpy(&bits, &narrow, sizeof narrow);
    else
        memcpy(&bits, &wide, sizeof wide);
    return bits;
}

/* The value of a field that is not set; types are resolved. False: the default is none. */
static bool take_initial(Reader *r, ProtoField *f, const FieldFacts *facts)
{
    const char *given = facts->has_initial ? text(r, facts->initial) : NULL;

    f->has_default = given != NULL;
    switch (f->kind) {
    case PROTO_STRING:
        f->initial.bytes = given ? str_of(given) : STR("");
        return true;
    case PROTO_BYTES:
        f->initial.bytes = given ? unescape(r->arena, str_of(given)) : STR("");
        return true;
    case PROTO_ENUM:
        f->initial.number = (uint64_t)(int64_t)f->symbols->numbers[0];
        for (int i = 0; given && i < f->symbols->count; i++)
            if (!strcmp(f->symbols->names[i], given)) {
                f->initial.number = (uint64_t)(int64_t)f->symbols->numbers[i];
                return true;
            }
        return !given;
    case PROTO_BOOL:
        f->initial.number = given && !strcmp(given, "true");
        return true;
    case PROTO_FLOAT:
    case PROTO_DOUBLE:
        f->initial.number = given ? bits_of(f->kind, given) : 0;
        return true;
    case PROTO_UINT64:
    case PROTO_FIXED64:
        f->initial.number = given ? strtoull(given, NULL, 10) : 0;
        return true;
    case PROTO_MESSAGE:
    case PROTO_GROUP:
        return true;
    default:
        f->initial.number = given ? (uint64_t)strtoll(given, NULL, 10) : 0;
        return true;
    }
}

/* A field whose type is settled later: its facts are kept beside it. */
typedef struct PendingMessage {
    FieldFacts *facts;
    bool proto3;
} PendingMessage;

static int read_message(Reader *r, Str bytes, const char *scope, int depth, const ProtoMessage **out)
{
    ProtoMessage *m = ARENA_NEW(r->arena, ProtoMessage);
    PendingMessage *pending = ARENA_NEW(r->arena, PendingMessage);
    ProtoCursor c = cursor_of(bytes);
    int field_capacity = 0, facts_capacity = 0, facts_count = 0, got;
    FieldFacts facts;
    ProtoField field;
    Item item, part;

    if (depth > NESTED_MAX)
        return broken(r);
    *m = (ProtoMessage){.name = ""};
    *pending = (PendingMessage){.proto3 = r->proto3};
    while ((got = next_item(r, &c, &item)) > 0) /* the name first: it is in those of what is nested */
        if (item.number == 1)
            m->name = text(r, item.bytes);
    if (got < 0)
        return -1;
    m->full_name = join(r, scope, m->name);
    ARENA_PUSH(r->arena, r->messages, r->message_count, r->message_capacity, m);
    for (c = cursor_of(bytes); (got = next_item(r, &c, &item)) > 0;) {
        if (item.number == 2) {
            SILT_TRY(read_field(r, item.bytes, &field, &facts));
            ARENA_PUSH(r->arena, m->fields, m->count, field_capacity, field);
            ARENA_PUSH(r->arena, pending->facts, facts_count, facts_capacity, facts);
        } else if (item.number == 3) {
            SILT_TRY(read_message(r, item.bytes, m->full_name, depth + 1, NULL));
        } else if (item.number == 4) {
            SILT_TRY(read_enum(r, item.bytes, m->full_name));
        } else if (item.number == 7) {
            ProtoCursor options = cursor_of(item.bytes);
            while ((got = next_item(r, &options, &part)) > 0)
                if (part.number == 7)
                    m->is_entry = part.value != 0;
            if (got < 0)
                return -1;
        }
    }
    if (got < 0)
        return -1;
    m->by_number = (const int *)pending; /* until link_message */
    if (out)
        *out = m;
    return 0;
}

/* ---- files ---- */

static int read_file(Reader *r, Str bytes)
{
    ProtoCursor c = cursor_of(bytes);
    const char *name = "", *package = "", *syntax = "proto2";
    const ProtoMessage *top;
    Item item;
    int got;

    while ((got = next_item(r, &c, &item)) > 0) {
        if (item.number == 1)
            name = text(r, item.bytes);
        else if (item.number == 2)
            package = text(r, item.bytes);
        else if (item.number == 12)
            syntax = text(r, item.bytes);
        else if (item.number == 3)
            ARENA_PUSH(r->arena, r->imports, r->import_count, r->import_capacity, text(r, item.bytes));
    }
    if (got < 0)
        return -1;
    if (!strcmp(syntax, "editions"))
        return silt_fail(r->err, SILT_CONFIG, "\"%s\" is written in an edition of Protobuf, which cannot be read yet: proto2 and proto3 are", name);
    if (strcmp(syntax, "proto2") != 0 && strcmp(syntax, "proto3") != 0)
        return broken(r);
    r->proto3 = !strcmp(syntax, "proto3");
    ARENA_PUSH(r->arena, r->files, r->file_count, r->file_capacity, name);
    for (c = cursor_of(bytes); (got = next_item(r, &c, &item)) > 0;) {
        if (item.number == 5)
            SILT_TRY(read_enum(r, item.bytes, package));
        if (item.number != 4)
            continue;
        SILT_TRY(read_message(r, item.bytes, package, 0, &top));
        ARENA_PUSH(r->arena, r->tops, r->top_count, r->top_capacity, top);
    }
    return got;
}

static int check_imports(Reader *r)
{
    for (int i = 0; i < r->import_count; i++) {
        bool found = false;
        for (int k = 0; k < r->file_count && !found; k++)
            found = !strcmp(r->files[k], r->imports[i]);
        if (found)
            continue;
        silt_fail(r->err, SILT_CONFIG, "the descriptors lack \"%s\", which one of their files imports", r->imports[i]);
        silt_hint(r->err, "`protoc --include_imports` puts it in.");
        return silt_code(r->err, "PROTOBUF_DEPENDENCY_NOT_FOUND");
    }
    return 0;
}

/* ---- names of types ---- */

static int compare_messages(const void *a, const void *b)
{
    return strcmp((*(const ProtoMessage *const *)a)->full_name, (*(const ProtoMessage *const *)b)->full_name);
}

static int compare_enums(const void *a, const void *b)
{
    return strcmp((*(const ProtoEnum *const *)a)->full_name, (*(const ProtoEnum *const *)b)->full_name);
}

static bool link_type(const Reader *r, ProtoField *f)
{
    const char *name = f->type_name && *f->type_name == '.' ? f->type_name + 1 : f->type_name;
    ProtoMessage message = {.full_name = name}, *message_key = &message, **messages = NULL;
    ProtoEnum symbols = {.full_name = name}, *enum_key = &symbols, **enums = NULL;

    if (!name)
        return f->kind && f->kind != PROTO_ENUM && !is_message(f->kind);
    if (r->message_count && f->kind != PROTO_ENUM)
        messages = bsearch(&message_key, r->messages, (size_t)r->message_count, sizeof *r->messages, compare_messages);
    if (r->enum_count && !is_message(f->kind))
        enums = bsearch(&enum_key, r->enums, (size_t)r->enum_count, sizeof *r->enums, compare_enums);
    f->message = messages ? *messages : NULL;
    f->symbols = !messages && enums ? *enums : NULL;
    if (!f->kind)
        f->kind = f->message ? PROTO_MESSAGE : PROTO_ENUM;
    return is_message(f->kind) ? f->message != NULL : f->kind == PROTO_ENUM && f->symbols != NULL;
}

static _Thread_local const ProtoField *sorted_fields;

static int compare_numbers(const void *a, const void *b)
{
    int32_t x = sorted_fields[*(const int *)a].number, y = sorted_fields[*(const int *)b].number;

    return x < y ? -1 : x > y;
}

static int link_message(Reader *r, ProtoMessage *m)
{
    const PendingMessage *pending = (const PendingMessage *)m->by_number;
    int *by_number = ARENA_ARRAY(r->arena, int, m->count + 1);

    for (int i = 0; i < m->count; i++) {
        ProtoField *f = &m->fields[i];
        const FieldFacts *facts = &pending->facts[i];
        by_number[i] = i;
        if (!link_type(r, f)) {
            silt_fail(r->err, SILT_CONFIG, "the descriptors lack the type \"%s\" of field \"%s\" of message \"%s\"", f->type_name ? f->type_name : "", f->name, m->full_name);
            return silt_code(r->err, "CANNOT_PARSE_PROTOBUF_DESCRIPTOR");
        }
        bool packable = f->repeated && f->kind != PROTO_STRING && f->kind != PROTO_BYTES && !is_message(f->kind);
        f->packed = packable && (facts->packed_given ? facts->packed : pending->proto3);
        f->presence = !f->repeated && (!pending->proto3 || f->oneof >= 0 || is_message(f->kind));
        f->strict_text = pending->proto3;
        if (!take_initial(r, f, facts))
            return broken(r);
    }
    sorted_fields = m->fields;
    if (m->count)
        qsort(by_number, (size_t)m->count, sizeof *by_number, compare_numbers);
    for (int i = 1; i < m->count; i++)
        if (m->fields[by_number[i]].number == m->fields[by_number[i - 1]].number)
            return broken(r);
    m->by_number = by_number;
    if (m->is_entry && (m->count != 2 || strcmp(m->fields[0].name, "key") != 0 || strcmp(m->fields[1].name, "value") != 0 || is_message(m->fields[0].kind) || m->fields[0].repeated ||
                        m->fields[1].repeated))
        return broken(r);
    return 0;
}

static int read_set(Reader *r, Str bytes)
{
    ProtoCursor c = cursor_of(bytes);
    Item item;
    int got;

    while ((got = next_item(r, &c, &item)) > 0)
        if (item.number == 1)
            SILT_TRY(read_file(r, item.bytes));
    if (got < 0)
        return -1;
    if (!r->file_count)
        return broken(r);
    SILT_TRY(check_imports(r));
    if (r->message_count)
        qsort(r->messages, (size_t)r->message_count, sizeof *r->messages, compare_messages);
    if (r->enum_count)
        qsort(r->enums, (size_t)r->enum_count, sizeof *r->enums, compare_enums);
    for (int i = 0; i < r->message_count; i++)
        SILT_TRY(link_message(r, r->messages[i]));
    return 0;
}

int proto_set_read(Arena *arena, Str bytes, ProtoSet *out, SiltErr *err)
{
    Reader reader = {.arena = arena, .err = err};

    SILT_TRY(read_set(&reader, bytes));
    *out = (ProtoSet){.tops = reader.tops, .top_count = reader.top_count};
    return 0;
}

/* ---- sets of the process ---- */

typedef struct Known {
    ProtoSet set;
    Str bytes;
    struct Known *next;
} Known;

static pthread_mutex_t known_lock = PTHREAD_MUTEX_INITIALIZER;
static Known *known; /* never freed: plans are used until the end */

static int open_locked(Str bytes, const ProtoSet **out, SiltErr *err)
{
    for (const Known *k = known; k; k = k->next)
        if (k->bytes.size == bytes.size && !memcmp(k->bytes.ptr, bytes.ptr, bytes.size)) {
            *out = &k->set;
            return 0;
        }
    Arena *arena = arena_new();
    Known *k = ARENA_NEW(arena, Known);
    if (proto_set_read(arena, bytes, &k->set, err) < 0) {
        arena_free(arena);
        return -1;
    }
    k->set.number = known ? known->set.number + 1 : 1;
    k->bytes = arena_str(arena, bytes);
    k->next = known;
    known = k;
    *out = &k->set;
    return 0;
}

int proto_set_open(Str bytes, const ProtoSet **out, SiltErr *err)
{
    pthread_mutex_lock(&known_lock);
    int r = open_locked(bytes, out, err);
    pthread_mutex_unlock(&known_lock);
    return r;
}

const ProtoSet *proto_set_of_number(int number)
{
    pthread_mutex_lock(&known_lock);
    const Known *k = known;
    while (k && k->set.number != number)
        k = k->next;
    pthread_mutex_unlock(&known_lock);
    return k ? &k->set : NULL;
}

const ProtoMessage *proto_set_find(const ProtoSet *set, const char *name)
{
    for (int i = 0; i < set->top_count; i++)
        if (!strcmp(set->tops[i]->name, name) || !strcmp(set->tops[i]->full_name, name))
            return set->tops[i];
    return NULL;
}

const ProtoField *proto_field(const ProtoMessage *message, int32_t number)
{
    int low = 0, high = message->count;

    if (number >= 1 && number <= message->count && message->fields[number - 1].number == number) /* as most are */
        return &message->fields[number - 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        const ProtoField *field = &message->fields[message->by_number[middle]];
        if (field->number == number)
            return field;
        if (field->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
