package io.peerlens.alert;

/** Where a symptom is, as seen from the object of the alert. */
enum Target {
  SELF(0),
  PARENT(-1),
  ANCESTOR(-Target.ANY_DEPTH),
  CHILD(1),
  DESCENDANT(Target.ANY_DEPTH);

  /** More levels than any inventory has. */
  private static final int ANY_DEPTH = 64;

  private final int depth;

  Target(int depth) {
    this.depth = depth;
  }

  /** Levels down, or up if negative. */
  int depth() {
    return depth;
  }
}
