package io.peerlens.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.Application;
import io.peerlens.support.ChildJvm;
import io.peerlens.support.SampleData;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two evaluators share the shards while one or the other is killed with SIGKILL. In the end every
 * tick of every super metric is stored once, with the value that plain arithmetic gives. One of
 * them counts its own ticks: a tick that was lost, or that took effect twice, would be seen in it.
 */
class EvaluatorsIT {

  private static final int VMS = 40;
  private static final int HOSTS = 5;

  private static final UUID DOUBLE = new UUID(1, 1);
  private static final UUID PLUS_ONE = new UUID(1, 2);
  private static final UUID HOST_SUM = new UUID(1, 3);
  private static final UUID CLUSTER_AVG = new UUID(1, 4);
  private static final UUID DATASTORE = new UUID(1, 5);
  private static final UUID TICKS = new UUID(1, 6);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  @Nullable Path folder;

  @Test
  @DisplayName("two evaluators, two kills, seed 3")
  void everyTickIsStoredOnceWhicheverEvaluatorIsKilled() throws Exception {
    prove(3, 2);
  }

  @Test
  @Tag("proof")
  @DisplayName("two evaluators, 25 kills, seed 11")
  void everyTickIsStoredOnceThroughManyKills() throws Exception {
    prove(11, 25);
  }

  private void prove(long seed, int kills) throws Exception {
    Random random = new Random(seed);
    try (SampleData data = SampleData.create()) {
      Fixture fixture = new Fixture(data, Duration.ofSeconds(300 + 60L * kills));
      try (ChildJvm first = evaluator(data, "first");
          ChildJvm second = evaluator(data, "second")) {
        first.start();
        second.start();
        await().atMost(Duration.ofSeconds(90)).until(() -> fixture.ticks(TICKS).size() >= 2);
        for (int kill = 0; kill < kills; kill++) {
          int ticks = fixture.ticks(TICKS).size();
          ChildJvm victim = random.nextBoolean() ? first : second;
          pause(random.nextInt(5_000)); // anywhere within a tick
          victim.kill();
          await()
              .atMost(Duration.ofSeconds(60))
              .until(() -> fixture.ticks(TICKS).size() > ticks + 2);
          victim.start();
        }
      }
      fixture.compare(kills);
    }
  }

  private ChildJvm evaluator(SampleData data, String name) {
    return new ChildJvm(
        Objects.requireNonNull(folder).resolve(name + ".log"),
        List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
        Application.class,
        List.of(
            "--peerlens.roles=evaluator",
            "--peerlens.node=" + name,
            "--peerlens.evaluation.lag=1s",
            "--peerlens.evaluation.catch-up=10m",
            "--db-scheduler.heartbeat-interval=1s",
            "--db-scheduler.missed-heartbeats-limit=4",
            "--spring.datasource.url=" + data.database().jdbcUrl(),
            "--spring.datasource.username=" + data.database().user(),
            "--spring.datasource.password=" + data.database().password(),
            "--server.port=0",
            "--server.address=127.0.0.1"));
  }

  private static void pause(long millis) {
    LockSupport.parkNanos(millis * 1_000_000);
  }

  /** A cluster whose samples are known at every moment, also of the next minutes. */
  private static final class Fixture {

    private final SampleData data;
    private final List<Integer> vms = new ArrayList<>();
    private final List<Integer> hosts = new ArrayList<>();
    private final int cluster;
    private final int datastore;

    Fixture(SampleData data, Duration ahead) {
      this.data = data;
      int cpu = data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average"));
      int disk = data.group("VMWARE", "Datastore", "disk", List.of("used_latest"));
      cluster = data.object("VMWARE", "ClusterComputeResource", "cluster");
      datastore = data.object("VMWARE", "Datastore", "datastore");
      Instant from = Instant.now().minusSeconds(120);
      Instant to = Instant.now().plus(ahead);
      for (int h = 0; h < HOSTS; h++) {
        hosts.add(data.object("VMWARE", "HostSystem", "host" + h));
        relate(cluster, hosts.get(h));
      }
      for (int v = 0; v < VMS; v++) {
        vms.add(data.object("VMWARE", "VirtualMachine", "vm" + v));
        relate(hosts.get(v % HOSTS), vms.get(v));
        samples(data.set(vms.get(v), cpu, ""), v, from, to);
      }
      samples(data.set(datastore, disk, ""), 77, from, to);
      data.sql("update inventory_version set version = version + 1");
      add(DOUBLE, "VirtualMachine", "${this, metric=cpu|usage_average} * 2");
      add(PLUS_ONE, "VirtualMachine", "${this, metric=Super Metric|sm_" + DOUBLE + "} + 1");
      String vm = "${adaptertype=VMWARE, objecttype=VirtualMachine, ";
      add(HOST_SUM, "HostSystem", "sum(" + vm + "metric=cpu|usage_average, depth=1})");
      add(
          CLUSTER_AVG,
          "ClusterComputeResource",
          "avg(" + vm + "metric=Super Metric|sm_" + PLUS_ONE + ", depth=2})");
      add(DATASTORE, "Datastore", "${this, metric=disk|used_latest} - 1");
      add(TICKS, "HostSystem", "max([${this, metric=Super Metric|sm_" + TICKS + "}, 0]) + 1");
    }

    private void relate(int parent, int child) {
      data.jdbc().sql("insert into relation values (?, ?)").params(parent, child).update();
    }

    private void samples(int set, int number, Instant from, Instant to) {
      data.jdbc()
          .sql(
              """
              insert into sample (time, set_id, values)
              select to_timestamp(s), ?, array[? * 1000 + (s / 10) % 997]
              from generate_series(?::bigint / 10 * 10, ?::bigint, 10) s
              """)
          .params(set, number, from.getEpochSecond(), to.getEpochSecond())
          .update();
    }

    private static double sample(int number, Instant tick) {
      return number * 1000 + (double) (tick.getEpochSecond() / 10 % 997);
    }

    private void add(UUID id, String kind, String formula) {
      data.jdbc()
          .sql(
              """
              insert into super_metric (id, name, formula, kinds, interval_s, created_at, created_by, updated_at,
                                        updated_by)
              values (:id, :name, :formula, :kinds::json, 5, now(), 'test', now(), 'test')
              """)
          .param("id", id)
          .param("name", "metric " + id)
          .param("formula", formula)
          .param(
              "kinds", "[{\"resourceKindKey\": \"" + kind + "\", \"adapterKindKey\": \"VMWARE\"}]")
          .update();
    }

    /** Values of a super metric by tick, then object id. */
    TreeMap<Instant, Map<Integer, Double>> ticks(UUID id) {
      TreeMap<Instant, Map<Integer, Double>> ticks = new TreeMap<>();
      data.jdbc()
          .sql(
              """
              select s.time, m.object_id, s.values[array_position(g.metrics, ?)]
              from sample s
              join metric_set m on m.id = s.set_id
              join metric_group g on g.id = m.group_id and g.name = 'Super Metric'
              """)
          .param("sm_" + id)
          .query(
              row -> {
                Double value = (Double) row.getObject(3);
                if (value != null) {
                  Instant time = row.getObject(1, OffsetDateTime.class).toInstant();
                  Double before =
                      ticks.computeIfAbsent(time, t -> new HashMap<>()).put(row.getInt(2), value);
                  assertThat(before).as("second value of %s at %s", id, time).isNull();
                }
              });
      return ticks;
    }

    void compare(int kills) {
      long compared = 0;
      List<UUID> all = List.of(DOUBLE, PLUS_ONE, HOST_SUM, CLUSTER_AVG, DATASTORE, TICKS);
      for (UUID id : all) {
        TreeMap<Instant, Map<Integer, Double>> ticks = ticks(id);
        Instant first = ticks.firstKey();
        Instant last = ticks.lastKey();
        assertThat(ticks.keySet())
            .as("ticks of %s: none missing from the first to the last", id)
            .hasSize((int) Duration.between(first, last).toSeconds() / 5 + 1)
            .allMatch(tick -> tick.getEpochSecond() % 5 == 0 && tick.getNano() == 0);
        ticks.forEach(
            (tick, values) ->
                assertThat(values).as("%s at %s", id, tick).isEqualTo(expected(id, tick, first)));
        compared += ticks.values().stream().mapToInt(Map::size).sum();
      }
      System.out.printf(
          "%d kills, %d ticks of %d super metrics, %,d values: none missing, none doubled%n",
          kills, ticks(TICKS).size(), all.size(), compared);
    }

    private Map<Integer, Double> expected(UUID id, Instant tick, Instant first) {
      Map<Integer, Double> values = new HashMap<>();
      double sum = 0;
      for (int v = 0; v < VMS; v++) {
        double doubled = sample(v, tick) * 2;
        if (id.equals(DOUBLE) || id.equals(PLUS_ONE)) {
          values.put(vms.get(v), id.equals(DOUBLE) ? doubled : doubled + 1);
        }
        if (id.equals(HOST_SUM)) {
          values.merge(hosts.get(v % HOSTS), sample(v, tick), Double::sum);
        }
        sum += doubled + 1;
      }
      if (id.equals(CLUSTER_AVG)) {
        values.put(cluster, sum / VMS);
      } else if (id.equals(DATASTORE)) {
        values.put(datastore, sample(77, tick) - 1);
      } else if (id.equals(TICKS)) {
        double number = Duration.between(first, tick).toSeconds() / 5.0 + 1;
        hosts.forEach(host -> values.put(host, number));
      }
      return values;
    }
  }
}
