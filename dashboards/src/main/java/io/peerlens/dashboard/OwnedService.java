package io.peerlens.dashboard;

import io.peerlens.api.model.DashboardOrigin;
import io.peerlens.api.model.FieldError;
import io.peerlens.api.model.ImportAction;
import io.peerlens.api.model.InstallState;
import io.peerlens.api.model.OnConflict;
import io.peerlens.api.model.RuleImportState;
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
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Dashboards or views as people change them. Names are unique among those that everybody reads, and
 * among the private ones of an owner: links and panels name each other, and a name that is taken by
 * what one may not know of would say that it is there.
 */
abstract class OwnedService<E, R extends Owned> extends DefinitionService<E, R> {

  /** Who owns what comes with packs. */
  static final String PACK_OWNER = "peerlens";

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

  /**
   * Stores an item of a file, or says why not; within the write.
   *
   * @param wanted whether it is to be stored at all
   * @param caller who becomes the owner of what is new
   */
  final Stored importItem(
      FileItem<?> item, ImportWishes wishes, boolean wanted, Caller caller, Instant now) {
    UUID id = item.id() == null ? idOf(item.name()) : item.id();
    if (!item.errors().isEmpty()) {
      return invalid(id, "It has mistakes.", item.errors());
    }
    StoredRule<E, R> before = store.byId().get(id);
    if (before != null && !isReplaceable(before, caller)) {
      before = null;
      id = UUID.randomUUID();
    }
    StoredRule<E, R> named =
        named(
            item.name(),
            before == null ? wishes.shared() : before.rule().shared(),
            before == null ? caller.name() : before.rule().owner());
    if (named != null && (before == null ? !isReplaceable(named, caller) : named != before)) {
      return new Stored(
          id,
          RuleImportState.CONFLICT,
          ImportAction.SKIP,
          named.pack() == null
              ? "Its name belongs to " + named.id() + "."
              : "Its name belongs to one of the pack %s.".formatted(named.pack()),
          List.of(),
          List.of(new FieldError("name", "is taken")));
    }
    before = before == null ? named : before;
    id = before == null ? id : before.id();
    List<String> changes =
        before == null ? List.of() : differences(Json.tree(edit(before).definition()), item.json());
    if (before != null && changes.isEmpty()) {
      return new Stored(
          id,
          RuleImportState.SAME,
          ImportAction.SKIP,
          "It is stored as it is in the file.",
          changes,
          List.of());
    }
    RuleImportState state = before == null ? RuleImportState.NEW : RuleImportState.CHANGED;
    if (!wanted) {
      return new Stored(
          id, state, ImportAction.SKIP, "It is left out, as chosen.", changes, List.of());
    }
    if (before != null && wishes.onConflict() == OnConflict.SKIP) {
      return new Stored(
          id, state, ImportAction.SKIP, "The stored one is kept, as chosen.", changes, List.of());
    }
    Edit edit =
        new Edit(
            null,
            before == null ? wishes.shared() : before.rule().shared(),
            before == null ? caller.name() : before.rule().owner(),
            before == null ? null : edit(before).origin(),
            Json.map(item.json()));
    try {
      put(id, edit, before, null, now, caller.name());
    } catch (ApiException e) {
      return invalid(
          id,
          e.detail(),
          e.errors().isEmpty() ? List.of(new FieldError("", e.detail())) : e.errors());
    }
    return new Stored(
        id,
        state,
        before == null ? ImportAction.CREATE : ImportAction.OVERWRITE,
        before == null ? "It is not stored yet." : "It replaces the stored one.",
        changes,
        List.of());
  }

  private static Stored invalid(UUID id, String reason, List<FieldError> errors) {
    return new Stored(id, RuleImportState.INVALID, ImportAction.SKIP, reason, List.of(), errors);
  }

  /** The id of what a file gives none; the same in a dry run and in the import that follows. */
  final UUID idOf(String name) {
    return UUID.nameUUIDFromBytes(
        ("peerlens-dashboards/" + what + "/" + name).getBytes(StandardCharsets.UTF_8));
  }

  private static boolean isReplaceable(StoredRule<?, ? extends Owned> stored, Caller caller) {
    return stored.pack() == null
        && (stored.rule().shared() || stored.rule().owner().equals(caller.name()));
  }

  private @Nullable StoredRule<E, R> named(String name, boolean shared, String owner) {
    for (StoredRule<E, R> one : store.byId().values()) {
      if (one.name().equals(name)
          && one.rule().shared() == shared
          && (shared || one.rule().owner().equals(owner))) {
        return one;
      }
    }
    return null;
  }

  /**
   * Stores one that is good by itself.
   *
   * @throws ApiException if it does not fit the others; then nothing was written
   */
  private void put(
      UUID id,
      Edit edit,
      @Nullable StoredRule<E, R> before,
      @Nullable String pack,
      Instant now,
      String by) {
    if (Json.size(edit.definition()) > MOST_BYTES) {
      throw ApiException.invalidField("definition", "is larger than 1 MB");
    }
    ScopeReader.storable("name", String.valueOf(edit.definition().get("name")));
    R read = read(id, edit);
    limitPrivate(id, read);
    fits(before == null ? null : before.rule(), read);
    importItem(id, model.write().apply(edit), pack, now, by);
  }

  /** Reads one that is not stored yet. */
  abstract R read(UUID id, Edit edit);

  /** Between two definitions, in words. */
  abstract List<String> differences(JsonNode before, JsonNode after);

  // ---------------------------------------------------------------------------------------- packs

  /** The id of an item of a pack. */
  final UUID idOf(String pack, String name) {
    return UUID.nameUUIDFromBytes(
        ("peerlens-dashboards/%s/%s/%s".formatted(pack, what, name))
            .getBytes(StandardCharsets.UTF_8));
  }

  /** Stores an item of a pack, which everybody reads; within the write. */
  final Stored installItem(String pack, FileItem<?> item, Instant now, String by) {
    UUID id = idOf(pack, item.name());
    StoredRule<E, R> before = store.byId().get(id);
    List<String> changes =
        before == null ? List.of() : differences(Json.tree(edit(before).definition()), item.json());
    if (before != null && changes.isEmpty()) {
      return new Stored(
          id,
          RuleImportState.SAME,
          ImportAction.SKIP,
          "It is stored as it is in the pack.",
          changes,
          List.of());
    }
    try {
      put(id, new Edit(null, true, PACK_OWNER, null, Json.map(item.json())), before, pack, now, by);
    } catch (ApiException e) {
      return invalid(
          id,
          e.detail(),
          e.errors().isEmpty() ? List.of(new FieldError("", e.detail())) : e.errors());
    }
    return new Stored(
        id,
        before == null ? RuleImportState.NEW : RuleImportState.CHANGED,
        before == null ? ImportAction.CREATE : ImportAction.OVERWRITE,
        before == null ? "It is not stored yet." : "It replaces the one of before.",
        changes,
        List.of());
  }

  /** Removes what a pack no longer has; within the write. */
  final void removeOthers(String pack, Set<UUID> kept, Instant now, String by) {
    for (StoredRule<E, R> one : List.copyOf(store.byId().values())) {
      if (pack.equals(one.pack()) && !kept.contains(one.id())) {
        remove(one.id(), now, by);
      }
    }
  }

  /** Whether an item of a pack is stored, and as it is in the pack. */
  final InstallState installed(String pack, FileItem<?> item) {
    StoredRule<E, R> stored = store.byId().get(idOf(pack, item.name()));
    if (stored == null) {
      return InstallState.NOT_INSTALLED;
    }
    return differences(Json.tree(edit(stored).definition()), item.json()).isEmpty()
        ? InstallState.INSTALLED
        : InstallState.CHANGED;
  }
}
