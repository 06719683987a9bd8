package io.peerlens.supermetric;

import io.peerlens.api.model.ImportResult;
import io.peerlens.api.model.InstallState;
import io.peerlens.api.model.Pack;
import io.peerlens.api.model.PackList;
import io.peerlens.api.model.PackMember;
import io.peerlens.security.Caller;
import io.peerlens.supermetric.Catalogue.Entry;
import io.peerlens.supermetric.Checks.Checked;
import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.file.ExportWriter;
import io.peerlens.supermetrics.file.ImportFile;
import io.peerlens.supermetrics.file.ImportPlan;
import io.peerlens.supermetrics.file.ImportPlan.Item;
import io.peerlens.supermetrics.file.ImportReader;
import io.peerlens.supermetrics.file.Packs;
import io.peerlens.supermetrics.file.UnreadableFileException;
import io.peerlens.vocabulary.InstallationVocabulary;
import io.peerlens.vocabulary.Vocabularies;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Super metrics in files: what is imported, exported and comes in packs. Thread-safe. */
final class SuperMetricFiles {

  private final SuperMetricStore store;
  private final Importer importer;
  private final Vocabularies vocabularies;
  private final InstantSource clock;

  SuperMetricFiles(
      SuperMetricStore store, Importer importer, Vocabularies vocabularies, InstantSource clock) {
    this.store = store;
    this.importer = importer;
    this.vocabularies = vocabularies;
    this.clock = clock;
  }

  /**
   * Imports a file, or says what would come of it.
   *
   * @param name of the file, for messages
   */
  ImportResult read(String name, byte[] content, Importer.Choice choice, boolean dryRun) {
    try {
      return carryOut(new ImportReader().read(name, content), choice, dryRun);
    } catch (UnreadableFileException e) {
      throw ApiException.of(ErrorCode.INVALID_BODY, e.problem().toString() + ".")
          .hint(
              "Send the JSON of Super Metrics > Export, a content-management ZIP or a .pak, as it"
                  + " is.");
    }
  }

  private ImportResult carryOut(ImportFile file, Importer.Choice choice, boolean dryRun) {
    List<Item> items =
        dryRun
            ? importer.plan(file, choice)
            : importer.apply(file, choice, clock.instant(), Caller.current().name());
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
  private static int interval(Item item, Catalogue catalogue, Importer.Choice choice) {
    Entry entry = catalogue.find(item.found().definition().id());
    SuperMetric stored = item.stored();
    if (entry == null && stored != null) {
      entry = catalogue.find(stored.id());
    }
    return entry == null ? choice.interval() : entry.stored().intervalSeconds();
  }

  /**
   * A file of some super metrics, or of all if none are named.
   *
   * @param zip whether it is a content-management ZIP
   */
  byte[] write(List<UUID> ids, List<String> packs, boolean zip) {
    Catalogue catalogue = store.catalogue();
    Map<UUID, SuperMetric> chosen = new LinkedHashMap<>();
    for (UUID one : ids) {
      Entry entry = catalogue.find(one);
      if (entry == null) {
        throw SuperMetricService.notFound(one);
      }
      chosen.put(one, entry.stored().definition());
    }
    boolean all = ids.isEmpty() && packs.isEmpty();
    catalogue.byId().values().stream()
        .filter(entry -> all || packs.contains(String.valueOf(entry.stored().pack())))
        .sorted(SuperMetricAnswers.byName())
        .forEach(
            entry -> chosen.put(entry.stored().definition().id(), entry.stored().definition()));
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
      Entry entry = catalogue.find(it.id());
      installed += entry == null ? 0 : 1;
      InstallState state =
          entry == null
              ? InstallState.NOT_INSTALLED
              : entry.stored().definition().formula().equals(it.formula())
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
        new Importer.Choice(onConflict, Set.of(), Set.of(), Set.of(), enable, pack.name()),
        dryRun);
  }
}
