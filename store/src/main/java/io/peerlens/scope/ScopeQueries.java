package io.peerlens.scope;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.web.NamePattern;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** Objects in a scope, by one query. One that its source removed is in none. */
final class ScopeQueries {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** At any depth; {@code union} ends where relations run in a circle. */
  private static final String BELOW =
      """
      o.id in (
        with recursive below(id) as (
          select r.child_id from relation r join object a on a.id = r.parent_id where a.uuid = any (:%1$s)
          union
          select r.child_id from below b join relation r on r.parent_id = b.id)
        select id from below)
      """;

  private final JdbcClient jdbc;
  private final GroupStore groups;

  ScopeQueries(JdbcClient jdbc, GroupStore groups) {
    this.jdbc = jdbc;
    this.groups = groups;
  }

  /** A condition on objects {@code o}, in SQL. */
  record Where(String sql, Map<String, Object> parameters) {}

  /** Internal ids of the objects of a kind that are in a scope, ascending. */
  int[] matching(Scope scope, ObjectKind kind) {
    Where where = where(scope, kind);
    return jdbc
        .sql("select o.id from object o where " + where.sql() + " order by o.id")
        .params(where.parameters())
        .query(Integer.class)
        .list()
        .stream()
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Internal ids of the objects of any kind that are in a scope. */
  Set<Integer> members(Scope scope) {
    Where where = where(scope, null);
    return new HashSet<>(
        jdbc.sql("select o.id from object o where " + where.sql())
            .params(where.parameters())
            .query(Integer.class)
            .list());
  }

  /** Those of some objects that are in a scope. */
  Set<UUID> holding(Scope scope, Collection<UUID> objects) {
    Where where = where(scope, null);
    return new HashSet<>(
        jdbc.sql("select o.uuid from object o where o.uuid = any (:asked) and " + where.sql())
            .params(where.parameters())
            .param("asked", objects.toArray(UUID[]::new))
            .query(UUID.class)
            .list());
  }

  /**
   * A scope in SQL.
   *
   * @param kind only objects of this kind; null = of any
   */
  Where where(Scope scope, @Nullable ObjectKind kind) {
    Writer writer = new Writer(groups.scopes());
    String sql = writer.scope(scope);
    if (kind != null) {
      sql = writer.kind(kind) + " and " + sql;
    }
    return new Where(sql, writer.parameters);
  }

  /** Conditions on objects {@code o}, one for each of some scopes, which share their parameters. */
  record Wheres(List<String> sql, Map<String, Object> parameters) {}

  /** Scopes in SQL, in their order. */
  Wheres wheres(List<Scope> scopes) {
    Writer writer = new Writer(groups.scopes());
    return new Wheres(scopes.stream().map(writer::scope).toList(), writer.parameters);
  }

  /** Ids of all groups. */
  Set<UUID> groups() {
    return groups.scopes().keySet();
  }

  /** The first group that a scope names, itself or through other groups, and that is not known. */
  @Nullable UUID missingGroup(Scope scope) {
    Map<UUID, Scope> known = groups.scopes();
    Deque<UUID> open = new ArrayDeque<>(scope.groups());
    Set<UUID> seen = new HashSet<>(open);
    while (!open.isEmpty()) {
      UUID id = open.remove();
      Scope next = known.get(id);
      if (next == null) {
        return id;
      }
      next.groups().stream().filter(seen::add).forEach(open::add);
    }
    return null;
  }

  /**
   * Writer of the conditions of a scope; the groups that a group names are followed, each once on a
   * way.
   */
  private static final class Writer {

    private final Map<UUID, Scope> groups;
    private final Map<String, Object> parameters = new HashMap<>();
    private final Set<UUID> open = new HashSet<>();

    Writer(Map<UUID, Scope> groups) {
      this.groups = groups;
    }

    private String parameter(Object value) {
      String name = "p" + parameters.size();
      parameters.put(name, value);
      return name;
    }

    String kind(ObjectKind kind) {
      return "(o.adapter_kind = :%s and o.object_kind = :%s)"
          .formatted(parameter(kind.adapterKind()), parameter(kind.objectKind()));
    }

    String scope(Scope scope) {
      StringBuilder sql = new StringBuilder(condition(scope.only()));
      for (ScopeCondition exclude : scope.exclude()) {
        sql.append(" and not ").append(condition(exclude));
      }
      return "(o.removed_at is null and " + sql + ")";
    }

    private String condition(ScopeCondition condition) {
      List<String> all = new ArrayList<>();
      if (!condition.objectKinds().isEmpty()) {
        all.add(any(condition.objectKinds().stream().map(this::kind).toList()));
      }
      if (!condition.groups().isEmpty()) {
        all.add(any(condition.groups().stream().map(this::group).toList()));
      }
      condition.tags().forEach(tag -> all.add(pair("o.tags", tag)));
      condition.properties().forEach(property -> all.add(pair("o.properties", property)));
      if (condition.name() != null) {
        all.add("o.name ilike :" + parameter(NamePattern.like(condition.name())));
      }
      if (!condition.ancestors().isEmpty()) {
        all.add(BELOW.formatted(parameter(condition.ancestors().toArray(UUID[]::new))));
      }
      if (!condition.objects().isEmpty()) {
        all.add("o.uuid = any (:" + parameter(condition.objects().toArray(UUID[]::new)) + ")");
      }
      return all.isEmpty() ? "true" : "(" + String.join(" and ", all) + ")";
    }

    private static String any(List<String> alternatives) {
      return "(" + String.join(" or ", alternatives) + ")";
    }

    /** A group that is gone, or that leads back to itself, has no members. */
    private String group(UUID id) {
      Scope scope = groups.get(id);
      if (scope == null || !open.add(id)) {
        return "false";
      }
      String sql = scope(scope);
      open.remove(id);
      return sql;
    }

    private String pair(String column, String pair) {
      int equals = pair.indexOf('=');
      return equals < 0
          ? "jsonb_exists(" + column + ", :" + parameter(pair) + ")"
          : column
              + " @> :"
              + parameter(
                  JSON.writeValueAsString(
                      Map.of(pair.substring(0, equals), pair.substring(equals + 1))))
              + "::jsonb";
    }
  }
}
