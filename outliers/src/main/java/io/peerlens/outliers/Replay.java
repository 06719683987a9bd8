package io.peerlens.outliers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A stretch of history run through the same code as live data. Scores are made once; events are
 * made of them for any threshold, because learning does not depend on it.
 */
public final class Replay {

  private final Settings settings;
  private final int[] ids;
  private final long[] ends;
  private final int from;
  private final float[] score;
  private final float[] ratio;
  private final byte[] made;
  private final byte[] evidence;
  private final boolean[] floor;
  private final boolean[] expected;
  private final Track[] tracks;

  /** One metric over time. */
  private static final class Track {
    final double[] centre;
    final double[] spread;
    final GroupState[] state;
    final Scale[] scale;
    final float[] value;
    final float[] score;

    Track(int buckets, int members) {
      centre = new double[buckets];
      spread = new double[buckets];
      state = new GroupState[buckets];
      scale = new Scale[buckets];
      value = new float[buckets * members];
      score = new float[buckets * members];
    }
  }

  private Replay(
      PeerGroup group, long firstEnd, double[][][] values, int from, LongConsumer before) {
    settings = group.settings();
    ids = group.ids();
    this.from = from;
    int buckets = values[0].length;
    int n = ids.length;
    ends = new long[buckets];
    score = new float[buckets * n];
    ratio = new float[buckets * n];
    made = new byte[buckets * n];
    evidence = new byte[buckets * n];
    floor = new boolean[buckets * n];
    expected = new boolean[buckets * n];
    tracks = new Track[values.length];
    for (int m = 0; m < tracks.length; m++) {
      tracks[m] = new Track(buckets, n);
    }
    double[][] row = new double[values.length][];
    for (int b = 0; b < buckets; b++) {
      ends[b] = firstEnd + b * settings.bucketMillis();
      for (int m = 0; m < row.length; m++) {
        row[m] = values[m][b];
      }
      before.accept(ends[b]);
      Judgement j = group.score(ends[b], row);
      int at = b * n;
      for (int i = 0; i < n; i++) {
        score[at + i] = (float) j.score[i];
        ratio[at + i] = (float) j.ratio[i];
      }
      System.arraycopy(j.made, 0, made, at, n);
      System.arraycopy(group.evidence(), 0, evidence, at, n);
      System.arraycopy(j.floor, 0, floor, at, n);
      System.arraycopy(j.expected, 0, expected, at, n);
      for (int m = 0; m < tracks.length; m++) {
        Track track = tracks[m];
        Judgement.Column column = j.columns[m];
        track.centre[b] = column.centre;
        track.spread[b] = column.spread;
        track.state[b] = column.state;
        track.scale[b] = column.scale;
        for (int i = 0; i < n; i++) {
          track.value[at + i] = (float) column.value[i];
          track.score[at + i] = (float) column.score[i];
        }
      }
    }
  }

  /**
   * Runs a matrix through a group that nothing is known of.
   *
   * @param ids the members, in the order of the values
   * @param firstEnd the end of the first bucket
   * @param values values[metric][bucket][member], NaN for no value; not changed
   * @param from the first bucket that may raise events; those before are for learning
   */
  public static Replay run(
      Settings settings, int[] ids, long firstEnd, double[][][] values, int from) {
    int[] sorted = ids.clone();
    Arrays.sort(sorted);
    double[][][] ordered = values;
    if (!Arrays.equals(sorted, ids)) {
      int[] at = new int[ids.length];
      for (int i = 0; i < ids.length; i++) {
        at[Arrays.binarySearch(sorted, ids[i])] = i;
      }
      ordered = new double[values.length][][];
      for (int m = 0; m < values.length; m++) {
        ordered[m] = new double[values[m].length][ids.length];
        for (int b = 0; b < values[m].length; b++) {
          for (int i = 0; i < ids.length; i++) {
            ordered[m][b][i] = values[m][b][at[i]];
          }
        }
      }
    }
    return run(new PeerGroup(settings, sorted), firstEnd, ordered, from);
  }

  /**
   * Goes on from the state of a group, which is changed by it but for its events.
   *
   * @param group values are in the order of its {@link PeerGroup#ids()}
   */
  public static Replay run(PeerGroup group, long firstEnd, double[][][] values, int from) {
    return run(group, firstEnd, values, from, end -> {});
  }

  /**
   * Goes on from the state of a group, of which more becomes known on the way.
   *
   * @param before hears of the end of each bucket before it is judged, so that it can say who is
   *     {@linkplain PeerGroup#expected expected} to differ from then on
   */
  public static Replay run(
      PeerGroup group, long firstEnd, double[][][] values, int from, LongConsumer before) {
    return new Replay(group, firstEnd, values, from, before);
  }

  /** The members, sorted: the order of everything here. */
  public int[] ids() {
    return ids.clone();
  }

  public int buckets() {
    return ends.length;
  }

  /** The end of a bucket. */
  public long end(int bucket) {
    return ends[bucket];
  }

  /** The combined score, signed; NaN if the member was not judged. */
  public double score(int bucket, int member) {
    return score[bucket * ids.length + member];
  }

  /** The score for one metric, signed; NaN if the member was not judged. */
  public double score(int metric, int bucket, int member) {
    return tracks[metric].score[bucket * ids.length + member];
  }

  /** The value as it was given. */
  public double value(int metric, int bucket, int member) {
    return tracks[metric].value[bucket * ids.length + member];
  }

  public GroupState state(int metric, int bucket) {
    return tracks[metric].state[bucket];
  }

  /** The median of the group in the metric's unit; NaN if nothing was judged. */
  public double centre(int metric, int bucket) {
    Track t = tracks[metric];
    return t.scale[bucket].back(t.centre[bucket]);
  }

  /** The medians of all metrics in a bucket. */
  public double[] centres(int bucket) {
    double[] centres = new double[tracks.length];
    for (int m = 0; m < centres.length; m++) {
      centres[m] = centre(m, bucket);
    }
    return centres;
  }

  /** Where the range of a typical member begins at this threshold, in the metric's unit. */
  public double lower(int metric, int bucket, double threshold) {
    Track t = tracks[metric];
    return t.scale[bucket].back(t.centre[bucket] - threshold * t.spread[bucket]);
  }

  /** Where the range of a typical member ends at this threshold, in the metric's unit. */
  public double upper(int metric, int bucket, double threshold) {
    Track t = tracks[metric];
    return t.scale[bucket].back(t.centre[bucket] + threshold * t.spread[bucket]);
  }

  /** The events at the threshold of the settings. */
  public List<Event> events() {
    return events(settings.threshold());
  }

  /** The events at this threshold, by start; those that go on at the end are open. */
  public List<Event> events(double threshold) {
    int n = ids.length;
    Episodes episodes = new Episodes(settings, ids);
    List<Change> changes = new ArrayList<>();
    double[] s = new double[n];
    double[] r = new double[n];
    byte[] made1 = new byte[n];
    byte[] evidence1 = new byte[n];
    boolean[] floor1 = new boolean[n];
    boolean[] expected1 = new boolean[n];
    for (int b = from; b < ends.length; b++) {
      int at = b * n;
      for (int i = 0; i < n; i++) {
        s[i] = score[at + i];
        r[i] = ratio[at + i];
      }
      System.arraycopy(made, at, made1, 0, n);
      System.arraycopy(evidence, at, evidence1, 0, n);
      System.arraycopy(floor, at, floor1, 0, n);
      System.arraycopy(expected, at, expected1, 0, n);
      episodes.step(ends[b], s, r, made1, evidence1, floor1, expected1, threshold, false, changes);
    }
    return Episodes.fold(changes, episodes.open());
  }
}
