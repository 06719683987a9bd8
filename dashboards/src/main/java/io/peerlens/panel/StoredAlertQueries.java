package io.peerlens.panel;

import static io.peerlens.database.Times.utc;

import io.peerlens.dashboard.file.Column.State;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stored alerts; each call is one statement. */
final class StoredAlertQueries implements PanelAlertQueries {

  /** Those in maintenance or suspended say nothing about the state of an object now. */
  private static final String OPEN =
      """
      opened_at <= :at and (canceled_at is null or canceled_at > :at)
        and (not :now or control_state in ('open', 'acknowledged'))
      """;

  private static final String WORST =
      "select object_id, count(*) as alerts, max(severity) as worst from alert where object_id = any (:ids) and "
          + OPEN
          + " group by object_id";

  private static final String LIST =
      """
      select a.id, a.number, a.definition_name, a.object_id, a.severity, a.opened_at, a.owner, count(*) over () as total
      from alert a where (:all or a.object_id = any (:ids)) and a.severity >= :severity and
      """
          + OPEN
          + " order by a.severity desc, a.opened_at desc, a.id limit :limit";

  private static final String DURING =
      """
      select object_id, severity, opened_at, canceled_at from alert
      where object_id = any (:ids) and opened_at < :to and (canceled_at is null or canceled_at > :from)
      order by object_id, opened_at
      """;

  private final JdbcClient jdbc;

  StoredAlertQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public Map<Integer, Open> worst(int[] ids, Instant at, @Nullable Instant past) {
    Map<Integer, Open> found = new HashMap<>();
    jdbc.sql(WORST)
        .param("ids", StoredObjectQueries.boxed(ids))
        .param("at", utc(at))
        .param("now", past == null)
        .query(
            row -> {
              found.put(row.getInt(1), new Open(row.getInt(2), state(row.getInt(3))));
            });
    return found;
  }

  @Override
  public List<Listed> list(
      int @Nullable [] ids, int severity, Instant at, @Nullable Instant past, int limit) {
    return jdbc.sql(LIST)
        .param("all", ids == null)
        .param("ids", ids == null ? new Integer[0] : StoredObjectQueries.boxed(ids))
        .param("severity", severity)
        .param("at", utc(at))
        .param("now", past == null)
        .param("limit", limit)
        .query(
            (row, number) ->
                new Listed(
                    row.getObject("id", UUID.class),
                    row.getLong("number"),
                    row.getString("definition_name"),
                    row.getInt("object_id"),
                    row.getInt("severity"),
                    row.getObject("opened_at", OffsetDateTime.class).toInstant(),
                    row.getString("owner"),
                    row.getInt("total")))
        .list();
  }

  @Override
  public List<Stretch> during(int[] ids, Instant from, Instant to) {
    return jdbc.sql(DURING)
        .param("ids", StoredObjectQueries.boxed(ids))
        .param("from", utc(from))
        .param("to", utc(to))
        .query(
            (row, number) -> {
              OffsetDateTime end = row.getObject(4, OffsetDateTime.class);
              return new Stretch(
                  row.getInt(1),
                  state(row.getInt(2)),
                  row.getObject(3, OffsetDateTime.class).toInstant(),
                  end == null ? null : end.toInstant());
            })
        .list();
  }

  /** Information is no reason to look. */
  private static State state(int severity) {
    return switch (severity) {
      case 2 -> State.WARNING;
      case 3 -> State.IMMEDIATE;
      case 4 -> State.CRITICAL;
      default -> State.NORMAL;
    };
  }
}
