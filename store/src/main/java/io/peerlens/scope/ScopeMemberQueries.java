package io.peerlens.scope;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Lists and counts of the objects in scopes. */
final class ScopeMemberQueries {

  private final JdbcClient jdbc;
  private final ScopeQueries scopes;

  ScopeMemberQueries(JdbcClient jdbc, ScopeQueries scopes) {
    this.jdbc = jdbc;
    this.scopes = scopes;
  }

  /**
   * How many objects are in a scope.
   *
   * @param kind only of this kind; null = of any
   */
  long count(Scope scope, @Nullable ObjectKind kind) {
    ScopeQueries.Where where = scopes.where(scope, kind);
    return jdbc.sql("select count(*) from object o where " + where.sql())
        .params(where.parameters())
        .query(Long.class)
        .single();
  }

  /** How many objects of any kind are in each of some scopes, with one walk over the objects. */
  long[] counts(List<Scope> scopes) {
    if (scopes.isEmpty()) {
      return new long[0];
    }
    ScopeQueries.Wheres wheres = this.scopes.wheres(scopes);
    String counts =
        wheres.sql().stream()
            .map(where -> "count(*) filter (where " + where + ")")
            .collect(Collectors.joining(", "));
    return jdbc.sql("select " + counts + " from object o")
        .params(wheres.parameters())
        .query(
            (row, number) -> {
              long[] found = new long[scopes.size()];
              for (int i = 0; i < found.length; i++) {
                found[i] = row.getLong(i + 1);
              }
              return found;
            })
        .single();
  }

  /** An object and what it is sorted by. */
  record Member(int id, String sortKey, ObjectRef reference) {}

  /**
   * Objects of a scope by name.
   *
   * @param kind only of this kind; null = of any
   * @param after begin after this one; null = with the first
   */
  List<Member> list(
      Scope scope, @Nullable ObjectKind kind, int limit, @Nullable String after, int afterId) {
    ScopeQueries.Where where = scopes.where(scope, kind);
    Map<String, Object> parameters = new HashMap<>(where.parameters());
    parameters.put("limit", limit);
    String begin = "";
    if (after != null) {
      begin = " and (lower(o.name), o.id) > (:after, :afterId)";
      parameters.put("after", after);
      parameters.put("afterId", afterId);
    }
    return jdbc.sql(
            """
            select o.id, lower(o.name) as sort_key, o.uuid, o.adapter_kind, o.object_kind, o.name
            from object o where %s%s order by lower(o.name), o.id limit :limit
            """
                .formatted(where.sql(), begin))
        .params(parameters)
        .query(
            (row, number) ->
                new Member(
                    row.getInt("id"),
                    row.getString("sort_key"),
                    new ObjectRef(
                        row.getObject("uuid", UUID.class),
                        row.getString("adapter_kind"),
                        row.getString("object_kind"),
                        row.getString("name"))))
        .list();
  }
}
