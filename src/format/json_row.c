/*
 * format/json_row.c - a JSON object into one row of columns
 *
 * One walk over the tokens of a record: a member's name finds its field (usually the one after the last), the field's type
 * says what is read there. There is no tree in between. Spark's rules (JacksonParser): a field is looked up by its exact
 * name, the last of equal names wins, a text field takes any value as it stands, a number is not taken from text (but for decimals
 * and NaN), an array or map with one element that does not fit does not fit as a whole, a struct keeps the fields that do.
 *
 *   D1  A value that does not fit leaves NULL, is counted once, and is rescued whole with its exact text.
 *   D2  A record that turns out bad leaves no trace: its row is written again by the next one. What it put into the
 *       children of lists stays there, pointed at by nobody.
 */
#include "format/json_row.h"

#include "duck/column_put.h"
#include "format/json_quick.h"

#include <string.h>
#include <strings.h>

static int put_container(JsonRow *self, JsonPlace *node, uint64_t row);

/* A value for which there is no quick way. */
static inline int put_any(JsonRow *self, JsonPlace *node, uint64_t row)
{
    return node->children ? put_container(self, node, row) : json_scalar_put(&self->scalars, self->walk, node, row);
}

/* An element of a list. */
static int put_value(JsonRow *self, JsonPlace *node, uint64_t row)
{
    JsonWalk *w = self->walk;
    const uint32_t *index = w->index + w->at;
    if (!json_quick_put(&self->scalars, w, node, w->text + index[0], index[1] - index[0], row))
        return put_any(self, node, row);
    w->at++;
    return JSON_FITS;
}

/* ---- what does not fit ---- */

static void rescue_here(JsonRow *self, Str name, Str raw)
{
    if (!self->rescue_wanted || self->list_depth > 0)
        return;
    self->path[self->depth] = name;
    rescue_put(&self->rescue, self->path, self->depth + 1, raw);
}

/* The shape of a place of the schema in self->unknown; NULL below maps, whose values are not widened, and when there are too many. */
static Shape *node_shape(JsonRow *self, JsonPlace *node)
{
    if (!node->shape) {
        Shape *outer = node->parent && node->parent->kind != TYPE_MAP ? node_shape(self, node->parent) : NULL;
        if (!node->parent)
            node->shape = &self->unknown->root;
        else if (outer)
            node->shape = node->parent->kind == TYPE_ARRAY ? shape_element(self->unknown, outer) : shape_member(self->unknown, outer, node->name);
    }
    return node->shape;
}

/* Step over the node's value from token `start` on and rescue it. */
static int give_up(JsonRow *self, JsonPlace *node, uint32_t start)
{
    JsonWalk *w = self->walk;
    Str raw;
    w->at = start;
    if (json_skip(w, &raw) < 0)
        return JSON_BAD;
    self->misfits++;
    self->list_unclean = true;
    rescue_here(self, node->name, raw);
    Shape *shape = self->unknown && self->widens && node->kind != TYPE_MAP ? node_shape(self, node) : NULL;
    if (shape) {
        shape_note_json(self->unknown, shape, raw, self->options);
        self->has_unknown = true;
    }
    return JSON_FITS;
}

static int put_unknown(JsonRow *self, JsonPlace *node, Str name)
{
    JsonWalk *w = self->walk;
    Str raw;
    if (name.ptr == w->scratch.ptr) { /* which skipping uses */
        str_buf_clear(&self->name);
        str_buf_str(&self->name, name);
        name = str_buf_view(&self->name);
    }
    if (json_skip(w, &raw) < 0)
        return JSON_BAD;
    if (str_is(raw, "null"))
        return JSON_FITS; /* the same as not there */
    self->unknowns++;
    self->list_unclean = true;
    rescue_here(self, name, raw);
    Shape *shape = self->unknown ? node_shape(self, node) : NULL;
    Shape *member = shape ? shape_member(self->unknown, shape, name) : NULL;
    if (member) {
        shape_note_json(self->unknown, member, raw, self->options);
        self->has_unknown = true;
    }
    return JSON_FITS;
}

/* ---- containers ---- */

/* The member whose name is next, however it is written, with the cursor behind its colon. *out NULL: the schema has no such field. */
static int find_member(JsonRow *self, const JsonPlace *node, JsonPlace **out, Str *name)
{
    JsonWalk *w = self->walk;
    w->gaps = true;
    w->at++; /* the comma or bracket before it */
    SILT_TRY(json_walk_key(w, name));
    w->at++;
    if (json_char(w) != ':')
        return json_bad(w, "a colon was expected");
    w->at++;
    *out = json_place_find(node, *name);
    if (!*out && !self->options->case_sensitive)
        *out = json_place_find_in_any_case(node, *name);
    return 0;
}

/* The value at the cursor into a field. fresh: the object has not had it before. */
static int put_member(JsonRow *self, JsonPlace *field, bool fresh, uint64_t row)
{
    uint32_t start = self->walk->at;
    int r = put_any(self, field, row);
    if (r != JSON_MISFIT)
        return r;
    SILT_TRY(give_up(self, field, start));
    if (fresh)
        json_place_set_null(field, row); /* else the earlier value stays, as in Spark */
    return JSON_FITS;
}

static int put_object(JsonRow *self, JsonPlace *node, uint64_t row)
{
    JsonWalk *w = self->walk;
    const char *text = w->text;
    const uint32_t *index = w->index;
    uint32_t at = w->at; /* is kept in w only where others look */
    uint64_t stamp = ++self->stamp;
    int set = 0;
    JsonPlace **next = &node->first; /* a member is looked for where the last object had it */
    char c = text[index[at + 1]];
    if (c == '}') {
        w->gaps = true;
        at++;
    } else {
        do {
            JsonPlace *field = *next;
            const char *key = json_pass_blank(text + index[at] + 1);
            if (json_place_key_is(field, key, w->end)) {
                at += 3;
                w->gaps |= text + index[at] != json_pass_blank(key + field->key_size);
            } else {
                Str name;
                w->at = at;
                SILT_TRY(find_member(self, node, &field, &name));
                if (field)
                    *next = field;
                else
                    SILT_TRY(put_unknown(self, node, name));
                at = w->at;
            }
            if (field) {
                next = &field->next;
                if (field->needed && json_quick_put(&self->scalars, w, field, text + index[at], index[at + 1] - index[at], row)) {
                    at++;
                } else {
                    w->at = at;
                    SILT_TRY(field->needed ? put_member(self, field, field->stamp != stamp, row) : json_skip(w, NULL));
                    at = w->at;
                }
                set += field->stamp != stamp;
                field->stamp = stamp;
            }
            c = text[index[at]];
        } while (c == ',');
    }
    w->at = at + 1;
    if (c != '}')
        return json_bad(w, "a comma or } was expected");
    for (int i = 0; set < node->child_count && i < node->child_count; i++)
        if (node->children[i].stamp != stamp)
            json_place_set_null(&node->children[i], row);
    return JSON_FITS;
}

/* A struct below the record: of a field it is a step of the path for rescued fields; in a list there is no path. */
static int put_struct(JsonRow *self, JsonPlace *node, uint64_t row)
{
    if (json_char(self->walk) != '{')
        return JSON_MISFIT;
    bool deep = self->list_depth > 0 || self->depth + 2 >= RESCUE_DEPTH_MAX; /* beyond, no path is kept */
    if (!deep)
        self->path[self->depth++] = node->name;
    self->list_depth += deep;
    column_set_valid(node->column, row);
    int r = put_object(self, node, row);
    self->walk->gaps |= self->walk->index[self->walk->at] != self->walk->index[self->walk->at - 1] + 1;
    self->list_depth -= deep;
    if (!deep)
        self->depth--;
    return r;
}

static int put_array(JsonRow *self, JsonPlace *node, uint64_t row)
{
    JsonWalk *w = self->walk;
    if (json_char(w) != '[')
        return JSON_MISFIT;
    w->gaps = true;
    JsonPlace *element = &node->children[0];
    uint64_t first = node->used;
    w->at++;
    if (json_char(w) == ']') {
        w->at++;
    } else {
        for (;;) {
            json_place_list_room(node);
            uint64_t at = node->used++;
            int r = put_value(self, element, at);
            if (r != JSON_FITS) {
                if (r == JSON_MISFIT)
                    json_place_set_null(element, at); /* nobody looks, but it must be readable */
                return r;
            }
            char c = json_char(w);
            w->at++;
            if (c == ']')
                break;
            if (c != ',')
                return json_bad(w, "a comma or ] was expected");
        }
    }
    column_set_valid(node->column, row);
    ((ChunkList *)node->column->data)[row] = (ChunkList){first, node->used - first};
    return JSON_FITS;
}

/* The row of the map's key column from first on that holds this key; used when there is none. */
static uint64_t find_key(const JsonPlace *node, uint64_t first, Str key)
{
    const ChunkString *keys = node->children[0].column->data;
    for (uint64_t i = first; i < node->used; i++)
        if (str_equal(chunk_string(&keys[i]), key))
            return i;
    return node->used;
}

static int put_map(JsonRow *self, JsonPlace *node, uint64_t row)
{
    JsonWalk *w = self->walk;
    if (json_char(w) != '{')
        return JSON_MISFIT;
    w->gaps = true;
    uint64_t first = node->used;
    w->at++;
    if (json_char(w) == '}') {
        w->at++;
    } else {
        for (;;) {
            Str key;
            if (json_walk_key(w, &key) < 0)
                return JSON_BAD;
            w->at++;
            if (json_char(w) != ':')
                return json_bad(w, "a colon was expected");
            json_place_list_room(node);
            uint64_t at = find_key(node, first, key); /* the last of equal keys wins */
            if (at == node->used) {
                column_set_string(node->children[0].column, at, key.ptr, key.size);
                column_set_valid(node->children[0].column, at);
                node->used++;
            }
            w->at++;
            int r = put_value(self, &node->children[1], at);
            if (r != JSON_FITS) {
                if (r == JSON_MISFIT)
                    json_place_set_null(&node->children[1], at);
                return r;
            }
            char c = json_char(w);
            w->at++;
            if (c == '}')
                break;
            if (c != ',')
                return json_bad(w, "a comma or } was expected");
        }
    }
    column_set_valid(node->column, row);
    ((ChunkList *)node->column->data)[row] = (ChunkList){first, node->used - first};
    return JSON_FITS;
}

/*
 * A list at a field: what is not taken inside of it cannot be named by a path, so the whole field's text is rescued, and the parts
 * that fit are kept.
 */
static int put_list(JsonRow *self, JsonPlace *node, uint64_t row)
{
    JsonWalk *w = self->walk;
    uint32_t start = w->at;
    bool outermost = self->list_depth == 0;
    if (outermost)
        self->list_unclean = false;
    self->list_depth++;
    int r = node->kind == TYPE_ARRAY ? put_array(self, node, row) : put_map(self, node, row);
    self->list_depth--;
    if (r == JSON_FITS && outermost && self->list_unclean && self->rescue_wanted) {
        uint32_t behind = w->at;
        Str raw;
        w->at = start;
        if (json_skip(w, &raw) < 0)
            return JSON_BAD;
        w->at = behind;
        rescue_here(self, node->name, raw);
    }
    return r;
}

static int put_container(JsonRow *self, JsonPlace *node, uint64_t row)
{
    JsonWalk *w = self->walk;
    if (json_char(w) == 'n') {
        SILT_TRY(json_walk_null(w));
        json_place_set_null(node, row);
        return JSON_FITS;
    }
    return node->kind == TYPE_STRUCT ? put_struct(self, node, row) : put_list(self, node, row);
}

/* singleVariantColumn: the schema is that column, and may have one for corrupt records. */
static int find_whole(JsonRow *self, const Type *schema, SiltErr *err)
{
    const char *name = self->options->single_variant_column, *corrupt = self->options->corrupt_record_column;
    bool good = true;
    for (int i = 0; name && i < schema->field_count; i++) {
        const TypeField *field = &schema->fields[i];
        if (strcasecmp(field->name, name) == 0 && field->type->kind == TYPE_VARIANT)
            self->whole = &self->root.children[i];
        else
            good = good && strcmp(field->name, corrupt) == 0 && field->type->kind == TYPE_STRING;
    }
    if (!name || (good && self->whole))
        return 0;
    silt_fail(err, SILT_CONFIG, "with singleVariantColumn => '%s' a schema is that column of type VARIANT, and at most %s STRING beside it", name, corrupt);
    silt_hint(err, "Leave the schema out. Parts of the column are taken in the query: %s:member::INT.", name);
    return silt_code(err, "INVALID_SINGLE_VARIANT_COLUMN");
}

int json_row_init(JsonRow *self, const FormatOptions *options, const FormatTarget *target, JsonWalk *walk, Arena *arena, SiltErr *err)
{
    self->options = options;
    self->walk = walk;
    SILT_TRY(json_place_init(&self->root, arena, target->schema, err));
    for (int i = 0; target->needed && i < self->root.child_count; i++)
        self->root.children[i].needed = target->needed[i];
    if (target->corrupt_column >= 0)
        self->root.children[target->corrupt_column].needed = false;
    SILT_TRY(find_whole(self, target->schema, err));
    if (self->whole) /* whether a record is one must not depend on who looks (F3) */
        self->whole->needed = true;
    self->rescue_wanted = target->rescued_column >= 0;
    SILT_TRY(json_scalars_init(&self->scalars, options, self->rescue_wanted, arena, err));
    if (target->collect_unknown)
        self->unknown = inference_new();
    self->widens = target->wider != NULL;
    return 0;
}

void json_row_fini(JsonRow *self)
{
    json_scalars_fini(&self->scalars);
    rescue_fini(&self->rescue);
    str_buf_fini(&self->name);
    inference_free(self->unknown);
}

void json_row_clear(JsonRow *self)
{
    self->misfits = self->unknowns = 0;
    self->depth = 0;
    self->list_depth = 0;
    self->list_unclean = false;
    if (self->rescue.any)
        rescue_clear(&self->rescue);
}

static int put_whole(JsonRow *self, uint64_t row)
{
    JsonWalk *w = self->walk;
    uint32_t start = w->at;
    int r = json_scalar_variant(&self->scalars, w, self->whole, row);
    if (r <= 0)
        return r;
    w->at = start;
    return json_bad(w, r == JSON_VARIANT_TWICE ? "an object that has a key twice, which a VARIANT cannot hold"
                                               : "half a surrogate pair, which a VARIANT cannot hold");
}

int json_row_put(JsonRow *self, uint64_t row)
{
    json_row_clear(self);
    if (self->whole)
        return put_whole(self, row);
    if (json_char(self->walk) != '{')
        return json_bad(self->walk, "a record that is no object");
    return put_object(self, &self->root, row);
}
