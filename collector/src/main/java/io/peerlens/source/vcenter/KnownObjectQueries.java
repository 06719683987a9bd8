package io.peerlens.source.vcenter;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stored objects of vCenters, but those of which it is known that they are gone. */
public final class KnownObjectQueries implements KnownObjects {

  private static final String OF_VCENTER =
      """
      select external_id, object_kind from object
      where adapter_kind in ('VMWARE', 'VirtualAndPhysicalSANAdapter') and external_id like :prefix and removed_at is null
      """;

  private static final String TOLD =
      """
      select external_id,
             array(select key from unnest(record_keys) key
                   where key like 'property:%' and jsonb_exists(properties, substr(key, 10))
                      or key like 'tag:%' and jsonb_exists(tags, substr(key, 5))
                      or key like 'parent:%' or key like 'child:%') as keys
      from object
      where adapter_kind = 'VMWARE' and external_id like :prefix and removed_at is null and record_keys <> '{}'
      """;

  private final JdbcClient jdbc;

  public KnownObjectQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public Map<String, String> of(String vcenter) {
    String prefix = prefix(vcenter);
    Map<String, String> kinds = new HashMap<>();
    jdbc.sql(OF_VCENTER)
        .param("prefix", prefix)
        .query(
            row -> {
              kinds.put(row.getString(1), row.getString(2));
            });
    return kinds;
  }

  @Override
  public void told(String vcenter, BiConsumer<String, Set<String>> each) {
    jdbc.sql(TOLD)
        .param("prefix", prefix(vcenter))
        .query(
            row -> {
              each.accept(
                  row.getString("external_id"), Set.of((String[]) row.getArray("keys").getArray()));
            });
  }

  private static String prefix(String vcenter) {
    return vcenter.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "/%";
  }
}
