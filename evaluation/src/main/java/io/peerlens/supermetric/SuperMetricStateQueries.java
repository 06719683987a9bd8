package io.peerlens.supermetric;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Results of the last ticks of super metrics, as stored. */
final class SuperMetricStateQueries {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final TypeReference<Map<String, Integer>> COUNTS = new TypeReference<>() {};

  private static final String STATES =
      """
      select super_metric_id, adapter_kind, object_kind, tick, computed, no_data, nanos, error
      from super_metric_state
      where super_metric_id = any (:ids)
      order by super_metric_id, adapter_kind, object_kind
      """;

  private final JdbcClient jdbc;

  SuperMetricStateQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Result of the last tick for one kind.
   *
   * @param noData objects without a value, by the name of a {@link
   *     io.peerlens.supermetrics.program.Reason}
   */
  record KindState(
      ObjectKind kind,
      Instant tick,
      int computed,
      Map<String, Integer> noData,
      long nanos,
      @Nullable String error) {}

  /** By super metric; those without a tick are left out. */
  Map<UUID, List<KindState>> of(Collection<UUID> ids) {
    Map<UUID, List<KindState>> states = new HashMap<>();
    if (ids.isEmpty()) {
      return states;
    }
    jdbc.sql(STATES)
        .param("ids", ids.toArray(UUID[]::new))
        .query(
            row -> {
              states
                  .computeIfAbsent(
                      row.getObject("super_metric_id", UUID.class), id -> new ArrayList<>())
                  .add(
                      new KindState(
                          new ObjectKind(
                              row.getString("adapter_kind"), row.getString("object_kind")),
                          row.getObject("tick", OffsetDateTime.class).toInstant(),
                          row.getInt("computed"),
                          JSON.readValue(row.getString("no_data"), COUNTS),
                          row.getLong("nanos"),
                          row.getString("error")));
            });
    return states;
  }
}
