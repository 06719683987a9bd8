package io.peerlens.standalone;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * A real Kafka broker in this process: one node that is broker and controller, on this machine's
 * loopback address only.
 *
 * <p>In this process rather than beside it: it shares one heap and one life with the service, so
 * there is nothing to find and stop after a crash. What it had acknowledged is with the operating
 * system, and a killed process loses nothing of it.
 */
final class KafkaBroker implements AutoCloseable {

  /** What one partition may hold before the oldest goes: a laptop's disk stays free. */
  private static final long RETENTION_BYTES = 256L << 20;

  private static final int SEGMENT_BYTES = 64 << 20;
  private static final int NODE = 1;

  /** A topic that the standalone edition makes. */
  private record Topic(String name, int partitions) {}

  private static final List<Topic> TOPICS =
      List.of(
          new Topic("peerlens.metrics", 4),
          new Topic("peerlens.dead-letter", 1),
          new Topic("peerlens.flows", 4),
          new Topic("peerlens.events", 1));

  private final KafkaRaftServer server;
  private final int port;

  private KafkaBroker(KafkaRaftServer server, int port) {
    this.server = server;
    this.port = port;
  }

  /**
   * Starts the broker on {@code 127.0.0.1:port}; returns when it serves and the topics exist.
   *
   * @param folder keeps its data over restarts
   */
  static KafkaBroker start(Path folder, int port) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    int controllerPort = Ports.anyFree();
    Properties settings = settings(folder, port, controllerPort);
    if (!Files.exists(folder.resolve("meta.properties"))) {
      format(folder);
    }
    KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(settings), Time.SYSTEM);
    try {
      server.startup();
      KafkaBroker broker = new KafkaBroker(server, port);
      ensureTopics(broker.bootstrap(), Optional.of((short) 1));
      return broker;
    } catch (RuntimeException e) {
      server.shutdown();
      throw e;
    }
  }

  String bootstrap() {
    return "127.0.0.1:" + port;
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }

  private static void format(Path folder) throws IOException {
    try {
      new Formatter()
          .setNodeId(NODE)
          .setClusterId(Uuid.randomUuid().toString())
          .setDirectories(List.of(folder.toString()))
          .setMetadataLogDirectory(folder.toString())
          .setReleaseVersion(MetadataVersion.latestProduction())
          .setControllerListenerName("CONTROLLER")
          .setIgnoreFormatted(true)
          .setPrintStream(
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
          .run();
    } catch (Exception e) { // declared by the formatter
      throw new IOException("The broker's folder " + folder + " cannot be set up", e);
    }
  }

  private static Properties settings(Path folder, int port, int controllerPort) {
    Properties p = new Properties();
    p.put("process.roles", "broker,controller");
    p.put("node.id", Integer.toString(NODE));
    p.put("controller.quorum.voters", NODE + "@127.0.0.1:" + controllerPort);
    p.put("controller.listener.names", "CONTROLLER");
    p.put(
        "listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
    p.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
    p.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    p.put("log.dirs", folder.toString());
    // One node: nothing to replicate to, and internal topics as small as they can be.
    p.put("default.replication.factor", "1");
    p.put("min.insync.replicas", "1");
    p.put("offsets.topic.replication.factor", "1");
    p.put("offsets.topic.num.partitions", "1");
    p.put("transaction.state.log.replication.factor", "1");
    p.put("transaction.state.log.min.isr", "1");
    p.put("transaction.state.log.num.partitions", "1");
    p.put("share.coordinator.state.topic.replication.factor", "1");
    p.put("share.coordinator.state.topic.min.isr", "1");
    p.put("share.coordinator.state.topic.num.partitions", "1");
    p.put("group.initial.rebalance.delay.ms", "0");
    p.put("auto.create.topics.enable", "false");
    p.put("authorizer.class.name", RecordGate.class.getName());
    p.put("log.segment.bytes", Integer.toString(SEGMENT_BYTES));
    p.put("log.retention.bytes", Long.toString(RETENTION_BYTES));
    p.put("log.retention.check.interval.ms", "60000");
    // Records carry the time of their samples, weeks old or in the future. Nothing may depend on
    // it:
    // retention by time would drop them unread, rolling by time would make thousands of segments.
    p.put("log.retention.ms", "-1");
    p.put("log.roll.hours", Integer.toString(10 * 365 * 24));
    p.put("log.message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE));
    p.put("metadata.log.segment.bytes", Integer.toString(16 << 20));
    p.put("metadata.max.retention.bytes", Integer.toString(64 << 20));
    // The defaults are for a machine of its own.
    p.put("num.network.threads", "2");
    p.put("num.io.threads", "4");
    p.put("background.threads", "2");
    p.put("num.recovery.threads.per.data.dir", "2");
    p.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 << 20));
    p.put("queued.max.requests", "100");
    // After a kill the controller waits this long for the old broker before it accepts the new one.
    p.put("broker.session.timeout.ms", "3000");
    p.put("broker.heartbeat.interval.ms", "500");
    p.put("controller.quorum.election.timeout.ms", "300");
    p.put("controller.quorum.fetch.timeout.ms", "1000");
    return p;
  }

  private static Refusal silent(String bootstrap) {
    return new Refusal(
        "Kafka at "
            + bootstrap
            + " does not answer. Check host and port, and that the broker advertises an address"
            + " that can be reached from here.");
  }

  /** Kafka's own exceptions often say only what failed; the innermost one says why. */
  static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }

  /**
   * Makes the topics that are missing.
   *
   * @param replication empty = what the broker is set to
   */
  static void ensureTopics(String bootstrap, Optional<Short> replication)
      throws InterruptedException {
    Map<String, Object> settings = new HashMap<>();
    settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 20_000);
    settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    try (Admin admin = Admin.create(settings)) {
      Set<String> there = admin.listTopics().names().get(30, TimeUnit.SECONDS);
      List<NewTopic> missing = new ArrayList<>();
      for (Topic topic : TOPICS) {
        if (!there.contains(topic.name())) {
          missing.add(new NewTopic(topic.name(), Optional.of(topic.partitions()), replication));
        }
      }
      if (!missing.isEmpty()) {
        admin.createTopics(missing).all().get(30, TimeUnit.SECONDS);
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof org.apache.kafka.common.errors.TimeoutException) {
        throw silent(bootstrap);
      }
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw new Refusal(
            "Kafka at " + bootstrap + " refused to list or make topics: " + reason(e));
      }
    } catch (TimeoutException e) {
      throw silent(bootstrap);
    } catch (KafkaException e) {
      throw new Refusal("Kafka at " + bootstrap + " cannot be used: " + reason(e));
    }
  }
}
