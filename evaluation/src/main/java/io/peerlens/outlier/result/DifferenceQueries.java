package io.peerlens.outlier.result;

import static io.peerlens.database.Times.instant;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Differences in the configuration of members, as the evaluation knows them. */
public final class DifferenceQueries {

  private static final String SINCE =
      "select object_id, key, since from outlier_difference where group_id = :id";

  private static final String EVENTS =
      """
      select object_id, id from outlier_event
      where group_id = :id and status <> 'closed' and evidence = 'configuration' and object_id is not null
      """;

  private final JdbcClient jdbc;

  DifferenceQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** A property of a member. */
  record Place(int object, String key) {}

  /**
   * What is known of the differences in a group.
   *
   * @param since end of the first bucket of each
   * @param events open events, by object
   */
  record Known(Map<Place, Instant> since, Map<Integer, UUID> events) {
    static final Known NOTHING = new Known(Map.of(), Map.of());
  }

  Known known(UUID group) {
    Map<Place, Instant> since = new HashMap<>();
    jdbc.sql(SINCE)
        .param("id", group)
        .query(
            row -> {
              since.put(
                  new Place(row.getInt("object_id"), row.getString("key")), instant(row, "since"));
            });
    Map<Integer, UUID> events = new HashMap<>();
    jdbc.sql(EVENTS)
        .param("id", group)
        .query(
            row -> {
              events.put(row.getInt("object_id"), row.getObject("id", UUID.class));
            });
    return new Known(since, events);
  }
}
