package io.peerlens.supermetric;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;

import io.peerlens.definition.Definitions;
import io.peerlens.definition.UnreadableDefinitions;
import io.peerlens.supermetric.Catalogue.Entry;
import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.SuperMetric.ResourceKind;
import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.Limits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The stored super metrics. Reading goes by a version number that moves with every change, so all
 * of them stay in memory, with their formulas read, until one changes. Writers follow one another:
 * each begins by locking that number, so what it reads then is what it changes. Thread-safe.
 */
public final class SuperMetricStore implements UnreadableDefinitions {

  private static final Logger log = LoggerFactory.getLogger(SuperMetricStore.class);

  private static final String DEFINITION =
      """
      name, formula, description, unit_id, modified_by, modification_time, kinds, other, tags, owner, pack, enabled,
      policy, interval_s""";

  private static final String ALL =
      """
      select id, version, created_at, created_by, updated_at, updated_by, %s from super_metric
      """
          .formatted(DEFINITION);

  private static final String WRITE =
      """
      insert into super_metric (id, version, created_at, created_by, updated_at, updated_by, %s)
      values (:id, :version, :createdAt, :createdBy, :updatedAt, :updatedBy, :name, :formula, :description, :unitId,
        :modifiedBy, :modificationTime, :kinds::json, :other::json, :tags, :owner, :pack, :enabled, :policy::jsonb,
        :interval)
      on conflict (id) do update
      set version = excluded.version, updated_at = excluded.updated_at, updated_by = excluded.updated_by,
        name = excluded.name, formula = excluded.formula, description = excluded.description,
        unit_id = excluded.unit_id, modified_by = excluded.modified_by,
        modification_time = excluded.modification_time, kinds = excluded.kinds, other = excluded.other,
        tags = excluded.tags, owner = excluded.owner, pack = excluded.pack, enabled = excluded.enabled,
        policy = excluded.policy, interval_s = excluded.interval_s
      """
          .formatted(DEFINITION);

  private static final String NOTE =
      """
      insert into super_metric_history (super_metric_id, version, action, at, by, %1$s)
      select id, :version, :action, :at, :by, %1$s from super_metric where id = :id
      """
          .formatted(DEFINITION);

  private static final String FORGET =
      """
      delete from super_metric_history where super_metric_id = :id and version <= :version - :kept
      """;

  /** What the last tick found says nothing of another formula, or of other kinds. */
  private static final String FORGET_STATE =
      """
      delete from super_metric_state s
      using super_metric m, super_metric_history h, unnest(:ids::uuid[], :versions::bigint[]) as c(id, version)
      where s.super_metric_id = c.id and m.id = c.id and h.super_metric_id = c.id and h.version = c.version
        and (m.formula <> h.formula or m.kinds::text is distinct from h.kinds::text)
      """;

  private static final String DELETE_STATE =
      "delete from super_metric_state where super_metric_id = any (:ids)";

  private static final String HISTORY =
      """
      select super_metric_id as id, version, action, at, by, at as created_at, by as created_by, at as updated_at,
        by as updated_by, %s
      from super_metric_history
      where super_metric_id = :id and version < :before
      order by version desc limit :limit
      """
          .formatted(DEFINITION);

  private static final String DELETED =
      """
      select distinct on (super_metric_id) super_metric_id as id, version,
        first_value(at) over versions as created_at, first_value(by) over versions as created_by,
        at as updated_at, by as updated_by, %s
      from super_metric_history h
      where not exists (select from super_metric m where m.id = h.super_metric_id)
      window versions as (partition by super_metric_id order by version)
      order by super_metric_id, version desc
      """
          .formatted(DEFINITION);

  private static final TypeReference<List<Policy.Rule>> RULES = new TypeReference<>() {};

  /** Keeps numbers as they are written. */
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final JdbcClient jdbc;
  private final SuperMetricVersionStore number;
  private final SuperMetricProperties properties;
  private volatile List<Unreadable> unreadable = List.of();
  private volatile Catalogue catalogue = Catalogue.EMPTY;

  SuperMetricStore(
      JdbcClient jdbc, SuperMetricVersionStore number, SuperMetricProperties properties) {
    this.jdbc = jdbc;
    this.number = number;
    this.properties = properties;
  }

  /** What was done to a super metric. */
  enum Action {
    CREATED,
    CHANGED,
    IMPORTED,
    POLICY,
    RESTORED,
    DELETED;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The version of a super metric before a change. */
  private record Before(UUID id, long version) {}

  /** A version, with what was done to make it. */
  record Version(Action action, Instant at, String by, StoredSuperMetric superMetric) {}

  /** The super metrics that are to be computed, by id. Cheap while nothing changes. */
  public List<EnabledDefinition> enabledDefinitions() {
    return catalogue().enabled();
  }

  @Override
  public String table() {
    return "super_metric";
  }

  @Override
  public List<Unreadable> unreadable() {
    catalogue();
    return unreadable;
  }

  /** Moves with every change of any super metric. */
  public long version() {
    return number.version();
  }

  /** How formulas are read here, without asking which kinds and keys exist. */
  public Formula.Options options() {
    return new Formula.Options(Limits.DEFAULT, properties.strictWhere(), null, null, List.of());
  }

  /** Everything that is stored now. */
  Catalogue catalogue() {
    Catalogue known = catalogue;
    if (known.version() == version()) {
      return known;
    }
    if (number.isWriting()) {
      return Catalogue.of(0, all(), known, options());
    }
    Catalogue read = number.read(version -> Catalogue.of(version, all(), known, options()));
    catalogue = read;
    return read;
  }

  /**
   * What was deleted, as it was then; the last change is the deletion, and restoring that version
   * brings it back.
   */
  List<Entry> deleted() {
    return jdbc.sql(DELETED)
        .query(
            (row, number) -> {
              StoredSuperMetric stored = stored(row);
              return new Entry(
                  stored,
                  Formula.parse(
                      stored.definition().formula(),
                      Catalogue.options(options(), stored.definition().id())));
            })
        .list();
  }

  /** All that this version can read. */
  private List<StoredSuperMetric> all() {
    List<StoredSuperMetric> all = new ArrayList<>();
    List<Unreadable> bad = new ArrayList<>();
    jdbc.sql(ALL)
        .query(
            row -> {
              try {
                all.add(stored(row));
              } catch (RuntimeException e) {
                log.error("Super metric {} cannot be read", row.getString("id"), e);
                bad.add(
                    new Unreadable(
                        row.getObject("id", UUID.class),
                        row.getString("name"),
                        Definitions.unreadable(e)));
              }
            });
    unreadable = List.copyOf(bad);
    return all;
  }

  /** Does something that changes super metrics, alone: all of it takes place or nothing. */
  <T> T write(Supplier<T> change) {
    return number.write(change);
  }

  /** What is stored, for a writer: inside {@link #write} nobody else changes it. */
  Map<UUID, StoredSuperMetric> current() {
    Map<UUID, StoredSuperMetric> byId = new LinkedHashMap<>();
    all().forEach(one -> byId.put(one.definition().id(), one));
    return byId;
  }

  /** Stores a version; inside {@link #write}. */
  void put(StoredSuperMetric superMetric, Action action) {
    SuperMetric definition = superMetric.definition();
    jdbc.sql(WRITE)
        .param("id", definition.id())
        .param("version", superMetric.version())
        .param("createdAt", utc(superMetric.createdAt()))
        .param("createdBy", superMetric.createdBy())
        .param("updatedAt", utc(superMetric.updatedAt()))
        .param("updatedBy", superMetric.updatedBy())
        .param("name", definition.name())
        .param("formula", definition.formula())
        .param("description", definition.description(), Types.VARCHAR)
        .param("unitId", definition.unitId(), Types.VARCHAR)
        .param("modifiedBy", definition.modifiedBy(), Types.VARCHAR)
        .param("modificationTime", definition.modificationTime(), Types.BIGINT)
        .param("kinds", kinds(definition.resourceKinds()), Types.VARCHAR)
        .param("other", JSON.writeValueAsString(node(definition.other())))
        .param("tags", superMetric.tags().toArray(String[]::new))
        .param("owner", superMetric.owner(), Types.VARCHAR)
        .param("pack", superMetric.pack(), Types.VARCHAR)
        .param("enabled", superMetric.policy().enabled())
        .param("policy", JSON.writeValueAsString(superMetric.policy().rules()))
        .param("interval", superMetric.intervalSeconds())
        .update();
    number.atEnd(
        FORGET_STATE,
        new Before(definition.id(), superMetric.version() - 1),
        all ->
            jdbc.sql(FORGET_STATE)
                .param("ids", all.stream().map(Before::id).toArray(UUID[]::new))
                .param("versions", all.stream().map(Before::version).toArray(Long[]::new))
                .update());
    note(
        definition.id(),
        superMetric.version(),
        action,
        superMetric.updatedAt(),
        superMetric.updatedBy());
  }

  /** Removes one; its history stays. Inside {@link #write}. */
  void delete(UUID id, Instant now, String by) {
    note(id, newestVersion(id) + 1, Action.DELETED, now, by);
    jdbc.sql("delete from super_metric where id = :id").param("id", id).update();
    number.atEnd(
        DELETE_STATE,
        id,
        all -> jdbc.sql(DELETE_STATE).param("ids", all.toArray(UUID[]::new)).update());
  }

  private void note(UUID id, long version, Action action, Instant at, String by) {
    jdbc.sql(NOTE)
        .param("id", id)
        .param("version", version)
        .param("action", action.label())
        .param("at", utc(at))
        .param("by", by)
        .update();
    jdbc.sql(FORGET)
        .param("id", id)
        .param("version", version)
        .param("kept", properties.history())
        .update();
  }

  /** The newest version of a super metric, deleted ones too; 0 = there never was one. */
  long newestVersion(UUID id) {
    return jdbc.sql(
            "select coalesce(max(version), 0) from super_metric_history where super_metric_id = :id")
        .param("id", id)
        .query(Long.class)
        .single();
  }

  /** How many versions are kept. */
  long versions(UUID id) {
    return jdbc.sql("select count(*) from super_metric_history where super_metric_id = :id")
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
        .filter(found -> found.superMetric().version() == version)
        .findFirst();
  }

  // -----------------------------------------------------------------------------------------------

  private static StoredSuperMetric stored(ResultSet row) throws SQLException {
    SuperMetric definition =
        new SuperMetric(
            row.getObject("id", UUID.class),
            kinds(row.getString("kinds")),
            row.getObject("modification_time", Long.class),
            row.getString("name"),
            row.getString("formula"),
            row.getString("description"),
            row.getString("unit_id"),
            row.getString("modified_by"),
            members((ObjectNode) JSON.readTree(row.getString("other")), List.of()));
    return new StoredSuperMetric(
        definition,
        Arrays.asList((String[]) row.getArray("tags").getArray()),
        row.getString("owner"),
        row.getString("pack"),
        new Policy(row.getBoolean("enabled"), JSON.readValue(row.getString("policy"), RULES)),
        row.getInt("interval_s"),
        row.getLong("version"),
        instant(row, "created_at"),
        row.getString("created_by"),
        instant(row, "updated_at"),
        row.getString("updated_by"));
  }

  private static final String ADAPTER = "adapterKindKey";
  private static final String OBJECT = "resourceKindKey";

  private static @Nullable String kinds(@Nullable List<ResourceKind> kinds) {
    if (kinds == null) {
      return null;
    }
    ArrayNode array = JSON.createArrayNode();
    for (ResourceKind kind : kinds) {
      ObjectNode node = array.addObject();
      node.put(OBJECT, kind.objectKind());
      node.put(ADAPTER, kind.adapterKind());
      node.setAll(kind.other());
    }
    return JSON.writeValueAsString(array);
  }

  private static List<ResourceKind> readKinds(JsonNode array) {
    List<ResourceKind> kinds = new ArrayList<>();
    for (JsonNode node : array) {
      kinds.add(
          new ResourceKind(
              node.path(ADAPTER).stringValue(""),
              node.path(OBJECT).stringValue(""),
              members((ObjectNode) node, List.of(ADAPTER, OBJECT))));
    }
    return kinds;
  }

  private static @Nullable List<ResourceKind> kinds(@Nullable String json) {
    return json == null ? null : readKinds(JSON.readTree(json));
  }

  private static ObjectNode node(Map<String, JsonNode> members) {
    ObjectNode node = JSON.createObjectNode();
    node.setAll(members);
    return node;
  }

  private static Map<String, JsonNode> members(ObjectNode node, List<String> without) {
    Map<String, JsonNode> members = new LinkedHashMap<>();
    node.forEachEntry(
        (name, value) -> {
          if (!without.contains(name)) {
            members.put(name, value);
          }
        });
    return members;
  }

  static Duration interval(StoredSuperMetric superMetric) {
    return Duration.ofSeconds(superMetric.intervalSeconds());
  }
}
