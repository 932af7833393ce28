/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/memory.h - returns memory of a peak to the kernel */
#pragma once

/* Returns free memory of the allocator to the kernel if 16 MB or more have become free; checks at
   most once in 10 s. Call repeatedly while slumberctld is idle, as malloc_trim() takes a while. */
void memory_review(void);
