/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/subset.h - a kind of message with only some of its fields
 *
 * Packing looks at every field that a kind has, and a job has two hundred: a list of which ten are
 * shown takes a fifth of the time with those alone.  Fields keep their numbers, so that a reader
 * needs to know of nothing. */
#pragma once

#include "lib/base.h"

#include <protobuf-c/protobuf-c.h>

struct subset;

/* numbers: of the fields that stay, in any order; none: all of them. What is no field's is passed
   over. */
struct subset *subset_new(const ProtobufCMessageDescriptor *of, const uint32_t *numbers, size_t n);
struct subset *subset_free(struct subset *s); /* takes NULL, returns NULL */
/* A message with this as its descriptor is packed so; it lives as long as s. */
const ProtobufCMessageDescriptor *subset_kind(const struct subset *s);
