/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/wire.h - Envelopes as frames: packing, limits, and the blocking calls of commands
 *
 * A frame is four bytes of length, big endian, and one packed Envelope. */
#pragma once

#include "lib/arena.h"
#include "lib/fail.h"
#include "lib/step_id.h"
#include "proto/slumber.pb-c.h"

typedef Slumber__Envelope Envelope;

#define WIRE_VERSION 1
/* Enough for a page of a list, or a 4 MiB script with a large environment. */
#define WIRE_FRAME_MAX (64u << 20)
#define STEP_WINDOW    (256u << 10) /* unacknowledged bytes of one task stream (StepIo) */
#define RANK_ALL       0xffffffffu
/* Status of a task killed by its memory limit: Slurm's ExitCode 0:125. */
#define TASK_STATUS_OUT_OF_MEMORY 125

/* Packs length and message; the caller frees. -EMSGSIZE: beyond WIRE_FRAME_MAX. */
int wire_pack(const Envelope *env, uint8_t **ret, size_t *ret_size);
/* wire_pack() of a message from another program, to be sent over a shared connection. Repacking may
   shorten the message, and thus the receiver's memory budget for it: refuses, like wire_unpack(), a
   message that the receiver would refuse, so that the connection does not end. */
int wire_pack_relayed(const Envelope *env, uint8_t **ret, size_t *ret_size);
/* Returns a deep copy; the caller frees as an unpacked message. */
void *wire_copy(const ProtobufCMessage *m);
/* Packed fields at the end of the bodies of several frames: packed once, shared, read-only. */
struct wire_tail;
struct wire_tail *wire_tail_new(const ProtobufCMessage *m); /* packs the fields set in m */
struct wire_tail *wire_tail_ref(struct wire_tail *t);
struct wire_tail *wire_tail_unref(struct wire_tail *t); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct wire_tail *, wire_tail_unref)
unsigned wire_tail_refs(const struct wire_tail *t);
const uint8_t *wire_tail_data(const struct wire_tail *t, size_t *ret_size);
/* Packs the part of env's frame before tail; env has a body of the tail's kind with other fields
   set. The caller frees; -EMSGSIZE as above. */
int wire_pack_before(const Envelope *env, const struct wire_tail *tail, uint8_t **ret,
                size_t *ret_size);
/* Unpacks one message without its length. -EBADMSG: malformed; -EPROTONOSUPPORT: another version;
   -EMSGSIZE: too long, or needs far more memory than its size. A message known only to newer peers
   has no body: body_case is ..._BODY__NOT_SET. Free with slumber__envelope__free_unpacked(env,
   NULL). */
int wire_unpack(const uint8_t *data, size_t size, Envelope **ret);
/* Unpacks a message of any kind from a field of another. NULL: malformed, or needs more than most
   bytes of memory. Free with protobuf_c_message_free_unpacked(m, NULL). */
ProtobufCMessage *wire_unpack_within(const ProtobufCMessageDescriptor *kind, const uint8_t *data,
                size_t size, size_t most);
/* Returns a text for errors of pack, unpack and receive, to follow a colon. */
const char *wire_strerror(int r);
static inline void envelope_freep(Envelope **env) {
        if (*env)
                slumber__envelope__free_unpacked(*env, NULL);
}
#define _cleanup_envelope_ _cleanup_(envelope_freep)

/* ENVELOPE(e, JOB_QUERY, job_query, &query) declares e with its body set. */
#define ENVELOPE(var, BODY, field, value)                                                          \
        Envelope var = SLUMBER__ENVELOPE__INIT;                                                    \
        var.version = WIRE_VERSION;                                                                \
        var.body_case = SLUMBER__ENVELOPE__BODY_##BODY;                                            \
        var.field = (value)

/* ---- blocking calls of commands ---- */
#define WIRE_SOCKET_DEFAULT "/run/slumber/slumber.sock"
struct wire;
/* Makes the folder of a daemon's socket before the daemon listens, owned by uid and gid; parent
   folders must exist. No-op for an existing folder. */
int wire_make_folder(const char *socket, uid_t uid, gid_t gid, struct fail *fail);
/* Returns the path of slumberd's socket on the host of slumberctld, whose path is socket:
   slumberd.sock in the same folder. The caller frees. */
char *wire_slumberd_socket(const char *socket);
/* Connects to the daemon of this host: $SLUMBER_SOCKET, else /run/slumber/slumber.sock. The caller
   looks up the path of slumber.yaml (wire_connect_path()), since this library does not use libyaml.
   fail has advice if no daemon listens. */
int wire_connect(struct wire **ret, struct fail *fail);
int wire_connect_path(const char *path, struct wire **ret, struct fail *fail);
struct wire *wire_new(int fd); /* takes ownership of fd */
struct wire *wire_free(struct wire *w);
DEFINE_CLEANUP(struct wire *, wire_free)
int wire_fd(const struct wire *w);
int wire_send(struct wire *w, const Envelope *env); /* blocks until written */
/* Blocks for one message; -ECONNRESET: the peer has closed; -ETIMEDOUT (timeout in usec from now,
   USEC_INFINITY = none). */
int wire_receive(struct wire *w, usec_t timeout, Envelope **ret);
bool wire_buffered(const struct wire *w); /* a whole message is buffered: poll() would block */
/* Addresses further requests to that cluster, whose answers the local controller relays; NULL: the
   local cluster. */
void wire_set_cluster(struct wire *w, const char *cluster);
/* Sends a request and waits for the answer. An Error answer becomes -EREMOTE, with its text in fail
   and its code in *ret_code (may be NULL). Drops other messages received meanwhile. */
int wire_call(struct wire *w, Envelope *request, Envelope **ret_reply, uint32_t *ret_code,
                struct fail *fail);
/* Calls say() once for each answer that takes longer than after (0: never), or that the controller
   reports as delayed: why is its reason, else NULL. The wait continues. */
void wire_when_slow(struct wire *w, usec_t after, void (*say)(const char *why));
/* Calls say() with the lines that an answer has for the user, before wire_call() returns. */
void wire_when_told(struct wire *w, void (*say)(const char *lines));
/* The two halves of wire_call(), for several requests in flight. wire_ask() sets request->id; the
   reply is allocated in the arena, for long lists, and must not be freed alone. */
int wire_ask(struct wire *w, Envelope *request, struct fail *fail);
int wire_answer_in(struct wire *w, uint64_t id, struct arena *arena, Envelope **ret_reply,
                uint32_t *ret_code, struct fail *fail);
/* Removes control characters for a terminal from all texts of a record, if w is from
   wire_connect(); answers themselves are already cleaned. */
void wire_clean(const struct wire *w, ProtobufCMessage *record);
/* Unpacks one record of a list whose records are packed; NULL: malformed. */
ProtobufCMessage *wire_read_record(struct arena *arena, const ProtobufCMessageDescriptor *kind,
                ProtobufCBinaryData packed);
