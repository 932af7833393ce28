#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A task that speaks PMI by itself: pmi.py one | two | raw FILE | big SIZE | flood | full"""
import os
import socket
import sys

RANK, SIZE = int(os.environ["PMI_RANK"]), int(os.environ["PMI_SIZE"])
sock = socket.socket(fileno=int(os.environ["PMI_FD"]))


def read(size):
    data = b""
    while len(data) < size:
        more = sock.recv(size - len(data))
        if not more:
            sys.exit("the socket is closed")
        data += more
    return data


def line(text):
    """A request of PMI-1.1 and its answer."""
    sock.sendall(text.encode() + b"\n")
    return answer_line()


def answer_line():
    answer = b""
    while not answer.endswith(b"\n"):
        answer += read(1)
    return answer.decode().rstrip("\n")


def message(body):
    """A request of PMI-2 and its answer; a client of MPICH fills the length up on the right."""
    sock.sendall(b"%-6d" % len(body) + body.encode())
    return read(int(read(6))).decode()


def one():
    say = [line("cmd=init pmi_version=1 pmi_subversion=1"), line("cmd=get_maxes"),
           line("cmd=get_appnum"), line("cmd=get_universe_size"), line("cmd=get_my_kvsname")]
    name = say[-1].split("kvsname=")[1]
    say.append(line(f"cmd=put kvsname={name} key=k{RANK} value=v{RANK}"))
    say.append(line("cmd=barrier_in"))
    say += [line(f"cmd=get kvsname={name} key=k{i}") for i in range(SIZE)]
    say.append(line(f"cmd=get kvsname={name} key=PMI_process_mapping"))
    say.append(line(f"cmd=get kvsname={name} key=none"))
    say.append(line(f"cmd=put kvsname={name} key={'k' * 65} value=x"))
    say.append(line(f"cmd=put kvsname={name} key=k value={'v' * 1025}"))
    if RANK == 0:
        say.append(line("cmd=publish_name service=s port=p"))
    say.append(line("cmd=barrier_in"))
    say.append(line("cmd=lookup_name service=s"))
    say.append(line("cmd=lookup_name service=t"))
    say.append(line("cmd=barrier_in"))
    if RANK == 0:
        say.append(line("cmd=unpublish_name service=s"))
    say.append(line("mcmd=spawn\nnprocs=1\nexecname=/bin/true\ntotspawns=1\nspawnssofar=1\n"
                    "arg1=cmd=abort exitcode=9\nargcnt=1\nendcmd"))
    say.append(line("cmd=finalize"))
    return say


def two():
    job = os.environ["PMI_JOBID"]
    say = [line("cmd=init pmi_version=2 pmi_subversion=0"),
           message(f"cmd=fullinit;pmijobid={job};pmirank={RANK};threaded=FALSE;"),
           message("cmd=job-getid;thrid=7;")]
    say.append(message(f"cmd=kvs-put;key=k{RANK};value=a;;b={RANK};"))
    if RANK == 0:
        say.append(message("cmd=kvs-fence;thrid=3;"))
        say.append(message("cmd=info-putnodeattr;key=n;value=x;;y;"))
    else:
        say.append(message("cmd=kvs-fence;"))
        say.append(message("cmd=info-getnodeattr;key=n;wait=TRUE;thrid=9;"))
    say += [message(f"cmd=kvs-get;jobid=;srcid=-1;key=k{i};") for i in range(SIZE)]
    say.append(message("cmd=kvs-get;key=none;"))
    say.append(message("cmd=info-getjobattr;key=PMI_process_mapping;"))
    say.append(message("cmd=info-getjobattr;key=universeSize;"))
    say.append(message("cmd=name-lookup;name=s;"))
    say.append(message("cmd=spawn;ncmds=1;"))
    say.append(message("cmd=finalize;"))
    return say


def raw(path):
    with open(path, "rb") as f:
        sock.sendall(f.read())
    while sock.recv(4096):
        pass
    return ["closed"]


def big(size):
    """A line without an end."""
    left = int(size)
    line("cmd=init pmi_version=1 pmi_subversion=1")
    while left > 0:
        left -= sock.send(b"x" * 65536)
    return ["taken"]


def flood():
    """Requests without an end, whose answers are not read."""
    line("cmd=init pmi_version=1 pmi_subversion=1")
    sock.settimeout(2)
    try:
        while True:
            sock.sendall(b"cmd=get key=none\n" * 1000)
    except TimeoutError:
        return ["waits"]


def full():
    """More keys than there may be."""
    line("cmd=init pmi_version=1 pmi_subversion=1")
    for i in range(0, 100000, 100):
        value = "v" * 1024
        say = line("\n".join(f"cmd=put key={RANK}.{i + k} value={value}" for k in range(100)))
        for _ in range(99):
            say += answer_line()
        if "rc=-1" in say:
            return ["full"]
    return ["not full"]


for text in {"one": one, "two": two, "raw": raw, "big": big, "flood": flood,
             "full": full}[sys.argv[1]](*sys.argv[2:]):
    print(text)
