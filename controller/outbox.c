/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may leave only when the state that it speaks of is durable.
 *
 * During a turn replies are appended with batch UNSEALED; outbox_seal() names their batch and appends the turn's effects;
 * outbox_release() lets everything go whose batch is on disk, in order. */
#include "controller/controller.h"
#include "lib/log.h"

#define UNSEALED UINT64_MAX

struct outgoing {
        uint64_t batch;
        struct address to; /* a reply: packed frame for it */
        uint8_t *frame;
        size_t size;
        struct effects effects; /* or a turn's effects */
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

void reply_now(const struct address *to, Envelope *env) {
        Slumber__Caller caller;

        if (!to->peer || !to->peer->conn)
                return;
        address_envelope(to, env, &caller);
        (void)conn_send(to->peer->conn, env); /* a peer that is gone hears nothing */
}

static struct outgoing *append(struct controller *ctl) {
        GROW(ctl->out, ctl->a_out, ctl->n_out);
        struct outgoing *o = &ctl->out[ctl->n_out++];
        *o = (struct outgoing){ .batch = UNSEALED };
        return o;
}

void reply_durable(struct controller *ctl, const struct address *to, Envelope *env) {
        Slumber__Caller caller;
        uint8_t *frame;
        size_t size;

        if (!to->peer || !to->peer->conn)
                return;
        address_envelope(to, env, &caller);
        int r = wire_pack(env, &frame, &size);
        if (r < 0) {
                log_error(r, "Cannot pack a reply: %m");
                return;
        }
        struct outgoing *o = append(ctl);
        o->to = address_copy(to);
        o->frame = frame;
        o->size = size;
        controller_changed(ctl);
}

void reply_result(struct controller *ctl, const struct address *to, enum slumber_error e, const char *text) {
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

void outbox_seal(struct controller *ctl, uint64_t batch) {
        for (size_t i = ctl->n_out; i-- > 0 && ctl->out[i].batch == UNSEALED;)
                ctl->out[i].batch = batch;
        if (ctl->cluster->effects.n == 0)
                return;
        struct outgoing *o = append(ctl);
        o->batch = batch;
        o->effects = ctl->cluster->effects;
        ctl->cluster->effects = (struct effects){ 0 };
}

/* From here on lines of the log wait for what else is to be done: those of a large job's nodes alone take longer than
   it may take to wake them. */
#define MANY_EFFECTS 256

static void carry_out(struct controller *ctl, const struct effects *e) {
        bool logs_last = e->n >= MANY_EFFECTS;

        for (size_t i = 0; i < e->n; i++)
                if (!logs_last || e->list[i].kind != FX_LOG)
                        effect_carry_out(ctl, &e->list[i]);
        for (size_t i = 0; logs_last && i < e->n; i++)
                if (e->list[i].kind == FX_LOG)
                        effect_carry_out(ctl, &e->list[i]);
}

static void leave(struct controller *ctl, struct outgoing *o) {
        if (o->frame && o->to.peer->conn)
                (void)conn_send_packed(o->to.peer->conn, o->frame, o->size);
        carry_out(ctl, &o->effects);
}

static void outgoing_done(struct outgoing *o) {
        address_done(&o->to);
        free(o->frame);
        effects_done(&o->effects);
}

void outbox_release(struct controller *ctl, uint64_t durable) {
        size_t n = 0;

        while (n < ctl->n_out && ctl->out[n].batch <= durable)
                n++;
        if (n == 0)
                return;
        /* Carrying out may append (an effect that fails at once): work on what was there. */
        struct outgoing *list = xnew(struct outgoing, n);
        memcpy(list, ctl->out, n * sizeof *list);
        memmove(ctl->out, ctl->out + n, (ctl->n_out - n) * sizeof *list);
        ctl->n_out -= n;
        for (size_t i = 0; i < n; i++) {
                leave(ctl, &list[i]);
                outgoing_done(&list[i]);
        }
        free(list);
}

void outbox_free(struct controller *ctl) {
        for (size_t i = 0; i < ctl->n_out; i++)
                outgoing_done(&ctl->out[i]);
        free(TAKE(ctl->out));
        ctl->n_out = ctl->a_out = 0;
}
