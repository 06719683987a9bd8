package io.peerlens.sizing;

import java.util.List;

/**
 * Power states of a machine over time.
 *
 * @param knownSince from when on changes were watched, in seconds since 1970
 * @param changes in order of time; the first says the state at {@code knownSince} or later
 */
public record PowerHistory(long knownSince, List<Change> changes) {

  /** Power state, as vCenter's {@code runtime.powerState}. */
  public enum State {
    /** It runs. */
    ON,
    /** It does not run and holds no memory. */
    OFF,
    /** It is frozen, and its memory lies on disk. */
    SUSPENDED
  }

  /**
   * Change of the state.
   *
   * @param at seconds since 1970
   * @param to the state from then on
   */
  public record Change(long at, State to) {}

  /**
   * A history.
   *
   * @throws IllegalArgumentException the changes are not in order of time
   */
  public PowerHistory {
    changes = List.copyOf(changes);
    for (int i = 1; i < changes.size(); i++) {
      if (changes.get(i).at() < changes.get(i - 1).at()) {
        throw new IllegalArgumentException(
            "Power change " + i + " is older than the one before. Sort them by time.");
      }
    }
  }

  /**
   * A history out of a column of power states, such as {@code sys|poweredOn}.
   *
   * @param poweredOn 1 = on, 0 = off, NaN = no value, which changes nothing
   */
  public static PowerHistory of(Grid grid, double[] poweredOn) {
    grid.checked(poweredOn, "power state");
    List<Change> changes = new java.util.ArrayList<>();
    for (int i = 0; i < grid.length(); i++) {
      if (!Double.isNaN(poweredOn[i])) {
        State state = poweredOn[i] >= 0.5 ? State.ON : State.OFF;
        if (changes.isEmpty() || changes.getLast().to() != state) {
          changes.add(new Change(grid.end() - (long) (grid.length() - i) * grid.step(), state));
        }
      }
    }
    long since = changes.isEmpty() ? grid.end() : changes.getFirst().at();
    return new PowerHistory(since, changes);
  }
}
