package io.peerlens.definition;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Items of one kind in rules files. */
public interface RuleItems extends RuleUser {

  /** Name of the list in files, for instance {@code thresholds}. */
  String section();

  /** Sorts come in ascending order; a rule refers to rules of its own sort or of lower ones. */
  int order();

  /** Whether others refer to these by their names instead of their ids. */
  default boolean isReferredToByName() {
    return false;
  }

  /** Stored rules, by name. Inside {@link ChangeNumberStore#write} nobody else changes it. */
  List<Stored> stored();

  /**
   * Reads an item of a file.
   *
   * @param path of the item, without a point at its end
   * @throws io.peerlens.web.ApiException if it makes no sense
   */
  Item read(String path, JsonNode item);

  /**
   * Stores an item that was {@link #read} here or with other ids in it, as a new rule or in place
   * of the stored one of the id; inside {@link ChangeNumberStore#write}.
   *
   * @param pack the pack it comes with; null = none, what is stored stays
   */
  void put(UUID id, Item item, @Nullable String pack, Instant now, String by);

  /**
   * A rule of a file.
   *
   * @param id null = the file gives none
   * @param definition without id; equal definitions are equal trees
   */
  record Item(@Nullable UUID id, String name, ObjectNode definition) {}

  /**
   * A stored rule.
   *
   * @param definition without id; equal definitions are equal trees
   * @param pack the pack it came with
   */
  record Stored(UUID id, String name, ObjectNode definition, @Nullable String pack) {}

  @Override
  default List<String> users(UUID rule) {
    String id = rule.toString();
    return stored().stream()
        .filter(stored -> refers(stored.definition(), id))
        .map(Stored::name)
        .toList();
  }

  /** Whether a definition, or a part of it, names an id. */
  static boolean refers(JsonNode node, String id) {
    return node.isString()
        ? node.stringValue().equals(id)
        : node.valueStream().anyMatch(child -> refers(child, id));
  }
}
