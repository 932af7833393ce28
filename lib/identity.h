/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/identity.h - what tells one machine from another: MAC addresses and serial numbers, as lists
   "a,b" of one spelling */
#pragma once

#include "lib/base.h"

#define MAC_SIZE           6
#define MAC_TEXT_SIZE      sizeof "aa:bb:cc:dd:ee:ff"
#define IDENTITY_WORD_MAX  64  /* characters; a longer serial number tells nothing */
#define IDENTITY_LIST_SIZE 192 /* bytes of a list; what does not fit is left out */

/* "aa:bb:cc:dd:ee:ff", or with '-' or without anything between; -EINVAL: none. */
int mac_parse(const char *text, uint8_t ret[MAC_SIZE]);

/* In one spelling; false: it is none of a single card. */
bool mac_spell(const char *mac, char ret[MAC_TEXT_SIZE]);

/* These add to a list what is not in it yet.  Left out is what no single machine has: addresses of
   all zeros or ones, of groups, and what firmware has where no serial number was written ("To be
   filled by O.E.M.", "0000"). */
void identity_add_mac(char list[IDENTITY_LIST_SIZE], const char *mac);
void identity_add_serial(char list[IDENTITY_LIST_SIZE], const char *serial);
/* Without blanks at its ends; false and "": it is empty, too long or not printable ASCII. */
bool identity_copy(char ret[IDENTITY_WORD_MAX + 1], const char *text);
/* The first word of a that b has too is copied to ret; false: there is none. */
bool identity_shared(const char *a, const char *b, char ret[IDENTITY_WORD_MAX + 1]);
