/* What the kind of workload tells the firmware: which two ranks play, and how long. */
#ifndef PINGPONG_JOB_H
#define PINGPONG_JOB_H

#include <stdint.h>

struct pingpong_job {
  uint32_t number;
  uint32_t first;
  uint32_t second;
  uint32_t rounds;
  uint64_t data; /* offset of the ball in every window */
};

enum { BALL_BYTES = 64 };

#endif
