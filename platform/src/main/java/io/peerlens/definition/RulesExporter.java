package io.peerlens.definition;

import io.peerlens.definition.RuleItems.Stored;
import io.peerlens.web.ApiException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writer of rules files. */
final class RulesExporter {

  private final List<RuleItems> sorts;

  RulesExporter(List<RuleItems> sorts) {
    this.sorts = sorts;
  }

  /**
   * A file of some rules and of those that they refer to.
   *
   * @param ids of rules; with {@code packs} empty too, all are taken
   * @throws ApiException if there is no rule of an id
   */
  byte[] export(List<UUID> ids, List<String> packs) {
    Map<UUID, Stored> byId = new HashMap<>();
    Map<String, UUID> byName = new HashMap<>();
    for (RuleItems sort : sorts) {
      for (Stored stored : sort.stored()) {
        byId.put(stored.id(), stored);
        if (sort.isReferredToByName()) {
          byName.put(stored.name(), stored.id());
        }
      }
    }
    Set<UUID> chosen = new HashSet<>();
    Deque<UUID> next = new ArrayDeque<>();
    for (UUID id : ids) {
      if (!byId.containsKey(id)) {
        throw ApiException.notFound("rule", id);
      }
      next.add(id);
    }
    boolean all = ids.isEmpty() && packs.isEmpty();
    byId.values().stream()
        .filter(stored -> all || (stored.pack() != null && packs.contains(stored.pack())))
        .forEach(stored -> next.add(stored.id()));
    while (!next.isEmpty()) {
      Stored stored = byId.get(next.pop());
      if (stored != null && chosen.add(stored.id())) {
        references(stored.definition(), byName, next);
      }
    }
    ObjectNode file = RulesFile.start();
    for (RuleItems sort : sorts) {
      ArrayNode list = file.putArray(sort.section());
      for (Stored stored : sort.stored()) {
        if (chosen.contains(stored.id())) {
          list.addObject().put("id", stored.id().toString()).setAll(stored.definition());
        }
      }
    }
    return RulesFile.bytes(file);
  }

  /** Every text that is an id, or a name that others refer to, may be that of a rule. */
  private static void references(JsonNode node, Map<String, UUID> byName, Deque<UUID> into) {
    UUID id = RulesImporter.uuid(node);
    if (id == null && node.isString()) {
      id = byName.get(node.stringValue());
    }
    if (id != null) {
      into.add(id);
    }
    node.forEach(child -> references(child, byName, into));
  }
}
