/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/fuzz/requests_around.h - what stands around the controller of fuzz_requests.c, in place of
 * its own files: a store in memory, users, and programs that are only pretended */
#pragma once

#include "controller/store/store.h"

struct row {
        enum store_table table;
        char *key;
        uint64_t number;
        uint8_t *data;
        size_t size;
};

extern struct disk {
        struct row *rows;
        size_t n, allocated;
        uint64_t batch;
        bool changed;
} disk;

struct row *disk_find(enum store_table t, const char *key, uint64_t number);
void disk_clear(void); /* before the next input */
