/* source/arguments.c - what a reader in FROM is called with, as a path and options */
#include "source/arguments.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- collecting ---- */

/* Text of a literal argument, in arena: text as it is, numbers and booleans as they print. NULL if it is none. */
static const char *literal_text(Arena *arena, const Expr *expr)
{
    if (expr->kind != EXPR_LITERAL || !expr->type)
        return NULL;
    switch (expr->type->kind) {
    case TYPE_STRING:
        return arena_strndup(arena, expr->literal.ptr, expr->literal.size);
    case TYPE_BOOLEAN:
        return expr->literal_int ? "true" : "false";
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
        return arena_printf(arena, "%lld", (long long)expr->literal_int);
    case TYPE_DECIMAL:
    case TYPE_DOUBLE:
    case TYPE_FLOAT:
        return expr->text;
    default:
        return NULL;
    }
}

static int not_constant(const ArgumentsForm *form, SiltPos pos, SiltErr *err)
{
    if (form->has_path) {
        silt_fail_at(err, SILT_CONFIG, pos, "%s takes constants only", form->reader);
        return silt_hint(err, "Text, a number, true or false is expected here.");
    }
    silt_fail_at(err, SILT_CONFIG, pos, "%s takes named constants only", form->reader);
    return silt_hint(err, "Write name => value, with text, a number, true or false; a name with a dot stands in backticks: `a.b` => 1.");
}

static int add_option(SqlOption *options, Arguments *out, const SqlOption *option, SiltErr *err)
{
    if (arguments_find(out, option->key))
        return silt_fail_at(err, SILT_CONFIG, option->pos, "\"%s\" is given twice", option->key);
    options[out->count++] = *option;
    return 0;
}

static int add_argument(Arena *arena, const ArgumentsForm *form, const Expr *arg, SqlOption *options, Arguments *out, SiltErr *err)
{
    bool named = arg->kind == EXPR_NAMED_ARG;
    const Expr *value = named ? arg->args[0] : arg;
    const char *text = named || form->has_path ? literal_text(arena, value) : NULL;

    if (!text)
        return not_constant(form, form->has_path ? value->pos : arg->pos, err);
    if (!named || (form->has_path && strcasecmp(arg->text, "path") == 0)) {
        if (out->path)
            return silt_fail_at(err, SILT_CONFIG, value->pos, "%s takes one path; further arguments are named: name => value", form->reader);
        out->path = text;
        out->path_pos = value->pos;
        return 0;
    }
    size_t prefix = form->prefix ? strlen(form->prefix) : 0;
    const char *key = prefix && strncasecmp(arg->text, form->prefix, prefix) == 0 ? arg->text + prefix : arg->text;
    return add_option(options, out, &(SqlOption){.key = key, .value = text, .pos = arg->pos, .value_pos = value->pos}, err);
}

int arguments_read(Arena *arena, const Relation *relation, const ArgumentsForm *form, Arguments *out, SiltErr *err)
{
    int count = relation->kind == REL_FUNCTION ? relation->arg_count : 0;
    SqlOption *options = ARENA_ARRAY(arena, SqlOption, count + relation->option_count + 1);

    *out = (Arguments){.reader = form->reader, .options = options};
    for (int i = 0; i < count; i++)
        SILT_TRY(add_argument(arena, form, relation->args[i], options, out, err));
    for (int i = 0; i < relation->option_count; i++)
        SILT_TRY(add_option(options, out, &relation->options[i], err));
    return 0;
}

const SqlOption *arguments_find(const Arguments *arguments, const char *name)
{
    for (int i = 0; i < arguments->count; i++)
        if (strcasecmp(arguments->options[i].key, name) == 0)
            return &arguments->options[i];
    return NULL;
}

/* ---- setting ---- */

static bool sets_field(const OptionRow *row)
{
    return row && row->kind != OPTION_IGNORED && row->kind != OPTION_LATER;
}

/* An option that stands before this one and sets the same field; NULL: none. */
static const SqlOption *other_name(const Arguments *arguments, const SqlOption *option, const OptionTable *tables)
{
    void *field, *other;

    option_row(tables, option->key, &field);
    for (const SqlOption *earlier = arguments->options; earlier < option; earlier++)
        if (sets_field(option_row(tables, earlier->key, &other)) && other == field)
            return earlier;
    return NULL;
}

int arguments_set(const Arguments *arguments, const SqlOption *option, const OptionTable *tables, Io *io, Arena *arena, SiltErr *err)
{
    const OptionRow *row = option_row(tables, option->key, NULL);
    const SqlOption *other = sets_field(row) ? other_name(arguments, option, tables) : NULL;
    SqlOption given = *option;

    if (other)
        return silt_fail_at(err, SILT_CONFIG, option->pos, "\"%s\" and \"%s\" are two names of one option: give it once", other->key, option->key);
    if (row && row->kind == OPTION_SECRET)
        SILT_TRY(source_secret_expand(io, arena, option->value, option->value_pos, &given.value, err));
    return option_set(tables, arena, &given, arguments->reader, err);
}

void arguments_note_ignored(const Arguments *arguments, const OptionTable *tables, Source *source)
{
    for (int i = 0; i < arguments->count; i++) {
        const OptionRow *row = option_row(tables, arguments->options[i].key, NULL);
        if (!row || row->kind != OPTION_IGNORED)
            continue;
        const char *note = arena_printf(source->arena, "option \"%s\" of %s is without effect: %s", row->name, source->name, row->help);
        ARENA_PUSH(source->arena, source->notes, source->note_count, source->note_capacity, note);
    }
}

/* ---- secrets ---- */

/* What stands in the braces, without them. Into arena. */
static int secret_find(Io *io, Arena *arena, const char *place, SiltPos pos, Str *out, SiltErr *err)
{
    if (!strncmp(place, "env/", 4)) {
        const char *value = getenv(place + 4);
        if (!value) {
            silt_fail_at(err, SILT_CONFIG, pos, "there is no environment variable \"%s\"", place + 4);
            return silt_hint(err, "{{secrets/env/%s}} means the value of that variable, as it is when Silt is started.", place + 4);
        }
        *out = str_of(arena_strdup(arena, value));
        return 0;
    }
    if (strncmp(place, "file/", 5) != 0) {
        silt_fail_at(err, SILT_CONFIG, pos, "no secrets are kept in \"%s\"", place);
        return silt_hint(err, "{{secrets/env/NAME}} is the environment variable NAME, {{secrets/file/run/secrets/name}} what the file /run/secrets/name holds.");
    }
    const char *path = place[5] == '/' ? place + 5 : place + 4;
    int r = io_read(io, path, arena, out, err);
    if (r == IO_ABSENT)
        return silt_fail_at(err, SILT_CONFIG, pos, "there is no file \"%s\" with a secret", path);
    if (r < 0)
        return silt_place(err, pos);
    while (out->size && strchr("\r\n", out->ptr[out->size - 1]))
        out->size--;
    return 0;
}

int source_secret_expand(Io *io, Arena *arena, const char *text, SiltPos pos, const char **out, SiltErr *err)
{
    static const char open[] = "{{secrets/", close[] = "}}";
    silt_auto(str_buf_fini) StrBuf whole = {0};

    for (const char *from = text, *end;; from = end + strlen(close)) {
        const char *begin = strstr(from, open);
        Str content;

        end = begin ? strstr(begin, close) : NULL;
        if (!end) {
            str_buf_puts(&whole, from);
            break;
        }
        str_buf_add(&whole, from, (size_t)(begin - from));
        begin += strlen(open);
        SILT_TRY(secret_find(io, arena, arena_strndup(arena, begin, (size_t)(end - begin)), pos, &content, err));
        str_buf_str(&whole, content);
    }
    *out = arena_strdup(arena, str_buf_text(&whole));
    return 0;
}
