// b_transport of one target as a plain function and its object. A call through the interface, which
// is a virtual base, first has to load where the object begins.
#pragma once

#include <tlm>

namespace heddle {

class blocking_call {
 public:
  blocking_call() = default;  // of nobody

  // `target`, or the handler behind its socket, must outlive the object.
  template <class Target>
  static blocking_call to(Target& target) {
    blocking_call call;
    call.object_ = &target;
    call.function_ = [](void* object, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
      static_cast<Target*>(object)->b_transport(payload, delay);
    };
    return call;
  }

  explicit operator bool() const { return function_ != nullptr; }
  void operator()(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) const {
    function_(object_, payload, delay);
  }

 private:
  void (*function_)(void*, tlm::tlm_generic_payload&, sc_core::sc_time&) = nullptr;
  void* object_ = nullptr;
};

}  // namespace heddle
