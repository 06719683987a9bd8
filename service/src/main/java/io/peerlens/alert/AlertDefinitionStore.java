package io.peerlens.alert;

import io.peerlens.api.model.AlertDefinitionEdit;
import io.peerlens.rule.Definitions;
import io.peerlens.rule.RuleStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The stored alert definitions. All of them stay in memory until a rule changes. Writers of rules
 * follow one another: each begins by locking the number that moves with every change, so what it
 * reads then is what it changes. Thread-safe.
 */
public final class AlertDefinitionStore {

  private static final Logger log = LoggerFactory.getLogger(AlertDefinitionStore.class);

  private static final String ALL =
      """
      select id, definition, pack, version, created_at, created_by, updated_at, updated_by from alert_definition order by id
      """;

  private static final String WRITE =
      """
      insert into alert_definition (id, name, definition, pack, version, created_at, created_by, updated_at, updated_by)
      values (:id, :name, :definition::jsonb, :pack, :version, :createdAt, :createdBy, :updatedAt, :updatedBy)
      on conflict (id) do update
      set name = excluded.name, definition = excluded.definition, pack = excluded.pack, version = excluded.version,
        updated_at = excluded.updated_at, updated_by = excluded.updated_by
      """;

  private static final String NOTE =
      """
      insert into alert_definition_history (alert_definition_id, version, action, at, by, name, definition, pack)
      select id, :version, :action, :at, :by, name, definition, pack from alert_definition where id = :id
      """;

  private static final String FORGET =
      "delete from alert_definition_history where alert_definition_id = :id and version <= :version - :kept";

  private static final String HISTORY =
      """
      select alert_definition_id as id, version, action, at, by, definition, pack, at as created_at, by as created_by,
        at as updated_at, by as updated_by
      from alert_definition_history
      where alert_definition_id = :id and version < :before
      order by version desc limit :limit
      """;

  private final JdbcClient jdbc;
  private final RuleStore rules;
  private final int historyKept;
  private volatile Catalogue catalogue = new Catalogue(-1, Map.of());

  /**
   * @param historyKept how many versions of each definition are kept
   */
  AlertDefinitionStore(JdbcClient jdbc, RuleStore rules, int historyKept) {
    this.jdbc = jdbc;
    this.rules = rules;
    this.historyKept = historyKept;
  }

  /** What was done to a definition. */
  enum Action {
    CREATED,
    CHANGED,
    IMPORTED,
    RESTORED,
    DELETED;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A version, with what was done to make it. */
  record Version(Action action, Instant at, String by, StoredAlertDefinition definition) {}

  private record Catalogue(long version, Map<UUID, StoredAlertDefinition> byId) {}

  /** The definitions that are to be evaluated, by id. Cheap while nothing changes. */
  public List<AlertDefinition> enabled() {
    return byId().values().stream()
        .map(StoredAlertDefinition::definition)
        .filter(AlertDefinition::enabled)
        .toList();
  }

  /** All that are stored now. Cheap while nothing changes. */
  Map<UUID, StoredAlertDefinition> byId() {
    if (rules.isWriting()) {
      return current();
    }
    Catalogue known = catalogue;
    if (known.version() == rules.version()) {
      return known.byId();
    }
    Catalogue read = rules.read(version -> new Catalogue(version, current()));
    catalogue = read;
    return read.byId();
  }

  /**
   * What is stored, for a writer: inside {@link RuleStore#write} nobody else changes it. A
   * definition that another version of the service wrote, and this one cannot read, is left out, so
   * that it does not keep the others from being evaluated.
   */
  Map<UUID, StoredAlertDefinition> current() {
    Map<UUID, StoredAlertDefinition> byId = new LinkedHashMap<>();
    jdbc.sql(ALL)
        .query(
            row -> {
              try {
                StoredAlertDefinition one = stored(row);
                byId.put(one.id(), one);
              } catch (RuntimeException e) {
                log.error(
                    "Alert definition {} cannot be read: {}", row.getString("id"), e.toString());
              }
            });
    return byId;
  }

  /** Stores a version; inside {@link RuleStore#write}. */
  void put(StoredAlertDefinition definition, Action action) {
    jdbc.sql(WRITE)
        .param("id", definition.id())
        .param("name", definition.name())
        .param("definition", Definitions.write(definition.edit()))
        .param("pack", definition.pack(), Types.VARCHAR)
        .param("version", definition.version())
        .param("createdAt", time(definition.createdAt()))
        .param("createdBy", definition.createdBy())
        .param("updatedAt", time(definition.updatedAt()))
        .param("updatedBy", definition.updatedBy())
        .update();
    note(
        definition.id(),
        definition.version(),
        action,
        definition.updatedAt(),
        definition.updatedBy());
  }

  /** Removes one; its history stays. Inside {@link RuleStore#write}. */
  void delete(StoredAlertDefinition definition, Instant now, String by) {
    note(definition.id(), definition.version() + 1, Action.DELETED, now, by);
    jdbc.sql("delete from alert_definition where id = :id").param("id", definition.id()).update();
  }

  private void note(UUID id, long version, Action action, Instant at, String by) {
    jdbc.sql(NOTE)
        .param("id", id)
        .param("version", version)
        .param("action", action.label())
        .param("at", time(at))
        .param("by", by)
        .update();
    jdbc.sql(FORGET).param("id", id).param("version", version).param("kept", historyKept).update();
  }

  /** The newest version of a definition, deleted ones too; 0 = there never was one. */
  long newestVersion(UUID id) {
    return jdbc.sql(
            "select coalesce(max(version), 0) from alert_definition_history where alert_definition_id = :id")
        .param("id", id)
        .query(Long.class)
        .single();
  }

  /** How many versions are kept. */
  long versions(UUID id) {
    return jdbc.sql("select count(*) from alert_definition_history where alert_definition_id = :id")
        .param("id", id)
        .query(Long.class)
        .single();
  }

  /** Versions before one, newest first. */
  List<Version> history(UUID id, long before, int limit) {
    return jdbc.sql(HISTORY)
        .param("id", id)
        .param("before", before)
        .param("limit", limit)
        .query(
            (row, number) ->
                new Version(
                    Action.valueOf(row.getString("action").toUpperCase(Locale.ROOT)),
                    instant(row, "at"),
                    row.getString("by"),
                    stored(row)))
        .list();
  }

  /** One version. */
  Optional<Version> version(UUID id, long version) {
    return history(id, version + 1, 1).stream()
        .filter(found -> found.definition().version() == version)
        .findFirst();
  }

  private static StoredAlertDefinition stored(ResultSet row) throws SQLException {
    UUID id = row.getObject("id", UUID.class);
    AlertDefinitionEdit edit =
        Definitions.read(row.getString("definition"), AlertDefinitionEdit.class);
    return new StoredAlertDefinition(
        id,
        edit,
        AlertDefinitionReader.read(id, "", edit),
        row.getString("pack"),
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
}
