package io.peerlens.alert;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Looks up what metric keys are called and in which unit they are. */
public final class MetricNameQueries implements Explanations.Names {

  private static final String UNIT =
      """
      select units[array_position(metrics, :metric)] from metric_group
      where adapter_kind = :adapter and object_kind = :kind and name = :group
      """;

  private final JdbcClient jdbc;

  public MetricNameQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @Override
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

  @Override
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
