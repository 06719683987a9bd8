package io.peerlens.standalone.sample;

/**
 * Randomness with memory but without state: a value for every seed and time. Each octave draws a
 * number at every multiple of its period and runs smoothly between them; several octaves from a
 * minute to hours together look like load with an autoregressive part.
 */
final class Noise {

  private static final double[] PERIODS = {40, 240, 1_500, 7_200, 36_000};
  private static final double[] WEIGHTS = {0.45, 0.5, 0.5, 0.4, 0.35};

  private Noise() {}

  /** A thoroughly mixed 64-bit value of two. */
  static long hash(long a, long b) {
    long z = a * 0x9E3779B97F4A7C15L + b + 0x632BE59BD9B4E019L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Evenly distributed in 0 (inclusive) to 1. */
  static double uniform(long a, long b) {
    return (hash(a, b) >>> 11) * 0x1.0p-53;
  }

  /** Evenly distributed in {@code from} to {@code to}. */
  static double between(long a, long b, double from, double to) {
    return from + (to - from) * uniform(a, b);
  }

  /**
   * Mean 0, standard deviation about 0.6, seldom beyond ±1.8.
   *
   * @param time in seconds
   */
  static double at(long seed, double time) {
    double sum = 0;
    for (int i = 0; i < PERIODS.length; i++) {
      sum += WEIGHTS[i] * octave(seed + i, time / PERIODS[i]);
    }
    return sum;
  }

  /** Only the slow part: what moves over hours. */
  static double slow(long seed, double time) {
    return octave(seed + 11, time / 14_400) * 0.6 + octave(seed + 12, time / 86_400) * 0.6;
  }

  private static double octave(long seed, double x) {
    double floor = Math.floor(x);
    long i = (long) floor;
    double f = x - floor;
    double s = f * f * (3 - 2 * f);
    double a = bell(seed, i);
    return a + (bell(seed, i + 1) - a) * s;
  }

  /** The sum of two even distributions: a bell of sorts with standard deviation 0.82. */
  private static double bell(long seed, long i) {
    long h = hash(seed, i);
    double u = (h >>> 32) * 0x1.0p-32;
    double v = (h & 0xffffffffL) * 0x1.0p-32;
    return 2 * (u + v - 1);
  }
}
