package io.peerlens.outlier.event;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.definition.StoredRule;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.group.OutlierGroupStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * Store, with each event, of what set its member apart while it was open: found out soon after it
 * opened, and anew when somebody reads it later.
 */
public final class ApartStore {

  private static final Logger log = LoggerFactory.getLogger(ApartStore.class);

  private static final Duration HOLDS = Duration.ofMinutes(5);
  private static final int MOST_AT_ONCE = 50;

  private static final String SELECT =
      "select id, group_id, object_id, status, since, last_bucket, apart, apart_at from outlier_event where ";

  private final JdbcClient jdbc;
  private final OutlierGroupStore groups;
  private final Apart apart;
  private final InstantSource clock;

  ApartStore(JdbcClient jdbc, OutlierGroupStore groups, Apart apart, InstantSource clock) {
    this.jdbc = jdbc;
    this.groups = groups;
    this.apart = apart;
    this.clock = clock;
  }

  private record Row(
      UUID id,
      UUID group,
      @Nullable Integer object,
      boolean closed,
      Instant since,
      Instant lastBucket,
      Apart.@Nullable Found found,
      @Nullable Instant foundAt) {}

  /** What set the member of an event apart. */
  Apart.Found of(UUID event) {
    Row row =
        jdbc.sql(SELECT + "id = :id").param("id", event).query((r, number) -> row(r)).single();
    Apart.Found known = row.found();
    Instant at = row.foundAt();
    if (known != null && (row.closed() || at != null && at.plus(HOLDS).isAfter(clock.instant()))) {
      return known;
    }
    return find(row);
  }

  /** Finds it out for events that have opened lately. */
  void look() {
    List<Row> rows =
        jdbc.sql(
                SELECT
                    + """
                    apart is null and status <> 'closed' and object_id is not null
                    order by opened_at desc limit :most
                    """)
            .param("most", MOST_AT_ONCE)
            .query((row, number) -> row(row))
            .list();
    for (Row row : rows) {
      try {
        find(row);
      } catch (RuntimeException e) {
        log.warn("What sets the member of event {} apart cannot be found out", row.id(), e);
        keep(row.id(), Apart.Found.NOTHING); // it is tried again when somebody asks
      }
    }
  }

  private Apart.Found find(Row row) {
    OutlierGroup group =
        Optional.ofNullable(groups.byId().get(row.group())).map(StoredRule::rule).orElse(null);
    Integer object = row.object();
    if (group == null || object == null) {
      return row.found() == null ? Apart.Found.NOTHING : row.found();
    }
    Apart.Found found = apart.of(new Apart.Subject(group, object, row.since(), row.lastBucket()));
    keep(row.id(), found);
    return found;
  }

  private void keep(UUID event, Apart.Found found) {
    jdbc.sql("update outlier_event set apart = :apart::jsonb, apart_at = :at where id = :id")
        .param("apart", JsonMapper.shared().writeValueAsString(found))
        .param("at", utc(clock.instant()))
        .param("id", event)
        .update();
  }

  private static Row row(ResultSet row) throws SQLException {
    int object = row.getInt("object_id");
    Integer number = row.wasNull() ? null : object;
    String found = row.getString("apart");
    return new Row(
        row.getObject("id", UUID.class),
        row.getObject("group_id", UUID.class),
        number,
        row.getString("status").equals("closed"),
        instant(row, "since"),
        instant(row, "last_bucket"),
        found == null ? null : JsonMapper.shared().readValue(found, Apart.Found.class),
        instantOrNull(row, "apart_at"));
  }
}
