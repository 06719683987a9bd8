package io.peerlens.outliers;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Test whether the medians of a group are where they usually are. Members are compared with one
 * another, so a change that all of them go through cancels out there; it is seen here.
 *
 * <p>The score of a median is how far it is beyond what was learned, in spreads of that: 0 within
 * the bounds, the margin where a bucket begins to count, negative below. A bucket violates if the
 * score of any metric reaches the margin and its median is beyond the widened bound by both
 * deviations. Events open, flap and close by the same rules as those of members. Not thread-safe.
 */
public final class GroupShift {

  private static final int VERSION = 1;
  private static final int[] SELF = {Event.SHIFT};
  private static final boolean[] NO = {false};
  private static final byte[] UNUSUAL = {(byte) Evidence.UNUSUAL.ordinal()};

  private final Settings settings;
  private final Rule rule;
  private final Episodes episodes;

  /**
   * Rule of how far a median has to be out.
   *
   * @param margin by how many spreads what was learned is widened, above 0
   * @param relativeDeviation by which share of the size of the widened bound a median has to be
   *     beyond it, if that is more than the minimum deviation of the metric
   */
  public record Rule(double margin, double relativeDeviation) {
    public Rule {
      if (!(margin > 0 && margin < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("margin must be above 0: " + margin);
      }
      if (!(relativeDeviation >= 0 && relativeDeviation < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "relativeDeviation must be 0 or more: " + relativeDeviation);
      }
    }
  }

  /**
   * Usual range of a median at a moment, before any margin; all NaN = nothing is known.
   *
   * @param spread robust scale of what is usual; 0 where the bounds are exact
   */
  public record Usual(double lower, double upper, double spread) {

    /** Nothing is known. */
    public static final Usual UNKNOWN = new Usual(Double.NaN, Double.NaN, Double.NaN);

    /** Where what is accepted begins. */
    public double lower(Rule rule) {
      return lower - rule.margin() * spread;
    }

    /** Where what is accepted ends. */
    public double upper(Rule rule) {
      return upper + rule.margin() * spread;
    }
  }

  /**
   * A group that nothing is known of.
   *
   * @param settings side, persistence, metrics and width of buckets are those of its members
   */
  public GroupShift(Settings settings, Rule rule) {
    this.settings = settings;
    this.rule = rule;
    episodes = new Episodes(settings, SELF);
  }

  /** How far a median has to be out. */
  public Rule rule() {
    return rule;
  }

  /** The event that is open or unknown; null = there is none. */
  public @Nullable Event open() {
    List<Event> open = episodes.open();
    return open.isEmpty() ? null : open.getFirst();
  }

  /**
   * Judges one bucket.
   *
   * @param bucketEndMillis its end; later than that of the bucket before
   * @param medians of all metrics; NaN = the group has none
   * @param usual what is usual for each
   * @return what happened to the event of the group, nothing or one change
   */
  public List<Change> judge(long bucketEndMillis, double[] medians, List<Usual> usual) {
    double score = Double.NaN;
    double ratio = 0;
    int best = -1;
    for (int m = 0; m < medians.length; m++) {
      double one = score(medians[m], usual.get(m), m);
      if (Double.isNaN(one)) {
        continue;
      }
      double far = one == 0 ? 0 : ratio(medians[m], usual.get(m), m);
      boolean counts = far >= 1;
      boolean farther =
          counts == ratio >= 1 ? Math.abs(one) > Math.abs(score) : counts; // what counts goes first
      if (best < 0 || farther) {
        best = m;
        score = one;
        ratio = far;
      }
    }
    List<Change> changes = new ArrayList<>(1);
    episodes.step(
        bucketEndMillis,
        new double[] {score},
        new double[] {ratio},
        new byte[] {(byte) (best < 0 ? 0 : 1 << best)},
        UNUSUAL,
        NO,
        NO,
        rule.margin(),
        true,
        changes);
    return changes;
  }

  /**
   * How far a median is beyond what is usual, in spreads, negative below.
   *
   * @return NaN = not known
   */
  public double score(double median, Usual usual, int metric) {
    if (Double.isNaN(median) || Double.isNaN(usual.lower()) || Double.isNaN(usual.upper())) {
      return Double.NaN;
    }
    double by = median > usual.upper() ? median - usual.upper() : median - usual.lower();
    boolean above = median > usual.upper();
    if (!above && median >= usual.lower() || !settings.side().counts(by)) {
      return 0;
    }
    double score =
        usual.spread() > 0
            ? by / usual.spread()
            // What is exact has no spread: whatever is beyond it counts, as many deviations.
            : Math.copySign(rule.margin(), by)
                + by / deviation(above ? usual.upper() : usual.lower(), metric);
    return (float) Math.max(-PeerGroup.MAX_SCORE, Math.min(PeerGroup.MAX_SCORE, score));
  }

  /** How far a median is beyond the widened bound, in deviations that are needed; 0 within it. */
  private double ratio(double median, Usual usual, int metric) {
    double upper = usual.upper(rule);
    double lower = usual.lower(rule);
    double by = Math.max(median - upper, lower - median);
    return by > 0 ? by / deviation(median > upper ? upper : lower, metric) : 0;
  }

  /** By how much a median has to be beyond a bound; above 0. */
  private double deviation(double bound, int metric) {
    double least = settings.metrics().get(metric).minDeviation();
    return Math.max(1e-9, Math.max(least, rule.relativeDeviation() * Math.abs(bound)));
  }

  /** What is known, in few bytes, for {@link #restore}. */
  public byte[] save() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      episodes.save(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * The group as it was saved, with these settings from now on.
   *
   * @throws IllegalArgumentException if the bytes are of another version, or damaged
   */
  public static GroupShift restore(Settings settings, Rule rule, byte[] saved) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved))) {
      int version = in.readByte();
      if (version != VERSION) {
        throw new IllegalArgumentException(
            "the saved state is of version " + version + ", this one reads " + VERSION);
      }
      GroupShift shift = new GroupShift(settings, rule);
      shift.episodes.restore(in);
      return shift;
    } catch (IOException e) {
      throw new IllegalArgumentException("the saved state is damaged", e);
    }
  }
}
