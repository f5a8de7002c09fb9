#pragma once
/*
 * io/memory.h - a simulated disk with injected faults
 *
 * Files live in memory with what is synced and what is not kept apart, at the level of system calls (create, write, fsync,
 * rename, link, unlink, mkdir, fsync of a directory): the same algorithms as on the real disk run on top (io/store.c),
 * and each call is one countable operation.
 */
#include "io/io.h"

typedef enum IoFault {
    IO_FAULT_NONE,
    IO_FAULT_FAIL,  /* the operation does nothing and reports an I/O error */
    IO_FAULT_LIE,   /* the operation is done, and reports an I/O error */
    IO_FAULT_HALF,  /* a write does half of its bytes and reports an error (other operations: as FAIL) */
    IO_FAULT_POWER, /* power is lost before the operation: this one and all later ones, reads too, fail until io_memory_restart */
} IoFault;

/*
 * scratch: a real local directory, made if need be, for staging and for local copies; NULL: a temporary one that dies with the Io. seed: of the
 * randomness. The clock starts at 2026-01-01T00:00:00Z and moves 1 ms a look; sleeping moves it at once.
 */
Io *io_new_memory(const char *scratch, uint64_t seed);
/* From now on the clock stands at now_us, as SILT_CLOCK makes the real one stand: only sleeping moves it. */
void io_memory_stop_clock(Io *io, int64_t now_us);
/* The next fault, once: at operation number `at` (counted from 0, from now on) of kind fault. */
void io_memory_arm(Io *io, int64_t at, IoFault fault);
int64_t io_memory_operations(const Io *io); /* mutating operations since arm */
bool io_memory_fault_fired(const Io *io);
/*
 * What a power cut does to names that were changed but whose directory was not synced: a disk may do either. Contents that
 * were not synced are lost in both: a file is as when it was last synced, at worst empty.
 */
typedef enum IoLoss { IO_LOSS_NAMES, /* changes of names are undone (the default) */ IO_LOSS_CONTENTS /* they are kept */ } IoLoss;
void io_memory_loss(Io *io, IoLoss loss);
/* After a crash: drops what was not synced (only after POWER, or when lose_unsynced), releases locks, disarms. */
void io_memory_restart(Io *io, bool lose_unsynced);
/* Names and contents of all files, sorted, for comparing two worlds: calls visit for each. */
void io_memory_visit(const Io *io, void (*visit)(void *self, const char *path, Str content), void *self);
