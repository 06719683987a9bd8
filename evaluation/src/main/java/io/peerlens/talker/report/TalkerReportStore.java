package io.peerlens.talker.report;

import io.peerlens.api.model.TalkerReportEdit;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.StoredForms;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The stored reports; enabled are those that have a limit to be watched. Thread-safe. */
public final class TalkerReportStore extends DefinitionStore<TalkerReportEdit, TalkerReport> {

  private static final String SCHEDULED =
      """
      insert into talker_report_state (report_id, scheduled_since) values (:id, :now)
      on conflict (report_id) do update set scheduled_since = excluded.scheduled_since
      """;

  private final InstantSource clock;

  TalkerReportStore(JdbcClient jdbc, RuleStore rules, InstantSource clock, int historyKept) {
    super(jdbc, rules, StoredForms.TALKER_REPORT, historyKept);
    this.clock = clock;
  }

  @Override
  protected TalkerReport read(UUID id, long version, TalkerReportEdit edit) {
    return TalkerReportReader.read(id, version, "", edit);
  }

  @Override
  protected String name(TalkerReport report) {
    return report.name();
  }

  @Override
  protected boolean isEnabled(TalkerReport report) {
    return report.limit() != null;
  }

  /** What is due is counted from when the schedule was made. */
  @Override
  protected void replaced(JdbcClient jdbc, List<Replaced<TalkerReport>> reports) {
    for (Replaced<TalkerReport> one : reports) {
      TalkerReport before = one.before();
      TalkerReport now = one.now();
      if (now != null && (before == null || !Objects.equals(before.schedule(), now.schedule()))) {
        jdbc.sql(SCHEDULED)
            .param("id", one.id())
            .param("now", clock.instant().atOffset(ZoneOffset.UTC))
            .update();
      }
    }
  }
}
