package io.peerlens.frame;

import io.peerlens.frame.Frames.Known;
import io.peerlens.store.Level;
import io.peerlens.store.SampleReader;
import io.peerlens.store.Segment;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Live frames: each goes on from the one before and reads only what came since, one query for each
 * kind and group. Not thread-safe.
 */
public final class LiveFrames {

  private static final String DELAYS =
      """
      select o.adapter_kind, o.object_kind,
             coalesce(percentile_disc(0.98) within group (order by l.delay_s), 0)
      from object o join object_liveness l on l.object_id = o.id
      where l.last_seen > now() - interval '1 hour'
      group by 1, 2
      """;

  /** Samples that come later than this are seen by frames only once they are rolled up. */
  private static final Duration LONGEST_DELAY = Duration.ofHours(1);

  private static final Duration LEAST_LOOK_BACK = Duration.ofMinutes(2);
  private static final long SECOND = 1_000_000;

  /** Over so long the rows of sets are counted, to learn how often they report. */
  private static final long COUNTED = 300 * SECOND;

  private static final Duration DELAYS_HOLD = Duration.ofMinutes(5);

  private final Frames frames;
  private final JdbcClient jdbc;
  private final SampleReader samples;
  private final FrameReader reader;
  private final FrameProperties properties;
  private final Duration flowAge;

  private final Map<Integer, LastValues> byGroup = new HashMap<>();
  private long at = Long.MIN_VALUE;
  private Map<ObjectKind, Long> delays = Map.of();
  private long delaysRead = Long.MIN_VALUE;
  private final Map<Integer, Long> spacings = new HashMap<>();

  LiveFrames(
      Frames frames,
      JdbcClient jdbc,
      SampleReader samples,
      FrameReader reader,
      FrameProperties properties,
      Duration flowAge) {
    this.frames = frames;
    this.jdbc = jdbc;
    this.samples = samples;
    this.reader = reader;
    this.properties = properties;
    this.flowAge = flowAge;
  }

  /** The frame of a moment; quick if it is soon after the one before. */
  public Frame load(Set<Input> inputs, Instant tick) {
    Known known = frames.known();
    long now = Level.micros(tick);
    boolean continues = now >= at && now - at <= LONGEST_DELAY.toMillis() * 1000;
    Map<Integer, LastValues> loaded = new HashMap<>();
    for (FrameNeeds need : FrameNeeds.of(inputs, known)) {
      LastValues values = byGroup.get(need.group.id());
      if (continues
          && values != null
          && values.serves(need.instances, need.positionArray(), need.fresh)) {
        values = sameSets(values, need, known);
        readSince(values, need, at - lookBack(need, tick), now);
      } else {
        values = reader.empty(need, known);
        values.countFrom(now - COUNTED);
        reader.readDay(values, need.instances, now + 1);
        spacings.put(need.group.id(), values.spacing(now));
      }
      loaded.put(need.group.id(), values);
    }
    byGroup.clear();
    byGroup.putAll(loaded);
    at = now;
    return new StoredFrame(tick, known, Map.copyOf(loaded), properties.metricAge());
  }

  /** Goes on with the sets that there are now; new ones have no past worth a long look. */
  private LastValues sameSets(LastValues before, FrameNeeds need, Known known) {
    if (before.sets() == known.sets().sets(need.group, need.instances)) {
      return before;
    }
    LastValues values = reader.empty(need, known);
    int[] unknown = values.adopt(before);
    samples.read(
        Level.RAW,
        unknown,
        values.positions(),
        FrameReader.LAST,
        at - LONGEST_DELAY.toMillis() * 1000,
        at + 1,
        row -> FrameReader.tell(values, row, Level.RAW));
    return values;
  }

  /**
   * Reads what came since the last moment. Of sets that all report at one interval, only the last
   * interval is read, and what is before it only of those that lack a value in it.
   */
  private void readSince(LastValues values, FrameNeeds need, long since, long now) {
    long spacing = spacings.getOrDefault(need.group.id(), 0L);
    long last = now - spacing - spacing / 4 - SECOND;
    if (spacing == 0 || last <= since) {
      reader.read(values, need.instances, new Segment(Level.RAW, since, now + 1));
      return;
    }
    reader.read(values, need.instances, new Segment(Level.RAW, last, now + 1));
    int[] missing = values.notNewer(last - 1);
    if (missing.length > FrameReader.FEW && missing.length * 4 > values.sets().ids().length) {
      reader.read(values, need.instances, new Segment(Level.RAW, since, last));
    } else if (missing.length > 0) {
      samples.read(
          Level.RAW,
          missing,
          values.positions(),
          FrameReader.LAST,
          since,
          last,
          row -> FrameReader.tell(values, row, Level.RAW));
    }
  }

  /** How long before the last moment samples may have been that came in since. */
  private long lookBack(FrameNeeds need, Instant tick) {
    long now = tick.toEpochMilli();
    if (now - delaysRead > DELAYS_HOLD.toMillis()) {
      Map<ObjectKind, Long> read = new HashMap<>();
      jdbc.sql(DELAYS)
          .query(
              row -> {
                read.put(new ObjectKind(row.getString(1), row.getString(2)), row.getLong(3));
              });
      delays = read;
      delaysRead = now;
    }
    long delay = delays.getOrDefault(need.group.kind(), 0L) * 1_000_000;
    if (need.flows) {
      delay = Math.max(delay, flowAge.toMillis() * 1000);
    }
    long least = LEAST_LOOK_BACK.toMillis() * 1000;
    return Math.min(LONGEST_DELAY.toMillis() * 1000, delay + least);
  }
}
