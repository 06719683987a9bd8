package io.peerlens.vocabulary;

import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Kinds and keys that exist in this installation. */
public final class VocabularyQueries {

  private static final String KINDS = "select distinct adapter_kind, object_kind from object";

  private static final String METRICS =
      """
      select g.adapter_kind, g.object_kind, g.name, g.metrics,
             exists (select from metric_set s where s.group_id = g.id and s.instance <> '') as instanced
      from metric_group g
      """;

  private static final String PROPERTIES =
      """
      select distinct o.adapter_kind, o.object_kind, k.key
      from object o cross join lateral jsonb_object_keys(o.properties) as k(key)
      """;

  private final JdbcClient jdbc;

  public VocabularyQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Id of the newest group of metrics; 0 = there is none. */
  int newestGroup() {
    return jdbc.sql("select coalesce(max(id), 0) from metric_group").query(Integer.class).single();
  }

  InstallationVocabulary read() {
    Map<String, Set<String>> kinds = new TreeMap<>();
    Map<ObjectKind, Set<String>> keys = new HashMap<>();
    Map<ObjectKind, Set<String>> instanced = new HashMap<>();
    jdbc.sql(KINDS)
        .query(
            row -> {
              kinds
                  .computeIfAbsent(row.getString("adapter_kind"), adapter -> new TreeSet<>())
                  .add(row.getString("object_kind"));
            });
    jdbc.sql(METRICS)
        .query(
            row -> {
              ObjectKind kind =
                  new ObjectKind(row.getString("adapter_kind"), row.getString("object_kind"));
              String group = row.getString("name");
              for (String metric : (String[]) row.getArray("metrics").getArray()) {
                String key = group + "|" + metric;
                keys.computeIfAbsent(kind, k -> new HashSet<>()).add(key);
                if (row.getBoolean("instanced")) {
                  instanced.computeIfAbsent(kind, k -> new HashSet<>()).add(key);
                }
              }
            });
    jdbc.sql(PROPERTIES)
        .query(
            row -> {
              ObjectKind kind =
                  new ObjectKind(row.getString("adapter_kind"), row.getString("object_kind"));
              String key = row.getString("key");
              String plain = Keys.withoutInstances(key);
              keys.computeIfAbsent(kind, k -> new HashSet<>()).add(plain);
              if (!plain.equals(key)) {
                instanced.computeIfAbsent(kind, k -> new HashSet<>()).add(plain);
              }
            });
    return new InstallationVocabulary(kinds, keys, instanced);
  }
}
