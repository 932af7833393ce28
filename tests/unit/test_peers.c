/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connections between slumberds, of which there are more than one slumberd takes. */
#include "tests/unit/test.h"

#define PEERS_MAX 3
#include "agent/peers/peers.c"

#define CLIENTS (PEERS_MAX + 2)

static struct {
        sd_event *event;
        struct peers *server, *clients[CLIENTS];
        size_t up, slow, lost, quiet;
        bool awaits;
} world;

static void on_up(struct peer *p, void *user) {
        (void)p, (void)user;
        world.up++;
}

static void on_slow(struct peer *p, void *user) {
        (void)p, (void)user;
        world.slow++;
}

static void on_lost(struct peer *p, bool quiet, void *user) {
        (void)p, (void)user;
        world.lost++;
        world.quiet += quiet;
}

static bool is_awaited(const struct peer *p, void *user) {
        (void)p, (void)user;
        return world.awaits;
}

static void on_any(struct peer *p, Envelope *env, void *user) {
        (void)p, (void)env, (void)user;
}

static void run_until(const size_t *count, size_t least) {
        for (int i = 0; i < 1000 && *count < least; i++)
                assert_true(sd_event_run(world.event, 100000) >= 0);
        assert_true(*count >= least);
}

static struct cluster_key *new_key(void) {
        char path[] = "/tmp/test-peers-XXXXXX";
        struct cluster_key *key = NULL;
        struct fail fail = { 0 };
        int fd = mkstemp(path);

        assert_int_equal(write(fd, "0123456789abcdef0123456789abcdef", 32), 32);
        close(fd);
        assert_int_equal(cluster_key_read(path, &key, &fail), 0);
        unlink(path);
        return key;
}

static void connections_in_use_are_not_given_up(void **state) {
        static const struct peers_ops one = { on_any, on_up, on_slow, on_lost, is_awaited };
        struct cluster_key *key = new_key();
        struct fail fail = { 0 };
        char address[32];

        assert_int_equal(sd_event_new(&world.event), 0);
        assert_int_equal(peers_new(world.event, key, &one, NULL, &world.server, &fail), 0);
        assert_int_equal(peers_listen(world.server, "127.0.0.1", 0, &fail), 0);
        snprintf(address, sizeof address, "127.0.0.1:%u", peers_port(world.server));
        for (size_t i = 0; i < CLIENTS; i++) {
                assert_int_equal(peers_new(world.event, key, &one, NULL, &world.clients[i], &fail),
                                0);
                assert_non_null(peers_get(world.clients[i], address));
                if (i < PEERS_MAX)
                        run_until(&world.up, i + 1);
        }
        run_until(&world.slow, CLIENTS - PEERS_MAX); /* their steps go another way */
        assert_int_equal(world.up, PEERS_MAX);
        assert_int_equal(world.lost, 0);
        world.clients[0] = peers_free(world.clients[0]);
        run_until(&world.up, PEERS_MAX + 1); /* there is room now */
        /* likewise of those that are made here */
        for (size_t i = 0; i < PEERS_MAX; i++) {
                snprintf(address, sizeof address, "127.0.0.%zu:%u", i + 2,
                                peers_port(world.server));
                assert_true((peers_get(world.clients[1], address) != NULL) == (i + 1 < PEERS_MAX));
        }
        /* one without use is closed, unless an answer may take long */
        struct peer *p = TAILQ_FIRST(&world.clients[2]->list);
        size_t lost = world.lost;
        p->used -= 2 * IDLE;
        world.awaits = true;
        (void)peers_on_idle_timer(world.clients[2]->idle, 0, world.clients[2]);
        assert_int_equal(world.lost, lost);
        world.awaits = false;
        (void)peers_on_idle_timer(world.clients[2]->idle, 0, world.clients[2]);
        assert_int_equal(world.lost, lost + 1);
        for (size_t i = 0; i < CLIENTS; i++)
                peers_free(world.clients[i]);
        peers_free(world.server);
        cluster_key_free(key);
        sd_event_unref(world.event);
}

/* Of what was read nothing is asked again; it would be by a connection for which another one goes.
 */
static void one_that_gives_way_is_quiet_when_all_was_read(void **state) {
        static const struct peers_ops one = { on_any, on_up, on_slow, on_lost, is_awaited };
        struct peers *servers[PEERS_MAX + 2] = { NULL }, *client = NULL;
        struct peer *peers[PEERS_MAX + 2] = { NULL };
        struct cluster_key *key = new_key();
        Slumber__NodeMessage m = SLUMBER__NODE_MESSAGE__INIT;
        struct fail fail = { 0 };

        (void)state;
        memset(&world, 0, sizeof world);
        assert_int_equal(sd_event_new(&world.event), 0);
        assert_int_equal(peers_new(world.event, key, &one, NULL, &client, &fail), 0);
        for (size_t i = 0; i < ELEMENTSOF(servers); i++) {
                _cleanup_free_ char *address = NULL;
                assert_int_equal(peers_new(world.event, key, &one, NULL, &servers[i], &fail), 0);
                assert_int_equal(peers_listen(servers[i], "127.0.0.1", 0, &fail), 0);
                address = xasprintf("127.0.0.1:%u", peers_port(servers[i]));
                if (i >= PEERS_MAX) {
                        assert_null(peers_get(client, address)); /* all are in use */
                        peers[i - PEERS_MAX]->used -= 2 * IN_USE;
                }
                size_t lost = world.lost;
                peers[i] = peers_get(client, address);
                assert_non_null(peers[i]);
                assert_int_equal(world.lost - lost, i >= PEERS_MAX);
                run_until(&world.up, i + 1);
                if (i == PEERS_MAX) { /* the first one that gave way had said nothing */
                        assert_int_equal(world.quiet, 1);
                        m.job_id = 1;
                        ENVELOPE(env, NODE_MESSAGE, node_message, &m);
                        assert_true(peer_send(peers[1], &env)); /* the second: not known */
                        while (peer_has_queue(peers[1]))
                                assert_true(sd_event_run(world.event, 100000) >= 0);
                }
        }
        assert_int_equal(world.quiet, 1);
        peers_free(client);
        for (size_t i = 0; i < ELEMENTSOF(servers); i++)
                peers_free(servers[i]);
        cluster_key_free(key);
        sd_event_unref(world.event);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(connections_in_use_are_not_given_up),
                cmocka_unit_test(one_that_gives_way_is_quiet_when_all_was_read),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
