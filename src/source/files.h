#pragma once
/* source/files.h - files of a folder as a source: read_files(...), json.`path`, csv.`path`, parquet.`path` */
#include "source/source.h"

extern const SourceOps source_files;

/*
 * _metadata of a file row: STRUCT(file_path STRING, file_name STRING, file_size BIGINT, file_block_start BIGINT,
 * file_block_length BIGINT, file_modification_time TIMESTAMP), as in Spark. Lives for ever.
 */
const Type *source_files_metadata_type(void);

/* A path as Spark writes it into its logs and _metadata.file_path: file:///a%20b. Into arena. */
const char *source_files_uri(Arena *arena, const char *path);
/* The way back; a text without a scheme is a plain path. */
const char *source_files_path(Arena *arena, const char *uri);
