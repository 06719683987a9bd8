package io.peerlens.scope;

import io.peerlens.api.model.GroupEdit;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.StoredForms;
import io.peerlens.definition.StoredRule;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The stored groups. Thread-safe. */
final class GroupStore extends DefinitionStore<GroupEdit, Group> {

  GroupStore(JdbcClient jdbc, RuleStore rules, int historyKept) {
    super(jdbc, rules, StoredForms.OBJECT_GROUP, historyKept);
  }

  @Override
  protected Group read(UUID id, long version, GroupEdit edit) {
    return GroupService.read(id, "", edit);
  }

  @Override
  protected String name(Group group) {
    return group.name();
  }

  @Override
  protected boolean isEnabled(Group group) {
    return true;
  }

  /** What each group holds. */
  Map<UUID, Scope> scopes() {
    Map<UUID, Scope> scopes = new HashMap<>();
    for (StoredRule<GroupEdit, Group> group : byId().values()) {
      scopes.put(group.id(), group.rule().scope());
    }
    return scopes;
  }
}
