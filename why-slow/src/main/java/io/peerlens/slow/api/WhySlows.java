package io.peerlens.slow.api;

import static io.peerlens.slow.api.Kinds.CLUSTER;
import static io.peerlens.slow.api.Kinds.HOST;
import static io.peerlens.slow.api.Kinds.MACHINE;
import static io.peerlens.slow.api.Kinds.STORE;

import io.peerlens.frame.Frames;
import io.peerlens.frame.Means;
import io.peerlens.learning.PastBands;
import io.peerlens.slow.Band;
import io.peerlens.slow.Cause;
import io.peerlens.slow.Diagnosis;
import io.peerlens.slow.DiskLimit;
import io.peerlens.slow.Evidence;
import io.peerlens.slow.LimitReading;
import io.peerlens.slow.LimitTrials;
import io.peerlens.slow.Neighbour;
import io.peerlens.slow.Phrase;
import io.peerlens.slow.Signal;
import io.peerlens.slow.SlowJudge;
import io.peerlens.slow.api.SlowQueries.Found;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gathers what is known of a machine's path at a moment and has it judged. Thread-safe. */
final class WhySlows {

  static final Duration STEP = Duration.ofMinutes(5);
  static final int STEPS = 72;
  static final int WINDOW = 2;

  private static final Duration HISTORY = Duration.ofDays(7);

  /** So many machines of a cluster are looked at; those of the host and datastore come first. */
  private static final int MOST_MACHINES = 2_000;

  private final SlowQueries queries;
  private final Frames frames;
  private final Means means;
  private final PastBands bands;
  private final WaitingMachines waiting;

  WhySlows(
      SlowQueries queries, Frames frames, Means means, PastBands bands, WaitingMachines waiting) {
    this.queries = queries;
    this.frames = frames;
    this.means = means;
    this.bands = bands;
    this.waiting = waiting;
  }

  /**
   * What was found.
   *
   * @param place null = there is no machine
   * @param slowest null = a machine was asked about
   * @param week of the first limit; null = it has none
   * @param victims null = it is not delayed by a limit
   */
  record Explained(
      Instant from,
      Instant to,
      @Nullable Place place,
      Diagnosis diagnosis,
      Evidence evidence,
      @Nullable Slowest slowest,
      @Nullable Week week,
      WaitingMachines.@Nullable Found victims) {}

  /** Whether something of this kind can be asked about. */
  static boolean isKnown(ObjectKind kind) {
    return Set.of(MACHINE, HOST, CLUSTER, STORE).contains(kind);
  }

  /**
   * Explains a machine, or the slowest of a host, cluster or datastore.
   *
   * @param at the moment
   */
  Explained explain(Found asked, Instant at) {
    long step = STEP.toMillis();
    Instant to = Instant.ofEpochMilli(Math.ceilDiv(at.toEpochMilli(), step) * step);
    Instant from = to.minus(STEP.multipliedBy(STEPS));
    ObjectGraph graph = frames.objects();
    List<Integer> candidates = candidates(graph, asked);
    SeriesBatch batch = new SeriesBatch(frames, means, from, STEPS, STEP);
    if (candidates.isEmpty()) {
      Evidence none = shape(asked.name());
      return new Explained(from, to, null, SlowJudge.judge(none), none, null, null, null);
    }
    boolean alone = asked.kind().equals(MACHINE);
    List<Integer> machines = machines(graph, candidates);
    MachineKeys keys = new MachineKeys(batch);
    keys.want(machines);
    batch.read();
    Slowest slowest = alone ? null : Slowest.of(candidates, keys, batch, shape(""));
    Integer first = slowest == null ? Integer.valueOf(asked.id()) : slowest.first();
    int machine = first == null ? candidates.getFirst() : first;
    Place place = place(graph, machine, machines);
    Map<String, String> properties = place.properties().getOrDefault(machine, Map.of());
    DiskLimits limits = new DiskLimits(batch, place.cluster());
    GuestTracks.want(batch, machine);
    HostTracks.want(batch, place, graph);
    StoreTracks.want(batch, place, graph);
    limits.want(properties);
    batch.read();
    Evidence evidence = evidence(graph, place, keys, batch, limits, at);
    Diagnosis diagnosis = SlowJudge.judge(evidence);
    Week week = diagnosis.limits().isEmpty() ? null : week(graph, place, evidence, diagnosis, to);
    boolean limited = diagnosis.findings().stream().anyMatch(one -> one.cause() == Cause.OWN_LIMIT);
    WaitingMachines.Found victims =
        limited
            ? waiting.find(
                place, diagnosis.limits().getFirst(), batch, from, at.isBefore(to) ? at : to)
            : null;
    return new Explained(
        from,
        to,
        place,
        said(diagnosis, limited ? week : null, slowest, graph, machine),
        evidence,
        slowest,
        week,
        victims);
  }

  private static Evidence shape(String name) {
    return new Evidence(
        name,
        (int) STEP.toSeconds(),
        STEPS,
        WINDOW,
        false,
        List.of(),
        List.of(),
        List.of(),
        false,
        List.of());
  }

  private static Diagnosis said(
      Diagnosis diagnosis,
      @Nullable Week limited,
      @Nullable Slowest slowest,
      ObjectGraph graph,
      int machine) {
    Diagnosis said = diagnosis;
    if (limited != null) {
      LimitTrials trials = limited.trials();
      LimitReading limit = diagnosis.limits().getFirst();
      if (trials.needed() > limit.disk().limit()) {
        String what = "the p95 of " + history(trials);
        said =
            said.with(
                Phrase.plain(
                    trials.censored()
                        ? "For " + what + " it needs at least "
                        : "To pass " + what + ", raise it to "),
                Phrase.strong("%,d".formatted(trials.needed())),
                Phrase.plain(". "));
      }
    }
    if (slowest != null) {
      String name = Kinds.name(graph, machine);
      said =
          said.with(
              Phrase.plain("This is "),
              Phrase.strong(name),
              Phrase.plain(
                  slowest.slow().isEmpty()
                      ? ", which waits longest; none of %,d machines is slow. "
                          .formatted(slowest.known())
                      : ", the slowest: %,d of %,d machines are slow. "
                          .formatted(slowest.slow().size(), slowest.known())));
    }
    return said;
  }

  private static String history(LimitTrials trials) {
    Duration known = HISTORY.minus(STEP.multipliedBy(trials.first()));
    return known.toDays() >= HISTORY.toDays() - 1
        ? "last week"
        : "its last %d hours".formatted(known.toHours());
  }

  // ---- where ------------------------------------------------------------------------------------

  private static List<Integer> candidates(ObjectGraph graph, Found asked) {
    if (asked.kind().equals(MACHINE)) {
      return List.of(asked.id());
    }
    if (asked.kind().equals(HOST)) {
      return Kinds.below(graph, asked.id(), MACHINE);
    }
    if (asked.kind().equals(CLUSTER)) {
      return Kinds.below(graph, Kinds.below(graph, asked.id(), HOST), MACHINE);
    }
    return Kinds.above(graph, asked.id(), MACHINE);
  }

  /** The candidates and all other machines of their clusters. */
  private static List<Integer> machines(ObjectGraph graph, List<Integer> candidates) {
    Set<Integer> machines = new LinkedHashSet<>(candidates);
    Set<Integer> hosts = new LinkedHashSet<>();
    candidates.forEach(one -> hosts.addAll(Kinds.above(graph, one, HOST)));
    machines.addAll(Kinds.below(graph, hosts, MACHINE));
    Set<Integer> clusters = new LinkedHashSet<>();
    hosts.forEach(one -> clusters.addAll(Kinds.above(graph, one, CLUSTER)));
    for (int cluster : clusters) {
      machines.addAll(Kinds.below(graph, Kinds.below(graph, cluster, HOST), MACHINE));
    }
    return machines.stream().limit(MOST_MACHINES).toList();
  }

  private Place place(ObjectGraph graph, int machine, List<Integer> machines) {
    List<Integer> hosts = Kinds.above(graph, machine, HOST);
    Integer host = hosts.isEmpty() ? null : hosts.getFirst();
    List<Integer> clusters = host == null ? List.of() : Kinds.above(graph, host, CLUSTER);
    Integer cluster = clusters.isEmpty() ? null : clusters.getFirst();
    List<Integer> all =
        cluster == null
            ? (host == null ? List.of() : List.of(host))
            : Kinds.below(graph, cluster, HOST);
    Set<Integer> inCluster = new HashSet<>(Kinds.below(graph, all, MACHINE));
    inCluster.add(machine);
    List<Integer> stores = Kinds.below(graph, machine, STORE);
    List<Integer> described = new ArrayList<>(all);
    described.add(machine);
    described.addAll(stores);
    return new Place(
        machine,
        host,
        cluster,
        all,
        machines.stream().filter(inCluster::contains).toList(),
        stores,
        queries.properties(described));
  }

  // ---- evidence ---------------------------------------------------------------------------------

  private Evidence evidence(
      ObjectGraph graph,
      Place place,
      MachineKeys keys,
      SeriesBatch batch,
      DiskLimits limits,
      Instant at) {
    int machine = place.machine();
    Set<Integer> path = Set.copyOf(place.path());
    Usuals usuals =
        new Usuals(bands.during(at.minusMillis(1), at.plusMillis(1), path::contains), graph, at);
    Tracks tracks = new Tracks(place, batch, usuals);
    Map<String, String> properties = place.properties().getOrDefault(machine, Map.of());
    boolean vsan = isOnVsan(place, batch, limits, properties);
    GuestTracks guest = new GuestTracks(tracks, keys);
    guest.add(
        place.cluster() == null
            ? "machines of its host"
            : "machines of " + Kinds.name(graph, place.cluster()));
    List<Neighbour> neighbours = guest.neighbours(graph);
    boolean limitsKnown = limits.isKnown(properties);
    if (!limitsKnown) {
      tracks.missing(Band.GUEST, "IOPS limits", Tracks.VCENTER, true);
    }
    new HostTracks(tracks, graph, vsan)
        .add(neighbours.stream().anyMatch(one -> !Double.isNaN(last(one.iops()))));
    new StoreTracks(tracks, graph, vsan).add();
    if (!vsan && !tracks.has(Signal.KERNEL_LATENCY) && !tracks.has(Signal.HOST_LATENCY)) {
      tracks.missing(Band.HOST, "kernel latency", Tracks.VCENTER, true);
    }
    return new Evidence(
        Kinds.name(graph, machine),
        (int) STEP.toSeconds(),
        STEPS,
        WINDOW,
        vsan,
        tracks.all(),
        neighbours,
        limits.of(machine, properties, keys),
        limitsKnown,
        tracks.missing());
  }

  /** Mean over the window; NaN = no value. */
  static double now(double[] values) {
    return Arrays.stream(values, values.length - WINDOW, values.length)
        .filter(value -> !Double.isNaN(value))
        .average()
        .orElse(Double.NaN);
  }

  private static double last(double[] values) {
    return values[values.length - 1];
  }

  /**
   * Whether its disks are on vSAN: its cluster has vSAN's figures, and they name one of its disks,
   * a datastore of type vsan, or nothing is known of its datastores.
   */
  private static boolean isOnVsan(
      Place place, SeriesBatch batch, DiskLimits limits, Map<String, String> properties) {
    Integer cluster = place.cluster();
    boolean cares =
        cluster != null
            && (!batch.instances(CLUSTER, "diskgroup|wb_free_pct", Set.of(cluster)).isEmpty()
                || batch.get(CLUSTER, "clusterdomclient|congestion", cluster) != null);
    return cares
        && (!limits.ofVsan(properties).isEmpty()
            || place.stores().isEmpty()
            || place.stores().stream()
                .anyMatch(store -> place.property(store, "summary|type").equalsIgnoreCase("vsan")));
  }

  // ---- history of a limit -----------------------------------------------------------------------

  /**
   * What a week tells of a limit.
   *
   * @param spare null = it is not known where its disks are
   */
  record Week(Instant from, LimitTrials trials, @Nullable Spare spare) {}

  private Week week(
      ObjectGraph graph, Place place, Evidence evidence, Diagnosis diagnosis, Instant to) {
    Instant from = to.minus(HISTORY);
    int steps = (int) (HISTORY.toMillis() / STEP.toMillis());
    SeriesBatch batch = new SeriesBatch(frames, means, from, steps, STEP);
    StoreSeries stores = new StoreSeries(batch, place, graph);
    Spare.want(batch, evidence, place, stores);
    LimitReading limit = diagnosis.limits().getFirst();
    DiskLimit disk = DiskLimits.read(batch, place, limit.disk());
    LimitTrials trials =
        disk == null ? LimitTrials.none() : LimitTrials.of(disk, (int) STEP.toSeconds());
    return new Week(
        from, trials, Spare.of(batch, evidence, diagnosis, place, stores, limit, trials.needed()));
  }
}
