package io.peerlens.outliers;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Events made from scores, with hysteresis. A bucket of a member violates if its score reaches the
 * threshold T and its deviation the minimum; it is calm if the score is below 0.6 T or the
 * deviation below 0.8 of the minimum. Buckets without a score count neither way.
 *
 * <ul>
 *   <li>An event opens when N of the last M judged buckets violate in one direction, this one among
 *       them, or when two in a row reach 3 T.
 *   <li>It closes after K calm buckets in a row. If the member opens again within the cool-down,
 *       that is the same event with one more flap.
 *   <li>If the member has not been judged for the stale time, the event is unknown until it is.
 *   <li>When more than {@value #GROUP_WIDE} of the judged members, and {@value #GROUP_LEAST} at
 *       least, violate in one direction, no event of a member opens; if that lasts (N of M), an
 *       event of the group does. Two are never the group: in one of three to five, {@link Anchor}
 *       lets them be called out only where the past says that it is they who left.
 * </ul>
 */
final class Episodes {

  static final double GROUP_WIDE = 0.5;
  static final int GROUP_LEAST = 3;
  private static final double CALM_SCORE = 0.6;
  private static final double CALM_RATIO = 0.8;
  private static final int INSTANT = 3;

  private static final byte NONE = 0;
  private static final byte OPEN = 1;
  private static final byte UNKNOWN = 2;
  private static final byte COOLING = 3;

  private final Settings settings;
  private final int mask;

  /** Members, and the group itself at the last place. */
  private int size;

  private int[] ids;
  private short[] ups;
  private short[] downs;
  private byte[] instant;
  private byte[] state;
  private byte[] calm;
  private boolean[] high;
  private long[] since;
  private long[] openedAt;
  private long[] last;
  private long[] closedAt;
  private double[] score;
  private double[] peak;
  private boolean[] floor;
  private byte[] metrics;
  private byte[] evidence;
  private int[] flaps;
  private boolean groupWide;

  Episodes(Settings settings, int[] ids) {
    this.settings = settings;
    mask = (1 << settings.of()) - 1;
    allocate(ids);
  }

  private void allocate(int[] members) {
    size = members.length + 1;
    ids = Arrays.copyOf(members, size);
    ids[size - 1] = Event.GROUP;
    ups = new short[size];
    downs = new short[size];
    instant = new byte[size];
    state = new byte[size];
    calm = new byte[size];
    high = new boolean[size];
    since = new long[size];
    openedAt = new long[size];
    last = new long[size];
    closedAt = new long[size];
    score = new double[size];
    peak = new double[size];
    floor = new boolean[size];
    metrics = new byte[size];
    evidence = new byte[size];
    flaps = new int[size];
  }

  /** The group has other members; the open events of those that left are closed. */
  List<Change> members(int[] next, int[] from) {
    Episodes old = new Episodes(settings, new int[0]);
    old.take(this);
    allocate(next);
    boolean[] stays = new boolean[old.size];
    for (int i = 0; i < size; i++) {
      int j = i == size - 1 ? old.size - 1 : from[i];
      if (j < 0) {
        continue;
      }
      stays[j] = true;
      ups[i] = old.ups[j];
      downs[i] = old.downs[j];
      instant[i] = old.instant[j];
      state[i] = old.state[j];
      calm[i] = old.calm[j];
      high[i] = old.high[j];
      since[i] = old.since[j];
      openedAt[i] = old.openedAt[j];
      last[i] = old.last[j];
      closedAt[i] = old.closedAt[j];
      score[i] = old.score[j];
      peak[i] = old.peak[j];
      floor[i] = old.floor[j];
      metrics[i] = old.metrics[j];
      evidence[i] = old.evidence[j];
      flaps[i] = old.flaps[j];
    }
    List<Change> changes = new ArrayList<>();
    for (int j = 0; j < old.size; j++) {
      if (!stays[j] && (old.state[j] == OPEN || old.state[j] == UNKNOWN)) {
        old.state[j] = COOLING;
        old.closedAt[j] = old.last[j];
        changes.add(new Change(Change.Kind.CLOSED, old.event(j)));
      }
    }
    return changes;
  }

  private void take(Episodes other) {
    size = other.size;
    ids = other.ids;
    ups = other.ups;
    downs = other.downs;
    instant = other.instant;
    state = other.state;
    calm = other.calm;
    high = other.high;
    since = other.since;
    openedAt = other.openedAt;
    last = other.last;
    closedAt = other.closedAt;
    score = other.score;
    peak = other.peak;
    floor = other.floor;
    metrics = other.metrics;
    evidence = other.evidence;
    flaps = other.flaps;
  }

  /**
   * Whether the last bucket had more than {@link #GROUP_WIDE} of its members out in one direction.
   */
  boolean groupWide() {
    return groupWide;
  }

  /** Open and unknown events. */
  List<Event> open() {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      if (state[i] == OPEN || state[i] == UNKNOWN) {
        events.add(event(i));
      }
    }
    events.sort(Comparator.comparingInt(Event::member));
    return events;
  }

  /**
   * One bucket.
   *
   * @param scores combined scores by member, NaN for those that were not judged
   * @param ratios deviations in minimum deviations
   * @param threshold T
   * @param into where changes go; null if nobody wants them but the opening and closing ones
   */
  void step(
      long end,
      double[] scores,
      double[] ratios,
      byte[] made,
      byte[] evidences,
      boolean[] floors,
      boolean[] expected,
      double threshold,
      boolean updates,
      List<Change> into) {
    int members = size - 1;
    int judged = 0;
    int up = 0;
    int down = 0;
    for (int i = 0; i < members; i++) {
      double s = scores[i];
      if (Double.isNaN(s)) {
        continue;
      }
      judged++;
      if (ratios[i] >= 1) {
        if (s >= threshold) {
          up++;
        } else if (s <= -threshold) {
          down++;
        }
      }
    }
    double part = judged == 0 ? 0 : Math.max(up, down) / (double) judged;
    groupWide = part > GROUP_WIDE && Math.max(up, down) >= GROUP_LEAST;
    int first = into.size();
    for (int i = 0; i < members; i++) {
      if (expected[i]) {
        if (state[i] == OPEN || state[i] == UNKNOWN) {
          close(i, end, into);
        }
        forget(i);
        if (!Double.isNaN(scores[i])) {
          last[i] = end;
        }
        continue;
      }
      one(
          i,
          end,
          scores[i],
          ratios[i],
          made[i],
          evidences[i],
          floors[i],
          threshold,
          !groupWide,
          updates,
          into);
    }
    // The group's own score is the part of its members, in units of what makes it group-wide.
    double groupScore =
        judged < 3 ? Double.NaN : (up >= down ? part : -part) / GROUP_WIDE * threshold;
    if (!groupWide && part >= GROUP_WIDE) {
      groupScore = Math.copySign(Math.nextDown(threshold), groupScore);
    }
    one(
        members,
        end,
        groupScore,
        Double.POSITIVE_INFINITY,
        (byte) 0,
        (byte) 0,
        false,
        threshold,
        true,
        updates,
        into);
    if (into.size() - first > 1) {
      into.subList(first, into.size()).sort(Comparator.comparingInt(c -> c.event().member()));
    }
  }

  private void one(
      int i,
      long end,
      double s,
      double ratio,
      byte made,
      byte why,
      boolean floorDecided,
      double threshold,
      boolean mayOpen,
      boolean updates,
      List<Change> into) {
    if (state[i] == COOLING && end - closedAt[i] > settings.cooldownMillis()) {
      state[i] = NONE;
    }
    if (Double.isNaN(s)) {
      if (state[i] == OPEN && end - last[i] >= settings.staleMillis()) {
        state[i] = UNKNOWN;
        into.add(new Change(Change.Kind.UNKNOWN, event(i)));
      }
      return;
    }
    if (end - last[i] >= settings.staleMillis()) {
      ups[i] = 0;
      downs[i] = 0;
      instant[i] = 0;
    }
    last[i] = end;
    boolean violatesUp = s >= threshold && ratio >= 1;
    boolean violatesDown = s <= -threshold && ratio >= 1;
    ups[i] = (short) (((ups[i] << 1) | (violatesUp ? 1 : 0)) & mask);
    downs[i] = (short) (((downs[i] << 1) | (violatesDown ? 1 : 0)) & mask);
    boolean far = Math.abs(s) >= INSTANT * threshold && (violatesUp || violatesDown);
    byte direction = (byte) (!far ? 0 : violatesUp ? 1 : -1);
    boolean twice = far && instant[i] == direction;
    instant[i] = direction;
    if (state[i] == NONE || state[i] == COOLING) {
      if (!violatesUp && !violatesDown) {
        return;
      }
      int bits = (violatesUp ? ups[i] : downs[i]) & 0xffff;
      if (!mayOpen || (Integer.bitCount(bits) < settings.violations() && !twice)) {
        return;
      }
      boolean again = state[i] == COOLING;
      state[i] = OPEN;
      closedAt[i] = 0;
      calm[i] = 0;
      high[i] = violatesUp;
      note(i, s, made, why, floorDecided);
      if (again) {
        flaps[i]++;
        peak[i] = farther(peak[i], s);
      } else {
        flaps[i] = 0;
        peak[i] = s;
        openedAt[i] = end;
        int back = 31 - Integer.numberOfLeadingZeros(bits);
        since[i] = end - back * settings.bucketMillis();
      }
      into.add(new Change(again ? Change.Kind.REOPENED : Change.Kind.OPENED, event(i)));
      return;
    }
    state[i] = OPEN;
    boolean quiet = Math.abs(s) < CALM_SCORE * threshold || ratio < CALM_RATIO;
    calm[i] = (byte) (quiet ? calm[i] + 1 : 0);
    note(i, s, made, why, floorDecided);
    peak[i] = farther(peak[i], s);
    if (violatesUp || violatesDown) {
      high[i] = violatesUp;
    }
    if (calm[i] >= settings.closesAfter()) {
      close(i, end, into);
    } else if (updates) {
      into.add(new Change(Change.Kind.UPDATED, event(i)));
    }
  }

  private static double farther(double a, double b) {
    return Math.abs(b) > Math.abs(a) ? b : a;
  }

  private void note(int i, double s, byte made, byte why, boolean floorDecided) {
    score[i] = s;
    metrics[i] = made;
    evidence[i] = why;
    floor[i] = floorDecided;
  }

  private void close(int i, long end, List<Change> into) {
    state[i] = COOLING;
    closedAt[i] = end;
    ups[i] = 0;
    downs[i] = 0;
    instant[i] = 0;
    into.add(new Change(Change.Kind.CLOSED, event(i)));
  }

  private void forget(int i) {
    state[i] = NONE;
    ups[i] = 0;
    downs[i] = 0;
    instant[i] = 0;
    calm[i] = 0;
  }

  private Event event(int i) {
    return new Event(
        ids[i],
        switch (state[i]) {
          case OPEN -> Event.Status.OPEN;
          case UNKNOWN -> Event.Status.UNKNOWN;
          default -> Event.Status.CLOSED;
        },
        high[i],
        since[i],
        openedAt[i],
        last[i],
        state[i] == COOLING ? closedAt[i] : 0,
        score[i],
        peak[i],
        Integer.bitCount((high[i] ? ups[i] : downs[i]) & 0xffff),
        settings.of(),
        floor[i],
        metrics[i],
        EVIDENCE[evidence[i]],
        flaps[i]);
  }

  private static final Evidence[] EVIDENCE = Evidence.values();

  void save(DataOutput out) throws IOException {
    for (int i = 0; i < size; i++) {
      out.writeByte(state[i]);
      out.writeShort(ups[i]);
      out.writeShort(downs[i]);
      out.writeByte(instant[i]);
      out.writeLong(last[i]);
      if (state[i] == NONE) {
        continue;
      }
      out.writeByte(calm[i]);
      out.writeBoolean(high[i]);
      out.writeLong(since[i]);
      out.writeLong(openedAt[i]);
      out.writeLong(closedAt[i]);
      out.writeDouble(score[i]);
      out.writeDouble(peak[i]);
      out.writeBoolean(floor[i]);
      out.writeByte(metrics[i]);
      out.writeByte(evidence[i]);
      out.writeInt(flaps[i]);
    }
    out.writeBoolean(groupWide);
  }

  void restore(DataInput in) throws IOException {
    for (int i = 0; i < size; i++) {
      state[i] = in.readByte();
      ups[i] = in.readShort();
      downs[i] = in.readShort();
      instant[i] = in.readByte();
      last[i] = in.readLong();
      if (state[i] == NONE) {
        continue;
      }
      calm[i] = in.readByte();
      high[i] = in.readBoolean();
      since[i] = in.readLong();
      openedAt[i] = in.readLong();
      closedAt[i] = in.readLong();
      score[i] = in.readDouble();
      peak[i] = in.readDouble();
      floor[i] = in.readBoolean();
      metrics[i] = in.readByte();
      evidence[i] = in.readByte();
      flaps[i] = in.readInt();
    }
    groupWide = in.readBoolean();
  }

  /** The events that a list of changes tells of, each as it was last, by start. */
  static List<Event> fold(List<Change> changes, List<Event> open) {
    List<Event> events = new ArrayList<>();
    java.util.Map<Integer, Integer> current = new java.util.HashMap<>();
    for (Change change : changes) {
      Event event = change.event();
      switch (change.kind()) {
        case OPENED -> {
          current.put(event.member(), events.size());
          events.add(event);
        }
        case UPDATED, UNKNOWN, CLOSED, REOPENED -> {
          Integer at = current.get(event.member());
          if (at != null) {
            events.set(at, event);
          }
        }
      }
    }
    for (Event event : open) {
      Integer at = current.get(event.member());
      if (at != null) {
        events.set(at, event);
      }
    }
    return Collections.unmodifiableList(events);
  }
}
