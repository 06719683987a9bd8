package io.peerlens.supermetric;

import io.peerlens.supermetric.SuperMetricStore.Action;
import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.file.ImportFile;
import io.peerlens.supermetrics.file.ImportFile.Found;
import io.peerlens.supermetrics.file.ImportPlan;
import io.peerlens.supermetrics.file.ImportPlan.Item;
import io.peerlens.supermetrics.file.ImportPlan.OnConflict;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Plans imports and carries them out. */
final class Importer {

  private final SuperMetricStore store;
  private final int maxCount;

  Importer(SuperMetricStore store, int maxCount) {
    this.store = store;
    this.maxCount = maxCount;
  }

  /**
   * What the user chose.
   *
   * @param only ids of the items to be imported; empty = all
   * @param skip ids of items that are left out
   * @param overwrite ids of items that are taken whatever is stored
   * @param enable whether new ones are on
   * @param pack the pack that the file is; null = it is none
   */
  record Choice(
      OnConflict onConflict,
      Set<UUID> only,
      Set<UUID> skip,
      Set<UUID> overwrite,
      boolean enable,
      @Nullable String pack) {

    /** Seconds between ticks of new ones: those of vRealize Operations, except for our packs. */
    int interval() {
      return pack == null ? StoredSuperMetric.VROPS_INTERVAL : StoredSuperMetric.USUAL_INTERVAL;
    }

    private boolean leavesOut(UUID id) {
      return skip.contains(id) || (!only.isEmpty() && !only.contains(id));
    }
  }

  /** What would be done with each item. */
  List<Item> plan(ImportFile file, Choice choice) {
    return plan(
        file,
        choice,
        store.catalogue().byId().values().stream()
            .map(entry -> entry.stored().definition())
            .toList());
  }

  /** Does it, all of it or nothing. */
  List<Item> apply(ImportFile file, Choice choice, Instant now, String by) {
    return store.write(
        () -> {
          Map<UUID, StoredSuperMetric> current = store.current();
          List<Item> items =
              plan(
                  file,
                  choice,
                  current.values().stream().map(StoredSuperMetric::definition).toList());
          long added =
              items.stream().filter(item -> item.action() == ImportPlan.Action.CREATE).count();
          if (current.size() + added > maxCount) {
            throw tooMany(maxCount);
          }
          carryOut(items, current, choice, now, by);
          return items;
        });
  }

  static ApiException tooMany(int maxCount) {
    return ApiException.of(
            ErrorCode.CONFLICT, "There would be more than " + maxCount + " super metrics.")
        .hint("Delete some, or raise peerlens.super-metrics.max-count.");
  }

  private static List<Item> plan(ImportFile file, Choice choice, List<SuperMetric> stored) {
    Predicate<Found> leftOut = found -> choice.leavesOut(found.definition().id());
    List<Found> chosen = file.superMetrics().stream().filter(leftOut.negate()).toList();
    Map<Found, Item> planned = new IdentityHashMap<>();
    ImportPlan.of(stored, chosen, choice.onConflict(), choice.overwrite())
        .items()
        .forEach(item -> planned.put(item.found(), item));
    if (chosen.size() < file.superMetrics().size()) {
      ImportPlan.of(stored, file.superMetrics(), OnConflict.SKIP)
          .items()
          .forEach(item -> planned.computeIfAbsent(item.found(), found -> leftOut(item)));
    }
    List<Item> items = new ArrayList<>();
    for (Found found : file.superMetrics()) {
      Item item = planned.get(found);
      if (item == null) {
        throw new IllegalStateException("no plan for " + found.place());
      }
      items.add(item);
    }
    return items;
  }

  private static Item leftOut(Item item) {
    return new Item(
        item.found(),
        item.state(),
        ImportPlan.Action.SKIP,
        item.stored(),
        item.changes(),
        "It is left out, as chosen.");
  }

  private void carryOut(
      List<Item> items,
      Map<UUID, StoredSuperMetric> current,
      Choice choice,
      Instant now,
      String by) {
    for (Item item : items) {
      StoredSuperMetric before = before(item, current);
      if (before != null && !before.definition().id().equals(item.found().definition().id())) {
        store.delete(before.definition().id(), now, by);
      }
    }
    for (Item item : items) {
      SuperMetric definition = item.found().definition();
      StoredSuperMetric before = before(item, current);
      if (item.action() == ImportPlan.Action.SKIP) {
        continue;
      }
      boolean same = before != null && before.definition().id().equals(definition.id());
      store.put(
          new StoredSuperMetric(
              definition,
              before == null ? List.of() : before.tags(),
              before == null ? null : before.owner(),
              choice.pack() != null || before == null ? choice.pack() : before.pack(),
              before == null ? new Policy(choice.enable(), List.of()) : before.policy(),
              before == null ? choice.interval() : before.intervalSeconds(),
              store.newestVersion(definition.id()) + 1,
              same && before != null ? before.createdAt() : now,
              same && before != null ? before.createdBy() : by,
              now,
              by),
          Action.IMPORTED);
    }
  }

  private static @Nullable StoredSuperMetric before(
      Item item, Map<UUID, StoredSuperMetric> current) {
    return item.action() == ImportPlan.Action.OVERWRITE && item.stored() != null
        ? current.get(item.stored().id())
        : null;
  }
}
