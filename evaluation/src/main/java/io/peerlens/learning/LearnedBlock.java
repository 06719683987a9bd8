package io.peerlens.learning;

import io.peerlens.baselines.Band;
import io.peerlens.baselines.State;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bands of some sets of a metric group for a day, on their way to the database. Sets come in the
 * order of their ids.
 */
final class LearnedBlock {

  /** States as bytes; 0 = no values. */
  private static final byte NO_VALUES = 0;

  private final MetricGroup group;
  private final long day;
  private final int first;
  private final int width;
  private final int[] sets;
  private final int[] empty;
  private final byte[] states;
  private final byte[] days;
  private final float[] spread;
  private final float[][] lower; // by hour, then set by set
  private final float[][] upper;
  private final int[] byState = new int[State.values().length];
  private int setCount;
  private int emptyCount;

  /**
   * @param room how many sets there may be
   */
  LearnedBlock(MetricGroup group, long day, int first, int width, int room) {
    this.group = group;
    this.day = day;
    this.first = first;
    this.width = width;
    int series = room * width;
    sets = new int[room];
    empty = new int[room];
    states = new byte[series];
    days = new byte[series];
    spread = new float[series];
    lower = new float[Days.HOURS][series];
    upper = new float[Days.HOURS][series];
  }

  /** The state that a byte stands for; null = no values. */
  static @Nullable State state(int code) {
    return code == NO_VALUES ? null : State.values()[code - 1];
  }

  /** The byte for the state of a series. */
  static byte code(Band band) {
    return band.learnedHours() == 0 ? NO_VALUES : (byte) (band.state().ordinal() + 1);
  }

  /** Whole days between the first and the last hour that were learned from. */
  static byte days(Band band) {
    return (byte) Math.floor(band.learnedDays());
  }

  /** Adds a set that has no value in the hours that were to be learned from. */
  void addEmpty(int set) {
    empty[emptyCount++] = set;
  }

  /**
   * Adds a set.
   *
   * @param bands of its positions
   */
  void add(int set, Band[] bands) {
    for (int m = 0; m < width; m++) {
      Band band = bands[m];
      int at = setCount * width + m;
      states[at] = code(band);
      days[at] = days(band);
      spread[at] = band.spread();
      byState[band.state().ordinal()] += states[at] == NO_VALUES ? 0 : 1;
      for (int hour = 0; hour < Days.HOURS; hour++) {
        lower[hour][at] = band.lower()[hour];
        upper[hour][at] = band.upper()[hour];
      }
    }
    sets[setCount++] = set;
  }

  MetricGroup group() {
    return group;
  }

  long day() {
    return day;
  }

  int first() {
    return first;
  }

  int width() {
    return width;
  }

  /** How many sets have elements. */
  int size() {
    return setCount;
  }

  boolean hasBounds() {
    return count(State.LEARNED) + count(State.FEW_VALUED) + count(State.CONSTANT) > 0;
  }

  /** How many series are in a state. */
  int count(State state) {
    return byState[state.ordinal()];
  }

  int[] sets() {
    return Arrays.copyOf(sets, setCount);
  }

  int[] empty() {
    return Arrays.copyOf(empty, emptyCount);
  }

  byte[] states() {
    return byMetric(states);
  }

  byte[] days() {
    return byMetric(days);
  }

  byte[] spread() {
    return byMetric(spread);
  }

  byte[] lower(int hour) {
    return byMetric(lower[hour]);
  }

  byte[] upper(int hour) {
    return byMetric(upper[hour]);
  }

  /** Elements set by set become elements metric by metric. */
  private byte[] byMetric(byte[] bySet) {
    byte[] column = new byte[setCount * width];
    for (int m = 0; m < width; m++) {
      for (int i = 0; i < setCount; i++) {
        column[m * setCount + i] = bySet[i * width + m];
      }
    }
    return column;
  }

  private byte[] byMetric(float[] bySet) {
    ByteBuffer column = ByteBuffer.allocate(setCount * width * Float.BYTES);
    for (int m = 0; m < width; m++) {
      for (int i = 0; i < setCount; i++) {
        column.putFloat(bySet[i * width + m]);
      }
    }
    return column.array();
  }
}
