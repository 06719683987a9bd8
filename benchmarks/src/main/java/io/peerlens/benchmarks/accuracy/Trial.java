package io.peerlens.benchmarks.accuracy;

/** One fault in one place: opening scores of the faulty run and of the clean one. */
record Trial(float[] faulty, float[] opening, float[] clean, int length) {

  /** After how many buckets it is found at this threshold; -1 if it is not. */
  int found(double threshold) {
    int quiet = 0;
    for (int t = 0; t < Math.min(length + Lab.GRACE, opening.length - Lab.BEFORE); t++) {
      for (int k = quiet; k <= t + Lab.BEFORE; k++) {
        if (clean[k] >= threshold) {
          quiet = k + Lab.BEFORE + 1;
        }
      }
      if (t + Lab.BEFORE >= quiet && opening[t + Lab.BEFORE] >= threshold) {
        return t;
      }
    }
    return -1;
  }

  int events(double threshold) {
    return Opening.events(faulty, opening, Lab.BEFORE, threshold);
  }
}
