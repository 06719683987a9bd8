package io.peerlens.supermetric;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** Finds the objects that a rule of a policy matches. */
final class PolicyQueries {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** At any depth; {@code union} ends where relations run in a circle. */
  private static final String BELOW =
      """
      with recursive below(id) as (
        select r.child_id from relation r join object o on o.id = r.parent_id where o.uuid = :ancestor
        union
        select r.child_id from below b join relation r on r.parent_id = b.id)
      """;

  private final JdbcClient jdbc;

  PolicyQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Internal ids of the objects of a kind that meet all conditions of a rule. */
  Set<Integer> matching(Policy.Rule rule, ObjectKind kind) {
    List<String> conditions = new ArrayList<>();
    Map<String, Object> parameters = new HashMap<>();
    conditions.add("o.adapter_kind = :adapterKind and o.object_kind = :objectKind");
    parameters.put("adapterKind", kind.adapterKind());
    parameters.put("objectKind", kind.objectKind());
    pair(rule.tag(), "tag", "o.tags", conditions, parameters);
    pair(rule.property(), "property", "o.properties", conditions, parameters);
    if (rule.name() != null) {
      conditions.add("o.name ilike :name");
      parameters.put("name", pattern(rule.name()));
    }
    UUID ancestor = rule.ancestor();
    if (ancestor != null) {
      conditions.add("o.id in (select id from below)");
      parameters.put("ancestor", ancestor);
    }
    return new HashSet<>(
        jdbc.sql(
                (ancestor == null ? "" : BELOW)
                    + "select o.id from object o where "
                    + String.join(" and ", conditions))
            .params(parameters)
            .query(Integer.class)
            .list());
  }

  private static void pair(
      @Nullable String pair,
      String name,
      String column,
      List<String> conditions,
      Map<String, Object> parameters) {
    if (pair == null) {
      return;
    }
    int equals = pair.indexOf('=');
    if (equals < 0) {
      conditions.add("jsonb_exists(" + column + ", :" + name + ")");
      parameters.put(name, pair);
    } else {
      conditions.add(column + " @> :" + name + "::jsonb");
      parameters.put(
          name,
          JSON.writeValueAsString(Map.of(pair.substring(0, equals), pair.substring(equals + 1))));
    }
  }

  /** {@code *} stands for any text; everything else for itself. */
  static String pattern(String name) {
    return name.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_").replace('*', '%');
  }
}
