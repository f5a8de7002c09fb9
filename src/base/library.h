#pragma once
/* base/library.h - shared libraries that are loaded when they are needed first: linked, they would cost every start of `silt` */
#include <stddef.h>

/* A function that is wanted, and where its address goes. */
typedef struct LibraryFunction {
    const char *name;
    void **function;
} LibraryFunction;

enum { LIBRARY_WHY_SIZE = 256 };

/*
 * Load the first of these libraries that is there, and all functions; it stays for the life of the process. names end with NULL. why becomes "", or
 * says why it could not be. Once for a library: a caller of several threads sees to that (pthread_once).
 */
void library_load(const char *const *names, const LibraryFunction *functions, size_t count, char why[LIBRARY_WHY_SIZE]);
