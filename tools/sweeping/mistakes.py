"""What a user got wrong, with its place and the likely fix."""
import difflib


class UserError(Exception):
    """Exit code 2; the message begins with FILE:LINE:COLUMN where there is one."""


class RunFailed(Exception):
    """Exit code 1: a run that was described well did not succeed."""


def nearest(word, candidates):
    near = difflib.get_close_matches(word, sorted(candidates), n=1)
    return near[0] if near else ""


def did_you_mean(word, candidates):
    near = nearest(word, candidates)
    return f" (did you mean '{near}'?)" if near else ""
