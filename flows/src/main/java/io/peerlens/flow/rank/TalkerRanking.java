package io.peerlens.flow.rank;

import io.peerlens.ingest.flow.TalkerMeasure;
import java.util.Arrays;
import java.util.List;

/**
 * Ranking of talkers by each measure, with bounds for all others: their sum, and what one of them
 * has at most. Lists of different times can be put together, and it is known what that may miss: a
 * talker that one list does not hold may have had up to that list's bound then.
 *
 * <p>Of each talker there are two values, what it had at least and what it had at most. They are
 * equal as long as no list had to leave out anybody.
 *
 * <p>Immutable.
 */
public final class TalkerRanking {

  /** Nobody talked. */
  public static final TalkerRanking EMPTY =
      exact(
          new long[0],
          new long[TalkerMeasure.COUNT][0],
          new long[TalkerMeasure.COUNT],
          new long[TalkerMeasure.COUNT]);

  private static final TalkerMeasure[] MEASURES = TalkerMeasure.values();

  private final long[] keys; // ascending
  private final long[][] least; // by measure, then talker
  private final long[][] most;
  private final long[] bound; // by measure
  private final long[] total;
  private final long[] unassigned;
  private final int talkers;

  private TalkerRanking(
      long[] keys,
      long[][] least,
      long[][] most,
      long[] bound,
      long[] total,
      long[] unassigned,
      int talkers) {
    this.keys = keys;
    this.least = least;
    this.most = most;
    this.bound = bound;
    this.total = total;
    this.unassigned = unassigned;
    this.talkers = talkers;
  }

  /** A list of all talkers. */
  static TalkerRanking exact(long[] keys, long[][] values, long[] total, long[] unassigned) {
    return new TalkerRanking(
        keys, values, values, new long[TalkerMeasure.COUNT], total, unassigned, keys.length);
  }

  /**
   * A list as it was stored.
   *
   * @param keys ascending, none twice
   * @param least what each talker had at least, by measure (in the order of {@link TalkerMeasure}),
   *     then talker
   * @param most what each talker had at most
   * @param bound what a talker that is not in the list had at most, by measure
   * @param total of all talkers and of traffic without talker, by measure
   * @param unassigned of traffic without talker, by measure
   * @param talkers how many there were at least
   * @throws IllegalArgumentException when the keys are not in order, or a length is wrong
   */
  public static TalkerRanking of(
      long[] keys,
      long[][] least,
      long[][] most,
      long[] bound,
      long[] total,
      long[] unassigned,
      int talkers) {
    for (int i = 1; i < keys.length; i++) {
      if (keys[i - 1] >= keys[i]) {
        throw new IllegalArgumentException("Talker %d is out of order".formatted(keys[i]));
      }
    }
    int measures = TalkerMeasure.COUNT;
    boolean fits =
        least.length == measures
            && most.length == measures
            && bound.length == measures
            && total.length == measures
            && unassigned.length == measures;
    for (int i = 0; fits && i < measures; i++) {
      fits = least[i].length == keys.length && most[i].length == keys.length;
    }
    if (!fits) {
      throw new IllegalArgumentException(
          "Every measure needs one value for each of the %d talkers".formatted(keys.length));
    }
    return new TalkerRanking(
        keys.clone(),
        copy(least),
        copy(most),
        bound.clone(),
        total.clone(),
        unassigned.clone(),
        talkers);
  }

  private static long[][] copy(long[][] values) {
    long[][] copy = new long[values.length][];
    for (int i = 0; i < values.length; i++) {
      copy[i] = values[i].clone();
    }
    return copy;
  }

  /** Only the first talkers by each measure; the others go into the bounds. */
  public TalkerRanking cut(int most) {
    if (keys.length <= most) {
      return this;
    }
    boolean[] kept = new boolean[keys.length];
    int count = 0;
    for (TalkerMeasure measure : MEASURES) {
      for (int row : first(measure, most)) {
        if (!kept[row]) {
          kept[row] = true;
          count++;
        }
      }
    }
    if (count == keys.length) {
      return this;
    }
    long[] newKeys = new long[count];
    long[][] newLeast = new long[MEASURES.length][count];
    long[][] newMost = new long[MEASURES.length][count];
    long[] newBound = bound.clone();
    int to = 0;
    for (int row = 0; row < keys.length; row++) {
      for (int m = 0; m < MEASURES.length; m++) {
        if (kept[row]) {
          newLeast[m][to] = least[m][row];
          newMost[m][to] = this.most[m][row];
        } else {
          newBound[m] = Math.max(newBound[m], this.most[m][row]);
        }
      }
      if (kept[row]) {
        newKeys[to++] = keys[row];
      }
    }
    return new TalkerRanking(newKeys, newLeast, newMost, newBound, total, unassigned, talkers);
  }

  /** The first ones by a measure, most first; equal ones by their key. Only those that have any. */
  private int[] first(TalkerMeasure measure, int limit) {
    long[] values = least[measure.ordinal()];
    int[] rows =
        Largest.of(
            keys.length, limit, (a, b) -> values[a] != values[b] ? values[a] > values[b] : a < b);
    int some = 0;
    while (some < rows.length && values[rows[some]] > 0) {
      some++;
    }
    return Arrays.copyOf(rows, some);
  }

  /**
   * Puts lists of the same talkers at different times together: a talker has the sum of what it
   * had, and of the peak minutes the highest.
   */
  public static TalkerRanking together(List<TalkerRanking> times) {
    TalkerRanking result = EMPTY;
    for (TalkerRanking next : times) {
      result = result.with(next, true);
    }
    return result;
  }

  /**
   * Puts a list of other talkers at the same time beside this one. Of the totals the peak is lost.
   */
  TalkerRanking beside(TalkerRanking others) {
    TalkerRanking both = with(others, false);
    return new TalkerRanking(
        both.keys,
        both.least,
        both.most,
        both.bound,
        both.total,
        both.unassigned,
        talkers + others.talkers);
  }

  TalkerRanking withTotal(long[] newTotal) {
    return new TalkerRanking(keys, least, most, bound, newTotal, unassigned, talkers);
  }

  private TalkerRanking with(TalkerRanking other, boolean anotherTime) {
    int atMost = keys.length + other.keys.length;
    int[] mine = new int[atMost];
    int[] theirs = new int[atMost];
    int size = 0;
    for (int i = 0, j = 0; i < keys.length || j < other.keys.length; size++) {
      boolean fromMine = i < keys.length && (j == other.keys.length || keys[i] <= other.keys[j]);
      boolean fromTheirs = j < other.keys.length && (i == keys.length || other.keys[j] <= keys[i]);
      mine[size] = fromMine ? i++ : -1;
      theirs[size] = fromTheirs ? j++ : -1;
    }
    long[] newKeys = new long[size];
    for (int row = 0; row < size; row++) {
      newKeys[row] = mine[row] >= 0 ? keys[mine[row]] : other.keys[theirs[row]];
    }
    long[][] newLeast = new long[MEASURES.length][size];
    long[][] newMost = new long[MEASURES.length][size];
    long[] newBound = new long[MEASURES.length];
    long[] newTotal = new long[MEASURES.length];
    long[] newUnassigned = new long[MEASURES.length];
    for (TalkerMeasure measure : MEASURES) {
      int m = measure.ordinal();
      // One that is not in a list of another time may have had up to the bound then.
      long myAbsent = anotherTime ? bound[m] : 0;
      long theirAbsent = anotherTime ? other.bound[m] : 0;
      for (int row = 0; row < size; row++) {
        int i = mine[row];
        int j = theirs[row];
        newLeast[m][row] = measure.together(i < 0 ? 0 : least[m][i], j < 0 ? 0 : other.least[m][j]);
        newMost[m][row] =
            measure.together(i < 0 ? myAbsent : most[m][i], j < 0 ? theirAbsent : other.most[m][j]);
      }
      newBound[m] =
          anotherTime
              ? measure.together(bound[m], other.bound[m])
              : Math.max(bound[m], other.bound[m]);
      newTotal[m] = measure.together(total[m], other.total[m]);
      newUnassigned[m] = measure.together(unassigned[m], other.unassigned[m]);
    }
    return new TalkerRanking(
        newKeys,
        newLeast,
        newMost,
        newBound,
        newTotal,
        newUnassigned,
        Math.max(Math.max(talkers, other.talkers), size));
  }

  /**
   * The first talkers by one measure.
   *
   * @param rows of the list, the one with most first, equal ones by their key; only those that have
   *     any
   * @param others what all other talkers have together; 0 for the peak, which cannot be added up
   * @param otherTalkers how many others there are at least
   * @param mayMiss 0 = these are the first ones, and these are their values; otherwise by how much
   *     a value may be too small, or one that is missing here may be above the last one
   */
  public record Top(int[] rows, long others, int otherTalkers, long mayMiss) {

    /** Whether nothing is missing. */
    public boolean isExact() {
      return mayMiss == 0;
    }
  }

  /** The first talkers by a measure. */
  public Top top(TalkerMeasure measure, int limit) {
    int m = measure.ordinal();
    int[] rows = first(measure, limit);
    boolean[] listed = new boolean[keys.length];
    long others = measure == TalkerMeasure.PEAK ? 0 : total[m] - unassigned[m];
    long mayMiss = 0;
    for (int row : rows) {
      listed[row] = true;
      others -= measure == TalkerMeasure.PEAK ? 0 : least[m][row];
      mayMiss = Math.max(mayMiss, most[m][row] - least[m][row]);
    }
    long last = limit > 0 && rows.length == limit ? least[m][rows[limit - 1]] : 0;
    mayMiss = Math.max(mayMiss, bound[m] - last);
    for (int row = 0; row < keys.length; row++) {
      if (!listed[row]) {
        mayMiss = Math.max(mayMiss, most[m][row] - last);
      }
    }
    return new Top(rows, others, talkers - rows.length, mayMiss);
  }

  /** Number of talkers in the list. */
  public int size() {
    return keys.length;
  }

  /** The talker in a row; rows are in the order of the keys. */
  public long key(int row) {
    return keys[row];
  }

  /** The row of a talker; negative = it is not in the list. */
  public int find(long key) {
    return Arrays.binarySearch(keys, key);
  }

  /** Lower bound of the talker in a row; its value when the list is exact. */
  public long value(int row, TalkerMeasure measure) {
    return least[measure.ordinal()][row];
  }

  /** By how much {@link #value} may be too small. */
  public long missed(int row, TalkerMeasure measure) {
    return most[measure.ordinal()][row] - least[measure.ordinal()][row];
  }

  /** Upper bound of a talker that is not in the list. */
  public long bound(TalkerMeasure measure) {
    return bound[measure.ordinal()];
  }

  /** Total of all talkers and of traffic without talker; of the peak: the peak of all together. */
  public long total(TalkerMeasure measure) {
    return total[measure.ordinal()];
  }

  /** Traffic that belongs to no talker, for example what addresses sent that are not of a VM. */
  public long unassigned(TalkerMeasure measure) {
    return unassigned[measure.ordinal()];
  }

  /** Number of talkers at least; exact when nobody was left out. */
  public int talkers() {
    return talkers;
  }
}
