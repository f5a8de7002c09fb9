/*
 * duck/functions.c - functions in C made known to DuckDB, and their calls turned into ours
 *
 *   F1  What a call site knows (Bound) is shared by all copies that DuckDB makes of the expression, and dies with the last.
 *   F2  Argument vectors are flat, but children of structs need not be: nested arguments are copied flat before they are seen.
 */
#include "duck/functions.h"

#include "duck/internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGS_MAX = 64, COLUMNS_ON_STACK = 128 };

/* ---- the table of tables ---- */

/* One line each: the tables of fn_*.c. */
extern const DuckFunction fn_aes[];
extern const DuckFunction fn_arith[];
extern const DuckFunction fn_binary[];
extern const DuckFunction fn_bucket[];
extern const DuckFunction fn_bytes[];
extern const DuckFunction fn_cast[];
extern const DuckFunction fn_cast_print[];
extern const DuckFunction fn_collation[];
extern const DuckFunction fn_collection[];
extern const DuckFunction fn_count_min[];
extern const DuckFunction fn_avro[];
extern const DuckFunction fn_avro_registry[];
extern const DuckFunction fn_csv[];
extern const DuckFunction fn_datetime[];
extern const DuckFunction fn_decimal[];
extern const DuckFunction fn_file[];
extern const DuckFunction fn_format[];
extern const DuckFunction fn_from_json[];
extern const DuckFunction fn_hash[];
extern const DuckFunction fn_histogram[];
extern const DuckFunction fn_interval[];
extern const DuckFunction fn_json[];
extern const DuckFunction fn_json_path[];
extern const DuckFunction fn_numeric[];
extern const DuckFunction fn_percentile[];
extern const DuckFunction fn_protobuf[];
extern const DuckFunction fn_random[];
extern const DuckFunction fn_regex[];
extern const DuckFunction fn_schema[];
extern const DuckFunction fn_session[];
extern const DuckFunction fn_sketch[];
extern const DuckFunction fn_sketch_kll[];
extern const DuckFunction fn_sketch_tuple[];
extern const DuckFunction fn_sort_key[];
extern const DuckFunction fn_string[];
extern const DuckFunction fn_time[];
extern const DuckFunction fn_top_k[];
extern const DuckFunction fn_unshred[];
extern const DuckFunction fn_variant[];
extern const DuckFunction fn_variant_schema[];
extern const DuckFunction fn_vector[];
extern const DuckFunction fn_xml[];
extern const DuckFunction fn_xpath[];
extern const DuckFunction fn_weighted[];
static const DuckFunction *const function_tables[] = {
    fn_aes,
    fn_arith,
    fn_binary,
    fn_bucket,
    fn_bytes,
    fn_cast,
    fn_cast_print,
    fn_collation,
    fn_collection,
    fn_count_min,
    fn_avro,
    fn_avro_registry,
    fn_csv,
    fn_datetime,
    fn_decimal,
    fn_file,
    fn_format,
    fn_from_json,
    fn_hash,
    fn_histogram,
    fn_interval,
    fn_json,
    fn_json_path,
    fn_numeric,
    fn_percentile,
    fn_protobuf,
    fn_random,
    fn_regex,
    fn_schema,
    fn_session,
    fn_sketch,
    fn_sketch_kll,
    fn_sketch_tuple,
    fn_sort_key,
    fn_string,
    fn_time,
    fn_top_k,
    fn_unshred,
    fn_variant,
    fn_variant_schema,
    fn_vector,
    fn_xml,
    fn_xpath,
    fn_weighted,
};

extern const DuckAggregate agg_basic[];
extern const DuckAggregate agg_bitmap[];
extern const DuckAggregate agg_count_min[];
extern const DuckAggregate agg_decimal[];
extern const DuckAggregate agg_distinct[];
extern const DuckAggregate agg_histogram[];
extern const DuckAggregate agg_interval[];
extern const DuckAggregate agg_moments[];
extern const DuckAggregate agg_sketch_hll[];
extern const DuckAggregate agg_sketch_theta[];
extern const DuckAggregate agg_sketch_tuple[];
extern const DuckAggregate agg_top_k[];
extern const DuckAggregate agg_variant_schema[];
extern const DuckAggregate agg_vector[];
extern const DuckAggregate agg_weighted[];
static const DuckAggregate *const aggregate_tables[] = {
    agg_basic,    agg_bitmap,  agg_count_min,  agg_decimal,      agg_distinct,       agg_histogram, agg_interval,
    agg_moments,  agg_sketch_hll, agg_sketch_theta, agg_sketch_tuple, agg_top_k, agg_variant_schema, agg_vector, agg_weighted,
};

static const DuckFunction *find_function(Str name)
{
    for (size_t t = 0; t < sizeof function_tables / sizeof *function_tables; t++)
        for (const DuckFunction *f = function_tables[t]; f->name; f++)
            if (str_is(name, f->name))
                return f;
    return NULL;
}

/* Of the program that Silt is a part of. */
static const DuckFunction *find_extension(const DuckEngine *engine, Str name)
{
    int count;
    const DuckFunction *const *functions = duck__extension_functions(engine, &count);

    for (int i = 0; i < count; i++)
        if (str_is(name, functions[i]->name))
            return functions[i];
    return NULL;
}

static const DuckAggregate *find_aggregate(Str name)
{
    for (size_t t = 0; t < sizeof aggregate_tables / sizeof *aggregate_tables; t++)
        for (const DuckAggregate *a = aggregate_tables[t]; a->name; a++)
            if (str_is(name, a->name))
                return a;
    return NULL;
}

/* ---- argument lists ---- */

typedef struct ArgSpec {
    const Type *types[ARGS_MAX]; /* NULL: any */
    int count;
    bool varargs;
    const Type *vararg; /* NULL: any */
} ArgSpec;

static const Type *parse_spec_type(Arena *arena, Str text)
{
    const Type *type;
    SiltErr err;
    if (str_is(text, "any"))
        return NULL;
    int r = type_parse_ddl(arena, text, true, &type, &err);
    silt_assert(r == 0); /* our own table is wrong */
    return type;
}

static void parse_spec(Arena *arena, const char *text, ArgSpec *spec)
{
    *spec = (ArgSpec){0};
    int depth = 0;
    for (const char *start = text, *p = text; *text; p++) {
        depth += (*p == '<' || *p == '(') - (*p == '>' || *p == ')');
        if (*p && (*p != ',' || depth))
            continue;
        Str item = str_trim((Str){start, (size_t)(p - start)});
        if (str_ends(item, "...")) {
            spec->varargs = true;
            spec->vararg = parse_spec_type(arena, (Str){item.ptr, item.size - 3});
        } else {
            silt_assert(spec->count < ARGS_MAX);
            spec->types[spec->count++] = parse_spec_type(arena, item);
        }
        if (!*p)
            break;
        start = p + 1;
    }
}

static duckdb_logical_type logical_or_any(const Type *type)
{
    return type ? duck__logical_type(type) : duckdb_create_logical_type(DUCKDB_TYPE_ANY);
}

/* ---- what a function knows once it is registered ---- */

typedef struct Registered {
    DuckEngine *engine;
    const DuckFunction *function;
    const DuckAggregate *aggregate;
    Arena *arena;
    const Type *result;
    const Type *declared; /* of the first argument, when the name says so; else NULL */
} Registered;

static void registered_free(void *data)
{
    Registered *registered = data;
    arena_free(registered->arena);
    free(registered);
}

/* ---- call sites ---- */

typedef struct Bound {
    atomic_int refs;
    Arena *arena;
    FnCall call;
    duckdb_vector constants[ARGS_MAX];
    Column constant_columns[ARGS_MAX];
} Bound;

static void bound_unref(void *data)
{
    Bound *bound = data;
    if (atomic_fetch_sub(&bound->refs, 1) > 1)
        return;
    if (bound->call.function->release)
        bound->call.function->release(bound->call.data);
    for (int i = 0; i < bound->call.arg_count; i++)
        if (bound->constants[i])
            duckdb_destroy_vector(&bound->constants[i]);
    arena_free(bound->arena);
    free(bound);
}

static void *bound_ref(void *data)
{
    atomic_fetch_add(&((Bound *)data)->refs, 1);
    return data;
}

/* The argument's value as a column of one row, if it is a constant. */
static void bind_constant(Bound *bound, duckdb_client_context context, duckdb_expression expr, duckdb_logical_type logical, int index,
                          const Type *type)
{
    if (!duckdb_expression_is_foldable(expr))
        return;
    duckdb_value value = NULL;
    duckdb_error_data error = duckdb_expression_fold(context, expr, &value);
    if (!duckdb_error_data_has_error(error) && value) {
        bound->constants[index] = duckdb_create_vector(logical, 1);
        duckdb_vector_reference_value(bound->constants[index], value);
        Column *next = ARENA_ARRAY(bound->arena, Column, duck__column_count(type));
        duck__column_view(&bound->constant_columns[index], type, bound->constants[index], &next);
        if (duckdb_is_null_value(value)) /* a constant vector's mask is not always there */
            bound->constant_columns[index].validity = ARENA_NEW(bound->arena, uint64_t);
    }
    if (value)
        duckdb_destroy_value(&value);
    duckdb_destroy_error_data(&error);
}

static int bind_arguments(Bound *bound, duckdb_bind_info info, duckdb_client_context context, const Type *declared, SiltErr *err)
{
    int count = (int)duckdb_scalar_function_bind_get_argument_count(info);
    if (bound->call.function->flags & FN_FAILS)
        count--; /* pos */
    if (count > ARGS_MAX)
        return silt_fail(err, SILT_CONFIG, "%s takes at most %d arguments", bound->call.function->name, ARGS_MAX);
    const Type **types = ARENA_ARRAY(bound->arena, const Type *, count);
    for (int i = 0; i < count; i++) {
        duckdb_expression expr = duckdb_scalar_function_bind_get_argument(info, (idx_t)i);
        duckdb_logical_type logical = duckdb_expression_return_type(expr);
        const char *foreign = NULL;
        types[i] = duck__type_from_logical(bound->arena, logical, &foreign);
        if (i == 0 && types[i] && declared)
            types[i] = duck__type_fits(declared, types[i]) ? type_copy(bound->arena, declared) : NULL;
        if (types[i])
            bind_constant(bound, context, expr, logical, i, types[i]);
        duckdb_destroy_logical_type(&logical);
        duckdb_destroy_expression(&expr);
        if (!types[i] && !foreign)
            return silt_fail(err, SILT_CONFIG, "argument 1 of %s is of another type than its name says", bound->call.function->name);
        if (!types[i])
            return silt_fail(err, SILT_CONFIG, "argument %d of %s is of a type that Silt does not have: %s", i + 1,
                             bound->call.function->name, foreign);
    }
    bound->call.arg_types = types;
    bound->call.arg_count = count;
    bound->call.constants = bound->constant_columns;
    return 0;
}

static void scalar_bind(duckdb_bind_info info)
{
    const Registered *registered = duckdb_scalar_function_bind_get_extra_info(info);
    duckdb_client_context context;
    duckdb_scalar_function_get_client_context(info, &context);

    Bound *bound = silt_alloc(sizeof *bound);
    atomic_init(&bound->refs, 1);
    bound->arena = arena_new();
    bound->call = (FnCall){.function = registered->function, .result_type = registered->result, .arena = bound->arena};
    bound->call.session = duck__session_of(registered->engine, context);

    SiltErr err;
    int r =
        bound->call.session ? bind_arguments(bound, info, context, registered->declared, &err) : silt_fail(&err, SILT_CONFIG, "the connection has no session");
    if (r == 0 && registered->function->prepare)
        r = registered->function->prepare(&bound->call, &err);
    duckdb_destroy_client_context(&context);
    if (r < 0) {
        char text[DUCK_FAILURE_BYTES];
        duckdb_scalar_function_bind_set_error(info, duck__pack_failure(text, &err));
        bound_unref(bound);
        return;
    }
    duckdb_scalar_function_set_bind_data(info, bound, bound_unref);
    duckdb_scalar_function_set_bind_data_copy(info, bound_ref);
}

/* ---- calls ---- */

static bool is_nested(const Type *type)
{
    return type->kind >= TYPE_VARIANT;
}

/* Columns over the vectors of one call, with flat copies of nested ones (F2). */
typedef struct CallColumns {
    Column columns[COLUMNS_ON_STACK];
    Column *heap;
    duckdb_vector copies[ARGS_MAX];
    int copy_count;
} CallColumns;

static duckdb_vector flat_copy(CallColumns *cc, const Type *type, duckdb_vector vector, idx_t rows)
{
    duckdb_logical_type logical = duck__logical_type(type);
    duckdb_vector copy = duckdb_create_vector(logical, rows);
    duckdb_destroy_logical_type(&logical);
    duckdb_selection_vector all = duckdb_create_selection_vector(rows);
    sel_t *at = duckdb_selection_vector_get_data_ptr(all);
    for (idx_t i = 0; i < rows; i++)
        at[i] = (sel_t)i;
    duckdb_vector_copy_sel(vector, copy, all, rows, 0, 0);
    duckdb_destroy_selection_vector(all);
    cc->copies[cc->copy_count++] = copy;
    return copy;
}

static const Column *view_arguments(CallColumns *cc, const Type *const *types, int count, duckdb_data_chunk input, idx_t rows)
{
    int total = 0;
    for (int i = 0; i < count; i++)
        total += duck__column_count(types[i]);
    Column *columns = total <= COLUMNS_ON_STACK ? cc->columns : (cc->heap = silt_alloc((size_t)total * sizeof *columns));
    Column *next = columns + count;
    for (int i = 0; i < count; i++) {
        duckdb_vector vector = duckdb_data_chunk_get_vector(input, (idx_t)i);
        if (is_nested(types[i]))
            vector = flat_copy(cc, types[i], vector, rows);
        duck__column_view(&columns[i], types[i], vector, &next);
    }
    return columns;
}

static void call_columns_fini(CallColumns *cc)
{
    for (int i = 0; i < cc->copy_count; i++)
        duckdb_destroy_vector(&cc->copies[i]);
    free(cc->heap);
}

/* A NULL argument makes a NULL result: out's mask is the AND of theirs. */
static void combine_nulls(const Column *args, int count, Column *out, int rows)
{
    size_t words = (size_t)(rows + 63) / 64;
    for (int i = 0; i < count; i++) {
        if (!args[i].validity)
            continue;
        if (is_nested(out->type)) { /* children too */
            for (int row = 0; row < rows; row++)
                if (column_is_null(&args[i], (uint64_t)row))
                    column_set_null(out, (uint64_t)row);
            continue;
        }
        if (!out->validity) {
            duckdb_vector_ensure_validity_writable(out->vector);
            out->validity = duckdb_vector_get_validity(out->vector);
        }
        for (size_t w = 0; w < words; w++)
            out->validity[w] &= args[i].validity[w];
    }
}

static void scalar_call(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    const Bound *bound = duckdb_scalar_function_get_bind_data(info);
    FnCall call = bound->call;
    const DuckFunction *function = call.function;
    idx_t rows = duckdb_data_chunk_get_size(input);

    CallColumns cc;
    cc.heap = NULL;
    cc.copy_count = 0;
    const Column *args = view_arguments(&cc, call.arg_types, call.arg_count, input, rows);
    Column out_columns[COLUMNS_ON_STACK];
    int out_count = duck__column_count(call.result_type);
    Column *out = out_count <= COLUMNS_ON_STACK ? out_columns : silt_alloc((size_t)out_count * sizeof *out);
    Column *next = out + 1, pos;
    duck__column_view(out, call.result_type, output, &next);
    if (function->flags & FN_FAILS) {
        duck__column_view(&pos, type_simple(TYPE_LONG), duckdb_data_chunk_get_vector(input, (idx_t)call.arg_count), &next);
        call.pos = &pos;
    }
    if (!(function->flags & FN_NULLS))
        combine_nulls(args, call.arg_count, out, (int)rows);

    StrBuf scratch = {0};
    SiltErr err;
    call.scratch = &scratch;
    call.err = &err;
    if (function->eval(&call, args, out, (int)rows) < 0) {
        char text[DUCK_FAILURE_BYTES];
        duckdb_scalar_function_set_error(info, duck__pack_failure(text, &err));
    }
    str_buf_fini(&scratch);
    call_columns_fini(&cc);
    if (out != out_columns)
        free(out);
}

/* ---- failing ---- */

int fn_show_size(Str text)
{
    enum { SHOWN_MAX = 200 };
    if (text.size <= SHOWN_MAX)
        return (int)text.size;
    size_t size = SHOWN_MAX;
    while (size > 0 && ((unsigned char)text.ptr[size] & 0xC0) == 0x80)
        size--;
    return (int)size;
}

static int64_t packed_pos(const Column *pos, int row)
{
    return pos && !column_is_null(pos, (uint64_t)row) ? ((const int64_t *)pos->data)[row] : 0;
}

static void fail_at(SiltErr *err, int64_t packed, const char *code, const char *fmt, va_list args)
{
    char message[sizeof err->message];
    vsnprintf(message, sizeof message, fmt, args);
    silt_fail_at(err, SILT_INPUT, duck_pos_unpack(packed), "%s", message);
    silt_code(err, code);
}

int fn_fail(FnCall *call, int row, const char *code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fail_at(call->err, packed_pos(call->pos, row), code, fmt, args);
    va_end(args);
    return -1;
}

int fn_pass(FnCall *call, int row, const SiltErr *failure)
{
    *call->err = *failure;
    if (!failure->line)
        silt_place(call->err, duck_pos_unpack(packed_pos(call->pos, row)));
    return -1;
}

int64_t agg_pos(const AggCall *call, int row)
{
    return packed_pos(call->pos, row);
}

int agg_fail(AggCall *call, int64_t pos, const char *code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fail_at(call->err, pos, code, fmt, args);
    va_end(args);
    return -1;
}

/* ---- aggregates ---- */

static void aggregate_fail(duckdb_function_info info, const SiltErr *err)
{
    char text[DUCK_FAILURE_BYTES];
    duckdb_aggregate_function_set_error(info, duck__pack_failure(text, err));
}

static idx_t aggregate_size(duckdb_function_info info)
{
    const Registered *registered = duckdb_aggregate_function_get_extra_info(info);
    return sizeof(void *) + registered->aggregate->state_size;
}

/* DuckDB hands the destructor no extra information, so each state starts with its aggregate. */
static void *state_body(duckdb_aggregate_state state)
{
    return (char *)(void *)state + sizeof(void *);
}

static void aggregate_init(duckdb_function_info info, duckdb_aggregate_state state)
{
    const Registered *registered = duckdb_aggregate_function_get_extra_info(info);
    memcpy((void *)state, &(const void *){registered->aggregate}, sizeof(void *));
    memset(state_body(state), 0, registered->aggregate->state_size);
}

static void aggregate_destroy(duckdb_aggregate_state *states, idx_t count)
{
    for (idx_t i = 0; i < count; i++) {
        const DuckAggregate *aggregate;
        memcpy(&aggregate, (void *)states[i], sizeof aggregate);
        aggregate->destroy(state_body(states[i]));
    }
}

static bool any_null(const Column *args, int count, uint64_t row)
{
    for (int i = 0; i < count; i++)
        if (column_is_null(&args[i], row))
            return true;
    return false;
}

static void aggregate_update(duckdb_function_info info, duckdb_data_chunk input, duckdb_aggregate_state *states)
{
    const Registered *registered = duckdb_aggregate_function_get_extra_info(info);
    const DuckAggregate *aggregate = registered->aggregate;
    idx_t rows = duckdb_data_chunk_get_size(input);
    int count = (int)duckdb_data_chunk_get_column_count(input);
    bool fails = aggregate->flags & FN_FAILS;
    silt_assert(count <= ARGS_MAX);

    silt_auto(arena_freep) Arena *arena = arena_new();
    const Type *types[ARGS_MAX];
    SiltErr err;
    for (int i = 0; i < count; i++) {
        duckdb_logical_type logical = duckdb_vector_get_column_type(duckdb_data_chunk_get_vector(input, (idx_t)i));
        const char *foreign = NULL;
        types[i] = duck__type_from_logical(arena, logical, &foreign);
        duckdb_destroy_logical_type(&logical);
        if (!types[i]) {
            silt_fail(&err, SILT_CONFIG, "argument %d of %s is of a type that Silt does not have: %s", i + 1, aggregate->name, foreign);
            aggregate_fail(info, &err);
            return;
        }
    }
    CallColumns cc;
    cc.heap = NULL;
    cc.copy_count = 0;
    const Column *args = view_arguments(&cc, types, count, input, rows);
    int arg_count = count - fails;
    AggCall call = {.aggregate = aggregate, .pos = fails ? &args[arg_count] : NULL, .err = &err};
    for (idx_t row = 0; row < rows; row++) {
        if (!(aggregate->flags & FN_NULLS) && any_null(args, arg_count, row))
            continue;
        if (aggregate->update(&call, state_body(states[row]), args, (int)row) < 0) {
            aggregate_fail(info, &err);
            break;
        }
    }
    call_columns_fini(&cc);
}

static void aggregate_combine(duckdb_function_info info, duckdb_aggregate_state *source, duckdb_aggregate_state *target, idx_t count)
{
    const Registered *registered = duckdb_aggregate_function_get_extra_info(info);
    for (idx_t i = 0; i < count; i++)
        registered->aggregate->combine(state_body(target[i]), state_body(source[i]));
}

static void aggregate_finalize(duckdb_function_info info, duckdb_aggregate_state *source, duckdb_vector result, idx_t count, idx_t offset)
{
    const Registered *registered = duckdb_aggregate_function_get_extra_info(info);
    Column *columns = silt_alloc((size_t)duck__column_count(registered->result) * sizeof *columns);
    Column *next = columns + 1;
    duck__column_view(columns, registered->result, result, &next);
    SiltErr err;
    AggCall call = {.aggregate = registered->aggregate, .err = &err};
    for (idx_t i = 0; i < count; i++)
        if (registered->aggregate->finish(&call, state_body(source[i]), columns, offset + i) < 0) {
            aggregate_fail(info, &err);
            break;
        }
    free(columns);
}

/* ---- registering ---- */

static duckdb_state register_scalar(duckdb_connection connection, const char *name, Registered *registered)
{
    const DuckFunction *function = registered->function;
    ArgSpec spec;
    parse_spec(registered->arena, function->args, &spec);
    bool fails = function->flags & FN_FAILS;
    silt_assert(!(fails && spec.varargs && spec.vararg && spec.vararg->kind != TYPE_LONG)); /* pos comes last: varargs must be any */

    duckdb_scalar_function scalar = duckdb_create_scalar_function();
    duckdb_scalar_function_set_name(scalar, name);
    for (int i = 0; i < spec.count + (fails && !spec.varargs); i++) {
        duckdb_logical_type logical = logical_or_any(i < spec.count ? spec.types[i] : type_simple(TYPE_LONG));
        duckdb_scalar_function_add_parameter(scalar, logical);
        duckdb_destroy_logical_type(&logical);
    }
    if (spec.varargs) {
        duckdb_logical_type logical = logical_or_any(spec.vararg);
        duckdb_scalar_function_set_varargs(scalar, logical);
        duckdb_destroy_logical_type(&logical);
    }
    duckdb_logical_type result = duck__logical_type(registered->result);
    duckdb_scalar_function_set_return_type(scalar, result);
    duckdb_destroy_logical_type(&result);
    if (function->flags & (FN_FAILS | FN_VOLATILE))
        duckdb_scalar_function_set_volatile(scalar);
    duckdb_scalar_function_set_special_handling(scalar); /* NULLs are ours */
    duckdb_scalar_function_set_extra_info(scalar, registered, registered_free);
    duckdb_scalar_function_set_bind(scalar, scalar_bind);
    duckdb_scalar_function_set_function(scalar, scalar_call);
    duckdb_state state = duckdb_register_scalar_function(connection, scalar);
    duckdb_destroy_scalar_function(&scalar);
    return state;
}

static duckdb_state register_aggregate(duckdb_connection connection, const char *name, Registered *registered)
{
    const DuckAggregate *aggregate = registered->aggregate;
    ArgSpec spec;
    parse_spec(registered->arena, aggregate->args, &spec);
    silt_assert(!spec.varargs); /* DuckDB has none for aggregates in C */
    if (aggregate->flags & FN_FAILS)
        spec.types[spec.count++] = type_simple(TYPE_LONG);

    duckdb_aggregate_function function = duckdb_create_aggregate_function();
    duckdb_aggregate_function_set_name(function, name);
    for (int i = 0; i < spec.count; i++) {
        duckdb_logical_type logical = logical_or_any(spec.types[i]);
        duckdb_aggregate_function_add_parameter(function, logical);
        duckdb_destroy_logical_type(&logical);
    }
    duckdb_logical_type result = duck__logical_type(registered->result);
    duckdb_aggregate_function_set_return_type(function, result);
    duckdb_destroy_logical_type(&result);
    duckdb_aggregate_function_set_special_handling(function);
    duckdb_aggregate_function_set_functions(function, aggregate_size, aggregate_init, aggregate_update, aggregate_combine,
                                            aggregate_finalize);
    if (aggregate->destroy)
        duckdb_aggregate_function_set_destructor(function, aggregate_destroy);
    duckdb_aggregate_function_set_extra_info(function, registered, registered_free);
    duckdb_state state = duckdb_register_aggregate_function(connection, function);
    duckdb_destroy_aggregate_function(&function);
    return state;
}

int duck__register_function(DuckEngine *engine, duckdb_connection connection, Str name, SiltErr *err)
{
    const char *colon = memchr(name.ptr, ':', name.size);
    Str base = {name.ptr, colon ? (size_t)(colon - name.ptr) : name.size};
    const DuckFunction *function = find_function(base);
    const DuckAggregate *aggregate = function ? NULL : find_aggregate(base);
    if (!function && !aggregate)
        function = find_extension(engine, base);
    if (!function && !aggregate)
        return DUCK_NO_FUNCTION;

    /* silt_name, silt_name:result, silt_name:argument->result */
    const char *result = function ? function->result : aggregate->result;
    Str types = colon ? (Str){colon + 1, name.size - base.size - 1} : (Str){0};
    const char *arrow = colon ? memmem(types.ptr, types.size, "->", 2) : NULL;
    if (!result && !colon)
        return silt_fail(err, SILT_CONFIG, "%.*s lacks its result type", (int)name.size, name.ptr);
    if (result && colon && !arrow)
        return silt_fail(err, SILT_CONFIG, "%.*s has one result type only", (int)name.size, name.ptr);

    Registered *registered = silt_alloc(sizeof *registered);
    *registered = (Registered){.engine = engine, .function = function, .aggregate = aggregate, .arena = arena_new()};
    int r = 0;
    if (arrow) {
        Str argument = {types.ptr, (size_t)(arrow - types.ptr)};
        types = (Str){arrow + 2, types.size - argument.size - 2};
        r = type_parse_ddl(registered->arena, argument, true, &registered->declared, err);
    }
    if (r == 0)
        r = type_parse_ddl(registered->arena, result ? str_of(result) : type_text_of_name(types), true, &registered->result, err);
    if (r < 0) {
        registered_free(registered);
        return r;
    }
    const char *text = arena_strndup(registered->arena, name.ptr, name.size);
    duckdb_state state = function ? register_scalar(connection, text, registered) : register_aggregate(connection, text, registered);
    if (state != DuckDBSuccess)
        return silt_fail(err, SILT_CONFIG, "could not register the function %.*s", (int)name.size, name.ptr);
    return 0;
}
