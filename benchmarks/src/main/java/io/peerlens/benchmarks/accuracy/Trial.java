package io.peerlens.benchmarks.accuracy;

/** One fault in one place: opening scores of the faulty run and of the clean one. */
record Trial(float[] faulty, float[] opening, float[] clean, int length) {

  /**
   * After how many buckets it is found at this threshold; -1 if it is not. The clean run must not
   * have been out then, nor in the {@link Lab#BEFORE} buckets before.
   */
  int found(double threshold) {
    int loud = -1;
    for (int k = 0; k < Math.min(length + Lab.GRACE + Lab.BEFORE, opening.length); k++) {
      if (clean[k] >= threshold) {
        loud = k;
      }
      boolean quiet = loud < 0 || k - loud > Lab.BEFORE;
      if (k >= Lab.BEFORE && quiet && opening[k] >= threshold) {
        return k - Lab.BEFORE;
      }
    }
    return -1;
  }

  int events(double threshold) {
    return Opening.events(faulty, opening, Lab.BEFORE, threshold);
  }
}
