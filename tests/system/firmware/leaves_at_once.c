/* Does nothing of what the workload asks for. */
int main(void) {
  return 0;
}
