package io.peerlens.learning;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Queries behind the API of learning. */
final class LearningQueries {

  private static final String OBJECT =
      "select id, adapter_kind, object_kind from object where uuid = ?";

  private static final String DAYS =
      """
      select d.day, coalesce(sum(learning), 0) as learning, coalesce(sum(learned), 0) as learned,
        coalesce(sum(few_valued), 0) as few_valued, coalesce(sum(constant), 0) as constant, max(computed_at) as computed_at
      from (values (:today::timestamptz), (:today::timestamptz + interval '1 day')) d(day)
      left join learned_block k on k.day = d.day
      group by d.day order by d.day
      """;

  private static final String BYTES =
      "select pg_total_relation_size('learned_block') + pg_total_relation_size('learned_band')";

  // Elements of a set are as far apart as the block has sets.
  private static final String METRICS =
      """
      select g.name, s.instance, g.metrics[k.first_position + m + 1], get_byte(k.state, m * k.sets + place.i),
        get_byte(k.days, m * k.sets + place.i)
      from metric_set s
      join metric_group g on g.id = s.group_id
      join learned_block k on k.group_id = g.id and k.day = :day and s.id = any (k.set_ids)
      cross join lateral (select array_position(k.set_ids, s.id) - 1) place(i)
      cross join lateral generate_series(0, k.width - 1) m
      where s.object_id = :object
      union all
      select g.name, s.instance, metric, 0, 0
      from metric_set s
      join metric_group g on g.id = s.group_id
      cross join lateral unnest(g.metrics) with ordinality as n(metric, position)
      where s.object_id = :object and not exists (
        select 1 from learned_block k
        where k.group_id = g.id and k.day = :day and s.id = any (k.set_ids)
          and position - 1 between k.first_position and k.first_position + k.width - 1)
      order by 1, 2, 3
      """;

  private static final String BOUNDS =
      """
      select s.id, g.name, s.instance, g.metrics[k.first_position + m + 1], k.first_position + m,
        substring(b.lower from 4 * (m * k.sets + place.i) + 1 for 4),
        substring(b.upper from 4 * (m * k.sets + place.i) + 1 for 4),
        substring(k.spread from 4 * (m * k.sets + place.i) + 1 for 4)
      from metric_set s
      join metric_group g on g.id = s.group_id
      join learned_block k on k.group_id = g.id and k.day = :day and k.since <= :tick and s.id = any (k.set_ids)
      join learned_band b on b.block_id = k.id and b.hour = :hour
      cross join lateral (select array_position(k.set_ids, s.id) - 1) place(i)
      cross join lateral generate_series(0, k.width - 1) m
      where s.object_id = :object and g.name <> :counts
      """;

  private static final String PLACES =
      """
      select name, instance, metric, id, position from (
        select g.name, s.instance, metric, s.id, position - 1 as position, count(*) filter (where s.instance = '') over () as own
        from metric_set s
        join metric_group g on g.id = s.group_id
        cross join lateral unnest(g.metrics) with ordinality as n(metric, position)
        where s.object_id = :object and g.name <> :counts and g.name not like 'OnlineCapacityAnalytics%') m
      where instance = '' or own < :fewest
      order by 1, 2, 3 limit :most
      """;

  private static final String MEASURED =
      """
      select o.id, o.adapter_kind, o.object_kind from object o
      where exists (
        select from metric_set s join metric_group g on g.id = s.group_id
        where s.object_id = o.id and g.name <> :counts and g.name not like 'OnlineCapacityAnalytics%')
      order by o.id
      """;

  /** An object with fewer metrics as a whole is judged by those of its instances too. */
  private static final int FEWEST = 10;

  private final JdbcClient jdbc;

  LearningQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** An object by its id within the database. */
  record Known(int id, ObjectKind kind) {}

  Optional<Known> object(UUID uuid) {
    return jdbc.sql(OBJECT)
        .param(uuid)
        .query(
            (row, number) ->
                new Known(row.getInt(1), new ObjectKind(row.getString(2), row.getString(3))))
        .optional();
  }

  /**
   * Bands of a metric for a day.
   *
   * @param state as in {@link LearnedBlock#state}
   */
  record Metric(MetricKey key, int state, int days) {}

  /** By group, instance and metric. */
  List<Metric> metrics(int object, Instant day) {
    return jdbc.sql(METRICS)
        .param("object", object)
        .param("day", day.atOffset(ZoneOffset.UTC))
        .query(
            (row, number) ->
                new Metric(
                    new MetricKey(row.getString(1), row.getString(2), row.getString(3)),
                    row.getInt(4),
                    row.getInt(5)))
        .list();
  }

  /**
   * Place of a metric in the store.
   *
   * @param set id of the metric set
   * @param position of the metric in its set, from 0
   */
  record Place(MetricKey key, int set, int position) {}

  /**
   * An object's metrics without those that are counts of the others or what is left of time, by
   * group, instance and name. Those of its instances only where it has few as a whole.
   */
  List<Place> places(int object, int most) {
    return jdbc.sql(PLACES)
        .param("object", object)
        .param("counts", AnomalyCounts.GROUP)
        .param("most", most)
        .param("fewest", FEWEST)
        .query(
            (row, number) ->
                new Place(
                    new MetricKey(row.getString(1), row.getString(2), row.getString(3)),
                    row.getInt(4),
                    row.getInt(5)))
        .list();
  }

  /** Objects that have any such metrics, by id. */
  List<Known> measured() {
    return jdbc.sql(MEASURED)
        .param("counts", AnomalyCounts.GROUP)
        .query(
            (row, number) ->
                new Known(row.getInt(1), new ObjectKind(row.getString(2), row.getString(3))))
        .list();
  }

  /**
   * Learned bounds of a metric in one hour, before any margin.
   *
   * @param set id of the metric set
   * @param position of the metric in its set, from 0
   * @param lower NaN = none
   * @param upper NaN = none
   */
  record Bounds(int set, MetricKey key, int position, float lower, float upper, float spread) {}

  /**
   * Of all metrics of an object but its own counts of such; which hour, and what was usable by
   * then.
   */
  List<Bounds> bounds(int object, Instant tick) {
    return jdbc.sql(BOUNDS)
        .param("object", object)
        .param("counts", AnomalyCounts.GROUP)
        .param("day", Days.start(Days.day(tick)).atOffset(ZoneOffset.UTC))
        .param("tick", tick.atOffset(ZoneOffset.UTC))
        .param("hour", Math.floorMod(Days.hour(tick.toEpochMilli()), Days.HOURS))
        .query(
            (row, number) ->
                new Bounds(
                    row.getInt(1),
                    new MetricKey(row.getString(2), row.getString(3), row.getString(4)),
                    row.getInt(5),
                    ByteBuffer.wrap(row.getBytes(6)).getFloat(),
                    ByteBuffer.wrap(row.getBytes(7)).getFloat(),
                    ByteBuffer.wrap(row.getBytes(8)).getFloat()))
        .list();
  }

  /** Number of series in each state on a day. */
  record Day(
      Instant day,
      long learning,
      long learned,
      long fewValued,
      long constant,
      @Nullable Instant computedAt) {}

  /** Today and tomorrow. */
  List<Day> days(Instant today) {
    return jdbc.sql(DAYS)
        .param("today", today.atOffset(ZoneOffset.UTC))
        .query(
            (row, number) -> {
              OffsetDateTime computed = row.getObject("computed_at", OffsetDateTime.class);
              return new Day(
                  row.getObject("day", OffsetDateTime.class).toInstant(),
                  row.getLong("learning"),
                  row.getLong("learned"),
                  row.getLong("few_valued"),
                  row.getLong("constant"),
                  computed == null ? null : computed.toInstant());
            })
        .list();
  }

  /** Size of all stored bands on disk with their indexes. */
  long bytes() {
    return jdbc.sql(BYTES).query(Long.class).single();
  }
}
