package io.peerlens.notify.definition;

import io.peerlens.definition.DefinitionItems;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleItems;
import jakarta.validation.Validator;

/** Lookup tables in rules files; templates refer to them by their names. */
final class LookupItems extends DefinitionItems<LookupFile, NamedTable> {

  LookupItems(LookupStore store, LookupService service, Validator validator) {
    super(
        "lookupTables",
        10,
        LookupFile.class,
        store,
        service,
        (path, item) -> {
          LookupFile file =
              Definitions.of(path, Definitions.withoutId(item), LookupFile.class, validator);
          LookupService.check(path + ".", file);
          return new RuleItems.Item(
              LookupFile.id(file.name()), file.name(), Definitions.tree(file));
        });
  }

  @Override
  public boolean isReferredToByName() {
    return true;
  }
}
