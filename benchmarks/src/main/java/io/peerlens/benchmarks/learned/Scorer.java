package io.peerlens.benchmarks.learned;

/** Says of each row how unusual it is, from nothing but the rows before it. */
interface Scorer {

  /** What the report calls it. */
  String name();

  /** Whether it is one of Peerlens' own. */
  default boolean ours() {
    return false;
  }

  /**
   * Scores of a recording: one line for each metric that is judged on its own, or one line for all.
   *
   * @return [line][row]; the higher, the more unusual; 0 where nothing can be said
   */
  double[][] scores(Labelled series);
}
