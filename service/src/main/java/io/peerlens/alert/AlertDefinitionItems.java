package io.peerlens.alert;

import io.peerlens.api.model.AlertDefinitionCreation;
import io.peerlens.api.model.AlertDefinitionEdit;
import io.peerlens.rule.Definitions;
import io.peerlens.rule.RuleItems;
import io.peerlens.rule.StoredRule;
import jakarta.validation.Validator;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Alert definitions in rules files. */
final class AlertDefinitionItems implements RuleItems {

  private final AlertDefinitionStore store;
  private final AlertDefinitionService service;
  private final Validator validator;

  AlertDefinitionItems(
      AlertDefinitionStore store, AlertDefinitionService service, Validator validator) {
    this.store = store;
    this.service = service;
    this.validator = validator;
  }

  @Override
  public String section() {
    return "alertDefinitions";
  }

  @Override
  public int order() {
    return 2;
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
    AlertDefinitionCreation given =
        Definitions.of(path, item, AlertDefinitionCreation.class, validator);
    AlertDefinitionEdit edit = AlertDefinitionService.edit(given);
    UUID id = given.getId();
    AlertDefinitionReader.read(
        Objects.requireNonNullElseGet(id, UUID::randomUUID), path + ".", edit);
    return new Item(id, edit.getName(), Definitions.tree(edit));
  }

  @Override
  public void put(UUID id, Item item, @Nullable String pack, Instant now, String by) {
    service.importItem(
        id, Definitions.of(item.definition(), AlertDefinitionEdit.class), pack, now, by);
  }
}
