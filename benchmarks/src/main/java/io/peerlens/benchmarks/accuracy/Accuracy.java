package io.peerlens.benchmarks.accuracy;

import io.peerlens.benchmarks.Section;
import io.peerlens.outliers.Method;
import io.peerlens.outliers.Settings;
import io.peerlens.outliers.Transform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The accuracy benchmark of outliers: reads the public traces, runs all detectors and writes a
 * page.
 *
 * <pre>Accuracy CORPUS [PAGE [TRIALS]]</pre>
 *
 * Without a page, only the part of the data that is for development is run, and a line for each set
 * is printed; {@code -Donly=} and {@code -Dsets=} are patterns for the names of detectors and sets,
 * and {@code -Dkept=true} or {@code both} takes the part that is kept aside.
 */
public final class Accuracy {

  private static final double DEFAULT = 4.5;

  private record Key(String detector, String set, boolean kept) {}

  private Accuracy() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Corpus corpus = new Corpus(Path.of(args[0]));
    boolean page = args.length > 1;
    int trials =
        args.length > 2 ? Integer.parseInt(args[2]) : Integer.getInteger("trials", page ? 100 : 60);
    String only = System.getProperty("only", ".*");
    String sets = System.getProperty("sets", ".*");
    String kept = System.getProperty("kept", "false");
    Map<String, List<Trace>> dev = new LinkedHashMap<>();
    Map<String, List<Trace>> aside = new LinkedHashMap<>();
    for (Trace trace : corpus.read()) {
      if (trace.set().matches(sets)) {
        (trace.kept() ? aside : dev)
            .computeIfAbsent(trace.set(), k -> new ArrayList<>())
            .add(trace);
      }
    }
    Map<Key, Lab.Result> results = new ConcurrentHashMap<>();
    List<Detector> detectors = new ArrayList<>(detectors());
    String python = System.getProperty("pyod", "");
    if (!python.isEmpty()) {
      for (String name : System.getProperty("pyod.detectors", "MAD,ECOD,KNN").split(",", -1)) {
        detectors.add(PyOd.of(python, name));
      }
    }
    detectors.removeIf(d -> !d.name().matches(only));
    List<Runnable> work = new ArrayList<>();
    for (Detector detector : detectors) {
      for (boolean keptAside :
          page || kept.equals("both")
              ? new boolean[] {false, true}
              : new boolean[] {Boolean.parseBoolean(kept)}) {
        (keptAside ? aside : dev)
            .forEach(
                (set, traces) ->
                    work.add(
                        () -> {
                          Lab.Result r = Lab.run(detector, set, traces, trials, DEFAULT);
                          results.put(new Key(detector.name(), set, keptAside), r);
                          System.out.println(line(r, keptAside));
                        }));
      }
    }
    int threads = Integer.getInteger("threads", 1);
    List<Thread> running = new ArrayList<>();
    java.util.concurrent.atomic.AtomicInteger next =
        new java.util.concurrent.atomic.AtomicInteger();
    for (int t = 0; t < threads; t++) {
      running.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int w = next.getAndIncrement();
                        w < work.size();
                        w = next.getAndIncrement()) {
                      work.get(w).run();
                    }
                  }));
    }
    for (Thread thread : running) {
      thread.join();
    }
    if (page) {
      Section.writeRest(
          Path.of(args[1]),
          new Report(
                  detectors.stream().map(Detector::name).toList(),
                  List.copyOf(dev.keySet()),
                  (detector, set, keptAside) ->
                      Objects.requireNonNull(results.get(new Key(detector, set, keptAside))),
                  mixed(corpus),
                  trials)
              .text());
    }
  }

  private static String line(Lab.Result r, boolean kept) {
    StringBuilder line = new StringBuilder();
    line.append(
        String.format(
            "%-20s %-28s %-5s first 8: %.3f (%.2f %.2f %.2f) others: %.3f  T %.2f %.2f %.2f  %.2f a week",
            r.detector(),
            r.set(),
            kept ? "aside" : "dev",
            r.mean(true),
            r.mean(0, true),
            r.mean(1, true),
            r.mean(2, true),
            r.mean(false),
            r.thresholds()[0],
            r.thresholds()[1],
            r.thresholds()[2],
            r.perWeek()));
    if (Boolean.getBoolean("kinds")) {
      new TreeMap<>(r.recall())
          .forEach(
              (f, v) -> line.append(String.format("%n    %s %.2f %.2f %.2f", f, v[0], v[1], v[2])));
      new TreeMap<>(r.negatives())
          .forEach((f, v) -> line.append(String.format("%n    %s %.3f %.3f", f, v[1], v[3])));
    }
    return line.toString();
  }

  /** What happens in a group whose members have nothing to do with each other, at the defaults. */
  private static double[] mixed(Corpus corpus) throws IOException {
    Trace trace = corpus.mixed();
    Lab.Result ours = Lab.run(detectors().getFirst(), "mixed", List.of(trace), 10, DEFAULT);
    return new double[] {ours.perWeek(), ours.memberDays()};
  }

  /** Without the minimum deviation, which the methods that are imitated do not have. */
  private static Settings plain(Settings settings) {
    Settings none =
        Settings.peers(settings.bucketMillis(), List.of(Settings.Metric.of(Transform.LINEAR, 0)));
    return none.withMethod(settings.method());
  }

  static List<Detector> detectors() {
    return List.of(
        new Groups("Peerlens", Groups::defaults),
        new Groups(
            "Datadog-style DBSCAN", t -> Groups.defaults(t).withMethod(new Method.Dbscan(3, 12))),
        new Groups(
            "Datadog-style MAD", t -> Groups.defaults(t).withMethod(new Method.Mad(3, 20, 12))),
        new Groups(
            "scaled DBSCAN", t -> Groups.defaults(t).withMethod(new Method.Dbscan(3, 12)), 0.1),
        new Groups(
            "scaled MAD", t -> Groups.defaults(t).withMethod(new Method.Mad(3, 20, 12)), 0.1),
        new Groups(
            "Grafana-style DBSCAN",
            t -> Groups.defaults(t).withMethod(new Method.BucketDbscan(0.5, 288))),
        new Groups(
            "Grafana-style MAD", t -> Groups.defaults(t).withMethod(new Method.DoubleMad(0.5, 12))),
        new RobustZ(),
        new KMeans(),
        new Groups(
            "DBSCAN, no minimum",
            t -> plain(Groups.defaults(t)).withMethod(new Method.Dbscan(3, 12))),
        new RobustZ("robust z, no minimum", false, 0));
  }
}
