/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/printable.h - makes text from others safe for a person's terminal: valid UTF-8 without
   control characters */
#pragma once

#include "lib/base.h"

#include <stdarg.h>
#include <stdio.h>

/* Returns the length of the UTF-8 character at s; 0: not valid (overlong, surrogate or beyond
   U+10FFFF). */
size_t utf8_length(const char *s);
/* True if text has a control character: ASCII (with line feed and tab, which would start a new row
   or column), Latin-1 (also as a single byte), or a change of text direction. Other invalid bytes
   are not control characters. */
bool has_control(const char *text);
/* Copies as much as fits. Control characters (has_control(), except line feed and tab) and invalid
   bytes are written as escapes, \x1b. Copying the result again changes nothing. */
void printable_copy(char *to, size_t size, const char *from);
/* Cleans text in place: each byte that printable_copy() would write as \x1b becomes '?', except a
   single byte that no terminal obeys. */
void printable_clean(char *text);
/* Like fprintf() and vfprintf(), with the output made printable. */
void printable_fprintf(FILE *f, const char *format, ...) _printf_(2, 3);
void printable_vfprintf(FILE *f, const char *format, va_list ap) _printf_(2, 0);
