package io.peerlens.alert;

/** Place of a symptom, as seen from the object of the alert. */
enum SymptomPlace {
  SELF(0),
  PARENT(-1),
  ANCESTOR(-SymptomPlace.ANY_DEPTH),
  CHILD(1),
  DESCENDANT(SymptomPlace.ANY_DEPTH);

  /** More levels than any inventory has. */
  private static final int ANY_DEPTH = 64;

  private final int depth;

  SymptomPlace(int depth) {
    this.depth = depth;
  }

  /** Levels down, or up if negative. */
  int depth() {
    return depth;
  }
}
