#pragma once
/* duck/extension.h - scalar functions of the program that Silt is a part of (SiltFunction in silt.h), as rows of the function table */
#include "base/arena.h"
#include "duck/functions.h"
#include "silt.h"

/*
 * The row for a function whose name and types were checked. DuckDB knows it as silt_ext_<name>, its last argument is the packed position of
 * the call. In arena, as long as function itself is there.
 */
const DuckFunction *duck_extension_function(Arena *arena, const SiltFunction *function);
