int count(void);

int count(void) {
  static int calls;
  return ++calls;
}
