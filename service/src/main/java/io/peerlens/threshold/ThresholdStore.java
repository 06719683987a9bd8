package io.peerlens.threshold;

import io.peerlens.api.model.ThresholdEdit;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The stored thresholds. Reading goes by a version number that moves with every change of any rule,
 * so all of them stay in memory until one changes. Thread-safe.
 */
public final class ThresholdStore {

  private static final Logger log = LoggerFactory.getLogger(ThresholdStore.class);

  private static final String ALL =
      """
      select id, definition, pack, version, created_at, created_by, updated_at, updated_by from threshold order by id
      """;

  private static final String WRITE =
      """
      insert into threshold (id, name, definition, pack, version, created_at, created_by, updated_at, updated_by)
      values (:id, :name, :definition::jsonb, :pack, :version, :createdAt, :createdBy, :updatedAt, :updatedBy)
      on conflict (id) do update
      set name = excluded.name, definition = excluded.definition, pack = excluded.pack, version = excluded.version,
        updated_at = excluded.updated_at, updated_by = excluded.updated_by
      """;

  private static final String NOTE =
      """
      insert into threshold_history (threshold_id, version, action, at, by, name, definition, pack)
      select id, :version, :action, :at, :by, name, definition, pack from threshold where id = :id
      """;

  private static final String FORGET =
      "delete from threshold_history where threshold_id = :id and version <= :version - :kept";

  private static final String HISTORY =
      """
      select threshold_id as id, version, action, at, by, definition, pack, at as created_at, by as created_by,
        at as updated_at, by as updated_by
      from threshold_history
      where threshold_id = :id and version < :before
      order by version desc limit :limit
      """;

  private final JdbcClient jdbc;
  private final RuleStore rules;
  private final int historyKept;
  private volatile Catalogue catalogue = new Catalogue(-1, Map.of(), List.of());

  /**
   * @param historyKept how many versions of each threshold are kept
   */
  ThresholdStore(JdbcClient jdbc, RuleStore rules, int historyKept) {
    this.jdbc = jdbc;
    this.rules = rules;
    this.historyKept = historyKept;
  }

  /** What was done to a threshold. */
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
  record Version(Action action, Instant at, String by, StoredThreshold threshold) {}

  /** All thresholds at one moment, by id. */
  record Catalogue(long version, Map<UUID, StoredThreshold> byId, List<Threshold> enabled) {

    static Catalogue of(long version, Map<UUID, StoredThreshold> byId) {
      return new Catalogue(
          version,
          byId,
          byId.values().stream()
              .map(StoredThreshold::threshold)
              .filter(Threshold::enabled)
              .toList());
    }
  }

  /** The thresholds that are to be judged, by id. Cheap while nothing changes. */
  public List<Threshold> enabled() {
    return catalogue().enabled();
  }

  /** A threshold, enabled or not; empty = there is none of this id. */
  public Optional<Threshold> find(UUID id) {
    return Optional.ofNullable(catalogue().byId().get(id)).map(StoredThreshold::threshold);
  }

  /** Moves with every change of any rule: thresholds, groups, alert definitions and the like. */
  public long version() {
    return rules.version();
  }

  /** Everything that is stored now. */
  Catalogue catalogue() {
    if (rules.isWriting()) {
      return Catalogue.of(0, current());
    }
    Catalogue known = catalogue;
    if (known.version() == version()) {
      return known;
    }
    Catalogue read = rules.read(version -> Catalogue.of(version, current()));
    catalogue = read;
    return read;
  }

  /**
   * What is stored, for a writer: inside {@link RuleStore#write} nobody else changes it. A
   * definition that another version of the service wrote, and this one cannot read, is left out, so
   * that it does not keep the others from being judged.
   */
  Map<UUID, StoredThreshold> current() {
    Map<UUID, StoredThreshold> byId = new LinkedHashMap<>();
    jdbc.sql(ALL)
        .query(
            row -> {
              try {
                StoredThreshold one = stored(row);
                byId.put(one.id(), one);
              } catch (RuntimeException e) {
                log.error("Threshold {} cannot be read: {}", row.getString("id"), e.toString());
              }
            });
    return byId;
  }

  /**
   * Stores a version; inside {@link RuleStore#write}.
   *
   * @param before what was stored; null = nothing
   */
  void put(StoredThreshold threshold, @Nullable StoredThreshold before, Action action) {
    jdbc.sql(WRITE)
        .param("id", threshold.id())
        .param("name", threshold.name())
        .param("definition", Definitions.write(threshold.definition()))
        .param("pack", threshold.pack(), Types.VARCHAR)
        .param("version", threshold.version())
        .param("createdAt", time(threshold.createdAt()))
        .param("createdBy", threshold.createdBy())
        .param("updatedAt", time(threshold.updatedAt()))
        .param("updatedBy", threshold.updatedBy())
        .update();
    if (before == null || !judgesTheSame(before.threshold(), threshold.threshold())) {
      forgetSymptoms(threshold.id());
    }
    note(threshold.id(), threshold.version(), action, threshold.updatedAt(), threshold.updatedBy());
  }

  /** Whether samples that were judged by one threshold say something of the other. */
  private static boolean judgesTheSame(Threshold before, Threshold now) {
    return now.enabled()
        && before.enabled()
        && before.kind().equals(now.kind())
        && before.condition().withLevels(List.of()).equals(now.condition().withLevels(List.of()));
  }

  private void forgetSymptoms(UUID id) {
    jdbc.sql("delete from symptom where threshold_id = :id").param("id", id).update();
    jdbc.sql("delete from threshold_state where threshold_id = :id").param("id", id).update();
  }

  /** Removes one; its history stays. Inside {@link RuleStore#write}. */
  void delete(StoredThreshold threshold, Instant now, String by) {
    note(threshold.id(), threshold.version() + 1, Action.DELETED, now, by);
    jdbc.sql("delete from threshold where id = :id").param("id", threshold.id()).update();
    forgetSymptoms(threshold.id());
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

  /** The newest version of a threshold, deleted ones too; 0 = there never was one. */
  long newestVersion(UUID id) {
    return jdbc.sql(
            "select coalesce(max(version), 0) from threshold_history where threshold_id = :id")
        .param("id", id)
        .query(Long.class)
        .single();
  }

  /** How many versions are kept. */
  long versions(UUID id) {
    return jdbc.sql("select count(*) from threshold_history where threshold_id = :id")
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
        .filter(found -> found.threshold().version() == version)
        .findFirst();
  }

  private static StoredThreshold stored(ResultSet row) throws SQLException {
    UUID id = row.getObject("id", UUID.class);
    long version = row.getLong("version");
    ThresholdEdit definition = Definitions.read(row.getString("definition"), ThresholdEdit.class);
    return new StoredThreshold(
        id,
        definition,
        ThresholdReader.read(id, version, "", definition),
        row.getString("pack"),
        version,
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
