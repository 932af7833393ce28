/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/printable.h - what others have written, for a person's terminal: which bytes are characters,
   and which it would obey */
#pragma once

#include "lib/base.h"

#include <stdarg.h>
#include <stdio.h>

/* The length of the UTF-8 character at s, 0 when there is none: no overlong forms, no surrogates,
   nothing beyond U+10FFFF. */
size_t utf8_length(const char *s);
/* Whether text has what a terminal would obey, or a line feed or tab, which would start a row or a
   column of their own: a control character of ASCII or Latin-1, also as a single byte, or one that
   turns the direction of text.  Other bytes that are no UTF-8 are none. */
bool has_control(const char *text);
/* Copies as much as there is room for: control characters (has_control), but for line feeds and
   tabs, and bytes that are no UTF-8 are shown as \x1b.  Doing it twice is doing it once. */
void printable_copy(char *to, size_t size, const char *from);
/* The same in place: each byte of what would be shown as \x1b becomes a '?', but for a single byte
   that no terminal obeys. */
void printable_clean(char *text);
/* As fprintf() and vfprintf(), of what has been made printable. */
void printable_fprintf(FILE *f, const char *format, ...) _printf_(2, 3);
void printable_vfprintf(FILE *f, const char *format, va_list ap) _printf_(2, 0);
