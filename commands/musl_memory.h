/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/musl_memory.h - malloc() of short commands
 *
 * Names given by the linker: calls of malloc() arrive at __wrap_malloc(); __real_malloc() is the C
 * library's. */
#pragma once

#include <stddef.h>

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *p);
size_t __wrap_malloc_usable_size(void *p);

void *__real_malloc(size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *p);
size_t __real_malloc_usable_size(void *p);
