/* source/kafka_protobuf.c - Protobuf values of records: the message that they are, by its descriptors */
#include "source/kafka_internal.h"

#include "base/uri.h"
#include "duck/protobuf.h"

static int missing(const Arguments *arguments, const char *name, SiltErr *err)
{
    silt_fail_at(err, SILT_CONFIG, arguments_find(arguments, "format")->value_pos, "format => 'protobuf' needs %s", name);
    return silt_hint(err, "Give messageName => 'Order' and descFilePath => 'orders.desc', which `protoc --include_imports --descriptor_set_out=orders.desc orders.proto` writes.");
}

int kafka__settle_protobuf(Source *source, const SourceContext *context, const Arguments *arguments, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    FormatOptions *o = &kafka->format.options;
    const SqlOption *schema = arguments_find(arguments, "schema"), *file = arguments_find(arguments, "descFilePath"), *name = arguments_find(arguments, "messageName");
    ProtoOptions options = {o->proto_enums_as_ints,   o->proto_emit_defaults, o->proto_upcast_unsigned,
                            o->proto_unwrap_wrappers, o->proto_retain_empty,  o->proto_depth_max > 0 && o->proto_depth_max <= 10 ? (int)o->proto_depth_max : -1};
    const ProtoSet *set;
    Str bytes;

    if (schema)
        return silt_fail_at(err, SILT_CONFIG, schema->pos, "schema is not for format => 'protobuf': the columns are the fields of the message");
    if (!o->proto_message || !o->proto_file)
        return missing(arguments, o->proto_message ? "descFilePath" : "messageName", err);
    const char *path = path_clean(source->arena, path_join(source->arena, context->base_directory ? context->base_directory : "/", o->proto_file));
    int r = io_read(kafka->io, path, source->arena, &bytes, err);
    if (r == IO_ABSENT) {
        silt_fail_at(err, SILT_CONFIG, file->value_pos, "there is no file \"%s\"", path);
        return silt_code(err, "PROTOBUF_DESCRIPTOR_FILE_NOT_FOUND");
    }
    if (r < 0 || proto_set_open(bytes, &set, err) < 0)
        return silt_place(err, file->value_pos);
    const ProtoMessage *message = proto_set_find(set, o->proto_message);
    if (!message) {
        silt_fail_at(err, SILT_CONFIG, name->value_pos, "the descriptors have no message \"%s\"", o->proto_message);
        return silt_code(err, "PROTOBUF_MESSAGE_NOT_FOUND");
    }
    return proto_plan(source->arena, message, &options, &o->proto_plan, err) < 0 ? silt_place(err, name->value_pos) : 0;
}
