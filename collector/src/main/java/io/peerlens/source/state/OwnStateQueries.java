package io.peerlens.source.state;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.source.SourceError;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** Queries of how sources do that Peerlens reads itself. */
final class OwnStateQueries {

  private static final String STATES =
      """
      select source_id, part, last_at, good_at, took_ms, intervals, objects, samples, failures,
             error, failing_since
      from source_state order by source_id, part
      """;

  /** By the clock of the database, as leases are. */
  private static final String LEASES =
      "select source_id, node, taken_at from source_lease where lease_until > now()";

  private static final String RATES =
      "select source_id, bucket, samples from source_rate where bucket >= :from";

  private static final String ABOUTS = "select source_id, about from source_about";

  private final JdbcClient jdbc;

  OwnStateQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** A node that reads a source. */
  record Lease(String node, Instant takenAt) {}

  /** The newest rounds, by source. */
  Map<UUID, List<PartState>> states() {
    Map<UUID, List<PartState>> states = new HashMap<>();
    jdbc.sql(STATES)
        .query(
            row -> {
              states
                  .computeIfAbsent(row.getObject("source_id", UUID.class), id -> new ArrayList<>())
                  .add(part(row));
            });
    return states;
  }

  private static PartState part(ResultSet row) throws SQLException {
    return new PartState(
        row.getString("part"),
        instant(row, "last_at"),
        instantOrNull(row, "good_at"),
        Duration.ofMillis(row.getLong("took_ms")),
        durations(row.getArray("intervals")),
        row.getLong("objects"),
        row.getLong("samples"),
        row.getLong("failures"),
        error(row.getString("error")),
        instantOrNull(row, "failing_since"));
  }

  static List<Duration> durations(Array millis) throws SQLException {
    return Arrays.stream((Long[]) millis.getArray()).map(Duration::ofMillis).toList();
  }

  static @Nullable SourceError error(@Nullable String json) {
    return json == null ? null : JsonMapper.shared().readValue(json, SourceError.class);
  }

  /** Who reads sources now. */
  Map<UUID, Lease> leases() {
    Map<UUID, Lease> leases = new HashMap<>();
    jdbc.sql(LEASES)
        .query(
            row -> {
              leases.put(
                  row.getObject("source_id", UUID.class),
                  new Lease(row.getString("node"), instant(row, "taken_at")));
            });
    return leases;
  }

  /** What sources say that they are. */
  Map<UUID, String> abouts() {
    Map<UUID, String> abouts = new HashMap<>();
    jdbc.sql(ABOUTS)
        .query(
            row -> {
              abouts.put(row.getObject("source_id", UUID.class), row.getString("about"));
            });
    return abouts;
  }

  /** How much came, by source. */
  Map<UUID, Trend> trends(Instant now) {
    Map<UUID, Trend> trends = new HashMap<>();
    jdbc.sql(RATES)
        .param("from", utc(Trend.from(now)))
        .query(
            row -> {
              trends
                  .computeIfAbsent(
                      row.getObject("source_id", UUID.class), id -> new Trend(now, Duration.ZERO))
                  .add(instant(row, "bucket"), row.getLong("samples"));
            });
    return trends;
  }
}
