// Unit types, links, topologies and kinds of workloads as HTML: parameters, ports, statistics,
// registers, from the declarations that netlists are checked by.
#pragma once

#include <string>

namespace heddle {

std::string units_html();
std::string links_html();
std::string topologies_html();
std::string workloads_html();

}  // namespace heddle
