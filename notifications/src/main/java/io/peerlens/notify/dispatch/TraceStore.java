package io.peerlens.notify.dispatch;

import static io.peerlens.database.Times.utc;

import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import tools.jackson.databind.json.JsonMapper;

/** Store of traces: why somebody was, or was not, notified. */
final class TraceStore {

  private static final String PUT =
      """
      insert into notification_trace (at, alert_id, event, change, rule_id, rule_name, matched, words, checks, targets)
      values (:at, :alert, :event, :change, :rule, :ruleName, :matched, :words, :checks::jsonb, :targets::jsonb)
      """;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final NamedParameterJdbcTemplate jdbc;

  TraceStore(JdbcTemplate jdbc) {
    this.jdbc = new NamedParameterJdbcTemplate(jdbc);
  }

  void put(List<Trace> traces) {
    jdbc.batchUpdate(
        PUT, traces.stream().map(TraceStore::parameters).toArray(SqlParameterSource[]::new));
  }

  private static SqlParameterSource parameters(Trace trace) {
    return new MapSqlParameterSource("at", utc(trace.at))
        .addValue("alert", trace.alert)
        .addValue("event", trace.event)
        .addValue("change", trace.change)
        .addValue("rule", trace.rule)
        .addValue("ruleName", trace.ruleName)
        .addValue("matched", trace.matched)
        .addValue("words", trace.words)
        .addValue("checks", JSON.writeValueAsString(trace.checks))
        .addValue("targets", JSON.writeValueAsString(trace.targets));
  }
}
