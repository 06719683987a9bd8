package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.Keys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An attribute of all objects of a kind: its bare key and every instance of it.
 *
 * @param offsets the instances of object i are those from offsets[i] to below offsets[i + 1]
 * @param values one for each instance
 * @param keys the whole key of each instance
 */
public record Instances(int[] offsets, Column values, String[] keys) {

  /** An attribute that has one value for each object. */
  static Instances of(String key, Column column) {
    int[] offsets = new int[column.length() + 1];
    Arrays.setAll(offsets, i -> i);
    String[] keys = new String[column.length()];
    Arrays.fill(keys, key);
    return new Instances(offsets, column, keys);
  }

  static Instances none(int objects) {
    return new Instances(new int[objects + 1], Column.none(0), new String[0]);
  }

  /** The instances of several kinds, whose objects follow one another. */
  static Instances joined(List<Instances> parts) {
    int objects = parts.stream().mapToInt(Instances::objects).sum();
    int total = parts.stream().mapToInt(part -> part.keys.length).sum();
    int[] offsets = new int[objects + 1];
    double[] numbers = new double[total];
    String[] keys = new String[total];
    @Nullable String[] texts =
        parts.stream().anyMatch(part -> part.values.texts() != null) ? new String[total] : null;
    boolean[] fresh =
        parts.stream().anyMatch(part -> part.values.fresh() != null) ? new boolean[total] : null;
    long[] times =
        parts.stream().anyMatch(part -> part.values.times() != null) ? new long[total] : null;
    int object = 0;
    int at = 0;
    for (Instances part : parts) {
      int length = part.keys.length;
      for (int i = 0; i < part.objects(); i++) {
        offsets[++object] = at + part.offsets[i + 1];
      }
      System.arraycopy(part.values.numbers(), 0, numbers, at, length);
      System.arraycopy(part.keys, 0, keys, at, length);
      if (texts != null && part.values.texts() != null) {
        System.arraycopy(part.values.texts(), 0, texts, at, length);
      }
      if (fresh != null) {
        for (int i = 0; i < length; i++) {
          fresh[at + i] = part.values.isFresh(i);
        }
      }
      if (times != null && part.values.times() != null) {
        System.arraycopy(part.values.times(), 0, times, at, length);
      }
      at += length;
    }
    return new Instances(offsets, new Column(numbers, texts, fresh, times), keys);
  }

  /** Number of objects. */
  public int objects() {
    return offsets.length - 1;
  }

  /**
   * Puts the columns of several keys together. The instance that stands for all of them, which
   * vROps writes {@code Aggregate of all instances}, is left out of an object that has others.
   *
   * @param objects how many objects each column has
   */
  public static Instances of(int objects, List<Keyed> columns) {
    int[] offsets = new int[objects + 1];
    boolean withTexts = columns.stream().anyMatch(keyed -> keyed.column().texts() != null);
    boolean withFresh = columns.stream().anyMatch(keyed -> keyed.column().fresh() != null);
    boolean withTimes = columns.stream().anyMatch(keyed -> keyed.column().times() != null);
    List<Keyed> ordinary = new ArrayList<>();
    List<Keyed> aggregates = new ArrayList<>();
    for (Keyed keyed : columns) {
      (keyed.isAggregate() ? aggregates : ordinary).add(keyed);
    }
    boolean[] hasOrdinary = new boolean[objects];
    int[] counts = new int[objects];
    for (Keyed keyed : ordinary) {
      for (int i = 0; i < objects; i++) {
        if (keyed.column().isPresent(i)) {
          counts[i]++;
          hasOrdinary[i] |= !keyed.isBare();
        }
      }
    }
    for (Keyed keyed : aggregates) {
      for (int i = 0; i < objects; i++) {
        counts[i] += !hasOrdinary[i] && keyed.column().isPresent(i) ? 1 : 0;
      }
    }
    for (int i = 0; i < objects; i++) {
      offsets[i + 1] = offsets[i] + counts[i];
    }
    int total = offsets[objects];
    double[] numbers = new double[total];
    @Nullable String[] texts = withTexts ? new String[total] : null;
    boolean[] fresh = withFresh ? new boolean[total] : null;
    long[] times = withTimes ? new long[total] : null;
    String[] keys = new String[total];
    int[] next = Arrays.copyOf(offsets, objects);
    ordinary.addAll(aggregates);
    for (Keyed keyed : ordinary) {
      Column column = keyed.column();
      for (int i = 0; i < objects; i++) {
        if (column.isPresent(i) && !(keyed.isAggregate() && hasOrdinary[i])) {
          int at = next[i]++;
          numbers[at] = column.numbers()[i];
          keys[at] = keyed.key();
          if (texts != null && column.texts() != null) {
            texts[at] = column.texts()[i];
          }
          if (fresh != null) {
            fresh[at] = column.isFresh(i);
          }
          if (times != null) {
            times[at] = column.time(i);
          }
        }
      }
    }
    return new Instances(offsets, new Column(numbers, texts, fresh, times), keys);
  }

  /**
   * The column of one key.
   *
   * @param isBare whether the key names no instance
   */
  public record Keyed(String key, boolean isBare, Column column) {
    boolean isAggregate() {
      return key.contains(":" + Keys.AGGREGATE_INSTANCE + "|");
    }
  }
}
