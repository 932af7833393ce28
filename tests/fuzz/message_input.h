/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/fuzz/message_input.h - a fuzzer's bytes, read as numbers, texts and messages of any type
 *
 * Messages are made by walking their descriptors: every field there is, the values from tables of
 * likely and of hostile ones. */
#pragma once

#include "lib/base.h"

#include <protobuf-c/protobuf-c.h>

/* What follows is made of these; they stay the caller's. */
void input_begin(const uint8_t *data, size_t size);
int input_peek(void); /* the next byte, which stays; -1: there are no more */
/* The next bytes, up to four, as a number; 0 when there are no more. */
uint32_t input_take(size_t bytes);
uint64_t input_number(void);
/* These last until input_free(). */
char *input_text(void);
/* NULL: it would be too large */
ProtobufCMessage *input_message(const ProtobufCMessageDescriptor *d);
void input_free(void);
