// What the program would leave behind when a signal ends it: files that are not complete, folders
// of its own, programs that it has started. Up to 64 of each kind are taken care of.
#pragma once

#include <sys/types.h>

#include <string>

namespace heddle {

enum class leftover { file, folder, folder_if_empty };

// From here on SIGINT, SIGQUIT, SIGHUP, SIGTERM and SIGPIPE first end the programs that are noted
// and remove the files and folders, and then end this program as usual. A signal that is ignored,
// as SIGHUP is under nohup, stays so.
void clear_up_at_signals();

void note_leftover(leftover what, const std::string& path);
void forget_leftover(leftover what, const std::string& path);

void note_child(pid_t child);
void forget_child(pid_t child);

}  // namespace heddle
