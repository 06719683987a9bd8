package io.peerlens.run.read;

import io.peerlens.run.Run;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What reading has found so far. */
final class Findings {

  /** Enough for every sweep that people run; more is a mistake of the reader or an attack. */
  private static final int MOST_RUNS = 20_000;

  private static final int MOST_PROBLEMS = 1_000;

  /** Values of all series, some 300 MB. */
  private static final long MOST_VALUES = 20_000_000;

  private final List<Run> runs = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final List<Problem> problems = new ArrayList<>();
  private boolean full;
  private long values;
  private final List<String> others = new ArrayList<>();

  /** Adds a run; a name that is taken gets a number. Runs beyond what is sensible are a problem. */
  void add(Draft run) {
    if (runs.size() >= MOST_RUNS) {
      if (!full) {
        problem(
            run.name,
            0,
            "There are more than %,d runs".formatted(MOST_RUNS),
            "The rest is left out; import it in parts.");
      }
      full = true;
      return;
    }
    String name = run.name;
    for (int i = 2; !names.add(run.name); i++) {
      run.name = name + " #" + i;
    }
    if (values + values(run) > MOST_VALUES) {
      run.series.removeIf(one -> !one.instance().isEmpty());
      run.remark("Series of machines and jobs are left out, as there are too many; import less.");
    }
    if (values + values(run) > MOST_VALUES) {
      run.series.clear();
      run.remark("All series are left out, as there are too many values; import less.");
    }
    values += values(run);
    runs.add(run.build());
  }

  private static long values(Draft run) {
    return run.series.stream().mapToLong(one -> one.values().length).sum();
  }

  void problem(Problem problem) {
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(problem);
    }
  }

  void problem(String file, int line, String what, String remedy) {
    problem(new Problem(file, line, what, remedy));
  }

  void other(String file) {
    others.add(file);
  }

  boolean isEmpty() {
    return runs.isEmpty() && problems.isEmpty();
  }

  ResultFiles.Result result() {
    return new ResultFiles.Result(List.copyOf(runs), List.copyOf(problems), List.copyOf(others));
  }
}
