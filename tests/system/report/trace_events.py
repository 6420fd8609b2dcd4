"""Trace-event JSON against the rules of its format: the kinds of events that Heddle writes, with the
keys and types that viewers need."""
NUMBER = (int, float)
KEYS = {  # phase: {key: type}
    "M": {"ph": str, "pid": int, "tid": int, "name": str, "args": dict},
    "X": {"ph": str, "pid": int, "tid": int, "ts": NUMBER, "dur": NUMBER, "name": str, "cat": str},
    "C": {"ph": str, "pid": int, "tid": int, "ts": NUMBER, "name": str, "args": dict},
}


def check(document):
    """Returns the number of events of each phase."""
    assert set(document) == {"traceEvents", "displayTimeUnit"}, list(document)
    assert document["displayTimeUnit"] in ("ns", "ms")
    counts = dict.fromkeys(KEYS, 0)
    ends, named = {}, set()
    for event in document["traceEvents"]:
        keys = KEYS[event["ph"]]
        assert set(event) == set(keys), event
        assert all(isinstance(event[key], kind) for key, kind in keys.items()), event
        counts[event["ph"]] += 1
        track = (event["pid"], event["tid"])
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "thread_name"), event
            assert list(event["args"]) == ["name"] and isinstance(event["args"]["name"], str)
            named.add(track)
        elif event["ph"] == "C":
            assert all(isinstance(value, NUMBER) for value in event["args"].values()), event
            assert (event["pid"], 0) in named, event
        else:  # events of one track must not overlap
            assert event["ts"] >= ends.get(track, 0) - 1e-9 and event["dur"] >= 0, event
            ends[track] = event["ts"] + event["dur"]
            assert track in named, event
    return counts
