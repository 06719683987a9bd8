package io.peerlens.slow.api;

import static io.peerlens.slow.api.Kinds.MACHINE;

import io.peerlens.slow.Evidence;
import io.peerlens.slow.Origin;
import io.peerlens.slow.Reading;
import io.peerlens.slow.Signal;
import io.peerlens.slow.Track;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which machines of a host or cluster are slow.
 *
 * @param slow those that are, the slowest first
 * @param known of how many it is known
 * @param total how many there are
 * @param first the one to look into: the slowest, else the one with the highest latency; null =
 *     there is none
 */
record Slowest(List<Slow> slow, int known, int total, @Nullable Integer first) {

  /** A slow machine by the figure that shows it. */
  record Slow(int machine, Reading reading) {

    double timesUsual() {
      double high = Objects.requireNonNull(reading.usual()).high();
      return high > 0 ? reading.now() / high : reading.now();
    }
  }

  static Slowest of(
      Collection<Integer> machines, MachineKeys keys, SeriesBatch batch, Evidence shape) {
    List<Slow> slow = new ArrayList<>();
    int known = 0;
    @Nullable Integer first = null;
    double highest = Double.NEGATIVE_INFINITY;
    for (int machine : machines) {
      List<Reading> readings = readings(machine, keys, batch, shape);
      known += readings.stream().anyMatch(Reading::isJudged) ? 1 : 0;
      Optional<Reading> worst =
          readings.stream()
              .filter(Reading::isBeyond)
              .max(Comparator.comparingDouble(Reading::severity));
      worst.ifPresent(one -> slow.add(new Slow(machine, one)));
      double latency =
          readings.stream()
              .filter(one -> one.signal() != Signal.CPU_WAIT)
              .mapToDouble(Reading::now)
              .max()
              .orElse(-1);
      if (latency > highest) {
        highest = latency;
        first = machine;
      }
    }
    slow.sort(Comparator.comparingDouble((Slow one) -> one.reading().severity()).reversed());
    return new Slowest(
        slow,
        known,
        machines.size(),
        slow.isEmpty() ? first : Integer.valueOf(slow.getFirst().machine()));
  }

  private static List<Reading> readings(
      int machine, MachineKeys keys, SeriesBatch batch, Evidence shape) {
    List<Reading> readings = new ArrayList<>();
    add(
        readings,
        Signal.READ_LATENCY,
        machine,
        MachineKeys.READ_LATENCY,
        keys.latency(MachineKeys.READ_LATENCY, machine),
        shape);
    add(
        readings,
        Signal.WRITE_LATENCY,
        machine,
        MachineKeys.WRITE_LATENCY,
        keys.latency(MachineKeys.WRITE_LATENCY, machine),
        shape);
    String ready = keys.readyKey(machine);
    add(readings, Signal.CPU_WAIT, machine, ready, batch.get(MACHINE, ready, machine), shape);
    return readings;
  }

  private static void add(
      List<Reading> readings,
      Signal signal,
      int machine,
      String key,
      double @Nullable [] values,
      Evidence shape) {
    if (values != null) {
      Reading reading =
          Reading.of(
              new Track(signal, new Origin(machine, key, "", ""), values, null, "", List.of()),
              shape);
      if (reading != null) {
        readings.add(reading);
      }
    }
  }
}
