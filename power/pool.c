/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handles many BMCs at once, by worker threads around blocking drivers.
 *
 * A task is one node. Its worker opens a session, reads, sends and reads back as power/plan.c
 * decides, and puts the task back with a time if the wait is long: each BMC has one request at a
 * time, and no thread sleeps long. Tasks wait in two lanes. A task with a silent BMC, or with a
 * turn longer than TURN_SLOW, moves to the slow lane, which has its own threads: dead BMCs never
 * delay live ones. A task whose BMC answers after all returns to the fast lane.
 *
 * The thread calling power_pool_run() works on no BMC. It moves slow turns to the slow lane, starts
 * threads while a lane has work and width, and finishes tasks past their deadline even if a worker
 * is still in a driver's call, which cannot be cancelled. The worker later finds the task finished
 * and drops it.
 *
 * A request that changes power holds a lock for its BMC until it has its result: one process's "on"
 * waits for another's "off". Locks are ranges of one file, by a hash of the address; two BMCs
 * sharing a hash merely wait for each other. The kernel releases the locks of a dead process.
 *
 * struct power_pool is protected by its lock; a worker's turn uses a copy of the plan. */
#include "power/plan.h"
#include "power/via.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>

/* A live BMC has answered all requests by then, or is so far away that more BMCs should be asked at
   a time anyway. */
#define TURN_SLOW (250 * USEC_PER_MSEC)
/* Dead BMCs asked at a time; a waiting thread costs 60 KB. */
#define SLOW_THREADS 256
#define SLOW_MAX     1024          /* including those found out in the fast lane */
#define STACK_SIZE   (1024 * 1024) /* libfreeipmi has frames of several 64 KB packets */
#define SHORT_WAIT                                                                                 \
        (60 * USEC_PER_MSEC) /* waited with the session open: a new session costs five messages */
/* Time for a worker to report its own deadline. */
#define GRACE        (300 * USEC_PER_MSEC)
#define REPORT_GRACE (3 * USEC_PER_SEC)        /* time for another host's report to arrive */
#define LOCK_FILE    "/run/slumber/power.lock" /* if the folder exists */
/* Interval of checks for slow turns and deadlines. */
#define WATCH (50 * USEC_PER_MSEC)

enum task_state {
        TASK_WAITING, /* in the lane's heap */
        TASK_RUNNING,
        TASK_ELSEWHERE, /* another host handles the node and reports */
        TASK_FINISHED,  /* a worker may still be in its call */
};
enum lane_id {
        LANE_FAST,
        LANE_SLOW,
        LANE_MAX,
};

struct task {
        const struct power_bmc *bmc;
        struct power_result result;
        char *node;
        struct plan plan;
        enum task_state state;
        enum lane_id lane;
        usec_t ready, started;
        bool asked, released; /* asked: the hook was called; released: the hook's wait has ended */
        bool locked;          /* against other processes */
        void *session;        /* kept between turns; owned by the worker while running */
        size_t place;         /* in the heap */
};
struct lane {
        struct task **heap; /* ordered by ready */
        size_t n, allocated;
        unsigned running, width;
};
struct power_pool {
        pthread_mutex_t lock;
        pthread_cond_t work, news; /* work: for workers; news: for power_pool_run() */
        unsigned refs;
        struct power_conf *conf;
        enum power_verb verb;
        usec_t deadline, began;
        bool (*before_on)(size_t i, void *userdata);
        void *before_on_userdata;
        usec_t before_on_wait;
        struct task *tasks;
        size_t n, allocated, finished;
        size_t *order; /* tasks in order of completion */
        struct lane lanes[LANE_MAX];
        unsigned threads, idle, running; /* running: turns not given up */
        bool closing;
        int lock_fd;
};

/* ---- lanes: heaps ordered by time ---- */

static void heap_put(struct lane *lane, size_t i, struct task *t) {
        lane->heap[i] = t;
        t->place = i;
}

static void heap_up(struct lane *lane, size_t i) {
        struct task *t = lane->heap[i];

        for (; i > 0 && lane->heap[(i - 1) / 2]->ready > t->ready; i = (i - 1) / 2)
                heap_put(lane, i, lane->heap[(i - 1) / 2]);
        heap_put(lane, i, t);
}

static void heap_down(struct lane *lane, size_t i) {
        struct task *t = lane->heap[i];

        for (size_t child; (child = 2 * i + 1) < lane->n; i = child) {
                if (child + 1 < lane->n && lane->heap[child + 1]->ready < lane->heap[child]->ready)
                        child++;
                if (lane->heap[child]->ready >= t->ready)
                        break;
                heap_put(lane, i, lane->heap[child]);
        }
        heap_put(lane, i, t);
}

static void lane_add(struct lane *lane, struct task *t) {
        GROW(lane->heap, lane->allocated, lane->n);
        heap_put(lane, lane->n++, t);
        heap_up(lane, lane->n - 1);
}

static void lane_remove(struct lane *lane, struct task *t) {
        size_t i = t->place;
        struct task *last = lane->heap[--lane->n];

        if (last == t)
                return;
        heap_put(lane, i, last);
        heap_up(lane, i);
        heap_down(lane, last->place);
}

/* Returns a task due now in a lane with free width. */
static struct task *pool_next_task(struct power_pool *p, usec_t now) {
        for (enum lane_id l = 0; l < LANE_MAX; l++) {
                struct lane *lane = &p->lanes[l];
                if (lane->n && lane->running < lane->width && lane->heap[0]->ready <= now)
                        return lane->heap[0];
        }
        return NULL;
}

static usec_t pool_next_time(const struct power_pool *p) {
        usec_t t = USEC_INFINITY;

        for (enum lane_id l = 0; l < LANE_MAX; l++)
                if (p->lanes[l].n && p->lanes[l].running < p->lanes[l].width)
                        t = MIN(t, p->lanes[l].heap[0]->ready);
        return t;
}

/* ---- locks against other processes ---- */

static int lock_open(const struct power_conf *conf, struct fail *fail) {
        const char *path = conf->lock_file ? conf->lock_file : LOCK_FILE;
        _cleanup_free_ char *folder = xstrndup(path, (size_t)(strrchr(path, '/') - path));
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0600);
        struct stat st;

        if (fd < 0)
                return conf->lock_file ? fail_set(fail, -errno, "lock file %s: %s", path,
                                                         strerror(errno))
                                       : 0;
        /* If root creates the file in the daemon's folder, the daemon gets it. */
        if (geteuid() == 0 && (stat(folder, &st) < 0 || fchown(fd, st.st_uid, st.st_gid) < 0)) {
                close(fd);
                return fail_set(fail, -errno, "lock file %s: %s", path, strerror(errno));
        }
        return fd;
}

static int lock_set(int fd, const struct power_bmc *bmc, short type) {
        uint64_t hash = 14695981039346656037u; /* FNV-1a */
        struct flock lock = { .l_type = type, .l_whence = SEEK_SET, .l_len = 1 };

        const char *const parts[] = { bmc->address, bmc->unit ? bmc->unit : "",
                bmc->access->driver->many ? bmc->node : "" };

        for (size_t i = 0; i < ELEMENTSOF(parts); i++)
                for (const char *p = parts[i]; *p; p++)
                        hash = (hash ^ (uint8_t)*p) * 1099511628211u;
        lock.l_start = (off_t)(hash >> 2);
        return fcntl(fd, F_OFD_SETLK, &lock) < 0 ? -errno : 0;
}

/* ---- one turn with one BMC, without the pool's lock ---- */

static void sleep_until(usec_t when) {
        struct timespec ts = { (time_t)(when / USEC_PER_SEC), (long)(when % USEC_PER_SEC * 1000) };

        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
                ;
}

/* Asks the node's slumberd to power off; returns 1 if the node's power cannot be read back. */
static int ask_agent(const struct power_bmc *bmc, const struct plan *plan,
                struct power_cause *cause) {
        usec_t now = now_monotonic();
        int r = power_ask_node(bmc->node, power_driver_logind_poweroff(),
                        plan->deadline - MIN(now, plan->deadline), cause);

        return r < 0 ? r : bmc->access->driver->silence_is_off && !bmc->unit;
}

/* Reads the state first: the identity takes dozens of requests. */
static enum plan_act task_check(const struct power_driver *driver, void *session,
                struct plan *plan) {
        struct power_identity identity = { 0 };
        enum power_state state = POWER_UNKNOWN;
        struct power_cause cause = { 0 };
        bool reads = !plan->read;
        int r = reads              ? driver->status(session, &state, &cause)
                : driver->identify ? driver->identify(session, &identity, &cause)
                                   : 0;

        if (r < 0)
                return plan_fault(plan, &cause, now_monotonic());
        return reads ? plan_check_seen(plan, state, now_monotonic())
                     : plan_checked(plan, &identity);
}

/* Stores the state of a check: the deadline may pass before the turn ends. */
static void keep_reading(struct power_pool *p, struct task *t, const struct plan *plan) {
        pthread_mutex_lock(&p->lock);
        if (t->state == TASK_RUNNING) {
                t->plan.read = plan->read;
                t->plan.state = plan->state;
        }
        pthread_mutex_unlock(&p->lock);
}

static enum plan_act task_request(const struct power_bmc *bmc, void *session, struct plan *plan,
                enum plan_act act) {
        static const enum power_verb verb_of[] = {
                [PLAN_SEND_ON] = POWER_ON,
                [PLAN_SEND_OFF] = POWER_OFF,
                [PLAN_SEND_SOFT] = POWER_SOFT,
        };
        const struct power_driver *driver = bmc->access->driver;
        struct power_cause cause = { 0 };
        enum power_state state = POWER_UNKNOWN;
        double watts = 0;
        int r;

        if (plan->verb == POWER_WATTS) {
                if (!driver->watts) {
                        cause.fault = POWER_FAULT_REFUSED;
                        r = fail_set(&cause.fail, -EOPNOTSUPP, "driver %s measures no power",
                                        driver->name);
                } else
                        r = driver->watts(session, &watts, &cause);
                return r < 0 ? plan_fault(plan, &cause, now_monotonic())
                             : plan_measured(plan, watts);
        }
        if (plan->verb == POWER_CHECK)
                return task_check(driver, session, plan);
        if (act == PLAN_READ) {
                r = driver->status(session, &state, &cause);
                return r < 0 ? plan_fault(plan, &cause, now_monotonic())
                             : plan_seen(plan, state, now_monotonic());
        }
        r = act == PLAN_SEND_SOFT && bmc->access->soft_by_agent
                            ? ask_agent(bmc, plan, &cause)
                            : driver->control(session, verb_of[act], &cause);
        if (r < 0)
                return plan_fault(plan, &cause, now_monotonic());
        return r > 0 ? plan_sent_unread(plan, now_monotonic()) : plan_sent(plan, now_monotonic());
}

/* True if the turn ends: the work is done, or the next reading is far off. */
static bool turn_over(const struct plan *plan, enum plan_act act, usec_t now) {
        if (act == PLAN_DONE || act == PLAN_FAILED)
                return true;
        return act == PLAN_READ && plan->when > now + SHORT_WAIT;
}

/* True if the hook delays the node's power-on. */
static bool held_before_on(struct power_pool *p, struct task *t) {
        if (!p->before_on || t->asked)
                return false;
        t->asked = true; /* accessed only by a running task's worker */
        return p->before_on((size_t)(t - p->tasks), p->before_on_userdata);
}

static enum plan_act task_turn(struct power_pool *p, struct task *t, struct plan *plan) {
        const struct power_bmc *bmc = t->bmc;
        const struct power_driver *driver = bmc->access->driver;
        struct power_cause cause = { 0 };
        enum plan_act act = PLAN_READ;
        usec_t now = now_monotonic();
        void *session = TAKE(t->session);

        if (now >= plan->deadline) {
                if (session)
                        driver->close(session);
                return plan_expired(plan);
        }
        if (p->lock_fd >= 0 && !t->locked) {
                if (lock_set(p->lock_fd, bmc, F_WRLCK) < 0)
                        return plan_held(plan, now);
                t->locked = true;
        }
        if (!session && driver->open(bmc, plan->deadline - now, &session, &cause) < 0)
                return plan_fault(plan, &cause, now_monotonic());
        for (;;) {
                act = task_request(bmc, session, plan, act);
                now = now_monotonic();
                if (plan->read)
                        keep_reading(p, t, plan);
                /* The session is not trusted after a fault. */
                if (plan->faults || turn_over(plan, act, now))
                        break;
                if (act == PLAN_SEND_ON && held_before_on(p, t)) {
                        plan->when = now + p->before_on_wait;
                        act = PLAN_READ;
                        break;
                }
                if (act == PLAN_READ && plan->when > now)
                        sleep_until(plan->when);
        }
        if (driver->keeps && !plan->faults && act != PLAN_DONE && act != PLAN_FAILED)
                t->session = session;
        else
                driver->close(session);
        return act;
}

/* ---- tasks ---- */

static void task_finish(struct power_pool *p, struct task *t, bool ok) {
        struct power_result *res = &t->result;

        t->state = TASK_FINISHED;
        res->finished = true;
        res->ok = ok;
        res->state = t->plan.state;
        res->changed = ok && t->plan.changed;
        res->confirmed = ok && res->state != POWER_UNKNOWN;
        res->watts = t->plan.watts;
        res->identity = t->plan.identity;
        if (!ok || t->plan.read) /* check: the reason for an unknown identity */
                res->cause = t->plan.cause;
        res->took = p->began ? now_monotonic() - p->began : 0;
        p->order[p->finished++] = (size_t)(t - p->tasks);
        if (t->locked)
                lock_set(p->lock_fd, t->bmc, F_UNLCK);
        pthread_cond_signal(&p->news);
}

static void put_back(struct power_pool *p, struct task *t, usec_t when) {
        t->state = TASK_WAITING;
        t->ready = when;
        if (t->plan.cause.fault == POWER_FAULT_SILENT)
                t->lane = LANE_SLOW;
        else if (!t->plan.faults) /* slow, but alive */
                t->lane = LANE_FAST;
        lane_add(&p->lanes[t->lane], t);
}

static void work_on(struct power_pool *p, struct task *t) {
        struct plan plan = t->plan;

        lane_remove(&p->lanes[t->lane], t);
        t->state = TASK_RUNNING;
        t->released = false;
        t->started = now_monotonic();
        p->lanes[t->lane].running++;
        p->running++;
        pthread_mutex_unlock(&p->lock);
        enum plan_act act = task_turn(p, t, &plan);
        pthread_mutex_lock(&p->lock);
        if (t->state != TASK_RUNNING) { /* given up meanwhile, no longer counted */
                void *session = TAKE(t->session);
                pthread_mutex_unlock(&p->lock);
                if (session)
                        t->bmc->access->driver->close(session);
                pthread_mutex_lock(&p->lock);
                return;
        }
        p->running--;
        p->lanes[t->lane].running--;
        t->plan = plan;
        if (act == PLAN_DONE || act == PLAN_FAILED)
                task_finish(p, t, act == PLAN_DONE);
        else
                put_back(p, t, t->released ? MIN(plan.when, t->started) : plan.when);
}

static void wait_until(struct power_pool *p, pthread_cond_t *cond, usec_t when) {
        struct timespec ts = { (time_t)(when / USEC_PER_SEC), (long)(when % USEC_PER_SEC * 1000) };

        if (when == USEC_INFINITY)
                pthread_cond_wait(cond, &p->lock);
        else
                pthread_cond_timedwait(cond, &p->lock, &ts);
}

static void *pool_worker(void *userdata) {
        struct power_pool *p = userdata;

        pthread_mutex_lock(&p->lock);
        while (!p->closing) {
                struct task *t = pool_next_task(p, now_monotonic());
                if (t) {
                        work_on(p, t);
                        continue;
                }
                p->idle++;
                wait_until(p, &p->work, pool_next_time(p));
                p->idle--;
        }
        p->threads--;
        pthread_cond_signal(&p->news);
        pthread_mutex_unlock(&p->lock);
        power_pool_unref(p);
        return NULL;
}

/* ---- the calling thread ---- */

static int start_thread(struct power_pool *p) {
        pthread_attr_t attr;
        pthread_t thread;

        pthread_attr_init(&attr);
        pthread_attr_setstacksize(&attr, STACK_SIZE);
        pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
        p->refs++;
        int r = pthread_create(&thread, &attr, pool_worker, p);
        pthread_attr_destroy(&attr);
        if (r) {
                p->refs--;
                return -r;
        }
        p->threads++;
        return 0;
}

/* Starts the threads that the lanes can use; fewer are slower, none at all is a failure. */
static int start_threads(struct power_pool *p, struct fail *fail) {
        usec_t now = now_monotonic();
        size_t wanted = 0;

        for (enum lane_id l = 0; l < LANE_MAX; l++) {
                const struct lane *lane = &p->lanes[l];
                if (lane->n && lane->heap[0]->ready <= now && lane->running < lane->width)
                        wanted += MIN(lane->n, lane->width - lane->running);
        }
        for (size_t i = p->idle; i < wanted; i++) {
                int r = start_thread(p);
                if (r < 0 && p->threads == 0)
                        return fail_set(fail, r, "no worker thread can be started: %s",
                                        strerror(-r));
                if (r < 0)
                        break;
        }
        if (p->idle && wanted)
                pthread_cond_broadcast(&p->work);
        return 0;
}

static void move_to_slow_lane(struct power_pool *p, struct task *t) {
        p->lanes[t->lane].running--;
        t->lane = LANE_SLOW;
        p->lanes[t->lane].running++;
}

static void task_give_up(struct power_pool *p, struct task *t) {
        if (t->state == TASK_WAITING) {
                lane_remove(&p->lanes[t->lane], t);
        } else if (t->state == TASK_RUNNING) {
                p->lanes[t->lane].running--;
                p->running--;
        }
        if (t->state == TASK_ELSEWHERE) {
                t->plan.cause.fault = POWER_FAULT_SILENT;
                fail_set(&t->plan.cause.fail, -ETIMEDOUT,
                                "%s has not reported in time the result of %s", t->bmc->access->via,
                                t->node);
        }
        task_finish(p, t, plan_expired(&t->plan) == PLAN_DONE);
}

static usec_t task_grace(const struct task *t) {
        if (t->state == TASK_ELSEWHERE)
                return REPORT_GRACE;
        return t->state == TASK_RUNNING || t->session ? GRACE : 0;
}

static void pool_watch(struct power_pool *p) {
        usec_t now = now_monotonic();

        for (size_t i = 0; i < p->n; i++) {
                struct task *t = &p->tasks[i];
                if (t->state == TASK_FINISHED)
                        continue;
                if (now >= t->plan.deadline + task_grace(t))
                        task_give_up(p, t);
                else if (t->state == TASK_RUNNING && t->lane == LANE_FAST &&
                                now >= t->started + TURN_SLOW &&
                                p->lanes[LANE_SLOW].running < SLOW_MAX)
                        move_to_slow_lane(p, t);
        }
}

static void pool_begin(struct power_pool *p) {
        for (size_t i = 0; i < p->n; i++) {
                struct task *t = &p->tasks[i];
                if (t->state == TASK_FINISHED)
                        continue;
                t->bmc->access->driver->init();
                plan_begin(&t->plan, p->verb, p->began, p->began + p->deadline, p->conf, t->bmc);
                if (t->state != TASK_ELSEWHERE)
                        put_back(p, t, p->began);
        }
}

/* Ends idle workers; does not wait for workers in a driver's call. */
static void pool_end(struct power_pool *p) {
        usec_t until = now_monotonic() + GRACE;

        p->closing = true;
        pthread_cond_broadcast(&p->work);
        while (p->idle && now_monotonic() < until)
                wait_until(p, &p->news, until);
}

/* Passes results to done() without the lock: finished results do not change any more. */
static void pool_pass_results(struct power_pool *p, size_t *told, power_done_t done,
                void *userdata) {
        const struct power_result *res;

        do {
                res = *told < p->finished ? &p->tasks[p->order[(*told)++]].result : NULL;
                pthread_mutex_unlock(&p->lock);
                done(res, *told, p->n, userdata);
                pthread_mutex_lock(&p->lock);
        } while (res && *told < p->finished);
}

int power_pool_run(struct power_pool *p, power_done_t done, void *userdata, struct fail *fail) {
        size_t told = 0;
        usec_t watched = 0;
        int r = 0;

        if (!power_verb_only_reads(p->verb)) {
                r = lock_open(p->conf, fail);
                if (r < 0)
                        return r;
                p->lock_fd = r > 0 ? r : -1;
        }
        pthread_mutex_lock(&p->lock);
        p->began = now_monotonic();
        pool_begin(p);
        while (p->finished < p->n) {
                usec_t now = now_monotonic();
                if (now >= watched + WATCH) {
                        pool_watch(p);
                        watched = now;
                }
                r = start_threads(p, fail);
                if (r < 0)
                        break;
                if (p->finished < p->n)
                        wait_until(p, &p->news, watched + WATCH);
                if (done)
                        pool_pass_results(p, &told, done, userdata);
        }
        if (r >= 0 && done && told < p->finished)
                pool_pass_results(p, &told, done, userdata);
        pool_end(p);
        pthread_mutex_unlock(&p->lock);
        return r;
}

/* ---- creation and end ---- */

struct power_pool *power_pool_new(struct power_conf *conf, enum power_verb verb, usec_t deadline) {
        struct power_pool *p = xnew0(struct power_pool, 1);
        pthread_condattr_t attr;

        pthread_condattr_init(&attr);
        pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
        pthread_mutex_init(&p->lock, NULL);
        pthread_cond_init(&p->work, &attr);
        pthread_cond_init(&p->news, &attr);
        pthread_condattr_destroy(&attr);
        p->refs = 1;
        p->lock_fd = -1;
        p->conf = power_conf_ref(conf);
        p->verb = verb;
        p->deadline = deadline;
        p->lanes[LANE_FAST].width = (unsigned)conf->threads;
        p->lanes[LANE_SLOW].width = SLOW_THREADS;
        return p;
}

void power_pool_add(struct power_pool *p, const char *node) {
        assert(!p->began);
        if (p->n == p->allocated) {
                GROW(p->tasks, p->allocated, p->n);
                p->order = xrenew(p->order, p->allocated);
        }
        struct task *t = &p->tasks[p->n++];
        *t = (struct task){ .bmc = power_conf_lookup(p->conf, node), .node = xstrdup(node) };
        t->result.node = t->node;
        if (t->bmc && t->bmc->address) {
                t->result.address = xstrdup(t->bmc->address);
                /* The result may arrive before the pool runs. */
                if (t->bmc->access->via)
                        t->state = TASK_ELSEWHERE;
                return;
        }
        t->plan.cause.fault = t->bmc ? POWER_FAULT_BUSY : POWER_FAULT_CONFIG;
        if (t->bmc)
                fail_set(&t->plan.cause.fail, -ENOENT,
                                "the address of the BMC of %s is not known: its slumberd has not "
                                "reported it",
                                node);
        else
                fail_set(&t->plan.cause.fail, -ENOENT, "node %s is not in %s", node, p->conf->path);
        task_finish(p, t, false);
        t->result.took = 0;
}

void power_pool_before_on(struct power_pool *p, bool (*hook)(size_t i, void *userdata),
                void *userdata, usec_t wait) {
        assert(!p->began);
        p->before_on = hook;
        p->before_on_userdata = userdata;
        p->before_on_wait = wait;
}

/* The worker that called the hook may still run the task. */
void power_pool_release(struct power_pool *p, size_t i) {
        pthread_mutex_lock(&p->lock);
        assert(i < p->n);
        struct task *t = &p->tasks[i];
        if (t->state == TASK_RUNNING)
                t->released = true;
        if (t->state == TASK_WAITING && t->asked && !t->plan.sent) {
                lane_remove(&p->lanes[t->lane], t);
                put_back(p, t, now_monotonic());
                pthread_cond_signal(&p->work);
        }
        pthread_mutex_unlock(&p->lock);
}

void power_pool_report(struct power_pool *p, size_t i, const struct power_result *res) {
        pthread_mutex_lock(&p->lock);
        assert(i < p->n);
        struct task *t = &p->tasks[i];
        if (t->state == TASK_ELSEWHERE) {
                t->plan.state = res->state;
                t->plan.changed = res->changed;
                t->plan.watts = res->watts;
                t->plan.identity = res->identity;
                t->plan.cause = res->cause;
                task_finish(p, t, res->ok);
                t->result.confirmed = res->confirmed;
        }
        pthread_mutex_unlock(&p->lock);
}

size_t power_pool_count(const struct power_pool *p) {
        return p->n;
}

const struct power_result *power_pool_result(const struct power_pool *p, size_t i) {
        assert(i < p->n);
        return &p->tasks[i].result;
}

struct power_pool *power_pool_unref(struct power_pool *p) {
        if (!p)
                return NULL;
        pthread_mutex_lock(&p->lock);
        bool last = --p->refs == 0;
        pthread_mutex_unlock(&p->lock);
        if (!last)
                return NULL;
        for (size_t i = 0; i < p->n; i++) {
                free(p->tasks[i].node);
                free(p->tasks[i].result.address);
        }
        free(p->tasks);
        free(p->order);
        if (p->lock_fd >= 0)
                close(p->lock_fd);
        for (enum lane_id l = 0; l < LANE_MAX; l++)
                free(p->lanes[l].heap);
        power_conf_unref(p->conf);
        pthread_cond_destroy(&p->work);
        pthread_cond_destroy(&p->news);
        pthread_mutex_destroy(&p->lock);
        free(p);
        return NULL;
}
