package io.peerlens.slow;

import io.peerlens.slow.Load.Growth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Causes of a machine's waiting for CPU and memory. */
final class ComputeCauses {

  private static final double BUSY_HOST = 80;
  private static final double SHORT_OF_MEMORY = 90;

  private final Evidence evidence;
  private final List<Reading> readings;
  private final SlowWords words;
  private final List<Finding> found = new ArrayList<>();
  private boolean open;

  ComputeCauses(Evidence evidence, List<Reading> readings, SlowWords words) {
    this.evidence = evidence;
    this.readings = readings;
    this.words = words;
  }

  /** Whether a figure is beyond what is usual whose reason lies in what is not measured. */
  boolean isOpen() {
    return open;
  }

  List<Finding> find(List<Symptom> symptoms) {
    for (Symptom symptom : symptoms) {
      if (found.isEmpty()) {
        switch (symptom.reading().signal()) {
          case CPU_LIMITED ->
              add(
                  Band.GUEST,
                  Cause.CPU_LIMIT,
                  symptom.reading(),
                  words.cpuLimit(symptom.reading()));
          case CPU_WAIT -> cpuWait(symptom);
          case CPU_USAGE -> fullCpu(symptom);
          case MEMORY_WAIT, SWAP_IN -> memory(symptom);
          default -> {}
        }
      }
    }
    return found;
  }

  private void cpuWait(Symptom symptom) {
    Reading limited = of(Signal.CPU_LIMITED);
    if (limited != null && limited.isBeyond()) {
      add(Band.GUEST, Cause.CPU_LIMIT, limited, words.cpuLimit(limited));
      return;
    }
    Reading host = of(Signal.HOST_CPU);
    if (host == null) {
      open = true;
      return;
    }
    if (host.now() < BUSY_HOST && !host.isBeyond()) {
      return; // The host has room: it is not the host that it waits for.
    }
    Load load = load(symptom);
    if (load.growth() == Growth.ONE) {
      Culprit by = words.cpuNeighbour(load, host);
      found.add(
          new Finding(
              Band.HOST,
              Cause.NOISY_NEIGHBOUR,
              host,
              Double.NaN,
              SlowWords.neighbour(by),
              by,
              null));
    } else if (load.growth() == Growth.UNKNOWN) {
      open = true;
    } else {
      add(Band.HOST, Cause.CPU_CONTENTION, host, words.cpuWait(symptom.reading(), host));
    }
  }

  private Load load(Symptom symptom) {
    Reading own = of(Signal.CPU_USAGE);
    if (own == null) {
      return Load.UNKNOWN;
    }
    // The machine's own CPU is a share: as part of the load of its host it does not count.
    double[] none = new double[evidence.steps()];
    List<Neighbour> sharing = evidence.neighbours().stream().filter(Neighbour::sharesHost).toList();
    return Load.of(none, sharing, Neighbour::mhz, symptom.reading().onset(), evidence);
  }

  private void fullCpu(Symptom symptom) {
    Reading wait = of(Signal.CPU_WAIT);
    if (wait == null) {
      open = true;
    } else if (!wait.isBeyond()) {
      add(Band.GUEST, Cause.IN_GUEST, symptom.reading(), words.fullCpu(symptom.reading(), wait));
    }
  }

  private void memory(Symptom symptom) {
    Reading host = of(Signal.HOST_MEMORY);
    Reading swap = of(Signal.HOST_SWAP);
    if (host == null && swap == null) {
      open = true;
    } else if ((swap != null && swap.isBeyond())
        || (host != null && host.now() >= SHORT_OF_MEMORY)) {
      Reading proof = swap != null && swap.isBeyond() ? swap : Objects.requireNonNull(host);
      add(Band.HOST, Cause.MEMORY_CONTENTION, proof, words.memory(symptom.reading(), proof));
    }
  }

  private void add(Band band, Cause cause, Reading reading, String reason) {
    found.add(new Finding(band, cause, reading, Double.NaN, reason, null, null));
  }

  private @Nullable Reading of(Signal signal) {
    return readings.stream()
        .filter(one -> one.signal() == signal)
        .max(Comparator.comparingDouble(Reading::severity))
        .orElse(null);
  }
}
