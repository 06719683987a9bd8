package io.peerlens.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.peerlens.ingest.IngestGuards;
import io.peerlens.ingest.RecordDecoder;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.SampleSink;
import io.peerlens.ingest.TimePrecision;
import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.inventory.InventoryCatalog;
import io.peerlens.store.TimescaleSampleStore;
import io.peerlens.support.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Several ingest nodes at once on one database: decoder, catalog and store of each in a thread. */
@Timeout(120)
class NodesIT {

  private static final int NODES = 4;
  private static final long TIME = Instant.now().getEpochSecond() - 600;

  private static HikariDataSource pool = new HikariDataSource();
  private static JdbcClient jdbc = JdbcClient.create(pool);

  @BeforeAll
  static void database() {
    TestDatabase database = TestDatabase.migrated();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.jdbcUrl());
    config.setUsername(database.user());
    config.setPassword(database.password());
    config.setMaximumPoolSize(NODES * 2);
    pool = new HikariDataSource(config);
    jdbc = JdbcClient.create(pool);
  }

  @AfterAll
  static void close() {
    pool.close();
  }

  @BeforeEach
  void empty() {
    jdbc.sql(
            "truncate object, metric_group, metric_set, sample, kafka_offset, dead_letter,"
                + " ingest_rejected, rollup_dirty cascade")
        .update();
  }

  /** One ingest node that reads a partition of its own. */
  private static final class Node {
    final TopicPartition partition;
    final RecordDecoder decoder =
        new RecordDecoder(
            Mappings.shipped(),
            new InventoryCatalog(pool),
            () -> IngestGuards.DEFAULT,
            TimePrecision.NS,
            InstantSource.system());
    final TimescaleSampleStore store;
    private long offset;

    Node(int number) {
      partition = new TopicPartition("t", number);
      store =
          new TimescaleSampleStore(
              pool, "node-" + number, Duration.ofMinutes(10), InstantSource.system());
    }

    SampleBatch decode(List<String> lines) {
      long from = offset;
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      for (String line : lines) {
        records.add(
            new ConsumerRecord<>(
                partition.topic(),
                partition.partition(),
                offset++,
                new byte[0],
                line.getBytes(StandardCharsets.UTF_8)));
      }
      SampleBatch batch = new SampleBatch();
      decoder.decode(records, Map.of(partition, from), batch);
      return batch;
    }

    void ingest(List<String> lines) {
      store.write(decode(lines));
    }
  }

  private static void together(List<Callable<Void>> tasks) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
      for (Future<Void> done : threads.invokeAll(tasks)) {
        done.get();
      }
    }
  }

  @Test
  void nodesThatMeetTheSameNewThingsAtOnceAgreeOnThem() throws Exception {
    int rounds = 12;
    CyclicBarrier barrier = new CyclicBarrier(NODES);
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int n = 0; n < NODES; n++) {
      Node node = new Node(n);
      Random random = new Random(n);
      int number = n;
      tasks.add(
          () -> {
            for (int round = 0; round < rounds; round++) {
              List<String> lines = new ArrayList<>();
              for (int host = 0; host < 8; host++) {
                for (int metric = 0; metric < 10; metric++) {
                  // All nodes meet the same host, group and metric, each with a moment of its own.
                  lines.add(
                      "g%d,host=h%d-%d m%d=%d %d000000000"
                          .formatted(
                              round % 3,
                              round,
                              host,
                              metric,
                              100 * round + metric,
                              TIME + 10 * round + number));
                }
              }
              Collections.shuffle(lines, random);
              barrier.await();
              node.ingest(lines);
            }
            return null;
          });
    }
    together(tasks);
    assertThat(count("select count(*) from object")).isEqualTo(rounds * 8);
    assertThat(
            jdbc.sql(
                    "select cardinality(metrics) = (select count(distinct m) from unnest(metrics) m)"
                        + " and cardinality(metrics) = 10 from metric_group")
                .query(Boolean.class)
                .list())
        .containsExactly(true, true, true);
    assertThat(count("select count(*) from sample")).isEqualTo((long) rounds * 8 * NODES);
    // Every value stands at the place of its metric.
    assertThat(
            count(
                """
                select count(*) from sample s join metric_set m on m.id = s.set_id
                join metric_group g on g.id = m.group_id join object o on o.id = m.object_id
                cross join lateral unnest(g.metrics, s.values) as v(metric, value)
                where v.value = 100 * split_part(substr(o.name, 2), '-', 1)::int + substr(v.metric, 2)::int
                """))
        .isEqualTo((long) rounds * 8 * NODES * 10);
  }

  @Test
  void nodesThatWriteTheSameRowsAtOnceLoseNothingAndDoNotBlockEachOther() throws Exception {
    int moments = 40;
    int sets = 30;
    CyclicBarrier barrier = new CyclicBarrier(NODES);
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int n = 0; n < NODES; n++) {
      Node node = new Node(n);
      Random random = new Random(100 + n);
      int number = n;
      tasks.add(
          () -> {
            for (int batch = 0; batch < moments / 4; batch++) {
              List<String> lines = new ArrayList<>();
              for (int moment = batch * 4; moment < batch * 4 + 4; moment++) {
                for (int set = 0; set < sets; set++) {
                  // The same set and moment from every node, each with another field.
                  lines.add(
                      "same,host=s%d f%d=%d %d000000000"
                          .formatted(set, number, moment * 1000 + set, TIME + moment));
                }
              }
              Collections.shuffle(lines, random);
              barrier.await();
              SampleBatch decoded = node.decode(lines);
              write(node.store, decoded);
            }
            return null;
          });
    }
    together(tasks);
    assertThat(count("select count(*) from sample")).isEqualTo((long) moments * sets);
    assertThat(
            count(
                """
                select count(*) from sample s join metric_set m on m.id = s.set_id
                join object o on o.id = m.object_id cross join lateral unnest(s.values) as v(value)
                where v.value = (extract(epoch from s.time) - %d) * 1000 + substr(o.name, 2)::int
                """
                    .formatted(TIME)))
        .isEqualTo((long) moments * sets * NODES);
  }

  /** As the consumer does: what is passing is tried again. */
  private static void write(SampleSink sink, SampleBatch batch) {
    for (int attempt = 1; ; attempt++) {
      try {
        sink.write(batch);
        return;
      } catch (SampleSink.FencedException | SampleSink.RefusedException e) {
        throw e;
      } catch (RuntimeException e) {
        if (attempt == 5) {
          throw e;
        }
      }
    }
  }

  @Test
  void aNodeThatLostItsPartitionWithoutKnowingIsStopped() {
    Node old = new Node(0);
    old.ingest(List.of(line(0, 1)));
    SampleBatch zombie = old.decode(List.of(line(1, 2)));
    Node next = new Node(0);
    next.offset = next.store.positions(List.of(next.partition)).get(next.partition);
    next.ingest(List.of(line(1, 3)));
    assertThatThrownBy(() -> old.store.write(zombie))
        .isInstanceOf(SampleSink.FencedException.class);
    assertThat(jdbc.sql("select values[1] from sample order by time").query(Double.class).list())
        .containsExactly(1.0, 3.0);
    assertThat(count("select next_offset from kafka_offset")).isEqualTo(2);
  }

  @Test
  void aNodeWhoseDatabaseWentBackToBeforeItsFirstSampleIsStopped() {
    Node node = new Node(0);
    node.ingest(List.of(line(0, 1)));
    SampleBatch next = node.decode(List.of(line(1, 2)));
    jdbc.sql("delete from kafka_offset").update(); // as on a standby that never received it
    assertThatThrownBy(() -> node.store.write(next)).isInstanceOf(SampleSink.FencedException.class);
    assertThat(count("select count(*) from kafka_offset")).isZero();
  }

  private static String line(int moment, int value) {
    return "z,host=zombie f=%d %d000000000".formatted(value, TIME + moment);
  }

  @Test
  void aGroupThatGrowsKeepsItsPositions() {
    Node node = new Node(0);
    node.ingest(List.of("g,host=a one=1,two=2 %d000000000".formatted(TIME)));
    node.ingest(List.of("g,host=a zero=9,two=22 %d000000000".formatted(TIME + 1)));
    node.ingest(List.of("g,host=a one=3 %d000000000".formatted(TIME + 1)));
    Map<String, String> rows = new HashMap<>();
    jdbc.sql("select time - to_timestamp(%d) as t, values::text from sample".formatted(TIME))
        .query(
            row -> {
              rows.put(row.getString(1), row.getString(2));
            });
    assertThat(rows.values()).containsExactlyInAnyOrder("{1,2}", "{3,22,9}");
    assertThat(jdbc.sql("select metrics::text from metric_group").query(String.class).single())
        .isEqualTo("{one,two,zero}");
  }

  @Test
  void aPlaceTakenOverByANewObjectLosesItsOldRelations() {
    Node node = new Node(0);
    node.ingest(
        List.of(
            "vsphere_host_cpu,vcenter=v,moid=host-1,dcname=D,clustername=C,esxhostname=e usage_average=1 %d000000000"
                .formatted(TIME),
            "vsphere_vm_cpu,vcenter=v,moid=vm-1,dcname=D,clustername=C,esxhostname=e,vmname=a usage_average=1 %d000000000"
                .formatted(TIME)));
    assertThat(parentsOf("v/vm-1")).containsExactly("v/host-1");
    node.ingest(
        List.of(
            "vsphere_host_cpu,vcenter=v,moid=host-2,dcname=D,clustername=C,esxhostname=e usage_average=1 %d000000000"
                .formatted(TIME + 1)));
    assertThat(parentsOf("v/vm-1")).containsExactly("v/host-2");
    node.ingest(
        List.of(
            "vsphere_host_cpu,vcenter=v,moid=host-3,dcname=D,clustername=C,esxhostname=f usage_average=1 %d000000000"
                .formatted(TIME + 2),
            "vsphere_vm_cpu,vcenter=v,moid=vm-1,dcname=D,clustername=C,esxhostname=f,vmname=a usage_average=1 %d000000000"
                .formatted(TIME + 2)));
    assertThat(parentsOf("v/vm-1")).containsExactly("v/host-3");
  }

  private static List<String> parentsOf(String externalId) {
    return jdbc.sql(
            """
            select p.external_id from relation r join object p on p.id = r.parent_id
            join object c on c.id = r.child_id where c.external_id = ? order by 1
            """)
        .param(externalId)
        .query(String.class)
        .list();
  }

  @Test
  void knownThingsUseUpNoIds() {
    for (int restart = 0; restart < 5; restart++) {
      Node node = new Node(restart);
      node.ingest(List.of("g,host=a,x=%d f=1 %d000000000".formatted(restart / 4, TIME + restart)));
    }
    assertThat(count("select max(id) - min(id) from metric_set")).isEqualTo(1);
  }

  @Test
  void pretendingStoresNothing() {
    RecordDecoder decoder =
        new RecordDecoder(
            Mappings.shipped(),
            new InventoryCatalog(pool)::pretend,
            () -> IngestGuards.DEFAULT,
            TimePrecision.NS,
            InstantSource.system());
    SampleBatch batch = new SampleBatch();
    decoder.decode(
        List.of(
            new ConsumerRecord<>(
                "t",
                0,
                0,
                new byte[0],
                "g,host=new f=1,g=2\ng,host=new f=x".getBytes(StandardCharsets.UTF_8))),
        Map.of(),
        batch);
    assertThat(batch.rows()).isEqualTo(1);
    assertThat(batch.deadLetters()).hasSize(1);
    assertThat(count("select count(*) from object")).isZero();
    assertThat(count("select count(*) from metric_group")).isZero();
  }

  private static long count(String sql) {
    return jdbc.sql(sql).query(Long.class).single();
  }
}
