package io.peerlens.supermetric;

import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.file.ImportFile;
import io.peerlens.supermetrics.file.ImportFile.Found;
import io.peerlens.supermetrics.file.ImportPlan;
import io.peerlens.supermetrics.file.ImportPlan.Item;
import io.peerlens.supermetrics.file.ImportPlan.OnConflict;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Choices of the user for an import.
 *
 * @param only ids of the items to be imported; empty = all
 * @param skip ids of items that are left out
 * @param overwrite ids of items that are taken whatever is stored
 * @param enable whether new ones are on
 * @param pack the pack that the file is; null = it is none
 */
record ImportChoice(
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

  /** What would be done with each item of a file, in its order. */
  List<Item> plan(ImportFile file, List<SuperMetric> stored) {
    Predicate<Found> leftOut = found -> leavesOut(found.definition().id());
    List<Found> chosen = file.superMetrics().stream().filter(leftOut.negate()).toList();
    Map<Found, Item> planned = new IdentityHashMap<>();
    ImportPlan.of(stored, chosen, onConflict, overwrite)
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
}
