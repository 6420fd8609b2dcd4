// What a netlist connects. A port has a kind ("packet", "memory initiator", ...); transactors say
// how two ports of a kind are joined, so the netlist needs to know no socket type.
#pragma once

#include <string>

#include "platform/text/diagnostic.hpp"
#include "platform/text/shared_text.hpp"

namespace heddle {

class parameter_set;
class unit;

class port {
 public:
  port(unit& owner, const std::string& name);
  virtual ~port() = default;
  port(const port&) = delete;
  port& operator=(const port&) = delete;

  unit& owner() const { return owner_; }
  const std::string& name() const { return name_; }  // "port[3]"
  std::string path() const;                          // "nvs[0].port[3]"

  virtual std::string kind() const = 0;
  // Whether the port may stay open; most may not.
  virtual bool must_be_bound() const { return true; }
  // Joins both directions. `link` holds the parameters of the link type, or nullptr where the kind
  // has none. Throws user_error when the kinds do not fit.
  virtual void connect(port& peer, const parameter_set* link) = 0;

  // For connect(): the peer is of a kind that does not fit.
  [[noreturn]] void refuse_to_bind(const port& peer) const {
    throw user_error("cannot bind " + path() + " (" + kind() + ") to " + peer.path() + " (" +
                     peer.kind() + ")");
  }

  bool is_bound() const { return is_bound_; }
  void mark_bound() { is_bound_ = true; }

 private:
  unit& owner_;
  shared_text name_;
  bool is_bound_ = false;
};

}  // namespace heddle
