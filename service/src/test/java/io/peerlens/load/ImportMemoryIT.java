package io.peerlens.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.Application;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.ChildJvm;
import io.peerlens.support.TestDatabase;
import io.peerlens.support.TestKafka;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that would come to gigabytes of objects are refused by a service with a third of the heap
 * that it has as shipped, one by one and many at once, and it goes on.
 */
@Timeout(300)
class ImportMemoryIT {

  private static final String HEAP = "-Xmx384m";
  private static final Pattern TOKEN = Pattern.compile("plt_[A-Za-z0-9_-]{43}");
  private static final String JSON = "application/json";

  @Test
  void filesOfMillionsOfObjectsAreRefusedWithoutHarm(@TempDir Path folder) throws Exception {
    TestDatabase database = TestDatabase.create();
    int port = TestKafka.freePort();
    Path log = folder.resolve("service.log");
    try (ChildJvm service =
        new ChildJvm(
            log,
            List.of(HEAP),
            Application.class,
            List.of(
                "--server.address=127.0.0.1",
                "--server.port=" + port,
                "--spring.datasource.url=" + database.jdbcUrl(),
                "--spring.datasource.username=" + database.user(),
                "--spring.datasource.password=" + database.password(),
                "--peerlens.roles=api"))) {
      service.start();
      String url = "http://127.0.0.1:" + port;
      await()
          .atMost(Duration.ofSeconds(120))
          .ignoreExceptions()
          .until(() -> new ApiClient(url, null).get("//health").status() == 200);
      Matcher token = TOKEN.matcher(Files.readString(log));
      assertThat(token.find()).isTrue();
      ApiClient admin = new ApiClient(url, token.group());

      byte[] rules =
          dense("{\"format\":\"peerlens-rules\",\"version\":1,\"thresholds\":[", "{}", "]}", 27);
      Answer refused = admin.upload("/rules/import?dryRun=true", JSON, rules);
      assertThat(refused.status()).as(refused.body()).isEqualTo(413);
      assertThat(refused.body()).contains("1,000,000 names, values and brackets");
      assertThat(refused.json().path("hint").asString()).contains("in parts");

      byte[] superMetrics =
          dense(
              "{\"" + UUID.randomUUID() + "\":{\"name\":\"n\",\"formula\":\"1\",\"x\":[",
              "{}",
              "]}}",
              27);
      refused = admin.upload("/super-metrics/import?dryRun=true", JSON, superMetrics);
      assertThat(refused.status()).as(refused.body()).isBetween(400, 499);

      for (byte[] bomb : List.of(zip(2000, new byte[1 << 20]), zip(60, documents()))) {
        refused = admin.upload("/super-metrics/import?dryRun=true", "application/zip", bomb);
        assertThat(refused.status()).as(refused.body()).isBetween(400, 499);
      }

      List<Future<Answer>> answers = new ArrayList<>();
      try (ExecutorService clients = Executors.newFixedThreadPool(8)) {
        Callable<Answer> upload = () -> admin.upload("/rules/import?dryRun=true", JSON, rules);
        for (int i = 0; i < 8; i++) {
          answers.add(clients.submit(upload));
        }
      }
      for (Future<Answer> answer : answers) {
        assertThat(answer.get().status()).isIn(413, 503);
        if (answer.get().status() == 503) {
          assertThat(answer.get().header("Retry-After")).isNotEmpty();
        }
      }

      assertThat(new ApiClient(url, null).get("//health").status()).isEqualTo(200);
      Answer good =
          admin.upload(
              "/rules/import?dryRun=true",
              JSON,
              "{\"format\":\"peerlens-rules\",\"version\":1}".getBytes(StandardCharsets.UTF_8));
      assertThat(good.status()).as(good.body()).isEqualTo(200);
      assertThat(service.isRunning()).isTrue();
      assertThat(Files.readString(log)).doesNotContain("OutOfMemoryError");
    }
  }

  private static byte[] dense(String begin, String item, String end, int megabytes) {
    StringBuilder text = new StringBuilder(begin);
    while (text.length() < megabytes << 20) {
      text.append(item).append(',');
    }
    return text.append(item).append(end).toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Half a million of brackets in super metrics that are good by themselves. */
  private static byte[] documents() {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < 10; i++) {
      text.append(i == 0 ? "" : ",")
          .append(
              "\"" + UUID.randomUUID() + "\":{\"name\":\"n" + i + "\",\"formula\":\"1\",\"x\":[")
          .append("{},".repeat(20_000))
          .append("{}]}");
    }
    return text.append("}").toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] zip(int entries, byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (int i = 0; i < entries; i++) {
        zip.putNextEntry(new ZipEntry("supermetrics/" + i));
        zip.write(content);
        zip.closeEntry();
      }
    }
    return bytes.toByteArray();
  }
}
