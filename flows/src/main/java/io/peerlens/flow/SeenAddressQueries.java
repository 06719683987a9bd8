package io.peerlens.flow;

import io.peerlens.flow.network.Addresses;
import io.peerlens.flow.network.Networks;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Preview of another definition of networks: what it means for addresses that flows had lately. */
final class SeenAddressQueries {

  private static final String SEEN =
      """
      select host(e.address),
             bool_or((o.adapter_kind, o.object_kind) is distinct from (:addressAdapter, :addressKind))
      from endpoint e join object o on o.id = e.object_id
      where e.address is not null and e.last_seen >= :since
      group by e.address
      """;

  /**
   * Difference between two definitions.
   *
   * @param renamed addresses whose network gets another name
   * @param internalBefore addresses that are internal as things are
   * @param internalAfter addresses that would be
   */
  record Difference(long renamed, long internalBefore, long internalAfter) {}

  private final JdbcClient jdbc;

  SeenAddressQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Compares two definitions.
   *
   * @param since addresses that were not seen since then do not count
   */
  Difference compare(Networks before, Networks after, Instant since) {
    Addresses address = new Addresses();
    long[] counts = new long[3];
    jdbc.sql(SEEN)
        .param("addressAdapter", AddressQueries.ADAPTER_KIND)
        .param("addressKind", AddressQueries.OBJECT_KIND)
        .param("since", since.atOffset(ZoneOffset.UTC))
        .query(
            row -> {
              if (!address.parse(row.getString(1))) {
                return;
              }
              boolean owned = row.getBoolean(2);
              int was = before.find(address.high(), address.low());
              int is = after.find(address.high(), address.low());
              counts[0] += Objects.equals(name(before, was), name(after, is)) ? 0 : 1;
              counts[1] += before.internal(was, owned) ? 1 : 0;
              counts[2] += after.internal(is, owned) ? 1 : 0;
            });
    return new Difference(counts[0], counts[1], counts[2]);
  }

  private static @Nullable String name(Networks networks, int span) {
    var network = networks.network(span);
    return network == null ? null : network.name();
  }
}
