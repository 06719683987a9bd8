package io.peerlens.source.collect;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Leases of sources, and the nodes that may hold them. Times are those of the database, the one
 * clock that all nodes share.
 */
final class LeaseStore {

  private static final String HEARTBEAT =
      """
      insert into collector_node (holder, node, started_at, updated_at, kinds)
      values (:holder, :node, now(), now(), :kinds)
      on conflict (holder) do update set updated_at = now(), kinds = excluded.kinds
      """;

  private static final String RENEW =
      """
      update source_lease set lease_until = now() + make_interval(secs => :lease)
      where holder = :holder
      returning source_id
      """;

  private static final String FLEET =
      """
      with alive as (
        select holder from collector_node
        where updated_at > now() - make_interval(secs => :lease) and kinds && :kinds::text[])
      select (select count(*) from alive)::int as nodes,
             coalesce(min(held), 0)::int as least
      from (select count(l.source_id) as held
            from alive left join source_lease l on l.holder = alive.holder
            group by alive.holder) as each
      """;

  private static final String TAKE =
      """
      insert into source_lease (source_id, holder, node, taken_at, lease_until)
      select s.id, :holder, :node, now(), now() + make_interval(secs => :lease)
      from source s left join source_lease l on l.source_id = s.id
      where s.id = any (:wanted) and s.paused_at is null
        and (l.source_id is null or l.lease_until <= now())
      order by random() limit :most
      on conflict (source_id) do update
      set holder = excluded.holder, node = excluded.node, taken_at = excluded.taken_at,
          lease_until = excluded.lease_until
      where source_lease.lease_until <= now()
      returning source_id
      """;

  private static final String RELEASE =
      "delete from source_lease where holder = :holder and source_id = :source";

  private static final String LEAVE =
      """
      with leases as (delete from source_lease where holder = :holder)
      delete from collector_node where holder = :holder
      """;

  private static final String FORGET =
      "delete from collector_node where updated_at < now() - interval '1 day'";

  private final JdbcClient jdbc;
  private final UUID holder;
  private final String node;
  private final double lease;

  /**
   * @param holder of this run of the process
   * @param node its name
   */
  LeaseStore(JdbcClient jdbc, UUID holder, String node, Duration lease) {
    this.jdbc = jdbc;
    this.holder = holder;
    this.node = node;
    this.lease = lease.toMillis() / 1e3;
  }

  /**
   * Nodes that are alive and read the same kinds.
   *
   * @param nodes how many, this one included
   * @param least sources of the one that has fewest
   */
  record Fleet(int nodes, int least) {}

  /** Says that this node is alive. */
  void heartbeat(Collection<String> kinds) {
    jdbc.sql(HEARTBEAT)
        .param("holder", holder)
        .param("node", node)
        .param("kinds", kinds.toArray(String[]::new))
        .update();
  }

  /** Renews the leases of this node, and says which it has. */
  Set<UUID> renew() {
    return new HashSet<>(
        jdbc.sql(RENEW)
            .param("holder", holder)
            .param("lease", lease)
            .query((row, number) -> row.getObject(1, UUID.class))
            .list());
  }

  Fleet fleet(Collection<String> kinds) {
    return jdbc.sql(FLEET)
        .param("lease", lease)
        .param("kinds", kinds.toArray(String[]::new))
        .query((row, number) -> new Fleet(row.getInt("nodes"), row.getInt("least")))
        .single();
  }

  /** Takes some of the sources that nobody holds, and says which. */
  Set<UUID> take(Collection<UUID> wanted, int most) {
    return new HashSet<>(
        jdbc.sql(TAKE)
            .param("holder", holder)
            .param("node", node)
            .param("lease", lease)
            .param("wanted", wanted.toArray(UUID[]::new))
            .param("most", most)
            .query((row, number) -> row.getObject(1, UUID.class))
            .list());
  }

  /** Gives a lease back, if this node still has it. */
  void release(UUID source) {
    jdbc.sql(RELEASE).param("holder", holder).param("source", source).update();
  }

  /** Gives all leases back: this node ends. */
  void leave() {
    jdbc.sql(LEAVE).param("holder", holder).update();
  }

  /** Forgets nodes that ended long ago. */
  void forget() {
    jdbc.sql(FORGET).update();
  }
}
