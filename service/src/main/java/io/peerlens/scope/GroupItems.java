package io.peerlens.scope;

import io.peerlens.api.model.GroupEdit;
import io.peerlens.rule.Definitions;
import io.peerlens.rule.RuleItems;
import io.peerlens.scope.GroupStore.StoredGroup;
import jakarta.validation.Validator;
import java.time.Instant;
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
        .map(group -> new Stored(group.id(), group.name(), Definitions.tree(edit(group)), null))
        .toList();
  }

  private static GroupEdit edit(StoredGroup group) {
    return new GroupEdit(group.name(), group.scope()).description(group.description());
  }

  @Override
  public Item read(String path, JsonNode item) {
    GroupEdit edit = Definitions.of(path, item, GroupEdit.class, validator);
    GroupService.check(path + ".", edit);
    return new Item(edit.getId(), edit.getName(), Definitions.tree(edit));
  }

  @Override
  public void put(UUID id, Item item, @Nullable String pack, Instant now, String by) {
    service.put(id, Definitions.of(item.definition(), GroupEdit.class), now, by);
  }
}
