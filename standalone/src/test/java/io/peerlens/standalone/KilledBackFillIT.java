package io.peerlens.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole standalone edition is killed while it writes the history of the sample datacentre, and
 * started again: the history must come out as the same rows as without the kill.
 */
@Tag("proof")
class KilledBackFillIT {

  /** Of 1,728 moments, half of which are in the newest five days. */
  private static final int KILL_AFTER = 400;

  private static final int MOMENTS = 1_728;

  /**
   * Everything of the history but its last hour, whatever ids the catalog gave out. By the roll-ups
   * of 5 minutes, each of which holds one sample of it: raw samples that are older than three days
   * go as soon as they are rolled up.
   */
  private static final String FINGERPRINT =
      """
      select concat_ws(' ', count(*), count(distinct s.time), sum(s.samples), sum(hashtextextended(
        concat_ws('|', o.external_id, g.name, m.instance, s.time, s.avg), 0)::numeric))
      from sample_5m s join metric_set m on m.id = s.set_id join object o on o.id = m.object_id
        join metric_group g on g.id = m.group_id
      where s.time < to_timestamp(%d - 3600)
      """;

  private static final String UNFINISHED =
      """
      select count(*) from rollup_dirty
      """;

  private static final String DUPLICATES =
      """
      select count(*) from (select from sample group by set_id, time having count(*) > 1) twice
      """;

  @TempDir Path parent;

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void stopThem() throws Exception {
    for (Process process : started) {
      process.destroy();
      process.waitFor();
    }
  }

  @Test
  void aKilledBackFillContinuesWithoutDuplicatesAndGaps() throws Exception {
    Path whole = parent.resolve("whole");
    start(whole);
    awaitHistory(whole, MOMENTS);
    final long firstStart = Long.parseLong(sample(whole, "first-start"));
    awaitRolledUp(whole, firstStart);
    String expected = text(whole, FINGERPRINT.formatted(firstStart));
    stopThem();
    started.clear();

    Path killed = parent.resolve("killed");
    Files.createDirectories(killed);
    Files.writeString(killed.resolve("version"), DataDirectory.FORMAT + "\n");
    Files.writeString(
        killed.resolve("sample.properties"),
        "seed=%s%nfirst-start=%d%nhistory-done=0%n".formatted(sample(whole, "seed"), firstStart));
    Process first = start(killed);
    awaitHistory(killed, KILL_AFTER);
    first.destroyForcibly().waitFor();
    assertThat(Integer.parseInt(sample(killed, "history-done"))).isLessThan(MOMENTS);
    start(killed);
    awaitHistory(killed, MOMENTS);
    awaitRolledUp(killed, firstStart);

    assertThat(expected.split(" ")[1]).as("moments").isEqualTo(Integer.toString(MOMENTS - 12));
    assertThat(text(killed, FINGERPRINT.formatted(firstStart))).isEqualTo(expected);
    assertThat(text(killed, DUPLICATES)).isEqualTo("0");
    assertThat(text(killed, "select count(*) from dead_letter")).isEqualTo("0");
  }

  private Process start(Path data) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                Standalone.class.getName(),
                "start",
                "--data",
                data.toString(),
                "--port",
                Integer.toString(Ports.anyFree()),
                "--kafka-port",
                Integer.toString(Ports.anyFree()))
            .redirectErrorStream(true)
            .redirectOutput(parent.resolve(data.getFileName() + ".txt").toFile())
            .start();
    started.add(process);
    return process;
  }

  private void awaitHistory(Path data, int moments) {
    await()
        .atMost(Duration.ofMinutes(10))
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              assertThat(started.getLast().isAlive()).as("Peerlens runs").isTrue();
              return Files.exists(data.resolve("sample.properties"))
                  && Integer.parseInt(sample(data, "history-done")) >= moments;
            });
  }

  /** Waits until all that was sent is rolled up: nothing is left to do, and nothing comes. */
  private void awaitRolledUp(Path data, long firstStart) {
    String[] last = {""};
    await()
        .atMost(Duration.ofMinutes(10))
        .pollInterval(Duration.ofSeconds(5))
        .until(
            () -> {
              String now = text(data, FINGERPRINT.formatted(firstStart));
              boolean same = now.equals(last[0]) && !now.startsWith("0 ");
              last[0] = now;
              return same && text(data, UNFINISHED).equals("0");
            });
  }

  private static String sample(Path data, String key) throws IOException {
    return property(data.resolve("sample.properties"), key);
  }

  private static String property(Path file, String key) throws IOException {
    Properties properties = new Properties();
    try (var reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    return properties.getProperty(key, "0");
  }

  private static String text(Path data, String sql) throws IOException, SQLException {
    Path login = data.resolve("database.properties");
    try (Connection connection =
            DriverManager.getConnection(
                property(login, "url"), property(login, "user"), property(login, "password"));
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1);
    }
  }
}
