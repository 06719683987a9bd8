package io.peerlens.planning.sizing;

import static io.peerlens.planning.sizing.Found.known;

import io.peerlens.api.model.RecommendationBatch;
import io.peerlens.api.model.RecommendationIdleness;
import io.peerlens.planning.sizing.Found.Evidence;
import io.peerlens.planning.sizing.SizingInventoryQueries.Vm;
import io.peerlens.sizing.Answer;
import io.peerlens.sizing.Grid;
import io.peerlens.sizing.Idle;
import io.peerlens.sizing.IdleRule;
import io.peerlens.sizing.Numa;
import io.peerlens.sizing.PowerHistory;
import io.peerlens.sizing.PoweredOff;
import io.peerlens.sizing.Reclaimable;
import io.peerlens.sizing.Recommendation;
import io.peerlens.sizing.Sign;
import io.peerlens.sizing.Snapshot;
import io.peerlens.sizing.VmSize;
import io.peerlens.sizing.VropsKey;
import io.peerlens.sizing.VropsMetrics;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Evaluation of machines, one after the other, by the rules of right-sizing. Thread-safe. */
final class MachineSizing {

  private static final long DAY = 86_400;

  private final Grid grid;
  private final SizingSettings settings;
  private final Instant from;
  private final Instant to;

  /**
   * @param from start of the grid
   * @param to its end, which counts as now
   */
  MachineSizing(Grid grid, SizingSettings settings, Instant from, Instant to) {
    this.grid = grid;
    this.settings = settings;
    this.from = from;
    this.to = to;
  }

  /**
   * What was found of a machine.
   *
   * @param running whether it is on, or nothing says that it is off
   * @param size null = not known
   * @param vm null = its size is not known
   */
  record Result(
      List<Found> found,
      Map<VropsKey, Double> metrics,
      boolean running,
      @Nullable VmSize size,
      Reclaimable.@Nullable Vm vm) {}

  /**
   * Evaluates a machine.
   *
   * @param numa of the hosts that it can run on
   */
  Result evaluate(Vm vm, History history, Numa numa) {
    PoweredOff off = off(history);
    VmSize size = size(vm, history);
    List<Snapshot> snapshots = snapshots(vm, history);
    boolean running = off == null || off.days() == 0;
    if (off != null && off.reclaim()) {
      return whole(vm, history, size, off, null, snapshots, running);
    }
    Answer<Idle> idleness = running && size != null ? idle(history, size) : null;
    Idle idle = idleness == null ? null : idleness.orNull();
    if (idle != null && idle.idle()) {
      return whole(vm, history, size, off, idle, snapshots, running);
    }
    List<Found> found = new ArrayList<>();
    Recommendation cpu = null;
    Recommendation memory = null;
    if (running && size == null) {
      found.add(
          notKnown(
              Found.CPU,
              "Its size is not known: neither its vCPUs and their speed nor its memory are told. The collector of vCenter tells them."));
    } else if (running && size != null) {
      SizeEvidence of = new SizeEvidence(grid, size, numa, history, signs(history), from, to);
      Answer<Recommendation> cpuAnswer = of.cpu();
      Answer<Recommendation> memoryAnswer = of.memory(vm.tools());
      cpu = cpuAnswer.orNull();
      memory = memoryAnswer.orNull();
      add(found, of, Sign.Resource.CPU, cpuAnswer, memoryAnswer);
      add(found, of, Sign.Resource.MEMORY, memoryAnswer, cpuAnswer);
    }
    snapshots.stream()
        .filter(one -> one.old() || one.large())
        .forEach(one -> found.add(snapshot(one)));
    return new Result(
        found,
        size == null
            ? Map.of()
            : VropsMetrics.vm(size, cpu, memory, idle, off, told(snapshots, history)),
        running,
        size,
        size == null
            ? null
            : new Reclaimable.Vm(size, history.last(Measure.Last.DISK_GB), off, idle, snapshots));
  }

  /** Null where nothing tells of snapshots. */
  private static @Nullable List<Snapshot> told(List<Snapshot> snapshots, History history) {
    return snapshots.isEmpty() && Double.isNaN(history.last(Measure.Last.SNAPSHOT_COUNT))
        ? null
        : snapshots;
  }

  private static void add(
      List<Found> found,
      SizeEvidence of,
      Sign.Resource resource,
      Answer<Recommendation> answer,
      Answer<Recommendation> other) {
    switch (answer) {
      case Answer.NotKnown<Recommendation>(String because) ->
          found.add(
              notKnown(resource == Sign.Resource.CPU ? Found.CPU : Found.MEMORY, because, of));
      case Answer.Known<Recommendation>(Recommendation it) -> {
        if (it.kind() != Recommendation.Kind.FITS) {
          found.add(of.found(it, other));
        }
      }
    }
  }

  private static Found notKnown(String subject, String because) {
    return new Found(
        subject,
        "",
        Found.NOT_KNOWN,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        unknown(because, null));
  }

  private static Found notKnown(String subject, String because, SizeEvidence of) {
    boolean cpu = subject.equals(Found.CPU);
    return new Found(
        subject,
        "",
        Found.NOT_KNOWN,
        null,
        cpu ? of.size().vcpus() : of.size().memoryGb(),
        null,
        null,
        null,
        null,
        null,
        unknown(because, cpu ? "vCPU" : "GB"));
  }

  private static Evidence unknown(String because, @Nullable String unit) {
    return new Evidence(
        unit, null, null, null, null, null, List.of(), because, null, null, null, null, null);
  }

  /** A machine that is to be given back as a whole. */
  private Result whole(
      Vm vm,
      History history,
      @Nullable VmSize size,
      @Nullable PoweredOff off,
      @Nullable Idle idle,
      List<Snapshot> snapshots,
      boolean running) {
    double disk = history.last(Measure.Last.DISK_GB);
    Found found;
    if (idle != null && size != null) {
      Evidence plain = Evidence.of(idle.reason(), null);
      found =
          new Found(
              Found.MACHINE,
              "",
              "idle",
              null,
              null,
              null,
              null,
              (double) size.vcpus(),
              size.memoryGb(),
              known(disk),
              new Evidence(
                  null,
                  null,
                  null,
                  null,
                  null,
                  null,
                  List.of(),
                  plain.reason(),
                  null,
                  null,
                  null,
                  idleness(idle),
                  null));
    } else {
      double back = off == null ? Double.NaN : off.givesBackGb();
      found =
          new Found(
              Found.MACHINE,
              "",
              "powered-off",
              null,
              known(back),
              null,
              null,
              null,
              null,
              known(back),
              Evidence.of(off == null ? "" : off.reason(), off == null ? null : off.days()));
    }
    return new Result(
        List.of(found),
        size == null
            ? Map.of()
            : VropsMetrics.vm(size, null, null, idle, off, told(snapshots, history)),
        running,
        size,
        size == null ? null : new Reclaimable.Vm(size, disk, off, idle, snapshots));
  }

  private static RecommendationIdleness idleness(Idle idle) {
    return new RecommendationIdleness(
        idle.quietShare(),
        idle.batchShare(),
        idle.days(),
        idle.batches().stream()
            .map(
                batch ->
                    new RecommendationBatch(
                        batch.words(),
                        RecommendationBatch.KindEnum.valueOf(batch.kind().name()),
                        batch.regularity()))
            .toList());
  }

  private static Found snapshot(Snapshot one) {
    Evidence plain = Evidence.of(one.reason(), one.days());
    return new Found(
        Found.SNAPSHOT,
        "",
        "snapshot",
        one.name(),
        known(one.gb()),
        null,
        null,
        null,
        null,
        known(one.gb()),
        new Evidence(
            plain.unit(),
            null,
            null,
            null,
            null,
            plain.ageDays(),
            List.of(),
            plain.reason(),
            null,
            null,
            null,
            null,
            known(one.gbPerDay())));
  }

  private @Nullable PoweredOff off(History history) {
    if (!history.has(Measure.ON)) {
      return null;
    }
    return PoweredOff.of(
            PowerHistory.of(grid, history.column(Measure.ON)),
            to.getEpochSecond(),
            history.last(Measure.Last.PROVISIONED_GB),
            history.last(Measure.Last.DISK_GB),
            settings.poweredOffDays())
        .orNull();
  }

  /** What properties say, else what metrics say; null = not known. */
  private static @Nullable VmSize size(Vm vm, History history) {
    double vcpus = or(vm.vcpus(), history.last(Measure.Last.VCPUS));
    double memory = or(vm.memoryGb(), history.last(Measure.Last.MEMORY_GB));
    double mhz = or(history.last(Measure.Last.CAPACITY_MHZ) / vcpus, vm.coreMhz());
    if (!(vcpus >= 1 && vcpus <= 768) || !(memory > 0) || !(mhz > 0)) {
      return null;
    }
    return new VmSize(
        (int) Math.round(vcpus),
        mhz,
        memory,
        vm.cpuLimitMhz(),
        vm.cpuReservationMhz(),
        vm.memoryReservationGb(),
        vm.cpuHotAdd(),
        vm.memoryHotAdd());
  }

  private static double or(double first, double second) {
    return first > 0 ? first : second;
  }

  private Answer<Idle> idle(History history, VmSize size) {
    return Idle.of(
        grid,
        new Idle.Activity(
            history.column(Measure.CPU),
            history.column(Measure.NETWORK),
            history.column(Measure.READ),
            history.column(Measure.WRITE)),
        size.vcpus() * size.mhzPerVcpu(),
        IdleRule.USUAL);
  }

  private static Map<Sign, double[]> signs(History history) {
    Map<Sign, double[]> signs = new EnumMap<>(Sign.class);
    sign(history, Measure.READY, Sign.READY, signs);
    sign(history, Measure.CO_STOP, Sign.CO_STOP, signs);
    sign(history, Measure.LATENCY, Sign.LATENCY, signs);
    sign(history, Measure.BALLOONED, Sign.BALLOONED, signs);
    sign(history, Measure.SWAPPED, Sign.SWAPPED, signs);
    sign(history, Measure.GUEST_PAGING, Sign.GUEST_PAGING, signs);
    return signs;
  }

  private static void sign(History history, Measure from, Sign sign, Map<Sign, double[]> to) {
    if (history.has(from)) {
      to.put(sign, history.column(from));
    }
  }

  /**
   * All snapshots of a machine as one, as old as the oldest: how much of the files each takes is
   * not told.
   */
  private List<Snapshot> snapshots(Vm vm, History history) {
    double count = history.last(Measure.Last.SNAPSHOT_COUNT);
    if (count == 0) {
      return List.of();
    }
    String oldest = vm.snapshots().get("diskspace|snapshot|oldest");
    long created = created(oldest);
    if (created < 0) {
      double age = history.last(Measure.Last.SNAPSHOT_AGE);
      if (!(count > 0) || Double.isNaN(age)) {
        return List.of();
      }
      created = to.getEpochSecond() - (long) (age * DAY);
    }
    if (created > to.getEpochSecond()) {
      return List.of(); // made since the last full hour
    }
    double[] sizes = history.column(Measure.SNAPSHOTS);
    int days = sizes.length / 24;
    long[] times = new long[days];
    double[] daily = new double[days];
    for (int d = 0; d < days; d++) {
      int hour = sizes.length - 1 - (days - 1 - d) * 24;
      times[d] = from.getEpochSecond() + hour * 3600L;
      daily[d] = times[d] < created ? Double.NaN : sizes[hour];
    }
    return List.of(
        Snapshot.of(
            name(vm.snapshots(), oldest, count),
            created,
            to.getEpochSecond(),
            times,
            daily,
            settings.snapshotDays(),
            Snapshot.USUAL_GB));
  }

  private static String name(
      Map<String, String> properties, @Nullable String oldest, double count) {
    String name = "snapshot";
    for (Map.Entry<String, String> one : properties.entrySet()) {
      if (one.getKey().endsWith("|createTime") && one.getValue().equals(oldest)) {
        name = properties.getOrDefault(one.getKey().replaceFirst("\\|createTime$", "|name"), name);
      }
    }
    return count > 1 ? name + " and " + ((int) count - 1) + " more" : name;
  }

  private static long created(@Nullable String text) {
    try {
      return text == null || text.isEmpty() ? -1 : OffsetDateTime.parse(text).toEpochSecond();
    } catch (DateTimeException e) {
      return -1;
    }
  }
}
