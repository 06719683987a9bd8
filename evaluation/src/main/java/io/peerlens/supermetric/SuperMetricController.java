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
import io.peerlens.api.model.SuperMetricVersionPage;
import io.peerlens.definition.DefinitionEndpoints;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.supermetrics.file.ImportPlan;
import io.peerlens.web.Paging;
import java.io.IOException;
import java.io.UncheckedIOException;
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

  private final SuperMetricService service;
  private final SuperMetricList list;
  private final SuperMetricFiles files;
  private final FormulaChecks formulas;
  private final SuperMetricReferences references;
  private final SuperMetricStateQueries states;
  private final Previews previews;
  private final Effects effects;
  private final Backfills backfills;
  private final DefinitionEndpoints<
          StoredSuperMetric, SuperMetricRule, io.peerlens.api.model.SuperMetric>
      endpoints;

  SuperMetricController(
      SuperMetricService service,
      SuperMetricList list,
      SuperMetricFiles files,
      FormulaChecks formulas,
      SuperMetricReferences references,
      SuperMetricStateQueries states,
      Previews previews,
      Effects effects,
      Backfills backfills) {
    this.service = service;
    this.list = list;
    this.files = files;
    this.formulas = formulas;
    this.references = references;
    this.states = states;
    this.previews = previews;
    this.effects = effects;
    this.backfills = backfills;
    this.endpoints = new DefinitionEndpoints<>(service, list::one);
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
                Paging.words(q),
                Paging.list(adapterKind),
                Paging.list(objectKind),
                Paging.list(pack),
                Paging.list(tag),
                state == null ? List.of() : List.copyOf(state),
                requireNonNullElse(sort, SuperMetricSort.NAME)),
            limit,
            cursor));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.SuperMetric> createSuperMetric(
      SuperMetricCreation wanted) {
    return endpoints.created(service.create(wanted));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.SuperMetric> getSuperMetric(UUID id) {
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.SuperMetric> putSuperMetric(
      UUID id, SuperMetricEdit wanted, @Nullable String ifMatch) {
    service.change(id, wanted, ifMatch);
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.SuperMetric> putSuperMetricPolicy(
      UUID id, SuperMetricPolicy wanted, @Nullable String ifMatch) {
    service.changePolicy(id, wanted, ifMatch);
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<Void> deleteSuperMetric(UUID id, @Nullable String ifMatch) {
    return endpoints.delete(id, ifMatch);
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
            new ImportChoice(
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
    return ResponseEntity.ok(effects.of(service.get(id).rule(), request));
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
            service.get(id).rule(), states.of(List.of(id)).getOrDefault(id, List.of())));
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
    return ResponseEntity.ok(
        service
            .history(id, limit, cursor)
            .map(SuperMetricAnswers::version)
            .as(SuperMetricVersionPage::new));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.SuperMetric> restoreSuperMetric(
      UUID id, Long version, @Nullable String ifMatch) {
    return endpoints.restore(id, version, ifMatch);
  }

  @Override
  public ResponseEntity<Job> backfillSuperMetric(UUID id, BackfillRequest request) {
    return ResponseEntity.accepted().body(backfills.start(service.get(id).rule(), request));
  }
}
