package io.peerlens.web;

import io.peerlens.incident.TestKeeper;
import io.peerlens.node.Role;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * An installation to look at: a server of our own with a small datacentre, or the one that the
 * system properties {@code peerlens.pages.url} and {@code peerlens.pages.token} name.
 *
 * @param url without a slash at its end
 * @param token secret of an admin token
 */
record PagesInstallation(String url, String token, @Nullable PeerlensServer server)
    implements AutoCloseable {

  /** One datacentre, one cluster, two hosts and eight VMs, of which shop-web-03 is silent. */
  private static final String DATACENTRE =
      """
      insert into object (uuid, adapter_kind, object_kind, external_id, name, properties, tags, attributes_time, first_seen)
      select md5(kind || name)::uuid, 'VMWARE', kind, 'vc-1.example.net/' || name, name, properties, tags, now(), now() - interval '3 hours'
      from (
        select 'Datacenter' as kind, 'DC East' as name, '{}'::jsonb as properties, '{}'::jsonb as tags
        union all select 'ClusterComputeResource', 'Cluster A', '{}', '{}'
        union all select 'HostSystem', 'esx-a-0' || i, '{"version": "8.0.3"}', '{}' from generate_series(1, 2) i
        union all select 'VirtualMachine', 'shop-web-0' || i, '{"guest": "debian13_64Guest"}', '{"tier": "web", "app": "shop"}'
          from generate_series(1, 8) i
      ) o;

      insert into object_liveness (object_id, last_seen)
      select id, case name when 'shop-web-03' then now() - interval '95 minutes' else now() end from object;

      insert into relation (parent_id, child_id)
      select p.id, c.id from object p join object c
        on (p.object_kind, c.object_kind) in (('Datacenter', 'ClusterComputeResource'), ('ClusterComputeResource', 'HostSystem'))
        or (p.object_kind = 'HostSystem' and c.object_kind = 'VirtualMachine' and right(p.name, 1)::int = 1 + right(c.name, 1)::int % 2);

      insert into object_change (time, object_id, kind, key, old_value, new_value)
      select now() - interval '40 minutes', id, 'placement', 'HostSystem', 'esx-a-02', 'esx-a-01' from object where name = 'shop-web-02';

      insert into metric_group (adapter_kind, object_kind, name, metrics, units)
      select 'VMWARE', kind, grp, metrics, units
      from (values
        ('cpu', array['usage_average', 'readiness_average'], array['%', '%']),
        ('mem', array['usage_average'], array['%']),
        ('net', array['transmitted_average', 'received_average'], array['KBps', 'KBps'])) g (grp, metrics, units),
        unnest(array['VirtualMachine', 'HostSystem']) kind;

      insert into metric_set (object_id, group_id)
      select o.id, g.id from object o join metric_group g using (adapter_kind, object_kind);

      insert into sample (time, set_id, values)
      select t, s.id, array[30 + 10 * sin(extract(epoch from t) / 900 + s.id), 2 + sin(s.id)]
      from metric_set s join object o on o.id = s.object_id,
        generate_series(date_trunc('minute', now() - interval '3 hours'), now(), interval '1 minute') t
      where o.name <> 'shop-web-03' or t < now() - interval '95 minutes';
      """;

  /** What is in memory of the inventory, which may have been read before, is read again. */
  private static final String CHANGED =
      "update inventory_version set version = version + 1, sets_version = sets_version + 1;";

  /**
   * The installation that test classes share which change nothing that others see; it ends with the
   * JVM.
   */
  static PagesInstallation shared() {
    return Shared.INSTALLATION;
  }

  static PagesInstallation open() {
    return open(Set.of(Role.API));
  }

  /** With these roles and settings, when it is a server of our own. */
  static PagesInstallation open(Set<Role> roles, String... settings) {
    return openWith("", roles, settings);
  }

  /** The same with what these statements add to the datacentre. */
  static PagesInstallation openWith(String more, Set<Role> roles, String... settings) {
    String url = System.getProperty("peerlens.pages.url");
    if (url != null) {
      return new PagesInstallation(
          url, Objects.requireNonNull(System.getProperty("peerlens.pages.token")), null);
    }
    TestDatabase database = TestDatabase.migrated();
    PeerlensServer server = PeerlensServer.start(database, roles, settings);
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(DATACENTRE + more + CHANGED);
    } catch (SQLException e) {
      server.close();
      throw new IllegalStateException(e);
    }
    return new PagesInstallation(server.url(), Objects.requireNonNull(server.adminToken()), server);
  }

  /** An evaluator beside the server, for as long as it is not closed. */
  PeerlensServer evaluator() {
    return PeerlensServer.start(
        own().database(),
        Set.of(Role.EVALUATOR),
        "peerlens.evaluation.lag=1s",
        "peerlens.evaluation.shards=1",
        "peerlens.scopes.age=1ms");
  }

  /** Judges which alerts share a cause, as an evaluator does every few seconds. */
  void judge() {
    TestKeeper.of(own().context().getBean(DataSource.class)).run(Instant.now());
  }

  /** A connection to the database of the server, owned by the caller. */
  Connection connect() throws SQLException {
    return own().database().connect();
  }

  /** The server, which has to be our own; a test that needs that is skipped on any other. */
  private PeerlensServer own() {
    if (server == null) {
      Assumptions.abort("SKIPPED: this test needs a server of its own.");
    }
    return Objects.requireNonNull(server);
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }

  private static final class Shared {
    static final PagesInstallation INSTALLATION = open();
  }
}
