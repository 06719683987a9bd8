package io.peerlens.outliers;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One group between two buckets: its members, what is known of their past, and their open events.
 *
 * <p>What comes out depends on nothing but what went in: the order in which members are given,
 * other groups and the clock change nothing. Not thread-safe; different groups are independent of
 * each other.
 */
public final class PeerGroup {

  /** The first byte of a saved state. */
  static final int VERSION = 4;

  /** The oldest that is read: it lacks how much more than the others some members may be out. */
  static final int OLDEST = 2;

  /** As the end of an expectation: for ever. */
  public static final long FOR_EVER = Long.MAX_VALUE;

  /** Part of the second metric that adds nothing to the first. */
  private static final double USUAL = 2;

  /** A score beyond this says no more than this. */
  static final double MAX_SCORE = 1e6;

  private final Settings settings;
  private int[] ids;
  private long[] expectedUntil;
  private final Scorer[] scorers;
  private final Episodes episodes;
  private Judgement judgement;
  private byte[] evidence;
  private long last = Long.MIN_VALUE;

  /**
   * A group that nothing is known of.
   *
   * @param ids its members, in any order, each once
   */
  public PeerGroup(Settings settings, int[] ids) {
    this.settings = settings;
    this.ids = sorted(ids);
    checkSize(ids.length);
    expectedUntil = new long[ids.length];
    scorers = new Scorer[settings.metrics().size()];
    for (int m = 0; m < scorers.length; m++) {
      scorers[m] = Scorer.of(settings, settings.metrics().get(m), ids.length);
    }
    episodes = new Episodes(settings, this.ids);
    judgement = new Judgement(scorers.length, this.ids);
    evidence = new byte[ids.length];
  }

  /** The ids of the members, sorted: the order of values and results. */
  public int[] ids() {
    return ids.clone();
  }

  /** How the group is judged. */
  public Settings settings() {
    return settings;
  }

  /** The end of the last bucket that was judged, or {@link Long#MIN_VALUE} before the first. */
  public long last() {
    return last;
  }

  /** Open and unknown events, by member; the event of the group first. */
  public List<Event> open() {
    return episodes.open();
  }

  /**
   * Makes these the members from the next bucket on. Those that stay keep all that is known of
   * them; of new ones nothing is.
   *
   * @param next in any order, each once
   * @return the ends of the open events of those that left
   */
  public List<Change> members(int[] next) {
    int[] sorted = sorted(next);
    checkSize(sorted.length);
    if (Arrays.equals(sorted, ids)) {
      return List.of();
    }
    int[] from = new int[sorted.length];
    long[] until = new long[sorted.length];
    for (int i = 0; i < sorted.length; i++) {
      int at = Arrays.binarySearch(ids, sorted[i]);
      from[i] = at < 0 ? -1 : at;
      until[i] = at < 0 ? 0 : expectedUntil[at];
    }
    for (Scorer scorer : scorers) {
      scorer.members(from);
    }
    List<Change> changes = episodes.members(sorted, from);
    ids = sorted;
    expectedUntil = until;
    judgement = new Judgement(scorers.length, ids);
    evidence = new byte[ids.length];
    return changes;
  }

  /**
   * Marks members as expected to differ and all others as not. An expected member is judged and
   * shown, raises nothing, its open event closes with the next bucket, and what it does now is
   * learnt as usual for it. For as long as it is expected it does not count among the peers that
   * others are compared with ({@link Method.Peers} alone; the other methods count all).
   *
   * @param members ids; those that are no members are ignored
   * @param untilMillis for each until when, exclusive, or {@link #FOR_EVER}
   */
  public void expected(int[] members, long[] untilMillis) {
    Arrays.fill(expectedUntil, 0);
    for (int i = 0; i < members.length; i++) {
      int at = Arrays.binarySearch(ids, members[i]);
      if (at >= 0) {
        expectedUntil[at] = untilMillis[i];
      }
    }
  }

  /**
   * Judges one bucket.
   *
   * @param bucketEndMillis its end; later than that of the bucket before
   * @param values values[metric][member], members in the order of {@link #ids()}; NaN, or anything
   *     that is not finite, is no value
   * @return valid until the next call
   */
  public Judgement judge(long bucketEndMillis, double[][] values) {
    if (bucketEndMillis <= last) {
      throw new IllegalArgumentException(
          "buckets are judged in order: " + bucketEndMillis + " after " + last);
    }
    if (values.length != scorers.length) {
      throw new IllegalArgumentException(
          values.length + " metrics given, " + scorers.length + " expected");
    }
    score(bucketEndMillis, values);
    List<Change> changes = new ArrayList<>(0);
    episodes.step(
        bucketEndMillis,
        judgement.score,
        judgement.ratio,
        judgement.made,
        evidence,
        judgement.floor,
        judgement.expected,
        settings.threshold(),
        true,
        changes);
    if (episodes.groupWide()) {
      judgement.state = GroupState.GROUP_WIDE;
    }
    judgement.changes = changes;
    return judgement;
  }

  /** All but the events. */
  Judgement score(long bucketEndMillis, double[][] values) {
    last = bucketEndMillis;
    Judgement j = judgement;
    j.bucketEnd = bucketEndMillis;
    for (int i = 0; i < ids.length; i++) {
      j.expected[i] = expectedUntil[i] > bucketEndMillis;
    }
    for (int m = 0; m < scorers.length; m++) {
      if (values[m].length != ids.length) {
        throw new IllegalArgumentException(
            values[m].length + " values given for " + ids.length + " members");
      }
      Judgement.Column column = j.columns[m];
      column.clear();
      double[] value = column.value;
      for (int i = 0; i < value.length; i++) {
        double v = values[m][i];
        value[i] = Math.abs(v) <= Double.MAX_VALUE ? v : Double.NaN;
      }
      scorers[m].score(
          Math.floorDiv(bucketEndMillis, settings.bucketMillis()), value, j.expected, column);
    }
    combine(j);
    return j;
  }

  /**
   * The combined score: that of the metric that is farthest out, z1, and what the next one has
   * beyond 2, so that two moderate deviations weigh as one big one: sqrt(z1^2 + max(0, z2 - 2)^2).
   */
  private void combine(Judgement j) {
    Side side = settings.side();
    j.judged = 0;
    for (int i = 0; i < ids.length; i++) {
      int best = -1;
      int next = -1;
      boolean any = false;
      for (int m = 0; m < scorers.length; m++) {
        double s = j.columns[m].score[i];
        if (Double.isNaN(s)) {
          continue;
        }
        any = true;
        if (!side.counts(s)) {
          continue;
        }
        if (best < 0 || Math.abs(s) > Math.abs(j.columns[best].score[i])) {
          next = best;
          best = m;
        } else if (next < 0 || Math.abs(s) > Math.abs(j.columns[next].score[i])) {
          next = m;
        }
      }
      j.made[i] = 0;
      j.evidence[i] = Evidence.LEVEL;
      j.floor[i] = false;
      j.ratio[i] = 0;
      j.score[i] = any ? 0 : Double.NaN;
      j.judged += any ? 1 : 0;
      if (best >= 0) {
        Judgement.Column column = j.columns[best];
        double z = column.score[i];
        j.made[i] = (byte) (1 << best);
        j.evidence[i] = column.evidence[i];
        j.floor[i] = column.floor[i];
        j.ratio[i] = (float) column.ratio[i];
        if (next >= 0) {
          double more = Math.abs(j.columns[next].score[i]) - USUAL;
          if (more > 0 && j.columns[next].ratio[i] >= 1) {
            j.made[i] |= (byte) (1 << next);
            z = Math.copySign(Math.sqrt(z * z + more * more), z);
          }
        }
        // As floats, so that a replay, which keeps floats, sees the same.
        j.score[i] = (float) Math.max(-MAX_SCORE, Math.min(MAX_SCORE, z));
      }
      evidence[i] = (byte) j.evidence[i].ordinal();
    }
    GroupState state = j.columns[0].state;
    for (Judgement.Column column : j.columns) {
      if (column.state == GroupState.JUDGED) {
        state = GroupState.JUDGED;
      }
    }
    j.state = state;
  }

  byte[] evidence() {
    return evidence;
  }

  /** All that is known, in few bytes, for {@link #restore}. */
  public byte[] save() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 + 192 * ids.length * scorers.length);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeLong(last);
      out.writeInt(ids.length);
      for (int id : ids) {
        out.writeInt(id);
      }
      for (long until : expectedUntil) {
        out.writeLong(until);
      }
      episodes.save(out);
      for (Scorer scorer : scorers) {
        scorer.save(out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * The group as it was saved: it goes on as if nothing had happened in between.
   *
   * @param settings those that it was saved with; with others that only concern events (side,
   *     sensitivity, opening, closing) it goes on with these
   * @throws IllegalArgumentException if the bytes are of another version or do not fit the
   *     settings: the group has to learn from history again
   */
  public static PeerGroup restore(Settings settings, byte[] saved) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved))) {
      int version = in.readByte();
      if (version < OLDEST || version > VERSION) {
        throw new IllegalArgumentException(
            "the saved state is of version %d, %d to %d are read"
                .formatted(version, OLDEST, VERSION));
      }
      long last = in.readLong();
      int n = in.readInt();
      if (n < 0 || n > saved.length / 4) {
        throw new IllegalArgumentException("the saved state is damaged: " + n + " members");
      }
      int[] ids = new int[n];
      for (int i = 0; i < n; i++) {
        ids[i] = in.readInt();
      }
      PeerGroup group = new PeerGroup(settings, ids);
      group.last = last;
      for (int i = 0; i < n; i++) {
        group.expectedUntil[i] = in.readLong();
      }
      group.episodes.restore(in);
      for (Scorer scorer : group.scorers) {
        scorer.restore(in, version);
      }
      if (in.read() >= 0) {
        throw new IllegalArgumentException(
            "the saved state does not fit the settings: it is longer");
      }
      return group;
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the saved state does not fit the settings: it is shorter", e);
    }
  }

  private void checkSize(int members) {
    if (settings.method() instanceof Method.Dbscan && members > Method.Dbscan.MAX_MEMBERS) {
      throw new IllegalArgumentException(
          "DBSCAN compares at most "
              + Method.Dbscan.MAX_MEMBERS
              + " members, the group has "
              + members
              + ": use another method or a smaller group");
    }
  }

  private static int[] sorted(int[] ids) {
    int[] sorted = ids.clone();
    Arrays.sort(sorted);
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] == sorted[i - 1]) {
        throw new IllegalArgumentException("member " + sorted[i] + " is given twice");
      }
    }
    return sorted;
  }
}
