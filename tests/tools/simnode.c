/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simnode - the machine behind a simulated BMC: what ipmi_sim's startcmd runs
 *
 *     simnode --vm ADDR:PORT [OPTIONS] -- COMMAND [ARGUMENT...]
 *     simnode @FILE...            the arguments stand in files, one per line; a file that is
 * missing is empty
 *
 * Power on is that ipmi_sim starts this program; it writes boot lines to the console and then
 * starts COMMAND (the "operating system": a slumberd).  Power off is that ipmi_sim says so on its
 * VM channel, or SIGTERM: every descendant is killed at once with SIGKILL, as by a mains switch,
 * and simnode ends.  A graceful shutdown sends SIGTERM to COMMAND and ends when it has ended.  A
 * reset kills everything and starts again. When COMMAND ends by itself the machine stays on, as one
 * with a dead daemon.
 *
 *     --name NAME         in the boot lines
 *     --console PATH      fifo or tty for boot lines and for COMMAND's stdout and stderr
 *     --log FILE          a line per event, appended (time, name, word)
 *     --pid-file FILE
 *     --cgroup DIR        also kill through DIR/cgroup.kill
 *     --boot-delay MS     between power on and COMMAND
 *     --lag-off MS        the machine goes off that much later than it was told to
 *     --deaf              acknowledges off and soft, and stays on
 *     --no-start          goes off again at once
 *
 * What it does not imitate: a kernel, a clean file system after a power cut (files of COMMAND
 * survive), a network link that goes down (connections are closed by the kernel at once, as those
 * of a machine that is cut are not), time-outs of firmware, input on the console, a machine that
 * hangs. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "lib/base.h"
#include "lib/timetext.h"

#define KILL_ROUNDS 200 /* a process that forks meanwhile is found in the next round */

/* The bytes of ipmi_sim's VM protocol: a command, then END; ESC marks a byte that would be one of
   them. */
enum vm {
        VM_POWEROFF = 0x03,
        VM_RESET = 0x04,
        VM_GRACEFUL = 0x09,
        VM_START = 0xA0,
        VM_END = 0xA1,
        VM_ESCAPE = 0xAA,
};

struct node {
        const char *name, *vm, *console, *log, *cgroup, *pid_file;
        uint64_t boot_delay, lag_off; /* ms */
        bool deaf, no_start;
        char **command;
        int vm_fd, console_fd, signal_fd;
        pid_t child;
        usec_t start_at, off_at; /* 0: not planned */
        bool leaving;            /* a graceful shutdown is under way */
        uint8_t vm_command[16];
        size_t vm_length;
        bool vm_escaped;
};

static void event(const struct node *n, const char *word) {
        _cleanup_fclose_ FILE *f = n->log ? fopen(n->log, "ae") : NULL;

        if (f)
                fprintf(f, "%.6f %s %s\n", (double)now_realtime() / USEC_PER_SEC, n->name, word);
}

/* ---- killing as a mains switch ---- */

/* Parents before children to stop them, so that none sees another end; to kill them the other
   way. */
static void signal_children_of(pid_t pid, int sig, unsigned depth) {
        _cleanup_free_ char *path = xasprintf("/proc/%d/task/%d/children", (int)pid, (int)pid);
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        int child;

        if (!f || depth > 64)
                return;
        while (fscanf(f, "%d", &child) == 1) {
                if (sig == SIGSTOP)
                        kill(child, sig);
                signal_children_of(child, sig, depth + 1);
                if (sig != SIGSTOP)
                        kill(child, sig);
        }
}

static void kill_cgroup(const char *dir) {
        _cleanup_free_ char *path = xasprintf("%s/cgroup.kill", dir);
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC);

        if (fd >= 0 && write(fd, "1", 1) < 0)
                perror(path);
}

/* As subreaper, a process that loses its parent becomes our child: so round after round all are
   found. */
static void cut(struct node *n) {
        signal_children_of(getpid(), SIGSTOP, 0);
        if (n->cgroup)
                kill_cgroup(n->cgroup);
        for (unsigned i = 0; i < KILL_ROUNDS; i++) {
                signal_children_of(getpid(), SIGSTOP, 0);
                signal_children_of(getpid(), SIGKILL, 0);
                pid_t pid;
                while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
                        ;
                if (pid < 0 && errno == ECHILD)
                        break;
                struct timespec ms = { 0, 1000000 };
                nanosleep(&ms, NULL);
        }
        n->child = 0;
}

static _Noreturn void power_off(struct node *n) {
        cut(n);
        event(n, "off");
        _exit(0);
}

/* ---- console and command ---- */

static void say(struct node *n, const char *format, ...) _printf_(2, 3);
static void say(struct node *n, const char *format, ...) {
        va_list ap;

        if (n->console_fd < 0)
                return;
        va_start(ap, format);
        vdprintf(n->console_fd, format, ap);
        va_end(ap);
}

static void boot(struct node *n) {
        say(n, "\r\nSLUMBER SIMULATED FIRMWARE\r\n");
        say(n, "[    0.000000] %s: booting\r\n", n->name);
        say(n, "[    0.%06u] %s: memory, disks and network are there\r\n", 1200, n->name);
        n->start_at = now_monotonic() + n->boot_delay * USEC_PER_MSEC;
}

static void start_command(struct node *n) {
        n->start_at = 0;
        if (!n->command[0])
                return;
        say(n, "[    %u.%06u] %s: starting %s\r\n", (unsigned)(n->boot_delay / 1000),
                        (unsigned)(n->boot_delay % 1000 * 1000), n->name, n->command[0]);
        n->child = fork();
        if (n->child != 0) {
                event(n, n->child < 0 ? "fork-failed" : "command");
                return;
        }
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        signal(SIGPIPE, SIG_DFL);
        setsid();
        if (n->console_fd >= 0) {
                fcntl(n->console_fd, F_SETFL, fcntl(n->console_fd, F_GETFL) & ~O_NONBLOCK);
                dup2(n->console_fd, STDOUT_FILENO);
                dup2(n->console_fd, STDERR_FILENO);
        }
        execv(n->command[0], n->command);
        say(n, "%s: %s: %s\r\n", n->name, n->command[0], strerror(errno));
        _exit(127);
}

static void graceful(struct node *n) {
        event(n, "soft");
        if (n->deaf)
                return;
        say(n, "%s: shutting down\r\n", n->name);
        if (n->child <= 0)
                power_off(n);
        n->leaving = true;
        kill(n->child, SIGTERM);
}

static void told_off(struct node *n) {
        event(n, "told-off");
        if (n->deaf)
                return;
        if (n->lag_off == 0)
                power_off(n);
        if (!n->off_at)
                n->off_at = now_monotonic() + n->lag_off * USEC_PER_MSEC;
}

static void reset(struct node *n) {
        event(n, "reset");
        cut(n);
        boot(n);
}

/* ---- the VM channel ---- */

static int vm_connect(struct node *n) {
        static const uint8_t hello[] = { 0xFF, 1, VM_END, 0x08, 0x23,
                VM_END }; /* version; power, reset, graceful */
        struct sockaddr_in a = { .sin_family = AF_INET };
        char host[64];
        uint64_t port;
        const char *colon = strrchr(n->vm, ':');

        if (!colon || (size_t)(colon - n->vm) >= sizeof host ||
                        uint_parse(colon + 1, 1, 65535, &port) < 0)
                return -EINVAL;
        memcpy(host, n->vm, (size_t)(colon - n->vm));
        host[colon - n->vm] = '\0';
        a.sin_port = htons((uint16_t)port);
        if (inet_pton(AF_INET, host, &a.sin_addr) != 1)
                return -EINVAL;
        n->vm_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (n->vm_fd < 0 || connect(n->vm_fd, (struct sockaddr *)&a, sizeof a) < 0 ||
                        write(n->vm_fd, hello, sizeof hello) != sizeof hello)
                return -errno;
        return 0;
}

static void vm_message(struct node *n) {
        uint8_t command = n->vm_length ? n->vm_command[0] : 0;

        n->vm_length = 0;
        if (command == VM_POWEROFF)
                told_off(n);
        else if (command == VM_RESET)
                reset(n);
        else if (command == VM_GRACEFUL)
                graceful(n);
}

static void vm_byte(struct node *n, uint8_t b) {
        if (b == VM_END)
                vm_message(n);
        else if (b == VM_START)
                n->vm_length = 0;
        else if (b == VM_ESCAPE)
                n->vm_escaped = true;
        else if (n->vm_length < sizeof n->vm_command) {
                n->vm_command[n->vm_length++] = n->vm_escaped ? b & (uint8_t)~0x10 : b;
                n->vm_escaped = false;
        }
}

/* The BMC is gone: the machine stays on, as a real one does, until SIGTERM. */
static void vm_receive(struct node *n) {
        uint8_t data[256];
        ssize_t got = read(n->vm_fd, data, sizeof data);

        for (ssize_t i = 0; i < got; i++)
                vm_byte(n, data[i]);
        if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
                close(n->vm_fd);
                n->vm_fd = -1;
        }
}

/* ---- the loop ---- */

static void reap(struct node *n) {
        for (pid_t pid; (pid = waitpid(-1, NULL, WNOHANG)) > 0;) {
                if (pid != n->child)
                        continue;
                n->child = 0;
                event(n, "command-ended");
                if (n->leaving)
                        power_off(n);
        }
}

static void signal_receive(struct node *n) {
        struct signalfd_siginfo si;

        if (read(n->signal_fd, &si, sizeof si) != sizeof si)
                return;
        if (si.ssi_signo == SIGCHLD)
                reap(n);
        else
                power_off(n);
}

static int timeout_of(const struct node *n) {
        usec_t now = now_monotonic(), t = MIN(n->start_at ? n->start_at : USEC_INFINITY,
                                                      n->off_at ? n->off_at : USEC_INFINITY);

        if (t == USEC_INFINITY)
                return -1;
        return t <= now ? 0 : (int)((t - now) / USEC_PER_MSEC) + 1;
}

static _Noreturn void loop(struct node *n) {
        for (;;) {
                struct pollfd fds[] = { { n->vm_fd, POLLIN, 0 }, { n->signal_fd, POLLIN, 0 } };
                poll(fds, ELEMENTSOF(fds), timeout_of(n));
                usec_t now = now_monotonic();
                if (n->off_at && now >= n->off_at)
                        power_off(n);
                if (n->start_at && now >= n->start_at)
                        start_command(n);
                if (fds[0].revents)
                        vm_receive(n);
                if (fds[1].revents)
                        signal_receive(n);
        }
}

static int take_signals(void) {
        sigset_t set;

        sigemptyset(&set);
        sigaddset(&set, SIGTERM);
        sigaddset(&set, SIGINT);
        sigaddset(&set, SIGCHLD);
        sigprocmask(SIG_SETMASK, &set, NULL);
        signal(SIGPIPE, SIG_IGN);
        return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int usage(void) {
        fputs("usage: simnode --vm ADDR:PORT [--name NAME] [--console PATH] [--log FILE] [--cgroup "
              "DIR]\n"
              "               [--boot-delay MS] [--lag-off MS] [--deaf] [--no-start] -- [COMMAND "
              "ARGUMENT...]\n",
                        stderr);
        return 64;
}

/* ---- arguments ---- */

#define ARGS_MAX 256

struct words {
        char *word[ARGS_MAX + 1];
        int n;
};

static void add_file(struct words *words, const char *path) {
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        _cleanup_free_ char *line = NULL;
        size_t allocated = 0;

        while (f && words->n < ARGS_MAX && getline(&line, &allocated, f) >= 0) {
                line[strcspn(line, "\n")] = '\0';
                words->word[words->n++] = xstrdup(line);
        }
}

static struct words expand(int argc, char **argv) {
        struct words words = { 0 };

        for (int i = 0; i < argc && words.n < ARGS_MAX; i++)
                if (argv[i][0] == '@')
                        add_file(&words, argv[i] + 1);
                else
                        words.word[words.n++] = xstrdup(argv[i]);
        return words;
}

static int take_options(struct node *n, int argc, char **argv) {
        static const struct option options[] = {
                { "vm", required_argument, NULL, 'v' },
                { "name", required_argument, NULL, 'n' },
                { "console", required_argument, NULL, 'c' },
                { "log", required_argument, NULL, 'l' },
                { "cgroup", required_argument, NULL, 'g' },
                { "pid-file", required_argument, NULL, 'p' },
                { "boot-delay", required_argument, NULL, 'b' },
                { "lag-off", required_argument, NULL, 'o' },
                { "deaf", no_argument, NULL, 'd' },
                { "no-start", no_argument, NULL, 's' },
                { NULL, 0, NULL, 0 },
        };
        const char **texts[128] = { ['v'] = &n->vm,
                ['n'] = &n->name,
                ['c'] = &n->console,
                ['l'] = &n->log,
                ['g'] = &n->cgroup,
                ['p'] = &n->pid_file };
        uint64_t *numbers[128] = { ['b'] = &n->boot_delay, ['o'] = &n->lag_off };
        bool *flags[128] = { ['d'] = &n->deaf, ['s'] = &n->no_start };

        for (int c; (c = getopt_long(argc, argv, "+", options, NULL)) != -1;) {
                if (c >= 128 || c == '?')
                        return -EINVAL;
                if (texts[c])
                        *texts[c] = optarg;
                else if (flags[c])
                        *flags[c] = true;
                else if (!numbers[c] || uint_parse(optarg, 0, 3600000, numbers[c]) < 0)
                        return -EINVAL;
        }
        n->command = argv + optind;
        return n->vm ? 0 : -EINVAL;
}

static void write_pid(const char *path) {
        _cleanup_fclose_ FILE *f = path ? fopen(path, "we") : NULL;

        if (f)
                fprintf(f, "%d\n", (int)getpid());
}

int main(int argc, char **argv) {
        struct node n = { .name = "node", .vm_fd = -1, .console_fd = -1 };
        struct words words = expand(argc, argv);

        close_range(3, ~0U, 0); /* ipmi_sim leaves some of its own open */
        if (take_options(&n, words.n, words.word) < 0)
                return usage();
        if (n.no_start) {
                event(&n, "dies");
                return 1;
        }
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        n.signal_fd = take_signals();
        if (n.signal_fd < 0 || vm_connect(&n) < 0) {
                fprintf(stderr, "simnode: %s: %s\n", n.vm, strerror(errno));
                return 1;
        }
        write_pid(n.pid_file);
        if (n.console)
                n.console_fd = open(n.console, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
        event(&n, "on");
        boot(&n);
        loop(&n);
}
