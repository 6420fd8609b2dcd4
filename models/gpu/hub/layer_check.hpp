// Whether a layer makes sense on a GPU: what firmware describes is checked before the hub builds
// tables from it, so that no number of a descriptor can lead outside of them.
#pragma once

#include <string>

#include "models/gpu/hub/hub_settings.hpp"
#include "models/gpu/hub/hub_wires.hpp"
#include "models/gpu/hub/layer_map.hpp"
#include "transactors/fabric/fabric.hpp"

namespace heddle {

class layer_check {
 public:
  layer_check(const hub_settings& settings, const fabric& net) : settings_(settings), net_(net) {}

  // The descriptor alone.
  bool is_sensible(const layer_map& layer) const;
  // The first GPU of a sensible layer to which no port of the hub leads; empty: it reaches them
  // all.
  std::string unreached(const layer_map& layer, const hub_wires& wires) const;
  // No expert gets more tokens than there are.
  static bool are_counts_sensible(const layer_map& layer);

 private:
  static bool has_sensible_shape(const layer_map& layer);
  static bool has_sensible_tables(const layer_map& layer);
  bool has_sensible_sms(const layer_map& layer) const;
  bool has_sensible_vectors(const layer_map& layer) const;
  static bool has_sensible_groups(const layer_map& layer);
  bool has_addresses(const layer_map& layer) const;

  const hub_settings& settings_;
  const fabric& net_;
};

}  // namespace heddle
