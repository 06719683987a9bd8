package io.peerlens.talker;

import io.peerlens.flow.network.Cidr;
import io.peerlens.scope.Scope;
import io.peerlens.scope.ScopeCondition;
import io.peerlens.scope.Scopes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Search for the endpoints that a condition means. */
final class EndQueries {

  /** At any depth; {@code union} ends where relations run in a circle. */
  private static final String BELOW =
      """
      e.object_id in (
        with recursive below(id) as (
          select id from object where uuid = any (:uuids) or id = any (:members)
          union
          select r.child_id from below b join relation r on r.parent_id = b.id)
        select id from below)
      """;

  private static final String ENDS =
      """
      select e.id from endpoint e
      left join object o on o.id = e.object_id
      left join flow_network n on n.id = e.network_id
      where\s""";

  private static final String SEARCH =
      ENDS
          + """
          o.name ilike :pattern or host(e.address) like :pattern or n.name ilike :pattern
          """;

  private final JdbcClient jdbc;
  private final Scopes scopes;

  EndQueries(JdbcClient jdbc, Scopes scopes) {
    this.jdbc = jdbc;
    this.scopes = scopes;
  }

  /**
   * A condition with the endpoints that it means, found once for all statements of a question.
   *
   * @param ends null = any
   * @param peers null = any
   * @param found one end of each flow is among them; null = any
   */
  record Found(
      FlowCondition condition,
      Integer @Nullable [] ends,
      Integer @Nullable [] peers,
      Integer @Nullable [] found) {}

  /**
   * Finds the endpoints of a condition.
   *
   * @param search text in the name or address of one end; null = any
   */
  Found find(FlowCondition condition, @Nullable String search) {
    return TimedQueries.watch(
        () ->
            new Found(
                condition,
                ids(condition.ends()),
                ids(condition.peers()),
                search == null ? null : named(search)));
  }

  /** Ids of the endpoints; null = any. */
  Integer @Nullable [] ids(FlowEndFilter condition) {
    if (condition.isAny()) {
      return null;
    }
    List<String> all = new ArrayList<>();
    Map<String, Object> parameters = new HashMap<>();
    if (condition.hasScope()) {
      all.add(scope(condition, parameters));
    }
    if (!condition.networks().isEmpty()) {
      all.add("(n.name = any (:networks) or e.address <<= any (:prefixes::inet[]))");
      parameters.put("networks", condition.networks().toArray(String[]::new));
      parameters.put(
          "prefixes",
          condition.networks().stream().filter(EndQueries::isPrefix).toArray(String[]::new));
    }
    if (!condition.tiers().isEmpty()) {
      all.add(EndRows.TIER_NAME + " = any (:tiers)");
      parameters.put("tiers", condition.tiers().toArray(String[]::new));
    }
    return ids(ENDS + String.join(" and ", all), parameters);
  }

  private String scope(FlowEndFilter condition, Map<String, Object> parameters) {
    List<UUID> uuids = condition.objects();
    parameters.put("uuids", uuids.toArray(UUID[]::new));
    parameters.put(
        "members",
        uuids.isEmpty()
            ? new Integer[0]
            : scopes
                .members(
                    new Scope(
                        new ScopeCondition(
                            List.of(), uuids, List.of(), List.of(), null, List.of(), List.of()),
                        List.of()))
                .toArray(Integer[]::new));
    parameters.put(
        "objects",
        condition.ends().stream()
            .filter(end -> end % 2 == 0)
            .map(end -> end / 2)
            .toArray(Integer[]::new));
    parameters.put(
        "endpoints",
        condition.ends().stream()
            .filter(end -> end % 2 != 0)
            .map(end -> end / 2)
            .toArray(Integer[]::new));
    return "(" + BELOW + " or e.object_id = any (:objects) or e.id = any (:endpoints))";
  }

  static boolean isPrefix(String text) {
    try {
      Cidr.parse(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Ids of the endpoints with a text in their name, their address or the name of their network. */
  Integer[] named(String text) {
    String escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    return ids(SEARCH, Map.of("pattern", "%" + escaped + "%"));
  }

  private Integer[] ids(String sql, Map<String, ?> parameters) {
    return jdbc.sql(sql).params(parameters).query(Integer.class).list().toArray(Integer[]::new);
  }
}
