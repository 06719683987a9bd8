package io.peerlens.summary;

import io.peerlens.api.model.Severity;
import io.peerlens.api.model.SeverityCount;
import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Counts of open alerts and outlier events, in one query. */
final class SummaryQueries {

  private static final String COUNTS =
      """
      select count(*) filter (where severity = 4) as critical, count(*) filter (where severity = 3) as immediate,
        count(*) filter (where severity = 2) as warning, count(*) filter (where severity = 1) as information,
        (select count(*) from outlier_event where status <> 'closed' and archived_at is null) as events,
        (select count(*) from job where finished_at is null) as jobs,
        (select value ->> 'url' from setting where name = 'notifications') as url
      from alert where status <> 'canceled' and control_state in ('open', 'acknowledged')
      """;

  /**
   * @param links whether notifications carry links to the pages
   */
  record Counts(List<SeverityCount> alerts, long outlierEvents, long jobs, boolean links) {}

  private final JdbcClient jdbc;
  private final String configuredUrl;

  /**
   * @param configuredUrl where links lead while nothing is set over the API; empty = nowhere
   */
  SummaryQueries(JdbcClient jdbc, String configuredUrl) {
    this.jdbc = jdbc;
    this.configuredUrl = configuredUrl;
  }

  Counts counts() {
    return jdbc.sql(COUNTS)
        .query(
            (row, number) -> {
              List<SeverityCount> alerts = new ArrayList<>();
              for (Severity severity : List.of(Severity.values()).reversed()) {
                long count = row.getLong(severity.getValue());
                if (count > 0) {
                  alerts.add(new SeverityCount(severity, count));
                }
              }
              return new Counts(
                  alerts,
                  row.getLong("events"),
                  row.getLong("jobs"),
                  row.getString("url") != null || !configuredUrl.isEmpty());
            })
        .single();
  }
}
