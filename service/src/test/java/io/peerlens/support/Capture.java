package io.peerlens.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.node.Role;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What a collector really sent, as lines of text. Captures have no licence to be copied, so they
 * lie outside this repository; where there are none, tests of them are skipped and say so.
 */
public final class Capture {

  /** The folder of captures and of published files. */
  public static final Path CORPUS = Path.of("../../shared/corpus").toAbsolutePath().normalize();

  private final Path file;
  private long sent;

  private Capture(Path file) {
    this.file = file;
  }

  /**
   * A capture that is there; else the test is skipped.
   *
   * @param name within {@link #CORPUS}
   */
  public static Capture orSkip(String name) {
    Path file = CORPUS.resolve(name);
    if (!Files.exists(file)) {
      System.err.println("SKIPPED: no capture " + name + " in the corpus");
    }
    assumeTrue(Files.exists(file), "no capture " + name);
    return new Capture(file);
  }

  /** How many lines were sent. */
  public long sent() {
    return sent;
  }

  /**
   * A server that has stored all of it.
   *
   * @param keys key of the Kafka record for each line
   */
  public PeerlensServer stored(UnaryOperator<String> keys) throws IOException {
    String topic = "capture-" + UUID.randomUUID();
    TestKafka.shared().createTopic(topic, 2);
    send(topic, keys);
    PeerlensServer server =
        PeerlensServer.start(
            TestDatabase.migrated(),
            Set.of(Role.INGEST, Role.API),
            "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
            "peerlens.ingest.topic=" + topic,
            "peerlens.ingest.group=" + topic);
    JdbcClient jdbc = server.context().getBean(JdbcClient.class);
    Awaitility.await("all records stored")
        .atMost(Duration.ofMinutes(3))
        .until(
            () ->
                jdbc.sql("select coalesce(sum(next_offset), 0) from kafka_offset")
                        .query(Long.class)
                        .single()
                    == sent);
    return server;
  }

  private void send(String topic, UnaryOperator<String> keys) throws IOException {
    try (KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                Map.of(
                    ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, TestKafka.shared().bootstrap(),
                    ProducerConfig.LINGER_MS_CONFIG, 20,
                    ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName(),
                    ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                        ByteArraySerializer.class.getName()));
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(
                    new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        var unused =
            producer.send(
                new ProducerRecord<>(
                    topic,
                    keys.apply(line).getBytes(StandardCharsets.UTF_8),
                    (line + "\n").getBytes(StandardCharsets.UTF_8)));
        sent++;
      }
      producer.flush();
    }
  }
}
