package io.peerlens.scope;

import io.peerlens.api.model.GroupEdit;
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

/** Groups in rules files. */
final class GroupItems implements RuleItems {

  private final GroupStore store;
  private final GroupService service;
  private final Validator validator;

  GroupItems(GroupStore store, GroupService service, Validator validator) {
    this.store = store;
    this.service = service;
    this.validator = validator;
  }

  @Override
  public String section() {
    return "groups";
  }

  @Override
  public int order() {
    return 0;
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
    GroupEdit given = Definitions.of(path, item, GroupEdit.class, validator);
    GroupEdit edit = GroupService.normal(path + ".", given);
    return new Item(given.getId(), edit.getName(), Definitions.tree(edit));
  }

  @Override
  public void put(UUID id, Item item, @Nullable String pack, Instant now, String by) {
    service.importItem(id, Definitions.of(item.definition(), GroupEdit.class), pack, now, by);
  }
}
