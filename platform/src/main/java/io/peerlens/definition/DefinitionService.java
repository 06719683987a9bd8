package io.peerlens.definition;

import io.peerlens.api.model.FieldChange;
import io.peerlens.api.model.RuleAction;
import io.peerlens.audit.AuditNote;
import io.peerlens.definition.UnreadableDefinitions.Unreadable;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.Cursor;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Versions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Changes definitions of one kind as people ask for it, each change from the version that its
 * author has seen, and tells what was changed when.
 */
public abstract class DefinitionService<E, R> {

  private final DefinitionStore<E, R> store;
  private final ChangeNumberStore number;
  private final InstantSource clock;
  private final DefinitionKind kind;

  /** Those who may refer to a rule; asked late, since they refer to this too. */
  private final Supplier<List<RuleUser>> users;

  protected DefinitionService(
      DefinitionStore<E, R> store,
      ChangeNumberStore number,
      InstantSource clock,
      DefinitionKind kind,
      Supplier<List<RuleUser>> users) {
    this.store = store;
    this.number = number;
    this.clock = clock;
    this.kind = kind;
    this.users = users;
  }

  /**
   * Refuses a rule that does not fit what is stored now; within the write.
   *
   * @throws ApiException if so
   */
  protected void check(R rule) {}

  /** A definition as a tree whose members are compared with those of another version. */
  protected JsonNode comparable(E edit) {
    return Definitions.tree(edit);
  }

  /** Whether definitions of another kind have this id. */
  protected boolean isTaken(UUID id) {
    return false;
  }

  /** One that is stored, or 404. */
  public final StoredRule<E, R> get(UUID id) {
    return stored(id, store.byId());
  }

  private StoredRule<E, R> stored(UUID id, Map<UUID, StoredRule<E, R>> all) {
    StoredRule<E, R> rule = all.get(id);
    if (rule == null) {
      Unreadable one = store.unreadable(id);
      throw one == null ? notFound(id) : UnreadableDefinitions.refusal(kind.name(), one);
    }
    return rule;
  }

  public final ApiException notFound(UUID id) {
    return ApiException.notFound(kind.name(), id)
        .hint("GET " + kind.path() + " lists those that are stored.");
  }

  /** Stores a new rule. */
  protected final void add(UUID id, E edit) {
    number.write(
        () -> {
          if (store.current().containsKey(id) || isTaken(id)) {
            throw ApiException.of(
                    ErrorCode.CONFLICT, "There is a " + kind.name() + " " + id + " already.")
                .hint("Leave out id, or change that one with PUT.");
          }
          put(id, edit, null, RuleAction.CREATED, clock.instant(), Caller.current().name());
          return id;
        });
  }

  /** Stores another definition of a rule, also of one that cannot be read. */
  protected final void replace(UUID id, E edit, @Nullable String ifMatch) {
    number.write(
        () -> {
          StoredRule<E, R> before =
              store.unreadable(id) != null ? null : seen(id, store.current(), ifMatch);
          put(
              id,
              edit,
              before == null ? null : before.pack(),
              RuleAction.CHANGED,
              clock.instant(),
              Caller.current().name());
          return id;
        });
  }

  /** Deletes a rule that no other refers to, also one that cannot be read. */
  public final void delete(UUID id, @Nullable String ifMatch) {
    number.write(
        () -> {
          Unreadable bad = store.unreadable(id);
          StoredRule<E, R> before = bad == null ? seen(id, store.current(), ifMatch) : null;
          RuleUser.refuseIfUsed(users.get(), kind.name(), id);
          Instant now = clock.instant();
          String by = Caller.current().name();
          if (before != null) {
            store.delete(before, now, by);
          } else if (bad != null) {
            store.delete(bad, now, by);
          }
          return id;
        });
  }

  /** Brings back a version, also of one that was deleted. */
  public final void restore(UUID id, long version, @Nullable String ifMatch) {
    number.write(
        () -> {
          StoredRule<E, R> old =
              store.history(id, version + 1, 1).stream()
                  .map(RuleVersion::stored)
                  .filter(found -> found.version() == version)
                  .findFirst()
                  .orElseThrow(
                      () -> ApiException.notFound("version " + version + " of " + kind.name(), id));
          Map<UUID, StoredRule<E, R>> current = store.current();
          if (current.containsKey(id)) {
            seen(id, current, ifMatch);
          }
          put(
              id,
              old.edit(),
              old.pack(),
              RuleAction.RESTORED,
              clock.instant(),
              Caller.current().name());
          return id;
        });
  }

  /** What is stored, if it is the version that the caller has seen. */
  private StoredRule<E, R> seen(
      UUID id, Map<UUID, StoredRule<E, R>> current, @Nullable String ifMatch) {
    StoredRule<E, R> before = stored(id, current);
    Versions.check(kind.name(), ifMatch, before.version(), before.updatedBy());
    return before;
  }

  /**
   * Stores an item of a rules file, which is good by itself; inside {@link
   * ChangeNumberStore#write}.
   */
  public final void importItem(UUID id, E edit, @Nullable String pack, Instant now, String by) {
    StoredRule<E, R> before = store.current().get(id);
    put(
        id,
        edit,
        pack == null && before != null ? before.pack() : pack,
        RuleAction.IMPORTED,
        now,
        by);
  }

  private void put(
      UUID id, E edit, @Nullable String pack, RuleAction action, Instant now, String by) {
    Map<UUID, StoredRule<E, R>> current = store.current();
    StoredRule<E, R> before = current.get(id);
    if (before == null && current.size() >= kind.most()) {
      throw ApiException.of(
              ErrorCode.CONFLICT,
              "There would be more than %,d %ss.".formatted(kind.most(), kind.name()))
          .hint("Delete some, or raise " + kind.setting() + ".");
    }
    // A node of an older version may have stored one without its history.
    long version = Math.max(store.newestVersion(id), before == null ? 0 : before.version()) + 1;
    R rule = store.read(id, version, edit);
    String name = store.name(rule);
    for (StoredRule<E, R> other : current.values()) {
      if (other.name().equals(name) && !other.id().equals(id)) {
        throw ApiException.of(
                ErrorCode.CONFLICT, "The name \"%s\" is taken by %s.".formatted(name, other.id()))
            .field("name", "is taken")
            .hint("Choose another name, or change that " + kind.name() + ".");
      }
    }
    check(rule);
    if (before != null && action != RuleAction.IMPORTED) {
      AuditNote.changed(changes(before.edit(), edit).stream().map(FieldChange::getField).toList());
    }
    store.put(
        new StoredRule<>(
            id,
            name,
            edit,
            rule,
            pack,
            version,
            before == null ? now : before.createdAt(),
            before == null ? by : before.createdBy(),
            now,
            by),
        before,
        action);
  }

  /**
   * A page of versions, newest first.
   *
   * @param next cursor of the page after; null = none
   * @param total how many versions are kept
   */
  public record History<E, R>(List<RuleVersion<E, R>> items, @Nullable String next, long total) {}

  /** In what two versions differ. */
  protected List<FieldChange> changes(E before, E after) {
    return Definitions.changes(comparable(before), comparable(after));
  }

  /** The versions that are kept of a rule, also of one that was deleted. */
  public final History<E, R> history(UUID id, int limit, @Nullable String cursor) {
    long total = store.versions(id);
    if (total == 0) {
      throw notFound(id);
    }
    String scope = kind.name() + " history " + id;
    long before =
        cursor == null ? Long.MAX_VALUE : Long.parseLong(Cursor.keys(cursor, scope, 1).getFirst());
    // One more than the page, to compare its last version with.
    List<RuleVersion<E, R>> found = store.history(id, before, limit + 1);
    List<RuleVersion<E, R>> items = new ArrayList<>();
    for (int i = 0; i < Math.min(limit, found.size()); i++) {
      RuleVersion<E, R> one = found.get(i);
      items.add(
          i + 1 < found.size()
              ? one.with(changes(found.get(i + 1).stored().edit(), one.stored().edit()))
              : one);
    }
    return new History<>(
        items,
        found.size() > limit
            ? Cursor.after(scope, String.valueOf(items.getLast().stored().version()))
            : null,
        total);
  }
}
