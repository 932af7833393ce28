/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An MPI program of several kinds: program hello | ring | allreduce MB | abort RANK CODE |
 * exit CODE | go FILE | names | spawn self|world */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

static int hello(char **argv) {
        char name[MPI_MAX_PROCESSOR_NAME];
        int length;

        (void)argv;
        MPI_Get_processor_name(name, &length);
        printf("rank %d of %d\n", rank, size);
        return 0;
}

/* A number goes round and each adds its rank. */
static int ring(char **argv) {
        int sum = 0, from = (rank + size - 1) % size, to = (rank + 1) % size;

        (void)argv;
        if (rank > 0)
                MPI_Recv(&sum, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += rank;
        if (size > 1)
                MPI_Send(&sum, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
        if (rank == 0 && size > 1)
                MPI_Recv(&sum, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 0)
                printf("sum %d\n", sum);
        return 0;
}

static int allreduce(char **argv) {
        size_t n = (size_t)atoi(argv[2]) * (1 << 20) / sizeof(double), wrong = 0;
        double *mine = malloc(n * sizeof *mine), *sum = malloc(n * sizeof *sum);

        for (size_t i = 0; i < n; i++)
                mine[i] = (double)(i % 1000 + (size_t)rank);
        MPI_Allreduce(mine, sum, (int)n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (size_t i = 0; i < n; i++)
                wrong += sum[i] != (double)((i % 1000) * (size_t)size +
                                                   (size_t)size * (size_t)(size - 1) / 2);
        free(mine);
        free(sum);
        if (rank == 0 || wrong)
                printf("wrong %zu\n", wrong);
        return wrong > 0;
}

static int aborts(char **argv) {
        if (rank == atoi(argv[2]))
                MPI_Abort(MPI_COMM_WORLD, atoi(argv[3]));
        MPI_Barrier(MPI_COMM_WORLD);
        return 0;
}

static int exits(char **argv) {
        return atoi(argv[2]) + rank;
}

/* Barriers without an end, told each time, until there is a file. */
static int go(char **argv) {
        char path[4096];
        int stop = 0;

        for (long i = 0; !stop; i++) {
                if (rank == 0) {
                        FILE *f;
                        snprintf(path, sizeof path, "%s.count", argv[2]);
                        if ((f = fopen(path, "w"))) {
                                fprintf(f, "%ld\n", i);
                                fclose(f);
                        }
                        usleep(10000);
                        stop = access(argv[2], F_OK) == 0;
                }
                MPI_Bcast(&stop, 1, MPI_INT, 0, MPI_COMM_WORLD);
        }
        if (rank == 0)
                printf("gone on\n");
        return 0;
}

/* The first task publishes a name, the last one looks it up; then it is taken back. */
static int names(char **argv) {
        char port[MPI_MAX_PORT_NAME] = "";

        (void)argv;
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        if (rank == 0 && MPI_Publish_name("ocean", MPI_INFO_NULL, "a-port") != MPI_SUCCESS)
                printf("not published\n");
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == size - 1)
                printf("%s\n", MPI_Lookup_name("ocean", MPI_INFO_NULL, port) == MPI_SUCCESS
                                                ? port
                                                : "not found");
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0 && MPI_Unpublish_name("ocean", MPI_INFO_NULL, "a-port") != MPI_SUCCESS)
                printf("not taken back\n");
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == size - 1)
                printf("%s\n", MPI_Lookup_name("ocean", MPI_INFO_NULL, port) == MPI_SUCCESS
                                                ? "still there"
                                                : "gone");
        return 0;
}

/* Tasks of the world, or each of itself: the error is theirs. */
static int spawns(char **argv) {
        MPI_Comm comm = strcmp(argv[2], "world") == 0 ? MPI_COMM_WORLD : MPI_COMM_SELF, other;

        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        int r = MPI_Comm_spawn("/bin/true", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, comm, &other,
                        MPI_ERRCODES_IGNORE);
        printf("%s\n", r == MPI_SUCCESS ? "spawned" : "refused");
        return 0;
}

static const struct {
        const char *name;
        int (*run)(char **argv);
        int arguments;
} kinds[] = {
        { "hello", hello, 0 },
        { "ring", ring, 0 },
        { "allreduce", allreduce, 1 },
        { "abort", aborts, 2 },
        { "exit", exits, 1 },
        { "go", go, 1 },
        { "names", names, 0 },
        { "spawn", spawns, 1 },
};

int main(int argc, char **argv) {
        int r = 2;

        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
                if (argc == kinds[i].arguments + 2 && strcmp(argv[1], kinds[i].name) == 0)
                        r = kinds[i].run(argv);
        MPI_Finalize();
        return r;
}
