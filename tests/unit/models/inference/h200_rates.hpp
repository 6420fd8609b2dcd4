// Rates of the H200 of models/gpu/kernels/kernel_engine_parameters.hpp.
#pragma once

#include "models/gpu/kernels/kernel_rates.hpp"

namespace heddle {

inline kernel_rates h200_rates() {
  kernel_rates rates;
  rates.fp16_flops = 989e12;
  rates.fp8_flops = 1979e12;
  rates.efficiency = 0.7;
  rates.sms = 132;
  rates.l2 = bandwidth(5'500'000'000'000);
  rates.l2_port = bandwidth(117'000'000'000);
  rates.hbm = bandwidth(4'320'000'000'000);
  rates.hbm_latency = 250 * fs_per_ns;
  return rates;
}

}  // namespace heddle
