package io.peerlens.definition;

import static java.util.Objects.requireNonNullElseGet;

import io.peerlens.api.model.FieldChange;
import io.peerlens.audit.AuditNote;
import io.peerlens.definition.UnreadableDefinitions.Unreadable;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Page;
import io.peerlens.web.Versions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Definitions of one kind as people change them, each change from the version that its author has
 * seen, with the history of changes.
 */
public abstract class DefinitionService<E, R> {

  private final DefinitionStore<E, R> store;
  private final ChangeNumberStore number;
  private final InstantSource clock;
  private final DefinitionKind kind;

  /** Definitions that may refer to a rule; asked late, since they refer to this service too. */
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

  /** The id that a new definition asks for; null = a random one. */
  protected @Nullable UUID wantedId(E wanted) {
    return null;
  }

  /**
   * A definition as it is to be stored: checked by itself, with what was left out filled in.
   *
   * @param isNew whether it is created now
   * @throws ApiException if it is not valid
   */
  protected E prepared(UUID id, E wanted, boolean isNew) {
    return wanted;
  }

  /** Whether definitions of another kind have this id. */
  protected boolean isTaken(UUID id) {
    return false;
  }

  /**
   * Whether the caller may know of a version of a definition; those of which he may not do not
   * exist for him.
   */
  protected boolean isVisible(StoredRule<E, R> rule) {
    return true;
  }

  /** Whether two definitions must not have the same name. */
  protected boolean shareNames(R one, R other) {
    return true;
  }

  /**
   * Refuses a change that the caller may not make; within the write. Imports are not asked about.
   *
   * @param before null = there is none, or it cannot be read
   * @param now null = it is deleted
   * @throws ApiException if so
   */
  protected void authorise(
      UUID id, @Nullable StoredRule<E, R> before, @Nullable R now, DefinitionAction action) {}

  /** One that is stored, or 404. */
  public final StoredRule<E, R> get(UUID id) {
    return stored(id, store.byId());
  }

  private StoredRule<E, R> stored(UUID id, Map<UUID, StoredRule<E, R>> all) {
    StoredRule<E, R> rule = all.get(id);
    if (rule == null) {
      throw missing(id);
    }
    if (!isVisible(rule)) {
      throw notFound(id);
    }
    return rule;
  }

  /** 409 for one that cannot be read, or 404. */
  protected ApiException missing(UUID id) {
    Unreadable one = store.unreadable(id);
    return one == null ? notFound(id) : UnreadableDefinitions.refusal(kind.name(), one);
  }

  /** 404: there is none of this id. */
  public ApiException notFound(UUID id) {
    return ApiException.notFound(kind.name(), id)
        .hint("GET " + kind.path() + " lists those that are stored.");
  }

  /** Stores a new definition, and answers its id. */
  public UUID create(E wanted) {
    UUID id = requireNonNullElseGet(wantedId(wanted), UUID::randomUUID);
    add(id, prepared(id, wanted, true));
    return id;
  }

  /** Changes a definition, also one that cannot be read. */
  public void change(UUID id, E wanted, @Nullable String ifMatch) {
    refuseAnotherId(id, wanted);
    replace(id, prepared(id, wanted, false), ifMatch);
  }

  /**
   * @throws ApiException if a definition asks for another id than the path does
   */
  protected final void refuseAnotherId(UUID id, E wanted) {
    UUID other = wantedId(wanted);
    if (other != null && !other.equals(id)) {
      throw ApiException.invalidField("id", "is not the id of the path");
    }
  }

  /** Where the API has definitions of this kind, such as {@code /api/v1/thresholds}. */
  public final String path() {
    return kind.path();
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
          put(id, edit, null, DefinitionAction.CREATED, clock.instant(), Caller.current().name());
          return id;
        });
  }

  /** Stores another definition of a rule, also of one that cannot be read. */
  protected final void replace(UUID id, E edit, @Nullable String ifMatch) {
    replace(id, ifMatch, DefinitionAction.CHANGED, before -> edit);
  }

  /**
   * Stores another definition of a rule, also of one that cannot be read.
   *
   * @param edit makes it from what is stored; null = that cannot be read
   */
  protected final void replace(
      UUID id,
      @Nullable String ifMatch,
      DefinitionAction action,
      Function<@Nullable StoredRule<E, R>, E> edit) {
    number.write(
        () -> {
          StoredRule<E, R> before =
              store.unreadable(id) != null ? null : seen(id, store.current(), ifMatch);
          put(
              id,
              edit.apply(before),
              before == null ? null : before.pack(),
              action,
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
          authorise(id, before, null, DefinitionAction.DELETED);
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
                  .filter(found -> found.version() == version && isVisible(found))
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
              DefinitionAction.RESTORED,
              clock.instant(),
              Caller.current().name());
          return id;
        });
  }

  /** The stored rule, if it is the version that the caller has seen. */
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
    importItem(id, edit, pack, Set.of(), now, by);
  }

  /**
   * Stores an item of a file, which is good by itself; inside {@link ChangeNumberStore#write}.
   *
   * @param renamed ids of items of the same file that give up their names, so that others may have
   *     them
   */
  protected final void importItem(
      UUID id, E edit, @Nullable String pack, Set<UUID> renamed, Instant now, String by) {
    StoredRule<E, R> before = store.current().get(id);
    put(
        id,
        edit,
        pack == null && before != null ? before.pack() : pack,
        DefinitionAction.IMPORTED,
        renamed,
        now,
        by);
  }

  /** Removes one that an import replaces; inside {@link ChangeNumberStore#write}. */
  protected final void remove(UUID id, Instant now, String by) {
    store.delete(stored(id, store.current()), now, by);
  }

  private void put(
      UUID id, E edit, @Nullable String pack, DefinitionAction action, Instant now, String by) {
    put(id, edit, pack, action, Set.of(), now, by);
  }

  private void put(
      UUID id,
      E edit,
      @Nullable String pack,
      DefinitionAction action,
      Set<UUID> renamed,
      Instant at,
      String by) {
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
    if (action != DefinitionAction.IMPORTED) {
      authorise(id, before, rule, action);
    }
    String name = store.name(rule);
    for (StoredRule<E, R> other : current.values()) {
      if (other.name().equals(name)
          && !other.id().equals(id)
          && !renamed.contains(other.id())
          && shareNames(other.rule(), rule)) {
        throw ApiException.of(
                ErrorCode.CONFLICT, "The name \"%s\" is taken by %s.".formatted(name, other.id()))
            .field("name", "is taken")
            .hint("Choose another name, or change that " + kind.name() + ".");
      }
    }
    check(rule);
    StoredRule<E, R> now =
        new StoredRule<>(
            id,
            name,
            edit,
            rule,
            pack,
            version,
            before == null ? at : before.createdAt(),
            before == null ? by : before.createdBy(),
            at,
            by);
    if (before != null && action != DefinitionAction.IMPORTED) {
      AuditNote.changed(changes(before, now).stream().map(FieldChange::getField).toList());
    }
    store.put(now, before, action);
  }

  /** The fields in which two versions differ. */
  protected List<FieldChange> changes(StoredRule<E, R> before, StoredRule<E, R> after) {
    return Definitions.changes(comparable(before.edit()), comparable(after.edit()));
  }

  /**
   * The versions that are kept of a definition, newest first; also of one that was deleted. Those
   * that the caller may not know of are left out, so a page may hold less than it could.
   */
  public final Page<RuleVersion<E, R>> history(UUID id, int limit, @Nullable String cursor) {
    long total = store.versions(id);
    if (total == 0 || store.history(id, Long.MAX_VALUE, 1).stream().anyMatch(this::isHidden)) {
      throw notFound(id);
    }
    String scope = kind.name() + " history " + id;
    Page<RuleVersion<E, R>> page =
        Page.versions(
            store.history(id, Page.before(scope, cursor), limit + 1),
            (one, before) ->
                before == null || isHidden(before)
                    ? one
                    : one.with(changes(before.stored(), one.stored())),
            one -> one.stored().version(),
            scope,
            limit,
            total);
    return new Page<>(
        page.items().stream().filter(one -> !isHidden(one)).toList(), page.nextCursor(), total);
  }

  private boolean isHidden(RuleVersion<E, R> version) {
    return !isVisible(version.stored());
  }
}
