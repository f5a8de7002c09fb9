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
/*
 * What library_load is to be asked for to get a library that comes with Silt: its path, beside the program or the library that this code is in, or in
 * the folder of libraries of the installation that the program is in, wherever that was moved to; `file` itself, for which the system is searched, when
 * it is in neither. The caller frees it.
 */
char *library_own(const char *file);
