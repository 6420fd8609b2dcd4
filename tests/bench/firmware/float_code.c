/* Floating point of both precisions, for ever: a matrix product, a dot product, a polynomial,
 * square roots, conversions. What a benchmark of the RV64 core runs.
 */
#include <stdint.h>

enum { SIDE = 24, LENGTH = 512 };

static double left[SIDE][SIDE], right[SIDE][SIDE], product[SIDE][SIDE];
static float first[LENGTH], second[LENGTH];

static void fill(uint32_t round) {
  for (int i = 0; i < SIDE; ++i) {
    for (int j = 0; j < SIDE; ++j) {
      left[i][j] = 1.0 / (i + j + 1);
      right[i][j] = (double)(i - j) + 0.125 * round;
    }
  }
  for (int i = 0; i < LENGTH; ++i) {
    first[i] = (float)i * 0.1F;
    second[i] = 1.0F / (float)(i + 1);
  }
}

static double trace_of_product(void) {
  for (int i = 0; i < SIDE; ++i) {
    for (int j = 0; j < SIDE; ++j) {
      double sum = 0;
      for (int k = 0; k < SIDE; ++k) sum += left[i][k] * right[k][j];
      product[i][j] = sum;
    }
  }
  double trace = 0;
  for (int i = 0; i < SIDE; ++i) trace += product[i][i];
  return trace;
}

static float dot(void) {
  float sum = 0;
  for (int i = 0; i < LENGTH; ++i) sum += first[i] * second[i];
  return sum;
}

static double sine(double x) {
  const double square = x * x;
  double term = x, sum = x;
  for (int n = 2; n < 20; n += 2) {
    term *= -square / (n * (n + 1));
    sum += term;
  }
  return sum;
}

static double length(void) {
  double sum = 0;
  for (int i = 0; i < SIDE; ++i) sum += left[i][i] * left[i][i];
  return __builtin_sqrt(sum);
}

int main(void) {
  volatile double kept = 0;
  for (uint32_t round = 0;; ++round) {
    fill(round % 64);
    kept += trace_of_product() + dot() + sine((double)(round % 7)) + length();
    kept += (double)(int32_t)(kept / 3);
  }
}
