// What the buffers of a memory need to know of an access of firmware, beyond who makes it.
#pragma once

#include "platform/contracts/access_origin.hpp"

namespace heddle {

struct firmware_origin : access_origin {
  bool is_poll = false;     // the program waits for the word to change
  bool is_private = false;  // to memory of the program itself, as its stack
  bool is_flag = false;     // to a word that another core waits for

  // A flag counts as no store without a fence: it is what the fence before it was for.
  void end_store() {
    if (!is_flag) access_origin::end_store();
  }
};

}  // namespace heddle
