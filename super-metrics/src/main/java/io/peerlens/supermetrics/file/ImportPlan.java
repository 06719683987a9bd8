package io.peerlens.supermetrics.file;

import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.file.ImportFile.Found;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plan of an import, item by item, made before anything is changed. Planning looks at nothing but
 * its arguments, so a dry run and the import that follows it agree as long as the store has not
 * changed in between.
 *
 * <p>An item meets a stored super metric by id first, then by name, and what the user chose for
 * conflicts applies to either. Its id and its name are never mixed with another's: an item that
 * would take the name of a third super metric is skipped, whatever was chosen.
 *
 * @param onConflict what the user chose
 * @param items one for each super metric of the file, in its order
 */
public record ImportPlan(OnConflict onConflict, List<Item> items) {

  public ImportPlan {
    items = List.copyOf(items);
  }

  /** Treatment of an item that is stored already, but not the same. */
  public enum OnConflict {
    /** Keep what is stored. The choice of a user who has chosen nothing. */
    SKIP,
    /** Take the file's definition. */
    OVERWRITE
  }

  /** Relation of an item to what is stored. */
  public enum State {
    /** Neither its id nor its name is stored. */
    NEW,
    /** Stored with every field the same. */
    SAME,
    /** Stored under the same id and name, with other fields different. */
    CHANGED,
    /** Its id is stored under another name, or its name under another id. */
    CONFLICT,
    /** Its id or its name stands earlier in the same file. */
    DUPLICATE
  }

  /** Planned action for an item. */
  public enum Action {
    /** The definition is added. */
    CREATE,
    /**
     * The definition takes the place of {@link Item#stored()}. If that has another id, the one with
     * the old id goes and the one with the id of the file comes.
     */
    OVERWRITE,
    /** Nothing changes. */
    SKIP
  }

  /**
   * Plan for one super metric of the file.
   *
   * @param found it
   * @param state how it stands to what is stored
   * @param action what will happen
   * @param stored what it meets in the store; {@code null} when it is new or a duplicate
   * @param changes the fields in which it differs from {@code stored}
   * @param reason one sentence on why that will happen
   */
  public record Item(
      Found found,
      State state,
      Action action,
      @Nullable SuperMetric stored,
      List<Change> changes,
      String reason) {

    public Item {
      changes = List.copyOf(changes);
    }
  }

  /** How many items will have this done to them. */
  public long count(Action action) {
    return items.stream().filter(item -> item.action() == action).count();
  }

  /**
   * Plans an import.
   *
   * @param stored everything that is stored; ids and names are unique
   * @param found the super metrics of the file
   * @param onConflict what the user chose
   */
  public static ImportPlan of(
      Collection<SuperMetric> stored, List<Found> found, OnConflict onConflict) {
    return of(stored, found, onConflict, Set.of());
  }

  /**
   * Plans an import with exceptions.
   *
   * @param stored everything that is stored; ids and names are unique
   * @param found the super metrics of the file
   * @param onConflict what the user chose for all
   * @param overwrite ids of items whose definition is taken all the same
   */
  public static ImportPlan of(
      Collection<SuperMetric> stored,
      List<Found> found,
      OnConflict onConflict,
      Set<UUID> overwrite) {
    return new Planner(stored, found, onConflict, overwrite).plan();
  }

  private static final class Planner {

    private final Map<UUID, SuperMetric> byId = new HashMap<>();
    private final Map<String, SuperMetric> byName = new HashMap<>();

    /** The items of the file without duplicates: the first with an id, and with a name. */
    private final Map<UUID, Found> inFile = new HashMap<>();

    private final Map<String, Found> namesInFile = new HashMap<>();
    private final List<Found> found;
    private final OnConflict onConflict;
    private final Set<UUID> overwrite;

    /** Ids that are stored and whose definition the file will take the place of. */
    private final Set<UUID> overwritten;

    Planner(
        Collection<SuperMetric> stored,
        List<Found> found,
        OnConflict onConflict,
        Set<UUID> overwrite) {
      this.found = found;
      this.onConflict = onConflict;
      this.overwrite = Set.copyOf(overwrite);
      for (SuperMetric superMetric : stored) {
        byId.put(superMetric.id(), superMetric);
        byName.put(superMetric.name(), superMetric);
      }
      for (Found item : found) {
        SuperMetric it = item.definition();
        if (!inFile.containsKey(it.id()) && !namesInFile.containsKey(it.name())) {
          inFile.put(it.id(), item);
          namesInFile.put(it.name(), item);
        }
      }
      this.overwritten = overwritten();
    }

    /**
     * Those of the file that are stored under their id and whose name is free, or is freed because
     * its holder is renamed by the same import. Taking one out can take away the name from another,
     * hence the loop.
     */
    private Set<UUID> overwritten() {
      Set<UUID> ids = new HashSet<>(inFile.keySet());
      ids.retainAll(byId.keySet());
      ids.removeIf(this::isKept);
      while (ids.removeIf(
          id -> {
            SuperMetric holder = holderOfName(definition(id));
            return holder != null && !ids.contains(holder.id());
          })) {
        // until nothing is left to take out
      }
      return ids;
    }

    /** Whether the user chose that what is stored stays. */
    private boolean isKept(UUID id) {
      return onConflict == OnConflict.SKIP && !overwrite.contains(id);
    }

    private SuperMetric definition(UUID id) {
      Found item = inFile.get(id);
      if (item == null) {
        throw new IllegalStateException("not in the file: " + id);
      }
      return item.definition();
    }

    /** Who else has the name of a definition in the store, or {@code null}. */
    private @Nullable SuperMetric holderOfName(SuperMetric it) {
      SuperMetric holder = byName.get(it.name());
      return holder == null || holder.id().equals(it.id()) ? null : holder;
    }

    ImportPlan plan() {
      List<Item> items = new ArrayList<>();
      for (Found item : found) {
        Found sameId = inFile.get(item.definition().id());
        Found sameName = namesInFile.get(item.definition().name());
        if (sameId == item) {
          items.add(first(item));
        } else if (sameId != null) {
          items.add(
              duplicate(item, "Its id is in the file twice, also at " + sameId.place() + "."));
        } else {
          Place other = sameName == null ? item.place() : sameName.place();
          items.add(duplicate(item, "Its name is in the file twice, also at " + other + "."));
        }
      }
      return new ImportPlan(onConflict, items);
    }

    private static Item duplicate(Found item, String reason) {
      return new Item(item, State.DUPLICATE, Action.SKIP, null, List.of(), reason);
    }

    private Item first(Found item) {
      SuperMetric it = item.definition();
      SuperMetric sameId = byId.get(it.id());
      if (sameId != null) {
        return stored(item, sameId);
      }
      SuperMetric holder = holderOfName(it);
      if (holder == null || overwritten.contains(holder.id())) {
        return new Item(
            item,
            State.NEW,
            Action.CREATE,
            null,
            List.of(),
            holder == null
                ? "Neither its id nor its name is stored."
                : "Its id is not stored, and its name becomes free: %s is renamed to '%s' by this file."
                    .formatted(holder.id(), definition(holder.id()).name()));
      }
      List<Change> changes = Change.between(holder, it);
      String met = "The name is stored under another id, " + holder.id();
      if (isKept(it.id())) {
        return new Item(
            item,
            State.CONFLICT,
            Action.SKIP,
            holder,
            changes,
            met + "; the stored one is kept, as chosen.");
      }
      if (inFile.containsKey(holder.id())) {
        return new Item(
            item,
            State.CONFLICT,
            Action.SKIP,
            holder,
            changes,
            met + ", which the file has too but cannot rename; rename one of the two in the file.");
      }
      return new Item(
          item,
          State.CONFLICT,
          Action.OVERWRITE,
          holder,
          changes,
          met
              + "; it is replaced by the file's, with the file's id, as chosen. Its stored values"
              + " stay under the old id."
              + readers(holder));
    }

    private Item stored(Found item, SuperMetric stored) {
      SuperMetric it = item.definition();
      List<Change> changes = Change.between(stored, it);
      if (changes.isEmpty()) {
        return new Item(
            item,
            State.SAME,
            Action.SKIP,
            stored,
            changes,
            "It is stored with every field the same.");
      }
      boolean renamed = !stored.name().equals(it.name());
      State state = renamed ? State.CONFLICT : State.CHANGED;
      String met =
          renamed
              ? "The id is stored under another name, '" + stored.name() + "'"
              : "It is stored with other "
                  + changes.stream().map(Change::field).collect(Collectors.joining(", "));
      if (isKept(it.id())) {
        return new Item(
            item,
            state,
            Action.SKIP,
            stored,
            changes,
            met + "; the stored one is kept, as chosen.");
      }
      if (!overwritten.contains(it.id())) {
        SuperMetric holder = holderOfName(it);
        return new Item(
            item,
            state,
            Action.SKIP,
            stored,
            changes,
            met
                + ", and the file's name is already that of "
                + (holder == null ? "another" : holder.id())
                + "; rename one of the two.");
      }
      return new Item(
          item,
          state,
          Action.OVERWRITE,
          stored,
          changes,
          met + "; the file's definition takes its place, as chosen.");
    }

    /** Who is left without data when a super metric goes with its id. */
    private String readers(SuperMetric gone) {
      String key = "sm_" + gone.id();
      List<String> names =
          byId.values().stream()
              .filter(other -> other != gone && other.formula().contains(key))
              .map(other -> "'" + other.name() + "'")
              .sorted()
              .toList();
      return names.isEmpty()
          ? ""
          : " These stored formulas read the old id and will have no data: "
              + String.join(", ", names)
              + ".";
    }
  }
}
