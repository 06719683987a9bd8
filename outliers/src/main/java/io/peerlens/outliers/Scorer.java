package io.peerlens.outliers;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Scorer of the members of a group for one metric, bucket by bucket. */
interface Scorer {

  /**
   * The group has other members from now on.
   *
   * @param from for each new index the old one, or -1 for a new member
   */
  void members(int[] from);

  /**
   * Scores one bucket and learns from it. Must not depend on the threshold.
   *
   * @param bucket its number: its end divided by its length
   * @param values one for each member, NaN if there is none
   * @param expected members whose deviation is known to be as it should be
   * @param to where the result goes; cleared before
   */
  void score(long bucket, double[] values, boolean[] expected, Judgement.Column to);

  /** Writes all that is known of the past. */
  void save(DataOutput out) throws IOException;

  /**
   * Reads what {@link #save} wrote, now or in an older version.
   *
   * @param version {@link PeerGroup#OLDEST} to {@link PeerGroup#VERSION}
   */
  void restore(DataInput in, int version) throws IOException;

  static Scorer of(Settings settings, Settings.Metric metric, int members) {
    return switch (settings.method()) {
      case Method.Peers p -> new PeerScorer(p.interchangeable(), settings, metric, members);
      case Method.Dbscan d ->
          new WindowScorer(new WindowScorer.Dbscan(), d.window(), metric, members);
      case Method.Mad m ->
          new WindowScorer(new WindowScorer.Mad(m.percent()), m.window(), metric, members);
      case Method.BucketDbscan b ->
          new WindowScorer(
              new WindowScorer.BucketDbscan(b.sensitivity()), b.window(), metric, members);
      case Method.DoubleMad d ->
          new WindowScorer(new WindowScorer.DoubleMad(), d.window(), metric, members);
    };
  }
}
