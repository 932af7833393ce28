/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/wire.h - Envelopes as frames: packing, limits, and the blocking side that commands use
 *
 * A frame is four bytes of length, big endian, and one packed Envelope. */
#pragma once

#include "lib/arena.h"
#include "lib/fail.h"
#include "lib/step_id.h"
#include "proto/slumber.pb-c.h"

typedef Slumber__Envelope Envelope;

#define WIRE_VERSION 1
/* a page of a list or a 4 MiB script with a large environment */
#define WIRE_FRAME_MAX (64u << 20)
#define STEP_WINDOW    (256u << 10) /* unacknowledged bytes of one task stream (StepIo) */
#define RANK_ALL       0xffffffffu
/* of a task that its memory limit ended: Slurm's ExitCode 0:125 */
#define TASK_STATUS_OUT_OF_MEMORY 125

/* Length and message, malloced; the caller frees.  -EMSGSIZE beyond WIRE_FRAME_MAX. */
int wire_pack(const Envelope *env, uint8_t **ret, size_t *ret_size);
/* The same, of what has come from another program: a connection that others share does not end
   because of it.  Packed anew it may be shorter, and so is what the other side unpacks it within:
   where that would refuse it, so does this, as wire_unpack() does. */
int wire_pack_relayed(const Envelope *env, uint8_t **ret, size_t *ret_size);
/* A message with all that m has, of the same kind; the caller frees it as an unpacked one. */
void *wire_copy(const ProtobufCMessage *m);
/* Packed fields that the bodies of several frames end with: packed once, shared, read only. */
struct wire_tail;
struct wire_tail *wire_tail_new(const ProtobufCMessage *m); /* the fields that are set in m */
struct wire_tail *wire_tail_ref(struct wire_tail *t);
struct wire_tail *wire_tail_unref(struct wire_tail *t); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct wire_tail *, wire_tail_unref)
unsigned wire_tail_refs(const struct wire_tail *t);
const uint8_t *wire_tail_data(const struct wire_tail *t, size_t *ret_size);
/* The part before tail in the frame of env, which has a body of the same kind with other fields
   set.  malloced; -EMSGSIZE as above. */
int wire_pack_before(const Envelope *env, const struct wire_tail *tail, uint8_t **ret,
                size_t *ret_size);
/* One whole message without the length.  -EBADMSG for anything that is not one, -EPROTONOSUPPORT
   for another version, -EMSGSIZE for one that is too long or would take far more memory than it has
   bytes. A message that only a newer peer knows has no body: body_case is ..._BODY__NOT_SET. Free
   with slumber__envelope__free_unpacked(env, NULL). */
int wire_unpack(const uint8_t *data, size_t size, Envelope **ret);
/* A message of any kind that stands in another one's bytes.  NULL: it is malformed, or would take
   more than so many bytes of memory.  Free with protobuf_c_message_free_unpacked(m, NULL). */
ProtobufCMessage *wire_unpack_within(const ProtobufCMessageDescriptor *kind, const uint8_t *data,
                size_t size, size_t most);
/* Words for what pack, unpack and receive return, to stand after a colon. */
const char *wire_strerror(int r);
static inline void envelope_freep(Envelope **env) {
        if (*env)
                slumber__envelope__free_unpacked(*env, NULL);
}
#define _cleanup_envelope_ _cleanup_(envelope_freep)

/* Shortcuts: ENVELOPE(e, JOB_QUERY, job_query, &query) declares e with its body set. */
#define ENVELOPE(var, BODY, field, value)                                                          \
        Envelope var = SLUMBER__ENVELOPE__INIT;                                                    \
        var.version = WIRE_VERSION;                                                                \
        var.body_case = SLUMBER__ENVELOPE__BODY_##BODY;                                            \
        var.field = (value)

/* ---- the blocking side ---- */
#define WIRE_SOCKET_DEFAULT "/run/slumber/slumber.sock"
struct wire;
/* A daemon's, before it listens: makes the folder of the socket, not those above it, and gives it
   to uid and gid. Nothing is done where it is there. */
int wire_make_folder(const char *socket, uid_t uid, gid_t gid, struct fail *fail);
/* Where a slumberd listens beside slumberctld, which has socket: slumberd.sock in its folder; the
   caller frees. */
char *wire_slumberd_socket(const char *socket);
/* The daemon of this host: $SLUMBER_SOCKET, else /run/slumber/slumber.sock.  What slumber.yaml says
   is the caller's to look up (wire_connect_path()): this library does without libyaml. fail says
   what to do when no daemon listens. */
int wire_connect(struct wire **ret, struct fail *fail);
int wire_connect_path(const char *path, struct wire **ret, struct fail *fail);
struct wire *wire_new(int fd); /* takes fd over */
struct wire *wire_free(struct wire *w);
DEFINE_CLEANUP(struct wire *, wire_free)
int wire_fd(const struct wire *w);
int wire_send(struct wire *w, const Envelope *env); /* blocks until written */
/* Blocks for one message; -ECONNRESET when the other side is gone, -ETIMEDOUT (timeout in
   CLOCK_MONOTONIC usec from now, USEC_INFINITY = none). */
int wire_receive(struct wire *w, usec_t timeout, Envelope **ret);
bool wire_buffered(const struct wire *w); /* a whole message is here already: do not poll */
/* What is asked from now on is for that other cluster, whose answer the own controller relays;
   NULL: for this one. */
void wire_set_cluster(struct wire *w, const char *cluster);
/* Sends a request and waits for its answer.  An Error answer becomes -EREMOTE, with its sentence in
   fail and its code in *ret_code (may be NULL).  Other messages that arrive meanwhile are dropped.
 */
int wire_call(struct wire *w, Envelope *request, Envelope **ret_reply, uint32_t *ret_code,
                struct fail *fail);
/* Calls say() once for each answer that has not come after that time (0: never), or of which the
   controller says why it waits: why, else NULL.  The wait goes on. */
void wire_when_slow(struct wire *w, usec_t after, void (*say)(const char *why));
/* Calls say() with what an answer tells the user, in lines, before wire_call() returns. */
void wire_when_told(struct wire *w, void (*say)(const char *lines));
/* The two halves of wire_call(), for requests that follow each other without waiting.  wire_ask()
   sets request->id; the reply is in the arena, for long lists: it goes with the arena, never alone.
 */
int wire_ask(struct wire *w, Envelope *request, struct fail *fail);
int wire_answer_in(struct wire *w, uint64_t id, struct arena *arena, Envelope **ret_reply,
                uint32_t *ret_code, struct fail *fail);
/* Texts of what a daemon has said over a connection of wire_connect() hold nothing that a terminal
   would obey, whatever came in there: here of a record, of an answer itself it has been done. */
void wire_clean(const struct wire *w, ProtobufCMessage *record);
/* A record of such a list, which come packed; NULL if it is none. */
ProtobufCMessage *wire_read_record(struct arena *arena, const ProtobufCMessageDescriptor *kind,
                ProtobufCBinaryData packed);
