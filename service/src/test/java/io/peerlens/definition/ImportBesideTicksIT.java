package io.peerlens.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * How long the ticks must wait for somebody who imports many rules: for the end of an import only.
 */
class ImportBesideTicksIT {

  /** docs/performance.md has figures of 5,000. */
  private static final int RULES = Integer.getInteger("peerlens.test.rules", 1_000);

  @Test
  void manyThresholdsIntoAsManyHoldTicksUpForAMomentOnly() throws Exception {
    TestDatabase database = TestDatabase.migrated();
    try (PeerlensServer server =
        PeerlensServer.start(database, Set.of(Role.API), "peerlens.thresholds.max-count=20000")) {
      ApiClient api = server.admin();
      upload(api, file(0, 80));

      // An import that holds them up does so each time; a busy machine does not.
      double share = 1;
      for (int attempt = 1; attempt <= 3 && share >= 0.2; attempt++) {
        share = Math.min(share, shareOfLongestWait(database, api, attempt));
        assertThat(api.get("/thresholds?limit=1").json().get("total").asInt())
            .isEqualTo((1 + attempt) * RULES);
      }
      assertThat(share).isLessThan(0.2);
    }
  }

  /** Part of the time of an import for which one tick had to wait. */
  private static double shareOfLongestWait(TestDatabase database, ApiClient api, int attempt)
      throws InterruptedException {
    Ticks ticks = new Ticks(database);
    Thread ticking = Thread.ofPlatform().start(ticks);
    long begin = System.nanoTime();
    upload(api, file(0, 80 + attempt)); // the same ones, changed
    upload(api, file(attempt * RULES, 80)); // as many again
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    ticks.over.set(true);
    ticking.join();

    System.out.printf(
        "%d rules in %d ms, %d ticks, longest wait %d ms%n",
        2 * RULES, took.toMillis(), ticks.count, ticks.longest.toMillis());
    assertThat(ticks.count).isGreaterThan(20);
    return (double) ticks.longest.toNanos() / took.toNanos();
  }

  private static void upload(ApiClient api, String file) {
    Answer answer =
        api.upload(
            "/rules/import?onConflict=overwrite",
            "application/json",
            file.getBytes(StandardCharsets.UTF_8));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  private static String file(int first, int bound) {
    return IntStream.range(first, first + RULES)
        .mapToObj(
            i ->
                """
                {"name": "Threshold %d", "objectKind": {"adapterKind": "VMWARE", "objectKind": "HostSystem"},
                 "condition": {"type": "metric", "key": "cpu|usage_average", "operator": "gt",
                   "levels": [{"severity": "warning", "bound": {"type": "number", "value": %d}}]}}
                """
                    .formatted(i, bound))
        .collect(
            Collectors.joining(
                ",", "{\"format\": \"peerlens-rules\", \"version\": 1, \"thresholds\": [", "]}"));
  }

  /** Holds the number of the rules as a tick does while it is stored, again and again. */
  private static final class Ticks implements Runnable {
    final AtomicBoolean over = new AtomicBoolean();
    private final TestDatabase database;
    volatile int count;
    volatile Duration longest = Duration.ZERO;

    Ticks(TestDatabase database) {
      this.database = database;
    }

    @Override
    public void run() {
      try (Connection connection = database.connect();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        while (!over.get()) {
          long begin = System.nanoTime();
          statement.executeQuery("select version from rule_version for share").close();
          Duration waited = Duration.ofNanos(System.nanoTime() - begin);
          connection.commit();
          count++;
          longest = waited.compareTo(longest) > 0 ? waited : longest;
          Thread.yield();
        }
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
