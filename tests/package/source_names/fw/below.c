int below(void);

int below(void) {
  return 0;
}
