/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/maker/journal.h - the steps that this node makes for a job, in the spool
 *
 *     SPOOL/makers/JOB.RESTARTS     entries, each with its length before it (4 bytes, the lowest
 *                                   first): a packed JournalEntry; the first has the StepMaker
 *
 * An entry is written by one write() before what it says is told to anybody, so a killed slumberd
 * has told nothing that the next one does not read.  What a power failure takes belongs to a job
 * that has ended by it.  An entry that is cut off at the end, as on a full disk, is dropped. */
#pragma once

#include "lib/wire.h"

#define JOURNAL_ENTRY_MAX (16u << 20)
#define JOURNAL_UNREAD    ".unread" /* at the end of the name of one that was put aside */

struct journal;

/* Begins a file with that entry, in the place of any other of that name. */
int journal_create(uint32_t job, uint32_t restarts, const Slumber__JournalEntry *first,
                struct journal **ret, struct fail *fail);
/* Calls found for each entry of the file, which it does not keep; negative stops that.  -EBADMSG:
   it does not begin with a StepMaker, or has something in it that is none of ours.  *ret takes more
   entries behind the last whole one. */
int journal_open(uint32_t job, uint32_t restarts,
                int (*found)(const Slumber__JournalEntry *entry, void *user), void *user,
                struct journal **ret, struct fail *fail);
/* All of it is there, or nothing: then fail says why, and the file is as before. */
int journal_add(struct journal *j, const Slumber__JournalEntry *entry, struct fail *fail);
/* These entries alone, packed, instead of all that is in the file, which is the old one where that
   fails. */
struct journal_text {
        uint8_t *data;
        size_t size;
};
int journal_rewrite(struct journal *j, const struct journal_text *entries, size_t n,
                struct fail *fail);
size_t journal_size(const struct journal *j);
void journal_remove(struct journal *j); /* the file too; then journal_free() */
/* A file that cannot be read, for fail, gets another name, which fail then says, too: no slumberd
   reads it again. */
void journal_put_aside(uint32_t job, uint32_t restarts, struct fail *fail);
/* There is a file of that run; end: of its name, "" or JOURNAL_UNREAD. */
bool journal_is_there(uint32_t job, uint32_t restarts, const char *end);
struct journal *journal_free(struct journal *j);
/* Reads entries; for files, and what pretends to be one.  Returns the bytes of those that are
   whole, or negative errno. */
ssize_t journal_parse(const uint8_t *data, size_t size,
                int (*found)(const Slumber__JournalEntry *entry, void *user), void *user);
