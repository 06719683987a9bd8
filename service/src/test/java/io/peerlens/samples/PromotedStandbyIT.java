package io.peerlens.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.Application;
import io.peerlens.support.ChildJvm;
import io.peerlens.support.KillablePostgres;
import io.peerlens.support.TestKafka;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The database is killed under load, and its standby, which lags, becomes the primary. What was
 * committed and did not reach it is gone, offsets and samples alike, so the same process reads it
 * again: in the end every sample is there once, with its value.
 */
class PromotedStandbyIT {

  private static final int RECORDS_PER_SECOND = 300;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  @Nullable Path folder;

  /**
   * @param before how long the standby receives, so that it has some objects and not all
   */
  @ParameterizedTest(name = "the standby has what was stored in the first {0} ms")
  @CsvSource({"0, 11", "3000, 12"})
  void nothingIsLostOrDoubledWhenAStandbyThatLagsIsPromoted(long before, long seed)
      throws Exception {
    Path root = Objects.requireNonNull(folder);
    String bootstrap = TestKafka.shared().bootstrap();
    String name = "standby-" + seed;
    String samples = name + ".metrics";
    String flowRecords = name + ".flows";
    TestKafka.createTopic(bootstrap, samples, ExactlyOnceIT.PARTITIONS);
    TestKafka.createTopic(bootstrap, flowRecords, ExactlyOnceIT.PARTITIONS);
    TestKafka.createTopic(bootstrap, name + ".dead-letter", 1);
    try (KillablePostgres.Pair pair = KillablePostgres.createPair(root)) {
      KillablePostgres primary = pair.primary();
      KillablePostgres standby = pair.standby();
      String url = KillablePostgres.jdbcUrl(primary.address() + "," + standby.address());
      try (ChildJvm service =
          new ChildJvm(
              root.resolve("service.log"),
              List.of("-Xmx512m", "-XX:TieredStopAtLevel=1"),
              Application.class,
              List.of(
                  "--peerlens.roles=ingest",
                  "--peerlens.node=chaos",
                  "--peerlens.ingest.bootstrap-servers=" + bootstrap,
                  "--peerlens.ingest.topic=" + samples,
                  "--peerlens.ingest.group=" + samples,
                  "--peerlens.ingest.dead-letter-topic=" + name + ".dead-letter",
                  "--peerlens.flows.topic=" + flowRecords,
                  "--peerlens.flows.group=" + flowRecords,
                  "--peerlens.flows.flush=500ms",
                  "--spring.datasource.url=" + url + "?targetServerType=primary",
                  "--spring.datasource.username=postgres",
                  "--spring.datasource.password=postgres",
                  "--server.port=0",
                  "--server.address=127.0.0.1"))) {
        service.start();
        Awaitility.await("the standby has the schema, and the node's first sign of life")
            .atMost(Duration.ofSeconds(120))
            .ignoreExceptions()
            .until(() -> standby.number("select count(*) from ingest_node") > 0);
        if (before == 0) {
          standby.stopReceiving();
        }
        PlannedLoad load =
            new PlannedLoad(seed, samples, Instant.now().minus(Duration.ofHours(12)));
        PlannedFlows flows =
            new PlannedFlows(seed, flowRecords, Instant.now().minus(Duration.ofHours(12)));
        SteadyLoad running = new SteadyLoad(bootstrap, load::next, load::rest, RECORDS_PER_SECOND);
        SteadyLoad runningFlows =
            new SteadyLoad(bootstrap, flows::next, List::of, RECORDS_PER_SECOND);
        ExactlyOnceIT.awaitRows(primary, samples, 1);
        ExactlyOnceIT.awaitRows(primary, flowRecords, 1);
        if (before > 0) {
          LockSupport.parkNanos(before * 1_000_000);
          standby.stopReceiving();
        }
        for (String topic : List.of(samples, flowRecords)) {
          ExactlyOnceIT.awaitRows(
              primary, topic, ExactlyOnceIT.rows(standby, topic) + 2 * RECORDS_PER_SECOND);
        }
        long committed = ExactlyOnceIT.rows(primary, samples);
        primary.kill();
        long kept = ExactlyOnceIT.rows(standby, samples);
        assertThat(kept).isLessThan(committed);
        standby.promote();
        for (String topic : List.of(samples, flowRecords)) {
          ExactlyOnceIT.awaitRows(standby, topic, ExactlyOnceIT.rows(standby, topic) + 1);
        }
        LockSupport.parkNanos(2_000_000_000L);
        long sent = running.finish();
        long sentFlows = runningFlows.finish();
        ExactlyOnceIT.awaitLagZero(bootstrap, standby, samples, sent);
        ExactlyOnceIT.awaitLagZero(bootstrap, standby, flowRecords, sentFlows);
        assertThat(service.isRunning()).as("see %s", root.resolve("service.log")).isTrue();
        List<String> wrong;
        try (Connection connection = standby.connect()) {
          wrong = new ArrayList<>(load.check(connection));
          wrong.addAll(flows.check(connection));
        }
        System.out.printf(
            "Promoted standby: had %,d of %,d committed records; %,d with %s; %,d with %s; %d deviations%n",
            kept, committed, sent, load.summary(), sentFlows, flows.summary(), wrong.size());
        assertThat(wrong.stream().limit(20)).as("of %d deviations", wrong.size()).isEmpty();
      }
    }
  }
}
