// A unit is an sc_module that a netlist can name: it has a path, ports, statistics, and can say
// whom it waits for when a run hangs.
#pragma once

#include <string>
#include <systemc>
#include <vector>

#include "platform/explain/cause.hpp"
#include "platform/unit/parameter.hpp"
#include "platform/unit/port.hpp"
#include "platform/unit/statistic.hpp"

namespace heddle {

class simulation;

// What a unit is given at construction, besides its parameters. It lives until the unit is
// complete: to the kernel, what is constructed meanwhile is part of the unit.
struct unit_context {
  unit_context(std::string unit_path, simulation& run);
  unit_context(const unit_context&) = delete;
  unit_context& operator=(const unit_context&) = delete;

  std::string path;  // "gpu[0].dma": unique in the netlist
  simulation& sim;
  std::string legal_name;  // the kernel's name object only points to it
  sc_core::sc_module_name kernel_name;
};

class unit : public sc_core::sc_module {
 public:
  explicit unit(const unit_context& context);
  ~unit() override;

  const std::string& path() const { return path_; }
  simulation& sim() const { return sim_; }
  site_id site() const { return site_; }  // of the time spent here

  // nullptr when there is none of that name.
  port* find_port(const std::string& name) const;
  const std::vector<port*>& ports() const { return ports_; }
  void add_port(port& added) { ports_.push_back(&added); }

  // Every port of the netlist is joined: routes and peers are known. May throw user_error.
  virtual void on_connected() {}

  virtual const statistic_set* statistics() const { return nullptr; }
  // One line for the hang report; empty when the unit waits for nobody.
  virtual std::string waiting_for() const { return {}; }

 private:
  std::string path_;
  simulation& sim_;
  site_id site_;
  std::vector<port*> ports_;
};

// What is constructed while this lives belongs to the unit, as if its constructor were running:
// the kernel wants that of sockets which come into being when a netlist is joined.
class building_inside {
 public:
  explicit building_inside(unit& owner);
  ~building_inside();
  building_inside(const building_inside&) = delete;
  building_inside& operator=(const building_inside&) = delete;
};

}  // namespace heddle
