#!/usr/bin/env python3
"""gdb_session_fuzz.py HEDDLE NETLIST PACKETS [SEED] [KEY=VALUE...]: whole sessions of a debugger over
a running simulation, of random commands whose checksums are right. The simulator may refuse what it
likes, and end as the commands make it end, but must not crash: an exit by a signal, or with a code
that no run has, fails. Prints the seed of a session that does, and its last packets.
"""
import random
import re
import select
import socket
import subprocess
import sys

MONITOR = ["help", "time", "units", "units gpu[0]*", "registers", "registers gpu[0].dma",
           "registers * *", "stats", "stats gpu[1]*", "waiting", "", "x" * 300, "unknown"]
SIGINT = 2
LEFT_BY_DESIGN = {0, 1, 2, -SIGINT}


class Session:
    def __init__(self, heddle, netlist, settings, rng):
        words = [heddle, "run", netlist, "--quiet", "--out", "fuzz_out", "--gdb", "0"]
        for each in settings:
            words += ["--set", each]
        self.rng = rng
        self.program = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        port = None
        for line in self.program.stdout:
            found = re.search(rb"target remote [^:]*:(\d+)", line)
            if found:
                port = int(found.group(1))
                break
        if port is None:
            raise RuntimeError("no port: exit code %s" % self.program.wait())
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sent = []
        self.unread = b""
        self.is_open = True

    def send(self, data):
        body = data.encode("latin-1")
        self.sent.append(data)
        try:
            self.socket.sendall(b"$" + body + b"#%02x" % (sum(body) % 256))
        except OSError:
            self.is_open = False

    def receive(self, patience):
        """Packets that have arrived, at least one unless patience ends."""
        packets = []
        while self.is_open and not packets:
            ready, _, _ = select.select([self.socket], [], [], patience)
            if not ready:
                break
            try:
                more = self.socket.recv(1 << 16)
            except OSError:
                more = b""
            if not more:
                self.is_open = False
            self.unread += more
            while True:
                end = self.unread.find(b"#")
                if end < 0 or len(self.unread) < end + 3:
                    break
                start = self.unread.rfind(b"$", 0, end)
                packets.append(self.unread[start + 1:end])
                self.unread = self.unread[end + 3:]
        return packets

    def drain(self, answers):
        while answers > 0 and self.is_open:
            got = self.receive(60)
            if not got and self.is_open:
                return False
            answers -= len(got)
        return True

    def await_stop(self):
        """Interrupts what goes on for too long."""
        patience = 0.002
        for _ in range(600):
            for each in self.receive(patience):
                if each[:1] in (b"W", b"X"):
                    self.is_open = False
                if each[:1] in (b"T", b"E", b""):
                    return True
            if not self.is_open:
                return True
            try:
                self.socket.sendall(b"\x03")
            except OSError:
                self.is_open = False
            patience = 0.1
        return False

    def end(self):
        self.socket.close()
        if self.program.poll() is None:
            try:
                self.program.wait(0.05)
            except subprocess.TimeoutExpired:
                self.program.send_signal(2)
        try:
            return self.program.wait(20)
        except subprocess.TimeoutExpired:
            self.program.kill()
            self.program.wait()
            return "no end"


class Commands:
    def __init__(self, rng):
        self.rng = rng
        self.resumes = False

    def address(self):
        rng = self.rng
        base = rng.choice([0x80000000, 0x80000000, 0x80000000, 0x1000000000, 0x1000100000, 0x10000,
                           0xf000000, 0, 2**64 - 16, 0x20000, 0x1000020000])
        return (base + rng.choice([rng.randrange(64), rng.randrange(4096), rng.randrange(1 << 18)])
                ) % 2**64

    def length(self):
        return self.rng.choice([0, 1, 2, 4, 8, 8, 3, 16, 64, 4096, 1 << 20, 2**64 - 1])

    def bytes(self, count):
        return "".join("%02x" % self.rng.randrange(256) for _ in range(count))

    def thread(self):
        return self.rng.choice(["1", "1", "2", "0", "-1", "3", "ff", ""])

    def register(self):
        return "%x" % self.rng.choice([self.rng.randrange(33), 32, self.rng.randrange(70),
                                       self.rng.randrange(65 + 4096), 2**40])

    def next(self):
        rng = self.rng
        self.resumes = False
        kind = rng.randrange(100)
        if kind < 14:
            return "p" + self.register()
        if kind < 26:
            return "P%s=%s" % (self.register(), self.bytes(rng.choice([8, 8, 8, 4, 0, 9])))
        if kind < 30:
            return "g"
        if kind < 32:
            return "G" + self.bytes(rng.choice([264, 264, 8, 0, 300]))
        if kind < 46:
            return "m%x,%x" % (self.address(), self.length())
        if kind < 56:
            count = rng.choice([0, 1, 2, 4, 8, 64])
            return "M%x,%x:%s" % (self.address(), count, self.bytes(count))
        if kind < 58:
            count = rng.choice([0, 1, 4])
            return "X%x,%x:%s" % (self.address(), count, "a" * count)
        if kind < 70:
            return "%s%d,%x,%x" % (rng.choice("Zz"), rng.randrange(6), self.address(),
                                   rng.choice([0, 1, 2, 4, 8]))
        if kind < 76:
            return "H%s%s" % (rng.choice("gc"), self.thread())
        if kind < 80:
            return "qRcmd," + "".join("%02x" % ord(c) for c in rng.choice(MONITOR))
        if kind < 84:
            return rng.choice(["qfThreadInfo", "qsThreadInfo", "qC", "?", "qAttached", "vCont?",
                               "qSupported:swbreak+", "T" + self.thread(),
                               "qThreadExtraInfo," + self.thread(), "vMustReplyEmpty", "QStart",
                               "vCont", "vCont;", "vCont;;", "vCont;x:1", "vCont;c:9"])
        if kind < 86:
            return "qXfer:%s:read:%s:%x,%x" % (rng.choice(["features", "threads", "auxv"]),
                                               rng.choice(["target.xml", "", "x"]),
                                               rng.choice([0, 100, 2**64 - 1]), self.length())
        if kind < 88:
            return "".join(chr(rng.choice([c for c in range(1, 127) if chr(c) not in "#$}*"]))
                           for _ in range(rng.randrange(40))).lstrip("cCsSvkD")
        self.resumes = True
        if kind < 94:
            return rng.choice(["s", "s", "S05", "s%x" % self.address(), "vCont;s:1;c", "vCont;s"])
        return rng.choice(["c", "vCont;c", "vCont;c:1", "vCont;c:2", "vCont;s:2", "C05",
                           "c%x" % self.address()])


def run_session(heddle, netlist, settings, seed, most):
    rng = random.Random(seed)
    session = Session(heddle, netlist, settings, rng)
    commands = Commands(rng)
    session.send("QStartNoAckMode")
    session.receive(5)
    try:
        session.socket.sendall(b"+")
    except OSError:
        pass
    budget = min(most, rng.choice([50, 500, 5000, 20000]))
    waiting = 0
    while session.is_open and len(session.sent) < budget:
        packet = commands.next()
        if waiting >= 32 or commands.resumes:
            if not session.drain(waiting):
                return session, "no answer"
            waiting = 0
        session.send(packet)
        if not commands.resumes:
            waiting += 1
        elif not session.await_stop():
            return session, "no stop"
    if session.is_open and rng.random() < 0.5:
        session.send(rng.choice(["D", "k", "vKill;1"]))
    return session, None


def main():
    heddle, netlist, packets = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    settings = sys.argv[5:]
    done = sessions = 0
    while done < packets:
        session, trouble = run_session(heddle, netlist, settings, seed, packets - done)
        code = session.end()
        if code not in LEFT_BY_DESIGN or trouble:
            print("seed %d: exit %s, %s; its last packets:" % (seed, code, trouble))
            for each in session.sent[-40:]:
                print("  " + each[:120])
            sys.exit(1)
        done += len(session.sent)
        sessions += 1
        seed += 1
    print("%d packets in %d sessions" % (done, sessions))


main()
