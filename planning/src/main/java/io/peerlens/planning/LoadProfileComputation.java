package io.peerlens.planning;

import io.peerlens.api.model.LoadProfileRequest;
import io.peerlens.frame.Frames;
import io.peerlens.frame.Means;
import io.peerlens.job.Progress;
import io.peerlens.planning.LoadProfileMembers.Group;
import io.peerlens.planning.LoadProfileStore.Vm;
import io.peerlens.profile.BusinessHours;
import io.peerlens.profile.Grid;
import io.peerlens.profile.LoadProfile;
import io.peerlens.profile.LoadProfiler;
import io.peerlens.profile.Machine;
import io.peerlens.profile.ProfileOptions;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;

/** Computes load profiles from the stored history of virtual machines. Thread-safe. */
final class LoadProfileComputation {

  /** Name of the group of all machines. */
  static final String ALL = "All";

  static final String CLUSTER = "ClusterComputeResource";
  static final String HOST = "HostSystem";

  private static final ObjectKind KIND = new ObjectKind("VMWARE", "VirtualMachine");

  private static final String VCPUS = "config|hardware|num_Cpu";
  private static final String DISK = "config|hardware|disk_Space";
  private static final double KB_OF_GB = 1024 * 1024;

  /** Peaks of five minutes are compared with those of hours over so long. */
  private static final Duration FINE = Duration.ofDays(7);

  /** Bytes that the values of machines may take at once; more of them at once = fewer passes. */
  private static final long BYTES_AT_ONCE = 96L << 20;

  /** Groups of single machines beyond this many would be no table that anybody reads. */
  private static final int MOST_SINGLE = 2000;

  private static final int MOST_PARENTS = 1000;

  private final LoadProfileStore store;
  private final Frames frames;
  private final Means means;

  LoadProfileComputation(LoadProfileStore store, Frames frames, Means means) {
    this.store = store;
    this.frames = frames;
    this.means = means;
  }

  /**
   * What was computed.
   *
   * @param profiles of all machines, of groups by name, and of single machines where these were
   *     asked for
   */
  record Computed(List<LoadProfile> profiles, LoadProfileMembers members) {}

  /**
   * Computes.
   *
   * @param request with a whole period of full hours
   * @throws CancellationException somebody cancelled it
   * @throws IllegalArgumentException there are more groups than memory is for
   */
  Computed compute(LoadProfileRequest request, Progress progress) {
    List<Vm> machines = store.machines(request.getAncestor(), request.getTag());
    progress.total(machines.size());
    BusinessHours hours = LoadProfileRequests.hours(request.getOnlyDuring());
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
    Groups groups = new Groups(request, frames.objects());
    List<LoadProfile> own = new ArrayList<>();
    LoadProfileMembers.Builder members = new LoadProfileMembers.Builder(machines.size());
    LoadHistory history = new LoadHistory(frames, means);
    int atOnce =
        (int)
            Math.clamp(
                BYTES_AT_ONCE / (LoadHistory.bytes(grid) + LoadHistory.bytes(fine)), 1, 2000);
    for (int at = 0; at < machines.size(); at += atOnce) {
      List<Vm> some = machines.subList(at, Math.min(machines.size(), at + atOnce));
      int[] ids = some.stream().mapToInt(Vm::id).toArray();
      int before = at;
      LoadHistory.Heard heard =
          share -> {
            if (progress.cancelled()) {
              throw new CancellationException("It was cancelled.");
            }
            progress.done(before + (long) (share * some.size()));
          };
      LoadHistory.Columns coarse = history.read(ids, grid, true, heard);
      LoadHistory.Columns precise = history.read(ids, fine, false, share -> heard.of(1));
      double[][] sizes = sizes(some, to);
      for (int i = 0; i < some.size(); i++) {
        Vm vm = some.get(i);
        Machine machine =
            new Machine(
                vm.uuid().toString(),
                vm.name(),
                positive(sizes[0][i]),
                memory(vm),
                positive(sizes[1][i]),
                groups.of(vm, at + i));
        LoadProfile alone = profiler.add(machine, coarse.series(i), precise.series(i));
        members.add(vm.id(), alone.iops());
        if (groups.single && own.size() < MOST_SINGLE) {
          own.add(alone);
        }
      }
    }
    List<LoadProfile> all = new ArrayList<>();
    LoadProfile whole = profiler.group(ALL);
    if (whole != null) {
      all.add(whole);
    }
    profiler.groups().values().stream().filter(one -> !one.name().equals(ALL)).forEach(all::add);
    all.addAll(own);
    return new Computed(all, members.build(groups.all()));
  }

  /** Groups that machines are in, with the objects that they are of. */
  private final class Groups {
    final boolean single;
    private final LoadProfileRequest.ByEnum by;
    private final ObjectGraph graph;
    private final Map<String, Set<Integer>> objects = new HashMap<>();
    private final Map<String, List<Integer>> places = new TreeMap<>();

    Groups(LoadProfileRequest request, ObjectGraph graph) {
      this.graph = graph;
      by = Objects.requireNonNullElse(request.getBy(), LoadProfileRequest.ByEnum.CLUSTER);
      single = by == LoadProfileRequest.ByEnum.VM;
      UUID ancestor = request.getAncestor();
      if (ancestor != null) {
        store.id(ancestor).ifPresent(id -> objects.put(ALL, new TreeSet<>(Set.of(id))));
      }
    }

    /** Names of the groups of a machine other than itself. */
    Set<String> of(Vm vm, int place) {
      Set<String> groups = new HashSet<>();
      groups.add(ALL);
      switch (by) {
        case CLUSTER -> above(vm.id(), CLUSTER, groups);
        case HOST -> above(vm.id(), HOST, groups);
        case TAG -> {
          if (vm.tag() != null) {
            groups.add(vm.tag());
          }
        }
        case VM -> {
          if (place < MOST_SINGLE) {
            objects.computeIfAbsent(vm.name(), name -> new TreeSet<>()).add(vm.id());
            places.computeIfAbsent(vm.name(), name -> new ArrayList<>()).add(place);
          }
        }
      }
      groups.forEach(name -> places.computeIfAbsent(name, it -> new ArrayList<>()).add(place));
      return groups;
    }

    /** Names of the objects of a kind above an object. */
    private void above(int object, String kind, Set<String> names) {
      ArrayDeque<Integer> next = new ArrayDeque<>(List.of(object));
      Set<Integer> seen = new HashSet<>(next);
      while (!next.isEmpty()) {
        for (int parent : graph.parents(next.remove(), MOST_PARENTS)) {
          if (!seen.add(parent)) {
            continue;
          }
          ObjectKind of = graph.kindOf(parent);
          if (of != null && of.objectKind().equals(kind)) {
            String name = graph.name(of, graph.number(of, parent));
            names.add(name);
            objects.computeIfAbsent(name, it -> new TreeSet<>()).add(parent);
          } else {
            next.add(parent);
          }
        }
      }
    }

    List<Group> all() {
      return places.entrySet().stream()
          .map(
              one ->
                  new Group(
                      one.getKey(),
                      ints(objects.getOrDefault(one.getKey(), Set.of())),
                      ints(one.getValue())))
          .toList();
    }

    private static int[] ints(Collection<Integer> of) {
      return of.stream().flatMapToInt(IntStream::of).toArray();
    }
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
