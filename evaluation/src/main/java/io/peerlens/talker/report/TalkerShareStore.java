package io.peerlens.talker.report;

import static io.peerlens.database.Times.utc;

import io.peerlens.definition.Definitions;
import io.peerlens.ingest.key.ObjectKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Store of the talkers whose share was found to be too large. Thread-safe. */
final class TalkerShareStore {

  static final String ADAPTER_KIND = "Peerlens";
  static final String OBJECT_KIND = "TalkerReport";

  private static final String JUDGED =
      """
      select report_id, judged_version, judged_from, judged_until, over from talker_report_state
      where report_id = any (:ids) and judged_version is not null
      """;

  /** What was found by an earlier version, or of an earlier time, does not come after. */
  private static final String PUT =
      """
      update talker_report_state
      set judged_version = :version, judged_from = :from, judged_until = :until, over = :over::jsonb
      where report_id = :report
        and (judged_version is null or (judged_version, judged_until) < (:version, :until::timestamptz))
      """;

  private static final String OBJECT =
      """
      insert into object (uuid, adapter_kind, object_kind, external_id, name, attributes_time, first_seen)
      values (:uuid, :adapter, :kind, :external, :name, :now, :now)
      on conflict (uuid) do update set name = excluded.name, attributes_time = excluded.attributes_time
      where object.name <> excluded.name
      """;

  /** For those who keep the inventory in memory. */
  private static final String CHANGED = "update inventory_version set version = version + 1";

  private static final String OBJECT_ID = "select id from object where uuid = :uuid";

  private static final String SEEN =
      """
      insert into object_liveness (object_id, last_seen) values (:id, :now)
      on conflict (object_id) do update set last_seen = excluded.last_seen
      """;

  /** What stood for reports that are gone, once nothing is kept of their alerts. */
  private static final String FORGET =
      """
      delete from object o
      where o.adapter_kind = :adapter and o.object_kind = :kind
        and not exists (select from talker_report r where r.id::text = o.external_id)
        and not exists (select from alert a where a.object_id = o.id)
      """;

  private final JdbcClient jdbc;

  TalkerShareStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Judgement of a report.
   *
   * @param version of the report
   * @param from start of what was counted
   * @param until its end
   * @param over most first
   */
  record Judged(long version, Instant from, Instant until, List<OverShare> over) {}

  /** The newest of each report; those that were never looked at are left out. */
  Map<UUID, Judged> judged(Collection<UUID> reports) {
    Map<UUID, Judged> judged = new HashMap<>();
    if (reports.isEmpty()) {
      return judged;
    }
    jdbc.sql(JUDGED)
        .param("ids", reports.toArray(UUID[]::new))
        .query(
            row -> {
              judged.put(row.getObject("report_id", UUID.class), judged(row));
            });
    return judged;
  }

  private static Judged judged(ResultSet row) throws SQLException {
    return new Judged(
        row.getLong("judged_version"),
        row.getObject("judged_from", OffsetDateTime.class).toInstant(),
        row.getObject("judged_until", OffsetDateTime.class).toInstant(),
        List.of(Definitions.read(row.getString("over"), OverShare[].class)));
  }

  void put(UUID report, Judged judged) {
    jdbc.sql(PUT)
        .param("report", report)
        .param("version", judged.version())
        .param("from", utc(judged.from()))
        .param("until", utc(judged.until()))
        .param("over", Definitions.write(judged.over()))
        .update();
  }

  /** The object that stands for a report whose talkers are none. */
  int object(TalkerReport report, Instant now) {
    ObjectKey key = new ObjectKey(ADAPTER_KIND, OBJECT_KIND, report.id().toString());
    int changed =
        jdbc.sql(OBJECT)
            .param("uuid", key.uuid())
            .param("adapter", ADAPTER_KIND)
            .param("kind", OBJECT_KIND)
            .param("external", report.id().toString())
            .param("name", report.name())
            .param("now", utc(now))
            .update();
    if (changed > 0) {
      jdbc.sql(CHANGED).update();
    }
    int id = jdbc.sql(OBJECT_ID).param("uuid", key.uuid()).query(Integer.class).single();
    jdbc.sql(SEEN).param("id", id).param("now", utc(now)).update();
    return id;
  }

  /** Removes what stood for reports that are gone. */
  void forgetObjects() {
    if (jdbc.sql(FORGET).param("adapter", ADAPTER_KIND).param("kind", OBJECT_KIND).update() > 0) {
      jdbc.sql(CHANGED).update();
    }
  }
}
