package io.peerlens.planning;

import io.peerlens.planning.BenchmarkRunStore.Choice;
import io.peerlens.planning.BenchmarkRunStore.Stored;
import io.peerlens.run.Run;
import io.peerlens.run.reading.Criteria;
import io.peerlens.run.reading.Curve;
import io.peerlens.run.reading.Drift;
import io.peerlens.run.reading.Reading;
import io.peerlens.run.reading.RunComparison;
import io.peerlens.run.reading.Scatter;
import io.peerlens.run.reading.SteadyState;
import io.peerlens.run.reading.Sweep;
import io.peerlens.run.reading.Sweeps;
import io.peerlens.web.ApiException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What stored runs say, alone and together. Thread-safe. */
final class BenchmarkReadings {

  /** More runs are not looked at together. */
  static final int MOST_RUNS = 500;

  private final BenchmarkRunStore store;

  BenchmarkReadings(BenchmarkRunStore store) {
    this.store = store;
  }

  /**
   * A curve and what it says.
   *
   * @param reading null = no limit was given
   */
  record Read(Sweep sweep, Curve curve, @Nullable Reading reading) {}

  /** What runs say together. */
  record Together(int runs, List<Read> curves, List<Sweeps.Repeats> repeats) {}

  /** What a run says beside its figures; no drift = there are no references. */
  record Alone(SteadyState steady, @Nullable Drift drift) {}

  /**
   * Curves of chosen runs.
   *
   * @param limit milliseconds; null = they are not read
   * @param nodes 0 = not known
   */
  Together curves(
      Choice choice, Curve.Load load, Curve.Latency latency, @Nullable Double limit, int nodes) {
    List<Run> runs = chosen(choice);
    Sweeps sweeps = Sweeps.find(runs);
    List<Read> curves = new ArrayList<>();
    for (Sweep sweep :
        sweeps.sweeps().stream()
            .sorted(Comparator.comparingInt(Sweep::count).reversed())
            .toList()) {
      Curve curve = Curve.of(sweep, load, latency);
      curves.add(new Read(sweep, curve, limit == null ? null : Reading.of(curve, limit, nodes)));
    }
    return new Together(runs.size(), curves, sweeps.repeats());
  }

  /** Outcomes of criteria for chosen runs. */
  Criteria.Result check(Choice choice, Criteria criteria) {
    return criteria.judge(chosen(choice), List.of());
  }

  /** A run beside another one. */
  RunComparison compare(UUID run, UUID base) {
    Run other = whole(base, "base");
    return RunComparison.of(whole(run, "run"), other, scatter(base, other));
  }

  private Run whole(UUID id, String field) {
    return store
        .whole(id)
        .orElseThrow(() -> ApiException.invalidField(field, "there is no run " + id));
  }

  /** Of the repeats of a run on the same object; null = too few. */
  private @Nullable Scatter scatter(UUID id, Run run) {
    Stored stored = store.run(id).orElse(null);
    if (stored == null || stored.tested() == null) {
      return null;
    }
    List<Run> same = store.whole(new Choice(stored.tested().uuid(), null, null), MOST_RUNS);
    return Sweeps.find(same).repeats().stream()
        .filter(one -> one.runs().stream().anyMatch(repeat -> isSame(repeat, run)))
        .findFirst()
        .map(one -> one.scatter("iops"))
        .orElse(null);
  }

  private static boolean isSame(Run a, Run b) {
    return a.name().equals(b.name()) && a.parameters().equals(b.parameters());
  }

  /** What a run says by itself, and beside the references on the same object. */
  Alone alone(Stored stored) {
    Run run = store.whole(stored.id()).orElse(stored.run());
    Drift drift = null;
    if (stored.tested() != null && !stored.reference()) {
      List<Run> references =
          store.references(stored.tested().uuid(), MOST_RUNS).stream()
              .filter(one -> !one.parameters().isEmpty())
              .toList();
      if (!references.isEmpty()) {
        drift = Drift.of(run, references);
      }
    }
    return new Alone(SteadyState.of(run), drift);
  }

  private List<Run> chosen(Choice choice) {
    List<Run> runs = store.whole(choice, MOST_RUNS + 1);
    if (runs.size() > MOST_RUNS) {
      throw ApiException.invalidField(
              "runs", "more than " + MOST_RUNS + " runs are chosen, which are too many at once")
          .hint("Choose the runs of one import or one object, or name them.");
    }
    return runs;
  }
}
