package io.peerlens.profile;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Profiler of loads. Machines are given one after another, each with its whole period; what is kept
 * are sums by group, so memory does not grow with the number of machines. The load of a group in a
 * bucket is the sum of its machines in the same bucket: peaks of machines at different times do not
 * add up.
 *
 * <p>Not safe for use by several threads.
 */
public final class LoadProfiler {

  private final ProfileOptions options;
  private final Map<String, Subject> groups = new TreeMap<>();
  private final Set<String> machines = new HashSet<>();
  private final ProfileBuilder builder;
  private final Subject alone;
  private long memory;

  /** A group with all that was added to it. */
  static final class Subject {
    final HourSums hours;
    final @Nullable FineSums fine;

    /** Of each hour; null = it is a machine alone. */
    final @Nullable TopMachines top;

    /** Of machines whose operations are known, since it is these that are divided. */
    final Sizes sizes = new Sizes();

    int machines;

    Subject(ProfileOptions options, boolean isGroup) {
      hours = new HourSums(options.hours());
      top = isGroup ? new TopMachines(options.hours().count()) : null;
      fine = options.fineGrid() == null ? null : new FineSums(options.fineGrid());
    }

    void add(Machine machine, IoSeries series, @Nullable IoSeries fineSeries) {
      machines++;
      if (fine != null && fineSeries != null) {
        fine.add(fineSeries);
      }
      boolean hasIops = hours.add(series);
      if (hasIops) {
        sizes.add(machine);
      }
      if (top != null) {
        top.add(machine, series, hasIops);
      }
    }

    void clear() {
      machines = 0;
      hours.clear();
      if (fine != null) {
        fine.clear();
      }
      sizes.clear();
    }
  }

  public LoadProfiler(ProfileOptions options) {
    this.options = options;
    builder = new ProfileBuilder(options);
    alone = new Subject(options, false);
  }

  /**
   * Adds a machine to its groups.
   *
   * @param hours on the grid of the options
   * @param fine 5-minute means on the fine grid of the options; null = there are none
   * @return the profile of the machine alone
   * @throws IllegalArgumentException the grids are others, the machine was there before, or there
   *     are more groups than memory is for
   */
  public LoadProfile add(Machine machine, IoSeries hours, @Nullable IoSeries fine) {
    if (!hours.grid().equals(options.hours())) {
      throw new IllegalArgumentException(
          "Hours of machine %s are %s, and the profile is of %s"
              .formatted(machine.id(), hours.grid(), options.hours()));
    }
    if (fine != null && !fine.grid().equals(options.fineGrid())) {
      throw new IllegalArgumentException(
          "5-minute means of machine %s are %s, and the profile is of %s"
              .formatted(machine.id(), fine.grid(), options.fineGrid()));
    }
    if (machines.contains(machine.id())) {
      throw new IllegalArgumentException(
          "Machine %s is there already: give all of its period at once".formatted(machine.id()));
    }
    List<Subject> into = new ArrayList<>();
    reserve(machine);
    for (String group : machine.groups()) {
      into.add(groups.computeIfAbsent(group, name -> new Subject(options, true)));
    }
    machines.add(machine.id());
    into.forEach(group -> group.add(machine, hours, fine));
    alone.clear();
    alone.add(machine, hours, fine);
    return builder.build(machine.name(), alone);
  }

  private void reserve(Machine machine) {
    long each =
        (long) options.hours().count() * (HourSums.BYTES_A_BUCKET + TopMachines.BYTES_A_BUCKET)
            + (options.fineGrid() == null
                ? 0
                : (long) options.fineGrid().count() * FineSums.BYTES_A_BUCKET);
    long more = machine.groups().stream().filter(it -> !groups.containsKey(it)).count() * each;
    if (memory + more > options.memoryLimit()) {
      throw new IllegalArgumentException(
          "%d groups of %d hours would take more than %d MB: choose a shorter period or fewer groups"
              .formatted(
                  (memory + more) / each, options.hours().count(), options.memoryLimit() >> 20));
    }
    memory += more;
  }

  /** How many machines there are. */
  public int machines() {
    return machines.size();
  }

  /** Profiles of all groups by name, of the machines that were added until now. */
  public Map<String, LoadProfile> groups() {
    Map<String, LoadProfile> profiles = new TreeMap<>();
    groups.forEach((name, sums) -> profiles.put(name, builder.build(name, sums)));
    return profiles;
  }

  /** The profile of one group; null = no machine is in it. */
  public @Nullable LoadProfile group(String name) {
    Subject sums = groups.get(name);
    return sums == null ? null : builder.build(name, sums);
  }
}
