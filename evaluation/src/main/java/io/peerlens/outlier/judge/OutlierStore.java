package io.peerlens.outlier.judge;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;
import static java.util.Comparator.naturalOrder;

import io.peerlens.database.NamedStatement;
import io.peerlens.database.Rows;
import io.peerlens.outlier.group.Mark;
import io.peerlens.outliers.Drift;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Store of outlier groups: learned states, judged buckets, and members over time. Written in the
 * transaction of a tick.
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
      values (:group, :bucket, :basis, :state, :judged, :metrics, :members, :centre, :lower, :upper, :values, :scores, :score,
        :usualLower, :usualUpper)
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
      values (:group, :basis, :bucket, make_interval(secs => :width), :state, :metrics, :states, :members, :judged, :judgedOf,
        :centre, :lower, :upper, :bands, :values, :expected, :low, :high, :scores, :score, :nanos, :usual::jsonb)
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
      insert into outlier_learned (group_id, basis, bucket, state, shift) values (:group, :basis, :bucket, :state, :shift)
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
        from unnest(:groups::uuid[], :bases::text[], :hours::timestamptz[]) as w(id, basis, hour)
          join outlier_bucket b on b.group_id = w.id and b.basis = w.basis and b.bucket >= w.hour
            and b.bucket < w.hour + interval '1 hour'
          cross join lateral unnest(b.centre) with ordinality as c(centre, m)
        where b.bucket >= :first and b.bucket < :end
        group by 1, 2, 3, 4) x
      group by 1, 2, 3
      on conflict (group_id, hour) do update
      set basis = excluded.basis, low = excluded.low, mean = excluded.mean, high = excluded.high
      """;

  /** Hours that were judged by the same basis stay as they are. */
  private static final String WRITE_PAST =
      """
      insert into outlier_hour as h (group_id, hour, basis, low, mean, high) values (:group, :hour, :basis, :low, :mean, :high)
      on conflict (group_id, hour) do update
      set basis = excluded.basis, low = excluded.low, mean = excluded.mean, high = excluded.high
      where h.basis <> excluded.basis
      """;

  private static final String WRITE_MEMBERSHIP =
      """
      insert into outlier_membership (group_id, at, kind, object_id, members)
      select :group, :at, :kind, o.id, :members from unnest(:objects) with ordinality as m(id, place)
        join object o on o.id = m.id order by m.place
      """;

  /**
   * A group without a state has not been judged yet; what keeps it from that is stored all the
   * same.
   */
  private static final String FAIL =
      """
      insert into outlier_state (group_id, basis, bucket, width, state, metrics, states, members, judged, judged_of, centre,
        lower, upper, bands, values, expected, low, high, scores, score, nanos, error)
      values (:group, '', '-infinity', interval '0', :state, '{}', '{}', '{}', 0, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
        '{}', '{}', '{}', 0, :error)
      on conflict (group_id) do update set state = excluded.state, error = excluded.error
      """;

  private static final String DIFFERENCES =
      """
      select group_id, object_id, key, value, common, agree, judged, since from outlier_difference where group_id = any (:ids)
      """;

  private static final String DIFFERS =
      """
      insert into outlier_difference (group_id, object_id, key, value, common, agree, judged, since)
      select :group, o.id, :key, :value, :common, :agree, :judged, :since from object o where o.id = :object
      on conflict (group_id, object_id, key) do update
      set value = excluded.value, common = excluded.common, agree = excluded.agree, judged = excluded.judged,
        since = excluded.since
      """;

  private static final String AGREES =
      "delete from outlier_difference where group_id = :group and object_id = :object and key = :key";

  /** So many rows with arrays are sent at once. */
  private static final int AT_ONCE = 200;

  private final JdbcClient jdbc;
  private final OutlierEventStore events;

  OutlierStore(JdbcClient jdbc, OutlierEventStore events) {
    this.jdbc = jdbc;
    this.events = events;
  }

  /**
   * Stored progress of a group.
   *
   * @param basis what it has learned by; empty = it was not judged yet
   * @param bucket start of the bucket that was judged last; null = none
   * @param differences in configuration
   * @param drifted open events of these
   */
  record Stored(
      String basis,
      @Nullable Instant bucket,
      List<OpenEvent> open,
      List<Drift.Difference> differences,
      List<OpenDrift> drifted,
      Map<Integer, Mark> marks) {}

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
              buckets.put(id, instant(row, "bucket"));
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
    Map<UUID, List<Drift.Difference>> differences = new HashMap<>();
    jdbc.sql(DIFFERENCES)
        .param("ids", ids)
        .query(
            row -> {
              differences
                  .computeIfAbsent(row.getObject("group_id", UUID.class), id -> new ArrayList<>())
                  .add(
                      new Drift.Difference(
                          row.getInt("object_id"),
                          row.getString("key"),
                          row.getString("value"),
                          row.getString("common"),
                          row.getInt("agree"),
                          row.getInt("judged"),
                          instant(row, "since").toEpochMilli()));
            });
    Map<UUID, List<OpenDrift>> drifted = events.drifted(ids);
    Map<UUID, Stored> stored = new HashMap<>();
    for (UUID id : ids) {
      stored.put(
          id,
          new Stored(
              bases.getOrDefault(id, ""),
              buckets.get(id),
              open.getOrDefault(id, List.of()),
              differences.getOrDefault(id, List.of()),
              drifted.getOrDefault(id, List.of()),
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
                    instant(row, "bucket"),
                    row.getBytes("state"),
                    row.getBytes("shift")))
        .list();
  }

  /** Buckets of a group after one of them, up to another. */
  record Stretch(UUID group, String basis, Instant after, Instant until) {}

  /** Handler of judged buckets. */
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
                  instant(row, "bucket"),
                  members,
                  matrix(Rows.floats(row, "values"), members.length));
            });
  }

  /** Objects of which nothing was heard since a moment. */
  Set<Integer> gone(Instant before) {
    return Set.copyOf(jdbc.sql(GONE).param("before", utc(before)).query(Integer.class).list());
  }

  /** Writes what a tick has changed, in the transaction of the connection. */
  public void write(Connection connection, OutlierChanges changes) throws SQLException {
    try (NamedStatement buckets = new NamedStatement(connection, WRITE_BUCKET);
        NamedStatement states = new NamedStatement(connection, WRITE_STATE)) {
      for (OutlierChanges.Bucket one : changes.buckets()) {
        bucket(buckets, one)
            .set("usualLower", one.usualLower())
            .set("usualUpper", one.usualUpper());
        buckets.add();
        if (one.isLast()) {
          state(bucket(states, one), one).add();
        }
        if (buckets.size() == AT_ONCE) {
          buckets.run();
          states.run();
        }
      }
      buckets.run();
      states.run();
    }
    try (NamedStatement batch = new NamedStatement(connection, WRITE_LEARNED)) {
      for (OutlierChanges.Learned one : changes.learned()) {
        batch
            .set("group", one.group())
            .set("basis", one.basis())
            .set("bucket", one.bucket())
            .set("state", one.state())
            .set("shift", one.shift())
            .add();
      }
      batch.run();
    }
    hours(connection, changes);
    try (NamedStatement batch = new NamedStatement(connection, WRITE_MEMBERSHIP)) {
      for (OutlierChanges.Membership one : changes.membership()) {
        batch
            .set("group", one.group())
            .set("at", one.at())
            .set("kind", one.joined() ? "joined" : "left")
            .set("members", one.members())
            .set("objects", one.objects())
            .add();
      }
      batch.run();
    }
    try (NamedStatement batch = new NamedStatement(connection, FAIL)) {
      for (OutlierChanges.Failure one : changes.failures()) {
        batch.set("group", one.group()).set("state", one.state()).set("error", one.error()).add();
      }
      batch.run();
    }
    differences(connection, changes);
    events.write(connection, changes);
  }

  private static void differences(Connection connection, OutlierChanges changes)
      throws SQLException {
    try (NamedStatement batch = new NamedStatement(connection, AGREES)) {
      for (OutlierChanges.Agrees one : changes.agrees()) {
        batch
            .set("group", one.group())
            .set("object", (Integer) one.object())
            .set("key", one.key())
            .add();
      }
      batch.run();
    }
    try (NamedStatement batch = new NamedStatement(connection, DIFFERS)) {
      for (OutlierChanges.Differs one : changes.differs()) {
        Drift.Difference difference = one.difference();
        batch
            .set("group", one.group())
            .set("object", (Integer) difference.member())
            .set("key", difference.key())
            .set("value", difference.value())
            .set("common", difference.common())
            .set("agree", (Integer) difference.agree())
            .set("judged", (Integer) difference.judged())
            .set("since", Instant.ofEpochMilli(difference.since()))
            .add();
      }
      batch.run();
    }
  }

  private static void hours(Connection connection, OutlierChanges changes) throws SQLException {
    try (NamedStatement batch = new NamedStatement(connection, WRITE_PAST)) {
      for (OutlierChanges.HourLearned one : changes.past()) {
        batch
            .set("group", one.group())
            .set("hour", Instant.ofEpochSecond(one.hour().hour() * 3600))
            .set("basis", one.basis())
            .set("low", one.hour().low())
            .set("mean", one.hour().mean())
            .set("high", one.hour().high())
            .add();
        if (batch.size() == AT_ONCE) {
          batch.run();
        }
      }
      batch.run();
    }
    List<OutlierChanges.HourOver> over = changes.hours();
    if (over.isEmpty()) {
      return;
    }
    List<Instant> hours = over.stream().map(OutlierChanges.HourOver::hour).toList();
    try (NamedStatement batch = new NamedStatement(connection, WRITE_HOURS)) {
      batch
          .set("groups", "uuid", over.stream().map(OutlierChanges.HourOver::group).toList())
          .set("bases", "text", over.stream().map(OutlierChanges.HourOver::basis).toList())
          .set("hours", "text", hours.stream().map(Instant::toString).toList())
          .set("first", hours.stream().min(naturalOrder()).orElseThrow())
          .set("end", hours.stream().max(naturalOrder()).orElseThrow().plus(Duration.ofHours(1)))
          .add();
      batch.run();
    }
  }

  /** Sets what both tables hold of a bucket. */
  private static NamedStatement bucket(NamedStatement batch, OutlierChanges.Bucket one)
      throws SQLException {
    return batch
        .set("group", one.group())
        .set("bucket", one.bucket())
        .set("basis", one.basis())
        .set("state", one.state())
        .set("judged", one.judged())
        .set("metrics", "text", one.metrics())
        .set("members", one.members())
        .set("centre", one.centre())
        .set("lower", one.lower())
        .set("upper", one.upper())
        .set("values", one.values())
        .set("scores", one.scores())
        .set("score", one.score());
  }

  private static NamedStatement state(NamedStatement batch, OutlierChanges.Bucket one)
      throws SQLException {
    return batch
        .set("width", (double) one.width().toSeconds())
        .set("states", "text", one.states())
        .set("judgedOf", one.judgedOf())
        .set("bands", one.bands())
        .set("expected", one.expected())
        .set("low", one.low())
        .set("high", one.high())
        .set("nanos", one.nanos())
        .json("usual", one.usual());
  }

  /** One row for each metric, of an array that holds one metric after the other. */
  private static double[][] matrix(float[] values, int members) {
    double[][] matrix = new double[members == 0 ? 0 : values.length / members][members];
    for (int m = 0; m < matrix.length; m++) {
      for (int i = 0; i < members; i++) {
        matrix[m][i] = values[m * members + i];
      }
    }
    return matrix;
  }
}
