package io.peerlens.suiteapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.Application;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ChildJvm;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestKafka;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * How long much takes, beside our own API, and in how much memory: docs/performance.md. The service
 * has a JVM of its own with a heap of 256 MB; 10,000 machines have values of 20 metrics each five
 * minutes for a day.
 */
@Tag("proof")
@Isolated("measures time")
@Timeout(1200)
class SuiteApiVolumesIT {

  private static final int MACHINES = 10_000;
  private static final int METRICS = 20;
  private static final int STEPS = 288;
  private static final int ROUNDS = 7;
  private static final String HEAP = "-Xmx256m";
  private static final Pattern TOKEN = Pattern.compile("plt_[A-Za-z0-9_-]{43}");
  private static final Pattern AFTER = Pattern.compile("->(\\d+)M\\(");

  @TempDir static Path folder;

  private static Instant end;
  private static SampleData data;
  private static ChildJvm service;
  private static HttpClient http;
  private static String url;
  private static String token;

  @BeforeAll
  static void start() throws IOException {
    end = Instant.now().truncatedTo(ChronoUnit.HOURS);
    data = SampleData.create();
    int group =
        data.group(
            "VMWARE",
            "VirtualMachine",
            "cpu",
            IntStream.range(0, METRICS).mapToObj(i -> "metric_" + i).toList());
    data.sql(
        """
        insert into object (uuid, adapter_kind, object_kind, external_id, name, attributes_time, first_seen)
        select ('00000000-0000-0015-0000-' || lpad(to_hex(i), 12, '0'))::uuid, 'VMWARE', 'VirtualMachine', 'vm-' || i, 'vm-' || i, now(), now()
        from generate_series(0, %d - 1) as i
        """
            .formatted(MACHINES));
    data.sql(
        "insert into metric_set (object_id, group_id, instance) select id, %d, '' from object"
            .formatted(group));
    data.sql(
        """
        insert into sample (time, set_id, values)
        select t, s.id, array(select round(random() * 10000) / 100 from generate_series(1, %d) where s.id > 0)
        from generate_series('%s'::timestamptz, '%s'::timestamptz, interval '5 minutes') as t cross join metric_set s
        order by t, s.id
        """
            .formatted(METRICS, end.minus(Duration.ofDays(1)).plusSeconds(300), end));
    data.sql("analyze");
    int port = TestKafka.freePort();
    url = "http://127.0.0.1:" + port;
    Path log = folder.resolve("service.log");
    service =
        new ChildJvm(
            log,
            List.of(HEAP, "-Xlog:gc:file=" + folder.resolve("gc.log")),
            Application.class,
            List.of(
                "--server.address=127.0.0.1",
                "--server.port=" + port,
                "--spring.datasource.url=" + data.database().jdbcUrl(),
                "--spring.datasource.username=" + data.database().user(),
                "--spring.datasource.password=" + data.database().password(),
                "--peerlens.series.max-values=20000000",
                "--peerlens.roles=api"));
    service.start();
    await()
        .atMost(Duration.ofSeconds(120))
        .ignoreExceptions()
        .until(() -> new ApiClient(url, null).get("//health").status() == 200);
    Matcher found = TOKEN.matcher(Files.readString(log));
    assertThat(found.find()).isTrue();
    token = found.group();
    http = HttpClient.newHttpClient();
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
    if (http != null) {
      http.close();
    }
    if (data != null) {
      data.close();
    }
  }

  private static String machines(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"" + new UUID(21, i) + "\"")
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String metrics(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"cpu|metric_" + i + "\"")
        .collect(Collectors.joining(",", "[", "]"));
  }

  /** An answer that was read to its end and thrown away. */
  private record Read(double millis, long bytes) {}

  private static Read read(String path, String body) throws Exception {
    long began = System.nanoTime();
    HttpResponse<InputStream> response =
        http.send(
            HttpRequest.newBuilder(URI.create(url + path))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token)
                .POST(BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofInputStream());
    long bytes = 0;
    try (InputStream in = response.body()) {
      if (response.statusCode() != 200) {
        throw new AssertionError(path + ": " + new String(in.readAllBytes()));
      }
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        bytes += n;
      }
    }
    return new Read((System.nanoTime() - began) / 1e6, bytes);
  }

  private static String stats(int machines, int metrics, String more) {
    return "{\"resourceId\": %s, \"statKey\": %s, \"begin\": %d, \"end\": %d%s}"
        .formatted(
            machines(machines),
            metrics(metrics),
            end.minus(Duration.ofDays(1)).toEpochMilli(),
            end.toEpochMilli(),
            more);
  }

  @Test
  void aThousandMachinesTakeAtMostHalfLongerThanWithOurOwnApi() throws Exception {
    String own =
        "{\"objects\": %s, \"metrics\": %s, \"from\": \"%s\", \"to\": \"%s\", \"step\": \"5m\"}"
            .formatted(machines(1000), metrics(10), end.minus(Duration.ofDays(1)), end);
    String rolled =
        stats(
            1000,
            10,
            ", \"rollUpType\": \"AVG\", \"intervalType\": \"MINUTES\", \"intervalQuantifier\": 5");
    String plain = stats(1000, 10, "");
    double[][] millis = new double[3][ROUNDS];
    long[] bytes = new long[3];
    for (int round = -2; round < ROUNDS; round++) {
      Read[] each = {
        read("/api/v1/series/query", own),
        read("/suite-api/api/resources/stats/query", rolled),
        read("/suite-api/api/resources/stats/query", plain)
      };
      for (int i = 0; i < each.length; i++) {
        if (round >= 0) {
          millis[i][round] = each[i].millis();
        }
        bytes[i] = each[i].bytes();
      }
    }
    String[] names = {"/series/query", "stats/query of averages", "stats/query of values"};
    double first = median(millis[0]);
    System.out.println("| 1,000 machines x 10 keys x 24 h | median | least | of ours | MB |");
    System.out.println("|---|--:|--:|--:|--:|");
    for (int i = 0; i < names.length; i++) {
      System.out.printf(
          Locale.ROOT,
          "| %s | %.0f ms | %.0f ms | %.2f | %.1f |%n",
          names[i],
          median(millis[i]),
          millis[i][0],
          median(millis[i]) / first,
          bytes[i] / 1e6);
    }
    assertThat(median(millis[1]) / first).isLessThanOrEqualTo(1.5);
  }

  /** The median; the least is first afterwards. */
  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  @Test
  void anAnswerOfTenThousandMachinesIsWrittenInBoundedMemory() throws Exception {
    System.out.println(
        "| machines x 20 keys x 24 h | values | MB | seconds | heap after collections |");
    System.out.println("|---|--:|--:|--:|--:|");
    int small = run(1000);
    int large = run(MACHINES);
    assertThat(service.isRunning()).isTrue();
    assertThat(Files.readString(folder.resolve("service.log"))).doesNotContain("OutOfMemoryError");
    assertThat(large).isLessThanOrEqualTo(small * 3 / 2 + 32);
  }

  /** Reads values and returns how much of the heap was in use after a collection, in MB. */
  private static int run(int machines) throws Exception {
    String body = stats(machines, METRICS, "");
    int before = collections().size();
    Read read = read("/suite-api/api/resources/stats/query", body);
    int most = collections().stream().skip(before).mapToInt(Integer::intValue).max().orElse(0);
    System.out.printf(
        Locale.ROOT,
        "| %,d | %,d | %.0f | %.1f | %d MB |%n",
        machines,
        (long) machines * METRICS * STEPS,
        read.bytes() / 1e6,
        read.millis() / 1e3,
        most);
    // A time and a value of each.
    assertThat(read.bytes()).isGreaterThan((long) machines * METRICS * STEPS * 15);
    return most;
  }

  private static List<Integer> collections() throws IOException {
    return AFTER
        .matcher(Files.readString(folder.resolve("gc.log")))
        .results()
        .map((MatchResult one) -> Integer.parseInt(one.group(1)))
        .toList();
  }
}
