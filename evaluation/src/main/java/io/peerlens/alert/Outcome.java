package io.peerlens.alert;

import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;

/**
 * Result of one definition at a tick: for which objects it fires.
 *
 * @param definition the threshold, alert definition or outlier group
 * @param waitCycles for so many ticks in a row it must fire before an alert opens
 * @param cancelCycles for so many ticks in a row it must not before one is canceled
 * @param fires by number of the object
 * @param others what is to be said of an object that is not in {@code fires}
 */
public record Outcome(
    UUID definition,
    int waitCycles,
    int cancelCycles,
    Map<Integer, Finding> fires,
    IntFunction<Verdict> others) {

  /** Verdict on an object for which a definition does not fire. */
  public enum Verdict {
    /** It is not so. */
    CLEAR,
    /** A value is missing, so nobody can say: this neither opens nor cancels an alert. */
    UNKNOWN,
    OUT_OF_SCOPE
  }
}
