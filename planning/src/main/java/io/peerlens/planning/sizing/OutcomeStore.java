package io.peerlens.planning.sizing;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.ObjectRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Store of recommendations that were carried out. Thread-safe. */
final class OutcomeStore {

  static final String VCPUS = "config|hardware|numCpu";
  static final String MEMORY = "config|hardware|memoryKB";

  private static final String NOTICED =
      """
      select c.id as change, c.time, c.old_value, c.new_value, o.uuid, o.id as object, r.id, r.subject, r.kind, r.size, r.decision, r.decided_by,
        r.evidence -> 'series' ->> 'key' as series_key, (r.evidence -> 'series' ->> 'factor')::float8 as series_factor,
        r.evidence ->> 'reason' as reason
      from sizing_recommendation r join object o on o.id = r.object_id
      join object_change c on c.object_id = r.object_id and c.kind = 'property' and c.time >= r.first_seen_at
        and c.key = case r.subject when 'cpu' then :vcpus else :memory end
      where r.kind in ('too-small', 'too-large') and r.decision <> 'done'
        and not exists (select from sizing_outcome x where x.noticed_change_id = c.id)
      order by c.time, c.id
      """;

  private static final String INSERT =
      """
      insert into sizing_outcome (noticed_change_id, recommendation_id, object_id, resource, kind, size_before, size_after, recommended, approved,
        series_key, series_factor, changed_at, change_id)
      values (:noticed, :recommendation, :object, :resource, :kind, :before, :after, :recommended, :approved, :key, :factor, :at, :change)
      on conflict do nothing
      """;

  private static final String PUT_BACK =
      """
      update sizing_outcome x set put_back_at = (
        select min(c.time) from object_change c
        where c.object_id = x.object_id and c.kind = 'property' and c.time > x.changed_at and c.time < x.changed_at + :within::interval
          and c.key = case x.resource when 'cpu' then :vcpus else :memory end and c.new_value ~ '^[0-9]{1,15}$'
          and case x.kind when 'too-large' then c.new_value::float8 * case x.resource when 'cpu' then 1 else :factor end >= x.size_before
            else c.new_value::float8 * case x.resource when 'cpu' then 1 else :factor end <= x.size_before end)
      where x.put_back_at is null and x.changed_at > :since
      """;

  private static final String SELECT =
      """
      select x.*, o.uuid, o.adapter_kind, o.object_kind, o.name from sizing_outcome x join object o on o.id = x.object_id
      """;

  private final JdbcClient jdbc;

  OutcomeStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A change of a size for which there is a recommendation.
   *
   * @param change that a collector noticed
   * @param before size before it, in vCPUs or GB; NaN = no number
   * @param decidedBy who approved the recommendation; null = nobody
   */
  record Noticed(
      long change,
      Instant time,
      double before,
      double after,
      UUID uuid,
      int object,
      UUID recommendation,
      String resource,
      String kind,
      double recommended,
      boolean approved,
      @Nullable String decidedBy,
      @Nullable String seriesKey,
      double seriesFactor,
      String reason) {}

  /**
   * A recommendation that was carried out.
   *
   * @param change that was recorded for it; null = none
   * @param verdict as the contract has it; null = not judged
   */
  record Outcome(
      long noticed,
      UUID recommendation,
      int id,
      ObjectRef object,
      String resource,
      String kind,
      double before,
      double after,
      double recommended,
      boolean approved,
      @Nullable String seriesKey,
      double seriesFactor,
      Instant changedAt,
      @Nullable Long change,
      @Nullable Instant putBackAt,
      @Nullable Instant judgedAt,
      @Nullable String verdict,
      @Nullable String sentence) {}

  /** Changes of sizes since there are recommendations for them. */
  List<Noticed> noticed() {
    return jdbc.sql(NOTICED)
        .param("vcpus", VCPUS)
        .param("memory", MEMORY)
        .query(
            (row, number) -> {
              boolean approved = row.getString("decision").equals("approved");
              return new Noticed(
                  row.getLong("change"),
                  instant(row, "time"),
                  size(row, "old_value"),
                  size(row, "new_value"),
                  row.getObject("uuid", UUID.class),
                  row.getInt("object"),
                  row.getObject("id", UUID.class),
                  row.getString("subject"),
                  row.getString("kind"),
                  row.getDouble("size"),
                  approved,
                  approved ? row.getString("decided_by") : null,
                  row.getString("series_key"),
                  row.getDouble("series_factor"),
                  row.getString("reason"));
            })
        .list();
  }

  private static double size(ResultSet row, String column) throws SQLException {
    String text = row.getString(column);
    try {
      double value = text == null ? Double.NaN : Double.parseDouble(text);
      return row.getString("subject").equals(Found.CPU) ? value : value * Measure.KB_TO_GB;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /**
   * Notes that a recommendation was carried out; in the caller's transaction.
   *
   * @param change that was recorded for it
   */
  void insert(Noticed noticed, @Nullable Long change) {
    jdbc.sql(INSERT)
        .param("noticed", noticed.change())
        .param("recommendation", noticed.recommendation())
        .param("object", noticed.object())
        .param("resource", noticed.resource())
        .param("kind", noticed.kind())
        .param("before", noticed.before())
        .param("after", noticed.after())
        .param("recommended", noticed.recommended())
        .param("approved", noticed.approved())
        .param("key", noticed.seriesKey(), Types.VARCHAR)
        .param("factor", noticed.seriesFactor())
        .param("at", utc(noticed.time()))
        .param("change", change, Types.BIGINT)
        .update();
    jdbc.sql("update sizing_recommendation set decision = 'done' where id = :id")
        .param("id", noticed.recommendation())
        .update();
  }

  /**
   * Notes which sizes were put back.
   *
   * @param within time after a change; what comes later is another decision
   */
  void notePutBack(Instant now, Duration within) {
    jdbc.sql(PUT_BACK)
        .param("within", within.toSeconds() + " seconds")
        .param("since", utc(now.minus(within.multipliedBy(2))))
        .param("vcpus", VCPUS)
        .param("memory", MEMORY)
        .param("factor", Measure.KB_TO_GB)
        .update();
  }

  /** Those that were carried out since a moment, newest first. */
  List<Outcome> since(Instant moment) {
    return jdbc.sql(
            SELECT
                + "where x.changed_at >= :since order by x.changed_at desc, noticed_change_id desc")
        .param("since", utc(moment))
        .query((row, number) -> outcome(row))
        .list();
  }

  /** Those that are to be judged: old enough, or put back. */
  List<Outcome> due(Instant before) {
    return jdbc.sql(
            SELECT
                + "where x.judged_at is null and (x.changed_at <= :before or x.put_back_at is not null) order by x.changed_at limit 100")
        .param("before", utc(before))
        .query((row, number) -> outcome(row))
        .list();
  }

  void judged(Outcome outcome, String verdict, String sentence, Instant now) {
    jdbc.sql(
            "update sizing_outcome set judged_at = :now, verdict = :verdict, sentence = :sentence where noticed_change_id = :id")
        .param("now", utc(now))
        .param("verdict", verdict)
        .param("sentence", sentence)
        .param("id", outcome.noticed())
        .update();
  }

  private static Outcome outcome(ResultSet row) throws SQLException {
    return new Outcome(
        row.getLong("noticed_change_id"),
        row.getObject("recommendation_id", UUID.class),
        row.getInt("object_id"),
        new ObjectRef(
            row.getObject("uuid", UUID.class),
            row.getString("adapter_kind"),
            row.getString("object_kind"),
            row.getString("name")),
        row.getString("resource"),
        row.getString("kind"),
        row.getDouble("size_before"),
        row.getDouble("size_after"),
        row.getDouble("recommended"),
        row.getBoolean("approved"),
        row.getString("series_key"),
        row.getDouble("series_factor"),
        instant(row, "changed_at"),
        row.getObject("change_id", Long.class),
        instantOrNull(row, "put_back_at"),
        instantOrNull(row, "judged_at"),
        row.getString("verdict"),
        row.getString("sentence"));
  }
}
