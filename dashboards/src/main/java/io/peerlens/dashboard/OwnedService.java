package io.peerlens.dashboard;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.DashboardOrigin;
import io.peerlens.definition.DefinitionAction;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.RuleUser;
import io.peerlens.definition.StoredRule;
import io.peerlens.scope.ScopeReader;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Dashboards or views as people change them. Names are unique among those that everybody reads, and
 * among the private ones of an owner: links and panels name each other, and a name that is taken by
 * what one may not know of would say that it is there.
 */
abstract class OwnedService<E, R extends Owned> extends DefinitionService<E, R> {

  /** A definition is at most so large, in bytes. */
  static final int MOST_BYTES = 1 << 20;

  private final DefinitionStore<E, R> store;
  private final Edit.Model<E> model;
  private final String what;
  private final int mostPrivate;

  OwnedService(
      DefinitionStore<E, R> store,
      DashboardNumberStore number,
      InstantSource clock,
      DefinitionKind kind,
      int mostPrivate,
      Supplier<List<RuleUser>> users,
      Edit.Model<E> model) {
    super(store, number, clock, kind, users);
    this.store = store;
    this.model = model;
    this.what = kind.name();
    this.mostPrivate = mostPrivate;
  }

  /**
   * Refuses a definition with mistakes.
   *
   * @throws ApiException if it has some
   */
  abstract void validate(Map<String, Object> definition);

  @Override
  protected final @Nullable UUID wantedId(E wanted) {
    return model.read().apply(wanted).id();
  }

  @Override
  protected final E prepared(UUID id, E wanted, boolean isNew) {
    return normal(null, wanted);
  }

  @Override
  public final void change(UUID id, E wanted, @Nullable String ifMatch) {
    refuseAnotherId(id, wanted);
    replace(id, ifMatch, DefinitionAction.CHANGED, before -> normal(before, wanted));
  }

  private E normal(@Nullable StoredRule<E, R> before, E wanted) {
    Edit edit = model.read().apply(wanted);
    Map<String, Object> definition = new LinkedHashMap<>(edit.definition());
    definition.remove("id");
    if (Json.size(definition) > MOST_BYTES) {
      throw ApiException.invalidField("definition", "is larger than 1 MB");
    }
    validate(definition);
    ScopeReader.storable("definition.name", String.valueOf(definition.get("name")));
    String owner = before == null ? Caller.current().name() : before.rule().owner();
    if (edit.owner() != null) {
      owner = ScopeReader.storable("owner", edit.owner());
    }
    return model
        .write()
        .apply(
            new Edit(
                null,
                edit.shared(),
                owner,
                before == null ? origin(edit.origin()) : model.read().apply(before.edit()).origin(),
                definition));
  }

  /** What a copy was made of, with its name; one that the caller may not know of has none. */
  private @Nullable DashboardOrigin origin(@Nullable DashboardOrigin given) {
    if (given == null) {
      return null;
    }
    DashboardOrigin origin = new DashboardOrigin(given.getId(), given.getVersion());
    StoredRule<E, R> stored = store.byId().get(given.getId());
    if (stored != null && isVisible(stored)) {
      origin.setName(stored.name());
      origin.setPack(stored.pack());
    }
    return origin;
  }

  // -------------------------------------------------------------------------------------- rights

  @Override
  protected final boolean isVisible(StoredRule<E, R> rule) {
    return Owners.sees(Caller.current(), rule.rule());
  }

  /** Who may know of one that cannot be read cannot be read either. */
  @Override
  protected final ApiException missing(UUID id) {
    return Owners.isAdmin(Caller.current()) ? super.missing(id) : notFound(id);
  }

  @Override
  protected final boolean shareNames(R one, R other) {
    return one.shared() == other.shared() && (one.shared() || one.owner().equals(other.owner()));
  }

  @Override
  protected final void authorise(
      UUID id, @Nullable StoredRule<E, R> before, @Nullable R now, DefinitionAction action) {
    Caller caller = Caller.current();
    boolean unreadable =
        before == null
            && (action == DefinitionAction.CHANGED || action == DefinitionAction.DELETED);
    if (unreadable && !Owners.isAdmin(caller)) {
      throw notFound(id);
    }
    Owners.authorise(
        caller,
        what,
        before == null ? null : before.rule(),
        before == null ? null : before.pack(),
        now,
        action);
    if (now != null) {
      limitPrivate(id, now);
      fits(before == null ? null : before.rule(), now);
    }
  }

  private void limitPrivate(UUID id, R now) {
    long others =
        store.byId().values().stream()
            .filter(one -> !one.id().equals(id) && !now.shared() && shareNames(one.rule(), now))
            .count();
    if (others >= mostPrivate) {
      throw ApiException.of(
              ErrorCode.CONFLICT,
              "%s would have more than %,d private %ss.".formatted(now.owner(), mostPrivate, what))
          .hint("Delete some, or raise peerlens.dashboards.max-private.");
    }
  }

  /** Refuses one that does not fit the others; within the write. */
  void fits(@Nullable R before, R now) {}

  // -------------------------------------------------------------------------------------- reading

  /** All that the caller may know of. */
  final List<StoredRule<E, R>> visible() {
    Caller caller = Caller.current();
    return store.byId().values().stream().filter(one -> Owners.sees(caller, one.rule())).toList();
  }

  /** What its author says of a stored one. */
  final Edit edit(StoredRule<E, R> stored) {
    return model.read().apply(stored.edit());
  }

  // -------------------------------------------------------------------------------------- imports

  /** Stores one of a file, which has been validated; within the write. */
  final void importEdit(UUID id, Edit edit, @Nullable String pack, Instant now, String by) {
    importItem(id, model.write().apply(edit), pack, now, by);
  }

  /** Removes one that its pack no longer has; within the write. */
  final void removeOfPack(UUID id, Instant now, String by) {
    remove(id, now, by);
  }

  /** Says what is wrong with a change that an import is about to make. */
  final void checkImport(UUID id, R now) {
    limitPrivate(id, now);
    for (StoredRule<E, R> other : store.byId().values()) {
      if (other.name().equals(now.name())
          && !other.id().equals(id)
          && shareNames(other.rule(), now)) {
        throw ApiException.of(
            ErrorCode.CONFLICT,
            "The name \"%s\" is taken by %s.".formatted(now.name(), other.id()));
      }
    }
  }

  /** An owner who is not known is shown as empty. */
  static String owner(Edit edit) {
    return requireNonNullElse(edit.owner(), "");
  }
}
