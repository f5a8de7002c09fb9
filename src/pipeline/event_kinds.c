/*
 * pipeline/event_kinds.c - the events of an update, as Lakeflow words them
 */
#include "pipeline/event_kinds.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put_names(JsonWriter *w, const char *key, const char *const *names, int count)
{
    json_key(w, key);
    json_array(w);
    for (int i = 0; i < count; i++)
        json_text(w, names[i]);
    json_array_end(w);
}

/* ---- the update begins ---- */

/* Values that should not be read by everybody, by the name of their key, as Spark redacts them. */
static bool is_secret(const char *key)
{
    static const char *const words[] = {"secret", "password", "token", "access.key", "accesskey", "credential"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasestr(key, words[i]))
            return true;
    return false;
}

static void put_config(JsonWriter *w, const PipelineSpec *spec, bool continuous)
{
    json_key(w, "config");
    json_object(w);
    json_member(w, "name", spec->name);
    json_member(w, "storage", spec->storage);
    json_member(w, "catalog", spec->catalog);
    json_member(w, "schema", spec->database);
    json_member_bool(w, "continuous", continuous);
    json_key(w, "configuration");
    json_object(w);
    for (int i = 0; spec->conf && i < spec->conf->count; i++)
        json_member(w, spec->conf->entries[i].key, is_secret(spec->conf->entries[i].key) ? "*********(redacted)" : spec->conf->entries[i].value);
    json_object_end(w);
    json_object_end(w);
}

void event_create_update(EventWriter *writer, const PipelineSpec *spec, const PipelineRunOptions *run, bool continuous, StrBuf *out)
{
    silt_auto(str_buf_fini) StrBuf details = {0}, message = {0};
    JsonWriter w = event_details_begin(&details, "create_update");

    json_member(&w, "update_id", writer->update_id);
    json_member(&w, "cause", "USER_ACTION");
    json_member_bool(&w, "full_refresh", run->full_refresh_all);
    put_names(&w, "refresh_selection", run->refresh, run->refresh_count);
    put_names(&w, "full_refresh_selection", run->full_refresh, run->full_refresh_count);
    put_config(&w, spec, continuous);
    event_details_end(&w);
    str_buf_printf(&message, "Update %.6s started by USER_ACTION.", writer->update_id);
    Event event = {.type = "create_update", .level = "INFO", .message = str_buf_text(&message), .batch_id = -1, .details = &details};
    event_line_print(writer, &event, out);
}

void event_user_action(EventWriter *writer, StrBuf *out)
{
    silt_auto(str_buf_fini) StrBuf details = {0}, message = {0};
    JsonWriter w = event_details_begin(&details, "user_action");
    const char *name = getenv("LOGNAME") ? getenv("LOGNAME") : getenv("USER");

    json_member(&w, "action", "START");
    json_member(&w, "user_name", name);
    json_member_int(&w, "user_id", (int64_t)getuid());
    event_details_end(&w);
    str_buf_printf(&message, "User %s started an update.", name ? name : "without a name");
    Event event = {.type = "user_action", .level = "INFO", .message = str_buf_text(&message), .batch_id = -1, .details = &details};
    event_line_print(writer, &event, out);
}

/* ---- definitions ---- */

/* Columns as [{name, path, data_type}] and as Spark's JSON. */
static void put_schema(JsonWriter *w, const Type *schema)
{
    silt_auto(str_buf_fini) StrBuf json = {0};
    silt_auto(arena_freep) Arena *arena = arena_new();

    json_key(w, "schema");
    json_array(w);
    for (int i = 0; i < schema->field_count; i++) {
        json_object(w);
        json_member(w, "name", schema->fields[i].name);
        json_member(w, "path", schema->fields[i].name);
        json_member(w, "data_type", type_text(arena, schema->fields[i].type));
        json_member(w, "comment", schema->fields[i].comment);
        json_object_end(w);
    }
    json_array_end(w);
    type_to_json(&json, schema);
    json_member(w, "schema_json", str_buf_text(&json));
}

static void put_expectations(JsonWriter *w, const Statement *statement)
{
    static const char *const actions[] = {[EXPECT_WARN] = "ALLOW", [EXPECT_DROP_ROW] = "DROP", [EXPECT_FAIL_UPDATE] = "FAIL"};

    json_key(w, "expectations");
    json_array(w);
    for (int i = 0; i < statement->expectation_count; i++) {
        json_object(w);
        json_member(w, "name", statement->expectations[i].name);
        json_member(w, "expression", statement->expectations[i].condition_sql);
        json_member(w, "action", actions[statement->expectations[i].action]);
        json_object_end(w);
    }
    json_array_end(w);
}

void event_dataset_definition(EventWriter *writer, const Dataset *dataset, const TargetWant *want, StrBuf *out)
{
    silt_auto(str_buf_fini) StrBuf details = {0}, message = {0};
    JsonWriter w = event_details_begin(&details, "dataset_definition");

    json_member(&w, "name", dataset->name);
    json_member(&w, "dataset_type", dataset->kind == DATASET_STREAMING_TABLE ? "STREAMING_TABLE" : "MATERIALIZED_VIEW");
    json_member_int(&w, "num_flows", dataset->flow_count);
    json_member(&w, "path", dataset->path);
    put_schema(&w, want->schema);
    put_names(&w, "partition_columns", want->partition_columns, want->partition_count);
    put_expectations(&w, dataset->statement);
    event_details_end(&w);
    str_buf_printf(&message, "Dataset '%s' defined.", dataset->name);
    Event event = {
        .type = "dataset_definition",
        .level = "INFO",
        .message = str_buf_text(&message),
        .dataset = dataset,
        .batch_id = -1,
        .details = &details,
    };
    event_line_print(writer, &event, out);
}

/* The datasets that a query reads, each once; the files of a stream are in its progress. */
static void put_inputs(JsonWriter *w, const FlowQuery *query)
{
    json_key(w, "input_datasets");
    json_array(w);
    for (int i = 0; i < query->input_count; i++) {
        bool told = query->inputs[i]->kind != PLAN_INPUT_DELTA;
        for (int j = 0; j < i && !told; j++)
            told = !strcmp(query->inputs[j]->relation.name, query->inputs[i]->relation.name);
        if (!told)
            json_text(w, query->inputs[i]->relation.name);
    }
    json_array_end(w);
}

void event_flow_definition(EventWriter *writer, const GraphFlow *flow, const FlowQuery *query, StrBuf *out)
{
    silt_auto(str_buf_fini) StrBuf details = {0}, message = {0};
    JsonWriter w = event_details_begin(&details, "flow_definition");
    const char *type = flow->target->kind == DATASET_MATERIALIZED_VIEW ? "MATERIALIZED_VIEW" : "APPEND";

    json_member(&w, "output_dataset", flow->target->name);
    put_inputs(&w, query);
    json_member(&w, "flow_type", type);
    json_member_bool(&w, "once", flow->once);
    json_member(&w, "language", "SQL");
    event_details_end(&w);
    str_buf_printf(&message, "Flow '%s' defined as %s.", flow->name, type);
    Event event = {.type = "flow_definition", .level = "INFO", .message = str_buf_text(&message), .flow = flow, .batch_id = -1, .details = &details};
    event_line_print(writer, &event, out);
}

void event_planning(EventWriter *writer, const GraphFlow *flow, StrBuf *out)
{
    silt_auto(str_buf_fini) StrBuf details = {0}, message = {0};
    JsonWriter w = event_details_begin(&details, "planning_information");

    json_key(&w, "technique_information");
    json_array(&w);
    json_object(&w);
    json_member(&w, "maintenance_type", "MAINTENANCE_TYPE_COMPLETE_RECOMPUTE");
    json_member_bool(&w, "is_chosen", true);
    json_member_bool(&w, "is_applicable", true);
    json_object_end(&w);
    json_array_end(&w);
    event_details_end(&w);
    str_buf_printf(&message, "Flow '%s' has been planned to be executed as COMPLETE_RECOMPUTE.", flow->name);
    Event event = {.type = "planning_information", .level = "INFO", .message = str_buf_text(&message), .flow = flow, .batch_id = -1, .details = &details};
    event_line_print(writer, &event, out);
}

/* ---- progress ---- */

void event_update_progress(EventWriter *writer, const char *level, const char *state, const SiltErr *errors, int error_count, const char *message, StrBuf *out)
{
    silt_auto(str_buf_fini) StrBuf details = {0};
    JsonWriter w = event_details_begin(&details, "update_progress");

    json_member(&w, "state", state);
    event_details_end(&w);
    Event event = {
        .type = "update_progress",
        .level = level,
        .message = message,
        .batch_id = -1,
        .errors = errors,
        .error_count = error_count,
        .fatal = true,
        .details = &details,
    };
    event_line_print(writer, &event, out);
}

static void put_numbers(JsonWriter *w, const FlowSums *sums, const char *dataset)
{
    json_key(w, "metrics");
    json_object(w);
    json_member_int(w, "num_output_rows", sums->output_rows);
    json_member_int(w, "num_output_bytes", sums->output_bytes);
    json_member_int(w, "num_input_rows", sums->input_rows); /* these two are Silt's */
    json_member_int(w, "num_undecodable_rows", sums->undecodable_rows);
    json_object_end(w);
    if (!sums->expectation_count)
        return;
    json_key(w, "data_quality");
    json_object(w);
    json_member_int(w, "dropped_records", sums->refused_rows);
    json_key(w, "expectations");
    json_array(w);
    for (int i = 0; i < sums->expectation_count; i++) {
        json_object(w);
        json_member(w, "name", sums->expectations[i].name);
        json_member(w, "dataset", dataset);
        json_member_int(w, "passed_records", sums->expectations[i].passed);
        json_member_int(w, "failed_records", sums->expectations[i].failed);
        json_object_end(w);
    }
    json_array_end(w);
    json_object_end(w);
}

/* The record of a stream's last batch, as Lakeflow has it: JSON within JSON. */
static void print_stream_progress(EventWriter *writer, const GraphFlow *flow, const FlowSums *sums, StrBuf *out)
{
    silt_auto(str_buf_fini) StrBuf details = {0}, message = {0};
    JsonWriter w = event_details_begin(&details, "stream_progress");

    json_member(&w, "progress_json", str_buf_text(&sums->json));
    event_details_end(&w);
    str_buf_printf(&message, "Completed a streaming update of '%s'.", flow->name);
    Event event = {
        .type = "stream_progress",
        .level = "METRICS",
        .message = str_buf_text(&message),
        .flow = flow,
        .batch_id = sums->last_batch,
        .details = &details,
    };
    event_line_print(writer, &event, out);
}

void event_flow_progress(EventWriter *writer, const char *level, const GraphFlow *flow, const char *status, const FlowSums *sums, const SiltErr *error,
                         const char *message, StrBuf *out)
{
    silt_auto(str_buf_fini) StrBuf details = {0};
    JsonWriter w = event_details_begin(&details, "flow_progress");

    json_member(&w, "status", status);
    if (sums)
        put_numbers(&w, sums, flow->target->name);
    event_details_end(&w);
    Event event = {
        .type = "flow_progress",
        .level = level,
        .message = message,
        .flow = flow,
        .batch_id = sums ? sums->last_batch : -1,
        .errors = error,
        .error_count = error != NULL,
        .fatal = error && !strcmp(level, "ERROR"),
        .details = &details,
    };
    event_line_print(writer, &event, out);
    if (sums && flow->target->kind == DATASET_STREAMING_TABLE)
        print_stream_progress(writer, flow, sums, out);
}
