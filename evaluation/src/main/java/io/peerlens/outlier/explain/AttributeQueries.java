package io.peerlens.outlier.explain;

import io.peerlens.api.model.OutlierTraitKind;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Attributes of objects: properties, tags, and the objects above them. Read for all of a group at
 * once.
 */
public final class AttributeQueries {

  /** What an object is below counts up to so many steps: host, cluster, data centre. */
  private static final int HEIGHT = 4;

  private static final Pattern VERSION =
      Pattern.compile(
          "version|build|firmware|release|patch|kernel|(^|[|:_. ])(guest_?)?os([|:_. ]|$)",
          Pattern.CASE_INSENSITIVE);

  private static final String ALL =
      """
      with recursive member as (select id, properties, tags from object where id = any (:ids)),
      up(id, ancestor, height) as (
        select r.child_id, r.parent_id, 1 from relation r where r.child_id = any (:ids)
        union
        select u.id, r.parent_id, u.height + 1 from up u join relation r on r.child_id = u.ancestor where u.height < :height)
      select m.id, 'property' as kind, p.key, p.value from member m, jsonb_each_text(m.properties) p where p.value <> ''
      union all
      select m.id, 'tag', t.key, t.value from member m, jsonb_each_text(m.tags) t where t.value <> ''
      union all
      select u.id, 'parent', o.object_kind, string_agg(distinct o.name, ', ' order by o.name)
      from up u join object o on o.id = u.ancestor group by u.id, o.object_kind
      order by 2, 3, 1
      """;

  private final JdbcClient jdbc;

  public AttributeQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Attribute of objects: a property, a tag or an ancestor.
   *
   * @param key of the property or tag; the object kind of what they are below
   */
  public record Attribute(OutlierTraitKind kind, String key) {

    /** A key in words: {@code config|hardware|num_Cpu} is "config hardware num Cpu". */
    String words() {
      return key.replace('|', ' ').replace('_', ' ').replace(':', ' ').strip();
    }
  }

  /** Values by object, for each attribute that any of the objects has. */
  public Map<Attribute, Map<Integer, String>> of(Collection<Integer> ids) {
    Map<Attribute, Map<Integer, String>> found = new LinkedHashMap<>();
    jdbc.sql(ALL)
        .param("ids", ids.toArray(Integer[]::new))
        .param("height", HEIGHT)
        .query(
            row -> {
              String key = row.getString("key");
              found
                  .computeIfAbsent(
                      new Attribute(kind(row.getString("kind"), key), key),
                      attribute -> new LinkedHashMap<>())
                  .put(row.getInt("id"), row.getString("value"));
            });
    return found;
  }

  private static OutlierTraitKind kind(String stored, String key) {
    return switch (stored) {
      case "tag" -> OutlierTraitKind.TAG;
      case "parent" -> OutlierTraitKind.PARENT;
      default -> VERSION.matcher(key).find() ? OutlierTraitKind.VERSION : OutlierTraitKind.PROPERTY;
    };
  }
}
