/* Integer code of several kinds, for ever: a sort, a checksum, a sieve, recursion, a matrix
 * product. What a benchmark of the RV64 core runs.
 */
#include <stdint.h>

enum { VALUES = 4096, SIEVE = 65536, SIDE = 32 };

static uint32_t table[256], values[VALUES];
static unsigned char is_prime[SIEVE];
static int32_t left[SIDE][SIDE], right[SIDE][SIDE];

static void make_table(void) {
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = c & 1 ? UINT32_C(0xedb88320) ^ c >> 1 : c >> 1;
    table[i] = c;
  }
}

static uint32_t checksum(const unsigned char* bytes, uint32_t count) {
  uint32_t c = UINT32_MAX;
  for (uint32_t i = 0; i < count; ++i) c = table[(c ^ bytes[i]) & 255] ^ c >> 8;
  return c;
}

static void sort(uint32_t* a, int count) {
  for (int gap = count / 2; gap > 0; gap /= 2) {
    for (int i = gap; i < count; ++i) {
      const uint32_t moved = a[i];
      int j = i;
      for (; j >= gap && a[j - gap] > moved; j -= gap) a[j] = a[j - gap];
      a[j] = moved;
    }
  }
}

static uint32_t count_primes(void) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < SIEVE; ++i) is_prime[i] = 1;
  for (uint32_t i = 2; i < SIEVE; ++i) {
    if (!is_prime[i]) continue;
    ++found;
    for (uint32_t j = 2 * i; j < SIEVE; j += i) is_prime[j] = 0;
  }
  return found;
}

static uint64_t fibonacci(uint64_t n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static uint32_t multiply(void) {
  uint32_t trace = 0;
  for (int i = 0; i < SIDE; ++i) {
    for (int j = 0; j < SIDE; ++j) {
      left[i][j] = i + j;
      right[i][j] = i - j;
    }
  }
  for (int i = 0; i < SIDE; ++i) {
    for (int j = 0; j < SIDE; ++j) {
      int32_t sum = 0;
      for (int k = 0; k < SIDE; ++k) sum += left[i][k] * right[k][j];
      if (i == j) trace += (uint32_t)sum;
    }
  }
  return trace;
}

int main(void) {
  volatile uint64_t result = 0;
  uint32_t random = 1;
  make_table();
  for (;;) {
    for (int i = 0; i < VALUES; ++i) {
      random ^= random << 13;
      random ^= random >> 17;
      random ^= random << 5;
      values[i] = random;
    }
    sort(values, VALUES);
    result += checksum((const unsigned char*)values, sizeof values) + count_primes() +
              fibonacci(15) + multiply();
  }
}
