package io.peerlens.benchmarks.accuracy;

import io.peerlens.outliers.Method;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The accuracy benchmark of outliers. */
public final class Accuracy {

  private Accuracy() {}

  public static void main(String[] args) throws IOException {
    Path corpus = Path.of(args[0]);
    int trials = Integer.parseInt(args[1]);
    boolean kept = args.length > 2 && args[2].equals("kept");
    String only = System.getProperty("only", "");
    String sets = System.getProperty("sets", "");
    Map<String, List<Trace>> bySet = new LinkedHashMap<>();
    for (Trace trace : new Corpus(corpus).read()) {
      if (trace.kept() == kept && trace.set().matches(sets.isEmpty() ? ".*" : sets)) {
        bySet.computeIfAbsent(trace.set(), k -> new ArrayList<>()).add(trace);
      }
    }
    for (Detector detector : detectors()) {
      if (!detector.name().contains(only)) {
        continue;
      }
      double core = 0;
      for (Map.Entry<String, List<Trace>> set : bySet.entrySet()) {
        long t0 = System.nanoTime();
        Lab.Result r = Lab.run(detector, set.getKey(), set.getValue(), trials, 4.5);
        core += r.mean(true) / bySet.size();
        System.out.printf(
            "%-22s %-32s core %.3f (%.2f %.2f %.2f) more %.3f (%.2f %.2f %.2f) T %.2f %.2f %.2f"
                + " perWeek %.2f %.1fs%n",
            r.detector(), r.set(), r.mean(true), r.mean(0, true), r.mean(1, true), r.mean(2, true),
            r.mean(false), r.mean(0, false), r.mean(1, false), r.mean(2, false),
            r.thresholds()[0], r.thresholds()[1], r.thresholds()[2], r.perWeek(),
            (System.nanoTime() - t0) / 1e9);
        if (Boolean.getBoolean("kinds")) {
          StringBuilder line = new StringBuilder("    ");
          r.recall()
              .forEach(
                  (f, v) -> line.append(String.format("%s %.2f/%.2f/%.2f ", f, v[0], v[1], v[2])));
          line.append("| ");
          r.negatives().forEach((f, v) -> line.append(String.format("%s %.3f ", f, v[1])));
          System.out.println(line);
        }
      }
      System.out.printf("%-22s MEAN core %.3f%n", detector.name(), core);
    }
  }

  static List<Detector> detectors() {
    return List.of(
        new Groups("ours", Groups::defaults),
        new Groups(
            "Datadog-style DBSCAN",
            t -> Groups.defaults(t).withMethod(new Method.Dbscan(3, 12))),
        new Groups(
            "Datadog-style MAD", t -> Groups.defaults(t).withMethod(new Method.Mad(3, 20, 12))),
        new Groups(
            "Grafana-style DBSCAN",
            t -> Groups.defaults(t).withMethod(new Method.BucketDbscan(0.5, 288))),
        new Groups(
            "Grafana-style MAD",
            t -> Groups.defaults(t).withMethod(new Method.DoubleMad(0.5, 12))),
        new RobustZ());
  }
}
