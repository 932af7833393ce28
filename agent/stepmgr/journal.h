/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/stepmgr/journal.h - the file in the spool with the steps of a step manager
 *
 *     SPOOL/makers/JOB.RESTARTS     entries, each a length (4 bytes, little endian) and a packed
 *                                   JournalEntry; the first entry has the StepMaker
 *
 * An entry is written by a single write() before anybody is told of the event: the next slumberd
 * reads everything that a killed slumberd has told. A power failure may lose entries, but ends the
 * job, too. An incomplete entry at the end of the file, as after a full disk, is dropped. */
#pragma once

#include "lib/wire.h"

#define JOURNAL_ENTRY_MAX (16u << 20)
#define JOURNAL_UNREAD    ".unread" /* suffix of a file that was put aside */

struct journal;

/* Begins the journal with the given entry; an older file of the same run is replaced. */
int journal_create(uint32_t job, uint32_t restarts, const Slumber__JournalEntry *first,
                struct journal **ret, struct fail *fail);
/* Calls found for each entry, which is valid during the call only; a negative result stops the
   reading and is returned. -EBADMSG: the file does not begin with a StepMaker, or is corrupt.
   *ret appends after the last complete entry. */
int journal_open(uint32_t job, uint32_t restarts,
                int (*found)(const Slumber__JournalEntry *entry, void *user), void *user,
                struct journal **ret, struct fail *fail);
/* Appends an entry completely, or not at all: then fail is set and the file unchanged. */
int journal_add(struct journal *j, const Slumber__JournalEntry *entry, struct fail *fail);
/* Replaces all entries by the given packed entries; the old file stays if this fails. */
struct journal_text {
        uint8_t *data;
        size_t size;
};
int journal_rewrite(struct journal *j, const struct journal_text *entries, size_t n,
                struct fail *fail);
size_t journal_size(const struct journal *j);
void journal_remove(struct journal *j); /* removes the file; journal_free() is still needed */
/* Renames an unreadable file to NAME.unread, so that no slumberd reads the file again, and adds
   the new name to fail. */
void journal_put_aside(uint32_t job, uint32_t restarts, struct fail *fail);
/* Returns whether the run has a file; end: the name's suffix, "" or JOURNAL_UNREAD. */
bool journal_is_there(uint32_t job, uint32_t restarts, const char *end);
struct journal *journal_free(struct journal *j);
/* Parses entries of a file or a fuzz input. Returns the bytes of the complete entries, or
   negative errno. */
ssize_t journal_parse(const uint8_t *data, size_t size,
                int (*found)(const Slumber__JournalEntry *entry, void *user), void *user);
