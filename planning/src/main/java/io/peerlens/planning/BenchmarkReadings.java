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
import io.peerlens.run.reading.Sweep;
import io.peerlens.run.reading.Sweeps;
import io.peerlens.run.reading.TheoreticalMaximum;
import io.peerlens.run.reading.TheoreticalMaximum.Share;
import io.peerlens.web.ApiException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
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
   * @param share of the theoretical maximum; null = none was given, or it is one of something else
   */
  record Read(Sweep sweep, Curve curve, @Nullable Reading reading, @Nullable Share share) {}

  /**
   * What runs say together.
   *
   * @param ids of the very runs that points of the curves name
   */
  record Together(int runs, List<Read> curves, List<Sweeps.Repeats> repeats, Map<Run, UUID> ids) {}

  /** What a run says beside its figures; no drift = there are no references. */
  record Alone(BenchmarkShapes.Shape shape, @Nullable Drift drift) {}

  /**
   * Curves of chosen runs.
   *
   * @param limit milliseconds; null = they are not read
   * @param nodes 0 = not known
   * @param maximum null = not known
   */
  Together curves(
      Choice choice,
      Curve.Load load,
      Curve.Latency latency,
      @Nullable Double limit,
      int nodes,
      @Nullable TheoreticalMaximum maximum) {
    List<Stored> chosen = chosen(choice);
    Map<Run, UUID> ids = new IdentityHashMap<>();
    chosen.forEach(one -> ids.put(one.run(), one.id()));
    Sweeps sweeps = Sweeps.find(chosen.stream().map(Stored::run).toList());
    List<Read> curves = new ArrayList<>();
    for (Sweep sweep :
        sweeps.sweeps().stream()
            .sorted(Comparator.comparingInt(Sweep::count).reversed())
            .toList()) {
      Curve curve = Curve.of(sweep, load, latency);
      Reading reading = limit == null ? null : Reading.of(curve, limit, nodes);
      curves.add(new Read(sweep, curve, reading, share(curve, reading, maximum)));
    }
    return new Together(chosen.size(), curves, sweeps.repeats(), ids);
  }

  /** Of what is read, else of the most that was carried. */
  private static @Nullable Share share(
      Curve curve, @Nullable Reading reading, @Nullable TheoreticalMaximum maximum) {
    if (maximum == null || !maximum.figure().equals(curve.load().figure())) {
      return null;
    }
    return maximum.share(
        reading != null
            ? reading.load()
            : curve.points().stream()
                .map(one -> one.load().mean())
                .max(Comparator.naturalOrder())
                .orElse(null));
  }

  /**
   * Outcomes of criteria for chosen runs.
   *
   * @param maximum null = not known
   */
  Criteria.Result check(Choice choice, Criteria criteria, @Nullable TheoreticalMaximum maximum) {
    return criteria.judge(
        chosen(choice).stream().map(Stored::run).toList(),
        maximum == null ? List.of() : List.of(maximum));
  }

  /** A run beside another one. */
  RunComparison compare(Stored run, Stored base) {
    return RunComparison.of(run.run(), base.run(), scatter(base, run));
  }

  /** A run with its series. */
  Stored whole(UUID id, String field) {
    return store
        .whole(id)
        .orElseThrow(() -> ApiException.invalidField(field, "there is no run " + id));
  }

  /**
   * Of the repeats of a run on the same object; null = too few.
   *
   * @param beside is compared with it, so that it says nothing of how repeats differ by themselves
   */
  private @Nullable Scatter scatter(Stored of, Stored beside) {
    if (of.tested() == null) {
      return null;
    }
    List<Stored> same =
        store.whole(new Choice(of.tested().uuid(), null, null), MOST_RUNS).stream()
            .filter(one -> !one.id().equals(beside.id()))
            .toList();
    Run itself =
        same.stream()
            .filter(one -> one.id().equals(of.id()))
            .map(Stored::run)
            .findFirst()
            .orElse(null);
    return Sweeps.find(same.stream().map(Stored::run).toList()).repeats().stream()
        .filter(one -> one.runs().stream().anyMatch(repeat -> repeat == itself))
        .findFirst()
        .map(one -> one.scatter("iops"))
        .orElse(null);
  }

  /** What a run says by itself, and beside the references on the same object. */
  Alone alone(UUID id) {
    Stored stored = store.whole(id).orElseThrow(() -> ApiException.notFound("benchmark run", id));
    Drift drift = null;
    if (stored.tested() != null && !stored.reference()) {
      List<Run> references =
          store.whole(new Choice(stored.tested().uuid(), null, null), MOST_RUNS).stream()
              .filter(Stored::reference)
              .map(Stored::run)
              .filter(one -> Drift.comparable(stored.run(), one))
              .toList();
      if (!references.isEmpty()) {
        drift = Drift.of(stored.run(), references);
      }
    }
    return new Alone(BenchmarkShapes.of(stored.run()), drift);
  }

  private List<Stored> chosen(Choice choice) {
    List<Stored> runs = store.whole(choice, MOST_RUNS + 1);
    if (runs.size() > MOST_RUNS) {
      throw ApiException.invalidField(
              "runs", "more than " + MOST_RUNS + " runs are chosen, which are too many at once")
          .hint("Choose the runs of one import or one object, or name them.");
    }
    return runs;
  }
}
