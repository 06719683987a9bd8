package io.peerlens.talker;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.ingest.flow.FlowMetric;
import io.peerlens.ingest.flow.FlowPart;
import io.peerlens.ingest.flow.ServiceName;
import io.peerlens.ingest.flow.TrafficType;
import io.peerlens.job.Progress;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Metrics made of flows: what is written where, when it is computed in whatever order. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FlowMetricStoreIT {

  private static final Instant START = Instant.parse("2026-11-02T08:00:00Z");
  private static final Duration LAG = Duration.ofMinutes(5);
  private static final FlowPart HTTPS =
      new FlowPart(null, List.of(ServiceName.parse("443/tcp").orElseThrow()));

  private SampleData data;
  private int host;
  private int web;
  private int db;
  private int address;
  private int elsewhere;
  private final Map<Integer, Integer> endpoints = new HashMap<>();
  private final Map<FlowPart, int[]> asked = new HashMap<>();

  @BeforeAll
  void createDatabase() {
    data = SampleData.create();
    host = data.object("VMWARE", "HostSystem", "host");
    web = data.object("VMWARE", "VirtualMachine", "web");
    db = data.object("VMWARE", "VirtualMachine", "db");
    address = data.object("Peerlens", "IpAddress", "10.0.0.9");
    data.sql("insert into relation values (%d, %d), (%d, %d)".formatted(host, web, host, db));
    data.sql("insert into object_liveness values (%d, '2026-11-01T00:00:00Z')".formatted(address));
    // What a collector reports of the same group comes first.
    data.group("VMWARE", "VirtualMachine", "net", List.of("usage_average", "packetsRx_summation"));
    elsewhere = endpoint("null", null, false);
    endpoint("'10.0.0.1'", web, true);
    endpoint("'10.0.0.2'", db, true);
    endpoint("'10.0.0.9'", address, true);
  }

  private int endpoint(String inet, Integer object, boolean internal) {
    int id =
        data.jdbc()
            .sql(
                "insert into endpoint (address, object_id, internal, first_seen) values (%s, %s, %s, now()) returning id"
                    .formatted(inet, object, internal))
            .query(Integer.class)
            .single();
    if (object != null) {
      endpoints.put(object, id);
    }
    return id;
  }

  @AfterAll
  void close() {
    data.close();
  }

  @BeforeEach
  void empty() {
    data.sql(
        "truncate flow_part, flow_dirty, flow_bucket, flow_5m, flow_1h, flow_1d, talker_5m, talker_1h, talker_1d,"
            + " flow_talk, sample, rollup_dirty");
    data.sql("update object_liveness set last_seen = '2026-11-01T00:00:00Z'");
    data.sql("update flow_level_state set rolled_until = null, kept_from = '-infinity'");
    asked.clear();
  }

  private static Instant minute(long number) {
    return START.plus(Duration.ofMinutes(number));
  }

  private void part(Instant time, int src, int dst, int port, boolean toService, long bytes) {
    data.jdbc()
        .sql(
            """
            insert into flow_part (time, bytes, packets, drops, observer, src, dst, port, flows, sessions, resets,
                                   proto, to_service, egress)
            values (?, ?, ?, 3, 1, ?, ?, ?, 1, ?, 1, 6, ?, false)
            """)
        .params(
            time.atOffset(ZoneOffset.UTC),
            bytes,
            bytes / 100,
            src,
            dst,
            port,
            toService ? 2 : 0,
            toService)
        .update();
  }

  private void late(Instant time, int src, int dst, long bytes) {
    part(time, src, dst, 443, true, bytes);
    data.jdbc()
        .sql("insert into flow_dirty (bucket, noted_at) values (?, ?)")
        .params(
            FlowLevel.FIVE_MINUTES.floor(time).atOffset(ZoneOffset.UTC),
            START.atOffset(ZoneOffset.UTC))
        .update();
  }

  /** As a node that was started just now does it. */
  private void rollUp(Instant now) {
    new FlowRollUpStore(
            data.dataSource(),
            new FlowRollUpStore.Settings(LAG, Duration.ZERO, true, 1, 1_000, 1_000_000),
            new FlowMetricStore(
                data.dataSource(), () -> asked, Duration.ofMinutes(10), InstantSource.system()))
        .run(now, Progress.NONE);
  }

  private int end(int object) {
    return endpoints.getOrDefault(object, elsewhere);
  }

  /** Values of a metric by minutes since the start. */
  private Map<Integer, Double> values(int object, FlowPart part, FlowMetric metric) {
    Map<Integer, Double> values = new HashMap<>();
    data.jdbc()
        .sql(
            """
            select extract(epoch from s.time)::bigint, s.values[array_position(g.metrics, ?)]
            from sample s join metric_set m on m.id = s.set_id join metric_group g on g.id = m.group_id
            where m.object_id = ? and g.name = 'net' and m.instance = ? order by s.time
            """)
        .params(metric.metric(), object, part.instance())
        .query(
            row -> {
              values.put((int) (row.getLong(1) - START.getEpochSecond()) / 60, row.getDouble(2));
            });
    return values;
  }

  private void talk(long minute) {
    part(minute(minute), end(web), end(db), 5432, true, 3_000);
    part(minute(minute + 1), end(db), end(web), 5432, false, 60_000);
    part(minute(minute + 2), elsewhere, end(web), 443, true, 1_500);
    part(minute(minute + 3), end(web), elsewhere, 443, false, 9_000);
    part(minute(minute + 4), end(web), end(address), 443, true, 600);
  }

  @Test
  void trafficOfAnObjectIsASampleOfABucket() {
    asked.put(HTTPS, new int[] {web, host});
    talk(0);
    rollUp(minute(10));
    assertThat(values(web, FlowPart.ALL, FlowMetric.BYTES_RX_RATE)).isEqualTo(Map.of(0, 205.0));
    assertThat(values(web, FlowPart.ALL, FlowMetric.BYTES_TX)).isEqualTo(Map.of(0, 12_600.0));
    assertThat(values(web, FlowPart.EAST_WEST, FlowMetric.BYTES_RX)).isEqualTo(Map.of(0, 60_000.0));
    assertThat(values(web, FlowPart.NORTH_SOUTH, FlowMetric.BYTES_RX))
        .isEqualTo(Map.of(0, 1_500.0));
    assertThat(values(web, HTTPS, FlowMetric.BYTES_RX)).isEqualTo(Map.of(0, 1_500.0));
    assertThat(values(web, HTTPS, FlowMetric.BYTES_TX)).isEqualTo(Map.of(0, 9_600.0));
    assertThat(values(db, HTTPS, FlowMetric.BYTES_TX)).isEmpty();
    assertThat(values(web, FlowPart.ALL, FlowMetric.SESSIONS_RX)).isEqualTo(Map.of(0, 2.0));
    assertThat(values(web, FlowPart.ALL, FlowMetric.SESSIONS_TX)).isEqualTo(Map.of(0, 4.0));
    assertThat(values(web, FlowPart.ALL, FlowMetric.DROPS_TX_RATE)).isEqualTo(Map.of(0, 0.03));
    assertThat(values(web, FlowPart.ALL, FlowMetric.RESETS_RX)).isEqualTo(Map.of(0, 2.0));
    // Traffic between two of its VMs leaves and enters a host.
    assertThat(values(host, FlowPart.EAST_WEST, FlowMetric.BYTES_TX))
        .isEqualTo(Map.of(0, 63_600.0));
    assertThat(values(host, FlowPart.EAST_WEST, FlowMetric.BYTES_RX))
        .isEqualTo(Map.of(0, 63_000.0));
    assertThat(values(host, HTTPS, FlowMetric.BYTES_TX)).isEqualTo(Map.of(0, 9_600.0));
    assertThat(values(address, FlowPart.ALL, FlowMetric.PACKETS_RX_RATE))
        .isEqualTo(Map.of(0, 0.02));
    assertThat(
            data.jdbc()
                .sql(
                    "select last_seen = '2026-11-02T08:00:00Z' from object_liveness where object_id = ?")
                .param(address)
                .query(Boolean.class)
                .single())
        .isTrue();
    assertThat(
            data.jdbc()
                .sql(
                    "select units[array_position(metrics, 'bytesRx_rate')] from metric_group where name = 'net'")
                .query(String.class)
                .list())
        .hasSize(3)
        .containsOnly("B/s");
  }

  /** Somebody else talks from the beginning of each of some buckets. */
  private void others(int from, int to) {
    data.jdbc()
        .sql(
            """
            insert into flow_part (time, bytes, packets, drops, observer, src, dst, port, flows, sessions, resets,
                                   proto, to_service, egress)
            select t, 1, 0, 3, 1, ?, ?, 443, 1, 2, 1, 6, true, false
            from generate_series(?::timestamptz, ?::timestamptz - interval '1 second', '5 minutes') t
            """)
        .params(
            elsewhere,
            elsewhere,
            minute(from).atOffset(ZoneOffset.UTC),
            minute(to).atOffset(ZoneOffset.UTC))
        .update();
  }

  @Test
  void silenceIsZeroForADayAndThenNothing() {
    talk(0);
    others(5, 26 * 60);
    rollUp(minute(26 * 60 + 10));
    Map<Integer, Double> found = values(web, FlowPart.NORTH_SOUTH, FlowMetric.BYTES_TX);
    assertThat(found).hasSize(1 + 288).containsEntry(0, 9_000.0).containsEntry(24 * 60, 0.0);
    assertThat(found.values().stream().mapToDouble(d -> d).sum()).isEqualTo(9_000.0);
    assertThat(values(db, FlowPart.EAST_WEST, FlowMetric.SESSIONS_RX)).hasSize(1 + 288);
  }

  @Test
  void aBucketWithoutTrafficHasNoSamples() {
    talk(0);
    others(10, 15);
    talk(20);
    rollUp(minute(40));
    assertThat(values(web, FlowPart.EAST_WEST, FlowMetric.BYTES_RX))
        .isEqualTo(Map.of(0, 60_000.0, 10, 0.0, 20, 60_000.0));
  }

  @Test
  void lateTrafficIsAddedAndBringsTheZerosAfterItAlong() {
    others(0, 35);
    talk(20);
    rollUp(minute(40));
    assertThat(values(web, FlowPart.ALL, FlowMetric.BYTES_TX)).containsOnlyKeys(20, 25, 30);
    late(minute(5), end(web), end(db), 700);
    late(minute(21), end(web), end(db), 5_000);
    rollUp(minute(41));
    assertThat(values(web, FlowPart.ALL, FlowMetric.BYTES_TX))
        .isEqualTo(Map.of(5, 700.0, 10, 0.0, 15, 0.0, 20, 17_600.0, 25, 0.0, 30, 0.0));
    assertThat(data.jdbc().sql("select distinct bucket from rollup_dirty").query().listOfRows())
        .hasSize(6);
  }

  /** Buckets may be computed in any order and by any node: what is stored is the same. */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2})
  void theOrderInWhichFlowsComeChangesNothing(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Integer> objects = List.of(web, db, address, 0);
    record Part(int minute, int src, int dst, long bytes) {}
    List<Part> parts = new ArrayList<>();
    int hours = 30;
    for (int i = 0; i < 25; i++) {
      parts.add(
          new Part(
              random.nextInt(hours * 60),
              end(objects.get(random.nextInt(4))),
              end(objects.get(random.nextInt(4))),
              random.nextLong(1, 1_000)));
    }
    Instant now = minute(hours * 60 + 10);
    others(0, 13 * 60);
    others(20 * 60, hours * 60);
    for (Part part : parts) {
      part(minute(part.minute), part.src, part.dst, 443, true, part.bytes);
    }
    rollUp(now);
    List<Map<String, Object>> atOnce = stored();
    assertThat(atOnce).hasSizeGreaterThan(1_000);

    empty();
    others(0, 13 * 60);
    others(20 * 60, hours * 60);
    rollUp(now);
    for (Part part : parts) {
      late(minute(part.minute), part.src, part.dst, part.bytes);
      rollUp(now);
    }
    assertThat(stored()).isEqualTo(atOnce);
  }

  private List<Map<String, Object>> stored() {
    return data.jdbc()
        .sql("select time, set_id, values::text from sample order by set_id, time")
        .query()
        .listOfRows();
  }

  @Test
  void partsMayCombineServicesAndTrafficType() {
    FlowPart both = new FlowPart(TrafficType.NORTH_SOUTH, HTTPS.services());
    asked.put(both, new int[] {web, 100_000}); // one that does not exist
    talk(0);
    rollUp(minute(10));
    assertThat(values(web, both, FlowMetric.BYTES_TX)).isEqualTo(Map.of(0, 9_000.0));
  }
}
