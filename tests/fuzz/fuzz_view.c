/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A slumberd with a srun and a sattach, between other slumberds and commands that say whatever the
 * input makes of View, and a step whose output they are given.  The input is operations, a byte
 * each with what they take; a packed message has its length before it. */
#include "agent/streams/attach.h"
#include "agent/streams/srun_streams.h"
#include "tests/unit/streams_world.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
        const uint8_t *data;
        size_t size;
} in;
static struct client viewer; /* sattach's */

static uint32_t take(uint32_t below) {
        uint32_t v = in.size ? *in.data : 0;

        in.data += in.size != 0;
        in.size -= in.size != 0;
        return v % below;
}

/* Three of four are of the step, and half show the token. */
static Slumber__View *take_view(void) {
        uint32_t how = take(256), size = take(256);
        size_t n = MIN((size_t)size, in.size);
        Slumber__View *m = slumber__view__unpack(NULL, n, in.data);

        in.data += n;
        in.size -= n;
        if (!m || how % 4 == 0)
                return m;
        m->job_id = 7;
        m->restarts = 1;
        m->step_id = 2;
        m->viewer = how / 8 % 5;
        if (how / 4 % 2)
                m->token = TOKEN;
        return m;
}

static void view(uint32_t operation, struct peer *p) {
        Slumber__View *m = take_view();
        size_t srun = world.sent[TO_SRUN];

        if (!m)
                return;
        bool shows = m->token == TOKEN;
        ENVELOPE(env, VIEW, view, m);
        if (operation == 0)
                srun_streams_view(&world.agent, p, &env);
        else if (operation == 1)
                attach_take(&world.agent, &env);
        else if (operation == 2)
                srun_streams_answer(&world.client, &env);
        else
                attach_send(&viewer, &env);
        /* srun and sattach hear nothing from who does not show it, and never learn it */
        if (operation < 2 && !shows)
                assert(world.sent[TO_SRUN] == srun);
        if (operation < 2 && world.sent[TO_SRUN] > srun)
                assert(world.view.token == 0);
        slumber__view__free_unpacked(m, NULL);
}

/* Of a task, with some bytes or its end. */
static void output(struct peer *p) {
        static uint8_t bytes[64];
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        io.job_id = 7;
        io.restarts = 1;
        io.step_id = 2;
        io.token = TOKEN;
        io.number = take(12);
        io.rank = take(12);
        io.stream = take(4);
        io.offset = take(256);
        io.data.data = bytes;
        io.data.len = take(sizeof bytes);
        io.eof = take(2);
        ENVELOPE(env, STEP_IO, step_io, &io);
        (void)srun_streams_take(&world.agent, p, &env);
}

static void open_viewer(void) {
        Slumber__AttachReply m = SLUMBER__ATTACH_REPLY__INIT;
        Slumber__StepStreams streams = SLUMBER__STEP_STREAMS__INIT;
        char *home = (char *)(uintptr_t) "home:1";

        m.job_id = 7;
        m.step_id = 2;
        m.streams = take(4) ? &streams : NULL;
        streams.token = take(4) ? TOKEN : 0;
        streams.restarts = 1;
        streams.addresses = &home;
        streams.n_addresses = take(4) ? 1 : 0;
        attach_open(&viewer, &m);
}

static void operate(void) {
        static char *rows[] = { (char *)"n[1-9]:1" };
        uint32_t operation = take(12);
        struct peer *p = &world.peers[take(PEERS)];

        switch (operation) {
        case 4:
                output(p);
                break;
        case 5:
                srun_streams_lost(&world.agent, p, take(2));
                attach_lost(&world.agent, p);
                break;
        case 6:
                p->takes = take(2);
                p->up = take(2);
                p->queued = (size_t)take(256) << 16;
                break;
        case 7:
                world.queued = (size_t)take(256) << 14;
                break;
        case 8:
                world.reachable = take(2) ? "home:1" : NULL;
                break;
        case 9:
                open_viewer();
                break;
        case 10:
                attach_close(&viewer);
                break;
        case 11: /* it comes back */
                srun_streams_gone(&world.client);
                srun_streams_close(&world.client);
                world_srun(rows, 1);
                break;
        default:
                view(operation, p);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        static char *rows[] = { (char *)"n[1-9]:1" };

        in.data = data;
        in.size = size;
        world_begin();
        LIST_INIT(&world.agent.attached);
        viewer = (struct client){ .agent = &world.agent, .conn = (struct conn *)&world.client };
        world_srun(rows, 1);
        while (in.size > 0)
                operate();
        attach_close(&viewer);
        world_end();
        return 0;
}
