/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/identity.h - identifies a machine by MAC addresses and serial numbers, as lists "a,b" in
   normalized form */
#pragma once

#include "lib/base.h"

#define MAC_SIZE           6
#define MAC_TEXT_SIZE      sizeof "aa:bb:cc:dd:ee:ff"
#define IDENTITY_WORD_MAX  64  /* characters; longer serial numbers are ignored */
#define IDENTITY_LIST_SIZE 192 /* bytes of a list; entries beyond are left out */

/* Reads "aa:bb:cc:dd:ee:ff", also with '-' or no separators; -EINVAL: not a MAC address. */
int mac_parse(const char *text, uint8_t ret[MAC_SIZE]);

/* Writes the address in normalized form; false: not the address of a single card. */
bool mac_spell(const char *mac, char ret[MAC_TEXT_SIZE]);

/* Add an entry to the list unless present. Entries that do not identify a machine are left out: MAC
   addresses of all zeros or ones, multicast addresses, placeholders in firmware ("To be filled by
   O.E.M.", "0000"). */
void identity_add_mac(char list[IDENTITY_LIST_SIZE], const char *mac);
void identity_add_serial(char list[IDENTITY_LIST_SIZE], const char *serial);
/* Copies text without surrounding blanks; false and "": empty, too long or not printable ASCII. */
bool identity_copy(char ret[IDENTITY_WORD_MAX + 1], const char *text);
/* Copies the first word of a that b also has to ret; false: no common word. */
bool identity_shared(const char *a, const char *b, char ret[IDENTITY_WORD_MAX + 1]);
