#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Says what no honest program says, and prints what comes back: for security/malformed-messages.sh,
security/oversized-lists.sh, security/node-messages.sh, clusters/hostile.sh.

    hostile.py unix SOCKET CASE [NUMBER]            as a command on the Unix socket
    hostile.py tls PORT KEYFILE CASE [NUMBER]       as a daemon on the TLS port; needs openssl(1)
    hostile.py NAME PORT KEYFILE CASE [NUMBER]      ... as the controller of that cluster

Prints "closed", "silent" (nothing within the time), or the answers' bodies: "ok", "error CODE",
"results CODE...", "body N"."""
import hashlib
import hmac
import os
import random
import select
import socket
import struct
import subprocess
import sys
import time


def varint(n):
    out = b''
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def frame(body):
    return struct.pack('>I', len(body)) + body


def envelope(*fields, version=1):
    return frame(field(1, version) + b''.join(fields))


def request(number, body=b'', ident=7, caller=b''):
    return envelope(field(2, ident), field(4, caller) if caller else b'', field(number, body))


PING, ACTION, NODE_UPDATE, SUBMIT, REGISTER, LAUNCH = 34, 30, 31, 20, 60, 71
JOB_QUERY, INSTANCE_QUERY, USER_QUERY, RESERVATION, PRIORITY_QUERY = 22, 44, 101, 122, 130
ROOT = field(1, 0) + field(2, 0) + field(3, 1)
CANCEL, HOLD, TOP = 1, 5, 41


PADDING = field(5, 'x' * (32 << 20))


def far(inner):
    """a user's request for the cluster beta"""
    return request(143, field(1, 'beta') + field(2, inner[4:]))


def action(kind, job):
    return field(1, kind) + field(2, varint(job))


def node_message(job, source, to, data=b''):
    """of step 0"""
    return envelope(field(1010, field(1, job) + field(4, source) + field(5, to) + field(6, 1)
                          + field(9, data)))


def tasks(job, listed, to=15):
    return field(to, field(1, job) + field(2, listed))


def spec(name):
    return (field(1, name) + field(8, '/') + field(33, 1) + field(16, 1) + field(18, 1) +
            field(10, '/dev/null'))


def submit(job_spec, script=b'#!/bin/sh\ntrue\n'):
    return request(SUBMIT, field(1, job_spec) + field(2, field(1, script)))


def noise():
    rng = random.Random(int(os.environ.get('SEED', '1')))
    return bytes(rng.randrange(256) for _ in range(5000))


def frames():
    """what is no Envelope, or a strange one"""
    ping = request(PING)
    return {
        'ping': lambda: (ping, False),
        'garbage': lambda: (noise(), False),
        'http': lambda: (b'GET / HTTP/1.0\r\n\r\n', False),
        'zero': lambda: (struct.pack('>I', 0), False),
        'huge': lambda: (struct.pack('>I', 0xffffffff) + b'x' * 100, False),
        'promise': lambda: (struct.pack('>I', 60 << 20) + b'x' * 100, True),
        'half-length': lambda: (b'\0\0', True),
        'half-frame': lambda: (ping[:-3], True),
        'version': lambda: (envelope(field(2, 7), field(PING, b''), version=2), False),
        'no-body': lambda: (envelope(field(2, 7)), False),
        'unknown-body': lambda: (request(999), False),
        'answer': lambda: (envelope(field(3, 7), field(11, b'')), False),
        'nested': lambda: (frame(field(1, 1) + field(SUBMIT, b'\x0a' * 200000)), False),
        'bomb': lambda: (request(ACTION, b''.join(field(2, b'') for _ in range(1000000))), False),
        'many': lambda: (b''.join(request(PING, ident=i) for i in range(1, 5001)), False),
    }


def submissions():
    """jobs with odd, long or missing fields"""
    return {
        'no-spec': lambda: (request(SUBMIT), False),
        'no-script': lambda: (request(SUBMIT, field(1, spec('x'))), False),
        'long-name': lambda: (submit(spec('n' * 70000)), False),
        'odd-name': lambda: (submit(spec('a\n\x1b[31m%s;$(id)\r"')), False),
        'long-bind': lambda: (submit(spec('x') + field(1340, 'b' * 100000)), False),
        'odd-bind': lambda: (submit(spec('x') + field(1340, 'gres/gpu:\x1b[31mclosest')), False),
        'bad-utf8': lambda: (submit(spec(b'\xff\xfe\x80')), False),
        'big-script': lambda: (submit(spec('x'), b'#!/bin/sh\n' + b'#' * (5 << 20)), False),
        'most-memory': lambda: (submit(spec('x') + field(22, 2**64 - 1)), False),
        'most-memory-node': lambda: (submit(spec('x') + field(21, 2**64 - 1)), False),
        'zero-script': lambda: (submit(spec('x'), b'#!/bin/sh\n\0\0'), False),
    }


def agents(number):
    """an agent's messages by one that is none"""
    return {
        'register': lambda: (request(REGISTER, field(1, 'n1') + field(3, 1)), False),
        'launch': lambda: (request(LAUNCH, field(2, 1)), False),
        'node-message': lambda: (node_message(number, 1, 0), False),
        'node-outside': lambda: (node_message(number, 2, 0) * 3, False),
        'node-elsewhere': lambda: (node_message(number, 0, 1), False),
        'node-itself': lambda: (node_message(number, 0, 0), False),
        'node-large': lambda: (node_message(number, 1, 0, b'x' * (65 << 20)), False),
    }


def queries(number):
    """questions with long lists"""
    return {
        'long-user': lambda: (request(USER_QUERY, field(1, 'x' * (5 << 20))), False),
        'same-ids': lambda: (request(JOB_QUERY, field(1, varint(number) * 100000)), False),
        'many-ids': lambda: (request(JOB_QUERY, field(1, b'\1' * 1000000)), False),
        'asked-tasks': lambda: (request(JOB_QUERY, tasks(number, '1,3', 10) * 20000), False),
        'far-tasks': lambda: (request(JOB_QUERY, tasks(number, '1,3999999', 10) * 20000), False),
        'wide-tasks': lambda: (request(JOB_QUERY, tasks(number, '0-3999999,' * 6000 + '1', 10)),
                               False),
        'many-states': lambda: (request(JOB_QUERY, field(7, b'\1' * 1000000)), False),
        'many-users': lambda: (request(JOB_QUERY,
                                       field(5, 'nobody-of-all') * 100000
                                       + field(6, 'nothing') * 100000), False),
        'padded-users': lambda: (request(JOB_QUERY, field(5, '') * 2000000, caller=PADDING), False),
        'far-padded': lambda: (far(request(JOB_QUERY, field(5, '') * 2000000, caller=PADDING)), False),
        'far-waits': lambda: (far(request(PING, field(1, number))), False),
        'too-many-users': lambda: (request(JOB_QUERY, field(5, 'x') * 100001), False),
        'many-partitions': lambda: (request(JOB_QUERY, field(6, 'x') * 100001), False),
        'many-priorities': lambda: (request(PRIORITY_QUERY, field(1, b'\1' * 1000000)), False),
        'many-instances': lambda: (request(INSTANCE_QUERY, field(3, 'x') * 1000000), False),
    }


def orders(number):
    """orders in another name, or with long lists"""
    return {
        'as-root-cancel': lambda: (request(ACTION, action(CANCEL, number), caller=ROOT), False),
        'as-root-hold': lambda: (request(ACTION, action(HOLD, number), caller=ROOT), False),
        'as-root-node': lambda: (request(NODE_UPDATE,
                                         field(1, 'n1') + field(2, 'down')
                                         + field(3, field(1, 'x')), caller=ROOT), False),
        'long-resv-user': lambda: (request(RESERVATION,
                                           field(1, 'r') + field(2, 1)
                                           + field(4,
                                                   field(1, 'Users') + field(2, 'x' * (5 << 20)))),
                                                   False),
        'long-resv-text': lambda: (request(RESERVATION,
                                           field(1, 'r') + field(2, 1)
                                           + field(4, field(1, 'Users') + field(2, 'x' * 60000))),
                                           False),
        'same-id': lambda: (request(ACTION, field(1, HOLD) + field(2, varint(number) * 100000)),
                            False),
        'same-tasks': lambda: (request(ACTION, field(1, HOLD) + tasks(number, '0-999') * 100000),
                               False),
        'same-task': lambda: (request(ACTION,
                                      field(1, HOLD) + tasks(number, '7') * 50000
                                      + tasks(number, '7,8')), False),
        'long-ranges': lambda: (request(ACTION,
                                        field(1, HOLD) + tasks(number, '0-3999999,' * 6000 + '1')),
                                        False),
        'long-list': lambda: (request(ACTION, field(1, HOLD) + tasks(number, '1,' * 40000 + '1')),
                              False),
        'top-twice': lambda: (request(ACTION, field(1, TOP) + field(2, varint(number) * 100000)),
                              False),
    }


def caller(uid, user):
    return field(1, uid) + field(2, uid) + field(3, 1) + field(6, user)


def guests(number):
    """what the controller of another cluster may not say, or not so"""
    root, nobody = caller(0, 'root'), caller(65534, 'nobody')
    node = field(1, 'b1') + field(2, 'down') + field(3, field(1, 'x'))
    inner = request(PING)[4:]
    return {
        'guest-ping': lambda: (request(PING, caller=nobody), False),
        'guest-register': lambda: (request(REGISTER, field(1, 'b1') + field(3, 1)), False),
        'guest-registers': lambda: (request(REGISTER, field(1, 'b1') + field(3, 1), caller=root),
                                    False),
        'guest-launch': lambda: (request(LAUNCH, field(2, 1), caller=root), False),
        'guest-cancels': lambda: (request(ACTION, action(CANCEL, number), caller=root), False),
        'guest-as-other': lambda: (request(ACTION, action(CANCEL, number), caller=nobody), False),
        'guest-number': lambda: (request(ACTION, action(CANCEL, number), caller=caller(0, '0')),
                                 False),
        'guest-long-name': lambda: (request(PING, caller=caller(0, 'x' * (5 << 20))), False),
        'guest-node': lambda: (request(NODE_UPDATE, node, caller=root), False),
        'guest-relays': lambda: (request(143, field(1, 'alpha') + field(2, inner), caller=nobody),
                                 False),
        'guest-many': lambda: (b''.join(request(PING, ident=i, caller=nobody)
                                        for i in range(1, 5001)), False),
    }


def cases(number):
    """name -> a function of (bytes, end of stream after them); some are large"""
    return {**frames(), **submissions(), **agents(number), **queries(number), **orders(number),
            **guests(number)}


class Plain:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.fd = self.socket.fileno()

    def send(self, data):
        self.socket.settimeout(60)
        self.socket.sendall(data)

    def end(self):
        self.socket.shutdown(socket.SHUT_WR)

    def read(self):
        return os.read(self.fd, 1 << 20)


class Tls:
    def __init__(self, port, keyfile, cluster=None):
        info = b'tls13 psk of two clusters v1' if cluster else b'tls13 psk v1'
        with open(keyfile, 'rb') as f:
            secret = hmac.new(b'slumber cluster key', f.read(), hashlib.sha256).digest()
        key = hmac.new(secret, info + b'\x01', hashlib.sha256).hexdigest()
        self.process = subprocess.Popen(
            ['openssl', 's_client', '-quiet', '-tls1_3', '-connect', f'127.0.0.1:{port}',
             '-psk_identity', f'slumber cluster {cluster}' if cluster else 'slumber',
             '-psk', key, '-ciphersuites', 'TLS_AES_128_GCM_SHA256'],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.fd = self.process.stdout.fileno()

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def end(self):
        self.process.stdin.close()

    def read(self):
        return os.read(self.fd, 1 << 20)


def fields(data):
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    while at < len(data):
        key = number()
        if key & 7 == 0:
            yield key >> 3, number()
        elif key & 7 == 2:
            size = number()
            yield key >> 3, data[at:at + size]
            at += size
        else:
            raise ValueError('wire type')


def told(body):
    content = {n: v for n, v in fields(body)}
    if 10 in content:
        return f'error {dict(fields(content[10])).get(1, 0)}'
    if 41 in content:
        return 'results ' + ' '.join(str(dict(fields(v)).get(2, 0)) for n,
                                     v in fields(content[41]) if n == 1)
    if 11 in content:
        return 'ok'
    return f'body {max(n for n in content if n > 4)}'


def answers(link, seconds, wanted):
    data, heard, until = b'', [], time.monotonic() + seconds
    while len(heard) < wanted:
        left = until - time.monotonic()
        if left <= 0 or not select.select([link.fd], [], [], left)[0]:
            return heard or ['silent']
        try:
            more = link.read()
        except ConnectionError:
            more = b''
        if not more:
            return heard + ['closed']
        data += more
        while len(data) >= 4 and len(data) >= 4 + struct.unpack('>I', data[:4])[0]:
            size = struct.unpack('>I', data[:4])[0]
            heard.append(told(data[4:4 + size]))
            data = data[4 + size:]
    return heard


def main(argv):
    kind = argv.pop(0)
    cluster = kind if kind not in ('unix', 'tls') else None
    link = Plain(argv.pop(0)) if kind == 'unix' else Tls(argv.pop(0), argv.pop(0), cluster)
    name = argv.pop(0)
    data, end = cases(int(argv[0]) if argv else 1)[name]()
    try:
        link.send(data)
        if end:
            link.end()
    except OSError:
        pass  # refused before all was said
    heard = answers(link, 3 if name in ('answer', 'launch', 'register') or kind != 'unix' else 120,
                    5000 if name.endswith('many') else 1)
    print(f'{len(heard)} answers' if name.endswith('many') else ', '.join(heard))
    if kind != 'unix':
        link.process.kill()


if __name__ == '__main__':
    main(sys.argv[1:])
