package io.peerlens.outlier;

import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;
import static java.util.Comparator.naturalOrder;
import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What is stored of groups that are judged: what they have learned, what was judged, and who their
 * members were. Written in the transaction of a tick.
 */
public final class OutlierStore {

  private static final String STATES =
      "select group_id, basis, bucket from outlier_state where basis <> '' and group_id = any (:ids)";

  private static final String MARKS =
      "select group_id, object_id, until from outlier_exception where group_id = any (:ids)";

  private static final String LEARNED =
      "select group_id, basis, bucket, state, shift from outlier_learned where group_id = any (:ids)";

  /** The least and the greatest say which chunks there is nothing in. */
  private static final String JUDGED =
      """
      select b.group_id, b.bucket, b.members, b.values
      from unnest(:ids::uuid[], :bases::text[], :after::timestamptz[], :until::timestamptz[]) as w(id, basis, after, until)
        join outlier_bucket b
          on b.group_id = w.id and b.basis = w.basis and b.bucket > w.after and b.bucket <= w.until
      where b.bucket > :least and b.bucket <= :greatest
      order by b.group_id, b.bucket
      """;

  private static final String GONE =
      "select object_id from object_liveness where last_seen < :before";

  private static final String WRITE_BUCKET =
      """
      insert into outlier_bucket (group_id, bucket, basis, state, judged, metrics, members, centre, lower, upper, values,
        scores, score, usual_lower, usual_upper)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict (group_id, bucket) do update
      set basis = excluded.basis, state = excluded.state, judged = excluded.judged, metrics = excluded.metrics,
        members = excluded.members, centre = excluded.centre, lower = excluded.lower, upper = excluded.upper,
        values = excluded.values, scores = excluded.scores, score = excluded.score, usual_lower = excluded.usual_lower,
        usual_upper = excluded.usual_upper
      """;

  private static final String WRITE_STATE =
      """
      insert into outlier_state (group_id, basis, bucket, width, state, metrics, states, members, judged, judged_of, centre,
        lower, upper, bands, values, expected, low, high, scores, score, nanos, usual)
      values (?, ?, ?, make_interval(secs => ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb)
      on conflict (group_id) do update
      set basis = excluded.basis, bucket = excluded.bucket, width = excluded.width, state = excluded.state,
        metrics = excluded.metrics, states = excluded.states, members = excluded.members, judged = excluded.judged,
        judged_of = excluded.judged_of, centre = excluded.centre, lower = excluded.lower, upper = excluded.upper,
        bands = excluded.bands, values = excluded.values, expected = excluded.expected, low = excluded.low,
        high = excluded.high, scores = excluded.scores, score = excluded.score, nanos = excluded.nanos, usual = excluded.usual,
        error = null
      """;

  private static final String WRITE_LEARNED =
      """
      insert into outlier_learned (group_id, basis, bucket, state, shift) values (?, ?, ?, ?, ?)
      on conflict (group_id) do update
      set basis = excluded.basis, bucket = excluded.bucket, state = excluded.state, shift = excluded.shift
      """;

  /**
   * What was judged in hours that are over. The least and the greatest say which chunks to read.
   */
  private static final String WRITE_HOURS =
      """
      insert into outlier_hour (group_id, hour, basis, low, mean, high)
      select id, hour, basis, array_agg(low order by m), array_agg(mean order by m), array_agg(high order by m)
      from (
        select w.id, w.hour, w.basis, c.m, coalesce(min(c.centre) filter (where c.centre <> 'NaN'), 'NaN')::float4 as low,
          coalesce(avg(c.centre) filter (where c.centre <> 'NaN'), 'NaN')::float4 as mean,
          coalesce(max(c.centre) filter (where c.centre <> 'NaN'), 'NaN')::float4 as high
        from unnest(?::uuid[], ?::text[], ?::timestamptz[]) as w(id, basis, hour)
          join outlier_bucket b on b.group_id = w.id and b.basis = w.basis and b.bucket >= w.hour
            and b.bucket < w.hour + interval '1 hour'
          cross join lateral unnest(b.centre) with ordinality as c(centre, m)
        where b.bucket >= ? and b.bucket < ?
        group by 1, 2, 3, 4) x
      group by 1, 2, 3
      on conflict (group_id, hour) do update
      set basis = excluded.basis, low = excluded.low, mean = excluded.mean, high = excluded.high
      """;

  /** Hours that were judged by the same basis stay as they are. */
  private static final String WRITE_PAST =
      """
      insert into outlier_hour as h (group_id, hour, basis, low, mean, high) values (?, ?, ?, ?, ?, ?)
      on conflict (group_id, hour) do update
      set basis = excluded.basis, low = excluded.low, mean = excluded.mean, high = excluded.high
      where h.basis <> excluded.basis
      """;

  private static final String WRITE_MEMBERSHIP =
      """
      insert into outlier_membership (group_id, at, kind, object_id, members)
      select ?, ?, ?, o.id, ? from unnest(?) with ordinality as m(id, place) join object o on o.id = m.id order by m.place
      """;

  /**
   * A group without a state has not been judged yet; what keeps it from that is stored all the
   * same.
   */
  private static final String FAIL =
      """
      insert into outlier_state (group_id, basis, bucket, width, state, metrics, states, members, judged, judged_of, centre,
        lower, upper, bands, values, expected, low, high, scores, score, nanos, error)
      values (?, '', '-infinity', interval '0', ?, '{}', '{}', '{}', 0, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
        '{}', '{}', '{}', 0, ?)
      on conflict (group_id) do update set state = excluded.state, error = excluded.error
      """;

  /** So many rows with arrays are sent at once. */
  private static final int AT_ONCE = 200;

  private final JdbcClient jdbc;
  private final OutlierEventStore events;

  OutlierStore(JdbcClient jdbc, OutlierEventStore events) {
    this.jdbc = jdbc;
    this.events = events;
  }

  /**
   * Where a group is.
   *
   * @param basis what it has learned by; empty = it was not judged yet
   * @param bucket begin of the bucket that was judged last; null = none
   */
  record Stored(
      String basis, @Nullable Instant bucket, List<OpenEvent> open, Map<Integer, Mark> marks) {}

  /** Where groups are, one for each of them. */
  Map<UUID, Stored> load(Collection<UUID> groups) {
    UUID[] ids = groups.toArray(UUID[]::new);
    Map<UUID, String> bases = new HashMap<>();
    Map<UUID, Instant> buckets = new HashMap<>();
    jdbc.sql(STATES)
        .param("ids", ids)
        .query(
            row -> {
              UUID id = row.getObject(1, UUID.class);
              bases.put(id, row.getString(2));
              buckets.put(id, requireNonNull(instantOrNull(row, "bucket")));
            });
    Map<UUID, Map<Integer, Mark>> marks = new HashMap<>();
    jdbc.sql(MARKS)
        .param("ids", ids)
        .query(
            row -> {
              marks
                  .computeIfAbsent(row.getObject(1, UUID.class), id -> new HashMap<>())
                  .put(row.getInt(2), new Mark(instantOrNull(row, "until")));
            });
    Map<UUID, List<OpenEvent>> open = events.open(ids);
    Map<UUID, Stored> stored = new HashMap<>();
    for (UUID id : ids) {
      stored.put(
          id,
          new Stored(
              bases.getOrDefault(id, ""),
              buckets.get(id),
              open.getOrDefault(id, List.of()),
              marks.getOrDefault(id, Map.of())));
    }
    return stored;
  }

  /** What groups have learned; those of which nothing is stored are left out. */
  List<OutlierChanges.Learned> learned(Collection<UUID> groups) {
    return jdbc.sql(LEARNED)
        .param("ids", groups.toArray(UUID[]::new))
        .query(
            (row, number) ->
                new OutlierChanges.Learned(
                    row.getObject("group_id", UUID.class),
                    row.getString("basis"),
                    requireNonNull(instantOrNull(row, "bucket")),
                    row.getBytes("state"),
                    row.getBytes("shift")))
        .list();
  }

  /** Buckets of a group after one of them, up to another. */
  record Stretch(UUID group, String basis, Instant after, Instant until) {}

  /** Takes a bucket that was judged. */
  @FunctionalInterface
  interface BucketHandler {
    void bucket(UUID group, Instant bucket, int[] members, double[][] values);
  }

  /** Goes through what was judged, that of each group in order. */
  void judged(List<Stretch> stretches, BucketHandler handler) {
    if (stretches.isEmpty()) {
      return;
    }
    jdbc.sql(JUDGED)
        .param("ids", stretches.stream().map(Stretch::group).toArray(UUID[]::new))
        .param("bases", stretches.stream().map(Stretch::basis).toArray(String[]::new))
        .param(
            "after", stretches.stream().map(one -> one.after().toString()).toArray(String[]::new))
        .param(
            "until", stretches.stream().map(one -> one.until().toString()).toArray(String[]::new))
        .param(
            "least", utc(stretches.stream().map(Stretch::after).min(naturalOrder()).orElseThrow()))
        .param(
            "greatest",
            utc(stretches.stream().map(Stretch::until).max(naturalOrder()).orElseThrow()))
        .query(
            row -> {
              int[] members = Rows.ints(row, "members");
              handler.bucket(
                  row.getObject("group_id", UUID.class),
                  requireNonNull(instantOrNull(row, "bucket")),
                  members,
                  Rows.matrix(Rows.floats(row, "values"), members.length));
            });
  }

  /** Objects of which nothing was heard since a moment. */
  Set<Integer> gone(Instant before) {
    return Set.copyOf(jdbc.sql(GONE).param("before", utc(before)).query(Integer.class).list());
  }

  /** Writes what a tick has changed, in the transaction of the connection. */
  public void write(Connection connection, OutlierChanges changes) throws SQLException {
    try (PreparedStatement bucket = connection.prepareStatement(WRITE_BUCKET);
        PreparedStatement state = connection.prepareStatement(WRITE_STATE)) {
      int batched = 0;
      for (OutlierChanges.Bucket one : changes.buckets()) {
        bucket(connection, bucket, one);
        if (one.isLast()) {
          state(connection, state, one);
        }
        if (++batched % AT_ONCE == 0) {
          bucket.executeBatch();
          state.executeBatch();
        }
      }
      bucket.executeBatch();
      state.executeBatch();
    }
    try (PreparedStatement statement = connection.prepareStatement(WRITE_LEARNED)) {
      for (OutlierChanges.Learned one : changes.learned()) {
        statement.setObject(1, one.group());
        statement.setString(2, one.basis());
        statement.setObject(3, utc(one.bucket()));
        statement.setBytes(4, one.state());
        statement.setBytes(5, one.shift());
        statement.addBatch();
      }
      statement.executeBatch();
    }
    hours(connection, changes);
    try (PreparedStatement statement = connection.prepareStatement(WRITE_MEMBERSHIP)) {
      for (OutlierChanges.Membership one : changes.membership()) {
        statement.setObject(1, one.group());
        statement.setObject(2, utc(one.at()));
        statement.setString(3, one.joined() ? "joined" : "left");
        statement.setInt(4, one.members());
        statement.setArray(5, Rows.array(connection, one.objects()));
        statement.addBatch();
      }
      statement.executeBatch();
    }
    try (PreparedStatement statement = connection.prepareStatement(FAIL)) {
      for (OutlierChanges.Failure one : changes.failures()) {
        statement.setObject(1, one.group());
        statement.setString(2, one.state());
        statement.setString(3, one.error());
        statement.addBatch();
      }
      statement.executeBatch();
    }
    events.write(connection, changes);
  }

  private static void hours(Connection connection, OutlierChanges changes) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(WRITE_PAST)) {
      int batched = 0;
      for (OutlierChanges.HourLearned one : changes.past()) {
        statement.setObject(1, one.group());
        statement.setObject(2, utc(Instant.ofEpochSecond(one.hour().hour() * 3600)));
        statement.setString(3, one.basis());
        statement.setArray(4, Rows.array(connection, one.hour().low()));
        statement.setArray(5, Rows.array(connection, one.hour().mean()));
        statement.setArray(6, Rows.array(connection, one.hour().high()));
        statement.addBatch();
        if (++batched % AT_ONCE == 0) {
          statement.executeBatch();
        }
      }
      statement.executeBatch();
    }
    List<OutlierChanges.HourOver> over = changes.hours();
    if (over.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(WRITE_HOURS)) {
      List<Instant> hours = over.stream().map(OutlierChanges.HourOver::hour).toList();
      Object[] groups = over.stream().map(OutlierChanges.HourOver::group).toArray();
      Object[] bases = over.stream().map(OutlierChanges.HourOver::basis).toArray();
      statement.setArray(1, connection.createArrayOf("uuid", groups));
      statement.setArray(2, connection.createArrayOf("text", bases));
      statement.setArray(
          3, connection.createArrayOf("text", hours.stream().map(Instant::toString).toArray()));
      statement.setObject(4, utc(hours.stream().min(naturalOrder()).orElseThrow()));
      statement.setObject(
          5, utc(hours.stream().max(naturalOrder()).orElseThrow().plus(Duration.ofHours(1))));
      statement.executeUpdate();
    }
  }

  private static void bucket(
      Connection connection, PreparedStatement statement, OutlierChanges.Bucket one)
      throws SQLException {
    statement.setObject(1, one.group());
    statement.setObject(2, utc(one.bucket()));
    statement.setString(3, one.basis());
    statement.setString(4, one.state());
    statement.setInt(5, one.judged());
    statement.setArray(6, connection.createArrayOf("text", one.metrics().toArray()));
    statement.setArray(7, Rows.array(connection, one.members()));
    statement.setArray(8, Rows.array(connection, one.centre()));
    statement.setArray(9, Rows.array(connection, one.lower()));
    statement.setArray(10, Rows.array(connection, one.upper()));
    statement.setArray(11, Rows.array(connection, one.values()));
    statement.setArray(12, Rows.array(connection, one.scores()));
    statement.setArray(13, Rows.array(connection, one.score()));
    double[] usualLower = one.usualLower();
    double[] usualUpper = one.usualUpper();
    statement.setArray(14, usualLower == null ? null : Rows.array(connection, usualLower));
    statement.setArray(15, usualUpper == null ? null : Rows.array(connection, usualUpper));
    statement.addBatch();
  }

  private static void state(
      Connection connection, PreparedStatement statement, OutlierChanges.Bucket one)
      throws SQLException {
    statement.setObject(1, one.group());
    statement.setString(2, one.basis());
    statement.setObject(3, utc(one.bucket()));
    statement.setDouble(4, one.width().toSeconds());
    statement.setString(5, one.state());
    statement.setArray(6, connection.createArrayOf("text", one.metrics().toArray()));
    statement.setArray(7, connection.createArrayOf("text", one.states().toArray()));
    statement.setArray(8, Rows.array(connection, one.members()));
    statement.setInt(9, one.judged());
    statement.setArray(10, Rows.array(connection, one.judgedOf()));
    statement.setArray(11, Rows.array(connection, one.centre()));
    statement.setArray(12, Rows.array(connection, one.lower()));
    statement.setArray(13, Rows.array(connection, one.upper()));
    statement.setArray(14, Rows.array(connection, one.bands()));
    statement.setArray(15, Rows.array(connection, one.values()));
    statement.setArray(16, Rows.array(connection, one.expected()));
    statement.setArray(17, Rows.array(connection, one.low()));
    statement.setArray(18, Rows.array(connection, one.high()));
    statement.setArray(19, Rows.array(connection, one.scores()));
    statement.setArray(20, Rows.array(connection, one.score()));
    statement.setLong(21, one.nanos());
    statement.setString(
        22, one.usual() == null ? null : OutlierEventStore.JSON.writeValueAsString(one.usual()));
    statement.addBatch();
  }
}
