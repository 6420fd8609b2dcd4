"""worker.py PLAN [INDEX STEP]: performs runs of a plan and leaves a record of each. Without INDEX it
is one of a pool, which takes what no other has taken; with it, every STEP-th run from INDEX on."""
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from points import inputs_of, write_record

SET_PARENT_DEATH_SIGNAL = 1  # of prctl: a run ends with its worker, however that ended


def main(arguments):
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    plan = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    os.chdir(plan["working_folder"])
    attempt = Path(plan["attempt"])
    if len(arguments) > 1:
        chosen = plan["runs"][int(arguments[1])::int(arguments[2])]
    else:
        chosen = (each for each in plan["runs"] if is_claimed(attempt / "claims" / each["key"]))
    try:
        for each in chosen:
            perform(plan["program"], each, attempt)
    except KeyboardInterrupt:
        return 130
    except FileNotFoundError:
        if attempt.is_dir():
            raise
        return 0  # the sweep was killed, and a later one has taken over
    return 0


def is_claimed(path):
    """By this worker and by no other, on this machine or another that shares the folder."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        return True
    except FileExistsError:
        return False


def perform(program, run, attempt):
    out = Path(tempfile.mkdtemp(prefix="run-", dir=attempt))
    try:
        command = [program, *run["arguments"], "--quiet", "--out", str(out)]
        exit_code, errors = outcome_of(command)
        record = {"arguments": run["arguments"], "exit": exit_code, "errors": errors, "inputs": {}}
        if exit_code == 0:
            record["inputs"] = inputs_of(out / "config.yaml")
            record["stats"] = json.loads((out / "stats.json").read_text(encoding="utf-8"))
        write_record(attempt / "records" / f"{run['key']}.json", record)
    finally:
        shutil.rmtree(out, ignore_errors=True)


def outcome_of(command):
    """In a session of its own: what ends a group of workers reaches them first, and they end it."""
    with subprocess.Popen(command, text=True, errors="replace", stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          start_new_session=True, preexec_fn=end_with_parent) as child:
        try:
            _, errors = child.communicate()
        except KeyboardInterrupt:
            child.kill()
            raise
    return child.returncode, errors


def end_with_parent():
    ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
