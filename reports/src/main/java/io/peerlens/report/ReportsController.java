package io.peerlens.report;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.ReportsApi;
import io.peerlens.api.model.ReportEdit;
import io.peerlens.api.model.ReportFile;
import io.peerlens.api.model.ReportPage;
import io.peerlens.api.model.ReportPanel;
import io.peerlens.api.model.ReportPart;
import io.peerlens.api.model.ReportRun;
import io.peerlens.api.model.ReportRunPage;
import io.peerlens.api.model.ReportVersion;
import io.peerlens.api.model.ReportVersionPage;
import io.peerlens.api.model.UserRole;
import io.peerlens.definition.DefinitionEndpoints;
import io.peerlens.definition.StoredRule;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.report.ReportRunStore.Progress;
import io.peerlens.security.Caller;
import io.peerlens.talker.report.TalkerReportSchedule;
import io.peerlens.web.ApiException;
import io.peerlens.web.Cursor;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Page;
import io.peerlens.web.Paging;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class ReportsController implements ReportsApi {

  private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");
  private static final UUID GREATEST = new UUID(-1, -1);
  private static final MediaType CSV = new MediaType("text", "csv", StandardCharsets.UTF_8);

  private final ReportStore store;
  private final ReportService service;
  private final ReportRunStore runs;
  private final ReportRuns running;
  private final ReportContents contents;
  private final InstantSource clock;
  private final DefinitionEndpoints<ReportEdit, Report, io.peerlens.api.model.Report> endpoints;

  ReportsController(
      ReportStore store,
      ReportService service,
      ReportRunStore runs,
      ReportRuns running,
      ReportContents contents,
      InstantSource clock) {
    this.store = store;
    this.service = service;
    this.runs = runs;
    this.running = running;
    this.contents = contents;
    this.clock = clock;
    this.endpoints =
        new DefinitionEndpoints<>(service, one -> answer(one, runs.progress(), runs.newest()));
  }

  @Override
  public ResponseEntity<ReportPage> listReports(Integer limit, @Nullable String cursor) {
    Map<UUID, Progress> progress = runs.progress();
    Map<UUID, ReportRun> newest = runs.newest();
    Page<StoredRule<ReportEdit, Report>> page =
        Paging.page(
            store.byId().values().stream().filter(service::visible).toList(),
            one -> Paging.byName(one.name(), one.id()),
            "reports",
            limit,
            cursor);
    return ResponseEntity.ok(page.map(one -> answer(one, progress, newest)).as(ReportPage::new));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Report> createReport(ReportEdit wanted) {
    return endpoints.create(wanted);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Report> getReport(UUID id) {
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Report> putReport(
      UUID id, ReportEdit wanted, @Nullable String ifMatch) {
    return endpoints.put(id, wanted, ifMatch);
  }

  @Override
  public ResponseEntity<Void> deleteReport(UUID id, @Nullable String ifMatch) {
    return endpoints.delete(id, ifMatch);
  }

  @Override
  public ResponseEntity<ReportVersionPage> listReportHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    return endpoints.history(id, limit, cursor, ReportVersion::new, ReportVersionPage::new);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Report> restoreReport(
      UUID id, Long version, @Nullable String ifMatch) {
    return endpoints.restore(id, version, ifMatch);
  }

  @Heavy(HeavyWork.EXPORT)
  @Override
  public ResponseEntity<Resource> previewReport(ReportEdit wanted) {
    ReportEdit edit = ReportService.normal("", wanted);
    if (edit.getOwner() == null || !edit.getOwner().equals(Caller.current().name())) {
      edit.setOwner(Caller.current().name());
    }
    Report report = ReportReader.read(new UUID(0, 0), 0, "", edit);
    if (report.loadProfile() != null && Caller.current().role() == UserRole.VIEWER) {
      throw ApiException.of(ErrorCode.FORBIDDEN, "Load profiles are computed by operators.")
          .hint("Ask an operator for the report.");
    }
    service.check("", report);
    ReportPart part = contents.at(report, clock.instant(), 1).getFirst();
    return file(
        MediaType.APPLICATION_PDF,
        ReportFiles.fileName(ReportFiles.title(report, part), "pdf"),
        ReportFiles.pdf(report, part, null));
  }

  @Heavy(HeavyWork.EXPORT)
  @Override
  public ResponseEntity<ReportRun> runReport(UUID id, Boolean send) {
    Report report = service.get(id).rule();
    UUID run = running.byHand(report, Caller.current().name(), send, clock.instant());
    ReportRun answer = run(id, run);
    answer.setContent(null);
    return ResponseEntity.ok(answer);
  }

  @Override
  public ResponseEntity<ReportRunPage> listReportRuns(
      UUID id, Integer limit, @Nullable String cursor) {
    service.get(id);
    String scope = "runs of report " + id;
    List<String> after =
        cursor == null
            ? List.of(LAST.toString(), GREATEST.toString())
            : Cursor.keys(cursor, scope, 2);
    List<ReportRun> found =
        runs.page(id, Instant.parse(after.getFirst()), UUID.fromString(after.getLast()), limit + 1);
    List<ReportRun> page = found.subList(0, Math.min(limit, found.size()));
    return ResponseEntity.ok(
        new ReportRunPage(
            page,
            found.size() > limit
                ? Cursor.after(
                    scope, page.getLast().getDueAt().toString(), page.getLast().getId().toString())
                : null,
            runs.count(id)));
  }

  @Override
  public ResponseEntity<ReportRun> getReportRun(UUID id, UUID run) {
    service.get(id);
    return ResponseEntity.ok(run(id, run));
  }

  private ReportRun run(UUID id, UUID run) {
    return runs.find(id, run)
        .orElseThrow(
            () ->
                ApiException.notFound("run", run)
                    .hint("GET /api/v1/reports/%s/runs lists those that are kept.".formatted(id)));
  }

  // ----------------------------------------------------------------------------------------- files

  @Heavy(HeavyWork.EXPORT)
  @Override
  public ResponseEntity<Resource> getReportRunPdf(UUID id, UUID run, Integer part) {
    Report report = service.get(id).rule();
    ReportRun of = run(id, run);
    ReportPart one = part(of, part);
    return file(
        MediaType.APPLICATION_PDF,
        ReportFiles.fileName(ReportFiles.title(report, one), "pdf"),
        ReportFiles.pdf(report, one, of.getReason()));
  }

  @Override
  public ResponseEntity<Resource> getReportRunCsv(UUID id, UUID run, String panel, Integer part) {
    service.get(id);
    ReportPanel one = panel(part(run(id, run), part), panel);
    return file(CSV, ReportFiles.fileName(panel, "csv"), ReportFiles.csv(one));
  }

  @Heavy(HeavyWork.EXPORT)
  @Override
  public ResponseEntity<Resource> getReportRunPng(UUID id, UUID run, String panel, Integer part) {
    Report report = service.get(id).rule();
    ReportPanel one = panel(part(run(id, run), part), panel);
    byte[] png =
        ReportFiles.png(one, ReportRuns.zone(report))
            .orElseThrow(
                () ->
                    ApiException.notFound("picture of the panel", panel)
                        .hint("The server has no fonts: install some, such as DejaVu."));
    return file(MediaType.IMAGE_PNG, ReportFiles.fileName(panel, "png"), png);
  }

  private static ReportPart part(ReportRun run, Integer number) {
    List<ReportPart> parts = requireNonNullElse(run.getContent(), List.of());
    if (number > parts.size()) {
      throw ApiException.notFound("part of the run", number)
          .hint(
              parts.isEmpty()
                  ? "The run shows nothing: " + run.getReason()
                  : "It has %d.".formatted(parts.size()));
    }
    return parts.get(number - 1);
  }

  private static ReportPanel panel(ReportPart part, String name) {
    return part.getPanels().stream()
        .filter(one -> one.getName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                ApiException.notFound("panel", name)
                    .hint(
                        "The part has: "
                            + String.join(
                                ", ", part.getPanels().stream().map(ReportPanel::getName).toList())
                            + "."));
  }

  private static ResponseEntity<Resource> file(MediaType type, String name, byte[] content) {
    return ResponseEntity.ok()
        .contentType(type)
        .header(
            HttpHeaders.CONTENT_DISPOSITION,
            ContentDisposition.attachment()
                .filename(name, StandardCharsets.UTF_8)
                .build()
                .toString())
        .body(new ByteArrayResource(content));
  }

  private io.peerlens.api.model.Report answer(
      StoredRule<ReportEdit, Report> stored, Map<UUID, Progress> all, Map<UUID, ReportRun> newest) {
    ReportEdit edit = stored.edit();
    io.peerlens.api.model.Report answer =
        new io.peerlens.api.model.Report(
                stored.id(),
                edit.getName(),
                stored.rule().owner(),
                stored.version(),
                stored.createdAt(),
                stored.createdBy(),
                stored.updatedAt(),
                stored.updatedBy())
            .description(edit.getDescription())
            .dashboard(edit.getDashboard())
            .view(edit.getView())
            .loadProfile(edit.getLoadProfile())
            .variables(requireNonNullElse(edit.getVariables(), Map.of()))
            .each(edit.getEach())
            .time(edit.getTime())
            .schedule(edit.getSchedule())
            .targets(requireNonNullElse(edit.getTargets(), List.of()))
            .files(requireNonNullElse(edit.getFiles(), List.of(ReportFile.values())));
    TalkerReportSchedule schedule = stored.rule().schedule();
    Progress progress = all.get(stored.id());
    if (progress != null) {
      answer.setLastAt(progress.last());
    }
    answer.setLastRun(newest.get(stored.id()));
    if (schedule != null) {
      answer.setNextAt(schedule.next(clock.instant()));
    }
    return answer;
  }
}
