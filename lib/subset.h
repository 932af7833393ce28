/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/subset.h - packs only some fields of a protobuf message
 *
 * Packing visits every field of a descriptor, and a job has two hundred fields: packing ten of them
 * with a subset descriptor takes a fifth of the time. Field numbers do not change: readers need no
 * knowledge of the subset. */
#pragma once

#include "lib/base.h"

#include <protobuf-c/protobuf-c.h>

struct subset;

/* numbers: fields to keep, in any order, unknown numbers are ignored; n = 0 keeps all fields. */
struct subset *subset_new(const ProtobufCMessageDescriptor *of, const uint32_t *numbers, size_t n);
struct subset *subset_free(struct subset *s); /* takes NULL, returns NULL */
/* Descriptor to set in a message before packing; borrowed, valid as long as s. */
const ProtobufCMessageDescriptor *subset_kind(const struct subset *s);
