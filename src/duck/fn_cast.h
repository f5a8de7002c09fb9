#pragma once
/* duck/fn_cast.h - the families of casts behind silt_cast (fn_cast.c); eval functions as in DuckFunction */
#include "duck/functions.h"

int fn_cast_text(FnCall *call, const Column *args, Column *out, int rows);   /* from STRING */
int fn_cast_number(FnCall *call, const Column *args, Column *out, int rows); /* between numbers, BOOLEAN and TIMESTAMP */
int fn_cast_zone(FnCall *call, const Column *args, Column *out, int rows);   /* between DATE, TIMESTAMP and TIMESTAMP_NTZ */
int fn_cast_string(FnCall *call, const Column *args, Column *out, int rows); /* to STRING */
