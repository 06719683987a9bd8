package io.peerlens.sizing;

import java.time.LocalDate;
import java.util.List;

/**
 * Plan: a list of dated changes to a cluster, to be compared with other plans.
 *
 * @param name for people
 * @param changes in any order; those before the first day count from the start
 */
public record Scenario(String name, List<Change> changes) {

  /** Changes at most. */
  public static final int MOST_CHANGES = 1000;

  /**
   * A plan.
   *
   * @throws IllegalArgumentException there are too many changes
   */
  public Scenario {
    changes = List.copyOf(changes);
    if (changes.size() > MOST_CHANGES) {
      throw new IllegalArgumentException(
          changes.size() + " changes are more than " + MOST_CHANGES + ". Join equal ones.");
    }
  }

  /** Dated change. */
  public sealed interface Change {
    /** The day from which on it counts. */
    LocalDate on();
  }

  /**
   * Machines are added.
   *
   * @param each what one of them adds to the load: that of a present machine, or a given size
   */
  public record AddVms(LocalDate on, int count, Amounts each) implements Change {
    /**
     * A change.
     *
     * @throws IllegalArgumentException the count is not within 1 to 100,000, or an amount is not
     *     known
     */
    public AddVms {
      check(count, 100_000, "machines");
      check(each, "machine");
    }
  }

  /** Machines are removed; see {@link AddVms}. */
  public record RemoveVms(LocalDate on, int count, Amounts each) implements Change {
    /**
     * A change.
     *
     * @throws IllegalArgumentException the count is not within 1 to 100,000, or an amount is not
     *     known
     */
    public RemoveVms {
      check(count, 100_000, "machines");
      check(each, "machine");
    }
  }

  /** Hosts are added. */
  public record AddHosts(LocalDate on, int count, Amounts each) implements Change {
    /**
     * A change.
     *
     * @throws IllegalArgumentException the count is not within 1 to 500
     */
    public AddHosts {
      check(count, 500, "hosts");
      check(each, "host");
    }
  }

  /** Hosts are taken away for good, the largest ones; as many as may fail stay reserved. */
  public record RemoveHosts(LocalDate on, int count) implements Change {
    /**
     * A change.
     *
     * @throws IllegalArgumentException the count is not within 1 to 500
     */
    public RemoveHosts {
      check(count, 500, "hosts");
    }
  }

  /** The largest host fails and stays away. What is reserved for failures is used up by it. */
  public record HostFailure(LocalDate on) implements Change {}

  /**
   * The load of what is there grows once.
   *
   * @param share 0.2 = 20 % more; negative = less, above -1
   */
  public record Grow(LocalDate on, double share) implements Change {
    /**
     * A change.
     *
     * @throws IllegalArgumentException the share is not within -1 to 100
     */
    public Grow {
      if (!(share > -1 && share <= 100)) {
        throw new IllegalArgumentException(
            "A growth of " + share + " is no share. Use 0.2 for 20 %.");
      }
    }
  }

  /**
   * The load grows by so much in a year from then on, instead of as it did so far.
   *
   * @param sharePerYear of the load at the start; 0.2 = 20 %
   */
  public record GrowPerYear(LocalDate on, double sharePerYear) implements Change {
    /**
     * A change.
     *
     * @throws IllegalArgumentException the share is not within -1 to 100
     */
    public GrowPerYear {
      if (!(sharePerYear >= -1 && sharePerYear <= 100)) {
        throw new IllegalArgumentException(
            "A growth of " + sharePerYear + " a year is no share. Use 0.2 for 20 %.");
      }
    }
  }

  private static void check(int count, int most, String of) {
    if (count < 1 || count > most) {
      throw new IllegalArgumentException(
          count
              + " "
              + of
              + " are outside 1 to "
              + most
              + ". Use the opposite change to undo one.");
    }
  }

  private static void check(Amounts each, String of) {
    for (Amounts.Supply supply : Amounts.Supply.values()) {
      if (Double.isNaN(each.of(supply))) {
        throw new IllegalArgumentException(
            "The "
                + supply.words
                + " of a "
                + of
                + " is not known. Give it, or 0 if it does not matter.");
      }
    }
  }
}
