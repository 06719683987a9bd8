package io.peerlens.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Report of a run of the suite: how long its slowest classes took, and how many tests were left out
 * for lack of a tool, with where to get it. JUnit finds it as a service. It is written to the
 * folder that the system property {@code peerlens.test.report} names, and the end of the build
 * prints it.
 */
public final class SuiteReport implements TestExecutionListener {

  /** Tests left out for lack of a tool. */
  private record LeftOut(String where, int tests) {}

  private final LongSupplier nanos;
  private final Map<String, Long> started = new ConcurrentHashMap<>();
  private final Map<String, Long> took = new ConcurrentHashMap<>();
  private final Map<String, LeftOut> leftOut = new ConcurrentHashMap<>();
  private volatile @Nullable TestPlan plan;

  /** What JUnit calls. */
  public SuiteReport() {
    this(System::nanoTime);
  }

  /**
   * @param nanos a clock that only goes forward, in nanoseconds
   */
  SuiteReport(LongSupplier nanos) {
    this.nanos = nanos;
  }

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    this.plan = plan;
  }

  @Override
  public void executionStarted(TestIdentifier id) {
    if (isTopClass(id)) {
      started.put(id.getUniqueId(), nanos.getAsLong());
    }
  }

  @Override
  public void executionFinished(TestIdentifier id, TestExecutionResult result) {
    Long from = started.remove(id.getUniqueId());
    if (from != null) {
      String name = ((ClassSource) id.getSource().orElseThrow()).getClassName();
      took.merge(name, nanos.getAsLong() - from, Long::sum);
    }
    if (result.getThrowable().orElse(null) instanceof Missing missing) {
      int tests = tests(id);
      leftOut.merge(
          missing.tool(),
          new LeftOut(missing.where(), tests),
          (a, b) -> new LeftOut(a.where(), a.tests() + b.tests()));
    }
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    String folder = System.getProperty("peerlens.test.report");
    if (folder == null) {
      return;
    }
    try {
      write(Path.of(folder), Missing.noted());
    } catch (IOException e) {
      throw new UncheckedIOException("The report of the tests cannot be written", e);
    }
  }

  /** Writes the files {@code times} and {@code left-out}. */
  void write(Path folder, Map<String, String> noted) throws IOException {
    Files.createDirectories(folder);
    Files.write(folder.resolve("times"), times());
    Files.write(folder.resolve("left-out"), leftOut(noted));
  }

  /** All classes with their seconds, the slowest first: as many digits each, so that they sort. */
  List<String> times() {
    return took.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .map(e -> String.format(Locale.ROOT, "%7.1f s  %s", e.getValue() / 1e9, e.getKey()))
        .toList();
  }

  /**
   * A sentence for each tool that is missing.
   *
   * @param noted tools whose lack left tests weaker, and where to get them
   */
  List<String> leftOut(Map<String, String> noted) {
    List<String> lines = new ArrayList<>();
    new TreeMap<>(leftOut)
        .forEach(
            (tool, l) ->
                lines.add(
                    "LEFT OUT: %d %s for lack of %s. To get it: %s."
                        .formatted(l.tests(), l.tests() == 1 ? "test" : "tests", tool, l.where())));
    noted.forEach(
        (tool, where) -> lines.add("LESS PROVED, for lack of " + tool + ": " + where + "."));
    lines.sort(Comparator.naturalOrder());
    return lines;
  }

  /** Whether this is a class in no other; those within count for the one around them. */
  private boolean isTopClass(TestIdentifier id) {
    TestPlan all = plan;
    return all != null
        && id.getSource().orElse(null) instanceof ClassSource
        && all.getParent(id).filter(parent -> parent.getParentIdObject().isEmpty()).isPresent();
  }

  /** Tests of what did not run; cases of one that takes parameters are not known, so it is one. */
  private int tests(TestIdentifier id) {
    TestPlan all = plan;
    if (id.getSource().orElse(null) instanceof MethodSource || all == null) {
      return 1;
    }
    return (int)
        all.getDescendants(id).stream()
            .filter(child -> child.getSource().orElse(null) instanceof MethodSource)
            .count();
  }
}
