package io.peerlens.definition;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Stored definitions of one kind, with their history. Reading goes by the number that moves with
 * every change of any definition that shares it, so all of them stay in memory until one changes.
 * Writers follow one another ({@link ChangeNumberStore#write}), so what they read is what they
 * change. Thread-safe.
 *
 * <p>A kind is a table with the columns id, name, pack, version, created_at, created_by,
 * updated_at, updated_by and those of its {@link DefinitionRows}, and beside it {@code
 * <table>_history} with {@code <table>_id}, version, action, at, by, name, pack and the columns of
 * the kind.
 *
 * @param <E> a rule as the contract writes it
 * @param <R> the same, read
 */
public abstract class DefinitionStore<E, R> implements UnreadableDefinitions {

  private static final Logger log = LoggerFactory.getLogger(DefinitionStore.class);

  private static final String ALL =
      """
      select id, name, pack, version, created_at, created_by, updated_at, updated_by, %2$s from %1$s order by id
      """;

  private static final String WRITE =
      """
      insert into %1$s (id, name, pack, version, created_at, created_by, updated_at, updated_by, %2$s)
      values (:id, :name, :pack, :version, :createdAt, :createdBy, :updatedAt, :updatedBy, %3$s)
      on conflict (id) do update
      set name = excluded.name, pack = excluded.pack, version = excluded.version,
        updated_at = excluded.updated_at, updated_by = excluded.updated_by, %4$s
      """;

  private static final String DELETE = "delete from %1$s where id = :id";

  private static final String NOTE =
      """
      insert into %1$s_history (%1$s_id, version, action, at, by, name, pack, %2$s)
      select id, :version, :action, :at, :by, name, pack, %2$s from %1$s where id = :id
      """;

  private static final String FORGET =
      "delete from %1$s_history where %1$s_id = :id and version <= :version - :kept";

  private static final String NEWEST =
      "select coalesce(max(version), 0) from %1$s_history where %1$s_id = :id";

  private static final String COUNT = "select count(*) from %1$s_history where %1$s_id = :id";

  private static final String HISTORY =
      """
      select %1$s_id as id, version, action, at, by, name, pack, at as created_at, by as created_by, at as updated_at,
        by as updated_by, %2$s
      from %1$s_history
      where %1$s_id = :id and version < :before
      order by version desc limit :limit
      """;

  private static final String DELETED =
      """
      select distinct on (%1$s_id) %1$s_id as id, version, action, at, by, name, pack,
        first_value(at) over versions as created_at, first_value(by) over versions as created_by,
        at as updated_at, by as updated_by, %2$s
      from %1$s_history h
      where not exists (select from %1$s d where d.id = h.%1$s_id)
      window versions as (partition by %1$s_id order by version)
      order by %1$s_id, version desc
      """;

  private final JdbcClient jdbc;
  private final ChangeNumberStore number;
  private final DefinitionRows<E> columns;
  private final String table;
  private final int historyKept;
  private volatile List<Unreadable> unreadable = List.of();
  private volatile Catalogue<E, R> catalogue = new Catalogue<>(-1, Map.of(), List.of());

  /**
   * @param historyKept how many versions of each rule are kept
   */
  protected DefinitionStore(
      JdbcClient jdbc, ChangeNumberStore number, StoredForm<E> form, int historyKept) {
    this(jdbc, number, new StoredFormRows<>(form), historyKept);
  }

  /**
   * @param historyKept how many versions of each rule are kept
   */
  protected DefinitionStore(
      JdbcClient jdbc, ChangeNumberStore number, DefinitionRows<E> columns, int historyKept) {
    this.jdbc = jdbc;
    this.number = number;
    this.columns = columns;
    this.table = columns.table();
    this.historyKept = historyKept;
  }

  private record Catalogue<E, R>(long version, Map<UUID, StoredRule<E, R>> byId, List<R> enabled) {}

  /** Reads a stored definition, which was good when it was written. */
  protected abstract R read(UUID id, long version, E edit);

  protected abstract String name(R rule);

  protected abstract boolean isEnabled(R rule);

  /**
   * A rule that was stored or removed.
   *
   * @param before null = there was none, or it could not be read
   * @param now null = there is none any more
   */
  public record Replaced<R>(UUID id, @Nullable R before, @Nullable R now) {}

  /** Called at the end of a write with the rules that it has stored or removed, in its order. */
  protected void replaced(JdbcClient jdbc, List<Replaced<R>> rules) {}

  private void note(Replaced<R> one) {
    number.atEnd(table, one, all -> replaced(jdbc, all));
  }

  /** Those that are to be evaluated, by id. Cheap while nothing changes. */
  public final List<R> enabled() {
    return catalogue().enabled();
  }

  /** A rule, enabled or not; empty = there is none of this id. */
  public final Optional<R> find(UUID id) {
    return Optional.ofNullable(catalogue().byId().get(id)).map(StoredRule::rule);
  }

  /** All that are stored now, by id. Cheap while nothing changes. */
  public final Map<UUID, StoredRule<E, R>> byId() {
    return catalogue().byId();
  }

  @Override
  public final List<Unreadable> unreadable() {
    catalogue();
    return unreadable;
  }

  @Override
  public final @Nullable Unreadable unreadable(UUID id) {
    current();
    return UnreadableDefinitions.super.unreadable(id);
  }

  @Override
  public final String table() {
    return table;
  }

  /** Moves with every change of any definition that shares the number. */
  public final long version() {
    return number.version();
  }

  private Catalogue<E, R> catalogue() {
    if (number.readInWrite() != null) {
      return catalogue(0); // the number moves at the end of the write
    }
    Catalogue<E, R> known = catalogue;
    if (known.version() == version()) {
      return known;
    }
    if (number.isWriting()) {
      return catalogue(0);
    }
    Catalogue<E, R> read = number.read(this::catalogue);
    catalogue = read;
    return read;
  }

  private Catalogue<E, R> catalogue(long version) {
    Map<UUID, StoredRule<E, R>> byId = current();
    return new Catalogue<>(
        version,
        byId,
        byId.values().stream().map(StoredRule::rule).filter(this::isEnabled).toList());
  }

  /**
   * Stored definitions, for a writer: inside {@link ChangeNumberStore#write} nobody else changes
   * it. A definition that another version of the service wrote, and this one cannot read, is left
   * out, so that it does not keep the others from being evaluated. It is read once for each write
   * and then follows what the write does, as an import asks for it with each of its items.
   */
  final Map<UUID, StoredRule<E, R>> current() {
    Map<UUID, StoredRule<E, R>> kept = kept();
    if (kept == null) {
      kept = read();
      Map<Object, Object> readInWrite = number.readInWrite();
      if (readInWrite != null) {
        readInWrite.put(this, kept);
      }
    }
    return Collections.unmodifiableMap(kept);
  }

  /** What this write has read already; null = nothing, or there is no write. */
  @SuppressWarnings("unchecked") // put above
  private @Nullable Map<UUID, StoredRule<E, R>> kept() {
    Map<Object, Object> readInWrite = number.readInWrite();
    return readInWrite == null ? null : (Map<UUID, StoredRule<E, R>>) readInWrite.get(this);
  }

  /**
   * The name under which everybody is told of a definition that cannot be read; its id where names
   * may be private.
   *
   * @param row the stored definition, with the columns {@code id} and {@code name}
   */
  protected String told(ResultSet row) throws SQLException {
    return row.getString("name");
  }

  private Map<UUID, StoredRule<E, R>> read() {
    Map<UUID, StoredRule<E, R>> byId = new LinkedHashMap<>();
    List<Unreadable> bad = new ArrayList<>();
    jdbc.sql(sql(ALL))
        .query(
            row -> {
              try {
                StoredRule<E, R> one = stored(row);
                byId.put(one.id(), one);
              } catch (RuntimeException e) {
                log.error("{} {} cannot be read: {}", table, row.getString("id"), e.toString());
                bad.add(
                    new Unreadable(
                        row.getObject("id", UUID.class), told(row), Definitions.unreadable(e)));
              }
            });
    unreadable = List.copyOf(bad);
    return byId;
  }

  /**
   * Stores a version; inside {@link ChangeNumberStore#write}.
   *
   * @param before what was stored; null = nothing
   */
  final void put(
      StoredRule<E, R> rule, @Nullable StoredRule<E, R> before, DefinitionAction action) {
    jdbc.sql(sql(WRITE))
        .params(columns.values(rule.edit()))
        .param("id", rule.id())
        .param("name", rule.name())
        .param("pack", rule.pack(), Types.VARCHAR)
        .param("version", rule.version())
        .param("createdAt", utc(rule.createdAt()))
        .param("createdBy", rule.createdBy())
        .param("updatedAt", utc(rule.updatedAt()))
        .param("updatedBy", rule.updatedBy())
        .update();
    Map<UUID, StoredRule<E, R>> kept = kept();
    if (kept != null) {
      kept.put(rule.id(), rule);
    }
    note(new Replaced<>(rule.id(), before == null ? null : before.rule(), rule.rule()));
    note(rule.id(), rule.version(), action, rule.updatedAt(), rule.updatedBy());
  }

  /** Removes one; its history stays. Inside {@link ChangeNumberStore#write}. */
  final void delete(StoredRule<E, R> rule, Instant now, String by) {
    note(rule.id(), rule.version() + 1, DefinitionAction.DELETED, now, by);
    jdbc.sql(sql(DELETE)).param("id", rule.id()).update();
    Map<UUID, StoredRule<E, R>> kept = kept();
    if (kept != null) {
      kept.remove(rule.id());
    }
    note(new Replaced<>(rule.id(), rule.rule(), null));
  }

  /** Removes one that cannot be read; its history stays. Inside {@link ChangeNumberStore#write}. */
  final void delete(Unreadable one, Instant now, String by) {
    note(one.id(), newestVersion(one.id()) + 1, DefinitionAction.DELETED, now, by);
    jdbc.sql(sql(DELETE)).param("id", one.id()).update();
    note(new Replaced<>(one.id(), null, null));
  }

  private void note(UUID id, long version, DefinitionAction action, Instant at, String by) {
    jdbc.sql(sql(NOTE))
        .param("id", id)
        .param("version", version)
        .param("action", action.label())
        .param("at", utc(at))
        .param("by", by)
        .update();
    jdbc.sql(sql(FORGET))
        .param("id", id)
        .param("version", version)
        .param("kept", historyKept)
        .update();
  }

  /** The newest version of a rule, deleted ones too; 0 = there never was one. */
  final long newestVersion(UUID id) {
    return jdbc.sql(sql(NEWEST)).param("id", id).query(Long.class).single();
  }

  /** How many versions are kept; 0 = there never was such a rule. */
  final long versions(UUID id) {
    return jdbc.sql(sql(COUNT)).param("id", id).query(Long.class).single();
  }

  /**
   * Versions before one, newest first, without the changes that they made. One that this version of
   * the service cannot read is left out.
   */
  final List<RuleVersion<E, R>> history(UUID id, long before, int limit) {
    return jdbc
        .sql(sql(HISTORY))
        .param("id", id)
        .param("before", before)
        .param("limit", limit)
        .query((row, number) -> version(row))
        .list()
        .stream()
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * Those that were deleted, as they were then; restoring the version that is given brings one
   * back. One that this version of the service cannot read is left out.
   */
  public final List<StoredRule<E, R>> deleted() {
    return jdbc.sql(sql(DELETED)).query((row, number) -> version(row)).list().stream()
        .flatMap(Optional::stream)
        .map(RuleVersion::stored)
        .toList();
  }

  private Optional<RuleVersion<E, R>> version(ResultSet row) throws SQLException {
    try {
      return Optional.of(
          new RuleVersion<>(
              DefinitionAction.of(row.getString("action")),
              instant(row, "at"),
              row.getString("by"),
              stored(row),
              List.of()));
    } catch (RuntimeException e) {
      log.info(
          "Version {} of {} {} cannot be read: {}",
          row.getLong("version"),
          table,
          row.getString("id"),
          e.toString());
      return Optional.empty();
    }
  }

  private StoredRule<E, R> stored(ResultSet row) throws SQLException {
    UUID id = row.getObject("id", UUID.class);
    long version = row.getLong("version");
    E edit = columns.read(row);
    R rule = read(id, version, edit);
    return new StoredRule<>(
        id,
        name(rule),
        edit,
        rule,
        row.getString("pack"),
        version,
        instant(row, "created_at"),
        row.getString("created_by"),
        instant(row, "updated_at"),
        row.getString("updated_by"));
  }

  private String sql(String statement) {
    return statement.formatted(
        table,
        String.join(", ", columns.sql().keySet()),
        String.join(", ", columns.sql().values()),
        columns.sql().keySet().stream()
            .map(column -> column + " = excluded." + column)
            .collect(Collectors.joining(", ")));
  }
}
