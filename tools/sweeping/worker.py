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

from points import Points, inputs_of, write_record

SET_PARENT_DEATH_SIGNAL = 1  # of prctl: a run ends with its worker, however that ended


def main(arguments):
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    plan = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    os.chdir(plan["working_folder"])
    points = Points(Path(plan["points"]))
    if len(arguments) > 1:
        chosen = plan["runs"][int(arguments[1])::int(arguments[2])]
    else:
        chosen = (each for each in plan["runs"] if is_claimed(Path(plan["claims"]) / each["key"]))
    try:
        for each in chosen:
            perform(plan["program"], each, points)
    except KeyboardInterrupt:
        return 130
    return 0


def is_claimed(path):
    """By this worker and by no other, on this machine or another that shares the folder."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        return True
    except FileExistsError:
        return False


def perform(program, run, points):
    out = Path(tempfile.mkdtemp(prefix=".run-", dir=points.folder))
    try:
        command = [program, *run["arguments"], "--quiet", "--out", str(out)]
        exit_code, errors = outcome_of(command)
        if not out.is_dir():
            return  # the sweep of this worker was killed, and a later one has taken over the folder
        record = {"arguments": run["arguments"], "exit": exit_code, "errors": errors, "inputs": {}}
        if exit_code == 0:
            record["inputs"] = inputs_of(out / "config.yaml")
            record["stats"] = json.loads((out / "stats.json").read_text(encoding="utf-8"))
        write_record(points.path(run["key"]), record)
    finally:
        shutil.rmtree(out, ignore_errors=True)


def outcome_of(command):
    with subprocess.Popen(command, text=True, errors="replace", stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          preexec_fn=end_with_parent) as child:
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
