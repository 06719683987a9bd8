package io.peerlens.slow;

import io.peerlens.slow.Load.Growth;
import io.peerlens.slow.Reading.Likeness;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is asked of disks that machines share, since the trouble began. */
final class DiskLoads {

  /** By so much more than before, a device has more to do. */
  private static final double MORE = 1.2;

  private final Evidence evidence;
  private final List<Reading> readings;
  private final Symptom symptom;

  DiskLoads(Evidence evidence, List<Reading> readings, Symptom symptom) {
    this.evidence = evidence;
    this.readings = readings;
    this.symptom = symptom;
  }

  /**
   * What the machines ask for together.
   *
   * @param ofHost those of its host; otherwise those that share its disks
   */
  Load all(boolean ofHost) {
    Reading own =
        of(Signal.IOPS).stream()
            .filter(one -> one.track().origin().instance().isEmpty())
            .findFirst()
            .orElse(of(Signal.IOPS).isEmpty() ? null : of(Signal.IOPS).getFirst());
    if (own == null) {
      return Load.UNKNOWN;
    }
    List<Neighbour> sharing =
        evidence.neighbours().stream()
            .filter(one -> ofHost ? one.sharesHost() : evidence.vsan() || one.sharesStore())
            .toList();
    return Load.of(
        own.track().values(), sharing, Neighbour::iops, symptom.reading().onset(), evidence);
  }

  /**
   * The load as it matters to a device: when it has no more to do than is usual at this hour, or
   * its peers with the same load are calm, what all ask for together is no reason.
   */
  Load ofDevice(Load load, @Nullable Reading device) {
    if (device == null || load.growth() == Growth.UNKNOWN || load.growth() == Growth.NONE) {
      return load;
    }
    boolean calmPeers =
        evidence.vsan() && load.growth() == Growth.MANY && device.likeness() == Likeness.UNLIKE;
    return calmPeers || isLoadUsual(device)
        ? new Load(Growth.NONE, null, load.before(), load.now())
        : load;
  }

  /** Whether a device is known to have no more to do than is usual at this hour. */
  private boolean isLoadUsual(Reading device) {
    List<Reading> own =
        of(Signal.DEVICE_IOPS).stream()
            .filter(one -> one.track().origin().object() == device.track().origin().object())
            .filter(one -> one.track().origin().name().equals(device.track().origin().name()))
            .toList();
    return !own.isEmpty() && own.stream().allMatch(one -> one.usual() != null && !one.isBeyond());
  }

  /** Whether it is known that a device or host has no more to do than before. */
  boolean isCalm(Signal signal, Reading place) {
    List<Reading> loads = of(signal);
    List<Reading> own =
        loads.stream()
            .filter(one -> one.track().origin().object() == place.track().origin().object())
            .toList();
    List<Reading> used = own.isEmpty() ? loads : own;
    return !used.isEmpty()
        && used.stream()
            .allMatch(
                one ->
                    !one.isBeyond()
                        && !(one.now() > MORE * one.reference()
                            && one.rise() > one.signal().floor()));
  }

  private List<Reading> of(Signal signal) {
    return readings.stream().filter(one -> one.signal() == signal).toList();
  }
}
