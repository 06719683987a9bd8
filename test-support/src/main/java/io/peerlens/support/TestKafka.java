package io.peerlens.support;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.awaitility.Awaitility;

/**
 * A real Kafka broker (KRaft, one node): in the JVM of the tests, or, by {@link #main}, in one of
 * its own that can be killed. Its data stay in its folder; what it acknowledged is with the
 * operating system, so that killing the process loses nothing.
 */
public final class TestKafka {

  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private final KafkaRaftServer server;
  private final int port;

  private TestKafka(KafkaRaftServer server, int port) {
    this.server = server;
    this.port = port;
  }

  /** The broker that the tests of this JVM share; every test makes topics of its own. */
  public static TestKafka shared() {
    return Shared.BROKER;
  }

  /** Starts a broker on a folder, made or used before. */
  public static TestKafka start(Path folder, int port, int controllerPort) {
    try {
      if (!Files.exists(folder.resolve("meta.properties"))) {
        format(folder);
      }
    } catch (Exception e) { // declared by the formatter
      throw new IllegalStateException("The broker's folder cannot be set up", e);
    }
    KafkaRaftServer server =
        new KafkaRaftServer(new KafkaConfig(settings(folder, port, controllerPort)), Time.SYSTEM);
    server.startup();
    return new TestKafka(server, port);
  }

  /** Runs a broker until it is killed: folder, port, controller's port. */
  public static void main(String[] args) {
    start(Path.of(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
  }

  /** {@code host:port}. */
  public String bootstrap() {
    return "127.0.0.1:" + port;
  }

  /** Makes a topic with so many partitions. */
  public void createTopic(String name, int partitions) {
    createTopic(bootstrap(), name, partitions);
  }

  /** Makes a topic on some broker. */
  public static void createTopic(String bootstrap, String name, int partitions) {
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap))) {
      admin
          .createTopics(List.of(new NewTopic(name, Optional.of(partitions), Optional.empty())))
          .all()
          .get();
      // Made is not ready: what is sent before a partition's leader answers may come out of order,
      // which an idempotent producer then tries to mend for ever.
      Map<TopicPartition, OffsetSpec> ends =
          IntStream.range(0, partitions)
              .mapToObj(partition -> new TopicPartition(name, partition))
              .collect(Collectors.toMap(p -> p, p -> OffsetSpec.latest()));
      Awaitility.await("leaders of " + name)
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptions()
          .until(() -> admin.listOffsets(ends).all().get().size() == partitions);
    } catch (ExecutionException e) {
      throw new IllegalStateException("Topic " + name + " was not made", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * A port of the loopback interface that nobody uses now. It is none of those that the system
   * gives to outgoing connections, so that a server which is killed finds it free when it starts
   * again.
   */
  public static int freePort() {
    for (int attempt = 0; attempt < 1000; attempt++) {
      int port = 15_000 + ThreadLocalRandom.current().nextInt(17_000);
      if (GIVEN.add(port)) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
          return socket.getLocalPort();
        } catch (IOException e) {
          // somebody has it
        }
      }
    }
    throw new IllegalStateException("No free port");
  }

  private static void format(Path folder) throws Exception {
    Files.createDirectories(folder);
    new Formatter()
        .setNodeId(1)
        .setClusterId(Uuid.randomUuid().toString())
        .setDirectories(List.of(folder.toString()))
        .setMetadataLogDirectory(folder.toString())
        .setReleaseVersion(MetadataVersion.latestProduction())
        .setControllerListenerName("CONTROLLER")
        .setIgnoreFormatted(true)
        .setPrintStream(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
        .run();
  }

  private static Properties settings(Path folder, int port, int controllerPort) {
    Properties p = new Properties();
    p.put("process.roles", "broker,controller");
    p.put("node.id", "1");
    p.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
    p.put("controller.listener.names", "CONTROLLER");
    p.put(
        "listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
    p.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
    p.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    p.put("log.dirs", folder.toString());
    p.put("default.replication.factor", "1");
    p.put("min.insync.replicas", "1");
    p.put("offsets.topic.replication.factor", "1");
    p.put("offsets.topic.num.partitions", "1");
    p.put("transaction.state.log.replication.factor", "1");
    p.put("transaction.state.log.min.isr", "1");
    p.put("transaction.state.log.num.partitions", "1");
    p.put("share.coordinator.state.topic.replication.factor", "1");
    p.put("share.coordinator.state.topic.min.isr", "1");
    p.put("group.initial.rebalance.delay.ms", "0");
    p.put("auto.create.topics.enable", "false");
    p.put("log.retention.ms", "-1"); // records carry the time of their samples
    p.put("log.message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE));
    p.put("log.segment.bytes", Integer.toString(64 << 20));
    p.put("log.roll.hours", Integer.toString(10 * 365 * 24));
    p.put("num.network.threads", "2");
    p.put("num.io.threads", "2");
    p.put("broker.session.timeout.ms", "3000");
    p.put("broker.heartbeat.interval.ms", "500");
    p.put("controller.quorum.election.timeout.ms", "300");
    p.put("controller.quorum.fetch.timeout.ms", "1000");
    return p;
  }

  private static final class Shared {
    static final TestKafka BROKER = create();

    private static TestKafka create() {
      try {
        Path folder = Files.createTempDirectory("peerlens-kafka");
        TestKafka broker = start(folder, freePort(), freePort());
        Runtime.getRuntime()
            .addShutdownHook(
                new Thread(
                    () -> {
                      broker.server.shutdown();
                      broker.server.awaitShutdown();
                      deleteTree(folder);
                    }));
        return broker;
      } catch (IOException e) {
        throw new IllegalStateException("No folder for the broker", e);
      }
    }
  }

  /** Removes a folder and what is in it, as far as it can. */
  public static void deleteTree(Path folder) {
    try (var files = Files.walk(folder)) {
      files.sorted(java.util.Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      // it is in a folder for temporary files
    }
  }
}
