package io.peerlens.planning;

import io.peerlens.api.BenchmarkRunsApi;
import io.peerlens.api.model.BenchmarkCheck;
import io.peerlens.api.model.BenchmarkCheckRequest;
import io.peerlens.api.model.BenchmarkComparison;
import io.peerlens.api.model.BenchmarkComparisonRequest;
import io.peerlens.api.model.BenchmarkCurve;
import io.peerlens.api.model.BenchmarkCurveRequest;
import io.peerlens.api.model.BenchmarkCurves;
import io.peerlens.api.model.BenchmarkDifference;
import io.peerlens.api.model.BenchmarkFigure;
import io.peerlens.api.model.BenchmarkImport;
import io.peerlens.api.model.BenchmarkLatencies;
import io.peerlens.api.model.BenchmarkOutcome;
import io.peerlens.api.model.BenchmarkPoint;
import io.peerlens.api.model.BenchmarkProblem;
import io.peerlens.api.model.BenchmarkRepeats;
import io.peerlens.api.model.BenchmarkRun;
import io.peerlens.api.model.BenchmarkRunEdit;
import io.peerlens.api.model.BenchmarkRunPage;
import io.peerlens.api.model.BenchmarkRunSeries;
import io.peerlens.api.model.BenchmarkRunSummary;
import io.peerlens.api.model.BenchmarkSeries;
import io.peerlens.api.model.BenchmarkTotalChange;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.impact.RecordedChangeStore;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.planning.BenchmarkImportStore.Import;
import io.peerlens.planning.BenchmarkRunStore.After;
import io.peerlens.planning.BenchmarkRunStore.Choice;
import io.peerlens.planning.BenchmarkRunStore.Deleted;
import io.peerlens.planning.BenchmarkRunStore.Edit;
import io.peerlens.planning.BenchmarkRunStore.Filter;
import io.peerlens.planning.BenchmarkRunStore.Stored;
import io.peerlens.planning.BenchmarkRunStore.Tested;
import io.peerlens.run.Run;
import io.peerlens.run.reading.Criteria;
import io.peerlens.run.reading.CriteriaException;
import io.peerlens.run.reading.CriteriaReader;
import io.peerlens.run.reading.Curve;
import io.peerlens.run.reading.Drift;
import io.peerlens.run.reading.Reading;
import io.peerlens.run.reading.RunComparison;
import io.peerlens.run.reading.Scatter;
import io.peerlens.scope.ScopeReader;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.Cursor;
import io.peerlens.web.Doubles;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Moments;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.InputStreamResource;
import org.springframework.core.io.Resource;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

@RestController
final class BenchmarkRunsController implements BenchmarkRunsApi {

  private static final String ORDER = "benchmark-runs";

  private final BenchmarkRunStore store;
  private final BenchmarkImportStore files;
  private final BenchmarkImports imports;
  private final BenchmarkRunRecords records;
  private final BenchmarkReadings readings;
  private final RecordedChangeStore changes;
  private final InstantSource clock;

  BenchmarkRunsController(
      BenchmarkRunStore store,
      BenchmarkImportStore files,
      BenchmarkImports imports,
      BenchmarkRunRecords records,
      BenchmarkReadings readings,
      RecordedChangeStore changes,
      InstantSource clock) {
    this.store = store;
    this.files = files;
    this.imports = imports;
    this.records = records;
    this.readings = readings;
    this.changes = changes;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<BenchmarkRunPage> listBenchmarkRuns(
      @Nullable UUID object,
      @Nullable List<String> tool,
      @Nullable String q,
      @Nullable UUID benchmarkImport,
      Integer limit,
      @Nullable String cursor) {
    Filter filter = new Filter(object, tool, benchmarkImport, q);
    String scope = ORDER + filter;
    After after = null;
    if (cursor != null) {
      List<String> keys = Cursor.keys(cursor, scope, 3);
      after =
          new After(
              Instant.parse(keys.get(0)),
              UUID.fromString(keys.get(1)),
              Integer.parseInt(keys.get(2)));
    }
    List<Stored> found = store.page(filter, after, limit + 1);
    boolean more = found.size() > limit;
    List<Stored> page = more ? found.subList(0, limit) : found;
    Stored last = more ? page.getLast() : null;
    return ResponseEntity.ok(
        new BenchmarkRunPage(
            page.stream().map(BenchmarkRunsController::summary).toList(),
            last == null
                ? null
                : Cursor.after(
                    scope,
                    last.importedAt().toString(),
                    last.importId().toString(),
                    String.valueOf(last.position())),
            store.count(filter)));
  }

  @Heavy(HeavyWork.IMPORT)
  @Override
  public ResponseEntity<BenchmarkImport> importBenchmarkRuns(
      Resource body,
      @Nullable String fileName,
      @Nullable UUID object,
      @Nullable String from,
      @Nullable String note) {
    Tested tested = object == null ? null : tested(object);
    Instant start = from == null ? null : Moments.parameter("from", from);
    if (start != null && start.isAfter(clock.instant())) {
      throw ApiException.invalidParameter("from", "is in the future");
    }
    String text = Objects.requireNonNullElse(note, "");
    ScopeReader.storable("note", text);
    String name = Objects.requireNonNullElse(fileName, "results");
    ScopeReader.storable("fileName", name);
    UUID id;
    try (InputStream in = body.getInputStream()) {
      id = imports.begin(in, name, tested, start, text, Caller.current().name());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ResponseEntity.accepted().body(answer(stored(id)));
  }

  private Tested tested(UUID object) {
    return store.tested(object).orElseThrow(() -> ApiException.notFound("object", object));
  }

  private Import stored(UUID id) {
    return files.find(id).orElseThrow(() -> ApiException.notFound("benchmark import", id));
  }

  private Stored run(UUID id) {
    return store.run(id).orElseThrow(() -> ApiException.notFound("benchmark run", id));
  }

  @Override
  public ResponseEntity<BenchmarkRun> getBenchmarkRun(UUID id) {
    return ResponseEntity.ok(answer(run(id)));
  }

  @Override
  public ResponseEntity<BenchmarkRun> changeBenchmarkRun(UUID id, BenchmarkRunEdit edit) {
    Map<String, String> parameters = edit.getParameters();
    if (parameters != null) {
      Map<String, String> tools = store.toolParameters(id);
      parameters.forEach(
          (name, value) -> {
            ScopeReader.storable("parameters." + name, name);
            ScopeReader.storable("parameters." + name, value);
            if (tools.containsKey(name)) {
              throw ApiException.invalidField("parameters." + name, "is given by the tool")
                  .hint("Choose another name.");
            }
          });
    }
    if (edit.getNote() != null) {
      ScopeReader.storable("note", edit.getNote());
    }
    if (edit.getObject() != null) {
      tested(edit.getObject());
    }
    if (!store.change(
        id, new Edit(edit.getNote(), edit.getReference(), edit.getObject(), parameters))) {
      throw ApiException.notFound("benchmark run", id);
    }
    return ResponseEntity.ok(answer(run(id)));
  }

  @Override
  public ResponseEntity<Void> deleteBenchmarkRun(UUID id) {
    Deleted deleted =
        store.delete(id).orElseThrow(() -> ApiException.notFound("benchmark run", id));
    if (deleted.change() != null) {
      changes.delete(deleted.change());
    }
    try {
      records.gone(BenchmarkRunRecords.key(deleted.origin(), deleted.position()), clock.instant());
    } catch (IOException e) {
      throw ApiException.of(
              ErrorCode.UNAVAILABLE, "The run is deleted, but its object stays: " + e.getMessage())
          .hint("Delete the object, too, once Kafka answers.");
    }
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<BenchmarkRunSeries> getBenchmarkRunSeries(UUID id) {
    List<Run.Series> series =
        store.series(id).orElseThrow(() -> ApiException.notFound("benchmark run", id));
    return ResponseEntity.ok(
        new BenchmarkRunSeries(
            series.stream()
                .map(
                    one ->
                        new BenchmarkSeries(
                            one.metric(),
                            one.instance(),
                            one.unit(),
                            Doubles.of(one.seconds()),
                            Doubles.of(one.values())))
                .toList()));
  }

  @Override
  public ResponseEntity<BenchmarkImport> getBenchmarkImport(UUID id) {
    files.failAbandoned();
    return ResponseEntity.ok(answer(stored(id)));
  }

  @Override
  public ResponseEntity<Resource> getBenchmarkImportFile(UUID id) {
    Import of = stored(id);
    try {
      Path copy = Files.createTempFile("peerlens-benchmark-", ".bin");
      InputStream content;
      try (var out = Files.newOutputStream(copy)) {
        files.copy(id, out);
        content = Files.newInputStream(copy, StandardOpenOption.DELETE_ON_CLOSE);
      } catch (IOException | RuntimeException e) {
        Files.deleteIfExists(copy);
        throw e;
      }
      return ResponseEntity.ok()
          .contentType(MediaType.APPLICATION_OCTET_STREAM)
          .contentLength(of.origin().size())
          .header(
              HttpHeaders.CONTENT_DISPOSITION,
              ContentDisposition.attachment()
                  .filename(of.origin().fileName(), StandardCharsets.UTF_8)
                  .build()
                  .toString())
          .body(new InputStreamResource(content));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Heavy(HeavyWork.SERIES)
  @Override
  public ResponseEntity<BenchmarkCurves> readBenchmarkCurves(BenchmarkCurveRequest wanted) {
    BenchmarkReadings.Together together =
        readings.curves(
            new Choice(wanted.getObject(), wanted.getBenchmarkImport(), wanted.getRuns()),
            wanted.getLoad() == BenchmarkCurveRequest.LoadEnum.THROUGHPUT
                ? Curve.Load.THROUGHPUT
                : Curve.Load.IOPS,
            wanted.getLatency() == null
                ? Curve.Latency.P95
                : Curve.Latency.valueOf(wanted.getLatency().name()),
            wanted.getLimit(),
            Objects.requireNonNullElse(wanted.getNodes(), 0));
    return ResponseEntity.ok(
        new BenchmarkCurves(
            together.runs(),
            together.curves().stream().map(BenchmarkRunsController::curve).toList(),
            together.repeats().stream()
                .map(
                    one -> {
                      Scatter scatter = one.scatter("iops");
                      return new BenchmarkRepeats(
                          one.settings(),
                          one.runs().size(),
                          scatter == null ? "" : scatter.sentence());
                    })
                .toList()));
  }

  private static BenchmarkCurve curve(BenchmarkReadings.Read read) {
    Curve curve = read.curve();
    BenchmarkCurve answer =
        new BenchmarkCurve(
            read.sweep().parameter(),
            read.sweep().title(),
            curve.sentence(),
            curve.load().unit(),
            curve.points().stream()
                .map(
                    one ->
                        new BenchmarkPoint(
                            one.value(),
                            one.load().mean(),
                            one.load().range().low(),
                            one.load().range().high(),
                            one.latency().mean(),
                            one.latency().range().low(),
                            one.latency().range().high(),
                            BenchmarkPoint.SteadyEnum.valueOf(one.steady().name()),
                            one.repeats()))
                .toList(),
            curve.remarks());
    Reading reading = read.reading();
    if (reading != null) {
      answer.setReading(reading.sentence());
      answer.setReadingLoad(reading.load());
    }
    return answer;
  }

  @Heavy(HeavyWork.SERIES)
  @Override
  public ResponseEntity<BenchmarkComparison> compareBenchmarkRuns(
      BenchmarkComparisonRequest wanted) {
    RunComparison comparison = readings.compare(wanted.getRun(), wanted.getBase());
    return ResponseEntity.ok(
        new BenchmarkComparison(
            comparison.sentence(),
            comparison.differences().stream()
                .map(one -> new BenchmarkDifference(one.parameter(), one.a(), one.b()))
                .toList(),
            comparison.totals().stream()
                .map(
                    one ->
                        new BenchmarkTotalChange(
                            one.name(), one.unit(), one.a(), one.b(), one.percent()))
                .toList(),
            comparison.warnings()));
  }

  @Heavy(HeavyWork.SERIES)
  @Override
  public ResponseEntity<BenchmarkCheck> checkBenchmarkRuns(BenchmarkCheckRequest wanted) {
    Criteria criteria;
    try {
      criteria = CriteriaReader.read(JsonMapper.shared().writeValueAsString(wanted.getCriteria()));
    } catch (CriteriaException e) {
      ApiException refused = ApiException.of(ErrorCode.INVALID_BODY, "The criteria have mistakes.");
      for (CriteriaException.Mistake one : e.mistakes()) {
        refused = refused.field("criteria" + one.path(), one.text() + ". " + one.hint());
      }
      throw refused;
    }
    Criteria.Result result =
        readings.check(
            new Choice(wanted.getObject(), wanted.getBenchmarkImport(), wanted.getRuns()),
            criteria);
    return ResponseEntity.ok(
        new BenchmarkCheck(
            result.sentence(),
            result.outcomes().stream().map(BenchmarkRunsController::outcome).toList()));
  }

  private static BenchmarkOutcome outcome(Criteria.Outcome of) {
    BenchmarkOutcome answer =
        new BenchmarkOutcome(
            of.criterion().name(),
            BenchmarkOutcome.StateEnum.valueOf(of.status().name()),
            of.sentence(),
            of.judged(),
            of.met());
    answer.setValue(of.value());
    answer.setMargin(of.margin());
    answer.setMarginPercent(of.marginPercent());
    return answer;
  }

  private static BenchmarkImport answer(Import of) {
    return new BenchmarkImport(
        of.origin().id(),
        of.origin().jobId(),
        of.origin().fileName(),
        of.origin().size(),
        BenchmarkImport.StateEnum.fromValue(of.state()),
        of.runs(),
        of.problems().stream()
            .map(one -> new BenchmarkProblem(one.file(), one.line(), one.what(), one.remedy()))
            .toList(),
        of.origin().importedAt(),
        of.origin().importedBy());
  }

  private BenchmarkRun answer(Stored of) {
    BenchmarkReadings.Alone alone = readings.alone(of);
    BenchmarkRun answer =
        new BenchmarkRun(
            summary(of),
            BenchmarkRun.SteadyEnum.valueOf(alone.steady().judgement().name()),
            alone.steady().sentence(),
            of.run().latencies().stream()
                .map(
                    one ->
                        new BenchmarkLatencies(
                            BenchmarkLatencies.DirectionEnum.valueOf(one.direction().name()),
                            Doubles.of(one.bounds()),
                            Doubles.of(one.counts())))
                .toList(),
            of.run().remarks());
    answer.setChange(of.change());
    Drift drift = alone.drift();
    if (drift != null) {
      answer.setDrift(drift.sentence());
      answer.setDriftAlert(drift.alert());
    }
    return answer;
  }

  private static BenchmarkRunSummary summary(Stored of) {
    Run run = of.run();
    BenchmarkRunSummary summary =
        new BenchmarkRunSummary(
            of.id(),
            of.importId(),
            run.tool(),
            run.version(),
            run.name(),
            of.reference(),
            run.parameters(),
            run.figures().stream()
                .map(
                    one ->
                        new BenchmarkFigure(
                            one.name(),
                            one.unit(),
                            Double.isFinite(one.value()) ? one.value() : null,
                            one.toolValue(),
                            one.reason()))
                .toList(),
            of.importedAt(),
            of.importedBy());
    summary.setNote(of.note());
    summary.setStart(run.start());
    summary.setMeasuredSeconds(run.length().isZero() ? null : run.length().toMillis() / 1000.0);
    Tested tested = of.tested();
    if (tested != null) {
      summary.setObject(
          new ObjectRef(tested.uuid(), tested.adapterKind(), tested.objectKind(), tested.name()));
    }
    return summary;
  }
}
