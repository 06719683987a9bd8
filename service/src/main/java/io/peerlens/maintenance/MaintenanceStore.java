package io.peerlens.maintenance;

import io.peerlens.api.model.MaintenanceWindowEdit;
import io.peerlens.rule.Definitions;
import io.peerlens.rule.RuleStore;
import io.peerlens.rule.StoredForms;
import io.peerlens.rule.UnreadableDefinitions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The stored maintenance windows. All of them stay in memory until a rule changes. Writers follow
 * one another: each begins by locking the number that moves with every change. Thread-safe.
 */
final class MaintenanceStore implements UnreadableDefinitions {

  private static final Logger log = LoggerFactory.getLogger(MaintenanceStore.class);

  private static final String ALL =
      """
      select id, name, definition, form, version, created_at, created_by, updated_at, updated_by
      from maintenance_window order by lower(name), id
      """;

  private static final String WRITE =
      """
      insert into maintenance_window
        (id, name, definition, form, version, created_at, created_by, updated_at, updated_by)
      values (:id, :name, :definition::jsonb, :form, :version, :createdAt, :createdBy, :updatedAt, :updatedBy)
      on conflict (id) do update
      set name = excluded.name, definition = excluded.definition, form = excluded.form,
        version = excluded.version, updated_at = excluded.updated_at, updated_by = excluded.updated_by
      """;

  private final JdbcClient jdbc;
  private final RuleStore rules;
  private volatile List<Unreadable> unreadable = List.of();
  private volatile Windows windows = new Windows(-1, Map.of());

  MaintenanceStore(JdbcClient jdbc, RuleStore rules) {
    this.jdbc = jdbc;
    this.rules = rules;
  }

  @Override
  public String table() {
    return "maintenance_window";
  }

  @Override
  public List<Unreadable> unreadable() {
    byId();
    return unreadable;
  }

  private record Windows(long version, Map<UUID, StoredWindow> byId) {}

  /** All of them, by name. Cheap while nothing changes. */
  Map<UUID, StoredWindow> byId() {
    if (rules.isWriting()) {
      return current();
    }
    Windows known = windows;
    if (known.version() == rules.version()) {
      return known.byId();
    }
    Windows read = rules.read(version -> new Windows(version, current()));
    windows = read;
    return read.byId();
  }

  /**
   * What is stored, for a writer: inside {@link RuleStore#write} nobody else changes it. A window
   * that this version cannot read is left out.
   */
  Map<UUID, StoredWindow> current() {
    Map<UUID, StoredWindow> byId = new LinkedHashMap<>();
    List<Unreadable> bad = new ArrayList<>();
    jdbc.sql(ALL)
        .query(
            row -> {
              try {
                StoredWindow window = stored(row);
                byId.put(window.id(), window);
              } catch (RuntimeException e) {
                log.error("Maintenance window {} cannot be read", row.getString("id"), e);
                bad.add(
                    new Unreadable(
                        row.getObject("id", UUID.class),
                        row.getString("name"),
                        Definitions.unreadable(e)));
              }
            });
    unreadable = List.copyOf(bad);
    return byId;
  }

  /** Stores a window; inside {@link RuleStore#write}. */
  void put(StoredWindow window) {
    jdbc.sql(WRITE)
        .param("id", window.id())
        .param("name", window.name())
        .param("definition", StoredForms.MAINTENANCE_WINDOW.write(window.edit()))
        .param("form", StoredForms.MAINTENANCE_WINDOW.number())
        .param("version", window.version())
        .param("createdAt", time(window.createdAt()))
        .param("createdBy", window.createdBy())
        .param("updatedAt", time(window.updatedAt()))
        .param("updatedBy", window.updatedBy())
        .update();
  }

  /** Removes a window; inside {@link RuleStore#write}. */
  void delete(UUID id) {
    jdbc.sql("delete from maintenance_window where id = :id").param("id", id).update();
  }

  private static StoredWindow stored(ResultSet row) throws SQLException {
    MaintenanceWindowEdit edit =
        StoredForms.MAINTENANCE_WINDOW.read(row.getInt("form"), row.getString("definition"));
    return new StoredWindow(
        row.getObject("id", UUID.class),
        edit,
        WindowReader.scope(edit),
        WindowReader.schedule(edit),
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
