package io.peerlens.definition;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Definitions of a {@link DefinitionStore} as items of rules files. */
public class DefinitionItems<E, R> implements RuleItems {

  private final String section;
  private final int order;
  private final Class<E> type;
  private final DefinitionStore<E, R> store;
  private final DefinitionService<E, R> service;
  private final BiFunction<String, JsonNode, Item> reader;

  /**
   * @param reader what {@link #read} does
   */
  public DefinitionItems(
      String section,
      int order,
      Class<E> type,
      DefinitionStore<E, R> store,
      DefinitionService<E, R> service,
      BiFunction<String, JsonNode, Item> reader) {
    this.section = section;
    this.order = order;
    this.type = type;
    this.store = store;
    this.service = service;
    this.reader = reader;
  }

  @Override
  public final String section() {
    return section;
  }

  @Override
  public final int order() {
    return order;
  }

  @Override
  public final List<Stored> stored() {
    return store.byId().values().stream()
        .sorted(Comparator.comparing(StoredRule::name))
        .map(one -> new Stored(one.id(), one.name(), Definitions.tree(one.edit()), one.pack()))
        .toList();
  }

  @Override
  public final Item read(String path, JsonNode item) {
    return reader.apply(path, item);
  }

  @Override
  public final void put(UUID id, Item item, @Nullable String pack, Instant now, String by) {
    service.importItem(id, Definitions.of(item.definition(), type), pack, now, by);
  }
}
