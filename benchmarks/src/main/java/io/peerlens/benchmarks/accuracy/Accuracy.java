package io.peerlens.benchmarks.accuracy;

import io.peerlens.benchmarks.Headline;
import io.peerlens.benchmarks.Section;
import io.peerlens.outliers.Method;
import io.peerlens.outliers.Settings;
import io.peerlens.outliers.Transform;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

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

  private Accuracy() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Path corpus = Path.of(args[0]);
    int trials = args.length > 2 ? Integer.parseInt(args[2]) : Integer.getInteger("trials", 100);
    if (args.length > 1) {
      write(corpus, Path.of(args[1]), trials);
    } else {
      String kept = System.getProperty("kept", "false");
      run(
          new Corpus(corpus).read(),
          chosen(),
          trials,
          kept.equals("both") ? List.of(false, true) : List.of(Boolean.parseBoolean(kept)));
    }
  }

  /** Runs everything and writes the page, all but the parts with names. */
  public static List<Headline> write(Path root, Path page, int trials)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    Corpus corpus = new Corpus(root);
    List<Trace> traces = corpus.read();
    List<Detector> detectors = chosen();
    Results results = run(traces, detectors, trials, List.of(false, true));
    List<Report.World> worlds = new ArrayList<>();
    worlds.add(world("Clean groups", Together.clean(), detectors));
    List<Trace> recorded =
        traces.stream().filter(t -> t.set().equals("Bitbrains cpu") && !t.kept()).toList();
    if (!recorded.isEmpty()) {
      worlds.add(world("Groups drawn from Bitbrains cpu", Together.drawn(recorded), detectors));
    }
    long minutes = Math.ceilDiv(Duration.ofNanos(System.nanoTime() - start).toSeconds(), 60);
    Report report =
        new Report(
            results,
            worlds,
            Lab.run(ours(), "mixed", List.of(corpus.mixed()), 10),
            trials,
            minutes);
    Section.writeRest(page, report.text());
    return report.headlines();
  }

  /** All but those that are not wanted, and those of PyOD if they are. */
  private static List<Detector> chosen() {
    List<Detector> detectors = new ArrayList<>(detectors());
    String python = System.getProperty("pyod", "");
    if (!python.isEmpty()) {
      for (String name : System.getProperty("pyod.detectors", "MAD,ECOD,KNN").split(",", -1)) {
        detectors.add(PyOd.of(python, name));
      }
    }
    String only = System.getProperty("only", ".*");
    detectors.removeIf(d -> !d.name().matches(only));
    return detectors;
  }

  /** Runs detectors on the traces of some parts. */
  static Results run(List<Trace> of, List<Detector> detectors, int trials, List<Boolean> parts)
      throws InterruptedException {
    String sets = System.getProperty("sets", ".*");
    Map<Boolean, Map<String, List<Trace>>> traces = new HashMap<>();
    Set<String> names = new LinkedHashSet<>();
    for (Trace trace : of) {
      if (trace.set().matches(sets) && parts.contains(trace.kept())) {
        names.add(trace.set());
        traces
            .computeIfAbsent(trace.kept(), k -> new LinkedHashMap<>())
            .computeIfAbsent(trace.set(), k -> new ArrayList<>())
            .add(trace);
      }
    }
    Map<Results.Key, Outcome> outcomes = new ConcurrentHashMap<>();
    List<Runnable> work = new ArrayList<>();
    for (Detector detector : detectors) {
      traces.forEach(
          (kept, bySet) ->
              bySet.forEach(
                  (set, its) ->
                      work.add(
                          () -> {
                            Outcome o = Lab.run(detector, set, its, trials);
                            outcomes.put(new Results.Key(detector.name(), set, kept), o);
                            System.out.println(line(o, kept));
                          })));
    }
    inParallel(work);
    return new Results(
        detectors.stream().map(Detector::name).toList(), List.copyOf(names), Map.copyOf(outcomes));
  }

  static Report.World world(String name, List<Trace> traces, List<Detector> detectors)
      throws InterruptedException {
    List<List<Together.Row>> rows = new ArrayList<>();
    List<Runnable> work = new ArrayList<>();
    for (Detector detector : detectors) {
      List<Together.Row> mine = Collections.synchronizedList(new ArrayList<>());
      rows.add(mine);
      for (Trace trace : traces) {
        work.add(() -> mine.addAll(Together.run(detector, trace)));
      }
    }
    inParallel(work);
    return new Report.World(name, rows);
  }

  private static void inParallel(List<Runnable> work) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    AtomicReference<@Nullable RuntimeException> failed = new AtomicReference<>();
    List<Thread> running = new ArrayList<>();
    int threads = Integer.getInteger("threads", Runtime.getRuntime().availableProcessors());
    for (int t = 0; t < threads; t++) {
      running.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int w = next.getAndIncrement();
                        w < work.size() && failed.get() == null;
                        w = next.getAndIncrement()) {
                      try {
                        work.get(w).run();
                      } catch (RuntimeException e) {
                        failed.set(e);
                      }
                    }
                  }));
    }
    for (Thread thread : running) {
      thread.join();
    }
    RuntimeException e = failed.get();
    if (e != null) {
      throw e;
    }
  }

  private static String line(Outcome o, boolean kept) {
    StringBuilder line = new StringBuilder();
    line.append(
        String.format(
            "%-20s %-28s %-5s default: %.3f all, %.3f easy, %.3f small, %.2f events a week; budgets: %.3f all, %.3f easy; thresholds %.2f %.2f %.2f",
            o.detector(),
            o.set(),
            kept ? "aside" : "dev",
            o.mean(Outcome.AT_DEFAULT, Outcome.KINDS),
            o.mean(Outcome.AT_DEFAULT, Outcome.EASY),
            o.mean(Outcome.AT_DEFAULT, Outcome.SMALL),
            o.perWeek(),
            o.overBudgets(Outcome.KINDS),
            o.overBudgets(Outcome.EASY),
            o.levels()[1],
            o.levels()[2],
            o.levels()[3]));
    if (Boolean.getBoolean("kinds")) {
      for (Fault f : o.delays().keySet()) {
        line.append(
            String.format(
                "%n    %s %.2f, %.2f %.2f %.2f",
                f.text, o.recall(0, f), o.recall(1, f), o.recall(2, f), o.recall(3, f)));
      }
    }
    return line.toString();
  }

  /** Without the minimum deviation, which the methods that are imitated do not have. */
  private static Settings plain(Settings settings) {
    Settings none =
        Settings.peers(settings.bucketMillis(), List.of(Settings.Metric.of(Transform.LINEAR, 0)));
    return none.withMethod(settings.method());
  }

  private static Detector ours() {
    return new Groups("Peerlens", Groups::defaults);
  }

  /**
   * Ours, and all that it is compared with. Parameters are those that products ship with; where the
   * window is left to the user, it is the one of several from a quarter of an hour to four hours (a
   * day for Grafana's) with which a method finds most at equal numbers of false events on the part
   * for development.
   */
  static List<Detector> detectors() {
    return List.of(
        ours(),
        new Groups(
            "Datadog-style DBSCAN", t -> Groups.defaults(t).withMethod(new Method.Dbscan(3, 48))),
        new Groups(
            "Datadog-style MAD", t -> Groups.defaults(t).withMethod(new Method.Mad(3, 20, 6))),
        new Groups(
            "scaled DBSCAN", t -> Groups.defaults(t).withMethod(new Method.Dbscan(3, 48)), 0.1),
        new Groups("scaled MAD", t -> Groups.defaults(t).withMethod(new Method.Mad(3, 20, 6)), 0.1),
        new Groups(
            "Grafana-style DBSCAN",
            t -> Groups.defaults(t).withMethod(new Method.BucketDbscan(0.5, 12))),
        new Groups(
            "Grafana-style MAD", t -> Groups.defaults(t).withMethod(new Method.DoubleMad(0.5, 12))),
        new OwnOffset(),
        new RobustZ(),
        new KMeans(),
        new Groups(
            "DBSCAN, no minimum",
            t -> plain(Groups.defaults(t)).withMethod(new Method.Dbscan(3, 48))),
        new RobustZ("robust z, no minimum", false, 0));
  }
}
