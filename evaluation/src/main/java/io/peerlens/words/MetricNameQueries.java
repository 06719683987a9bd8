package io.peerlens.words;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Names and units of metric keys, from the database. */
public final class MetricNameQueries {

  private static final String UNIT =
      """
      select units[array_position(metrics, :metric)] from metric_group
      where adapter_kind = :adapter and object_kind = :kind and name = :group
      """;

  private final JdbcClient jdbc;

  public MetricNameQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** The unit as the collector names it; null = none is known. */
  public @Nullable String unit(ObjectKind kind, String key) {
    MetricKey metric = MetricKey.parse(key);
    Optional<String> unit =
        jdbc.sql(UNIT)
            .param("metric", metric.metric())
            .param("adapter", kind.adapterKind())
            .param("kind", kind.objectKind())
            .param("group", metric.group())
            .query((row, number) -> Optional.ofNullable(row.getString(1)))
            .optional()
            .flatMap(found -> found);
    return unit.filter(text -> !text.isBlank()).orElse(null);
  }

  /** A key in words; a super metric by its name. */
  public String name(String key) {
    UUID superMetric = Keys.superMetric(key);
    if (superMetric != null) {
      return jdbc.sql("select name from super_metric where id = :id")
          .param("id", superMetric)
          .query(String.class)
          .optional()
          .orElse(key);
    }
    return MetricWords.of(key);
  }
}
