/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/abilities.h - what a slumberd can do, as reported at registration: bits of Register.can
 *
 * A slumberd ignores fields and messages unknown to its build. The controller checks the bit before
 * a job or step goes to a node where ignoring a request would widen the job's permissions or run
 * the job elsewhere than asked. */
#pragma once

/* Maximum connections opened to other slumberds, and maximum accepted (agent/peers/peers.h). */
#define PEER_CONNECTIONS_MAX 512

enum slumberd_ability {
        CAN_STREAMS = 1 << 0,         /* takes StepIo on the port for other slumberds */
        CAN_CONTAINERS = 1 << 1,      /* runs steps with --container in the container */
        CAN_PRIVATE_FOLDERS = 1 << 2, /* job_container/tmpfs */
        /* 1 << 3: tree of earlier builds, without proofs and TreeRowBody.behind */
        /* step daemons give input for a single task to that task alone */
        CAN_INPUT_OF_RANK = 1 << 4,
        CAN_X11 = 1 << 5,          /* extern steps forward X11 */
        CAN_TELL_DRAINED = 1 << 6, /* HealthCheckNodeState=NONDRAINED_IDLE */
        CAN_TELL_ORIGIN = 1 << 7,  /* answers Origin (callerid of sshd sessions) */
        CAN_TREE = 1 << 10,        /* takes TreeMessage of other slumberds, forwards it */
        /* copies StepIo for the nodes below in the tree (StepIo.numbers) */
        CAN_INPUT_COPIES = 1 << 11,
        /* 1 << 12: StepMaker of earlier builds, without nodes */
        CAN_CONTAINER_PMI = 1 << 13, /* --container with PMI, also run by RunTimeCreate */
        CAN_BOUND_MEMORY = 1 << 14,  /* AgentConfig.memory_rules */
        CAN_MAKE_STEPS = 1 << 15,    /* runs the step manager of a job (StepMaker.nodes) */
        /* takes steps from another node's step manager (MakerMessage) */
        CAN_TAKE_STEPS = 1 << 16,
        /* relays requests to step managers: HomeAt, Visit; as step manager: MakerBegin */
        CAN_VISIT_HOMES = 1 << 17,
        CAN_ATTACH_AT_HOMES = 1 << 18, /* HomeAt.attach, Visit.attach */
        CAN_RUN_ACTIONS = 1 << 19,     /* NodeAction */
        CAN_FIRST_STEPS = 1 << 20,     /* knows SubmitRequest.step of the commands that it relays */
        CAN_ALL = CAN_STREAMS | CAN_CONTAINERS | CAN_PRIVATE_FOLDERS | CAN_TREE |
                  CAN_INPUT_OF_RANK | CAN_INPUT_COPIES | CAN_X11 | CAN_TELL_DRAINED |
                  CAN_TELL_ORIGIN | CAN_MAKE_STEPS | CAN_TAKE_STEPS | CAN_CONTAINER_PMI |
                  CAN_BOUND_MEMORY | CAN_VISIT_HOMES | CAN_ATTACH_AT_HOMES | CAN_RUN_ACTIONS |
                  CAN_FIRST_STEPS,
};
