package io.peerlens.source.vcenter;

import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stored objects of vCenters, but those of which it is known that they are gone. */
public final class KnownObjectQueries implements KnownObjects {

  private static final String OF_VCENTER =
      """
      select external_id, object_kind from object
      where adapter_kind in ('VMWARE', 'VirtualAndPhysicalSANAdapter') and external_id like :prefix and removed_at is null
      """;

  private final JdbcClient jdbc;

  public KnownObjectQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public Map<String, String> of(String vcenter) {
    String prefix = vcenter.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "/%";
    Map<String, String> kinds = new HashMap<>();
    jdbc.sql(OF_VCENTER)
        .param("prefix", prefix)
        .query(
            row -> {
              kinds.put(row.getString(1), row.getString(2));
            });
    return kinds;
  }
}
