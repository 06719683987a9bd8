package io.peerlens.scope;

import io.peerlens.api.model.GroupEdit;
import io.peerlens.rule.RuleStore;
import io.peerlens.rule.RuleUser;
import io.peerlens.rule.Versions;
import io.peerlens.scope.GroupStore.StoredGroup;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Changes groups, each change from the version that its author has seen. */
final class GroupService {

  private final GroupStore store;
  private final RuleStore rules;
  private final InstantSource clock;
  private final int maxGroups;

  /** Those who may refer to a group; asked late, since they refer to this too. */
  private final Supplier<List<RuleUser>> users;

  GroupService(
      GroupStore store,
      RuleStore rules,
      InstantSource clock,
      int maxGroups,
      Supplier<List<RuleUser>> users) {
    this.store = store;
    this.rules = rules;
    this.clock = clock;
    this.maxGroups = maxGroups;
    this.users = users;
  }

  /** One that is stored, or 404. */
  StoredGroup get(UUID id) {
    return stored(id, store.byId());
  }

  private static StoredGroup stored(UUID id, Map<UUID, StoredGroup> groups) {
    StoredGroup group = groups.get(id);
    if (group == null) {
      throw ApiException.notFound("group", id)
          .hint("GET /api/v1/groups lists those that are stored.");
    }
    return group;
  }

  UUID create(GroupEdit wanted) {
    UUID id = wanted.getId() == null ? UUID.randomUUID() : wanted.getId();
    check("", wanted);
    return rules.write(
        () -> {
          if (store.current().containsKey(id)) {
            throw ApiException.of(ErrorCode.CONFLICT, "There is a group " + id + " already.")
                .hint("Leave out id, or change that one with PUT.");
          }
          put(id, wanted, clock.instant(), Caller.current().name());
          return id;
        });
  }

  void change(UUID id, GroupEdit wanted, @Nullable String ifMatch) {
    if (wanted.getId() != null && !wanted.getId().equals(id)) {
      throw ApiException.invalidField("id", "is not the id of the path");
    }
    check("", wanted);
    rules.write(
        () -> {
          StoredGroup before = stored(id, store.current());
          Versions.check("group", ifMatch, before.version(), before.updatedBy());
          put(id, wanted, clock.instant(), Caller.current().name());
          return id;
        });
  }

  void delete(UUID id, @Nullable String ifMatch) {
    rules.write(
        () -> {
          StoredGroup before = stored(id, store.current());
          Versions.check("group", ifMatch, before.version(), before.updatedBy());
          RuleUser.refuseIfUsed(users.get(), "group", id);
          store.delete(id);
          return id;
        });
  }

  /** Refuses what makes no sense by itself. */
  static void check(String path, GroupEdit wanted) {
    if (wanted.getName().isBlank()) {
      throw ApiException.invalidField(path + "name", "is blank");
    }
    ScopeReader.storable(path + "name", wanted.getName());
    if (wanted.getDescription() != null) {
      ScopeReader.storable(path + "description", wanted.getDescription());
    }
    ScopeReader.scope(path + "scope", wanted.getScope());
  }

  /** Stores a group that was checked; inside {@link RuleStore#write}. */
  void put(UUID id, GroupEdit wanted, Instant now, String by) {
    Map<UUID, StoredGroup> current = store.current();
    StoredGroup before = current.get(id);
    if (before == null && current.size() >= maxGroups) {
      throw ApiException.of(
              ErrorCode.CONFLICT, "There would be more than " + maxGroups + " groups.")
          .hint("Delete some, or raise peerlens.scopes.max-groups.");
    }
    for (StoredGroup other : current.values()) {
      if (other.name().equals(wanted.getName()) && !other.id().equals(id)) {
        throw ApiException.of(
                ErrorCode.CONFLICT,
                "The name \"%s\" is taken by %s.".formatted(other.name(), other.id()))
            .field("name", "is taken")
            .hint("Choose another name, or change that group.");
      }
    }
    refuseCircle(id, wanted, current);
    store.put(
        new StoredGroup(
            id,
            wanted.getName(),
            wanted.getDescription(),
            wanted.getScope(),
            before == null ? 1 : before.version() + 1,
            before == null ? now : before.createdAt(),
            before == null ? by : before.createdBy(),
            now,
            by));
  }

  private static void refuseCircle(UUID id, GroupEdit wanted, Map<UUID, StoredGroup> current) {
    List<UUID> next = new ArrayList<>(ScopeReader.scope("scope", wanted.getScope()).groups());
    Set<UUID> seen = new HashSet<>();
    while (!next.isEmpty()) {
      UUID one = next.removeLast();
      if (one.equals(id)) {
        throw ApiException.invalidField(
                "scope.groups", "leads back to \"" + wanted.getName() + "\" itself")
            .hint("Leave out the group that uses this one.");
      }
      StoredGroup group = current.get(one);
      if (group != null && seen.add(one)) {
        next.addAll(ScopeReader.scope("scope", group.scope()).groups());
      }
    }
  }
}
