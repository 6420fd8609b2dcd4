// Standard output is a result like any other: a run whose output nobody could write did not
// succeed.
#pragma once

namespace heddle {

// Throws user_error if it is closed: the next file that is opened would take its place.
void check_standard_output();

// The exit code of a command that ended with `code`, after what it printed is out: 2, and a
// message, if it was 0 and standard output is full.
int finish_standard_output(int code);

}  // namespace heddle
