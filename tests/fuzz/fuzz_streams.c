/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A slumberd that has a step and a srun, between other slumberds, a step daemon and a command that
 * say whatever the input makes of StepIo.  The first bytes are the step; then follow operations, a
 * byte each, with a packed StepIo behind its length where they take one. */
#include "agent/streams/srun_streams.h"
#include "agent/streams/step_streams.h"
#include "tests/unit/streams_world.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
        const uint8_t *data;
        size_t size;
} in;

static uint32_t take(uint32_t below) {
        uint32_t v = in.size ? *in.data : 0;

        in.data += in.size != 0;
        in.size -= in.size != 0;
        return v % below;
}

/* Half of them show the token, and are of the step. */
static Slumber__StepIo *take_io(void) {
        uint32_t how = take(256), size = take(256);
        size_t n = MIN((size_t)size, in.size);
        Slumber__StepIo *io = slumber__step_io__unpack(NULL, n, in.data);

        in.data += n;
        in.size -= n;
        if (!io || how % 2)
                return io;
        io->job_id = 7;
        io->restarts = 1;
        io->step_id = 2;
        io->token = TOKEN;
        io->number = how / 2 % 12;
        return io;
}

static void message(uint32_t operation, struct peer *p) {
        Slumber__StepIo *io = take_io();
        size_t stepd = world.sent[TO_STEPD], srun = world.sent[TO_SRUN];

        if (!io)
                return;
        bool shows = io->token == TOKEN;
        ENVELOPE(env, STEP_IO, step_io, io);
        if (operation == 0)
                step_streams_take(&world.agent, p, &env);
        else if (operation == 1)
                (void)srun_streams_take(&world.agent, p, &env);
        else if (operation == 2)
                (void)srun_streams_send(&world.client, &env);
        else
                step_streams_send(&world.step, &env);
        if (operation < 2 && !shows)
                assert(world.sent[TO_STEPD] == stepd && world.sent[TO_SRUN] == srun);
        assert(world.last[TO_SRUN].token == 0 && world.last[TO_CONTROLLER].token == 0);
        slumber__step_io__free_unpacked(io, NULL);
}

static void operate(void) {
        uint32_t operation = take(10);
        struct peer *p = &world.peers[take(PEERS)];

        switch (operation) {
        case 4:
                step_streams_up(&world.step, p);
                srun_streams_up(&world.agent, p);
                break;
        case 5:
                step_streams_lost(&world.step, p, take(2));
                srun_streams_lost(&world.agent, p, take(2));
                break;
        case 6:
                p->takes = take(2);
                p->up = take(2);
                break;
        case 7:
                world.queued = (size_t)take(256) << 18;
                srun_streams_drained(&world.client);
                break;
        case 8:
                world.reachable = take(2) ? "home:1" : NULL;
                (void)sd_event_run(world.agent.event, 0);
                break;
        case 9:
                world.agent.node = (char *)(uintptr_t)(take(2) ? "n1" : "n3");
                break;
        default:
                message(operation, p);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        static char *rows[] = { (char *)"n[1-9]:1" };

        in.data = data;
        in.size = size;
        world_begin();
        uint32_t n = take(9) + 1;
        world_step(take(n), n, rows);
        if (take(2))
                world_srun(rows, 1);
        while (in.size > 0)
                operate();
        world_end();
        return 0;
}
