package io.peerlens.suiteapi;

import io.peerlens.inventory.Liveness;
import io.peerlens.suiteapi.ResourceFilter.Condition;
import io.peerlens.suiteapi.ResourceFilter.Conditions;
import io.peerlens.suiteapi.ResourceFilter.Tag;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Queries of resources. */
final class ResourceQueries {

  private static final String COLUMNS =
      """
      select o.id, o.uuid, o.adapter_kind, o.object_kind, o.external_id, o.name, o.properties, o.tags,
             o.first_seen, l.last_seen, o.removed_at is not null as removed,
      """
          + Liveness.FROM
          + " < :now as silent ";

  private static final String FROM =
      "from object o left join object_liveness l on l.object_id = o.id ";

  private static final String NUMBER = "'^[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$'";

  private static final String BY_IDS = COLUMNS + FROM + "where o.id = any (:ids) order by o.id";

  private static final String MAINTAINED =
      """
      select distinct on (o.id) o.id
      from maintenance_window w
      join object o on o.uuid::text in (
        select jsonb_array_elements_text(w.definition -> 'scope' -> 'objects'))
      where o.id = any (:ids) and coalesce((w.definition ->> 'enabled')::boolean, true)
        and (w.definition -> 'oneOff' ->> 'from')::timestamptz <= :now
        and (w.definition -> 'oneOff' ->> 'to')::timestamptz > :now
      """;

  private static final TypeReference<Map<String, String>> TEXTS = new TypeReference<>() {};
  private static final JsonMapper JSON = JsonMapper.shared();

  private final JdbcClient jdbc;
  private final Liveness liveness;
  private final InstantSource clock;

  ResourceQueries(JdbcClient jdbc, Liveness liveness, InstantSource clock) {
    this.jdbc = jdbc;
    this.liveness = liveness;
    this.clock = clock;
  }

  /** A resource by its id, also one that was removed. */
  Optional<Resource> get(UUID uuid) {
    return jdbc.sql(COLUMNS + FROM + "where o.uuid = :uuid")
        .params(liveness.parameters())
        .param("uuid", uuid)
        .query(ResourceQueries::resource)
        .optional();
  }

  /** Resources by their ids within the database, in the order of these ids. */
  List<Resource> byIds(Collection<Integer> ids) {
    return jdbc.sql(BY_IDS)
        .params(liveness.parameters())
        .param("ids", ids.toArray(Integer[]::new))
        .query(ResourceQueries::resource)
        .list();
  }

  /** Resources by their ids; those that do not exist are left out. */
  List<Resource> byUuids(Collection<UUID> uuids) {
    return jdbc.sql(COLUMNS + FROM + "where o.uuid = any (:uuids) order by o.id")
        .params(liveness.parameters())
        .param("uuids", uuids.toArray(UUID[]::new))
        .query(ResourceQueries::resource)
        .list();
  }

  /** The id within the database of each that exists. */
  Map<UUID, Integer> idsOf(Collection<UUID> uuids) {
    Map<UUID, Integer> ids = new LinkedHashMap<>();
    jdbc.sql("select id, uuid from object where uuid = any (:uuids) order by id")
        .param("uuids", uuids.toArray(UUID[]::new))
        .query(
            row -> {
              ids.put(row.getObject("uuid", UUID.class), row.getInt("id"));
            });
    return ids;
  }

  /** How many match. */
  long count(ResourceFilter filter) {
    Where where = where(filter);
    return jdbc.sql("select count(*) " + FROM + where.sql)
        .params(where.parameters)
        .query(Long.class)
        .single();
  }

  /** Those that match, from one place on, in the order in which they became known. */
  List<Resource> find(ResourceFilter filter, long offset, int limit) {
    Where where = where(filter);
    return jdbc.sql(
            COLUMNS + FROM + where.sql + " order by o.id limit " + limit + " offset " + offset)
        .params(where.parameters)
        .query(ResourceQueries::resource)
        .list();
  }

  /** Id, UUID and name of a candidate. */
  record Candidate(int id, UUID uuid, String name, boolean silent) {}

  /** All that match as far as the database can tell. */
  List<Candidate> candidates(ResourceFilter filter) {
    Where where = where(filter);
    return jdbc.sql(
            "select o.id, o.uuid, o.name, "
                + Liveness.FROM
                + " < :now as silent "
                + FROM
                + where.sql
                + " order by o.id")
        .params(where.parameters)
        .query(
            (row, number) ->
                new Candidate(
                    row.getInt("id"),
                    row.getObject("uuid", UUID.class),
                    row.getString("name"),
                    row.getBoolean("silent")))
        .list();
  }

  /** Those of some resources that are in maintenance of their own now. */
  Set<Integer> maintained(Collection<Integer> ids) {
    return new HashSet<>(
        jdbc.sql(MAINTAINED)
            .param("ids", ids.toArray(Integer[]::new))
            .param("now", clock.instant().atOffset(ZoneOffset.UTC))
            .query(Integer.class)
            .list());
  }

  /** The objects that stand for a vCenter, by their external id. */
  Map<String, UUID> instances() {
    Map<String, UUID> instances = new HashMap<>();
    jdbc.sql(
            "select external_id, uuid from object where object_kind = :kind and removed_at is null")
        .param("kind", Adapters.INSTANCE_KIND)
        .query(
            row -> {
              instances.put(row.getString(1), row.getObject(2, UUID.class));
            });
    return instances;
  }

  private record Where(String sql, Map<String, Object> parameters) {}

  private Where where(ResourceFilter filter) {
    Map<String, Object> parameters = new HashMap<>(liveness.parameters());
    List<String> all = new ArrayList<>();
    boolean withRemoved = !filter.ids().isEmpty() || filter.states().contains("NOT_EXISTING");
    if (!withRemoved) {
      all.add("o.removed_at is null");
    }
    if (filter.ids().isEmpty() && filter.resourceKinds().isEmpty()) {
      all.add(Liveness.NO_ADDRESS);
    }
    if (!filter.ids().isEmpty()) {
      all.add("o.uuid = any (:ids)");
      parameters.put("ids", filter.ids().toArray(UUID[]::new));
    }
    if (!filter.names().isEmpty()) {
      all.add("lower(o.name) like any (:names)");
      parameters.put(
          "names",
          filter.names().stream()
              .map(name -> name.replaceAll("([\\\\%_])", "\\\\$1") + "%")
              .toArray(String[]::new));
    }
    if (!filter.adapterKinds().isEmpty()) {
      all.add("lower(o.adapter_kind) = any (:adapterKinds)");
      parameters.put("adapterKinds", filter.adapterKinds().toArray(String[]::new));
    }
    if (!filter.resourceKinds().isEmpty()) {
      all.add("lower(o.object_kind) = any (:resourceKinds)");
      parameters.put("resourceKinds", filter.resourceKinds().toArray(String[]::new));
    }
    if (!filter.parents().isEmpty()) {
      all.add(
          "o.id in (select r.child_id from relation r join object p on p.id = r.parent_id"
              + " where p.uuid = any (:parents))");
      parameters.put("parents", filter.parents().toArray(UUID[]::new));
    }
    if (!filter.adapterInstances().isEmpty()) {
      instances(filter.adapterInstances(), all, parameters);
    }
    if (!filter.statuses().isEmpty()) {
      all.add(
          "(case when l.last_seen is null then 'NONE' when o.removed_at is not null or "
              + Liveness.FROM
              + " < :now then 'NO_DATA_RECEIVING' else 'DATA_RECEIVING' end) = any (:statuses)");
      parameters.put("statuses", filter.statuses().toArray(String[]::new));
    }
    if (!filter.states().isEmpty()) {
      states(filter.states(), all);
    }
    if (filter.recentlyAdded() != null) {
      all.add("o.first_seen >= :added");
      parameters.put(
          "added", clock.instant().minusSeconds(filter.recentlyAdded()).atOffset(ZoneOffset.UTC));
    }
    for (int i = 0; i < filter.tags().size(); i++) {
      Tag tag = filter.tags().get(i);
      if (tag.name() == null) {
        all.add("jsonb_exists(o.tags, :tag" + i + ")");
        parameters.put("tag" + i, tag.category());
      } else {
        all.add("o.tags @> :tag" + i + "::jsonb");
        parameters.put("tag" + i, JSON.writeValueAsString(Map.of(tag.category(), tag.name())));
      }
    }
    Conditions conditions = filter.properties();
    if (conditions != null) {
      List<String> each = new ArrayList<>();
      for (int i = 0; i < conditions.all().size(); i++) {
        each.add(property(conditions.all().get(i), i, parameters));
      }
      all.add("(" + String.join(conditions.any() ? " or " : " and ", each) + ")");
    }
    return new Where(all.isEmpty() ? "" : "where " + String.join(" and ", all), parameters);
  }

  private static void states(List<String> states, List<String> all) {
    List<String> any = new ArrayList<>();
    if (states.contains("NOT_EXISTING")) {
      any.add("o.removed_at is not null");
    }
    String maintained =
        """
        exists (select from maintenance_window w
          where w.definition -> 'scope' -> 'objects' @> to_jsonb(o.uuid::text)
            and coalesce((w.definition ->> 'enabled')::boolean, true)
            and (w.definition -> 'oneOff' ->> 'from')::timestamptz <= :now
            and (w.definition -> 'oneOff' ->> 'to')::timestamptz > :now)
        """;
    if (states.contains("MAINTAINED") || states.contains("MAINTAINED_MANUAL")) {
      any.add("o.removed_at is null and " + maintained);
    }
    if (states.contains("STARTED")) {
      any.add("o.removed_at is null and not " + maintained);
    }
    all.add(any.isEmpty() ? "false" : "(" + String.join(" or ", any) + ")");
  }

  private void instances(List<UUID> wanted, List<String> all, Map<String, Object> parameters) {
    List<String> sources = new ArrayList<>();
    Map<String, UUID> instances = instances();
    instances.forEach(
        (external, uuid) -> {
          if (wanted.contains(uuid)) {
            sources.add(external);
          }
        });
    List<String> kinds =
        jdbc
            .sql("select distinct adapter_kind from object")
            .query((row, number) -> row.getString(1))
            .list()
            .stream()
            .filter(kind -> wanted.contains(Adapters.standIn(kind)))
            .toList();
    all.add(
        "(split_part(o.external_id, '/', 1) = any (:sources) or o.adapter_kind = any (:whole)"
            + " and not split_part(o.external_id, '/', 1) = any (:known))");
    parameters.put("sources", sources.toArray(String[]::new));
    parameters.put("whole", kinds.toArray(String[]::new));
    parameters.put("known", instances.keySet().toArray(String[]::new));
  }

  private static String property(Condition condition, int i, Map<String, Object> parameters) {
    parameters.put("key" + i, condition.key());
    String value = "(o.properties ->> :key" + i + ")";
    String text = condition.text();
    Double number = condition.number();
    switch (condition.operator()) {
      case "EXISTS" -> {
        return "jsonb_exists(o.properties, :key" + i + ")";
      }
      case "NOT_EXISTS" -> {
        return "not jsonb_exists(o.properties, :key" + i + ")";
      }
      default -> {
        if (text == null && number == null) {
          throw SuiteException.invalid(
              "propertyConditions", condition.key() + " has neither stringValue nor doubleValue");
        }
      }
    }
    String asNumber = "(case when " + value + " ~ " + NUMBER + " then " + value + "::float8 end)";
    boolean compares = List.of("LT", "GT", "LT_EQ", "GT_EQ").contains(condition.operator());
    if (number != null || compares && text != null && text.matches("[-+]?[0-9.]+")) {
      parameters.put("value" + i, number != null ? number : Double.valueOf(String.valueOf(text)));
      value = asNumber;
    } else {
      parameters.put("value" + i, String.valueOf(text));
    }
    String given = ":value" + i;
    return switch (condition.operator()) {
      case "EQ" -> "coalesce(" + value + " = " + given + ", false)";
      case "NOT_EQ" -> value + " is distinct from " + given;
      case "LT" -> "coalesce(" + value + " < " + given + ", false)";
      case "GT" -> "coalesce(" + value + " > " + given + ", false)";
      case "LT_EQ" -> "coalesce(" + value + " <= " + given + ", false)";
      case "GT_EQ" -> "coalesce(" + value + " >= " + given + ", false)";
      case "CONTAINS" ->
          "strpos(lower(coalesce(" + value + "::text, '')), lower(" + given + "::text)) > 0";
      default -> "strpos(lower(coalesce(" + value + "::text, '')), lower(" + given + "::text)) = 0";
    };
  }

  private static Resource resource(ResultSet row, int number) throws SQLException {
    return new Resource(
        row.getInt("id"),
        row.getObject("uuid", UUID.class),
        row.getString("adapter_kind"),
        row.getString("object_kind"),
        row.getString("external_id"),
        row.getString("name"),
        new TreeMap<>(JSON.readValue(row.getString("properties"), TEXTS)),
        new TreeMap<>(JSON.readValue(row.getString("tags"), TEXTS)),
        instant(row.getObject("first_seen", OffsetDateTime.class)),
        instantOrNull(row.getObject("last_seen", OffsetDateTime.class)),
        row.getBoolean("silent"),
        row.getBoolean("removed"));
  }

  private static Instant instant(OffsetDateTime time) {
    return time.toInstant();
  }

  private static @Nullable Instant instantOrNull(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant();
  }
}
