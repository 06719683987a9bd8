package io.peerlens.learning;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.frame.Frames;
import io.peerlens.job.Progress;
import io.peerlens.store.ComputedSampleStore;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SetPart;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

/** How many metrics are out of their band, on objects and above them. */
class AnomalyCountsIT {

  /** When what is stored now is used: a full five minutes. */
  private static final Instant END =
      AnomalyCounts.newest(Instant.now().plus(Duration.ofMinutes(15)));

  @Test
  void countsCoverAnObjectAndEverythingBelowItOnce() {
    try (LearningWorld world = new LearningWorld()) {
      Instant past = world.now.minus(Duration.ofDays(40));
      int out = world.machine("out");
      int within = world.machine("within");
      int young = world.machine("young");
      int silent = world.machine("silent");
      world.usual(out, past, world.now);
      world.usual(within, past, world.now);
      world.usual(young, world.now.minus(Duration.ofDays(4)), world.now);
      world.usual(silent, past, world.now);
      int host = world.data.object("VMWARE", "HostSystem", "esx");
      int cluster = world.data.object("VMWARE", "ClusterComputeResource", "cluster");
      int pool = world.data.object("VMWARE", "ResourcePool", "pool");
      for (int set : new int[] {out, within, young, silent}) {
        below(world, host, set);
        below(world, pool, set);
      }
      relation(world, cluster, host);
      relation(world, cluster, pool);
      world.known();
      try (PeerlensServer server = world.server()) {
        server.context().getBean(Learning.class).run(world.now, Progress.NONE, SetPart.WHOLE);
        for (int minute = 1; minute <= 5; minute++) {
          Instant time = END.minus(Duration.ofMinutes(minute));
          world.data.sample(time, out, 99, 7);
          // One value of five is out; it is the mean that counts.
          world.data.sample(time, within, minute == 3 ? 70 : 61, 7);
          world.data.sample(time, young, 99, 99);
        }
        world.data.sample(END, within, 1000, 1000); // belongs to the next five minutes
        AnomalyCounts counts = counts(server, world.data);

        assertThat(counts.run(END)).isEqualTo(5);
        assertThat(stored(world))
            .containsEntry("out", "2 1 2 1")
            .containsEntry("within", "2 0 2 0")
            .containsEntry("esx", "0 0 4 1")
            .containsEntry("pool", "0 0 4 1")
            .containsEntry("cluster", "0 0 4 1")
            .hasSize(5);

        // Again: the same once more, and counts are not counted.
        assertThat(counts(server, world.data).run(END)).isEqualTo(5);
        assertThat(stored(world)).containsEntry("cluster", "0 0 4 1").hasSize(5);
      }
    }
  }

  @Test
  void metricsOutsideTheirBoundsAreListedFarthestFirst() {
    try (LearningWorld world = new LearningWorld()) {
      Instant past = world.now.minus(Duration.ofDays(40));
      int out = world.machine("out");
      int within = world.machine("within");
      world.usual(out, past, world.now);
      world.usual(within, past, world.now);
      try (PeerlensServer server = world.server()) {
        // Shortly after midnight what is judged is of the day before.
        server
            .context()
            .getBean(Learning.class)
            .run(AnomalyCounts.newest(Instant.now()), Progress.NONE, SetPart.WHOLE);
        // As if it had been learned before.
        world.data.sql("update learned_block set since = '2026-01-01T00:00:00Z'");
        Instant now = AnomalyCounts.newest(Instant.now());
        for (int minute = -5; minute <= 20; minute++) {
          Instant time = now.minusSeconds(30).minus(Duration.ofMinutes(minute));
          world.data.sample(time, out, 99, 70);
          world.data.sample(time, within, minute == 1 ? 70 : 61, 7);
        }
        JsonNode found = anomalies(server, world, "out");
        assertThat(found.path("judged").asInt()).isEqualTo(2);
        assertThat(found.path("items"))
            .extracting(item -> item.path("key").asString())
            .containsExactly(LearningWorld.READY, LearningWorld.CPU);
        JsonNode usage = found.path("items").path(1);
        assertThat(usage.path("value").asDouble()).isEqualTo(99);
        assertThat(usage.path("upper").asDouble()).isBetween(60.0, 75.0);
        assertThat(usage.path("lower").asDouble())
            .isBetween(usage.path("upper").asDouble() - 20, usage.path("upper").asDouble() - 3);
        assertThat(usage.path("beyond").asDouble()).isPositive();
        assertThat(Instant.parse(found.path("to").asString())).isBetween(now, now.plusSeconds(300));

        JsonNode other = anomalies(server, world, "within");
        assertThat(other.path("judged").asInt()).isEqualTo(2);
        assertThat(other.path("items")).isEmpty();

        // Neither is what was learned just now used for what was before.
        world.data.sql("update learned_block set since = '2100-01-01T00:00:00Z'");
        assertThat(anomalies(server, world, "out").path("judged").asInt()).isZero();
        assertThat(server.admin().get("/objects/" + UUID.randomUUID() + "/anomalies").status())
            .isEqualTo(404);
      }
    }
  }

  private static JsonNode anomalies(PeerlensServer server, LearningWorld world, String machine) {
    UUID id =
        world
            .data
            .jdbc()
            .sql("select uuid from object where name = ?")
            .param(machine)
            .query(UUID.class)
            .single();
    ApiClient.Answer answer = server.admin().get("/objects/" + id + "/anomalies");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  @Test
  void withoutBoundsThereAreNoCounts() {
    try (LearningWorld world = new LearningWorld()) {
      int set = world.machine("new");
      world.data.sample(END.minusSeconds(60), set, 99, 7);
      try (PeerlensServer server = world.server()) {
        assertThat(counts(server, world.data).run(END)).isZero();
        assertThat(stored(world)).isEmpty();
      }
    }
  }

  @Test
  void aMetricCountsBeyondItsBoundByTheMarginAndAShare() {
    // At medium the margin is two spreads, and the share 5 %.
    assertThat(AnomalyCounts.isOutside(126, 80, 100, 10)).isFalse();
    assertThat(AnomalyCounts.isOutside(126.1, 80, 100, 10)).isTrue();
    assertThat(AnomalyCounts.isOutside(57, 80, 100, 10)).isFalse();
    assertThat(AnomalyCounts.isOutside(56.9, 80, 100, 10)).isTrue();
    assertThat(AnomalyCounts.isOutside(0, 0, 0, 0)).isFalse();
    assertThat(AnomalyCounts.isOutside(-5, -1, 1, 1)).isTrue();
  }

  @Test
  void theNewestFiveMinutesAreOverForTwoMinutes() {
    assertThat(AnomalyCounts.newest(Instant.parse("2026-11-20T14:11:59Z")))
        .isEqualTo(Instant.parse("2026-11-20T14:05:00Z"));
    assertThat(AnomalyCounts.newest(Instant.parse("2026-11-20T14:12:00Z")))
        .isEqualTo(Instant.parse("2026-11-20T14:10:00Z"));
  }

  private static AnomalyCounts counts(PeerlensServer server, SampleData data) {
    return counts(
        server,
        data,
        new RunningScores(
            server.context().getBean(LearningQueries.class),
            server.context().getBean(AnomalyScores.class),
            server.context().getBean(UnusualPeriodStore.class)));
  }

  static AnomalyCounts counts(PeerlensServer server, SampleData data, RunningScores scores) {
    return new AnomalyCounts(
        server.context().getBean(BandStore.class),
        server.context().getBean(BandQueries.class),
        server.context().getBean(SampleReader.class),
        server.context().getBean(Frames.class),
        new ComputedSampleStore(
            data.dataSource(),
            JdbcClient.create(data.dataSource()),
            new TransactionTemplate(new JdbcTransactionManager(data.dataSource())),
            AnomalyCounts.GROUP,
            AnomalyCounts.METRICS,
            Duration.ofMinutes(10),
            InstantSource.system()),
        scores);
  }

  /** What is stored, by name of the object, in the order of the metrics. */
  private static Map<String, String> stored(LearningWorld world) {
    Map<String, String> stored = new TreeMap<>();
    world
        .data
        .jdbc()
        .sql(
            """
            select o.name, array_to_string(s.values, ' ')
            from sample s join metric_set m on m.id = s.set_id join metric_group g on g.id = m.group_id
            join object o on o.id = m.object_id
            where g.name = 'System Attributes' and s.time = ?
            """)
        .param(SampleData.time(END))
        .query(
            row -> {
              stored.put(row.getString(1), row.getString(2));
            });
    return stored;
  }

  private static void below(LearningWorld world, int parent, int set) {
    world
        .data
        .jdbc()
        .sql("insert into relation select ?, object_id from metric_set where id = ?")
        .params(parent, set)
        .update();
  }

  private static void relation(LearningWorld world, int parent, int child) {
    world.data.jdbc().sql("insert into relation values (?, ?)").params(parent, child).update();
  }
}
