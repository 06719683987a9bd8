package io.peerlens.notify.definition;

import io.peerlens.api.model.SilenceEdit;
import io.peerlens.definition.DefinitionItems;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleItems;
import jakarta.validation.Validator;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;

/** Silences in rules files. They have no names, so an item is known by its id. */
final class SilenceItems extends DefinitionItems<SilenceEdit, Silence> {

  private final SilenceStore store;
  private final InstantSource clock;

  SilenceItems(
      SilenceStore store, SilenceService service, InstantSource clock, Validator validator) {
    super(
        "silences",
        14,
        SilenceEdit.class,
        store,
        service,
        (path, item) -> {
          UUID given = Definitions.id(path, item);
          UUID id = given == null ? UUID.randomUUID() : given;
          SilenceEdit edit =
              Definitions.of(path, Definitions.withoutId(item), SilenceEdit.class, validator);
          return new RuleItems.Item(
              id, id.toString(), Definitions.tree(service.normal(path + ".", edit)));
        });
    this.store = store;
    this.clock = clock;
  }

  /** Only a silence that is not over and is about a group needs what it names. */
  @Override
  public List<String> users(UUID rule) {
    return store.byId().values().stream()
        .filter(silence -> clock.instant().isBefore(silence.rule().to()))
        .filter(
            silence ->
                RuleItems.refers(Definitions.tree(silence.edit()).path("scope"), rule.toString()))
        .map(silence -> "the silence \"%s\"".formatted(silence.rule().comment()))
        .toList();
  }
}
