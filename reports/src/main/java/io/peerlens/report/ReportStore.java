package io.peerlens.report;

import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.ReportEdit;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.StoredForms;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stored reports. Thread-safe. */
final class ReportStore extends DefinitionStore<ReportEdit, Report> {

  private static final String SCHEDULED =
      """
      insert into report_state (report_id, scheduled_since) values (:id, :now)
      on conflict (report_id) do update set scheduled_since = excluded.scheduled_since
      """;

  private final InstantSource clock;

  ReportStore(JdbcClient jdbc, RuleStore rules, InstantSource clock, int historyKept) {
    super(jdbc, rules, StoredForms.REPORT, historyKept);
    this.clock = clock;
  }

  @Override
  protected Report read(UUID id, long version, ReportEdit edit) {
    return ReportReader.read(id, version, "", edit);
  }

  @Override
  protected String name(Report report) {
    return report.name();
  }

  /** No evaluator needs them. */
  @Override
  protected boolean isEnabled(Report report) {
    return false;
  }

  /** What is due is counted from when the schedule was made. */
  @Override
  protected void replaced(JdbcClient jdbc, List<Replaced<Report>> reports) {
    for (Replaced<Report> one : reports) {
      Report before = one.before();
      Report now = one.now();
      if (now != null && (before == null || !Objects.equals(before.schedule(), now.schedule()))) {
        jdbc.sql(SCHEDULED).param("id", one.id()).param("now", utc(clock.instant())).update();
      }
    }
  }
}
