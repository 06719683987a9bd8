package io.peerlens.supermetric;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.SuperMetricsApi;
import io.peerlens.api.model.BackfillRequest;
import io.peerlens.api.model.Dependency;
import io.peerlens.api.model.DependencyCycle;
import io.peerlens.api.model.DependencyList;
import io.peerlens.api.model.ExportFormat;
import io.peerlens.api.model.FormulaCheck;
import io.peerlens.api.model.FormulaCheckRequest;
import io.peerlens.api.model.FormulaInput;
import io.peerlens.api.model.FormulaLanguage;
import io.peerlens.api.model.ImportResult;
import io.peerlens.api.model.InstallState;
import io.peerlens.api.model.Job;
import io.peerlens.api.model.OnConflict;
import io.peerlens.api.model.Pack;
import io.peerlens.api.model.PackList;
import io.peerlens.api.model.PackMember;
import io.peerlens.api.model.PreviewRequest;
import io.peerlens.api.model.PreviewResult;
import io.peerlens.api.model.SuperMetricCreation;
import io.peerlens.api.model.SuperMetricEdit;
import io.peerlens.api.model.SuperMetricEvaluation;
import io.peerlens.api.model.SuperMetricPage;
import io.peerlens.api.model.SuperMetricPolicy;
import io.peerlens.api.model.SuperMetricSort;
import io.peerlens.api.model.SuperMetricState;
import io.peerlens.api.model.SuperMetricUse;
import io.peerlens.api.model.SuperMetricUses;
import io.peerlens.api.model.SuperMetricVersion;
import io.peerlens.api.model.SuperMetricVersionPage;
import io.peerlens.api.model.UseKind;
import io.peerlens.security.Caller;
import io.peerlens.supermetric.Catalogue.Entry;
import io.peerlens.supermetric.Checks.Checked;
import io.peerlens.supermetric.SuperMetricStateQueries.KindState;
import io.peerlens.supermetric.SuperMetricStore.Version;
import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.file.ExportWriter;
import io.peerlens.supermetrics.file.ImportFile;
import io.peerlens.supermetrics.file.ImportPlan;
import io.peerlens.supermetrics.file.ImportPlan.Item;
import io.peerlens.supermetrics.file.ImportReader;
import io.peerlens.supermetrics.file.Packs;
import io.peerlens.supermetrics.file.UnreadableFileException;
import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.formula.Vocabulary;
import io.peerlens.supermetrics.program.Dependencies;
import io.peerlens.supermetrics.program.Input;
import io.peerlens.web.ApiException;
import io.peerlens.web.Cursor;
import io.peerlens.web.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
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
  private final Importer importer;
  private final Vocabularies vocabularies;
  private final SuperMetricStateQueries states;
  private final Previews previews;
  private final Backfills backfills;
  private final List<SuperMetricUser> users;
  private final InstantSource clock;

  SuperMetricController(
      SuperMetricStore store,
      SuperMetricService service,
      Importer importer,
      Vocabularies vocabularies,
      SuperMetricStateQueries states,
      Previews previews,
      Backfills backfills,
      List<SuperMetricUser> users,
      InstantSource clock) {
    this.store = store;
    this.service = service;
    this.importer = importer;
    this.vocabularies = vocabularies;
    this.states = states;
    this.previews = previews;
    this.backfills = backfills;
    this.users = users;
    this.clock = clock;
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
    Catalogue catalogue = store.catalogue();
    SuperMetricSort order = sort == null ? SuperMetricSort.NAME : sort;
    SuperMetricFilter filter =
        new SuperMetricFilter(
            SuperMetricFilter.words(q),
            SuperMetricFilter.list(adapterKind),
            SuperMetricFilter.list(objectKind),
            SuperMetricFilter.list(pack),
            SuperMetricFilter.list(tag),
            order);
    List<Entry> matching =
        catalogue.byId().values().stream().filter(filter::matches).sorted(filter.order()).toList();
    Map<UUID, List<KindState>> known = Map.of();
    String scope = filter + " " + state;
    if (state != null && !state.isEmpty()) {
      Map<UUID, List<KindState>> all = states.of(ids(matching));
      matching = matching.stream().filter(entry -> state.contains(state(entry, all))).toList();
      known = all;
    }
    int start = 0;
    if (cursor != null) {
      List<String> keys = Cursor.keys(cursor, scope, 2);
      start = (int) matching.stream().takeWhile(entry -> !filter.isBehind(entry, keys)).count();
    }
    List<Entry> page = matching.subList(start, Math.min(matching.size(), start + limit));
    if (known.isEmpty()) {
      known = states.of(ids(page));
    }
    Checks checks = checks(catalogue, vocabularies.current());
    Map<UUID, List<KindState>> found = known;
    return ResponseEntity.ok(
        new SuperMetricPage(
            page.stream().map(entry -> answer(entry, checks, found)).toList(),
            start + page.size() < matching.size()
                ? Cursor.after(scope, filter.keys(page.getLast()))
                : null,
            (long) matching.size()));
  }

  private static List<UUID> ids(List<Entry> entries) {
    return entries.stream().map(entry -> entry.stored().definition().id()).toList();
  }

  private static SuperMetricState state(Entry entry, Map<UUID, List<KindState>> states) {
    return SuperMetricAnswers.state(
        entry,
        SuperMetricAnswers.assigned(
            entry.stored(), states.getOrDefault(entry.stored().definition().id(), List.of())));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.SuperMetric> createSuperMetric(
      SuperMetricCreation wanted) {
    UUID id = service.create(wanted);
    Entry entry = service.get(id);
    return ResponseEntity.created(URI.create("/api/v1/super-metrics/" + id))
        .eTag(SuperMetricService.tag(entry.stored().version()))
        .body(answer(entry));
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
    return ResponseEntity.ok()
        .eTag(SuperMetricService.tag(entry.stored().version()))
        .body(answer(entry));
  }

  private io.peerlens.api.model.SuperMetric answer(Entry entry) {
    return answer(
        entry,
        checks(store.catalogue(), vocabularies.current()),
        states.of(List.of(entry.stored().definition().id())));
  }

  private static io.peerlens.api.model.SuperMetric answer(
      Entry entry, Checks checks, Map<UUID, List<KindState>> states) {
    SuperMetric it = entry.stored().definition();
    return SuperMetricAnswers.superMetric(
        entry,
        checks.check(it.formula(), it.id(), entry.stored().kinds()),
        states.getOrDefault(it.id(), List.of()));
  }

  private Checks checks(Catalogue catalogue, Vocabulary vocabulary) {
    return new Checks(store.options(), vocabulary, id -> catalogue.find(id) != null);
  }

  // ------------------------------------------------------------------------------------------
  // files

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
    byte[] content;
    try {
      content = body.getContentAsByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ImportFile file;
    try {
      file = new ImportReader().read(requireNonNullElse(fileName, "file"), content);
    } catch (UnreadableFileException e) {
      throw ApiException.of(ErrorCode.INVALID_BODY, e.problem().toString() + ".")
          .hint(
              "Send the JSON of Super Metrics > Export, a content-management ZIP or a .pak, as it"
                  + " is.");
    }
    return ResponseEntity.ok(
        carryOut(
            file,
            new Importer.Choice(
                ImportPlan.OnConflict.valueOf(onConflict.name()),
                set(only),
                set(skip),
                set(overwrite),
                enable,
                null),
            dryRun));
  }

  private static Set<UUID> set(@Nullable List<UUID> ids) {
    return ids == null ? Set.of() : Set.copyOf(new HashSet<>(ids));
  }

  private ImportResult carryOut(ImportFile file, Importer.Choice choice, boolean dryRun) {
    List<Item> items =
        dryRun
            ? importer.plan(file, choice)
            : importer.apply(file, choice, clock.instant(), Caller.current().name());
    Catalogue catalogue = store.catalogue();
    Set<UUID> inFile = new HashSet<>();
    items.stream()
        .filter(item -> item.action() != ImportPlan.Action.SKIP)
        .forEach(item -> inFile.add(item.found().definition().id()));
    Checks checks =
        new Checks(
            store.options(),
            vocabularies.fresh(),
            id -> inFile.contains(id) || catalogue.find(id) != null);
    return SuperMetricAnswers.imported(
        dryRun,
        file,
        items,
        it -> checks.check(it.formula(), it.id(), StoredSuperMetric.kinds(it)));
  }

  @Override
  public ResponseEntity<Object> exportSuperMetrics(
      @Nullable List<UUID> id, @Nullable List<String> pack, ExportFormat format) {
    Catalogue catalogue = store.catalogue();
    Map<UUID, SuperMetric> chosen = new LinkedHashMap<>();
    for (UUID one : requireNonNullElse(id, List.<UUID>of())) {
      Entry entry = catalogue.find(one);
      if (entry == null) {
        throw SuperMetricService.notFound(one);
      }
      chosen.put(one, entry.stored().definition());
    }
    boolean all = (id == null || id.isEmpty()) && (pack == null || pack.isEmpty());
    catalogue.byId().values().stream()
        .filter(
            entry -> all || (pack != null && pack.contains(String.valueOf(entry.stored().pack()))))
        .sorted(SuperMetricAnswers.byName())
        .forEach(
            entry -> chosen.put(entry.stored().definition().id(), entry.stored().definition()));
    boolean zip = format == ExportFormat.ZIP;
    byte[] file =
        zip
            ? ExportWriter.zip(chosen.values(), ExportWriter.NO_INSTALLATION)
            : ExportWriter.json(chosen.values());
    return ResponseEntity.ok()
        .contentType(zip ? MediaType.parseMediaType("application/zip") : MediaType.APPLICATION_JSON)
        .header(
            HttpHeaders.CONTENT_DISPOSITION,
            "attachment; filename=\"" + (zip ? "supermetrics.zip" : "supermetric.json") + "\"")
        .body(file);
  }

  @Override
  public ResponseEntity<PackList> listPacks() {
    Catalogue catalogue = store.catalogue();
    Checks checks = checks(catalogue, vocabularies.current());
    return ResponseEntity.ok(
        new PackList(
            Packs.all().stream()
                .sorted(Comparator.comparing(Packs.Pack::name))
                .map(pack -> pack(pack, catalogue, checks))
                .toList()));
  }

  private static Pack pack(Packs.Pack pack, Catalogue catalogue, Checks checks) {
    List<SuperMetric> definitions = pack.superMetrics();
    Set<UUID> inPack = new HashSet<>();
    definitions.forEach(it -> inPack.add(it.id()));
    List<PackMember> members = new ArrayList<>();
    int installed = 0;
    for (SuperMetric it : definitions) {
      Entry entry = catalogue.find(it.id());
      installed += entry == null ? 0 : 1;
      InstallState state =
          entry == null
              ? InstallState.NOT_INSTALLED
              : entry.stored().definition().formula().equals(it.formula())
                  ? InstallState.INSTALLED
                  : InstallState.CHANGED;
      Checked checked =
          checks.within(inPack).check(it.formula(), it.id(), StoredSuperMetric.kinds(it));
      members.add(
          new PackMember(
              it.id(),
              it.name(),
              it.description(),
              it.unitId(),
              SuperMetricAnswers.kinds(StoredSuperMetric.kinds(it)),
              it.formula(),
              SuperMetricAnswers.validity(checked.validity()),
              state));
    }
    return new Pack(pack.name(), pack.summary(), installed, members);
  }

  @Override
  public ResponseEntity<ImportResult> installPack(
      String name, Boolean dryRun, OnConflict onConflict, Boolean enable) {
    Packs.Pack pack =
        Packs.named(name)
            .orElseThrow(
                () ->
                    ApiException.notFound("pack", name)
                        .hint(
                            "There are: "
                                + String.join(
                                    ", ", Packs.all().stream().map(Packs.Pack::name).toList())
                                + "."));
    ImportFile file = new ImportReader().read(pack.name() + ".json", pack.file());
    return ResponseEntity.ok(
        carryOut(
            file,
            new Importer.Choice(
                ImportPlan.OnConflict.valueOf(onConflict.name()),
                Set.of(),
                Set.of(),
                Set.of(),
                enable,
                pack.name()),
            dryRun));
  }

  // ---------------------------------------------------------------------------------------
  // formulas

  @Override
  public ResponseEntity<FormulaCheck> validateFormula(FormulaCheckRequest request) {
    Catalogue catalogue = store.catalogue();
    InstallationVocabulary vocabulary = vocabularies.current();
    List<ObjectKind> kinds = SuperMetricAnswers.kinds(request.getKinds());
    UUID id = request.getId();
    Checked checked = checks(catalogue, vocabulary).check(request.getFormula(), id, kinds);
    Formula formula = checked.formula();
    if (!formula.isValid()) {
      return ResponseEntity.ok(
          new FormulaCheck(
              SuperMetricAnswers.validity(checked.validity()),
              SuperMetricAnswers.issues(checked.issues(), formula.text()),
              List.of(),
              List.of(),
              List.of(),
              null));
    }
    Set<UUID> reads = Dependencies.superMetrics(formula.tree());
    return ResponseEntity.ok(
        new FormulaCheck(
            SuperMetricAnswers.validity(checked.validity()),
            SuperMetricAnswers.issues(checked.issues(), formula.text()),
            SuperMetricAnswers.references(reads, catalogue),
            SuperMetricAnswers.references(cycle(id, reads, catalogue), catalogue),
            inputs(formula, kinds, vocabulary, catalogue),
            Formula.print(formula.tree())));
  }

  /** The circle that a super metric would be part of if it read these. */
  private static Set<UUID> cycle(@Nullable UUID id, Set<UUID> reads, Catalogue catalogue) {
    if (id == null) {
      return Set.of();
    }
    Set<UUID> reached = new LinkedHashSet<>();
    List<UUID> next = new ArrayList<>(reads);
    while (!next.isEmpty()) {
      UUID one = next.removeLast();
      if (reached.add(one) && !one.equals(id)) {
        next.addAll(catalogue.dependencies().reads(one));
      }
    }
    if (!reached.contains(id)) {
      return Set.of();
    }
    Set<UUID> leading = new LinkedHashSet<>(Set.of(id));
    boolean grown = true;
    while (grown) {
      grown = false;
      for (UUID one : reached) {
        if (!leading.contains(one)
            && catalogue.dependencies().reads(one).stream().anyMatch(leading::contains)) {
          grown = leading.add(one);
        }
      }
    }
    return leading;
  }

  private static List<FormulaInput> inputs(
      Formula formula,
      List<ObjectKind> kinds,
      InstallationVocabulary vocabulary,
      Catalogue catalogue) {
    ObjectKind unknown = new ObjectKind("", "");
    Set<Input> inputs = new LinkedHashSet<>();
    for (ObjectKind kind : kinds.isEmpty() ? List.of(unknown) : kinds) {
      inputs.addAll(Dependencies.inputs(formula.tree(), kind));
    }
    return inputs.stream()
        .filter(input -> !input.kind().equals(unknown))
        .map(
            input -> {
              UUID superMetric = Keys.superMetric(input.key());
              return new FormulaInput(
                  input.kind().adapterKind(),
                  input.kind().objectKind(),
                  input.key(),
                  input.attribute(),
                  superMetric != null
                      ? catalogue.find(superMetric) != null
                      : vocabulary
                          .keys(input.kind().adapterKind(), input.kind().objectKind())
                          .contains(Keys.withoutInstances(input.key())));
            })
        .distinct()
        .toList();
  }

  @Override
  public ResponseEntity<PreviewResult> previewFormula(PreviewRequest request) {
    return ResponseEntity.ok(previews.preview(request));
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
    Catalogue catalogue = store.catalogue();
    Dependencies dependencies = catalogue.dependencies();
    Set<Set<UUID>> cycles = new LinkedHashSet<>();
    List<Dependency> order = new ArrayList<>();
    for (UUID id : dependencies.order()) {
      Set<UUID> cycle = dependencies.cycle(id);
      if (!cycle.isEmpty()) {
        cycles.add(cycle);
      }
      order.add(
          new Dependency(
              id,
              requireNonNullElse(catalogue.name(id), ""),
              List.copyOf(reads(catalogue, id)),
              !cycle.isEmpty()));
    }
    return ResponseEntity.ok(
        new DependencyList(
            order,
            cycles.stream()
                .map(
                    cycle ->
                        new DependencyCycle(
                            SuperMetricAnswers.references(sorted(cycle), catalogue)))
                .toList()));
  }

  private static List<UUID> sorted(Collection<UUID> ids) {
    return ids.stream().sorted().toList();
  }

  private static Set<UUID> reads(Catalogue catalogue, UUID id) {
    Entry entry = catalogue.find(id);
    return entry == null ? Set.of() : Dependencies.superMetrics(entry.formula().tree());
  }

  @Override
  public ResponseEntity<SuperMetricUses> listSuperMetricUses(UUID id) {
    Catalogue catalogue = store.catalogue();
    service.get(id);
    String key = Keys.superMetric(id);
    // An invalid formula has no tree worth walking; its text still names what it reads.
    Stream<Entry> users =
        catalogue.byId().values().stream()
            .filter(
                entry ->
                    entry.formula().isValid()
                        ? Dependencies.superMetrics(entry.formula().tree()).contains(id)
                        : entry.formula().text().contains(key));
    List<SuperMetricUse> usedBy =
        new ArrayList<>(
            users
                .sorted(SuperMetricAnswers.byName())
                .map(
                    entry ->
                        new SuperMetricUse(
                            UseKind.SUPER_METRIC,
                            entry.stored().definition().id(),
                            entry.stored().definition().name(),
                            entry.isComputed()))
                .toList());
    for (SuperMetricUser user : this.users) {
      user.uses(id)
          .forEach(
              use ->
                  usedBy.add(
                      new SuperMetricUse(UseKind.THRESHOLD, use.id(), use.name(), use.active())));
    }
    return ResponseEntity.ok(
        new SuperMetricUses(
            usedBy,
            SuperMetricAnswers.references(reads(catalogue, id), catalogue),
            SuperMetricAnswers.references(sorted(catalogue.dependencies().cycle(id)), catalogue)));
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
