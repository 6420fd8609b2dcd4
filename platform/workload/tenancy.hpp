// Workloads whose cores set up the same devices in the network, and do not take turns, are tenants
// of these devices: each programs registers of its own there, which firmware finds by its number.
//
// Limitations: tenants are numbered once for all devices that join them, so a device may have fewer
// tenants than are counted.
#pragma once

#include <vector>

#include "platform/services/tenant_directory.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

bool have_same_cores(const workload_cores& a, const workload_cores& b);

// Of each workload, in that order. Workloads with the same cores take turns: they are one tenant.
std::vector<tenancy> tenancies_of(const std::vector<workload_cores>& workloads,
                                  const tenant_directory& devices);

// Throws user_error where a device has no room for all its tenants, or where two cores of the
// workload would set up the same one.
void check_tenancy(const workload_settings& settings, const workload_cores& cores,
                   const tenancy& own, const tenant_directory& devices);

}  // namespace heddle
