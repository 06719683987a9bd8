package io.peerlens.supermetric;

import io.peerlens.api.model.ImportResult;
import io.peerlens.api.model.InstallState;
import io.peerlens.api.model.OnConflict;
import io.peerlens.api.model.Pack;
import io.peerlens.api.model.PackList;
import io.peerlens.api.model.PackMember;
import io.peerlens.definition.StoredRule;
import io.peerlens.supermetric.Checks.Checked;
import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.file.ExportWriter;
import io.peerlens.supermetrics.file.ImportFile;
import io.peerlens.supermetrics.file.ImportPlan;
import io.peerlens.supermetrics.file.ImportPlan.Item;
import io.peerlens.supermetrics.file.ImportReader;
import io.peerlens.supermetrics.file.Packs;
import io.peerlens.supermetrics.file.UnreadableFileException;
import io.peerlens.supermetrics.program.Dependencies;
import io.peerlens.vocabulary.InstallationVocabulary;
import io.peerlens.vocabulary.Vocabularies;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Import, export and packs of super metrics. Thread-safe. */
public final class SuperMetricFiles {

  private final SuperMetricStore store;
  private final SuperMetricService service;
  private final Vocabularies vocabularies;

  SuperMetricFiles(SuperMetricStore store, SuperMetricService service, Vocabularies vocabularies) {
    this.store = store;
    this.service = service;
    this.vocabularies = vocabularies;
  }

  /**
   * Imports a file, or says what would come of it.
   *
   * @param name of the file, for messages
   */
  ImportResult read(String name, byte[] content, ImportChoice choice, boolean dryRun) {
    try {
      return carryOut(new ImportReader().read(name, content), choice, dryRun);
    } catch (UnreadableFileException e) {
      throw ApiException.of(ErrorCode.INVALID_BODY, e.problem().toString() + ".")
          .hint(
              "Send the JSON of Super Metrics > Export, a content-management ZIP or a .pak, as it"
                  + " is.");
    }
  }

  /**
   * Imports the super metrics that a file of another sort has with it, or says what would come of
   * it.
   *
   * @param name of the file, for messages
   * @param content the JSON of Super Metrics > Export
   * @param enable whether new ones are on
   */
  public ImportResult read(
      String name, byte[] content, OnConflict onConflict, boolean enable, boolean dryRun) {
    return read(
        name,
        content,
        new ImportChoice(
            ImportPlan.OnConflict.valueOf(onConflict.name()),
            Set.of(),
            Set.of(),
            Set.of(),
            enable,
            null),
        dryRun);
  }

  /** Names of all that are stored. */
  public Map<UUID, String> names() {
    Map<UUID, String> names = new LinkedHashMap<>();
    store.byId().values().forEach(one -> names.put(one.id(), one.name()));
    return names;
  }

  /**
   * The JSON of Super Metrics > Export with some super metrics and those that they read.
   *
   * @param ids of stored ones
   */
  public byte[] writeWithInputs(Collection<UUID> ids) {
    Catalogue catalogue = store.catalogue();
    Map<UUID, SuperMetric> chosen = new LinkedHashMap<>();
    Deque<UUID> next = new ArrayDeque<>(ids);
    while (!next.isEmpty()) {
      UUID id = next.pop();
      SuperMetricRule rule = catalogue.find(id);
      if (rule != null && !chosen.containsKey(id)) {
        chosen.put(id, service.get(id).edit().definition());
        if (rule.formula().isValid()) {
          next.addAll(Dependencies.superMetrics(rule.formula().tree()));
        }
      }
    }
    return ExportWriter.json(chosen.values());
  }

  private ImportResult carryOut(ImportFile file, ImportChoice choice, boolean dryRun) {
    List<Item> items = dryRun ? service.plan(file, choice) : service.importFile(file, choice);
    Catalogue catalogue = store.catalogue();
    Checks checks =
        new Checks(
            store.options(),
            vocabularies.fresh(),
            catalogue,
            items.stream()
                .filter(item -> item.action() != ImportPlan.Action.SKIP)
                .map(item -> item.found().definition())
                .toList());
    return SuperMetricAnswers.imported(
        dryRun,
        file,
        items,
        it -> checks.check(it.formula(), it.id(), StoredSuperMetric.kinds(it)),
        item -> interval(item, catalogue, choice));
  }

  /** How often an item is computed, or would be. */
  private static int interval(Item item, Catalogue catalogue, ImportChoice choice) {
    SuperMetricRule rule = catalogue.find(item.found().definition().id());
    SuperMetric stored = item.stored();
    if (rule == null && stored != null) {
      rule = catalogue.find(stored.id());
    }
    return rule == null ? choice.interval() : (int) rule.interval().toSeconds();
  }

  /**
   * A file of some super metrics, or of all if none are named.
   *
   * @param zip whether it is a content-management ZIP
   */
  byte[] write(List<UUID> ids, List<String> packs, boolean zip) {
    Map<UUID, StoredRule<StoredSuperMetric, SuperMetricRule>> stored = store.byId();
    Map<UUID, SuperMetric> chosen = new LinkedHashMap<>();
    for (UUID one : ids) {
      chosen.put(one, service.get(one).edit().definition());
    }
    boolean all = ids.isEmpty() && packs.isEmpty();
    stored.values().stream()
        .filter(one -> all || packs.contains(String.valueOf(one.pack())))
        .sorted(Comparator.comparing(StoredRule::rule, SuperMetricAnswers.byName()))
        .forEach(one -> chosen.put(one.id(), one.edit().definition()));
    return zip
        ? ExportWriter.zip(chosen.values(), ExportWriter.NO_INSTALLATION)
        : ExportWriter.json(chosen.values());
  }

  /** Packs that can be installed, with what of them is. */
  PackList packs() {
    Catalogue catalogue = store.catalogue();
    InstallationVocabulary vocabulary = vocabularies.current();
    return new PackList(
        Packs.all().stream()
            .sorted(Comparator.comparing(Packs.Pack::name))
            .map(
                pack ->
                    pack(
                        pack,
                        catalogue,
                        new Checks(store.options(), vocabulary, catalogue, pack.superMetrics())))
            .toList());
  }

  private static Pack pack(Packs.Pack pack, Catalogue catalogue, Checks checks) {
    List<SuperMetric> definitions = pack.superMetrics();
    List<PackMember> members = new ArrayList<>();
    int installed = 0;
    for (SuperMetric it : definitions) {
      SuperMetricRule rule = catalogue.find(it.id());
      installed += rule == null ? 0 : 1;
      InstallState state =
          rule == null
              ? InstallState.NOT_INSTALLED
              : rule.formula().text().equals(it.formula())
                  ? InstallState.INSTALLED
                  : InstallState.CHANGED;
      Checked checked = checks.check(it.formula(), it.id(), StoredSuperMetric.kinds(it));
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

  /** Imports a pack like a file. */
  ImportResult install(
      String name, ImportPlan.OnConflict onConflict, boolean enable, boolean dryRun) {
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
    return carryOut(
        file,
        new ImportChoice(onConflict, Set.of(), Set.of(), Set.of(), enable, pack.name()),
        dryRun);
  }
}
