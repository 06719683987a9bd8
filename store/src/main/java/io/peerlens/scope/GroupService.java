package io.peerlens.scope;

import io.peerlens.api.model.GroupEdit;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.RuleUser;
import io.peerlens.web.ApiException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creation, changes and deletion of groups. */
final class GroupService extends DefinitionService<GroupEdit, Group> {

  private final GroupStore store;

  GroupService(
      GroupStore store,
      RuleStore rules,
      InstantSource clock,
      int maxGroups,
      Supplier<List<RuleUser>> users) {
    super(
        store,
        rules,
        clock,
        new DefinitionKind("group", "/api/v1/groups", maxGroups, "peerlens.scopes.max-groups"),
        users);
    this.store = store;
  }

  @Override
  protected @Nullable UUID wantedId(GroupEdit wanted) {
    return wanted.getId();
  }

  @Override
  protected GroupEdit prepared(UUID id, GroupEdit wanted, boolean isNew) {
    return normal("", wanted);
  }

  /**
   * A group without its id, or refused where it makes no sense by itself.
   *
   * @param path of the group in the body, with a point at its end, or empty
   */
  static GroupEdit normal(String path, GroupEdit wanted) {
    read(new UUID(0, 0), path, wanted);
    return Definitions.of(Definitions.tree(wanted), GroupEdit.class);
  }

  /** What a group says. */
  static Group read(UUID id, String path, GroupEdit wanted) {
    if (wanted.getName().isBlank()) {
      throw ApiException.invalidField(path + "name", "is blank");
    }
    ScopeReader.storable(path + "name", wanted.getName());
    if (wanted.getDescription() != null) {
      ScopeReader.storable(path + "description", wanted.getDescription());
    }
    return new Group(
        id,
        wanted.getName(),
        wanted.getDescription(),
        ScopeReader.scope(path + "scope", wanted.getScope()));
  }

  /** Refuses a group that others lead back to. */
  @Override
  protected void check(Group wanted) {
    Map<UUID, Scope> stored = store.scopes();
    List<UUID> next = new ArrayList<>(wanted.scope().groups());
    Set<UUID> seen = new HashSet<>();
    while (!next.isEmpty()) {
      UUID one = next.removeLast();
      if (one.equals(wanted.id())) {
        throw ApiException.invalidField(
                "scope.groups", "leads back to \"" + wanted.name() + "\" itself")
            .hint("Leave out the group that uses this one.");
      }
      Scope scope = stored.get(one);
      if (scope != null && seen.add(one)) {
        next.addAll(scope.groups());
      }
    }
  }
}
