int below(void);
int made(void);

int main(void) {
  return below() + made();
}
