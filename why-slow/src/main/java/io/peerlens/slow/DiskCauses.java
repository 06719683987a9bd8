package io.peerlens.slow;

import io.peerlens.slow.Load.Growth;
import io.peerlens.slow.Reading.Likeness;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Causes of a machine's waiting for its disks. A cause is taken only when what could lie behind its
 * figure is known to be as usual: a slow device needs a known load, a queue in the host a known
 * device, congestion a known disk group.
 */
final class DiskCauses {

  /** Share of the excess from which on a cause explains it. */
  private static final double EXPLAINS = 0.35;

  /** The same of one disk group of several: only a part of the operations goes there. */
  private static final double EXPLAINS_PART = 0.1;

  /** Share of the latency from which on a limit ends the search. */
  private static final double ENDS = 0.5;

  private static final double FULL_BUFFER = 60;

  private final Evidence evidence;
  private final List<Reading> readings;
  private final Symptom symptom;
  private final SlowWords words;
  private final DiskLoads loads;
  private final List<Finding> found = new ArrayList<>();
  private boolean open;

  DiskCauses(Evidence evidence, List<Reading> readings, Symptom symptom, SlowWords words) {
    this.evidence = evidence;
    this.readings = readings;
    this.symptom = symptom;
    this.words = words;
    this.loads = new DiskLoads(evidence, readings, symptom);
  }

  /** Whether a figure is beyond what is usual whose reason lies in what is not measured. */
  boolean isOpen() {
    return open;
  }

  List<Finding> find(List<LimitReading> limits) {
    LimitReading limit = limit(limits);
    if (limit != null) {
      double share = Math.min(1, limit.delay() / symptom.reading().now());
      if (share >= EXPLAINS) {
        found.add(
            new Finding(
                Band.GUEST,
                Cause.OWN_LIMIT,
                symptom.reading(),
                share,
                words.limit(limit, symptom),
                null,
                limit));
      }
      if (share >= ENDS) {
        return found;
      }
    }
    network();
    storage();
    if (found.isEmpty()) {
      queue();
    }
    if (found.isEmpty()) {
      shared();
    }
    if (found.isEmpty() && !open) {
      ownLoad();
    }
    return found;
  }

  private @Nullable LimitReading limit(List<LimitReading> limits) {
    String disk = symptom.reading().track().origin().instance();
    return limits.stream()
        .filter(LimitReading::binds)
        .filter(
            one ->
                one.disk().instance().isEmpty()
                    || disk.isEmpty()
                    || one.disk().instance().equals(disk))
        .max(Comparator.comparingDouble(LimitReading::delay))
        .orElse(null);
  }

  // ---- network ----------------------------------------------------------------------------------

  private void network() {
    of(Signal.PACKET_LOSS, Signal.RETRANSMITS, Signal.PACKET_ERRORS).stream()
        .filter(this::isPartOfIt)
        .max(Comparator.comparingDouble(Reading::severity))
        .ifPresent(
            one ->
                found.add(
                    new Finding(
                        Band.NETWORK,
                        switch (one.signal()) {
                          case PACKET_LOSS -> Cause.DROPPED_PACKETS;
                          case RETRANSMITS -> Cause.RETRANSMITS;
                          default -> Cause.NETWORK_ERRORS;
                        },
                        one,
                        Double.NaN,
                        words.network(one),
                        null,
                        null)));
  }

  // ---- disk group -------------------------------------------------------------------------------

  private void storage() {
    Reading buffer =
        of(Signal.BUFFER, Signal.LOG_CONGESTION).stream()
            .filter(this::isPartOfIt)
            .filter(one -> one.signal() == Signal.LOG_CONGESTION || one.now() >= FULL_BUFFER)
            .max(Comparator.comparingDouble(Reading::severity))
            .orElse(null);
    Reading device =
        of(Signal.DEVICE_LATENCY).stream()
            .filter(this::isPartOfIt)
            .filter(
                one ->
                    one.rise() >= (evidence.vsan() ? EXPLAINS_PART : EXPLAINS) * symptom.excess())
            .max(Comparator.comparingDouble(Reading::severity))
            .orElse(null);
    if (buffer == null && device == null) {
      return;
    }
    Load load = loads.ofDevice(loads.all(false), device);
    Reading worst = buffer == null ? Objects.requireNonNull(device) : buffer;
    if (byLoad(load, worst)) {
      if (buffer != null) {
        found.add(finding(Band.DISK_GROUP, Cause.WRITE_BUFFER, buffer, words.buffer(buffer)));
      }
      return;
    }
    if (buffer != null && (device == null || buffer.now() >= FULL_BUFFER || isSlowest(device))) {
      found.add(finding(Band.DISK_GROUP, Cause.WRITE_BUFFER, buffer, words.buffer(buffer)));
    } else if (device != null) {
      if (load.growth() == Growth.UNKNOWN && !loads.isCalm(Signal.DEVICE_IOPS, device)) {
        open = true;
      } else {
        found.add(finding(Band.DISK_GROUP, Cause.SLOW_DEVICE, device, words.device(device)));
      }
    }
  }

  private boolean isSlowest(Reading device) {
    return device.rise() < EXPLAINS * symptom.excess();
  }

  /** Takes the load as the cause, if it has grown; the machine that asks for it is named. */
  private boolean byLoad(Load load, Reading proof) {
    switch (load.growth()) {
      case ONE -> {
        Culprit by = words.diskNeighbour(load, proof);
        Reading cluster =
            strongest(
                Signal.CLUSTER_OUTSTANDING,
                Signal.CLUSTER_IOPS,
                Signal.CONGESTION,
                Signal.CLUSTER_LATENCY);
        found.add(
            new Finding(
                Band.CLUSTER,
                Cause.NOISY_NEIGHBOUR,
                cluster == null ? proof : cluster,
                share(proof),
                SlowWords.neighbour(by),
                by,
                null));
        return true;
      }
      case OWN -> {
        found.add(
            new Finding(
                Band.GUEST,
                Cause.IN_GUEST,
                symptom.reading(),
                share(proof),
                words.ownLoad(load, proof),
                null,
                null));
        return true;
      }
      case MANY -> {
        Reading cluster =
            strongest(
                Signal.CLUSTER_IOPS,
                Signal.CLUSTER_OUTSTANDING,
                Signal.CONGESTION,
                Signal.CLUSTER_LATENCY);
        if (proof.isOdd()) {
          found.add(
              finding(
                  Band.CLUSTER,
                  Cause.CLUSTER_LOAD,
                  cluster == null ? proof : cluster,
                  words.manyAsk(load, proof)));
          return true;
        }
        return false;
      }
      case UNKNOWN, NONE -> {
        return false;
      }
    }
    return false;
  }

  // ---- host -------------------------------------------------------------------------------------

  private void queue() {
    Reading queue =
        of(Signal.KERNEL_LATENCY, Signal.HOST_LATENCY).stream()
            .filter(one -> one.signal() == Signal.KERNEL_LATENCY || !evidence.vsan())
            .filter(
                one -> one.signal() == Signal.KERNEL_LATENCY || one.likeness() == Likeness.UNLIKE)
            .filter(this::isPartOfIt)
            .filter(one -> one.rise() >= EXPLAINS * symptom.excess())
            .max(Comparator.comparingDouble(Reading::rise))
            .orElse(null);
    if (queue == null) {
      return;
    }
    if (!isJudged(Signal.DEVICE_LATENCY)) {
      open = true;
      return;
    }
    Load load = loads.all(true);
    if (load.growth() == Growth.ONE || load.growth() == Growth.OWN) {
      byLoad(load, queue);
    } else if (load.growth() == Growth.UNKNOWN && !loads.isCalm(Signal.HOST_IOPS, queue)) {
      open = true;
    } else {
      found.add(finding(Band.HOST, Cause.KERNEL_QUEUE, queue, words.queue(queue)));
    }
  }

  // ---- what all share ---------------------------------------------------------------------------

  /** A shared figure is up, and no single device, queue or card explains it. */
  private void shared() {
    Reading shared =
        of(
                Signal.CONGESTION,
                Signal.CLUSTER_LATENCY,
                Signal.CLUSTER_OUTSTANDING,
                Signal.HOST_LATENCY,
                Signal.DEVICE_LATENCY,
                Signal.BUFFER)
            .stream()
            .filter(this::isPartOfIt)
            .max(Comparator.comparingDouble(Reading::severity))
            .orElse(null);
    if (shared == null) {
      return;
    }
    Load load = loads.all(false);
    if ((load.growth() == Growth.ONE || load.growth() == Growth.OWN) && byLoad(load, shared)) {
      return;
    }
    Reading congestion = strongest(Signal.CONGESTION);
    boolean groupKnown =
        isJudged(Signal.DEVICE_LATENCY)
            && (isJudged(Signal.BUFFER) || isJudged(Signal.LOG_CONGESTION));
    if (congestion != null && isPartOfIt(congestion) && groupKnown) {
      if (load.growth() == Growth.MANY) {
        byLoad(load, congestion);
      } else if (load.growth() == Growth.UNKNOWN) {
        open = true;
      } else {
        found.add(
            finding(Band.CLUSTER, Cause.CONGESTION, congestion, words.congestion(congestion)));
      }
    } else {
      open = true;
    }
  }

  // ---- guest ------------------------------------------------------------------------------------

  private void ownLoad() {
    Set<Signal> shared =
        EnumSet.of(Signal.DEVICE_LATENCY, Signal.KERNEL_LATENCY, Signal.HOST_LATENCY);
    boolean calm =
        evidence.limitsKnown()
            && isJudged(Signal.DEVICE_LATENCY)
            && (isJudged(Signal.KERNEL_LATENCY) || isJudged(Signal.HOST_LATENCY))
            && readings.stream()
                .filter(one -> shared.contains(one.signal()))
                .noneMatch(this::isPartOfIt);
    if (!calm) {
      return;
    }
    of(Signal.IOPS, Signal.OUTSTANDING).stream()
        .filter(Reading::isBeyond)
        .filter(one -> symptom.isWith(one, evidence))
        .filter(one -> one.now() > 1.5 * one.reference())
        .max(Comparator.comparingDouble(Reading::severity))
        .ifPresent(
            one ->
                found.add(
                    new Finding(
                        Band.GUEST,
                        Cause.IN_GUEST,
                        symptom.reading(),
                        Double.NaN,
                        words.ownQueue(one),
                        null,
                        null)));
  }

  // ---- parts ------------------------------------------------------------------------------------

  private Finding finding(Band band, Cause cause, Reading reading, String reason) {
    return new Finding(band, cause, reading, share(reading), reason, null, null);
  }

  /** Share of the latency that a figure in milliseconds explains; NaN for others. */
  private double share(Reading reading) {
    if (!reading.signal().unit().equals("ms") || evidence.vsan()) {
      return Double.NaN;
    }
    return Math.min(1, reading.rise() / symptom.reading().now());
  }

  private boolean isPartOfIt(Reading reading) {
    return reading.isOdd() && symptom.isWith(reading, evidence);
  }

  private boolean isJudged(Signal signal) {
    return of(signal).stream().anyMatch(Reading::isJudged);
  }

  private @Nullable Reading strongest(Signal... signals) {
    return of(signals).stream().max(Comparator.comparingDouble(Reading::severity)).orElse(null);
  }

  private List<Reading> of(Signal... signals) {
    Set<Signal> wanted = EnumSet.of(signals[0], signals);
    return readings.stream().filter(one -> wanted.contains(one.signal())).toList();
  }
}
