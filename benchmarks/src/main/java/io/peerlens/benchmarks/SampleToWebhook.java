package io.peerlens.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * How long it is from a sample above a limit, sent to Kafka as Telegraf sends it, until a webhook
 * has the notification: through a whole installation that runs elsewhere, for instance {@code
 * ./peerlens} with its sample datacentre, judged every five seconds.
 *
 * <pre>
 * java io.peerlens.benchmarks.SampleToWebhook URL TOKEN BOOTSTRAP [SECONDS] [PER_SECOND]
 * </pre>
 *
 * The token is an administrator's, and the installation must allow webhooks to 127.0.0.1
 * (`peerlens.notify.egress.allow`). What the program defines it removes.
 */
public final class SampleToWebhook {

  private static final Pattern HOST = Pattern.compile("latency-probe-\\d+");
  private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");

  private static final int INTERVAL = 5;

  private final HttpClient http = HttpClient.newHttpClient();
  private final String url;
  private final String token;

  private SampleToWebhook(String url, String token) {
    this.url = url + "/api/v1";
    this.token = token;
  }

  /** Defines what is needed, sends samples and prints how long they took. */
  public static void main(String[] args) throws Exception {
    if (args.length < 3) {
      System.err.println("usage: SampleToWebhook URL TOKEN BOOTSTRAP [SECONDS] [PER_SECOND]");
      System.exit(2);
    }
    int seconds = args.length > 3 ? Integer.parseInt(args[3]) : 120;
    int perSecond = args.length > 4 ? Integer.parseInt(args[4]) : 10;
    new SampleToWebhook(args[0], args[1]).measure(args[2], seconds, perSecond);
  }

  private void measure(String bootstrap, int seconds, int perSecond) throws Exception {
    Map<String, Long> sent = new ConcurrentHashMap<>();
    List<String> made = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "linger.ms", "5"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        WebhookSink sink = new WebhookSink(SampleToWebhook::host, "")) {
      // The hosts are known before, so that what is measured is not how new objects come in.
      int probes = seconds * perSecond;
      long ready = InstantSource.system().millis() + 60_000;
      while (InstantSource.system().millis() < ready) {
        for (int i = 0; i < probes; i++) {
          send(producer, i, 0);
        }
        Thread.sleep(20_000);
      }
      define(sink.url("/"), made);
      Thread.sleep(30_000);
      long begin = System.nanoTime();
      for (int i = 0; i < probes; ) {
        int due = (int) Math.min(probes, (System.nanoTime() - begin) * perSecond / 1_000_000_000L);
        for (; i < due; i++) {
          sent.put(name(i), System.nanoTime());
          send(producer, i, 100);
        }
        Thread.sleep(5);
      }
      long end = System.nanoTime() + 120_000_000_000L;
      while (sink.at("/").nanos().size() < probes && System.nanoTime() < end) {
        Thread.sleep(100);
      }
      List<Double> took = new ArrayList<>();
      sink.at("/")
          .nanos()
          .forEach((host, at) -> took.add((at - sent.getOrDefault(host, at)) / 1e9));
      System.out.printf(
          Locale.ROOT,
          "%,d samples, %,d notifications; from sample to webhook %s%n",
          probes,
          took.size(),
          Figures.spread(took));
    } finally {
      for (String path : made.reversed()) {
        remove(path);
      }
    }
  }

  private static @Nullable String host(String body) {
    Matcher matcher = HOST.matcher(body);
    return body.contains("\"NEW\"") && matcher.find() ? matcher.group() : null;
  }

  private static String name(int probe) {
    return "latency-probe-" + probe;
  }

  private static void send(KafkaProducer<byte[], byte[]> producer, int probe, int value) {
    String line =
        "latency_probe,host=%s value=%d %d000000"
            .formatted(name(probe), value, InstantSource.system().millis());
    producer.send(
        new ProducerRecord<>(
            "peerlens.metrics",
            name(probe).getBytes(StandardCharsets.UTF_8),
            line.getBytes(StandardCharsets.UTF_8)));
  }

  private void define(String receiver, List<String> made) throws Exception {
    String threshold =
        create(
            "/thresholds",
            """
            {"name": "Latency probe", "objectKind": {"adapterKind": "Telegraf", "objectKind": "Host"}, "interval": "%ds",
             "condition": {"type": "metric", "key": "latency_probe|value", "operator": "gt",
               "levels": [{"severity": "warning", "bound": {"type": "number", "value": 50}}]},
             "trigger": {"violations": 1, "of": 1, "minimumDuration": "0s"}, "alert": {"impact": "health"}}
            """
                .formatted(INTERVAL),
            made);
    String target =
        create(
            "/notification-targets",
            """
            {"name": "Latency probe", "type": "webhook", "webhook": {"url": "%s"}}
            """
                .formatted(receiver),
            made);
    create(
        "/notification-rules",
        """
        {"name": "Latency probe", "template": "generic-json", "targets": ["%s"], "definitions": ["%s"], "events": ["NEW"]}
        """
            .formatted(target, threshold),
        made);
  }

  private String create(String path, String definition, List<String> made) throws Exception {
    Matcher id = ID.matcher(call("POST", path, definition, "*").body());
    if (!id.find()) {
      throw new IOException("No id in the answer to POST " + path);
    }
    made.add(path + "/" + id.group(1));
    return id.group(1);
  }

  private void remove(String path) throws Exception {
    String etag = call("GET", path, null, "*").headers().firstValue("ETag").orElse("*");
    call("DELETE", path, null, etag);
  }

  private HttpResponse<String> call(String method, String path, @Nullable String body, String etag)
      throws Exception {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(url + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .header("If-Match", etag)
                .method(
                    method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    if (answer.statusCode() >= 300) {
      throw new IOException(
          "%s %s: %d %s".formatted(method, path, answer.statusCode(), answer.body()));
    }
    return answer;
  }
}
