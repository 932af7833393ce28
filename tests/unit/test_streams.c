/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams of steps in slumberd: which messages of other slumberds it believes, and where they go.
 */
#include "agent/nodes.h"
#include "agent/streams/srun_streams.h"
#include "agent/streams/step_streams.h"
#include "agent/tree_messages.h"
#include "agent/upstream.h"
#include "tests/unit/test.h"

#include "agent/tree/hop.h"
#include "tests/unit/streams_world.h"

#include "agent/streams/viewers.h"

static char *rows[] = { (char *)"n[1-9]:1" };
static uint8_t byte = 'x';

static Slumber__StepIo io_of(uint32_t number, bool to_node) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        io.job_id = 7;
        io.restarts = 1;
        io.step_id = 2;
        io.number = number;
        io.token = TOKEN;
        io.to_node = to_node;
        io.data.data = &byte;
        io.data.len = 1;
        return io;
}

static void come(Slumber__StepIo io, size_t peer) {
        ENVELOPE(env, STEP_IO, step_io, &io);
        if (io.to_node)
                step_streams_take(&world.agent, &world.peers[peer], &env);
        else
                (void)srun_streams_take(&world.agent, &world.peers[peer], &env);
}

static void node_believes_its_srun_alone(void **state) {
        Slumber__StepIo io = io_of(1, true);

        world_begin();
        world_step(0, 1, NULL);
        come(io, 0);
        assert_int_equal(world.sent[TO_STEPD], 1);
        io.token++;
        come(io, 0);
        io.token = 0;
        come(io, 0);
        io = io_of(2, true); /* not this node */
        come(io, 0);
        assert_int_equal(world.sent[TO_STEPD], 1);
        assert_int_equal(world.complaints, 3);
        assert_int_equal(world.sent[TO_PEER], 0); /* whoever forges learns nothing */
        io = io_of(1, true);
        io.step_id = 9;
        come(io, 0); /* its launch may be on its way */
        assert_int_equal(world.sent[TO_PEER], 1);
        assert_true(world.last[TO_PEER].lost);
        io = io_of(1, true);
        io.data.len = 0;
        io.signal = 15;
        io.token++;
        come(io, 0);
        assert_int_equal(world.signal, 0);
        io.token--;
        come(io, 0);
        assert_int_equal(world.signal, 15);
        world_end();
}

static void srun_hears_its_own_nodes_alone(void **state) {
        Slumber__StepIo io = io_of(1, false);

        world_begin();
        world_srun(rows, 1);
        come(io, 0);
        assert_int_equal(world.sent[TO_SRUN], 1);
        assert_int_equal(world.last[TO_SRUN].token, 0); /* it never learns it */
        io.token++;
        come(io, 0);
        come(io_of(0, false), 0);
        come(io_of(10, false), 0);
        assert_int_equal(world.sent[TO_SRUN], 1);
        assert_int_equal(world.complaints, 3);
        io = io_of(1, false);
        io.restarts = 0; /* of the job's earlier life */
        come(io, 0);
        assert_int_equal(world.sent[TO_SRUN], 1);
        assert_true(world.last[TO_PEER].lost);
        world_end();
}

static void what_the_controller_passes_on_of_a_loss_is_heard(void **state) {
        Slumber__StepIo io = io_of(7, false);

        world_begin();
        world_srun(rows, 1);
        assert_false(srun_streams_hear(&world.client, &io)); /* for srun */
        io.lost = io.busy = true;
        io.token = 0; /* the controller knows the node */
        assert_true(srun_streams_hear(&world.client, &io));
        for (int i = 0; i < 100 && world.backs == 0; i++)
                assert_true(sd_event_run(world.agent.event, 100000) >= 0);
        assert_int_equal(world.backs, 1); /* srun sends again what that node has not taken */
        io.number = 10;
        assert_false(srun_streams_hear(&world.client, &io));
        world_end();
}

static void srun_speaks_to_its_own_step_alone(void **state) {
        Slumber__StepIo io = io_of(0, false);
        ENVELOPE(env, STEP_IO, step_io, &io);

        world_begin();
        assert_false(srun_streams_send(&world.client,
                        &env)); /* it has none: the controller says so */
        world_srun(rows, 1);
        io.step_id = 3;
        assert_false(srun_streams_send(&world.client, &env));
        io.step_id = 2;
        io.node = (char *)(uintptr_t) "other";
        assert_true(srun_streams_send(&world.client, &env));
        assert_int_equal(world.sent[TO_PEER] + world.sent[TO_CONTROLLER], 0);
        io.node = (char *)(uintptr_t) "n2";
        assert_true(srun_streams_send(&world.client, &env));
        assert_int_equal(world.sent[TO_CONTROLLER], 1); /* little, and no connection */
        assert_int_equal(world.last[TO_CONTROLLER].token, 0);
        io.data.len = STEP_WINDOW + 1; /* no credit allows that */
        assert_true(srun_streams_send(&world.client, &env));
        assert_int_equal(world.sent[TO_PEER] + world.sent[TO_CONTROLLER], 1);
        world_end();
}

static void srun_that_does_not_read_is_asked_for_again(void **state) {
        world_begin();
        world_srun(rows, 1);
        world.queued = 64u << 20;
        come(io_of(1, false), 0);
        come(io_of(2, false), 0);
        assert_int_equal(world.sent[TO_SRUN], 0);
        world.queued = 0;
        srun_streams_drained(&world.client);
        for (int i = 0; i < 100 && world.backs < 2; i++)
                assert_true(sd_event_run(world.agent.event, 100000) >= 0);
        assert_int_equal(world.backs, 2);
        world_end();
}

static void daemon_that_does_not_read_asks_again(void **state) {
        Slumber__StepIo io = io_of(1, true), resume = SLUMBER__STEP_IO__INIT;
        ENVELOPE(env, STEP_IO, step_io, &resume);

        world_begin();
        world_step(0, 1, NULL);
        world.daemon_queued = GATE_DATA;
        come(io, 0);
        assert_true(world.last[TO_STEPD].lost); /* read behind what waits */
        come(io, 0);
        assert_int_equal(world.sent[TO_STEPD], 1); /* told once */
        io.data.len = 0;
        io.taken = 5;
        come(io, 0); /* an acknowledgement does not come again by itself */
        assert_int_equal(world.sent[TO_STEPD], 2);
        assert_int_equal(world.last[TO_STEPD].taken, 5);
        world.daemon_queued = GATE_MOST;
        come(io, 0);
        assert_int_equal(world.sent[TO_STEPD], 2);
        resume.resume = true;
        step_streams_send(&world.step, &env); /* it has read, and waits again */
        come(io, 0);
        assert_int_equal(world.sent[TO_STEPD], 3);
        assert_true(world.last[TO_STEPD].lost);
        world_end();
}

/* Where its output goes by the controller, and much waits for that. */
static void daemon_is_read_when_its_output_can_go(void **state) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;
        ENVELOPE(env, STEP_IO, step_io, &io);

        world_begin();
        world_step(0, 1, NULL);
        world.full = true;
        world.reachable = "none";
        io.data.data = &byte;
        io.data.len = 1;
        step_streams_send(&world.step, &env);
        assert_int_equal(world.sent[TO_CONTROLLER], 1);
        assert_true(world.daemon_paused);
        world.reachable = NULL;
        io.data.len = 100000; /* that takes a connection, which does not wait for the controller */
        step_streams_send(&world.step, &env);
        assert_int_equal(world.sent[TO_PEER], 1);
        assert_false(world.daemon_paused);
        world_end();
}

/* Its step alone waits: what can be said again is dropped, for the rest srun is not read. */
static void srun_waits_for_the_controller(void **state) {
        Slumber__StepIo io = io_of(0, false);
        ENVELOPE(env, STEP_IO, step_io, &io);

        world_begin();
        world_srun(rows, 1);
        world.full = true;
        io.node = (char *)(uintptr_t) "n2";
        assert_true(srun_streams_send(&world.client, &env));
        assert_int_equal(world.sent[TO_CONTROLLER], 0);
        assert_false(world.srun_paused);
        for (int i = 0; i < 100 && world.backs < 1; i++)
                assert_true(sd_event_run(world.agent.event, 100000) >= 0);
        assert_int_equal(world.backs, 1);
        io.data.len = 0;
        io.signal = 10;
        io.node = (char *)(uintptr_t) "n4";
        assert_true(srun_streams_send(&world.client, &env));
        assert_int_equal(world.sent[TO_CONTROLLER], 1);
        assert_true(world.srun_paused);
        world_end();
}

static void signal_is_passed_on_once(void **state) {
        Slumber__StepIo io = io_of(1, true);

        world_begin();
        world_step(0, 1, NULL);
        io.data.len = 0;
        io.signal = 10;
        io.signal_number = 1;
        come(io, 0);
        assert_int_equal(world.signal, 10);
        assert_int_equal(world.last[TO_PEER].signal_number, 1); /* srun need not send it again */
        world.signal = 0;
        come(io, 0);
        assert_int_equal(world.signal, 0);
        assert_int_equal(world.sent[TO_PEER], 2);
        step_streams_done(&world.step);
        world_step_of(0, 1, NULL, true); /* slumberd was killed */
        come(io, 0);
        assert_int_equal(world.signal, 0);
        io.signal_number = 2;
        come(io, 0);
        assert_int_equal(world.signal, 10);
        world_end();
}

static void node_whose_tasks_have_ended_has_no_more_input(void **state) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;
        Slumber__StepNotice exits = SLUMBER__STEP_NOTICE__INIT;
        ENVELOPE(env, STEP_IO, step_io, &io);
        uint32_t rank = 1;

        world_begin();
        world_srun(rows, 1);
        io.job_id = exits.job_id = 7;
        io.step_id = exits.step_id = 2;
        io.data.data = &byte;
        io.data.len = 100000;
        assert_true(srun_streams_send(&world.client, &env));
        assert_int_equal(world.sent[TO_PEER], 9);
        exits.kind = SLUMBER__STEP_NOTICE__KIND__TASK_EXIT;
        exits.node = (char *)(uintptr_t) "n2";
        exits.ranks = &rank;
        exits.n_ranks = 1;
        srun_streams_notice(&world.client, &exits);
        assert_true(srun_streams_send(&world.client, &env));
        assert_int_equal(world.sent[TO_PEER], 17);
        assert_int_equal(world.sent[TO_CONTROLLER], 0);
        io.node = (char *)(uintptr_t) "n2";
        io.data.len = 0;
        io.taken = 5; /* its output may be under way */
        assert_true(srun_streams_send(&world.client, &env));
        assert_int_equal(world.sent[TO_PEER], 18);
        world_end();
}

static void input_for_all_goes_once_to_each_hop(void **state) {
        Slumber__StepIo io = io_of(0, false), lost = io_of(2, false);
        ENVELOPE(env, STEP_IO, step_io, &io);

        world_begin();
        world.copies = true;
        world_srun(rows, 1);
        io.numbers = (char *)(uintptr_t) "1-100000"; /* srun has no say in it */
        io.data.len = 100000;
        assert_true(srun_streams_send(&world.client, &env));
        assert_int_equal(world.sent[TO_PEER], 1);
        assert_string_equal(world.numbers[TO_PEER], "1-9");
        assert_int_equal(world.last[TO_PEER].token, TOKEN);
        lost.lost = lost.busy = true; /* what of it did not reach some */
        lost.data.len = 0;
        lost.numbers = (char *)(uintptr_t) "2-4";
        come(lost, 0);
        for (int i = 0; i < 100 && world.backs < 3; i++)
                assert_true(sd_event_run(world.agent.event, 100000) >= 0);
        assert_int_equal(world.backs, 3);
        lost.numbers = (char *)(uintptr_t) "2-10"; /* of a node that it does not have */
        come(lost, 0);
        assert_int_equal(sd_event_run(world.agent.event, 3 * WAY_MOMENT), 0);
        assert_int_equal(world.backs, 3);
        io.node = (char *)(uintptr_t) "n2"; /* one that sends again */
        assert_true(srun_streams_send(&world.client, &env));
        assert_string_equal(world.numbers[TO_PEER], "");
        assert_int_equal(world.sent[TO_PEER], 2);
        world.peers[0].takes = false;
        io.node = (char *)(uintptr_t) "";
        assert_true(srun_streams_send(&world.client, &env));
        for (int i = 0; i < 100 && world.backs < 12; i++)
                assert_true(sd_event_run(world.agent.event, 100000) >= 0);
        assert_int_equal(world.backs, 12); /* each is sent to again */
        world_end();
}

static void hop_copies_input_for_those_below(void **state) {
        Slumber__StepIo io = io_of(1, true);

        world_begin();
        world_step(0, 9, rows); /* number 1: below it are 3, 4, 7, 8, 9 */
        io.numbers = (char *)(uintptr_t) "1,3-4,7-9";
        come(io, 1);
        assert_int_equal(world.sent[TO_STEPD], 1);
        assert_string_equal(world.numbers[TO_STEPD], "");
        assert_int_equal(world.sent[TO_PEER], 1);
        assert_string_equal(world.numbers[TO_PEER], "3-4,7-9");
        io.number = 7;
        io.numbers = (char *)(uintptr_t) "7";
        come(io, 1);
        assert_int_equal(world.last[TO_PEER].number, 7);
        assert_string_equal(world.numbers[TO_PEER], "");
        assert_int_equal(world.sent[TO_STEPD], 1);
        static const char *const wrong[] = { "1-3", "0-1", "1,10", "x", "1-" };
        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                io.numbers = (char *)(uintptr_t)wrong[i];
                come(io, 1);
                assert_int_equal(world.complaints, i + 1);
        }
        io.numbers = (char *)(uintptr_t) "1,3-4";
        io.token++;
        come(io, 1);
        assert_int_equal(world.complaints, ELEMENTSOF(wrong) + 1);
        assert_int_equal(world.sent[TO_PEER] + world.sent[TO_STEPD], 3);
        step_streams_lost(&world.step, &world.peers[0], true);
        world.reachable = "home:1"; /* none of those below: srun is told which */
        io.token--;
        come(io, 1);
        assert_int_equal(world.sent[TO_STEPD], 2);
        assert_true(world.last[TO_PEER].lost && !world.last[TO_PEER].to_node);
        assert_string_equal(world.numbers[TO_PEER], "3-4");
        world_end();
}

static void empty_input_makes_no_connection(void **state) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;
        ENVELOPE(env, STEP_IO, step_io, &io);

        world_begin();
        world_srun(rows, 1);
        io.job_id = 7;
        io.step_id = 2;
        io.eof = true;
        assert_true(srun_streams_send(&world.client, &env));
        assert_int_equal(world.sent[TO_CONTROLLER], 1);
        assert_int_equal(sd_event_run(world.agent.event, 2 * WAY_MOMENT), 0);
        assert_int_equal(world.backs, 0);                    /* nothing to repeat */
        assert_true(srun_streams_send(&world.client, &env)); /* later: the controller may be dead */
        for (int i = 0; i < 100 && world.backs < 9; i++)
                assert_true(sd_event_run(world.agent.event, 100000) >= 0);
        assert_int_equal(world.backs, 9);
        world_end();
}

static void inner_node_passes_on(void **state) {
        Slumber__StepIo io = io_of(7, false);

        world_begin();
        world_step(0, 9, rows); /* number 1: below it are 3, 4, 7, 8, 9 */
        world.reachable = "home:1";
        come(io, 1);
        assert_int_equal(world.sent[TO_PEER], 1);
        assert_ptr_equal(world.last_peer, &world.peers[0]);
        assert_int_equal(world.last[TO_PEER].number, 7);
        come(io_of(7, true), 0); /* back as it has come */
        assert_int_equal(world.sent[TO_PEER], 2);
        assert_ptr_equal(world.last_peer, &world.peers[1]);
        io.token++;
        come(io, 1);
        assert_int_equal(world.sent[TO_PEER], 2);
        assert_int_equal(world.complaints, 1);
        step_streams_lost(&world.step, &world.peers[1], false); /* srun is told to send again */
        assert_int_equal(world.sent[TO_PEER], 3);
        assert_true(world.last[TO_PEER].lost && !world.last[TO_PEER].to_node);
        come(io_of(7, true), 0); /* no way there */
        assert_int_equal(world.sent[TO_PEER], 4);
        assert_true(world.last[TO_PEER].lost);
        world.reachable = "n7:1"; /* past n3 */
        come(io_of(7, true), 0);
        assert_int_equal(world.sent[TO_PEER], 5);
        assert_false(world.last[TO_PEER].lost);
        assert_int_equal(world.sent[TO_STEPD], 0);
        world_end();
}

/* Its slumberd was killed, and runs a part of the step. */
static void node_that_is_not_below_waits_for_srun(void **state) {
        world_begin();
        world_step(0, 9, rows);
        come(io_of(5, false), 1);
        assert_int_equal(world.sent[TO_PEER], 1);
        assert_true(world.last[TO_PEER].lost && world.last[TO_PEER].to_node);
        assert_int_equal(world.complaints, 0);
        world_end();
}

/* It would send to itself without end. */
static void node_whose_srun_has_gone_passes_nothing_on(void **state) {
        static char *own_rows[] = { (char *)"home:1", (char *)"n[2-9]:1" };

        world_begin();
        world_step(0, 9, NULL);
        step_streams_nodes(&world.step, own_rows, 2, 2);
        come(io_of(7, false), 1);
        assert_int_equal(world.sent[TO_PEER], 1); /* the answer: the way is lost for now */
        assert_ptr_equal(world.last_peer, &world.peers[1]);
        assert_true(world.last[TO_PEER].lost);
        assert_true(world.last[TO_PEER].to_node);
        assert_int_equal(world.complaints, 0);
        world_end();
}

static void parent_that_is_away_is_passed_over(void **state) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;
        ENVELOPE(env, STEP_IO, step_io, &io);

        world_begin();
        world_step(6, 9, rows); /* number 7: its parent is n3, then n1, then home */
        world.reachable = "home:1";
        io.data.data = &byte;
        io.data.len = 100000;
        step_streams_send(&world.step, &env);
        for (int i = 0; i < 100 && world.sent[TO_STEPD] == 0; i++)
                assert_true(sd_event_run(world.agent.event, 100000) >= 0);
        assert_true(world.last[TO_STEPD].lost);
        assert_int_equal(world.sent[TO_CONTROLLER], 0);
        step_streams_send(&world.step, &env);
        assert_int_equal(world.sent[TO_PEER], 1);
        assert_int_equal(world.last[TO_PEER].number, 7);
        world_end();
}

static void parent_that_is_back_is_used_again(void **state) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;
        ENVELOPE(env, STEP_IO, step_io, &io);
        struct way *way = &world.step.streams.route.way;

        world_begin();
        world_step(6, 9, rows);
        world.reachable = "home:1";
        io.data.data = &byte;
        io.data.len = 100000;
        step_streams_send(&world.step, &env);
        for (int i = 0; i < 100 && world.sent[TO_STEPD] == 0; i++)
                assert_true(sd_event_run(world.agent.event, 100000) >= 0);
        assert_string_equal(world.step.streams.route.address, "home:1");
        assert_true(way->back_at >= now_monotonic() + 20 * USEC_PER_SEC);
        world.reachable = NULL; /* all of them: n3 is the nearest */
        way->back_at = 1;
        step_streams_send(&world.step, &env);
        for (int i = 0; i < 100 && world.sent[TO_STEPD] < 2; i++)
                assert_true(sd_event_run(world.agent.event, 100000) >= 0);
        assert_string_equal(world.step.streams.route.address, "n3:1");
        assert_int_equal(way->state, WAY_UP);
        assert_int_equal(way->back_at, 0);
        assert_true(world.last[TO_STEPD].lost); /* what was under way by the other one */
        world_end();
}

static void output_does_not_wait_for_a_silent_address(void **state) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;
        ENVELOPE(env, STEP_IO, step_io, &io);

        world_begin();
        world_step(0, 1, NULL);
        world.peers[0].up = false;
        io.data.data = &byte;
        io.data.len = 100000;
        step_streams_send(&world.step, &env); /* it waits in the connection */
        assert_int_equal(world.sent[TO_PEER], 1);
        step_streams_slow(&world.step, &world.peers[0]);
        assert_true(world.last[TO_STEPD].lost);
        step_streams_send(&world.step, &env);
        assert_int_equal(world.sent[TO_CONTROLLER], 1);
        step_streams_done(&world.step);
        world_step(0, 1, NULL); /* the next step does not even try */
        world.peers[0].slow = true;
        step_streams_send(&world.step, &env);
        assert_int_equal(world.sent[TO_CONTROLLER], 2);
        assert_int_equal(world.sent[TO_PEER], 1);
        world.peers[0].up = true; /* it stands after all */
        step_streams_up(&world.step, &world.peers[0]);
        step_streams_send(&world.step, &env);
        assert_int_equal(world.sent[TO_PEER], 2);
        world_end();
}

static void controller_that_stands_still_holds_no_stream_up(void **state) {
        Slumber__StepIo io = io_of(0, false), below = io_of(7, false);
        ENVELOPE(env, STEP_IO, step_io, &io);

        world_begin();
        world_srun(rows, 1);
        world.full = true;
        io.node = (char *)(uintptr_t) "n2";
        assert_true(srun_streams_send(&world.client, &env)); /* little: by the controller */
        assert_int_equal(world.sent[TO_CONTROLLER], 0);      /* ... which takes no more */
        for (int i = 0; i < 100 && world.backs == 0; i++)
                assert_true(sd_event_run(world.agent.event, 100000) >= 0);
        assert_int_equal(world.backs, 1); /* srun sends it again */
        io.data.len = 100000;
        assert_true(srun_streams_send(&world.client, &env));
        assert_int_equal(world.sent[TO_PEER], 1);
        world_end();

        world_begin();
        world_step(0, 9, rows);
        world.reachable = "nowhere";
        world.full = true;
        come(below, 1);
        come(below, 1);
        assert_int_equal(world.sent[TO_CONTROLLER], 0);
        assert_true(world.last[TO_PEER].lost && world.last[TO_PEER].busy);
        world.full = false;
        come(below, 1);
        assert_int_equal(world.sent[TO_CONTROLLER], 1);
        world_end();
}

/* ---- messages of step daemons ---- */

static const struct peers_ops *ops;

int peers_new(sd_event *event, const struct cluster_key *key, const struct peers_ops *theirs,
                void *user, struct peers **ret, struct fail *fail) {
        (void)event, (void)key, (void)user, (void)ret, (void)fail;
        ops = theirs;
        return 0;
}

struct peers *peers_free(struct peers *all) {
        (void)all;
        return NULL;
}

int peers_listen(struct peers *all, const char *address, uint16_t port, struct fail *fail) {
        (void)all, (void)address, (void)port, (void)fail;
        return 0;
}

uint16_t peers_port(const struct peers *all) {
        (void)all;
        return 6818;
}

uint16_t spool_read_port(void) {
        return 0;
}

void upstream_follow(struct agent *a, const Slumber__NewPrimary *m) {
        (void)a, (void)m;
}

void tree_begin(struct agent *a) {
        (void)a;
}

void tree_done(struct agent *a) {
        (void)a;
}

void tree_take(struct agent *a, struct peer *p, Envelope *env) {
        (void)a, (void)p, (void)env;
}

void tree_answered(struct agent *a, struct peer *p, Slumber__TreeAnswer *m) {
        (void)a, (void)p, (void)m;
}

bool hops_wait_for(const struct hops *all, const struct peer *p) {
        return false;
}

void hops_lost(struct hops *all, const struct peer *p, bool quiet) {
        (void)all, (void)p, (void)quiet;
}

void spool_write_port(uint16_t port) {
        (void)port;
}

static void node_message_shows_the_token(void **state) {
        Slumber__NodeMessage m = SLUMBER__NODE_MESSAGE__INIT;
        ENVELOPE(env, NODE_MESSAGE, node_message, &m);

        world_begin();
        world_step(0, 3, NULL);
        assert_int_equal(nodes_listen(&world.agent, NULL), 0);
        m.job_id = 7;
        m.restarts = 1;
        m.step_id = 2;
        m.from = 1;
        m.serial = 1;
        m.token = TOKEN + 1;
        ops->message(&world.peers[0], &env, &world.agent);
        m.token = 0;
        ops->message(&world.peers[0], &env, &world.agent);
        assert_int_equal(world.sent[TO_STEPD] + world.sent[TO_PEER], 0);
        m.token = TOKEN;
        ops->message(&world.peers[0], &env, &world.agent);
        assert_int_equal(world.sent[TO_STEPD], 1);
        m.from = 3; /* no node of the step */
        ops->message(&world.peers[0], &env, &world.agent);
        assert_int_equal(world.sent[TO_STEPD], 1);
        free(world.step.peers);
        world_end();
}

/* ---- sattach ---- */

static void look(uint64_t viewer, size_t peer, uint64_t token, Slumber__View__Kind kind) {
        Slumber__View m = SLUMBER__VIEW__INIT;

        m.kind = kind;
        m.job_id = 7;
        m.restarts = 1;
        m.step_id = 2;
        m.token = token;
        m.viewer = viewer;
        ENVELOPE(env, VIEW, view, &m);
        srun_streams_view(&world.agent, &world.peers[peer], &env);
}

static void output_at(uint64_t offset, size_t size) {
        static uint8_t bytes[100];
        Slumber__StepIo io = io_of(1, false);

        io.stream = 1;
        io.offset = offset;
        io.data.data = bytes;
        io.data.len = size;
        come(io, 0);
}

static void sattach_sees_what_srun_is_given_once(void **state) {
        (void)state;
        world_begin();
        world_srun(rows, 1);
        look(5, 1, TOKEN + 1, SLUMBER__VIEW__KIND__BEGIN); /* it learns nothing */
        assert_int_equal(world.views, 0);
        assert_int_equal(world.complaints, 1);
        look(5, 1, TOKEN, SLUMBER__VIEW__KIND__BEGIN);
        assert_int_equal(world.view.kind, SLUMBER__VIEW__KIND__BEGIN);
        assert_true(world.last_peer == &world.peers[1] && world.view.to_viewer);
        output_at(40, 10);
        assert_int_equal(world.view.kind, SLUMBER__VIEW__KIND__OUTPUT);
        assert_int_equal(world.view.offset, 40);
        output_at(45, 10); /* again, and more */
        assert_int_equal(world.view.offset, 50);
        assert_int_equal(world.view.data.len, 5);
        output_at(60, 10); /* behind a gap: it comes again */
        output_at(40, 10);
        assert_int_equal(world.views, 3);
        world.queued = 64u << 20; /* srun does not read: it comes again */
        output_at(55, 10);
        assert_int_equal(world.views, 3);
        world.queued = 0;
        output_at(55, 10);
        assert_int_equal(world.views, 4);
        world.peers[1].queued = VIEWER_QUEUE; /* sattach's host does not: it is left out */
        output_at(65, 10);
        assert_int_equal(world.views, 4);
        world.peers[1].queued = 0;
        output_at(75, 10);
        assert_int_equal(world.view.offset, 75);
        srun_streams_gone(&world.client);
        assert_int_equal(world.view.kind, SLUMBER__VIEW__KIND__GONE);
        world_end();
}

static void sattaches_are_limited_and_forgotten(void **state) {
        (void)state;
        world_begin();
        world_srun(rows, 1);
        for (uint64_t i = 1; i <= VIEWERS_MAX + 1; i++)
                look(i, 1, TOKEN, SLUMBER__VIEW__KIND__BEGIN);
        assert_int_equal(world.view.kind, SLUMBER__VIEW__KIND__FULL);
        look(1, 1, TOKEN, SLUMBER__VIEW__KIND__BEGIN); /* it is one already */
        assert_int_equal(world.view.kind, SLUMBER__VIEW__KIND__BEGIN);
        srun_streams_lost(&world.agent, &world.peers[1], false);
        size_t before = world.views;
        output_at(0, 10);
        assert_int_equal(world.views, before);
        look(1, 2, TOKEN, SLUMBER__VIEW__KIND__BEGIN);
        world_srun(rows, 1); /* srun asks again for its step: sattaches stay */
        output_at(10, 10);
        assert_int_equal(world.view.kind, SLUMBER__VIEW__KIND__OUTPUT);
        look(1, 2, TOKEN, SLUMBER__VIEW__KIND__INPUT);
        assert_int_equal(world.view.token, 0); /* srun never learns it */
        world_end();
}

/* One that has gone says so; its slumberd may have ended, too. */
static void sattaches_that_are_gone_make_room(void **state) {
        struct viewers *v = viewers_new(1);
        Slumber__View m = SLUMBER__VIEW__INIT;

        (void)state;
        world_begin();
        world_srun(rows, 1);
        for (uint64_t i = 1; i <= VIEWERS_MAX; i++)
                look(i, 1, TOKEN, SLUMBER__VIEW__KIND__BEGIN);
        look(3, 1, TOKEN, SLUMBER__VIEW__KIND__GONE);
        look(VIEWERS_MAX + 1, 1, TOKEN, SLUMBER__VIEW__KIND__BEGIN);
        assert_int_equal(world.view.kind, SLUMBER__VIEW__KIND__BEGIN);
        world_end();
        for (m.viewer = 1; m.viewer <= VIEWERS_MAX; m.viewer++)
                viewers_begin(v, &world.peers[1], &m, USEC_PER_MSEC * m.viewer);
        viewers_begin(v, &world.peers[1], &m, VIEWER_SILENT);
        assert_int_equal(world.view.kind, SLUMBER__VIEW__KIND__FULL);
        viewers_begin(v, &world.peers[1], &m, VIEWER_SILENT + USEC_PER_MSEC);
        assert_int_equal(world.view.kind, SLUMBER__VIEW__KIND__BEGIN);
        viewers_free(v);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(sattach_sees_what_srun_is_given_once),
                cmocka_unit_test(sattaches_are_limited_and_forgotten),
                cmocka_unit_test(sattaches_that_are_gone_make_room),
                cmocka_unit_test(node_believes_its_srun_alone),
                cmocka_unit_test(srun_hears_its_own_nodes_alone),
                cmocka_unit_test(what_the_controller_passes_on_of_a_loss_is_heard),
                cmocka_unit_test(srun_speaks_to_its_own_step_alone),
                cmocka_unit_test(srun_that_does_not_read_is_asked_for_again),
                cmocka_unit_test(daemon_that_does_not_read_asks_again),
                cmocka_unit_test(daemon_is_read_when_its_output_can_go),
                cmocka_unit_test(srun_waits_for_the_controller),
                cmocka_unit_test(signal_is_passed_on_once),
                cmocka_unit_test(node_whose_tasks_have_ended_has_no_more_input),
                cmocka_unit_test(input_for_all_goes_once_to_each_hop),
                cmocka_unit_test(hop_copies_input_for_those_below),
                cmocka_unit_test(empty_input_makes_no_connection),
                cmocka_unit_test(inner_node_passes_on),
                cmocka_unit_test(node_message_shows_the_token),
                cmocka_unit_test(controller_that_stands_still_holds_no_stream_up),
                cmocka_unit_test(output_does_not_wait_for_a_silent_address),
                cmocka_unit_test(node_that_is_not_below_waits_for_srun),
                cmocka_unit_test(node_whose_srun_has_gone_passes_nothing_on),
                cmocka_unit_test(parent_that_is_away_is_passed_over),
                cmocka_unit_test(parent_that_is_back_is_used_again),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
