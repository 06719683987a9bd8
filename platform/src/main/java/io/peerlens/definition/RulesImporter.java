package io.peerlens.definition;

import io.peerlens.api.model.FieldChange;
import io.peerlens.api.model.FieldError;
import io.peerlens.api.model.ImportAction;
import io.peerlens.api.model.OnConflict;
import io.peerlens.api.model.RuleImportState;
import io.peerlens.definition.RuleItems.Item;
import io.peerlens.definition.RuleItems.Stored;
import io.peerlens.web.ApiException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Import of rules files: plans it and carries it out. */
final class RulesImporter {

  private final List<RuleItems> sorts;
  private final List<ChangeNumberStore> numbers;

  /**
   * @param numbers those of all sorts; an import locks them in this order
   */
  RulesImporter(List<RuleItems> sorts, List<? extends ChangeNumberStore> numbers) {
    this.sorts = sorts.stream().sorted(Comparator.comparingInt(RuleItems::order)).toList();
    this.numbers = List.copyOf(numbers);
  }

  /** Sorts of rules, those that others refer to first. */
  List<RuleItems> sorts() {
    return sorts;
  }

  List<String> sections() {
    return sorts.stream().map(RuleItems::section).toList();
  }

  /**
   * Plan for an item.
   *
   * @param id that it has here; null = it is new and the file gives none, or it makes no sense
   * @param item null = it makes no sense
   */
  record Planned(
      RuleItems sort,
      int index,
      @Nullable UUID id,
      String name,
      @Nullable Item item,
      RuleImportState state,
      ImportAction action,
      String reason,
      List<FieldChange> changes,
      List<FieldError> errors) {}

  /** What would be done with each item. */
  List<Planned> plan(RulesFile file, OnConflict onConflict) {
    Map<UUID, UUID> elsewhere = new HashMap<>();
    List<Planned> plan = new ArrayList<>();
    for (RuleItems sort : sorts) {
      new Section(sort, file, onConflict, elsewhere).plan(plan);
    }
    return plan;
  }

  /**
   * Does it, all of it or nothing.
   *
   * @param pack the pack that the file is; null = it is none
   */
  List<Planned> apply(
      RulesFile file, OnConflict onConflict, @Nullable String pack, Instant now, String by) {
    return write(
        0,
        () -> {
          List<Planned> plan = plan(file, onConflict);
          for (Planned planned : plan) {
            Item item = planned.item();
            if (planned.action() != ImportAction.SKIP && item != null) {
              UUID id = planned.id() == null ? UUID.randomUUID() : planned.id();
              planned.sort().put(id, item, pack, now, by);
            }
          }
          return plan;
        });
  }

  private <T> T write(int next, Supplier<T> change) {
    return next == numbers.size()
        ? change.get()
        : numbers.get(next).write(() -> write(next + 1, change));
  }

  /** The items of one list. */
  private static final class Section {

    private final RuleItems sort;
    private final List<JsonNode> items;
    private final OnConflict onConflict;
    private final Map<UUID, UUID> elsewhere;
    private final Map<UUID, Stored> byId = new HashMap<>();
    private final Map<String, Stored> byName = new HashMap<>();
    private final Set<UUID> ids = new HashSet<>();
    private final Set<String> names = new HashSet<>();

    Section(RuleItems sort, RulesFile file, OnConflict onConflict, Map<UUID, UUID> elsewhere) {
      this.sort = sort;
      this.items = file.items(sort.section());
      this.onConflict = onConflict;
      this.elsewhere = elsewhere;
      if (!items.isEmpty()) {
        for (Stored stored : sort.stored()) {
          byId.put(stored.id(), stored);
          byName.put(stored.name(), stored);
        }
      }
    }

    void plan(List<Planned> into) {
      // Rules that are stored under another id are called by that one by all that follow.
      for (JsonNode item : items) {
        UUID id = uuid(item.path("id"));
        Stored stored = byName.get(item.path("name").asString(""));
        if (id != null && !byId.containsKey(id) && stored != null) {
          elsewhere.put(id, stored.id());
        }
      }
      for (int i = 0; i < items.size(); i++) {
        into.add(plan(i, items.get(i)));
      }
    }

    private Planned plan(int index, JsonNode node) {
      String path = sort.section() + "[" + index + "]";
      UUID inFile = uuid(node.path("id"));
      Item item;
      try {
        item = sort.read(path, renamed(node, elsewhere));
      } catch (ApiException e) {
        return invalid(
            index,
            node.path("name").asString(""),
            e.detail() + (e.hint() == null ? "" : " " + e.hint()),
            e.errors());
      }
      if ((inFile != null && !ids.add(inFile)) | !names.add(item.name())) {
        return invalid(
            index,
            item.name(),
            "Its id or name stands earlier in the file.",
            List.of(new FieldError(path, "stands earlier in the file")));
      }
      Stored stored = inFile == null ? null : byId.get(inFile);
      Stored named = byName.get(item.name());
      if (stored != null && named != null && !named.id().equals(stored.id())) {
        return planned(
            index,
            stored.id(),
            item,
            RuleImportState.CONFLICT,
            ImportAction.SKIP,
            "Its id is stored, but its name belongs to " + named.id() + ".",
            List.of());
      }
      stored = stored == null ? named : stored;
      if (stored == null) {
        // Some ids follow from names, whatever a file says.
        return planned(
            index,
            item.id() == null ? inFile : item.id(),
            item,
            RuleImportState.NEW,
            ImportAction.CREATE,
            "It is not stored yet.",
            List.of());
      }
      List<FieldChange> changes = Definitions.changes(stored.definition(), item.definition());
      if (changes.isEmpty()) {
        return planned(
            index,
            stored.id(),
            item,
            RuleImportState.SAME,
            ImportAction.SKIP,
            "It is stored as it is in the file.",
            List.of());
      }
      boolean overwrite = onConflict == OnConflict.OVERWRITE;
      String as =
          stored.id().equals(inFile) ? "" : " under the id " + stored.id() + ", which stays";
      return planned(
          index,
          stored.id(),
          item,
          RuleImportState.CHANGED,
          overwrite ? ImportAction.OVERWRITE : ImportAction.SKIP,
          overwrite
              ? "It replaces the stored one" + as + "."
              : "The stored one" + as + " is kept, as chosen.",
          changes);
    }

    private Planned planned(
        int index,
        @Nullable UUID id,
        Item item,
        RuleImportState state,
        ImportAction action,
        String reason,
        List<FieldChange> changes) {
      return new Planned(
          sort, index, id, item.name(), item, state, action, reason, changes, List.of());
    }

    private Planned invalid(int index, String name, String reason, List<FieldError> errors) {
      return new Planned(
          sort,
          index,
          null,
          name,
          null,
          RuleImportState.INVALID,
          ImportAction.SKIP,
          reason,
          List.of(),
          errors);
    }
  }

  static @Nullable UUID uuid(JsonNode node) {
    String text = node.asString("");
    if (text.length() != 36) {
      return null;
    }
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** A copy in which ids are exchanged, wherever they stand. */
  private static JsonNode renamed(JsonNode node, Map<UUID, UUID> ids) {
    if (ids.isEmpty()) {
      return node;
    }
    JsonNode copy = node.deepCopy();
    rename(copy, ids);
    return copy;
  }

  private static void rename(JsonNode node, Map<UUID, UUID> ids) {
    if (node instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> member : List.copyOf(object.properties())) {
        UUID id = uuid(member.getValue());
        if (id != null && ids.containsKey(id)) {
          object.put(member.getKey(), String.valueOf(ids.get(id)));
        } else {
          rename(member.getValue(), ids);
        }
      }
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        UUID id = uuid(array.get(i));
        if (id != null && ids.containsKey(id)) {
          array.set(i, String.valueOf(ids.get(id)));
        } else {
          rename(array.get(i), ids);
        }
      }
    }
  }
}
