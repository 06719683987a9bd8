package io.peerlens.threshold;

import io.peerlens.api.model.ThresholdEdit;
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

/** Thresholds in rules files. */
final class ThresholdItems implements RuleItems {

  private final ThresholdStore store;
  private final ThresholdService service;
  private final Validator validator;

  ThresholdItems(ThresholdStore store, ThresholdService service, Validator validator) {
    this.store = store;
    this.service = service;
    this.validator = validator;
  }

  @Override
  public String section() {
    return "thresholds";
  }

  @Override
  public int order() {
    return 1;
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
    ThresholdEdit given = Definitions.of(path, item, ThresholdEdit.class, validator);
    ThresholdEdit edit = service.normal(path + ".", given);
    return new Item(given.getId(), edit.getName(), Definitions.tree(edit));
  }

  @Override
  public void put(UUID id, Item item, @Nullable String pack, Instant now, String by) {
    service.importItem(id, Definitions.of(item.definition(), ThresholdEdit.class), pack, now, by);
  }
}
