package io.peerlens.outliers;

import java.util.Arrays;
import java.util.List;

/**
 * Results of one bucket. Members are addressed by their index among the sorted ids of the group.
 *
 * <p>Belongs to its {@link PeerGroup}, which overwrites it with the next bucket: take out what is
 * to be kept.
 */
public final class Judgement {

  final Column[] columns;
  int[] ids;
  long bucketEnd;
  GroupState state = GroupState.NO_DATA;
  int judged;

  /** Combined, signed, of the side that counts; NaN if no metric was judged. */
  double[] score;

  /** The metrics that make the combined score, as bits. */
  byte[] made;

  Evidence[] evidence;
  boolean[] floor;

  /** The largest deviation in minimum deviations among the metrics that make the score. */
  double[] ratio;

  boolean[] expected;
  List<Change> changes = List.of();

  Judgement(int metrics, int[] ids) {
    columns = new Column[metrics];
    for (int m = 0; m < metrics; m++) {
      columns[m] = new Column(ids.length);
    }
    this.ids = ids;
    score = new double[ids.length];
    made = new byte[ids.length];
    evidence = new Evidence[ids.length];
    floor = new boolean[ids.length];
    ratio = new double[ids.length];
    expected = new boolean[ids.length];
  }

  /** One metric of the bucket. What is on the transformed scale says so. */
  static final class Column {
    GroupState state = GroupState.NO_DATA;
    int judged;
    int lowerBand;
    int upperBand;

    /** From the scale of the metric to that of comparison. */
    Scale scale = Scale.LINEAR;

    /** Median of the group, transformed. */
    double centre;

    /** What a typical member may deviate for a score of 1, transformed. */
    double spread;

    /** As they came. */
    final double[] value;

    /** Signed. */
    final double[] score;

    /** What is expected of the member, transformed. */
    final double[] expected;

    /** What it may deviate upwards for a score of 1, transformed. */
    final double[] up;

    /** And downwards. */
    final double[] down;

    /** Deviation in minimum deviations, for what gave the score. */
    final double[] ratio;

    final Evidence[] evidence;
    final boolean[] floor;

    Column(int members) {
      value = new double[members];
      score = new double[members];
      expected = new double[members];
      up = new double[members];
      down = new double[members];
      ratio = new double[members];
      evidence = new Evidence[members];
      floor = new boolean[members];
      Arrays.fill(evidence, Evidence.LEVEL);
    }

    void clear() {
      Arrays.fill(score, Double.NaN);
      Arrays.fill(expected, Double.NaN);
      Arrays.fill(up, Double.NaN);
      Arrays.fill(down, Double.NaN);
      Arrays.fill(ratio, 0);
      Arrays.fill(evidence, Evidence.LEVEL);
      Arrays.fill(floor, false);
      centre = Double.NaN;
      spread = Double.NaN;
      lowerBand = 0;
      upperBand = 0;
      judged = 0;
    }
  }

  /** The end of the bucket. */
  public long bucketEnd() {
    return bucketEnd;
  }

  /** How many members the group has. */
  public int members() {
    return ids.length;
  }

  /** The id of a member. */
  public int id(int member) {
    return ids[member];
  }

  /** The state of the group altogether: judged if it is for one metric at least. */
  public GroupState state() {
    return state;
  }

  /** The state of the group for one metric. */
  public GroupState state(int metric) {
    return columns[metric].state;
  }

  /** How many members were judged for one metric at least. */
  public int judged() {
    return judged;
  }

  /** How many members were judged for this metric. */
  public int judged(int metric) {
    return columns[metric].judged;
  }

  /** If the group is split: how many members are in the lower band; else 0. */
  public int lowerBand(int metric) {
    return columns[metric].lowerBand;
  }

  /** If the group is split: how many members are in the upper band; else 0. */
  public int upperBand(int metric) {
    return columns[metric].upperBand;
  }

  /** The median of the group, in the metric's unit; NaN if nothing was judged. */
  public double centre(int metric) {
    Column c = columns[metric];
    return c.scale.back(c.centre);
  }

  /** The medians of all metrics. */
  public double[] centres() {
    double[] centres = new double[columns.length];
    for (int m = 0; m < centres.length; m++) {
      centres[m] = centre(m);
    }
    return centres;
  }

  /** Where the range of a typical member begins at this threshold, in the metric's unit. */
  public double lower(int metric, double threshold) {
    Column c = columns[metric];
    return c.scale.back(c.centre - threshold * c.spread);
  }

  /** Where the range of a typical member ends at this threshold, in the metric's unit. */
  public double upper(int metric, double threshold) {
    Column c = columns[metric];
    return c.scale.back(c.centre + threshold * c.spread);
  }

  /** What a typical member may deviate for a score of 1, upwards, in the metric's unit. */
  public double spread(int metric) {
    Column c = columns[metric];
    return c.scale.back(c.centre + c.spread) - c.scale.back(c.centre);
  }

  /** The value, in the metric's unit; NaN if there is none. */
  public double value(int metric, int member) {
    return columns[metric].value[member];
  }

  /** What is expected of the member, in the metric's unit; NaN if it was not judged. */
  public double expectedValue(int metric, int member) {
    Column c = columns[metric];
    return c.scale.back(c.expected[member]);
  }

  /** The value less what is expected, in the metric's unit; NaN if the member was not judged. */
  public double deviation(int metric, int member) {
    return value(metric, member) - expectedValue(metric, member);
  }

  /** Where the member's own range begins at this threshold, in the metric's unit. */
  public double lower(int metric, int member, double threshold) {
    Column c = columns[metric];
    return c.scale.back(c.expected[member] - threshold * c.down[member]);
  }

  /** Where the member's own range ends at this threshold, in the metric's unit. */
  public double upper(int metric, int member, double threshold) {
    Column c = columns[metric];
    return c.scale.back(c.expected[member] + threshold * c.up[member]);
  }

  /** Signed robust deviations; NaN if the member was not judged for this metric. */
  public double score(int metric, int member) {
    return columns[metric].score[member];
  }

  /** All scores of a metric, in the order of the members. */
  public double[] scores(int metric) {
    return columns[metric].score.clone();
  }

  /** What gave the score of this metric. */
  public Evidence evidence(int metric, int member) {
    return columns[metric].evidence[member];
  }

  /** Whether the deviation was measured against a floor because the group is tighter than that. */
  public boolean floorDecided(int metric, int member) {
    return columns[metric].floor[member];
  }

  /** The combined score over the metrics, signed; NaN if the member was not judged. */
  public double score(int member) {
    return score[member];
  }

  /** All combined scores, in the order of the members. */
  public double[] scores() {
    return score.clone();
  }

  /**
   * The deviation that makes the combined score, in minimum deviations: below 1 the score counts
   * for nothing. Infinite if the metric has no minimum deviation.
   */
  public double minDeviations(int member) {
    return ratio[member];
  }

  /** Which metrics make the combined score, as bits. */
  public int metrics(int member) {
    return made[member];
  }

  /** What gave the combined score. */
  public Evidence evidence(int member) {
    return evidence[member];
  }

  /** Whether the member is marked as expected now, so that it raises nothing. */
  public boolean expected(int member) {
    return expected[member];
  }

  /** Why a member has no score for a metric. */
  public Reason reason(int metric, int member) {
    Column c = columns[metric];
    if (Double.isNaN(c.value[member])) {
      return Reason.NO_DATA;
    }
    if (!Double.isNaN(c.score[member])) {
      return Reason.JUDGED;
    }
    return switch (c.state) {
      case NO_DATA -> Reason.NO_DATA;
      case TOO_FEW -> Reason.TOO_FEW;
      case NO_MAJORITY -> Reason.NO_MAJORITY;
      case SPLIT -> Reason.SPLIT;
      case LEARNING -> Reason.LEARNING;
      case JUDGED, GROUP_WIDE -> Reason.LEARNING;
    };
  }

  /** What happened to events in this bucket, sorted by member. */
  public List<Change> changes() {
    return changes;
  }

  /** Reason why a member was judged or not. */
  public enum Reason {
    JUDGED,
    NO_DATA,
    TOO_FEW,
    NO_MAJORITY,
    SPLIT,
    LEARNING
  }
}
