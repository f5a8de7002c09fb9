/*
 * pipeline/spec.c - the spec file, read with libyaml
 *
 * The document is kept as libyaml's nodes, so that every complaint has a line and a column. Plain scalars get their YAML 1.1 type
 * only to be refused where a string is wanted, as Spark's loader (PyYAML) does.
 *
 *   P1  Nothing that the file says is passed over: an unknown key, a value of another type, a key given twice are errors.
 *   P2  The order of the SQL files depends on their names only.
 */
#include "pipeline/spec.h"
#include "base/uri.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct SpecReader {
    Io *io;
    Arena *arena;
    const char *file; /* for positions */
    yaml_document_t document;
    PipelineSpec *spec;
    SqlErrors *errors;
    int notice_capacity, sql_capacity;
} SpecReader;

static int add(SpecReader *r, SiltErr *err)
{
    sql_errors_add(r->errors, err);
    return -1;
}

static SiltPos node_pos(const SpecReader *r, const yaml_node_t *node)
{
    SiltPos pos = {r->file, (int)node->start_mark.line + 1, (int)node->start_mark.column + 1, 0};
    if (node->type == YAML_SCALAR_NODE && node->end_mark.line == node->start_mark.line)
        pos.length = (int)(node->end_mark.column - node->start_mark.column);
    return pos;
}

static void notice(SpecReader *r, const char *text)
{
    ARENA_PUSH(r->arena, r->spec->notices, r->spec->notice_count, r->notice_capacity, text);
}

static bool matches_number(Str text, bool *fraction)
{
    size_t i = 0, digits = 0;

    *fraction = false;
    if (i < text.size && (text.ptr[i] == '+' || text.ptr[i] == '-'))
        i++;
    if (i + 1 < text.size && text.ptr[i] == '0' && (text.ptr[i + 1] == 'x' || text.ptr[i + 1] == 'b' || text.ptr[i + 1] == 'o')) {
        for (i += 2; i < text.size; i++, digits++)
            if (!isxdigit((unsigned char)text.ptr[i]) && text.ptr[i] != '_')
                return false;
        return digits > 0;
    }
    for (; i < text.size; i++) {
        char c = text.ptr[i];
        if (isdigit((unsigned char)c))
            digits++;
        else if (c == '.' || ((c == 'e' || c == 'E') && digits))
            *fraction = true;
        else if (!(c == '_' || c == ':' || ((c == '+' || c == '-') && i && tolower((unsigned char)text.ptr[i - 1]) == 'e')))
            return false;
    }
    return digits > 0;
}

/* What a loader of YAML 1.1 would make of the node: Python's name of the type. */
static const char *node_type(const yaml_node_t *node)
{
    static const char *const booleans[] = {"yes", "no", "true", "false", "on", "off"};
    Str text;
    bool fraction;

    if (node->type == YAML_SEQUENCE_NODE)
        return "list";
    if (node->type == YAML_MAPPING_NODE)
        return "dict";
    if (node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return "str";
    text = (Str){(const char *)node->data.scalar.value, node->data.scalar.length};
    if (!text.size || str_is(text, "~") || str_is_nocase(text, "null"))
        return "NoneType";
    for (size_t i = 0; i < sizeof booleans / sizeof booleans[0]; i++)
        if (str_is_nocase(text, booleans[i]))
            return "bool";
    if (text.size == 10 && isdigit((unsigned char)text.ptr[0]) && text.ptr[4] == '-' && text.ptr[7] == '-')
        return "date";
    if (matches_number(text, &fraction))
        return fraction ? "float" : "int";
    if (str_is_nocase(text, ".inf") || str_is_nocase(text, "-.inf") || str_is_nocase(text, ".nan"))
        return "float";
    return "str";
}

static bool node_is_string(const yaml_node_t *node)
{
    return !strcmp(node_type(node), "str");
}

static const char *node_text(SpecReader *r, const yaml_node_t *node)
{
    return arena_strndup(r->arena, (const char *)node->data.scalar.value, node->data.scalar.length);
}

static yaml_node_t *node_at(SpecReader *r, int id)
{
    return yaml_document_get_node(&r->document, id);
}

/* ---- finding ---- */

int spec_find(Io *io, Arena *arena, const char *directory, const char **path, SiltErr *err)
{
    static const char *const names[] = {"spark-pipeline.yml", "spark-pipeline.yaml"};

    for (const char *at = directory;; at = path_parent(arena, at)) {
        const char *found = NULL;
        for (int i = 0; i < 2; i++) {
            const char *candidate = path_join(arena, at, names[i]);
            IoStat stat;
            int r = io_stat(io, candidate, &stat, err);
            if (r < 0)
                return r;
            if (r == IO_ABSENT || stat.is_directory)
                continue;
            if (found) {
                silt_fail(err, SILT_CONFIG, "both \"%s\" and \"%s\" are in \"%s\"", names[0], names[1], at);
                silt_code(err, "MULTIPLE_PIPELINE_SPEC_FILES_FOUND");
                return silt_hint(err, "Keep one of them, or name it with --spec.");
            }
            found = candidate;
        }
        if (found) {
            *path = found;
            return 0;
        }
        if (!strcmp(at, "/"))
            break;
    }
    silt_fail(err, SILT_CONFIG, "no spark-pipeline.yml or spark-pipeline.yaml in \"%s\" or a folder above it", directory);
    silt_code(err, "PIPELINE_SPEC_FILE_NOT_FOUND");
    silt_hint(err, "Go to the project's folder, name the file with --spec PATH, or make a project with `silt init --name NAME`.");
    return SPEC_ABSENT;
}

/* ---- SQL files ---- */

static bool known_file(const PipelineSpec *spec, const char *path)
{
    for (int i = 0; i < spec->sql_count; i++)
        if (!strcmp(spec->sql_files[i], path))
            return true;
    return false;
}

static const char *relative_name(const PipelineSpec *spec, const char *path)
{
    size_t size = strlen(spec->directory);
    if (!strcmp(spec->directory, "/"))
        return path + 1;
    return !strncmp(path, spec->directory, size) && path[size] == '/' ? path + size + 1 : path;
}

static int take_file(SpecReader *r, const char *path, SiltPos pos)
{
    PipelineSpec *spec = r->spec;
    const char *name = relative_name(spec, path);
    Str text = str_of(path);

    if (str_ends(text, ".py")) {
        notice(r, arena_printf(r->arena, "%s: Python definitions are passed over, Silt runs SQL files", name));
        return 0;
    }
    if (!str_ends(text, ".sql")) {
        SiltErr err;
        silt_fail_at(&err, SILT_CONFIG, pos, "cannot take \"%s\" as a file of definitions", name);
        silt_code(&err, "PIPELINE_UNSUPPORTED_DEFINITIONS_FILE_EXTENSION");
        silt_hint(&err, "Definitions are .sql files (.py files are passed over). Move other files out of the libraries' folders.");
        return add(r, &err);
    }
    if (known_file(spec, path))
        return 0;
    ARENA_PUSH(r->arena, spec->sql_files, spec->sql_count, r->sql_capacity, path);
    return 0;
}

/* A pipe has no end, and a link to nothing is a definition that is lost. */
static int special_file(SpecReader *r, const char *path, SiltPos pos)
{
    SiltErr err;
    silt_fail_at(&err, SILT_CONFIG, pos, "cannot read \"%s\": it is no file, but a pipe, a socket, a device or a link to nothing", relative_name(r->spec, path));
    silt_hint(&err, "Take it out of the libraries' folders, or let the link point at a file.");
    return add(r, &err);
}

/* The folders around one, which a link may lead back to. */
typedef struct FolderChain {
    const struct FolderChain *outer;
    uint64_t identity; /* 0: not known */
} FolderChain;

static bool is_around(const FolderChain *chain, uint64_t identity)
{
    for (; chain && identity; chain = chain->outer)
        if (chain->identity == identity)
            return true;
    return false;
}

static int take_folder(SpecReader *r, const char *folder, const FolderChain *chain, SiltPos pos, int *seen, SiltErr *err)
{
    IoList list;
    int outcome = io_list(r->io, folder, r->arena, &list, err);

    if (outcome < 0)
        return outcome;
    if (outcome == IO_ABSENT)
        return 0;
    for (int i = 0; i < list.count; i++) {
        const char *name = list.entries[i].name;
        const char *path = path_join(r->arena, folder, name);
        if (name[0] == '.' || !strcmp(name, "__pycache__"))
            continue;
        const IoStat *stat = &list.entries[i].stat;
        if (stat->is_directory && is_around(chain, stat->identity)) {
            notice(r, arena_printf(r->arena, "%s: this link leads back to a folder around it, and is passed over", relative_name(r->spec, path)));
        } else if (stat->is_directory) {
            if (str_ends(str_of(name), ".sql"))
                notice(r, arena_printf(r->arena, "%s: this is a folder; the definitions are the files in it", relative_name(r->spec, path)));
            SILT_TRY(take_folder(r, path, &(FolderChain){chain, stat->identity}, pos, seen, err));
        } else {
            (*seen)++;
            if (stat->is_special)
                special_file(r, path, pos);
            else
                take_file(r, path, pos);
        }
    }
    return 0;
}

static int bad_glob(SpecReader *r, SiltPos pos, const char *pattern, const char *hint)
{
    SiltErr err;
    silt_fail_at(&err, SILT_CONFIG, pos, "invalid glob pattern \"%s\" in libraries", pattern);
    silt_code(&err, "PIPELINE_SPEC_INVALID_GLOB_PATTERN");
    silt_hint(&err, "%s", hint);
    return add(r, &err);
}

static int take_pattern(SpecReader *r, const yaml_node_t *node)
{
    SiltPos pos = node_pos(r, node);
    const char *pattern = node_text(r, node);
    Str text = str_of(pattern);
    bool whole = str_ends(text, "/**") || !strcmp(pattern, "**");
    Str base = whole ? (Str){pattern, text.size < 3 ? 0 : text.size - 3} : text;
    SiltErr err;
    int seen = 0;

    for (size_t i = 0; i < base.size; i++)
        if (strchr("*?[]", base.ptr[i]))
            return bad_glob(r, pos, pattern, "Only the path of a file, or of a folder with /** behind it, is allowed.");
    while (str_starts(base, "./"))
        base = (Str){base.ptr + 2, base.size - 2};
    const char *path = arena_strndup(r->arena, base.ptr, base.size);
    if (*path != '/')
        path = *path ? path_join(r->arena, r->spec->directory, path) : r->spec->directory;
    IoStat stat = {0};
    int outcome = io_stat(r->io, path, &stat, &err);
    if (whole) {
        if (outcome < 0 || take_folder(r, path, &(FolderChain){NULL, stat.identity}, pos, &seen, &err) < 0)
            return add(r, &err);
    } else {
        if (outcome < 0)
            return add(r, &err);
        if (outcome == 0 && stat.is_directory)
            return bad_glob(r, pos, pattern, "It is a folder: write /** behind it to take the files below.");
        if (outcome == 0) {
            seen++;
            if (stat.is_special)
                special_file(r, path, pos);
            else
                take_file(r, path, pos);
        }
    }
    if (!seen)
        notice(r, arena_printf(r->arena, "%s:%d: \"%s\" matches no file", r->file, pos.line, pattern));
    return 0;
}

/* ---- keys ---- */

static int wrong_type(SpecReader *r, const yaml_node_t *node, const char *field, const char *want, const char *code)
{
    SiltErr err;
    silt_fail_at(&err, SILT_CONFIG, node_pos(r, node), "spec field \"%s\" should be %s, got %s", field, want, node_type(node));
    if (code)
        silt_code(&err, code);
    if (node->type == YAML_SCALAR_NODE && !strcmp(want, "a string"))
        silt_hint(&err, "Put quotes around it: \"%s\".", node->data.scalar.value);
    return add(r, &err);
}

static void unknown_field(SpecReader *r, const yaml_node_t *node, const char *where, const char *const *known, int count)
{
    SiltErr err;
    const char *text = node->type == YAML_SCALAR_NODE ? node_text(r, node) : node_type(node);
    const char *nearest = str_nearest(str_of(text), known, count);

    silt_fail_at(&err, SILT_CONFIG, node_pos(r, node), "unknown field \"%s\"%s", text, where);
    silt_code(&err, "PIPELINE_SPEC_UNEXPECTED_FIELD");
    if (nearest)
        silt_hint(&err, "Did you mean \"%s\"?", nearest);
    else if (str_starts(str_of(text), "silt.") || str_starts(str_of(text), "spark."))
        silt_hint(&err, "Settings belong under `configuration:`.");
    add(r, &err);
}

static void read_configuration(SpecReader *r, const yaml_node_t *node)
{
    if (node->type != YAML_MAPPING_NODE) {
        wrong_type(r, node, "configuration", "a map", "PIPELINE_SPEC_FIELD_NOT_DICT");
        return;
    }
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        yaml_node_t *key = node_at(r, pair->key), *value = node_at(r, pair->value);
        SiltErr err;
        if (!node_is_string(key)) {
            silt_fail_at(&err, SILT_CONFIG, node_pos(r, key), "a key of spec field \"configuration\" should be a string, got %s", node_type(key));
            silt_code(&err, "PIPELINE_SPEC_DICT_KEY_NOT_STRING");
            add(r, &err);
            continue;
        }
        const char *name = node_text(r, key);
        if (!node_is_string(value)) {
            silt_fail_at(&err, SILT_CONFIG, node_pos(r, value), "the value of \"%s\" in configuration should be a string, got %s", name,
                         node_type(value));
            silt_code(&err, "PIPELINE_SPEC_DICT_VALUE_NOT_STRING");
            if (value->type == YAML_SCALAR_NODE)
                silt_hint(&err, "Put quotes around it: \"%s\".", value->data.scalar.value);
            add(r, &err);
            continue;
        }
        if (conf_entry(r->spec->conf, name)) {
            silt_fail_at(&err, SILT_CONFIG, node_pos(r, key), "configuration key \"%s\" is given twice", name);
            add(r, &err);
            continue;
        }
        int outcome = conf_check(name, node_text(r, value), node_pos(r, value), &err);
        if (outcome < 0)
            add(r, &err);
        else if (outcome == CONF_IGNORED)
            notice(r, arena_printf(r->arena, "setting %s has no meaning here and is ignored", name));
        conf_set(r->spec->conf, name, node_text(r, value), node_pos(r, value));
    }
}

static const yaml_node_t *one_member(SpecReader *r, const yaml_node_t *node, const char *field, const char *want)
{
    const yaml_node_t *found = NULL;

    if (node->type != YAML_MAPPING_NODE) {
        wrong_type(r, node, field, arena_printf(r->arena, "a map with \"%s\"", want), "PIPELINE_SPEC_FIELD_NOT_DICT");
        return NULL;
    }
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        yaml_node_t *key = node_at(r, pair->key);
        if (key->type == YAML_SCALAR_NODE && !strcmp((const char *)key->data.scalar.value, want))
            found = node_at(r, pair->value);
        else
            unknown_field(r, key, arena_printf(r->arena, " in \"%s\"", field), &want, 1);
    }
    if (!found) {
        SiltErr err;
        silt_fail_at(&err, SILT_CONFIG, node_pos(r, node), "\"%s\" is missing in \"%s\"", want, field);
        silt_code(&err, "PIPELINE_SPEC_MISSING_REQUIRED_FIELD");
        add(r, &err);
    }
    return found;
}

static void read_libraries(SpecReader *r, const yaml_node_t *node)
{
    if (node->type != YAML_SEQUENCE_NODE) {
        wrong_type(r, node, "libraries", "a list", NULL);
        return;
    }
    for (yaml_node_item_t *item = node->data.sequence.items.start; item < node->data.sequence.items.top; item++) {
        const yaml_node_t *glob = one_member(r, node_at(r, *item), "libraries", "glob");
        const yaml_node_t *include = glob ? one_member(r, glob, "glob", "include") : NULL;
        if (!include)
            continue;
        if (!node_is_string(include))
            wrong_type(r, include, "include", "a string", NULL);
        else
            take_pattern(r, include);
    }
}

/* ---- the file as a whole ---- */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* file:///a/b and file:/a/b to /a/b; other schemes as they are. NULL: not an absolute URI. */
static const char *absolute_uri(Arena *arena, const char *uri)
{
    Str scheme = uri_scheme(str_of(uri));
    const char *path;
    SiltErr err;

    if (!scheme.size || uri[scheme.size + 1] != '/')
        return NULL;
    if (!str_is(scheme, "file"))
        return uri;
    return uri_to_path(arena, uri, &path, &err) < 0 ? NULL : path_clean(arena, path);
}

static void read_storage(SpecReader *r, const yaml_node_t *node)
{
    PipelineSpec *spec = r->spec;
    SiltErr err;

    spec->storage_path = absolute_uri(r->arena, spec->storage);
    if (!spec->storage_path) {
        silt_fail_at(&err, SILT_CONFIG, node_pos(r, node), "storage should be an absolute path with a URI scheme, got \"%s\"", spec->storage);
        silt_code(&err, "PIPELINE_STORAGE_ROOT_INVALID");
        if (*spec->storage == '/')
            silt_hint(&err, "Write file://%s.", spec->storage);
        else
            silt_hint(&err, "Write for example file://%s.", path_join(r->arena, spec->directory, "pipeline-storage"));
        add(r, &err);
    } else if (*spec->storage_path != '/') {
        silt_fail_at(&err, SILT_CONFIG, node_pos(r, node), "cannot keep checkpoints in \"%s\"", spec->storage);
        silt_code(&err, "PIPELINE_STORAGE_ROOT_INVALID");
        silt_hint(&err, "Only file: URIs are supported in this version.");
        add(r, &err);
    }
}

static void read_warehouse(SpecReader *r)
{
    PipelineSpec *spec = r->spec;
    const ConfEntry *entry = conf_entry(spec->conf, "spark.sql.warehouse.dir");

    if (!entry) {
        spec->warehouse = path_join(r->arena, spec->directory, "spark-warehouse");
        return;
    }
    spec->warehouse = absolute_uri(r->arena, entry->value);
    if (!spec->warehouse && !strchr(entry->value, ':')) /* a plain path */
        spec->warehouse = path_clean(r->arena, path_join(r->arena, spec->directory, entry->value));
    if (!spec->warehouse || *spec->warehouse != '/') {
        SiltErr err;
        silt_fail_at(&err, SILT_CONFIG, entry->pos, "cannot keep tables in \"%s\"", entry->value);
        silt_hint(&err, "spark.sql.warehouse.dir should be a path or a file: URI in this version.");
        add(r, &err);
    }
}

static void read_fields(SpecReader *r, const yaml_node_t *root)
{
    static const char *const fields[] = {"name", "storage", "catalog", "database", "schema", "configuration", "libraries"};
    enum { FIELDS = sizeof fields / sizeof fields[0] };
    const yaml_node_t *values[FIELDS] = {0};
    PipelineSpec *spec = r->spec;
    SiltErr err;

    for (yaml_node_pair_t *pair = root->data.mapping.pairs.start; pair < root->data.mapping.pairs.top; pair++) {
        yaml_node_t *key = node_at(r, pair->key);
        int field = 0;
        while (field < FIELDS && (key->type != YAML_SCALAR_NODE || strcmp((const char *)key->data.scalar.value, fields[field])))
            field++;
        if (field == FIELDS) {
            unknown_field(r, key, "", fields, FIELDS);
        } else if (values[field]) {
            silt_fail_at(&err, SILT_CONFIG, node_pos(r, key), "field \"%s\" is given twice", fields[field]);
            add(r, &err);
        } else {
            values[field] = node_at(r, pair->value);
        }
    }
    const char **texts[] = {&spec->name, &spec->storage, &spec->catalog, &spec->database};
    if (!values[3])
        values[3] = values[4];
    for (int i = 0; i < 4; i++) {
        if (values[i] && !node_is_string(values[i])) {
            wrong_type(r, values[i], fields[i], "a string", NULL);
        } else if (values[i]) {
            *texts[i] = node_text(r, values[i]);
        } else if (i < 2) {
            silt_fail_at(&err, SILT_CONFIG, (SiltPos){r->file, 1, 1, 0}, "spec field \"%s\" is missing", fields[i]);
            silt_code(&err, "PIPELINE_SPEC_MISSING_REQUIRED_FIELD");
            add(r, &err);
        }
    }
    if (spec->storage)
        read_storage(r, values[1]);
    if (values[5])
        read_configuration(r, values[5]);
    if (values[6])
        read_libraries(r, values[6]);
}

static void sort_files(Arena *arena, PipelineSpec *spec)
{
    if (spec->sql_count)
        qsort((void *)spec->sql_files, (size_t)spec->sql_count, sizeof *spec->sql_files, compare_texts);
    spec->sql_names = ARENA_ARRAY(arena, const char *, spec->sql_count + 1);
    for (int i = 0; i < spec->sql_count; i++)
        spec->sql_names[i] = relative_name(spec, spec->sql_files[i]);
}

static int read_document(SpecReader *r, Str text)
{
    yaml_parser_t parser;
    SiltErr err;
    int before = r->errors->count;

    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.ptr, text.size);
    if (!yaml_parser_load(&parser, &r->document)) {
        SiltPos pos = {r->file, (int)parser.problem_mark.line + 1, (int)parser.problem_mark.column + 1, 0};
        if (parser.error == YAML_READER_ERROR)
            pos.line = pos.column = 1;
        silt_fail_at(&err, SILT_CONFIG, pos, "not readable as YAML: %s%s%s", parser.context ? parser.context : "", parser.context ? ", " : "",
                     parser.problem ? parser.problem : "broken text");
        yaml_parser_delete(&parser);
        return add(r, &err);
    }
    yaml_node_t *root = yaml_document_get_root_node(&r->document);
    if (!root || root->type != YAML_MAPPING_NODE) {
        silt_fail_at(&err, SILT_CONFIG, root ? node_pos(r, root) : (SiltPos){r->file, 1, 1, 0}, "the spec should be a map of fields, got %s",
                     root ? node_type(root) : "nothing");
        silt_code(&err, "PIPELINE_SPEC_UNEXPECTED_FIELD");
        silt_hint(&err, "It needs at least `name:`, `storage:` and `libraries:`.");
        add(r, &err);
    } else {
        read_fields(r, root);
    }
    yaml_document_delete(&r->document);
    yaml_parser_delete(&parser);
    return r->errors->count > before ? -1 : 0;
}

int spec_load(Io *io, Arena *arena, const char *path, const SpecOverride *overrides, int override_count, PipelineSpec **out, SqlErrors *errors)
{
    SpecReader reader = {.io = io, .arena = arena, .errors = errors};
    PipelineSpec *spec = ARENA_NEW(arena, PipelineSpec);
    int before = errors->count;
    SiltErr err;
    Str text;

    spec->path = arena_strdup(arena, path);
    spec->directory = path_parent(arena, path);
    spec->conf = conf_copy(arena, NULL);
    reader.spec = spec;
    reader.file = relative_name(spec, spec->path);

    int r = io_read(io, path, arena, &text, &err);
    if (r == IO_ABSENT) {
        silt_fail(&err, SILT_CONFIG, "the pipeline spec file \"%s\" does not exist", path);
        silt_code(&err, "PIPELINE_SPEC_FILE_DOES_NOT_EXIST");
    }
    if (r)
        return add(&reader, &err);
    read_document(&reader, text);

    for (int i = 0; i < override_count; i++) {
        SiltPos pos = {NULL, 0, 0, 0};
        int outcome = conf_check(overrides[i].key, overrides[i].value, pos, &err);
        if (outcome < 0)
            add(&reader, &err);
        else if (outcome == CONF_IGNORED)
            notice(&reader, arena_printf(arena, "setting %s has no meaning here and is ignored", overrides[i].key));
        conf_set(spec->conf, overrides[i].key, overrides[i].value, pos);
    }
    read_warehouse(&reader);
    sort_files(arena, spec);
    if (!spec->catalog)
        spec->catalog = "spark_catalog";
    if (!spec->database)
        spec->database = "default";
    *out = spec;
    return errors->count > before ? -1 : 0;
}
