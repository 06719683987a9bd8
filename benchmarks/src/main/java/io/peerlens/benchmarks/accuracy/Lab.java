package io.peerlens.benchmarks.accuracy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Runs one detector over the traces of one set and counts. */
final class Lab {

  static final double[] BUDGETS = {0.05, 0.2, 0.5};

  /** Buckets after the end of a fault in which finding it still counts. */
  static final int GRACE = 2;

  /** A clean run that alarms this long before does not let a detection count. */
  static final int BEFORE = 6;

  private static final int LONGEST = 72 + 24;

  private record Place(int trace, int start, int member) {}

  private Lab() {}

  static Outcome run(Detector detector, String set, List<Trace> traces, int trials) {
    List<Place> places = places(traces, trials);
    List<float[]> cleanScores = new ArrayList<>();
    List<float[]> cleanOpenings = new ArrayList<>();
    List<Integer> from = new ArrayList<>();
    Map<Fault, Trial[]> faulty = new EnumMap<>(Fault.class);
    // For each negative: threshold -> members with a new event, and members.
    Map<Negative, List<Trial>> negatives = new EnumMap<>(Negative.class);
    long judged = 0;
    for (int t = 0; t < traces.size(); t++) {
      Trace trace = traces.get(t);
      int n = trace.members();
      int here = t;
      List<Place> mine =
          places.stream()
              .filter(p -> p.trace() == here)
              .sorted((a, b) -> Integer.compare(a.start(), b.start()))
              .toList();
      float[][] scores = new float[n][trace.buckets()];
      List<Detector.Run> copies = new ArrayList<>();
      Detector.Run run = detector.start(trace);
      double[] out = new double[n];
      int next = 0;
      for (int b = 0; b < trace.buckets(); b++) {
        while (next < mine.size() && mine.get(next).start() == b) {
          copies.add(run.copy());
          next++;
        }
        run.step(b, trace.values()[b].clone(), out);
        for (int i = 0; i < n; i++) {
          scores[i][b] = (float) out[i];
          judged += b >= trace.warm() && !Double.isNaN(out[i]) ? 1 : 0;
        }
      }
      float[][] openings = new float[n][];
      for (int i = 0; i < n; i++) {
        openings[i] = Opening.of(scores[i]);
        cleanScores.add(scores[i]);
        cleanOpenings.add(openings[i]);
        from.add(trace.warm());
      }
      for (int p = 0; p < mine.size(); p++) {
        Place place = mine.get(p);
        for (Fault fault : Fault.values()) {
          Random random = new Random(place.hashCode() * 31L + fault.name().hashCode());
          int length = fault.length(random);
          if (!fault.fits(trace, place.start(), length)) {
            continue;
          }
          double[][] rows = rows(trace, place.start(), length + GRACE);
          double[][] padded = new double[place.start() + length + GRACE][];
          System.arraycopy(rows, 0, padded, place.start(), rows.length);
          fault.inject(trace, padded, place.start(), length, place.member(), random);
          Detector.Run copy = copies.get(p).copy();
          if (fault == Fault.NEW_WRONG) {
            boolean[] fresh = new boolean[n];
            fresh[place.member()] = true;
            copy.forget(fresh);
          }
          faulty.computeIfAbsent(fault, k -> new Trial[places.size()])[places.indexOf(place)] =
              trial(
                  copy,
                  rows,
                  place.start(),
                  place.member(),
                  length,
                  scores[place.member()],
                  openings[place.member()],
                  fault == Fault.NEW_WRONG);
        }
        for (Negative negative : Negative.values()) {
          double[][] rows = rows(trace, place.start(), 72);
          Detector.Run copy = copies.get(p).copy();
          disturb(negative, trace, rows, place, copy);
          float[][] after = new float[n][rows.length];
          for (int k = 0; k < rows.length; k++) {
            copy.step(place.start() + k, rows[k], out);
            for (int i = 0; i < n; i++) {
              after[i][k] = (float) out[i];
            }
          }
          for (int i = 0; i < n; i++) {
            boolean single =
                negative == Negative.MEMBER_GAP
                    || negative == Negative.SPIKE_1
                    || negative == Negative.RESET;
            boolean wrong =
                negative == Negative.BESIDE_TWO
                    && (i == place.member() || i == (place.member() + 1) % n);
            if (!wrong && (!single || i == place.member())) {
              negatives
                  .computeIfAbsent(negative, k -> new ArrayList<>())
                  .add(joined(after[i], scores[i], openings[i], place.start(), 72));
            }
          }
        }
      }
    }
    double days = judged / 288.0;
    double[] thresholds = new double[BUDGETS.length];
    for (int k = 0; k < BUDGETS.length; k++) {
      thresholds[k] = threshold(cleanScores, cleanOpenings, from, BUDGETS[k] * days);
    }
    double[] levels = new double[BUDGETS.length + 1];
    levels[Outcome.AT_DEFAULT] = detector.threshold();
    System.arraycopy(thresholds, 0, levels, 1, thresholds.length);
    Map<Fault, int[][]> delays = new EnumMap<>(Fault.class);
    Map<Fault, Double> fragments = new EnumMap<>(Fault.class);
    for (Map.Entry<Fault, Trial[]> e : faulty.entrySet()) {
      int[][] delay = new int[levels.length][places.size()];
      int events = 0;
      int found = 0;
      for (int p = 0; p < places.size(); p++) {
        Trial trial = e.getValue()[p];
        for (int k = 0; k < levels.length; k++) {
          delay[k][p] = trial == null ? Outcome.NOT_TRIED : trial.found(levels[k]);
        }
        if (delay[Outcome.AT_DEFAULT][p] >= 0) {
          found++;
          events += trial.events(levels[Outcome.AT_DEFAULT]);
        }
      }
      delays.put(e.getKey(), delay);
      fragments.put(e.getKey(), events / (double) found);
    }
    Map<Negative, double[]> wrong = new EnumMap<>(Negative.class);
    for (Map.Entry<Negative, List<Trial>> e : negatives.entrySet()) {
      double[] part = new double[levels.length];
      for (int k = 0; k < part.length; k++) {
        double limit = levels[k];
        part[k] = e.getValue().stream().filter(x -> x.found(limit) >= 0).count();
        part[k] /= e.getValue().size();
      }
      wrong.put(e.getKey(), part);
    }
    return new Outcome(
        detector.name(),
        set,
        places.stream().map(p -> traces.get(p.trace()).group()).toList(),
        levels,
        delays,
        fragments,
        wrong,
        events(cleanScores, cleanOpenings, from, detector.threshold()) / days * 7,
        days);
  }

  private static List<Place> places(List<Trace> traces, int trials) {
    int members = traces.stream().mapToInt(Trace::members).sum();
    Random random = new Random(77);
    List<Place> places = new ArrayList<>();
    while (places.size() < trials) {
      int pick = random.nextInt(members);
      int t = 0;
      while (pick >= traces.get(t).members()) {
        pick -= traces.get(t++).members();
      }
      Trace trace = traces.get(t);
      int room = trace.buckets() - LONGEST - trace.warm();
      int start = trace.warm() + random.nextInt(room);
      if (!Double.isNaN(trace.values()[start][pick])) {
        places.add(new Place(t, start, pick));
      }
    }
    return places;
  }

  private static double[][] rows(Trace trace, int start, int length) {
    double[][] rows = new double[Math.min(length, trace.buckets() - start)][];
    for (int k = 0; k < rows.length; k++) {
      rows[k] = trace.values()[start + k].clone();
    }
    return rows;
  }

  private static Trial trial(
      Detector.Run run,
      double[][] rows,
      int start,
      int member,
      int length,
      float[] clean,
      float[] cleanOpening,
      boolean fresh) {
    double[] out = new double[rows[0].length];
    float[] after = new float[rows.length];
    for (int k = 0; k < rows.length; k++) {
      run.step(start + k, rows[k], out);
      after[k] = (float) out[member];
    }
    if (fresh) {
      clean = clean.clone();
      Arrays.fill(clean, Math.max(0, start - BEFORE), start, Float.NaN);
    }
    return joined(after, clean, cleanOpening, start, length);
  }

  /** The faulty scores with the clean ones of the six buckets before. */
  static Trial joined(float[] after, float[] clean, float[] cleanOpening, int start, int length) {
    float[] joined = new float[BEFORE + after.length];
    float[] opening = new float[joined.length];
    for (int k = 0; k < BEFORE; k++) {
      joined[k] = start - BEFORE + k < 0 ? Float.NaN : clean[start - BEFORE + k];
    }
    System.arraycopy(after, 0, joined, BEFORE, after.length);
    for (int k = 0; k < opening.length; k++) {
      int t = start - BEFORE + k;
      opening[k] = t < 0 || t >= cleanOpening.length ? 0 : cleanOpening[t];
    }
    return new Trial(joined, Opening.of(joined), opening, length);
  }

  private static void disturb(
      Negative negative, Trace trace, double[][] rows, Place place, Detector.Run run) {
    int n = trace.members();
    for (int k = 0; k < rows.length; k++) {
      for (int i = 0; i < n; i++) {
        double x = rows[k][i];
        double y =
            switch (negative) {
              case GROUP_PLUS_3 -> x + 3 * trace.amplitude();
              case GROUP_TIMES_2 -> 2 * x;
              case GROUP_GAP -> k < 36 ? Double.NaN : x;
              case MEMBER_GAP -> k < 36 && i == place.member() ? Double.NaN : x;
              case SPIKE_1 -> k < 1 && i == place.member() ? x + 3 * trace.amplitude() : x;
              case RESET -> i != place.member() || k > 1 ? x : k == 0 ? 0 : 10 * x;
              case MEMBERSHIP -> x;
              case BESIDE_TWO ->
                  i == place.member() || i == (place.member() + 1) % n
                      ? x + 3 * trace.amplitude()
                      : x;
              case CLOCK ->
                  place.start() + k + 12 < trace.buckets()
                      ? trace.values()[place.start() + k + 12][i]
                      : Double.NaN;
            };
        rows[k][i] = Double.isNaN(y) ? y : Math.max(0, Math.min(trace.top(), y));
      }
    }
    if (negative == Negative.MEMBERSHIP) {
      boolean[] fresh = new boolean[n];
      for (int i = 0; i < n / 3; i++) {
        fresh[(place.member() + i) % n] = true;
      }
      run.forget(fresh);
    }
  }

  private static double events(
      List<float[]> scores, List<float[]> openings, List<Integer> from, double threshold) {
    double events = 0;
    for (int i = 0; i < scores.size(); i++) {
      events += Opening.events(scores.get(i), openings.get(i), from.get(i), threshold);
    }
    return events;
  }

  /** The lowest threshold from which on the clean traces give at most this many events. */
  private static double threshold(
      List<float[]> scores, List<float[]> openings, List<Integer> from, double allowed) {
    double high = 2e6;
    double low = 0.05;
    // Events fall with the threshold but for small wiggles; bisection in the logarithm.
    while (high / low > 1.005) {
      double middle = Math.sqrt(high * low);
      if (events(scores, openings, from, middle) <= allowed) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }
}
