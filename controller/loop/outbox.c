/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages that may leave only when the state behind them is durable.
 *
 * During a turn replies are appended with batch UNSEALED; outbox_seal() sets their batch and
 * appends the turn's effects; outbox_release() sends all messages of durable batches, in order.
 *
 * A client receives messages in the order of creation: a message free to leave at once stays behind
 * a waiting message. For instance, an effect of an earlier turn (the job is allocated) must not
 * overtake the reply telling the client about the regained job. */
#include "controller/loop/outbox.h"

#include "controller/loop/caller.h"
#include "controller/loop/controller.h"
#include "controller/loop/peers.h"
#include "controller/loop/tree.h"
#include "lib/log.h"

#define UNSEALED UINT64_MAX

struct outgoing {
        uint64_t batch;
        struct address to; /* a reply: destination and packed frame */
        uint8_t *frame;
        size_t size;
        bool told;              /* the client knows why the reply waits */
        struct effects effects; /* instead of a reply: the effects of a turn */
};

static void address_envelope(const struct address *to, Envelope *env, Slumber__Caller *caller) {
        env->version = WIRE_VERSION;
        env->reply_to = to->id;
        if (to->peer->local)
                return;
        slumber__caller__init(caller);
        caller->client = to->client;
        env->caller = caller;
}

static struct outgoing *outbox_append(struct controller *ctl, uint64_t batch) {
        GROW(ctl->out, ctl->a_out, ctl->n_out);
        struct outgoing *o = &ctl->out[ctl->n_out++];
        *o = (struct outgoing){ .batch = batch };
        return o;
}

/* Packs env; a reply above the frame limit becomes an error, as the command waits for an answer. */
static int outbox_pack(const Envelope *env, uint8_t **frame, size_t *size) {
        static const char text[] = "The answer would be too long: ask for less at once";
        Slumber__Error error = SLUMBER__ERROR__INIT;
        int r = wire_pack(env, frame, size);

        if (r != -EMSGSIZE)
                return r;
        error.code = SLUMBER_TOO_BIG;
        error.text = (char *)(uintptr_t)text;
        ENVELOPE(refusal, ERROR, error, &error);
        refusal.reply_to = env->reply_to;
        refusal.caller = env->caller;
        return wire_pack(&refusal, frame, size);
}

/* Keeps the addressed env until batch is durable. */
static bool outbox_keep(struct controller *ctl, const struct address *to, const Envelope *env,
                uint64_t batch) {
        uint8_t *frame;
        size_t size;
        int r = outbox_pack(env, &frame, &size);

        if (r < 0) {
                log_error(r, "Cannot pack a reply: %m");
                return false;
        }
        struct outgoing *o = outbox_append(ctl, batch);
        o->to = address_copy(to);
        o->to.peer->n_waiting++;
        o->frame = frame;
        o->size = size;
        return true;
}

static bool outbox_has_waiting(const struct address *to) {
        const struct controller *ctl = to->peer->ctl;

        if (to->peer->n_waiting == 0 || to->peer->local)
                return to->peer->n_waiting > 0;
        for (size_t i = ctl->n_out; i-- > 0;)
                if (ctl->out[i].frame && address_same(&ctl->out[i].to, to))
                        return true;
        return false;
}

void reply_now(const struct address *to, Envelope *env) {
        Slumber__Caller caller;

        if (!to->peer || !to->peer->conn)
                return;
        address_envelope(to, env, &caller);
        if (outbox_has_waiting(to)) {
                struct controller *ctl = to->peer->ctl;
                (void)outbox_keep(ctl, to, env, ctl->out[ctl->n_out - 1].batch);
                return;
        }
        _cleanup_free_ uint8_t *frame = NULL;
        size_t size;
        if (outbox_pack(env, &frame, &size) >= 0)
                /* errors of a closed connection are ignored */
                (void)conn_send_packed(to->peer->conn, frame, size);
}

static bool outbox_keep_unsealed(struct controller *ctl, const struct address *to, Envelope *env) {
        Slumber__Caller caller;

        if (!to->peer || !to->peer->conn)
                return false;
        address_envelope(to, env, &caller);
        return outbox_keep(ctl, to, env, UNSEALED);
}

void reply_when_stored(struct controller *ctl, const struct address *to, Envelope *env) {
        if (outbox_keep_unsealed(ctl, to, env))
                controller_changed_a_little(ctl);
}

void reply_durable(struct controller *ctl, const struct address *to, Envelope *env) {
        if (!outbox_keep_unsealed(ctl, to, env))
                return;
        if (to->client || !to->peer->node)
                controller_answers_command(ctl);
        else
                controller_changed(ctl);
}

void reply_result(struct controller *ctl, const struct address *to, enum slumber_error e,
                const char *text) {
        Slumber__Error error = SLUMBER__ERROR__INIT;
        Slumber__Ok ok = SLUMBER__OK__INIT;

        if (e == SLUMBER_OK) {
                ENVELOPE(env, OK, ok, &ok);
                reply_durable(ctl, to, &env);
                return;
        }
        error.code = (uint32_t)e;
        error.text = (char *)(uintptr_t)(text ? text : "");
        ENVELOPE(env, ERROR, error, &error);
        reply_now(to, &env);
}

void reply_not_stored(struct controller *ctl, const struct address *to, int r) {
        struct fail why = { 0 };

        fail_set(&why, r, "%s: %s", slumber_error_text(SLUMBER_STORE_FULL), strerror(-r));
        reply_result(ctl, to, SLUMBER_STORE_FULL, why.text);
}

/* Sends an unsolicited error; clients of earlier versions drop the message. */
static void outbox_send_error(const struct address *to, Slumber__Error *why) {
        _cleanup_free_ uint8_t *frame = NULL;
        Slumber__Caller caller;
        size_t size;

        ENVELOPE(env, ERROR, error, why);
        address_envelope(to, &env, &caller);
        env.reply_to = 0;
        if (to->peer->conn && wire_pack(&env, &frame, &size) >= 0)
                (void)conn_send_packed(to->peer->conn, frame, size);
}

void outbox_tell(const struct address *to, enum slumber_error e, const char *text) {
        Slumber__Error why = SLUMBER__ERROR__INIT;

        why.code = (uint32_t)e;
        why.text = (char *)(uintptr_t)text;
        if (to->peer->local || to->client)
                outbox_send_error(to, &why);
}

void outbox_tell_why(struct controller *ctl, int r) {
        _cleanup_free_ char *text = xasprintf("%s: %s: its answer comes when it can",
                        slumber_error_text(SLUMBER_STORE_FULL), strerror(-r));
        Slumber__Error why = SLUMBER__ERROR__INIT;

        why.code = SLUMBER_STORE_FULL;
        why.text = text;
        for (size_t i = 0; i < ctl->n_out; i++) {
                struct outgoing *o = &ctl->out[i];
                /* a command, direct or relayed */
                if (o->frame && !o->told && (o->to.peer->local || o->to.client))
                        outbox_send_error(&o->to, &why);
                o->told = true;
        }
}

void outbox_seal(struct controller *ctl, uint64_t batch) {
        for (size_t i = ctl->n_out; i-- > 0 && ctl->out[i].batch == UNSEALED;)
                ctl->out[i].batch = batch;
        if (ctl->cluster->effects.n == 0)
                return;
        struct outgoing *o = outbox_append(ctl, batch);
        o->effects = ctl->cluster->effects;
        ctl->cluster->effects = (struct effects){ 0 };
}

/* Number of effects above which log lines come last: logging the nodes of a large job takes longer
   than resuming the nodes. */
#define MANY_EFFECTS 256

static void outbox_carry_out(struct controller *ctl, const struct effects *e) {
        bool logs_last = e->n >= MANY_EFFECTS;

        for (size_t i = 0; i < e->n; i++)
                if (!logs_last || e->list[i].kind != FX_LOG)
                        ctl->ops->carry_out(ctl, &e->list[i]);
        tree_gathered(ctl);
        for (size_t i = 0; logs_last && i < e->n; i++)
                if (e->list[i].kind == FX_LOG)
                        ctl->ops->carry_out(ctl, &e->list[i]);
}

static void outgoing_done(struct outgoing *o) {
        if (o->frame)
                o->to.peer->n_waiting--;
        address_done(&o->to);
        free(TAKE(o->frame));
        effects_done(&o->effects);
}

static void outgoing_send(struct controller *ctl, const struct outgoing *o) {
        if (o->frame && o->to.peer->conn)
                (void)conn_send_packed(o->to.peer->conn, o->frame, o->size);
        outbox_carry_out(ctl, &o->effects);
}

/* Carrying out effects may append to ctl->out: messages that have to stay behind a waiting message,
   or effects of an immediate failure. */
void outbox_release(struct controller *ctl, uint64_t durable) {
        size_t n = 0;

        for (; n < ctl->n_out && ctl->out[n].batch <= durable; n++) {
                struct outgoing o = ctl->out[n];
                ctl->out[n] = (struct outgoing){ .batch = o.batch };
                outgoing_send(ctl, &o);
                outgoing_done(&o);
        }
        if (n == 0)
                return;
        memmove(ctl->out, ctl->out + n, (ctl->n_out - n) * sizeof *ctl->out);
        ctl->n_out -= n;
}

void outbox_free(struct controller *ctl) {
        for (size_t i = 0; i < ctl->n_out; i++)
                outgoing_done(&ctl->out[i]);
        free(TAKE(ctl->out));
        ctl->n_out = ctl->a_out = 0;
}
