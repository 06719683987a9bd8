package io.peerlens.ingest.kafka;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;

/**
 * A real Kafka broker in the JVM of the tests, on loopback at a random port. One for all tests of a
 * JVM: each makes topics of its own. Its folder goes with the JVM.
 */
public final class KafkaBroker {

  private static @Nullable KafkaBroker running;

  private final int port;

  private KafkaBroker(int port) {
    this.port = port;
  }

  /** The broker of this JVM, started when first asked for. */
  public static synchronized KafkaBroker get() {
    KafkaBroker broker = running;
    if (broker == null) {
      broker = start();
      running = broker;
    }
    return broker;
  }

  public String bootstrap() {
    return "127.0.0.1:" + port;
  }

  /** Makes a topic. */
  public void createTopic(String name, int partitions) throws InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap()))) {
      admin
          .createTopics(
              List.of(new NewTopic(name, Optional.of(partitions), Optional.of((short) 1))))
          .all()
          .get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  /** A producer of bytes; to be closed by the caller. */
  public KafkaProducer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        // Idempotence needs state in the broker that a fresh topic sometimes lacks.
        Map.of("bootstrap.servers", bootstrap(), "acks", "all", "enable.idempotence", "false"),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private static KafkaBroker start() {
    try {
      Path folder = Files.createTempDirectory("kafka-test");
      int port = freePort();
      int controllerPort = freePort();
      new Formatter()
          .setNodeId(1)
          .setClusterId(Uuid.randomUuid().toString())
          .setDirectories(List.of(folder.toString()))
          .setMetadataLogDirectory(folder.toString())
          .setReleaseVersion(MetadataVersion.latestProduction())
          .setControllerListenerName("CONTROLLER")
          .setPrintStream(
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
          .run();
      Properties p = new Properties();
      p.put("process.roles", "broker,controller");
      p.put("node.id", "1");
      p.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
      p.put("controller.listener.names", "CONTROLLER");
      p.put(
          "listeners",
          "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
      p.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
      p.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
      p.put("log.dirs", folder.toString());
      p.put("offsets.topic.replication.factor", "1");
      p.put("offsets.topic.num.partitions", "1");
      p.put("transaction.state.log.replication.factor", "1");
      p.put("transaction.state.log.min.isr", "1");
      p.put("transaction.state.log.num.partitions", "1");
      p.put("group.initial.rebalance.delay.ms", "0");
      p.put("group.min.session.timeout.ms", "1000");
      p.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 << 20));
      p.put("num.io.threads", "2");
      p.put("num.network.threads", "2");
      p.put("controlled.shutdown.enable", "false");
      KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(p), Time.SYSTEM);
      server.startup();
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    server.shutdown();
                    server.awaitShutdown();
                    delete(folder);
                  }));
      return new KafkaBroker(port);
    } catch (Exception e) { // declared by the formatter
      throw new IllegalStateException("The broker does not start", e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void delete(Path folder) {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
