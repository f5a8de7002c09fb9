#pragma once
/* sink/extension.h - sinks of the program that Silt is a part of (SiltSink in silt.h): foreachBatch */
#include "base/str.h"
#include "sink/sink.h"

extern const SinkOps sink_extension;

/* Append the names of those that are registered, with commas. */
void sink_extension_kinds(const SinkContext *context, StrBuf *out);
