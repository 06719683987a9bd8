package io.peerlens.alert;

import io.peerlens.threshold.Severity;
import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A symptom as part of an alert, with all that is needed to show it when its rule is long gone.
 *
 * @param instance empty = the object has one value
 * @param unit of value and bounds; null = not known
 * @param value NaN = no number
 * @param text value of a property; null = a number was judged
 * @param operator how it was compared, as in the contract
 * @param bound lower bound of a range; NaN = not a number
 * @param upper NaN = no range
 * @param since first sample of the run that led here
 * @param violations how many of the last samples violated
 * @param of of how many
 * @param unknown whether there is no value now
 */
public record Member(
    UUID threshold,
    String name,
    int objectId,
    String instance,
    String key,
    @Nullable String unit,
    Severity severity,
    double value,
    @Nullable String text,
    String operator,
    double bound,
    double upper,
    Instant since,
    int violations,
    int of,
    boolean unknown) {

  /** The worst and oldest first, in an order that does not depend on how they were found. */
  static final Comparator<Member> WORST_FIRST =
      Comparator.comparing(Member::severity, Comparator.reverseOrder())
          .thenComparing(Member::unknown)
          .thenComparing(Member::since)
          .thenComparing(Member::threshold)
          .thenComparingInt(Member::objectId)
          .thenComparing(Member::instance);

  /** Identity of a symptom, whatever its value. */
  public record Key(UUID threshold, int objectId, String instance) {

    /** Well spread over all numbers, the same in every process. */
    long print() {
      long print = mix(threshold.getMostSignificantBits());
      print = mix(print ^ threshold.getLeastSignificantBits());
      print = mix(print ^ objectId);
      return mix(print ^ instance.hashCode());
    }

    private static long mix(long bits) {
      long mixed = (bits ^ (bits >>> 33)) * 0xff51afd7ed558ccdL;
      mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
      return mixed ^ (mixed >>> 33);
    }
  }

  Member withUnit(@Nullable String known) {
    return new Member(
        threshold,
        name,
        objectId,
        instance,
        key,
        known,
        severity,
        value,
        text,
        operator,
        bound,
        upper,
        since,
        violations,
        of,
        unknown);
  }

  Key identity() {
    return new Key(threshold, objectId, instance);
  }
}
