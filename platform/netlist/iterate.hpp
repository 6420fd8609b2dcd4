// Repetition and choice in netlists: `for: {g: "${gpus}", p: 4}` repeats an item of a list for
// every combination of its indices, `array: [4, 2]` a unit, and `if` leaves items out.
#pragma once

#include <functional>

#include "platform/netlist/expansion.hpp"
#include "platform/yaml/expression.hpp"

namespace heddle {

// Throws user_error unless units, and parameters and indices that `${...}` knows, may have that
// name. `what` is one of them, with its article.
void check_name(const char* what, const std::string& name, const source_place& place);

// Calls `item` for every combination of the indices of `for`, first name outermost, once if there
// is no `for`; not where `if` is false.
void iterate(const yaml_node& mapping, const variables& known, netlist_expansion& expansion,
             const std::function<void(const variables&)>& item);

// Calls `item` with "[2][0]" for every element of `array`, last index fastest, with "" if there is
// no `array`; not where `if` is false. The indices are called as `index` says, else i, j, k and on.
void iterate_array(const yaml_entry& unit, const variables& known, netlist_expansion& expansion,
                   const std::function<void(const std::string& suffix, const variables&)>& item);

// The mapping without the keys that were read here, for whoever reads the rest.
yaml_node without_keys(const yaml_node& mapping, const std::vector<std::string>& keys);

}  // namespace heddle
