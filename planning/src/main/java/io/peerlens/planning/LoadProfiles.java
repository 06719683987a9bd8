package io.peerlens.planning;

import io.peerlens.api.model.LoadProfileHours;
import io.peerlens.api.model.LoadProfileRequest;
import io.peerlens.database.Uuid7;
import io.peerlens.frame.Frames;
import io.peerlens.frame.Means;
import io.peerlens.job.JobRecord;
import io.peerlens.job.JobRun;
import io.peerlens.job.Jobs;
import io.peerlens.planning.LoadProfileStore.Vm;
import io.peerlens.profile.BusinessHours;
import io.peerlens.profile.Grid;
import io.peerlens.profile.IoSeries;
import io.peerlens.profile.LoadProfile;
import io.peerlens.profile.LoadProfiler;
import io.peerlens.profile.Machine;
import io.peerlens.profile.ProfileOptions;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Moments;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs that compute load profiles from the stored history of virtual machines, on the node that was
 * asked, one at a time. Thread-safe.
 */
final class LoadProfiles {

  private static final Logger log = LoggerFactory.getLogger(LoadProfiles.class);

  /** Name of the group of all machines. */
  static final String ALL = "All";

  private static final ObjectKind KIND = new ObjectKind("VMWARE", "VirtualMachine");
  private static final String CLUSTER = "ClusterComputeResource";
  private static final String HOST = "HostSystem";

  /** Groups of metrics that have what a machine asks of storage, the best first. */
  private static final List<String> SOURCES = List.of("virtualDisk", "datastore");

  /** In the order of the parts of {@link IoSeries}. */
  private static final List<String> METRICS =
      List.of(
          "numberReadAveraged_average",
          "numberWriteAveraged_average",
          "read_average",
          "write_average",
          "totalReadLatency_average",
          "totalWriteLatency_average");

  private static final String VCPUS = "config|hardware|num_Cpu";
  private static final String DISK = "config|hardware|disk_Space";
  private static final double BYTES_OF_KB = 1024;
  private static final double KB_OF_GB = 1024 * 1024;

  private static final Duration LONGEST = Duration.ofDays(400);

  /** Peaks of five minutes are compared with those of hours over so long. */
  private static final Duration FINE = Duration.ofDays(7);

  /** Machines that are read at once: some 30 MB for a year. */
  private static final int AT_ONCE = 25;

  /** Groups of single machines beyond this many would be no table that anybody reads. */
  private static final int MOST_SINGLE = 2000;

  private static final int MOST_PARENTS = 1000;

  private final LoadProfileStore store;
  private final Frames frames;
  private final Means means;
  private final Jobs jobs;
  private final InstantSource clock;
  private final Semaphore running = new Semaphore(1);

  LoadProfiles(LoadProfileStore store, Frames frames, Means means, Jobs jobs, InstantSource clock) {
    this.store = store;
    this.frames = frames;
    this.means = means;
    this.jobs = jobs;
    this.clock = clock;
  }

  private static final class Cancelled extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Cancelled() {
      super(null, null, false, false);
    }
  }

  /**
   * Begins to compute a profile.
   *
   * @param request with its period
   * @return its id
   */
  UUID begin(LoadProfileRequest request, String by) {
    BusinessHours hours = hours(request.getOnlyDuring());
    if (!running.tryAcquire()) {
      throw ApiException.of(ErrorCode.CONFLICT, "A load profile is being computed already.")
          .hint("Wait for that job, or cancel it; see GET /api/v1/jobs.");
    }
    try {
      Instant now = clock.instant();
      UUID id = Uuid7.at(now);
      JobRun job = jobs.start(JobRecord.Kind.LOAD_PROFILE, "Load profile", "machines", true);
      try {
        store.begin(id, job.id(), request, now, by);
      } catch (RuntimeException e) {
        job.fail("It could not be stored.");
        throw e;
      }
      Thread.ofVirtual().name("load-profile").start(() -> run(id, request, hours, job));
      return id;
    } catch (RuntimeException e) {
      running.release();
      throw e;
    }
  }

  /** The request with a whole period of full hours. */
  LoadProfileRequest complete(LoadProfileRequest asked) {
    Instant now = clock.instant();
    Instant to = asked.getTo() == null ? now : Moments.field("to", asked.getTo());
    if (to.isAfter(now)) {
      throw ApiException.invalidField("to", "is in the future");
    }
    Instant end = to.truncatedTo(ChronoUnit.HOURS);
    Instant from =
        asked.getFrom() == null
            ? end.minus(Duration.ofDays(365))
            : Moments.field("from", asked.getFrom());
    Instant begin = from.truncatedTo(ChronoUnit.HOURS);
    if (!begin.isBefore(end)) {
      throw ApiException.invalidField("from", "is less than an hour before to");
    }
    if (Duration.between(begin, end).compareTo(LONGEST) > 0) {
      throw ApiException.invalidField("from", "is more than 400 days before to");
    }
    boolean byTag = asked.getBy() == LoadProfileRequest.ByEnum.TAG;
    if (byTag != (asked.getTag() != null)) {
      throw ApiException.invalidField(
          "tag", byTag ? "is missing: name the tag" : "is only for groups by tag");
    }
    UUID ancestor = asked.getAncestor();
    if (ancestor != null && !store.exists(ancestor)) {
      throw ApiException.notFound("object", ancestor);
    }
    return asked.from(begin.toString()).to(end.toString());
  }

  private static @Nullable BusinessHours hours(@Nullable LoadProfileHours asked) {
    if (asked == null) {
      return null;
    }
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (LoadProfileHours.DaysEnum day : asked.getDays()) {
      days.add(DayOfWeek.of(day.ordinal() + 1));
    }
    try {
      return new BusinessHours(
          days,
          LocalTime.parse(asked.getBegins()),
          LocalTime.parse(asked.getEnds()),
          ZoneId.of(asked.getZone()));
    } catch (DateTimeException e) {
      throw ApiException.invalidField("onlyDuring.zone", "is no time zone")
          .hint("Name one such as Europe/Berlin or UTC.");
    } catch (IllegalArgumentException e) {
      throw ApiException.invalidField("onlyDuring", String.valueOf(e.getMessage()));
    }
  }

  private void run(UUID id, LoadProfileRequest request, @Nullable BusinessHours hours, JobRun job) {
    try (job) {
      List<Vm> machines = store.machines(request.getAncestor(), request.getTag());
      job.total(machines.size());
      store.done(id, machines.size(), compute(machines, request, hours, job));
      job.finish();
    } catch (Cancelled e) {
      store.failed(id, "It was cancelled.");
      job.fail("It was cancelled.");
    } catch (RuntimeException e) {
      log.warn("A load profile could not be computed", e);
      store.failed(id, String.valueOf(e.getMessage()));
      job.fail(String.valueOf(e.getMessage()));
    } finally {
      running.release();
    }
  }

  private List<LoadProfile> compute(
      List<Vm> machines, LoadProfileRequest request, @Nullable BusinessHours hours, JobRun job) {
    Instant from = LoadProfileStore.moment(request.getFrom());
    Instant to = LoadProfileStore.moment(request.getTo());
    Grid grid = new Grid(from, Grid.Bucket.HOUR, (int) Duration.between(from, to).toHours());
    Instant fineFrom = to.minus(FINE).isBefore(from) ? from : to.minus(FINE);
    Grid fine =
        new Grid(
            fineFrom,
            Grid.Bucket.FIVE_MINUTES,
            (int) Duration.between(fineFrom, to).dividedBy(Duration.ofMinutes(5)));
    ProfileOptions options = ProfileOptions.of(grid).withFineGrid(fine);
    LoadProfiler profiler = new LoadProfiler(hours == null ? options : options.during(hours));
    boolean single = request.getBy() == LoadProfileRequest.ByEnum.VM;
    List<LoadProfile> own = new ArrayList<>();
    ObjectGraph graph = frames.objects();
    for (int at = 0; at < machines.size(); at += AT_ONCE) {
      if (job.cancelled()) {
        throw new Cancelled();
      }
      List<Vm> some = machines.subList(at, Math.min(machines.size(), at + AT_ONCE));
      List<IoSeries> coarse = read(some, grid, Duration.ofHours(1));
      List<IoSeries> precise = read(some, fine, Duration.ofMinutes(5));
      double[][] sizes = sizes(some, to);
      for (int i = 0; i < some.size(); i++) {
        Vm vm = some.get(i);
        Set<String> groups = groups(vm, request, graph);
        Machine machine =
            new Machine(
                vm.uuid().toString(),
                vm.name(),
                positive(sizes[0][i]),
                memory(vm),
                positive(sizes[1][i]),
                groups);
        LoadProfile alone = profiler.add(machine, coarse.get(i), precise.get(i));
        if (single && own.size() < MOST_SINGLE) {
          own.add(alone);
        }
      }
      job.done(at + (long) some.size());
    }
    List<LoadProfile> all = new ArrayList<>();
    LoadProfile whole = profiler.group(ALL);
    if (whole != null) {
      all.add(whole);
    }
    profiler.groups().values().stream().filter(one -> !one.name().equals(ALL)).forEach(all::add);
    all.addAll(own);
    return all;
  }

  private static double positive(double value) {
    return value > 0 && !Double.isInfinite(value) ? value : Double.NaN;
  }

  private static double memory(Vm vm) {
    try {
      return vm.memoryKb() == null
          ? Double.NaN
          : positive(Double.parseDouble(vm.memoryKb()) / KB_OF_GB);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private static Set<String> groups(Vm vm, LoadProfileRequest request, ObjectGraph graph) {
    Set<String> groups = new HashSet<>();
    groups.add(ALL);
    LoadProfileRequest.ByEnum by =
        Objects.requireNonNullElse(request.getBy(), LoadProfileRequest.ByEnum.CLUSTER);
    switch (by) {
      case CLUSTER -> above(vm.id(), CLUSTER, graph, groups);
      case HOST -> above(vm.id(), HOST, graph, groups);
      case TAG -> {
        if (vm.tag() != null) {
          groups.add(vm.tag());
        }
      }
      case VM -> {}
    }
    return groups;
  }

  /** Names of the objects of a kind above an object. */
  private static void above(int object, String kind, ObjectGraph graph, Set<String> names) {
    ArrayDeque<Integer> next = new ArrayDeque<>(List.of(object));
    Set<Integer> seen = new HashSet<>(next);
    while (!next.isEmpty()) {
      for (int parent : graph.parents(next.remove(), MOST_PARENTS)) {
        if (!seen.add(parent)) {
          continue;
        }
        ObjectKind of = graph.kindOf(parent);
        if (of != null && of.objectKind().equals(kind)) {
          names.add(graph.name(of, graph.number(of, parent)));
        } else {
          next.add(parent);
        }
      }
    }
  }

  /** What machines ask of storage; of those that have nothing in the first source, in the next. */
  private List<IoSeries> read(List<Vm> machines, Grid grid, Duration width) {
    double[][][] values = values(machines, SOURCES.getFirst(), grid, width);
    double[][][] others = null;
    List<IoSeries> series = new ArrayList<>();
    for (int i = 0; i < machines.size(); i++) {
      double[][] parts = parts(values, i);
      if (isEmpty(parts)) {
        others = others == null ? values(machines, SOURCES.get(1), grid, width) : others;
        parts = parts(others, i);
      }
      series.add(
          new IoSeries(
              grid,
              parts[0],
              parts[1],
              times(parts[2], BYTES_OF_KB),
              times(parts[3], BYTES_OF_KB),
              parts[4],
              parts[5]));
    }
    return series;
  }

  private double[][][] values(List<Vm> machines, String group, Grid grid, Duration width) {
    int[] ids = machines.stream().mapToInt(Vm::id).toArray();
    List<String> keys = METRICS.stream().map(metric -> group + "|" + metric).toList();
    return means
        .read(List.of(new Means.Wanted(KIND, keys, ids)), grid.start(), grid.count(), width)
        .getFirst();
  }

  private static double[][] parts(double[][][] values, int machine) {
    double[][] parts = new double[values.length][];
    for (int m = 0; m < values.length; m++) {
      double[] part = new double[values[m].length];
      for (int b = 0; b < part.length; b++) {
        // Counters are never below 0; what is comes from a counter that was set back.
        double value = values[m][b][machine];
        part[b] = value >= 0 ? value : Double.NaN;
      }
      parts[m] = part;
    }
    return parts;
  }

  private static boolean isEmpty(double[][] parts) {
    return Arrays.stream(parts).flatMapToDouble(Arrays::stream).allMatch(Double::isNaN);
  }

  private static double[] times(double[] values, double factor) {
    return Arrays.stream(values).map(value -> value * factor).toArray();
  }

  /** Virtual CPUs and disk in GB of each machine in the last days; NaN = not known. */
  private double[][] sizes(List<Vm> machines, Instant to) {
    int[] ids = machines.stream().mapToInt(Vm::id).toArray();
    int hours = (int) FINE.toHours();
    double[][][] read =
        means
            .read(
                List.of(new Means.Wanted(KIND, List.of(VCPUS, DISK), ids)),
                to.minus(FINE),
                hours,
                Duration.ofHours(1))
            .getFirst();
    double[][] sizes = new double[read.length][machines.size()];
    for (int m = 0; m < read.length; m++) {
      Arrays.fill(sizes[m], Double.NaN);
      for (double[] bucket : read[m]) {
        for (int i = 0; i < bucket.length; i++) {
          sizes[m][i] = Double.isNaN(bucket[i]) ? sizes[m][i] : bucket[i];
        }
      }
    }
    return sizes;
  }
}
