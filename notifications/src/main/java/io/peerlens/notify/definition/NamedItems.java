package io.peerlens.notify.definition;

import io.peerlens.definition.DefinitionItems;
import io.peerlens.definition.DefinitionService;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleItems;
import jakarta.validation.Validator;
import java.util.function.BiFunction;

/** Sections of rules files whose items have a name and may have an id. */
public final class NamedItems {

  private NamedItems() {}

  /**
   * A section.
   *
   * @param normal a definition with what was left out filled in, or refused; its first argument is
   *     the path of the item, with a point at its end
   */
  public static <E, R> RuleItems of(
      String section,
      int order,
      Class<E> type,
      DefinitionStore<E, R> store,
      DefinitionService<E, R> service,
      Validator validator,
      BiFunction<String, E, E> normal) {
    return new DefinitionItems<>(
        section,
        order,
        type,
        store,
        service,
        (path, item) -> {
          E edit = normal.apply(path + ".", Definitions.of(path, item, type, validator));
          return new RuleItems.Item(
              Definitions.id(path, item), item.path("name").asString(""), Definitions.tree(edit));
        });
  }
}
