package io.peerlens.talker;

import static io.peerlens.database.Times.utc;

import io.peerlens.database.Transactions;
import io.peerlens.flow.FlowDemand;
import io.peerlens.flow.rank.FlowEnds;
import io.peerlens.flow.rank.FlowMetricSums;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.flow.FlowMetric;
import io.peerlens.ingest.flow.FlowPart;
import io.peerlens.store.SampleWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Samples of flow metrics, so that whatever works on metrics works on them. A bucket of 5 minutes
 * is one sample of each set, at its begin, in the transaction that rolls the bucket up: both are
 * there or neither is. A bucket that is computed anew writes its samples again.
 *
 * <p>An object that talked in the day before a bucket and is silent in it has zeros there, so that
 * a threshold sees a silent object rather than none. A bucket in which nobody talked has no
 * samples: then it is the exporter that says nothing. Traffic that comes late brings the zeros
 * after it along, so that the order in which buckets are computed does not show.
 *
 * <p>Not thread-safe; {@link FlowRollUpStore} does one bucket after another.
 */
public final class FlowMetricStore {

  private static final Logger log = LoggerFactory.getLogger(FlowMetricStore.class);

  /** An object that was silent for longer has no flow metrics until it talks again. */
  static final Duration SILENCE = Duration.ofDays(1);

  /** Objects and parts that are asked for, at most. */
  private static final int MOST_ASKED = 200_000;

  private static final FlowMetric[] METRICS = FlowMetric.values();

  private static final String SILENT =
      """
      select object_id from flow_talk
      where covered_from < :bucket and talked_at >= :bucket::timestamptz - make_interval(secs => :silence)
      """;
  private static final String TALKED =
      """
      select object_id, extract(epoch from covered_from)::bigint as covered_from,
             extract(epoch from talked_at)::bigint as talked_at
      from flow_talk where object_id = any (:objects)
      """;
  private static final String TALK =
      """
      insert into flow_talk as t (object_id, covered_from, talked_at)
      select o.id, b.at, b.at
      from unnest(:objects::int[]) as i(id) join object o on o.id = i.id,
           (select :bucket::timestamptz as at) b
      order by o.id
      on conflict (object_id) do update set
        talked_at = greatest(t.talked_at, excluded.talked_at),
        covered_from = case
          when excluded.talked_at > t.talked_at + make_interval(secs => :silence)
            or excluded.talked_at < t.covered_from
               and excluded.talked_at >= t.covered_from - make_interval(secs => :silence)
          then excluded.talked_at else t.covered_from end
      """;
  private static final String FILL =
      """
      insert into sample (time, set_id, values)
      select t, r.set_id, :zeros::float8[]
      from unnest(:sets::int[], :first::bigint[], :last::bigint[]) as r(set_id, first, last),
           generate_series(to_timestamp(r.first), to_timestamp(r.last), make_interval(secs => :seconds)) as t
      where exists (select 1 from flow_bucket b where b.level = '5m' and b.time = t)
      order by r.set_id, t
      on conflict (set_id, time) do nothing
      """;
  private static final String FILLED =
      """
      insert into rollup_dirty (bucket)
      select t from generate_series(to_timestamp(:first::bigint), to_timestamp(:last::bigint), interval '5 minutes') as t
      """;

  /** Objects that have no other collector live by their flows. */
  private static final String SEEN =
      """
      insert into object_liveness as l (object_id, last_seen, delay_s)
      select o.id, b.at, least(1e9, greatest(0, extract(epoch from :now::timestamptz - b.at)))
      from object o, (select :bucket::timestamptz as at) b
      where o.id = any (:objects) and o.adapter_kind = 'Peerlens' and o.object_kind = 'IpAddress'
      order by o.id
      on conflict (object_id) do update
      set last_seen = excluded.last_seen, delay_s = excluded.delay_s, gap_before_s = l.gap_s,
          gap_s = least(1e9, extract(epoch from excluded.last_seen - l.last_seen))
      where excluded.last_seen > l.last_seen
      """;

  private final FlowSetStore sets;
  private final FlowDemand demand;
  private final Duration sampleLag;
  private final InstantSource clock;

  /**
   * Makes sets on connections of its own.
   *
   * @param demand is asked before each bucket
   * @param sampleLag how long after its end a bucket of samples is rolled up
   */
  public FlowMetricStore(
      DataSource dataSource, FlowDemand demand, Duration sampleLag, InstantSource clock) {
    this.sets = new FlowSetStore(dataSource);
    this.demand = demand;
    this.sampleLag = sampleLag;
    this.clock = clock;
  }

  /** Takes the traffic of a bucket. */
  FlowMetricSums begin(FlowEnds ends) {
    Map<FlowPart, int[]> asked = new LinkedHashMap<>();
    long count = 0;
    long left = 0;
    for (Map.Entry<FlowPart, int[]> one : demand.parts().entrySet()) {
      int[] objects = one.getValue();
      if (count + objects.length > MOST_ASKED) {
        left += objects.length;
      } else {
        count += objects.length;
        asked.put(one.getKey(), objects);
      }
    }
    if (left > 0) {
      log.warn(
          "{} flow metrics by service are needed, at most {} are kept: {} are left out",
          count + left,
          MOST_ASKED,
          left);
    }
    return new FlowMetricSums(ends, asked);
  }

  /**
   * Writes the samples of a bucket in the caller's transaction.
   *
   * @param bucket its begin, seconds since 1970
   * @param mark every bucket that begins before is computed; a bucket before it is computed anew
   */
  void write(Connection connection, long bucket, int seconds, long mark, FlowMetricSums sums)
      throws SQLException {
    int[] talked = sums.objects();
    Arrays.sort(talked);
    List<Integer> objects = new ArrayList<>(Arrays.stream(talked).boxed().toList());
    objects.addAll(silent(connection, bucket, sums));
    Map<Integer, List<FlowPart>> parts = new TreeMap<>();
    for (int object : objects) {
      List<FlowPart> asked = sums.asked(object);
      List<FlowPart> of = FlowPart.STANDARD;
      if (!asked.isEmpty()) {
        of = new ArrayList<>(FlowPart.STANDARD);
        of.addAll(asked);
      }
      parts.put(object, of);
    }
    Map<Integer, FlowSetStore.OfObject> known = sets.sets(parts);
    SampleBatch batch = new SampleBatch();
    Map<FlowPart, String> instances = new HashMap<>();
    parts.forEach(
        (object, of) -> {
          FlowSetStore.OfObject found = known.get(object);
          if (found != null) {
            for (FlowPart part : of) {
              String instance = instances.computeIfAbsent(part, FlowPart::instance);
              Integer set = found.sets().get(instance);
              if (set != null) {
                row(batch, set, found.group(), bucket, seconds, sums, object, part);
              }
            }
          }
        });
    boolean late = bucket < mark;
    write(connection, batch, late);
    if (late) {
      fill(connection, talked, known, bucket, seconds, mark);
    }
    talk(connection, talked, bucket);
  }

  private static void row(
      SampleBatch batch,
      int set,
      FlowSetStore.Group group,
      long bucket,
      int seconds,
      FlowMetricSums sums,
      int object,
      FlowPart part) {
    int row = batch.row(set, bucket * 1_000_000, group.width());
    for (int m = 0; m < METRICS.length; m++) {
      batch.put(row, group.positions()[m], sums.value(object, part, METRICS[m], seconds));
    }
  }

  private static List<Integer> silent(Connection connection, long bucket, FlowMetricSums sums) {
    return Transactions.on(connection)
        .sql(SILENT)
        .param("bucket", time(bucket))
        .param("silence", SILENCE.toSeconds())
        .query((row, number) -> row.getInt("object_id"))
        .list()
        .stream()
        .filter(object -> !sums.talked(object))
        .toList();
  }

  private void write(Connection connection, SampleBatch batch, boolean late) throws SQLException {
    SampleWriter writer = new SampleWriter(sampleLag, clock);
    if (late) {
      writer.write(connection, batch, true);
      return;
    }
    Savepoint before = connection.setSavepoint();
    try {
      writer.write(connection, batch, false);
    } catch (SQLException e) {
      if (!SampleWriter.isClash(e)) {
        throw e;
      }
      // Somebody has taken the mark back.
      connection.rollback(before);
      writer.write(connection, batch, true);
    }
  }

  /** Zeros after traffic that came late, as far as they are not there yet. */
  private void fill(
      Connection connection,
      int[] talked,
      Map<Integer, FlowSetStore.OfObject> known,
      long bucket,
      int seconds,
      long mark) {
    Map<Integer, long[]> talks = talks(connection, talked);
    Map<FlowSetStore.Group, Fill> byGroup = new HashMap<>();
    for (int object : talked) {
      FlowSetStore.OfObject found = known.get(object);
      long first = bucket + seconds;
      long last = Math.min(bucket + SILENCE.toSeconds(), mark - seconds);
      long[] talk = talks.get(object);
      if (talk != null && bucket >= talk[0]) {
        first = Math.max(first, talk[1] + SILENCE.toSeconds() + seconds);
      } else if (talk != null) {
        last = Math.min(last, talk[0] - seconds);
      }
      if (found != null && first <= last) {
        Fill fill = byGroup.computeIfAbsent(found.group(), g -> new Fill());
        for (int set : found.sets().values()) {
          fill.sets.add(set);
          fill.first.add(first);
          fill.last.add(last);
        }
      }
    }
    for (Map.Entry<FlowSetStore.Group, Fill> one : byGroup.entrySet()) {
      fill(connection, one.getKey(), one.getValue(), seconds);
    }
  }

  /** Sets, and from when to when each of them is filled. */
  private static final class Fill {
    final List<Integer> sets = new ArrayList<>();
    final List<Long> first = new ArrayList<>();
    final List<Long> last = new ArrayList<>();
  }

  private static void fill(
      Connection connection, FlowSetStore.Group group, Fill fill, int seconds) {
    Double[] zeros = new Double[group.width()];
    for (int position : group.positions()) {
      zeros[position] = 0.0;
    }
    JdbcClient jdbc = Transactions.on(connection);
    jdbc.sql(FILL)
        .param("zeros", zeros)
        .param("sets", fill.sets.toArray(Integer[]::new))
        .param("first", fill.first.toArray(Long[]::new))
        .param("last", fill.last.toArray(Long[]::new))
        .param("seconds", seconds)
        .update();
    jdbc.sql(FILLED)
        .param("first", Collections.min(fill.first))
        .param("last", Collections.max(fill.last))
        .update();
  }

  private static Map<Integer, long[]> talks(Connection connection, int[] objects) {
    Map<Integer, long[]> talks = new HashMap<>();
    Transactions.on(connection)
        .sql(TALKED)
        .param("objects", boxed(objects))
        .query(
            row -> {
              talks.put(
                  row.getInt("object_id"),
                  new long[] {row.getLong("covered_from"), row.getLong("talked_at")});
            });
    return talks;
  }

  private void talk(Connection connection, int[] talked, long bucket) {
    if (talked.length == 0) {
      return;
    }
    JdbcClient jdbc = Transactions.on(connection);
    jdbc.sql(TALK)
        .param("objects", boxed(talked))
        .param("bucket", time(bucket))
        .param("silence", SILENCE.toSeconds())
        .update();
    jdbc.sql(SEEN)
        .param("objects", boxed(talked))
        .param("bucket", time(bucket))
        .param("now", utc(clock.instant()))
        .update();
  }

  private static Integer[] boxed(int[] ids) {
    return Arrays.stream(ids).boxed().toArray(Integer[]::new);
  }

  private static OffsetDateTime time(long seconds) {
    return utc(Instant.ofEpochSecond(seconds));
  }
}
