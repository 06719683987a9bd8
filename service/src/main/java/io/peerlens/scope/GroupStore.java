package io.peerlens.scope;

import io.peerlens.rule.Definitions;
import io.peerlens.rule.RuleStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The stored groups. All of them stay in memory until a rule changes. Thread-safe. */
final class GroupStore {

  private static final String ALL =
      """
      select id, name, description, scope, version, created_at, created_by, updated_at, updated_by
      from object_group
      """;

  private static final String WRITE =
      """
      insert into object_group (id, name, description, scope, version, created_at, created_by, updated_at, updated_by)
      values (:id, :name, :description, :scope::jsonb, :version, :createdAt, :createdBy, :updatedAt, :updatedBy)
      on conflict (id) do update
      set name = excluded.name, description = excluded.description, scope = excluded.scope, version = excluded.version,
        updated_at = excluded.updated_at, updated_by = excluded.updated_by
      """;

  private final JdbcClient jdbc;
  private final RuleStore rules;
  private volatile Groups groups = new Groups(-1, Map.of(), Map.of());

  GroupStore(JdbcClient jdbc, RuleStore rules) {
    this.jdbc = jdbc;
    this.rules = rules;
  }

  /** All groups at one moment, by name. */
  private record Groups(long version, Map<UUID, StoredGroup> byId, Map<UUID, Scope> scopes) {}

  /** All groups, by name. */
  Map<UUID, StoredGroup> byId() {
    return groups().byId();
  }

  /** What each group holds. */
  Map<UUID, Scope> scopes() {
    return groups().scopes();
  }

  private Groups groups() {
    if (rules.isWriting()) {
      return of(0, all());
    }
    Groups known = groups;
    if (known.version() == rules.version()) {
      return known;
    }
    Groups read = rules.read(version -> of(version, all()));
    groups = read;
    return read;
  }

  private static Groups of(long version, List<StoredGroup> all) {
    Map<UUID, StoredGroup> byId = new LinkedHashMap<>();
    Map<UUID, Scope> scopes = new LinkedHashMap<>();
    for (StoredGroup group : all) {
      byId.put(group.id(), group);
      scopes.put(group.id(), ScopeReader.scope("scope", group.scope()));
    }
    return new Groups(version, byId, scopes);
  }

  private List<StoredGroup> all() {
    // Sorted here rather than there, so that cursors compare the same way.
    return jdbc.sql(ALL).query((row, number) -> stored(row)).list().stream()
        .sorted(
            Comparator.comparing((StoredGroup group) -> group.name().toLowerCase(Locale.ROOT))
                .thenComparing(group -> group.id().toString()))
        .toList();
  }

  /** What is stored, for a writer: inside {@link RuleStore#write} nobody else changes it. */
  Map<UUID, StoredGroup> current() {
    return of(0, all()).byId();
  }

  /** Stores a group; inside {@link RuleStore#write}. */
  void put(StoredGroup group) {
    jdbc.sql(WRITE)
        .param("id", group.id())
        .param("name", group.name())
        .param("description", group.description(), Types.VARCHAR)
        .param("scope", Definitions.write(group.scope()))
        .param("version", group.version())
        .param("createdAt", time(group.createdAt()))
        .param("createdBy", group.createdBy())
        .param("updatedAt", time(group.updatedAt()))
        .param("updatedBy", group.updatedBy())
        .update();
  }

  /** Removes a group; inside {@link RuleStore#write}. */
  void delete(UUID id) {
    jdbc.sql("delete from object_group where id = :id").param("id", id).update();
  }

  private static StoredGroup stored(ResultSet row) throws SQLException {
    return new StoredGroup(
        row.getObject("id", UUID.class),
        row.getString("name"),
        row.getString("description"),
        Definitions.read(row.getString("scope"), io.peerlens.api.model.Scope.class),
        row.getLong("version"),
        instant(row, "created_at"),
        row.getString("created_by"),
        instant(row, "updated_at"),
        row.getString("updated_by"));
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static OffsetDateTime time(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }

  /**
   * A group.
   *
   * @param scope as its author wrote it
   * @param version its ETag, from 1
   */
  record StoredGroup(
      UUID id,
      String name,
      @Nullable String description,
      io.peerlens.api.model.Scope scope,
      long version,
      Instant createdAt,
      String createdBy,
      Instant updatedAt,
      String updatedBy) {}
}
