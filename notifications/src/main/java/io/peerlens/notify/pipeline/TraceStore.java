package io.peerlens.notify.pipeline;

import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.json.JsonMapper;

/** Writes why somebody was, or was not, notified. */
final class TraceStore {

  private static final String PUT =
      """
      insert into notification_trace (at, alert_id, event, change, rule_id, rule_name, matched, words, checks, targets)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb)
      """;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final JdbcTemplate template;

  TraceStore(JdbcTemplate template) {
    this.template = template;
  }

  void put(List<Trace> traces) {
    template.batchUpdate(
        PUT,
        traces,
        500,
        (statement, trace) -> {
          statement.setObject(1, trace.at.atOffset(ZoneOffset.UTC));
          statement.setObject(2, trace.alert);
          statement.setString(3, trace.event);
          statement.setString(4, trace.change);
          statement.setObject(5, trace.rule);
          statement.setString(6, trace.ruleName);
          statement.setBoolean(7, trace.matched);
          statement.setString(8, trace.words);
          statement.setString(9, JSON.writeValueAsString(trace.checks));
          statement.setString(10, JSON.writeValueAsString(trace.targets));
        });
  }
}
