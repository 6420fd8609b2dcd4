// What must hold of a mixture-of-experts layer whatever the hardware does in detail: remote GPUs of
// a token, vectors on the wires, payload efficiency, and the time by formulas. All of it
// follows from how experts are drawn, from the flits of a packet (16 B; a header before 128 B of
// payload), and from which direction of a link each vector and each response takes.
#pragma once

#include <cstdint>

#include "models/workloads/moe/moe_schedule.hpp"
#include "models/workloads/moe/moe_shape.hpp"

namespace heddle {

// Mean remote GPUs of a token whose experts are drawn evenly: (G-1) (1 - C(E-e, k) / C(E, k)).
double distinct_gpus_law(const moe_shape& shape);
// Share of the tokens that have an expert on another GPU, experts drawn evenly: the k experts of a
// token are not all among the e of its own GPU, 1 - C(e, k) / C(E, k).
double leaving_law(const moe_shape& shape);

// Vectors on the wires for one token, whose experts lie on `distinct` remote GPUs in the mean;
// `leaving` is the share of tokens that have a remote expert at all. `up`: from GPUs to switches.
struct moe_vectors {
  double up = 0, down = 0;
  double both() const { return up + down; }
};
moe_vectors dispatch_vectors(moe_traffic traffic, std::uint32_t gpus, double distinct,
                             double leaving = 1);
moe_vectors combine_vectors(moe_traffic traffic, std::uint32_t gpus, double distinct,
                            double leaving = 1);

// Share of what copies move that a network which copies and adds need not move. The literature has
// both laws with `leaving` 1, which holds where a token has more experts than a GPU, and differs in
// no printed digit from 8 experts a token on.
double redundancy_law(double distinct, double leaving);
// What copies take over what a network needs that keeps both directions of its links busy.
double ideal_speedup_law(double distinct, double leaving);
// Vectors that a static collective moves for nothing, over those that are needed.
double useless_law(std::uint32_t gpus, double distinct);

// Payload flits over all flits, of a store to `targets` GPUs and its acknowledgments, over both the
// leg of the source and those of the copies.
struct payload_efficiency {
  double ideal = 0;             // one address in every packet
  double explicit_targets = 0;  // an address a target, in request and response of the source's leg
  double dynamic = 0;           // extension flits of eight targets on the source's leg
  double dynamic_copies = 0;    // the same on every copy, too
};
payload_efficiency payload_efficiency_law(std::uint32_t payload_bytes, std::uint32_t targets);

// Rates of the machine that the times are for.
struct moe_machine {
  double payload_rate = 360e9;  // B/s of a GPU in each direction: NVLink 4, 450 GB/s, times 0.8
  double wire_rate = 450e9;     // the same in bytes on the wire
  double flops = 1979e12;       // of a GPU: H200 data sheet, FP8 dense
  double hbm_rate = 4.8e12;     // B/s: the same data sheet
  double packet_payload = 128;  // B, of a full packet
  double packet_header = 16;    // and before it; a response without data is nothing else
  double capacity = 0.9;        // of the wires that dispatch and combine reach together (VI-B1)
};

// Time of a layer whose wires and multipliers do nothing else, as the literature counts: payload at
// one rate in both directions, and every token leaves its GPU, also where few experts a token let
// some of them stay. Backward passes are not in it.
double moe_compute_time(const moe_shape& shape, const moe_machine& machine);
double moe_time_law(const moe_schedule& schedule, const moe_shape& shape, double distinct,
                    const moe_machine& machine);
// The same with one capacity: whatever is irregular, copies as much as multicast, reaches the share
// of the wires that VI-B1 measures, and each flit counts in the direction in which it goes. The law
// above takes that share from `dysharp` and `fusion` alone, and puts the acknowledgments of an
// all-gather beside its data. This one, whose all-gather fills the wires, is nearer to the means
// and maxima that the source prints.
double moe_capacity_law(const moe_schedule& schedule, const moe_shape& shape, double distinct,
                        const moe_machine& machine);

}  // namespace heddle
