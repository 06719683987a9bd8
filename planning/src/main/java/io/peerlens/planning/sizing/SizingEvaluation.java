package io.peerlens.planning.sizing;

import io.peerlens.job.JobRecord;
import io.peerlens.job.JobRun;
import io.peerlens.job.Jobs;
import io.peerlens.planning.sizing.SizingInventoryQueries.Cluster;
import io.peerlens.planning.sizing.SizingInventoryQueries.Vm;
import io.peerlens.scope.Scope;
import io.peerlens.scope.Scopes;
import io.peerlens.sizing.Grid;
import io.peerlens.sizing.VropsMetrics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evaluation of all machines, datastores and clusters, once a day by itself and when somebody asks
 * for it, one at a time. Machines are read in batches; what is kept of all of them is what clusters
 * add up. Thread-safe.
 */
final class SizingEvaluation {

  private static final Logger log = LoggerFactory.getLogger(SizingEvaluation.class);

  /** Machines that are read at once: some 30 MB for 90 days. */
  private static final int AT_ONCE = 40;

  /** A job that is silent for so long has lost its node. */
  private static final Duration SILENT = Duration.ofMinutes(5);

  private final SizingInventoryQueries inventory;
  private final DatastoreQueries datastores;
  private final HistoryReader reader;
  private final Scopes scopes;
  private final SizingSettingsStore settings;
  private final ResultStore results;
  private final SizingMetrics metrics;
  private final Jobs jobs;
  private final InstantSource clock;

  SizingEvaluation(
      SizingInventoryQueries inventory,
      DatastoreQueries datastores,
      HistoryReader reader,
      Scopes scopes,
      SizingSettingsStore settings,
      ResultStore results,
      SizingMetrics metrics,
      Jobs jobs,
      InstantSource clock) {
    this.inventory = inventory;
    this.datastores = datastores;
    this.reader = reader;
    this.scopes = scopes;
    this.settings = settings;
    this.results = results;
    this.metrics = metrics;
    this.jobs = jobs;
    this.clock = clock;
  }

  private static final class Cancelled extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Cancelled() {
      super(null, null, false, false);
    }
  }

  /** The job that evaluates now; empty = none does. */
  Optional<UUID> running() {
    return jobs.newest(JobRecord.Kind.RIGHT_SIZING)
        .filter(
            job ->
                job.finishedAt() == null && job.updatedAt().plus(SILENT).isAfter(clock.instant()))
        .map(JobRecord::id);
  }

  /** Whether files of more datastores were listed than the last evaluation knew of. */
  boolean moreIsListed() {
    DatastoreQueries.Listed before = datastores.listed();
    return before.listed() < before.total()
        && Orphans.find(datastores, reader, clock.instant()).gb().size() > before.listed();
  }

  /** Evaluates, unless it is being done; waits until it is over. */
  void runByItself() {
    if (running().isEmpty()) {
      run(begin());
    }
  }

  /**
   * Begins to evaluate, in the background.
   *
   * @return the job; empty = it is being done already
   */
  synchronized Optional<UUID> start() {
    if (running().isPresent()) {
      return Optional.empty();
    }
    JobRun job = begin();
    Thread.ofVirtual().name("right-sizing").start(() -> run(job));
    return Optional.of(job.id());
  }

  private JobRun begin() {
    return jobs.start(JobRecord.Kind.RIGHT_SIZING, "Right-sizing", "machines", true);
  }

  private void run(JobRun job) {
    try (job) {
      evaluate(job);
      metrics.write();
      job.finish();
    } catch (Cancelled e) {
      job.finish();
    } catch (RuntimeException e) {
      log.warn("Machines could not be evaluated", e);
      job.fail(String.valueOf(e.getMessage()));
    }
  }

  private void evaluate(JobRun job) {
    Instant began = clock.instant();
    SizingSettings now = settings.now();
    Instant to = began.truncatedTo(ChronoUnit.HOURS);
    Instant from = to.minus(Duration.ofDays(now.historyDays()));
    int hours = now.historyDays() * 24;
    Grid grid = new Grid(from.getEpochSecond(), 3600, hours, now.hours());
    MachineSizing sizing = new MachineSizing(grid, now, from, to);
    Estate estate = new Estate(inventory, reader, to);
    List<Vm> machines = inventory.machines(now.ownerTag());
    Scope exclude = now.exclude();
    Set<Integer> excluded = exclude == null ? Set.of() : scopes.members(exclude);
    job.total(machines.size());
    Map<Integer, ClusterSizing> byCluster = new HashMap<>();
    ResultStore.Round round = results.begin(began);
    for (int at = 0; at < machines.size(); at += AT_ONCE) {
      if (job.cancelled()) {
        throw new Cancelled();
      }
      List<Vm> some = machines.subList(at, Math.min(machines.size(), at + AT_ONCE));
      List<History> histories = reader.read(some.stream().mapToInt(Vm::id).toArray(), from, hours);
      List<ResultStore.Machine> rows = new ArrayList<>();
      for (int i = 0; i < some.size(); i++) {
        Vm vm = some.get(i);
        MachineSizing.Result result = sizing.evaluate(vm, histories.get(i), estate.numa(vm.id()));
        boolean counts = !excluded.contains(vm.id());
        if (counts) {
          rows.add(new ResultStore.Machine(vm, result));
        }
        int cluster = estate.cluster(vm.id());
        if (cluster >= 0) {
          byCluster
              .computeIfAbsent(cluster, id -> new ClusterSizing())
              .add(vm.uuid(), histories.get(i), result, counts);
        }
      }
      round.add(rows);
      job.done(at + (long) some.size());
    }
    Orphans orphans = Orphans.find(datastores, reader, began);
    round.add(orphans);
    for (Cluster cluster : estate.clusters()) {
      ClusterState state =
          byCluster
              .getOrDefault(cluster.id(), new ClusterSizing())
              .state(
                  estate.capacity(cluster, reader, to, now.hostFailures()),
                  to.getEpochSecond(),
                  orphans.ofCluster(cluster.id()));
      round.add(
          cluster.id(),
          state,
          VropsMetrics.cluster(
              state.cluster(), state.used(), state.remaining(), state.reclaimable()));
    }
    round.finish(from, to, Duration.between(began, clock.instant()));
  }
}
