package io.peerlens.outlier;

import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.rule.Definitions;
import io.peerlens.rule.RuleItems;
import io.peerlens.rule.StoredRule;
import jakarta.validation.Validator;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Groups of peers in rules files. */
final class OutlierGroupItems implements RuleItems {

  private final OutlierGroupStore store;
  private final OutlierGroupService service;
  private final Validator validator;

  OutlierGroupItems(OutlierGroupStore store, OutlierGroupService service, Validator validator) {
    this.store = store;
    this.service = service;
    this.validator = validator;
  }

  @Override
  public String section() {
    return "outlierGroups";
  }

  @Override
  public int order() {
    return 3;
  }

  @Override
  public List<Stored> stored() {
    return store.byId().values().stream()
        .sorted(Comparator.comparing(StoredRule::name))
        .map(one -> new Stored(one.id(), one.name(), Definitions.tree(one.edit()), one.pack()))
        .toList();
  }

  @Override
  public Item read(String path, JsonNode item) {
    OutlierGroupEdit given = Definitions.of(path, item, OutlierGroupEdit.class, validator);
    OutlierGroupEdit edit = service.normal(path + ".", given);
    return new Item(given.getId(), edit.getName(), Definitions.tree(edit));
  }

  @Override
  public void put(UUID id, Item item, @Nullable String pack, Instant now, String by) {
    service.importItem(
        id, Definitions.of(item.definition(), OutlierGroupEdit.class), pack, now, by);
  }
}
