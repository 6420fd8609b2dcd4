// A target socket of a unit that passes accesses on, as a bridge does. It declares what the target
// behind declares: whether that knows Heddle's extensions, and whether it completes at once.
//
// Handler has the members that handler_target_socket.hpp names, and behind(), the interface that
// accesses go on to. A poll_question ends here: nobody sleeps through polls of what is behind.
#pragma once

#include "platform/poll/poll_question.hpp"
#include "transactors/memory/handler_target_socket.hpp"
#include "transactors/memory/target_declaration.hpp"

namespace heddle {

template <class Handler>
class passing_target_socket final : public handler_target_socket<Handler> {
 public:
  passing_target_socket(const char* name, Handler handler)
      : handler_target_socket<Handler>(name, handler) {}

 private:
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    if (auto* question = payload.get_extension<poll_question>()) question->reach(*this);
    auto* const declaration = payload.get_extension<target_declaration>();
    if (!declaration) return this->handler_.transport_dbg(payload);
    const target_declaration::interface* const asked = declaration->asked;
    declaration->asked = this->handler_.behind();
    this->handler_.behind()->transport_dbg(payload);
    declaration->completes_at_once = declaration->completes_at_once && asked == this;
    declaration->blocking = asked == this ? blocking_call::to(this->handler_) : blocking_call();
    declaration->asked = asked;
    return 0;
  }
};

}  // namespace heddle
