/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/memory.h - memory of a peak goes back to the kernel */
#pragma once

/* What the allocator keeps free is given back, where it is 16 MB or more; it looks once in 10 s at
   most.  To be called now and then while nothing else is to be done, as it takes a while. */
void memory_review(void);
