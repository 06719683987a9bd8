package io.peerlens.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.flow.decode.Exporters;
import io.peerlens.flow.decode.FlowBatch;
import io.peerlens.flow.decode.FlowVersion;
import io.peerlens.flow.minute.FlowMinutes;
import io.peerlens.flow.minute.MinuteRows;
import io.peerlens.flow.network.AddressBook;
import io.peerlens.flow.network.Addresses;
import io.peerlens.flow.network.Networks;
import io.peerlens.flow.network.NetworksFile;
import io.peerlens.inventory.InventoryCatalog;
import io.peerlens.support.SampleData;
import io.peerlens.support.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Addresses, networks, ends of flows and what is kept of them, on a real database. */
class FlowStoresIT {

  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final InstantSource CLOCK = InstantSource.fixed(NOW);

  private final SampleData data = SampleData.create();
  private final JdbcClient jdbc = data.jdbc();
  private final TransactionTemplate transaction =
      new TransactionTemplate(new JdbcTransactionManager(data.dataSource()));
  private final NetworkStore networks = new NetworkStore(jdbc, transaction);

  @AfterEach
  void close() {
    data.close();
  }

  private int vm(String name, String properties, String tags) {
    int id = data.object("VMWARE", "VirtualMachine", name);
    jdbc.sql("update object set properties = ?::jsonb, tags = ?::jsonb where id = ?")
        .params(properties, tags, id)
        .update();
    return id;
  }

  private void changed(int object, String kind, String key, Instant at, String before, String now) {
    jdbc.sql(
            """
            insert into object_change (time, object_id, kind, key, old_value, new_value)
            values (?, ?, ?, ?, ?, ?)
            """)
        .params(SampleData.time(at), object, kind, key, before, now)
        .update();
  }

  private static int owner(AddressBook book, String text, Instant at) {
    Addresses address = new Addresses();
    assertThat(address.parse(text)).isTrue();
    int entry = book.find(address.high(), address.low(), at.toEpochMilli());
    return entry == AddressBook.NONE ? -1 : book.objectId(entry);
  }

  @Test
  void addressesComeFromPropertiesTagsAndNamesWithTheirHistory() {
    Instant moved = NOW.minus(Duration.ofHours(1));
    int a = vm("a", "{\"summary|guest|ipAddress\": \"10.0.0.2, fd00::2/64\"}", "{}");
    changed(a, "property", "summary|guest|ipAddress", moved, "10.0.0.1", "10.0.0.2, fd00::2/64");
    int b = vm("b", "{\"summary|guest|ipAddress\": \"10.0.0.1\"}", "{\"ip\": \"10.0.0.9\"}");
    changed(b, "property", "summary|guest|ipAddress", moved, "10.0.0.3", "10.0.0.1");
    int host = data.object("VMWARE", "HostSystem", "10.0.0.77");
    int c =
        vm("c", "{\"net:4000|ip_address\": \"[10.0.0.5;10.0.0.6]\", \"note\": \"10.0.0.7\"}", "{}");
    data.object("Peerlens", "IpAddress", "10.0.0.88");

    AddressBook book =
        new AddressQueries(
                jdbc, List.of("name", "summary|guest|ipAddress", "net:*|ip_address", "ip"))
            .read(NOW, Duration.ofDays(3));

    Instant earlier = moved.minusSeconds(1);
    assertThat(owner(book, "10.0.0.1", earlier)).isEqualTo(a);
    assertThat(owner(book, "10.0.0.1", NOW)).isEqualTo(b);
    assertThat(owner(book, "10.0.0.2", NOW)).isEqualTo(a);
    assertThat(owner(book, "10.0.0.2", earlier)).isEqualTo(-1);
    assertThat(owner(book, "fd00::2", NOW)).isEqualTo(a);
    assertThat(owner(book, "10.0.0.3", earlier)).isEqualTo(b);
    assertThat(owner(book, "10.0.0.3", NOW)).isEqualTo(-1);
    assertThat(owner(book, "10.0.0.9", NOW)).isEqualTo(b);
    assertThat(owner(book, "10.0.0.77", NOW)).isEqualTo(host);
    assertThat(owner(book, "10.0.0.5", NOW)).isEqualTo(c);
    assertThat(owner(book, "10.0.0.6", NOW)).isEqualTo(c);
    assertThat(owner(book, "10.0.0.7", NOW)).as("no property of addresses").isEqualTo(-1);
    assertThat(owner(book, "10.0.0.88", NOW)).as("owns nothing").isEqualTo(-1);
    assertThat(book.conflictCount()).isZero();
  }

  @Test
  void anObjectThatItsSourceRemovedHasItsAddressesUntilThen() {
    Instant removed = NOW.minus(Duration.ofHours(5));
    int before = vm("before", "{\"ip\": \"10.0.0.1 10.0.0.2\"}", "{}");
    int now = vm("now", "{\"ip\": \"10.0.0.1\"}", "{}");
    changed(now, "property", "ip", removed.plusSeconds(60), "10.0.0.9", "10.0.0.1");
    int longAgo = vm("long-ago", "{\"ip\": \"10.0.0.3\"}", "{}");
    jdbc.sql("update object set removed_at = ? where id = ?")
        .params(removed.atOffset(ZoneOffset.UTC), before)
        .update();
    jdbc.sql("update object set removed_at = ? where id = ?")
        .params(removed.minus(Duration.ofDays(9)).atOffset(ZoneOffset.UTC), longAgo)
        .update();

    AddressBook book = new AddressQueries(jdbc, List.of("ip")).read(NOW, Duration.ofDays(3));

    assertThat(owner(book, "10.0.0.1", removed.minusSeconds(1))).isEqualTo(before);
    assertThat(owner(book, "10.0.0.1", NOW)).isEqualTo(now);
    assertThat(owner(book, "10.0.0.2", removed.minusSeconds(1))).isEqualTo(before);
    assertThat(owner(book, "10.0.0.2", NOW)).isEqualTo(-1);
    assertThat(owner(book, "10.0.0.3", NOW.minus(Duration.ofDays(2)))).isEqualTo(-1);
    assertThat(book.conflictCount()).isZero();
  }

  @Test
  void aNetworkChangeBasedOnAnOldVersionIsRefused() {
    assertThat(networks.newest().networks()).isEmpty();
    String text = "name,cidrs\nWeb,10.77.2.0/24\n";
    long first = networks.save(text, NetworksFile.Format.CSV, 0, "anna", NOW).orElseThrow();
    assertThat(networks.save(text, NetworksFile.Format.CSV, 0, "ben", NOW)).isEmpty();
    assertThat(networks.newestNumber()).isEqualTo(first);
    assertThat(networks.newest().networks())
        .singleElement()
        .satisfies(network -> assertThat(network.name()).isEqualTo("Web"));
    assertThat(jdbc.sql("select name from flow_network").query(String.class).list())
        .containsExactly("Web");
  }

  /** A flow of one minute from one address to another. */
  private static MinuteRows add(FlowMinutes minutes, String... pairs) {
    FlowBatch batch = new FlowBatch();
    Addresses address = new Addresses();
    for (int i = 0; i < pairs.length; i += 2) {
      int row = batch.add(NOW.toEpochMilli(), batch.observer(1, 2, 3, FlowVersion.IPFIX));
      assertThat(address.parse(pairs[i])).isTrue();
      batch.source(row, address.high(), address.low(), 50_000);
      assertThat(address.parse(pairs[i + 1])).isTrue();
      batch.destination(row, address.high(), address.low(), 443);
      batch.traffic(row, 100, 1, false);
      batch.protocol(row, 6, 2, FlowBatch.UNKNOWN);
    }
    minutes.clear();
    assertThat(minutes.add(batch, 0)).isEqualTo(batch.size());
    return minutes.rows();
  }

  private EndpointStore endpoints(int maxAddressObjects) {
    return new EndpointStore(
        data.dataSource(), new InventoryCatalog(data.dataSource()), maxAddressObjects, CLOCK);
  }

  private String shown(int endpoint) {
    return jdbc.sql(
            """
            select concat_ws(' ', coalesce(host(e.address), 'others'), o.object_kind, n.name,
                             case when e.internal then 'inside' else 'outside' end)
            from endpoint e left join object o on o.id = e.object_id
            left join flow_network n on n.id = e.network_id where e.id = ?
            """)
        .param(endpoint)
        .query(String.class)
        .single();
  }

  @Test
  void endsAreObjectsAddressesAndFoldedTraffic() {
    int vm = vm("a", "{\"ip\": \"10.0.0.1\"}", "{}");
    AddressBook book = new AddressQueries(jdbc, List.of("ip")).read(NOW, Duration.ofDays(1));
    Networks named =
        Networks.of(
            NetworksFile.parse(
                "name,cidrs,internal\nPartner,203.0.113.0/24,false\n", NetworksFile.Format.CSV),
            Networks.DEFAULT_INTERNAL);
    EndpointStore store = endpoints(1);
    FlowMinutes minutes = new FlowMinutes(store, 10_000, 1_000);
    minutes.use(book, named);
    MinuteRows rows =
        add(
            minutes,
            "10.0.0.1",
            "10.0.0.2",
            "10.0.0.3",
            "10.0.0.4",
            "198.51.100.1",
            "203.0.113.7",
            "198.51.100.2",
            "203.0.113.8");

    assertThat(rows.size()).as("the last two are between the same ends").isEqualTo(3);
    assertThat(shown(rows.src(0))).isEqualTo("10.0.0.1 VirtualMachine inside");
    assertThat(shown(rows.dst(0))).isEqualTo("10.0.0.2 IpAddress inside");
    assertThat(shown(rows.src(1))).as("beyond the guard").isEqualTo("others inside");
    assertThat(rows.dst(1)).isEqualTo(rows.src(1));
    assertThat(shown(rows.src(2))).isEqualTo("others outside");
    assertThat(shown(rows.dst(2))).isEqualTo("others Partner outside");
    assertThat(rows.flows(2)).isEqualTo(2);
    assertThat(store.beyondGuard().sum()).isEqualTo(2);
    assertThat(
            jdbc.sql("select object_id from endpoint where id = ?")
                .param(rows.src(0))
                .query(Integer.class)
                .single())
        .isEqualTo(vm);

    FlowMinutes onAnotherNode = new FlowMinutes(endpoints(1), 10_000, 1_000);
    Networks renamed =
        Networks.of(
            NetworksFile.parse("name,cidrs\nWeb,10.0.0.0/24\n", NetworksFile.Format.CSV),
            Networks.DEFAULT_INTERNAL);
    onAnotherNode.use(book, renamed);
    MinuteRows again = add(onAnotherNode, "10.0.0.1", "10.0.0.2");
    assertThat(again.src(0)).isEqualTo(rows.src(0));
    assertThat(again.dst(0)).isEqualTo(rows.dst(0));
    assertThat(again.observer(0)).isEqualTo(rows.observer(0));
    assertThat(shown(again.dst(0))).isEqualTo("10.0.0.2 IpAddress Web inside");
  }

  @Test
  void stateOfExportersIsRestored() {
    FlowStore store = new FlowStore(data.dataSource(), "node", Duration.ofMinutes(10), CLOCK);
    long told = NOW.toEpochMilli();
    Addresses address = new Addresses();
    assertThat(address.parse("10.9.9.9")).isTrue();
    Exporters.Exporter one =
        new Exporters.Exporter(
            address.high(), address.low(), FlowVersion.NETFLOW_V9, 0, 1_000, 1, told - 5, told);
    Exporters.Exporter absurd =
        new Exporters.Exporter(1, 2, FlowVersion.NETFLOW_V9, 7, 10, 1, Long.MAX_VALUE, told);
    store.commit(new MinuteRows(), Map.of(), List.of(), List.of(one, absurd));
    store.commit(
        new MinuteRows(),
        Map.of(),
        List.of(),
        List.of(
            new Exporters.Exporter(
                address.high(),
                address.low(),
                FlowVersion.NETFLOW_V9,
                0,
                5,
                1,
                Exporters.UNKNOWN,
                told - 1_000)));
    assertThat(store.exporters())
        .as("an older word does not count, and no time is so late")
        .containsExactlyInAnyOrder(
            one,
            new Exporters.Exporter(
                1, 2, FlowVersion.NETFLOW_V9, 7, 10, 1, Exporters.UNKNOWN, told));
  }

  private FlowRetentionStore retention() {
    return new FlowRetentionStore(jdbc, transaction, Duration.ofDays(2), Duration.ofDays(4));
  }

  private void flowsOf(int... hours) {
    for (int one : hours) {
      jdbc.sql(
              """
              insert into flow_part values (?, 1, 1, 0, 1, 1, 2, 443, 1, 1, 0, 6, true, false)
              """)
          .param(SampleData.time(NOW.minus(Duration.ofHours(one))))
          .update();
    }
  }

  private void rolledUp(Duration ago) {
    jdbc.sql("update flow_level_state set rolled_until = ? where level = '5m'")
        .param(SampleData.time(NOW.minus(ago)))
        .update();
  }

  private void dirty(int hours) {
    jdbc.sql("insert into flow_dirty (bucket) values (?)")
        .param(SampleData.time(NOW.minus(Duration.ofHours(hours))))
        .update();
  }

  @Test
  void nothingIsRemovedBeforeItIsRolledUp() {
    flowsOf(1, 47, 50, 60, 80);
    FlowRetentionStore retention = retention();
    retention.run(NOW);
    assertThat(ages()).as("nothing is rolled up").containsExactly(1, 47, 50, 60, 80);
    assertThat(retention.waiting()).isEqualTo(Duration.ofHours(80 - 48).toSeconds());
    rolledUp(Duration.ofMinutes(10));
    dirty(60);
    assertThat(retention.run(NOW)).isEqualTo(2);
    assertThat(ages()).as("60 h waits to be rolled up again").containsExactly(1, 47, 60);
    assertThat(retention.waiting()).isEqualTo(Duration.ofHours(60 - 48).toSeconds());
    jdbc.sql("delete from flow_dirty").update();
    retention.run(NOW);
    assertThat(ages()).containsExactly(1, 47);
    assertThat(retention.waiting()).isZero();
  }

  @Test
  void flowsThatAreNeverRolledUpAreRemovedAtLast() {
    flowsOf(1, 60, 95, 98, 120);
    FlowRetentionStore retention = retention();
    retention.run(NOW);
    assertThat(ages()).as("after 4 days nobody waits").containsExactly(1, 60, 95);
    rolledUp(Duration.ofMinutes(10));
    flowsOf(97);
    dirty(97);
    dirty(60);
    retention.run(NOW);
    assertThat(ages()).containsExactly(1, 60);
    assertThat(jdbc.sql("select count(*) from flow_dirty").query(Integer.class).single()).isOne();
  }

  @Test
  void endsAndObserversGoWhenNoLevelHasFlowsOfThem() {
    FlowMinutes minutes = new FlowMinutes(endpoints(10), 10_000, 1_000);
    int vm = vm("a", "{\"ip\": \"10.0.0.1\"}", "{}");
    minutes.use(
        new AddressQueries(jdbc, List.of("ip")).read(NOW, Duration.ofDays(1)), Networks.unnamed());
    MinuteRows rows = add(minutes, "10.0.0.1", "10.0.0.2", "198.51.100.1", "10.0.0.3");
    jdbc.sql("update endpoint set last_seen = ? where id in (?, ?, ?)")
        .params(
            SampleData.time(NOW.minus(Duration.ofDays(800))), rows.src(0), rows.dst(0), rows.src(1))
        .update();
    jdbc.sql("update flow_observer set last_seen = ?")
        .param(SampleData.time(NOW.minus(Duration.ofDays(31))))
        .update();
    rolledUp(Duration.ofMinutes(10));
    String ends = "select coalesce(host(address), 'others') from endpoint order by 1";
    retention().run(NOW);
    assertThat(jdbc.sql(ends).query(String.class).list())
        .as("days are kept for ever so far")
        .containsExactly("10.0.0.1", "10.0.0.2", "10.0.0.3", "others");
    assertThat(jdbc.sql("select count(*) from flow_observer").query(Integer.class).single())
        .as("nobody names it in minutes")
        .isZero();

    jdbc.sql("update flow_level_state set kept_from = ?")
        .param(SampleData.time(NOW.minus(Duration.ofDays(730))))
        .update();
    retention().run(NOW);
    assertThat(jdbc.sql(ends).query(String.class).list()).containsExactly("10.0.0.3");
    assertThat(
            jdbc.sql("select name from object where object_kind = 'IpAddress'")
                .query(String.class)
                .list())
        .containsExactly("10.0.0.3");
    assertThat(
            jdbc.sql("select count(*) from object where id = ?")
                .param(vm)
                .query(Integer.class)
                .single())
        .as("a VM is more than an address")
        .isOne();

    minutes.forget(); // as a consumer does every hour
    MinuteRows again = add(minutes, "10.0.0.1", "10.0.0.2");
    assertThat(shown(again.src(0))).isEqualTo("10.0.0.1 VirtualMachine inside");
    assertThat(shown(again.dst(0))).isEqualTo("10.0.0.2 IpAddress inside");
  }

  @Test
  void anEndThatIsMetAgainIsAlive() {
    SettableClock clock = new SettableClock(NOW);
    EndpointStore store =
        new EndpointStore(data.dataSource(), new InventoryCatalog(data.dataSource()), 10, clock);
    FlowMinutes minutes = new FlowMinutes(store, 10_000, 1_000);
    minutes.use(AddressBook.empty(), Networks.unnamed());
    MinuteRows rows = add(minutes, "10.0.0.1", "198.51.100.1");
    FlowStore flows = new FlowStore(data.dataSource(), "node", Duration.ofMinutes(10), clock);
    flows.commit(rows, Map.of(), List.of(), List.of());
    Duration later = Duration.ofHours(1);
    clock.set(clock.instant().plus(later));
    minutes.forget();
    flows.commit(add(minutes, "10.0.0.1", "198.51.100.1"), Map.of(), List.of(), List.of());
    assertThat(flows.lateRows()).as("flows of an hour ago").isOne();
    for (String seen :
        List.of(
            "select min(last_seen) from endpoint",
            "select last_seen from flow_observer",
            """
            select l.last_seen from object_liveness l join object o on o.id = l.object_id
            where o.object_kind = 'IpAddress'
            """)) {
      assertThat(jdbc.sql(seen).query(OffsetDateTime.class).single().toInstant())
          .as(seen)
          .isEqualTo(NOW.plus(later));
    }
  }

  @Test
  void everyNodeTakesUpANewDefinitionOfNetworksWithinSeconds() {
    SettableClock clock = new SettableClock(NOW);
    List<FlowLookups> nodes =
        Stream.generate(
                () ->
                    new FlowLookups(
                        new AddressQueries(jdbc, List.of("ip")),
                        networks,
                        Networks.DEFAULT_INTERNAL,
                        Duration.ofSeconds(10),
                        Duration.ofDays(3),
                        clock))
            .limit(2)
            .toList();
    assertThat(nodes).allMatch(node -> node.current().networks().networks().isEmpty());
    networks.save("name,cidrs\nWeb,10.77.2.0/24\n", NetworksFile.Format.CSV, 0, "anna", NOW);
    clock.set(clock.instant().plus(Duration.ofSeconds(10)));
    assertThat(nodes)
        .allMatch(node -> node.current().networks().networks().getFirst().name().equals("Web"));
  }

  private List<Integer> ages() {
    return jdbc.sql(
            "select (extract(epoch from ?::timestamptz - time) / 3600)::int from flow_part order by time desc")
        .param(SampleData.time(NOW))
        .query(Integer.class)
        .list();
  }
}
