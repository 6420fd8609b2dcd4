// A target socket of a unit that serves accesses itself, as memories and registers do. Its calls go
// straight to a handler's members (handler_target_socket.hpp). A Handler with
// `static constexpr bool completes_at_once = true` answers every non-blocking request with
// TLM_COMPLETED. A poll_question that arrives here has reached its receiver, and so has a
// target_declaration.
#pragma once

#include <type_traits>

#include "platform/poll/poll_question.hpp"
#include "transactors/memory/handler_target_socket.hpp"
#include "transactors/memory/target_declaration.hpp"

namespace heddle {

template <class Handler>
class direct_target_socket final : public handler_target_socket<Handler> {
 public:
  direct_target_socket(const char* name, Handler handler)
      : handler_target_socket<Handler>(name, handler) {}

 private:
  template <class T, class = void>
  struct completes : std::false_type {};
  template <class T>
  struct completes<T, std::enable_if_t<T::completes_at_once>> : std::true_type {};

  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    if (auto* question = payload.get_extension<poll_question>()) question->reach(*this);
    if (auto* declaration = payload.get_extension<target_declaration>()) {
      declaration->declare(*this, completes<Handler>::value, blocking_call::to(this->handler_));
      return 0;
    }
    return this->handler_.transport_dbg(payload);
  }
};

}  // namespace heddle
