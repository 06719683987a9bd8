package io.peerlens.supermetric;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.SuperMetricsApi;
import io.peerlens.api.model.BackfillRequest;
import io.peerlens.api.model.DependencyList;
import io.peerlens.api.model.EffectsRequest;
import io.peerlens.api.model.ExportFormat;
import io.peerlens.api.model.FormulaCheck;
import io.peerlens.api.model.FormulaCheckRequest;
import io.peerlens.api.model.FormulaLanguage;
import io.peerlens.api.model.ImportResult;
import io.peerlens.api.model.Job;
import io.peerlens.api.model.OnConflict;
import io.peerlens.api.model.PackList;
import io.peerlens.api.model.PreviewRequest;
import io.peerlens.api.model.PreviewResult;
import io.peerlens.api.model.SuperMetricCreation;
import io.peerlens.api.model.SuperMetricEdit;
import io.peerlens.api.model.SuperMetricEffects;
import io.peerlens.api.model.SuperMetricEvaluation;
import io.peerlens.api.model.SuperMetricPage;
import io.peerlens.api.model.SuperMetricPolicy;
import io.peerlens.api.model.SuperMetricSort;
import io.peerlens.api.model.SuperMetricState;
import io.peerlens.api.model.SuperMetricUses;
import io.peerlens.api.model.SuperMetricVersion;
import io.peerlens.api.model.SuperMetricVersionPage;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.supermetric.Catalogue.Entry;
import io.peerlens.supermetric.SuperMetricStore.Version;
import io.peerlens.supermetrics.file.ImportPlan;
import io.peerlens.web.Cursor;
import io.peerlens.web.Versions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class SuperMetricController implements SuperMetricsApi {

  private final SuperMetricStore store;
  private final SuperMetricService service;
  private final SuperMetricList list;
  private final SuperMetricFiles files;
  private final FormulaChecks formulas;
  private final SuperMetricReferences references;
  private final SuperMetricStateQueries states;
  private final Previews previews;
  private final Effects effects;
  private final Backfills backfills;

  SuperMetricController(
      SuperMetricStore store,
      SuperMetricService service,
      SuperMetricList list,
      SuperMetricFiles files,
      FormulaChecks formulas,
      SuperMetricReferences references,
      SuperMetricStateQueries states,
      Previews previews,
      Effects effects,
      Backfills backfills) {
    this.store = store;
    this.service = service;
    this.list = list;
    this.files = files;
    this.formulas = formulas;
    this.references = references;
    this.states = states;
    this.previews = previews;
    this.effects = effects;
    this.backfills = backfills;
  }

  // ------------------------------------------------------------------------------- list and change

  @Override
  public ResponseEntity<SuperMetricPage> listSuperMetrics(
      @Nullable String q,
      @Nullable List<String> adapterKind,
      @Nullable List<String> objectKind,
      @Nullable List<String> pack,
      @Nullable List<String> tag,
      @Nullable List<SuperMetricState> state,
      @Nullable SuperMetricSort sort,
      Integer limit,
      @Nullable String cursor) {
    return ResponseEntity.ok(
        list.page(
            new SuperMetricFilter(
                SuperMetricFilter.words(q),
                SuperMetricFilter.list(adapterKind),
                SuperMetricFilter.list(objectKind),
                SuperMetricFilter.list(pack),
                SuperMetricFilter.list(tag),
                state == null ? List.of() : List.copyOf(state),
                requireNonNullElse(sort, SuperMetricSort.NAME)),
            limit,
            cursor));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.SuperMetric> createSuperMetric(
      SuperMetricCreation wanted) {
    UUID id = service.create(wanted);
    Entry entry = service.get(id);
    return ResponseEntity.created(URI.create("/api/v1/super-metrics/" + id))
        .eTag(Versions.tag(entry.stored().version()))
        .body(list.one(entry));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.SuperMetric> getSuperMetric(UUID id) {
    return one(id);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.SuperMetric> putSuperMetric(
      UUID id, SuperMetricEdit wanted, @Nullable String ifMatch) {
    service.change(id, wanted, ifMatch);
    return one(id);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.SuperMetric> putSuperMetricPolicy(
      UUID id, SuperMetricPolicy wanted, @Nullable String ifMatch) {
    service.changePolicy(id, wanted, ifMatch);
    return one(id);
  }

  @Override
  public ResponseEntity<Void> deleteSuperMetric(UUID id, @Nullable String ifMatch) {
    service.delete(id, ifMatch);
    return ResponseEntity.noContent().build();
  }

  private ResponseEntity<io.peerlens.api.model.SuperMetric> one(UUID id) {
    Entry entry = service.get(id);
    return ResponseEntity.ok().eTag(Versions.tag(entry.stored().version())).body(list.one(entry));
  }

  // ------------------------------------------------------------------------------------------
  // files

  @Heavy(HeavyWork.IMPORT)
  @Override
  public ResponseEntity<ImportResult> importSuperMetrics(
      Resource body,
      Boolean dryRun,
      OnConflict onConflict,
      @Nullable List<UUID> only,
      @Nullable List<UUID> skip,
      @Nullable List<UUID> overwrite,
      Boolean enable,
      @Nullable String fileName) {
    return ResponseEntity.ok(
        files.read(
            requireNonNullElse(fileName, "file"),
            content(body),
            new Importer.Choice(
                ImportPlan.OnConflict.valueOf(onConflict.name()),
                set(only),
                set(skip),
                set(overwrite),
                enable,
                null),
            dryRun));
  }

  private static byte[] content(Resource body) {
    try {
      return body.getContentAsByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<UUID> set(@Nullable List<UUID> ids) {
    return ids == null ? Set.of() : Set.copyOf(new HashSet<>(ids));
  }

  @Heavy(HeavyWork.EXPORT)
  @Override
  public ResponseEntity<Object> exportSuperMetrics(
      @Nullable List<UUID> id, @Nullable List<String> pack, ExportFormat format) {
    boolean zip = format == ExportFormat.ZIP;
    return ResponseEntity.ok()
        .contentType(zip ? MediaType.parseMediaType("application/zip") : MediaType.APPLICATION_JSON)
        .header(
            HttpHeaders.CONTENT_DISPOSITION,
            "attachment; filename=\"" + (zip ? "supermetrics.zip" : "supermetric.json") + "\"")
        .body(
            files.write(
                requireNonNullElse(id, List.of()), requireNonNullElse(pack, List.of()), zip));
  }

  @Override
  public ResponseEntity<PackList> listPacks() {
    return ResponseEntity.ok(files.packs());
  }

  @Override
  public ResponseEntity<ImportResult> installPack(
      String name, Boolean dryRun, OnConflict onConflict, Boolean enable) {
    return ResponseEntity.ok(
        files.install(name, ImportPlan.OnConflict.valueOf(onConflict.name()), enable, dryRun));
  }

  // ---------------------------------------------------------------------------------------
  // formulas

  @Override
  public ResponseEntity<FormulaCheck> validateFormula(FormulaCheckRequest request) {
    return ResponseEntity.ok(formulas.check(request));
  }

  @Heavy(HeavyWork.PREVIEW)
  @Override
  public ResponseEntity<PreviewResult> previewFormula(PreviewRequest request) {
    return ResponseEntity.ok(previews.preview(request));
  }

  @Heavy(HeavyWork.PREVIEW)
  @Override
  public ResponseEntity<SuperMetricEffects> previewSuperMetricEffects(
      UUID id, EffectsRequest request) {
    return ResponseEntity.ok(effects.of(service.get(id), request));
  }

  @Override
  public ResponseEntity<FormulaLanguage> listFunctions() {
    return ResponseEntity.ok(Language.LANGUAGE);
  }

  // ------------------------------------------------------------------------------ state and
  // history

  @Override
  public ResponseEntity<SuperMetricEvaluation> getSuperMetricState(UUID id) {
    return ResponseEntity.ok(
        SuperMetricAnswers.evaluation(
            service.get(id), states.of(List.of(id)).getOrDefault(id, List.of())));
  }

  @Override
  public ResponseEntity<DependencyList> listDependencies() {
    return ResponseEntity.ok(references.all());
  }

  @Override
  public ResponseEntity<SuperMetricUses> listSuperMetricUses(UUID id) {
    service.get(id);
    return ResponseEntity.ok(references.of(id));
  }

  @Override
  public ResponseEntity<SuperMetricVersionPage> listSuperMetricHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    long total = store.versions(id);
    if (total == 0) {
      throw SuperMetricService.notFound(id);
    }
    String scope = "history " + id;
    long before =
        cursor == null ? Long.MAX_VALUE : Long.parseLong(Cursor.keys(cursor, scope, 1).getFirst());
    // One more than the page, to compare its last version with.
    List<Version> found = store.history(id, before, limit + 1);
    List<SuperMetricVersion> items = new ArrayList<>();
    for (int i = 0; i < Math.min(limit, found.size()); i++) {
      items.add(
          SuperMetricAnswers.version(found.get(i), i + 1 < found.size() ? found.get(i + 1) : null));
    }
    return ResponseEntity.ok(
        new SuperMetricVersionPage(
            items,
            found.size() > limit
                ? Cursor.after(scope, String.valueOf(items.getLast().getVersion()))
                : null,
            total));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.SuperMetric> restoreSuperMetric(
      UUID id, Long version, @Nullable String ifMatch) {
    service.restore(id, version, ifMatch);
    return one(id);
  }

  @Override
  public ResponseEntity<Job> backfillSuperMetric(UUID id, BackfillRequest request) {
    return ResponseEntity.accepted().body(backfills.start(service.get(id), request));
  }
}
