#pragma once
/*
 * source/files.h - files of a folder as a source: read_files(...), json.`path`, csv.`path`, parquet.`path`
 *
 * read_files infers types and keeps what does not fit in _rescued_data; fmt.`path` is as Spark's: without rescued data, and for CSV
 * columns _c0, _c1 ... of text unless options say otherwise (STREAM csv.`path` WITH ('header' = 'true')).
 */
#include "source/source.h"

extern const SourceOps source_files;

/*
 * _metadata of a file row: STRUCT(file_path STRING, file_name STRING, file_size BIGINT, file_block_start BIGINT,
 * file_block_length BIGINT, file_modification_time TIMESTAMP), as in Spark. Lives for ever.
 */
const Type *source_files_metadata_type(void);
