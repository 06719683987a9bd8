package io.peerlens.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.flow.network.NetworksFile;
import io.peerlens.ingest.flow.ServicePorts;
import io.peerlens.support.SampleData;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Flows as Grafana and psql read them, by a role that may read nothing but the views. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FlowViewsIT {

  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final String WHEN = "timestamptz '2026-11-21 12:00Z'";

  private final SampleData data = SampleData.create();
  private final String role = "reader_" + UUID.randomUUID().toString().substring(0, 8);
  private int web;
  private int db;
  private int webEnd;
  private int dbEnd;
  private int bareEnd;
  private int outside;

  @BeforeAll
  void createFlows() {
    new NetworkStore(
            data.jdbc(), new TransactionTemplate(new JdbcTransactionManager(data.dataSource())))
        .save(
            "name,cidrs,internal,vlan\nServers,10.0.0.0/24 fd00::/64,true,20\nPartner,203.0.113.0/24,false,\n",
            NetworksFile.Format.CSV,
            0,
            "anna",
            NOW);
    web = data.object("VMWARE", "VirtualMachine", "web-1");
    db = data.object("VMWARE", "VirtualMachine", "db-1");
    webEnd = end("'10.0.0.1'", String.valueOf(web), "Servers", true);
    dbEnd = end("'10.0.0.2'", String.valueOf(db), "Servers", true);
    bareEnd = end("'10.9.9.9'", "null", null, true);
    outside = end("null", "null", "Partner", false);
    data.sql(
        "insert into flow_observer (exporter, domain, version, first_seen) values ('10.9.0.1', 7, 4, now())");
    data.sql("insert into flow_exporter values ('10.9.0.1', 4, 0, 1000, 10, null, now())");
    // Two observers saw the first flow; the second one of them saw more of it, twice.
    part(1, webEnd, dbEnd, 5432, 6, 900, false);
    part(2, webEnd, dbEnd, 5432, 6, 600, false);
    part(2, webEnd, dbEnd, 5432, 6, 400, false);
    part(2, webEnd, dbEnd, 5432, 6, 1000, true);
    part(1, bareEnd, outside, 2048, 1, 50, false);
    for (String level : List.of("5m", "1h", "1d")) {
      data.sql(
          "insert into flow_%s values (%s, 1000, 10, 1, 1, 0, 0, 800, 1, %d, %d, 5432, 6, true), (%s, 70, 1, 1, 1, 0, 0, 70, 9, %d, -1, 0, 0, false)"
              .formatted(level, WHEN, webEnd, dbEnd, WHEN, webEnd));
      talkers(level, 0, 0, String.valueOf(web));
      talkers(level, 4, 0, "(select id from flow_network where name = 'Servers')");
      talkers(level, 5, 2, "6 * 65536 + 5432");
      talkers(level, 6, 2, "6");
      talkers(level, 7, 2, "%d * 4294967296 + %d".formatted(web * 2L, bareEnd * 2L + 1));
      data.sql(
          "insert into flow_bucket values ('%s', %s, 1070, 107, 9, 1070, 3)"
              .formatted(level, WHEN));
    }
    data.sql("insert into flow_dirty (bucket) values (%s)".formatted(WHEN));
    data.sql("create role " + role);
    data.sql("grant usage on schema public to " + role);
    data.sql(
        "grant select on flows, flows_5m, flows_1h, flows_1d, talkers_5m, talkers_1h, talkers_1d, flow_buckets,"
            + " flow_levels, flow_ends, networks, observers to "
            + role);
  }

  private int end(String address, String object, String network, boolean internal) {
    return data.jdbc()
        .sql(
            "insert into endpoint (address, object_id, network_id, internal, first_seen) values (%s, %s, (select id from flow_network where name = '%s'), %s, now()) returning id"
                .formatted(address, object, network, internal))
        .query(Integer.class)
        .single();
  }

  private void part(
      int observer, int src, int dst, int port, int protocol, int bytes, boolean egress) {
    data.sql(
        "insert into flow_part values (%s, %d, 1, 0, %d, %d, %d, %d, 1, 1, 0, %d, true, %s)"
            .formatted(WHEN, bytes, observer, src, dst, port, protocol, egress));
  }

  private void talkers(String level, int dimension, int direction, String key) {
    data.sql(
        ("insert into talker_%s values (%s, %d, %d, 3, 1, array_fill(0::bigint, array[7]), array[4000, 1, 1, 1, 0, 0, 0],"
                + " array_fill(0::bigint, array[7]), array[(%s)::bigint], array[1000], array[10], array[1], array[1],"
                + " array[0], array[0], array[800], null)")
            .formatted(level, WHEN, dimension, direction, key));
  }

  @AfterAll
  void close() {
    data.sql("drop owned by " + role);
    data.sql("drop role " + role);
    data.close();
  }

  /** Rows as text, columns parted by blanks, as the role that reads nothing but views. */
  private List<String> rows(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = data.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("set role " + role);
      try (ResultSet row = statement.executeQuery(sql)) {
        int columns = row.getMetaData().getColumnCount();
        while (row.next()) {
          List<String> cells = new ArrayList<>();
          for (int i = 1; i <= columns; i++) {
            cells.add(String.valueOf(row.getString(i)));
          }
          rows.add(String.join(" ", cells));
        }
      } finally {
        statement.execute("reset role");
      }
    }
    return rows;
  }

  @Test
  void aMinuteHasEachFlowOnceWithItsNames() throws SQLException {
    assertThat(
            rows(
                """
                select sender, receiver, sender_network, traffic, protocol, service, bytes, flows, observers
                from flows where time >= '2026-11-21 11:00Z' order by bytes desc
                """))
        .containsExactly(
            "web-1 db-1 Servers east-west tcp postgresql 1000 2 2",
            "10.9.9.9 Partner null north-south icmp echo 50 1 1");
  }

  @Test
  void levelsHaveFlowsAndFoldedRows() throws SQLException {
    for (String level : List.of("5m", "1h", "1d")) {
      assertThat(
              rows(
                  "select sender, receiver, receiver_address, traffic, service, bytes, peak_minute_bytes, folded, keys from flows_%s where time >= '2026-11-01Z' order by bytes desc"
                      .formatted(level)))
          .containsExactly(
              "web-1 db-1 10.0.0.2 east-west postgresql 1000 800 f 1",
              "web-1 other internal null east-west other 70 70 t 9");
    }
    assertThat(
            rows(
                "select level, folded_share, duplicate_share from flow_buckets where level = '5m'"))
        .containsExactly("5m 0.1 0.5");
    assertThat(rows("select level, rolled_until, waiting_buckets from flow_levels order by 1"))
        .containsExactly("1d null 0", "1h null 0", "1m null 0", "5m null 1");
  }

  @Test
  void talkersHaveTheNamesOfTheirDimension() throws SQLException {
    for (String level : List.of("5m", "1h", "1d")) {
      assertThat(
              rows(
                  "select dimension, direction, traffic, talker, receiver, bytes, share, exact from talkers_%s where time >= '2026-11-01Z' order by dimension"
                      .formatted(level)))
          .containsExactly(
              "network sent all Servers null 1000 0.25 t",
              "pair both all web-1 10.9.9.9 1000 0.25 t",
              "port both all postgresql null 1000 0.25 t",
              "protocol both all tcp null 1000 0.25 t",
              "vm sent all web-1 null 1000 0.25 t");
    }
    assertThat(
            rows(
                "select object_id from talkers_1h where time >= '2026-11-01Z' and dimension = 'vm'"))
        .isEqualTo(
            data.jdbc()
                .sql("select uuid::text from object where id = ?")
                .param(web)
                .query(String.class)
                .list());
  }

  @Test
  void networksAndObserversAreListed() throws SQLException {
    assertThat(rows("select name, cidrs, internal, vlan, addresses from networks order by name"))
        .containsExactly(
            "Partner {203.0.113.0/24} f null 0", "Servers {10.0.0.0/24,fd00::/64} t 20 2");
    assertThat(rows("select exporter, domain, version, sampling_rate from observers"))
        .containsExactly("10.9.0.1 7 ipfix 100");
    assertThat(rows("select name, kind, internal from flow_ends order by id").getLast())
        .isEqualTo("Partner null f");
  }

  @Test
  void theDatabaseCallsServicesWhatTheServiceCallsThem() {
    Map<String, String> expected = new HashMap<>();
    for (int protocol : new int[] {1, 6, 17, 58}) {
      boolean icmp = protocol == 1 || protocol == 58;
      for (int port = 0; port < 65_536; port += icmp ? 256 : 1) {
        String name = ServicePorts.name(protocol, port);
        if (name != null) {
          expected.put(protocol + " " + port, name);
        }
      }
    }
    Map<String, String> stored = new HashMap<>();
    data.jdbc()
        .sql("select protocol, port, name from flow_service")
        .query(
            row -> {
              stored.put(row.getInt(1) + " " + row.getInt(2), row.getString(3));
            });
    assertThat(stored).isEqualTo(expected).hasSizeGreaterThan(200);
  }
}
