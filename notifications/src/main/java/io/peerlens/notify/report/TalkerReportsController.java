package io.peerlens.notify.report;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.TalkerReportsApi;
import io.peerlens.api.model.TalkerReportEdit;
import io.peerlens.api.model.TalkerReportPage;
import io.peerlens.api.model.TalkerReportRun;
import io.peerlens.api.model.TalkerReportRunPage;
import io.peerlens.api.model.TalkerReportVersion;
import io.peerlens.api.model.TalkerReportVersionPage;
import io.peerlens.api.model.TopTalkers;
import io.peerlens.definition.DefinitionEndpoints;
import io.peerlens.definition.StoredRule;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.talker.report.ReportAnswers;
import io.peerlens.talker.report.TalkerReport;
import io.peerlens.talker.report.TalkerReportRunStore;
import io.peerlens.talker.report.TalkerReportRunStore.Progress;
import io.peerlens.talker.report.TalkerReportSchedule;
import io.peerlens.talker.report.TalkerReportStore;
import io.peerlens.web.Cursor;
import io.peerlens.web.Page;
import io.peerlens.web.Paging;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class TalkerReportsController implements TalkerReportsApi {

  private final TalkerReportStore store;
  private final TalkerReportService service;
  private final TalkerReportRunStore runs;
  private final ReportAnswers answers;
  private final InstantSource clock;
  private final DefinitionEndpoints<
          TalkerReportEdit, TalkerReport, io.peerlens.api.model.TalkerReport>
      endpoints;

  TalkerReportsController(
      TalkerReportStore store,
      TalkerReportService service,
      TalkerReportRunStore runs,
      ReportAnswers answers,
      InstantSource clock) {
    this.store = store;
    this.service = service;
    this.runs = runs;
    this.answers = answers;
    this.clock = clock;
    this.endpoints = new DefinitionEndpoints<>(service, one -> answer(one, runs.progress()));
  }

  @Override
  public ResponseEntity<TalkerReportPage> listTalkerReports(
      Integer limit, @Nullable String cursor) {
    Map<UUID, Progress> progress = runs.progress();
    Page<StoredRule<TalkerReportEdit, TalkerReport>> page =
        Paging.page(
            store.byId().values(),
            one -> Paging.byName(one.name(), one.id()),
            "talker reports",
            limit,
            cursor);
    return ResponseEntity.ok(page.map(one -> answer(one, progress)).as(TalkerReportPage::new));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.TalkerReport> createTalkerReport(
      TalkerReportEdit wanted) {
    return endpoints.create(wanted);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.TalkerReport> getTalkerReport(UUID id) {
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.TalkerReport> putTalkerReport(
      UUID id, TalkerReportEdit wanted, @Nullable String ifMatch) {
    return endpoints.put(id, wanted, ifMatch);
  }

  @Override
  public ResponseEntity<Void> deleteTalkerReport(UUID id, @Nullable String ifMatch) {
    return endpoints.delete(id, ifMatch);
  }

  @Heavy(HeavyWork.RANKING)
  @Override
  public ResponseEntity<TopTalkers> runTalkerReport(UUID id) {
    TalkerReport report = service.get(id).rule();
    Instant now = clock.instant();
    return ResponseEntity.ok(
        answers.answer(report.query(), now.minus(report.window()), now, report.talkers(), true));
  }

  @Override
  public ResponseEntity<TalkerReportRunPage> listTalkerReportRuns(
      UUID id, Integer limit, @Nullable String cursor) {
    service.get(id);
    String scope = "runs of report " + id;
    Instant before =
        cursor == null
            ? Instant.parse("9999-12-31T00:00:00Z")
            : Instant.parse(Cursor.keys(cursor, scope, 1).getFirst());
    List<TalkerReportRun> found = runs.page(id, before, limit + 1);
    List<TalkerReportRun> page = found.subList(0, Math.min(limit, found.size()));
    return ResponseEntity.ok(
        new TalkerReportRunPage(
            page,
            found.size() > limit ? Cursor.after(scope, page.getLast().getDueAt().toString()) : null,
            runs.count(id)));
  }

  @Override
  public ResponseEntity<TalkerReportVersionPage> listTalkerReportHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    return endpoints.history(
        id, limit, cursor, TalkerReportVersion::new, TalkerReportVersionPage::new);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.TalkerReport> restoreTalkerReport(
      UUID id, Long version, @Nullable String ifMatch) {
    return endpoints.restore(id, version, ifMatch);
  }

  private io.peerlens.api.model.TalkerReport answer(
      StoredRule<TalkerReportEdit, TalkerReport> stored, Map<UUID, Progress> all) {
    TalkerReportEdit edit = stored.edit();
    io.peerlens.api.model.TalkerReport answer =
        new io.peerlens.api.model.TalkerReport(
                stored.id(),
                edit.getName(),
                edit.getQuery(),
                stored.version(),
                stored.createdAt(),
                stored.createdBy(),
                stored.updatedAt(),
                stored.updatedBy())
            .description(edit.getDescription())
            .schedule(edit.getSchedule())
            .targets(requireNonNullElse(edit.getTargets(), List.of()))
            .templates(requireNonNullElse(edit.getTemplates(), List.of()))
            .shareAbove(edit.getShareAbove())
            .alert(edit.getAlert());
    TalkerReportSchedule schedule = stored.rule().schedule();
    Progress progress = all.get(stored.id());
    if (progress != null) {
      answer.setLastAt(progress.last());
    }
    if (schedule != null) {
      answer.setNextAt(schedule.next(clock.instant()));
    }
    return answer;
  }
}
