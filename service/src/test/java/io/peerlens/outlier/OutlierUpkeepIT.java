package io.peerlens.outlier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.outlier.event.OutlierUpkeepStore;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What is done from time to time: old buckets go, and events learn what sets their members apart.
 */
class OutlierUpkeepIT {

  private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.HOURS);
  private static final UUID GROUP = new UUID(5, 1);

  private static void bucket(SampleData data, Instant from, int count) {
    data.jdbc()
        .sql(
            """
            insert into outlier_bucket (group_id, bucket, basis, state, judged, metrics, members, centre, lower, upper, values,
              scores, score)
            select ?, ?::timestamptz - i * interval '1 second', 'b', 'alike', 3, '{cpu|usage_average}', '{1,2,3}', '{1}', '{0}',
              '{2}', '{1,1,1}', '{0,0,0}', '{0,0,0}'
            from generate_series(1, ?) i
            """)
        .params(GROUP, SampleData.time(from), count)
        .update();
  }

  private static void event(SampleData data, int number, @Nullable Integer object, String status) {
    data.jdbc()
        .sql(
            """
            insert into outlier_event (id, group_id, group_name, object_id, status, opened_at, since, last_bucket, updated_at, side,
              severity, evidence, peak_score, peak_at, violations, of, judged, members, metrics, explanation, closed_at)
            values (?, ?, 'g', ?::int, ?, ?, ?, ?, now(), 'high', 2, 'level', 9, now(), 4, 4, 3, 3, '[]', '{}',
              case ? when 'closed' then now() end)
            """)
        .params(
            new UUID(6, number),
            GROUP,
            object,
            status,
            SampleData.time(NOW.minusSeconds(600)),
            SampleData.time(NOW.minusSeconds(900)),
            SampleData.time(NOW.minusSeconds(600)),
            status)
        .update();
  }

  @Test
  void judgedBucketsAreForgottenAfterAWhileButEventsAndLearnedStateAreNot() {
    try (SampleData data = SampleData.create()) {
      // More than is deleted at once.
      bucket(data, NOW.minus(Duration.ofDays(40)), 4_500);
      bucket(data, NOW.minus(Duration.ofDays(34)), 10);
      bucket(data, NOW, 10);
      data.jdbc()
          .sql(
              "insert into outlier_learned (group_id, basis, bucket, state) values (?, 'b', ?, '')")
          .params(GROUP, SampleData.time(NOW.minus(Duration.ofDays(40))))
          .update();
      event(data, 1, data.object("VMWARE", "VirtualMachine", "vm"), "closed");
      data.sql("update outlier_event set closed_at = now() - interval '400 days'");
      try (PeerlensServer server = PeerlensServer.start(data.database(), Set.of(Role.EVALUATOR))) {
        OutlierUpkeepStore upkeep = server.context().getBean(OutlierUpkeepStore.class);
        upkeep.forgetOld(NOW);
        // The server does the same at its start; what it is at is left to it.
        await().untilAsserted(() -> assertThat(count(data, "outlier_bucket")).isEqualTo(20));
        assertThat(count(data, "outlier_learned")).isEqualTo(1);
        assertThat(count(data, "outlier_event")).isEqualTo(1);
        upkeep.forgetOld(NOW);
        assertThat(count(data, "outlier_bucket")).isEqualTo(20);
      }
    }
  }

  private static int count(SampleData data, String table) {
    return data.jdbc().sql("select count(*) from " + table).query(Integer.class).single();
  }

  @Test
  void openEventsLearnWhatSetsThemApartSomeAtATimeAlsoAfterARestart() {
    try (SampleData data = SampleData.create()) {
      PeersWorld world = new PeersWorld(data);
      int odd = 0;
      for (int i = 1; i <= 4; i++) {
        int id =
            world.machine(
                "web-%02d".formatted(i),
                "{'tier': 'web', 'rack': '%s'}".formatted(i == 4 ? "b" : "a"),
                NOW.minus(Duration.ofHours(2)),
                NOW,
                PeersWorld.usual());
        odd = i == 4 ? id : odd;
      }
      world.ready();
      int of = odd;
      try (PeerlensServer server = start(data)) {
        // One that is not judged keeps what is put in here.
        ApiClient.Answer made =
            server
                .admin()
                .post(
                    "/outlier-groups",
                    "{'id': '%s', 'name': 'g', 'enabled': false, 'objectKind': %s, 'scope': {'tags': ['tier=web']}, 'metrics': [{'key': 'cpu|usage_average'}]}"
                        .formatted(GROUP, PeersWorld.KIND)
                        .replace('\'', '"'));
        assertThat(made.status()).as(made.body()).isEqualTo(201);
      }
      data.jdbc()
          .sql(
              """
              insert into outlier_bucket (group_id, bucket, basis, state, judged, metrics, members, centre, lower, upper, values,
                scores, score)
              select ?, ?, '', 'alike', 4, '{cpu|usage_average}', array_agg(id order by id), '{30}', '{20}', '{40}',
                array_agg(30::real), array_agg(0::real), array_agg(0::real)
              from object
              """)
          .params(GROUP, SampleData.time(NOW.minusSeconds(600)))
          .update();
      for (int i = 1; i <= 60; i++) {
        event(data, i, of, i % 2 == 0 ? "open" : "unknown");
      }
      event(data, 98, of, "closed");
      event(data, 99, null, "open");

      dueNow(data);
      try (PeerlensServer server = start(data)) {
        await().atMost(Duration.ofMinutes(2)).until(() -> found(data) >= 50);
        assertThat(found(data)).as("so many at a time").isEqualTo(50);
        assertThat(server.context().isRunning()).isTrue();
      }
      dueNow(data);
      try (PeerlensServer server = start(data)) {
        await().atMost(Duration.ofMinutes(2)).until(() -> found(data) >= 60);
        assertThat(server.context().isRunning()).isTrue();
      }
      List<UUID> left =
          data.jdbc()
              .sql("select id from outlier_event where apart is null order by id")
              .query(UUID.class)
              .list();
      assertThat(left)
          .as("the one that is over, and the one of the group")
          .containsExactly(new UUID(6, 98), new UUID(6, 99));
      assertThat(
              data.jdbc()
                  .sql(
                      "select distinct apart #>> '{apart,0,key}' from outlier_event where id <> all (?)")
                  .param(left.toArray(UUID[]::new))
                  .query(String.class)
                  .list())
          .containsExactly("rack");
    }
  }

  private static PeerlensServer start(SampleData data) {
    return PeerlensServer.start(
        data.database(), Set.of(Role.API, Role.EVALUATOR), "db-scheduler.polling-interval=200ms");
  }

  /** It is half a minute later. */
  private static void dueNow(SampleData data) {
    assertThat(
            data.jdbc()
                .sql(
                    "update scheduled_tasks set execution_time = now(), picked = false where task_name = 'outlier-apart'")
                .update())
        .isEqualTo(1);
  }

  private static int found(SampleData data) {
    return data.jdbc()
        .sql("select count(*) from outlier_event where apart is not null")
        .query(Integer.class)
        .single();
  }
}
