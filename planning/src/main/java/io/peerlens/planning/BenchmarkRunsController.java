package io.peerlens.planning;

import io.peerlens.api.BenchmarkRunsApi;
import io.peerlens.api.model.BenchmarkCheck;
import io.peerlens.api.model.BenchmarkCheckRequest;
import io.peerlens.api.model.BenchmarkComparison;
import io.peerlens.api.model.BenchmarkComparisonRequest;
import io.peerlens.api.model.BenchmarkCriteriaList;
import io.peerlens.api.model.BenchmarkCurveRequest;
import io.peerlens.api.model.BenchmarkCurves;
import io.peerlens.api.model.BenchmarkImport;
import io.peerlens.api.model.BenchmarkProfileMatch;
import io.peerlens.api.model.BenchmarkRepeats;
import io.peerlens.api.model.BenchmarkRun;
import io.peerlens.api.model.BenchmarkRunEdit;
import io.peerlens.api.model.BenchmarkRunPage;
import io.peerlens.api.model.BenchmarkRunSeries;
import io.peerlens.api.model.BenchmarkSeries;
import io.peerlens.api.model.BenchmarkTheoretical;
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
import io.peerlens.run.reading.Curve;
import io.peerlens.run.reading.Scatter;
import io.peerlens.run.reading.TheoreticalMaximum;
import io.peerlens.scope.ScopeReader;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.Cursor;
import io.peerlens.web.Doubles;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Moments;
import io.peerlens.web.Versions;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.InputStreamResource;
import org.springframework.core.io.Resource;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class BenchmarkRunsController implements BenchmarkRunsApi {

  private static final Logger log = LoggerFactory.getLogger(BenchmarkRunsController.class);
  private static final String ORDER = "benchmark-runs";

  private final BenchmarkRunStore store;
  private final BenchmarkImportStore files;
  private final BenchmarkImports imports;
  private final BenchmarkRunRecords records;
  private final BenchmarkReadings readings;
  private final BenchmarkShapes shapes;
  private final BenchmarkHosts hosts;
  private final BenchmarkProfiles profiles;
  private final BenchmarkDrift drift;
  private final BenchmarkCriteriaStore criteria;
  private final RecordedChangeStore changes;
  private final InstantSource clock;

  BenchmarkRunsController(
      BenchmarkRunStore store,
      BenchmarkImportStore files,
      BenchmarkImports imports,
      BenchmarkRunRecords records,
      BenchmarkReadings readings,
      BenchmarkShapes shapes,
      BenchmarkHosts hosts,
      BenchmarkProfiles profiles,
      BenchmarkDrift drift,
      BenchmarkCriteriaStore criteria,
      RecordedChangeStore changes,
      InstantSource clock) {
    this.store = store;
    this.files = files;
    this.imports = imports;
    this.records = records;
    this.readings = readings;
    this.shapes = shapes;
    this.hosts = hosts;
    this.profiles = profiles;
    this.drift = drift;
    this.criteria = criteria;
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
    Map<UUID, BenchmarkShapes.Shape> known = shapes.of(page.stream().map(Stored::id).toList());
    return ResponseEntity.ok(
        new BenchmarkRunPage(
            page.stream().map(one -> BenchmarkAnswers.summary(one, known.get(one.id()))).toList(),
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
    return ResponseEntity.accepted().body(BenchmarkAnswers.of(stored(id)));
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
    Stored before = run(id);
    if (!store.change(
        id, new Edit(edit.getNote(), edit.getReference(), edit.getObject(), parameters))) {
      throw ApiException.notFound("benchmark run", id);
    }
    Stored after = run(id);
    judge(before);
    judge(after);
    return ResponseEntity.ok(answer(after));
  }

  /** The runs beside it are judged anew; what is said of them may come later. */
  private void judge(Stored run) {
    if (run.tested() == null) {
      return;
    }
    try {
      drift.judge(run.tested().uuid(), clock.instant());
    } catch (IOException e) {
      log.warn("The drift of runs on {} could not be told", run.tested().name(), e);
    }
  }

  @Override
  public ResponseEntity<Void> deleteBenchmarkRun(UUID id) {
    Stored run = run(id);
    Deleted deleted =
        store.delete(id).orElseThrow(() -> ApiException.notFound("benchmark run", id));
    if (deleted.change() != null) {
      changes.delete(deleted.change());
    }
    try {
      records.gone(
          BenchmarkRunRecords.key(deleted.origin().id(), deleted.position()), clock.instant());
    } catch (IOException e) {
      throw ApiException.of(
              ErrorCode.UNAVAILABLE, "The run is deleted, but its object stays: " + e.getMessage())
          .hint("Delete the object, too, once Kafka answers.");
    }
    judge(run);
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
    return ResponseEntity.ok(BenchmarkAnswers.of(stored(id)));
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
            Objects.requireNonNullElse(wanted.getNodes(), 0),
            maximum(wanted.getTheoretical()));
    return ResponseEntity.ok(
        new BenchmarkCurves(
            together.runs(),
            together.curves().stream()
                .map(one -> BenchmarkAnswers.curve(one, together.ids()))
                .toList(),
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

  private static @Nullable TheoreticalMaximum maximum(@Nullable BenchmarkTheoretical of) {
    if (of == null) {
      return null;
    }
    return new TheoreticalMaximum(
        of.getFigure() == null ? "iops" : of.getFigure().getValue(),
        Objects.requireNonNullElse(of.getPart(), "parts"),
        of.getEach(),
        of.getCount());
  }

  @Heavy(HeavyWork.SERIES)
  @Override
  public ResponseEntity<BenchmarkComparison> compareBenchmarkRuns(
      BenchmarkComparisonRequest wanted) {
    Stored run = readings.whole(wanted.getRun(), "run");
    Stored base = readings.whole(wanted.getBase(), "base");
    return ResponseEntity.ok(
        BenchmarkAnswers.comparison(
            readings.compare(run, base), hosts.during(run), hosts.during(base)));
  }

  @Heavy(HeavyWork.SERIES)
  @Override
  public ResponseEntity<io.peerlens.api.model.BenchmarkHosts> getBenchmarkRunHosts(UUID id) {
    return ResponseEntity.ok(BenchmarkAnswers.hosts(hosts.during(run(id))));
  }

  @Override
  public ResponseEntity<BenchmarkProfileMatch> matchBenchmarkRun(UUID id, @Nullable UUID profile) {
    return ResponseEntity.ok(BenchmarkAnswers.match(profiles.match(run(id), profile)));
  }

  @Heavy(HeavyWork.SERIES)
  @Override
  public ResponseEntity<BenchmarkCheck> checkBenchmarkRuns(BenchmarkCheckRequest wanted) {
    Criteria criteria = BenchmarkCriteriaStore.parsed(wanted.getCriteria(), "criteria");
    Criteria.Result result =
        readings.check(
            new Choice(wanted.getObject(), wanted.getBenchmarkImport(), wanted.getRuns()),
            criteria,
            maximum(wanted.getTheoretical()));
    return ResponseEntity.ok(
        new BenchmarkCheck(
            result.sentence(), result.outcomes().stream().map(BenchmarkAnswers::outcome).toList()));
  }

  @Override
  public ResponseEntity<BenchmarkCriteriaList> getBenchmarkCriteria() {
    BenchmarkCriteriaStore.Stored stored = criteria.read();
    return ResponseEntity.ok()
        .eTag(Versions.tag(stored.version()))
        .body(new BenchmarkCriteriaList(stored.items()));
  }

  @Override
  public ResponseEntity<BenchmarkCriteriaList> putBenchmarkCriteria(
      BenchmarkCriteriaList wanted, @Nullable String ifMatch) {
    long version =
        criteria.replace(wanted.getItems(), ifMatch, clock.instant(), Caller.current().name());
    return ResponseEntity.ok().eTag(Versions.tag(version)).body(wanted);
  }

  private BenchmarkRun answer(Stored of) {
    return BenchmarkAnswers.run(of, readings.alone(of.id()), store.ownParameters(of.id()));
  }
}
