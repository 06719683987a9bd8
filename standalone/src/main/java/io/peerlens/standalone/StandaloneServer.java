package io.peerlens.standalone;

import io.peerlens.Application;
import io.peerlens.job.Jobs;
import io.peerlens.notify.secret.KeyRing;
import io.peerlens.samples.DiskSpace;
import io.peerlens.samples.IngestPause;
import io.peerlens.security.FirstAdminTokenSink;
import io.peerlens.standalone.sample.SampleFeed;
import io.peerlens.standalone.sample.SampleRetention;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import javax.sql.DataSource;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Exit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * One running standalone edition. Parts start as soon as what they need is there and stop in the
 * opposite order: samples, service, broker, database, lock.
 */
final class StandaloneServer implements AutoCloseable {

  /** Begins the line that says that the pages answer; {@link Detached} waits for it. */
  static final String READY = "Peerlens is ready:";

  /** Begins the last line of the start. */
  static final String STOP_HINT = "Stop with Ctrl-C";

  private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(5);

  private final Options options;
  private final Console console;
  private final Deque<Part> parts = new ArrayDeque<>();
  private boolean closed;
  private volatile boolean running;
  private @Nullable DiskGuard guard;
  private @Nullable Https https;
  private String url = "";
  private @Nullable String firstAdminToken;

  private record Part(String name, AutoCloseable stop) {}

  private StandaloneServer(Options options, Console console) {
    this.options = options;
    this.console = console;
  }

  /** Starts everything and stays until the process is told to stop. */
  static void runUntilStopped(Options options, Console console) throws InterruptedException {
    StandaloneServer server = new StandaloneServer(options, console);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  boolean tell = server.running;
                  if (tell) {
                    console.line("Peerlens is stopping ...");
                  }
                  server.close();
                  if (tell) {
                    console.line("Peerlens has stopped.");
                  }
                },
                "stop"));
    Exit.setHaltProcedure(
        (status, message) -> {
          console.line(gaveUp(options.data().toAbsolutePath().normalize(), message));
          Runtime.getRuntime().halt(1);
        });
    server.start();
    new CountDownLatch(1).await();
  }

  /** What to say when the broker ends the process. */
  private static String gaveUp(Path data, @Nullable String message) {
    if (DiskGuard.isFull(data)) {
      return DiskGuard.full(data);
    }
    return "The Kafka broker had to give up"
        + (message == null ? "" : ": " + message)
        + ". The log says why: "
        + data.resolve("logs").resolve("peerlens.log");
  }

  /** Starts everything and returns when the pages answer. */
  static StandaloneServer start(Options options, Console console) throws InterruptedException {
    StandaloneServer server = new StandaloneServer(options, console);
    server.start();
    return server;
  }

  /** Where the pages are. */
  String url() {
    return url;
  }

  private void start() throws InterruptedException {
    try {
      startParts();
    } catch (RuntimeException | InterruptedException e) {
      close();
      throw e;
    }
  }

  private void startParts() throws InterruptedException {
    final long startedAt = System.currentTimeMillis();
    final long begin = System.nanoTime();
    Ports.require(options);
    DataDirectory data = DataDirectory.open(options.data());
    started("lock", data);
    logTo(data.logFile());
    console.line("Peerlens is starting; data in " + data.root());
    try {
      DiskGuard.prepare(data.root());
    } catch (IOException e) {
      throw new Refusal("The data directory " + data.root() + " cannot be used: " + e);
    }
    if (options.https() != null) {
      https = Https.prepare(data, options.https(), Instant.now());
    }

    FutureTask<Optional<PostgresServer>> postgresTask =
        inBackground("postgres", () -> startPostgres(data));
    FutureTask<String> kafkaTask = inBackground("kafka", () -> startKafka(data));
    // Wait for both before a failure of one is reported, so that everything started is known.
    List<RuntimeException> failures = new ArrayList<>();
    Optional<PostgresServer> postgres =
        result(postgresTask, "PostgreSQL", failures).orElse(Optional.empty());
    String kafka = result(kafkaTask, "Kafka", failures).orElse("");
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }

    guard = new DiskGuard(data.root(), () -> DiskSpace.of(data.root()), RecordGate::close, console);
    started("disk guard", guard);
    guard.start();

    long serviceBegin = System.nanoTime();
    ConfigurableApplicationContext service = startService(data, postgres, kafka);
    started("service", service);
    url =
        "http://localhost:"
            + Objects.requireNonNull(((WebServerApplicationContext) service).getWebServer())
                .getPort();
    ApiClient.awaitPages(URI.create(url));
    console.step("Service", "answers", since(serviceBegin));
    data.announce(new DataDirectory.Run(ProcessHandle.current().pid(), url, kafka, startedAt));
    started("announcement", data::withdraw);
    console.line(
        String.format(
            Locale.ROOT, "%s %s  (%.1f s)", READY, url, since(begin).toMillis() / 1000.0));
    if (https != null) {
      https.lines(Instant.now()).forEach(console::line);
    }
    String paused = service.getBean(IngestPause.class).get();
    if (!paused.isEmpty()) {
      console.line("Ingest is paused: " + paused);
    }
    if (firstAdminToken != null) {
      console.line("Admin token, to sign in with, shown this once: " + firstAdminToken);
      console.line(
          "Claude Code, VS Code and other assistants ask at %s/mcp: docs/assistants.md says how."
              .formatted(url));
    } else if (!Files.exists(data.adminTokenFile())) {
      console.line(
          "The database has its tokens already, so none was made. Sign in with one of them; the"
              + " launcher's commands take it from PEERLENS_TOKEN.");
    }
    if (options.sample()) {
      startSample(data, service, kafka);
      if (options.database() == null) {
        installSamplePacks(data);
      }
    }
    running = true;
    console.line(STOP_HINT + " or: ./peerlens stop");
  }

  /**
   * Sends all logging to the file. Spring is told to leave it alone: it would set logging up a
   * second time while the broker is logging already.
   */
  private static void logTo(Path file) {
    System.setProperty("peerlens.log", file.toString());
    System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }

  private Optional<PostgresServer> startPostgres(DataDirectory data)
      throws IOException, InterruptedException {
    if (options.database() != null) {
      ExternalDatabase.check(options.database(), System.getenv());
      return Optional.empty();
    }
    long begin = System.nanoTime();
    PostgresServer server = PostgresServer.start(data);
    started("database", server);
    console.step("PostgreSQL", "127.0.0.1:" + server.port(), since(begin));
    return Optional.of(server);
  }

  private String startKafka(DataDirectory data) throws IOException, InterruptedException {
    if (options.kafka() != null) {
      KafkaBroker.ensureTopics(options.kafka(), Optional.empty());
      return options.kafka();
    }
    long begin = System.nanoTime();
    KafkaBroker broker = KafkaBroker.start(data.root().resolve("kafka"), options.kafkaPort());
    started("broker", broker);
    console.step("Kafka", broker.bootstrap(), since(begin));
    return broker.bootstrap();
  }

  private ConfigurableApplicationContext startService(
      DataDirectory data, Optional<PostgresServer> postgres, String kafka) {
    List<String> settings = new ArrayList<>();
    settings.add("--peerlens.edition.standalone=true");
    settings.add("--peerlens.disk.directory=" + data.root());
    settings.add("--server.port=" + options.port());
    settings.add("--peerlens.ingest.bootstrap-servers=" + kafka);
    if (System.getenv("PEERLENS_SECRETS_KEY") == null
        && System.getenv("PEERLENS_SECRETS_KEYFILE") == null) {
      if (!Files.exists(data.secretsKeyFile())) {
        data.writeSecret(data.secretsKeyFile(), KeyRing.newKeyText(""));
      }
      settings.add("--peerlens.secrets.key-file=" + data.secretsKeyFile());
    }
    if (options.database() != null) {
      settings.add("--spring.datasource.url=" + options.database());
    }
    postgres.ifPresent(
        server -> {
          settings.add("--spring.datasource.url=" + server.jdbcUrl());
          settings.add("--spring.datasource.username=" + PostgresServer.USER);
          settings.add("--spring.datasource.password=" + server.password());
        });
    SpringApplication application = new SpringApplication(Application.class);
    application.addInitializers(
        context -> {
          GenericApplicationContext beans = (GenericApplicationContext) context;
          beans.registerBean(
              FirstAdminTokenSink.class,
              () ->
                  token -> {
                    data.writeSecret(data.adminTokenFile(), token.secret() + "\n");
                    firstAdminToken = token.secret();
                  });
          Https also = https;
          if (also != null) {
            beans.registerBean(Https.class, () -> also);
          }
        });
    // This class stops the parts in order; Spring's own hook would run beside it.
    application.setRegisterShutdownHook(false);
    application.setDefaultProperties(
        Map.of(
            "server.address",
            "127.0.0.1",
            "server.shutdown",
            "immediate",
            // Whoever may add sources here may use this machine anyway.
            "peerlens.collector.egress.allow",
            "127.0.0.0/8,::1",
            "peerlens.collector.egress.ports",
            ""));
    try {
      return application.run(settings.toArray(String[]::new));
    } catch (RuntimeException e) {
      LoggerFactory.getLogger(StandaloneServer.class).error("The service did not start", e);
      throw new Refusal(
          "The service did not start: " + reason(e) + "\nMore is in " + data.logFile());
    }
  }

  /**
   * What to tell of a failed start: the outermost message of our own, which says what to mend; the
   * innermost of all where none is ours.
   */
  static String reason(Throwable failure) {
    Throwable cause = failure;
    while (true) {
      boolean ours = cause.getClass().getName().startsWith("io.peerlens.");
      Throwable inner = cause.getCause();
      if (ours || inner == null || inner == cause) {
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
      }
      cause = inner;
    }
  }

  private void startSample(
      DataDirectory data, ConfigurableApplicationContext service, String kafka) {
    DataSource database = service.getBean(DataSource.class);
    try {
      if (SampleRetention.shorten(database)) {
        console.line(
            "Raw samples are kept "
                + SampleRetention.RAW
                + " here, roll-ups far longer: Settings, Retention.");
      }
      started(
          "sample datacentre",
          new SampleFeed(
              data.root(),
              kafka,
              database,
              service.getBean(Jobs.class),
              Objects.requireNonNull(guard)::isRefusing,
              InstantSource.system(),
              console));
      console.line(
          "A sample datacentre is running: 24 hosts, 300 machines. What there is to find in it: "
              + data.root().resolve("sample-truth.jsonl"));
    } catch (IOException | SQLException | KafkaException e) {
      LoggerFactory.getLogger(StandaloneServer.class).error("No sample datacentre", e);
      console.line("The sample datacentre could not be started: " + e.getMessage());
    }
  }

  private void installSamplePacks(DataDirectory data) throws InterruptedException {
    try {
      SamplePacks.Installed installed =
          SamplePacks.install(
              new ApiClient(URI.create(url), ApiClient.token(data)),
              data.root().resolve("sample-packs.begun"),
              BETWEEN_ATTEMPTS,
              reason ->
                  console.line(
                      "The service is busy; super metrics and rules of the sample follow: "
                          + reason));
      if (installed.superMetrics() > 0) {
        console.line(
            "%d super metrics are installed for it, and %d thresholds and alert definitions; %d groups of peers are watched."
                .formatted(installed.superMetrics(), installed.rules(), installed.groups()));
      }
    } catch (IOException e) {
      LoggerFactory.getLogger(StandaloneServer.class).error("No packs for the sample", e);
      console.line("The sample datacentre has no super metrics and rules: " + e.getMessage());
    }
  }

  private synchronized void started(String name, AutoCloseable stop) {
    Part part = new Part(name, stop);
    if (closed) {
      stop(part);
    } else {
      parts.push(part);
    }
  }

  /** Stops everything that runs, the last first. A second call does nothing. */
  @Override
  public synchronized void close() {
    closed = true;
    while (!parts.isEmpty()) {
      stop(parts.pop());
    }
  }

  private static void stop(Part part) {
    try {
      part.stop().close();
    } catch (Exception e) { // whatever it is, the others have to stop as well
      LoggerFactory.getLogger(StandaloneServer.class)
          .warn("Stopping the {} failed", part.name(), e);
    }
  }

  private static <T> FutureTask<T> inBackground(String name, Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread.ofPlatform().name("start-" + name).daemon().start(task);
    return task;
  }

  private static <T> Optional<T> result(
      FutureTask<T> task, String name, List<RuntimeException> failures)
      throws InterruptedException {
    try {
      return Optional.of(task.get());
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof Refusal refusal) {
        failures.add(refusal);
      } else {
        LoggerFactory.getLogger(StandaloneServer.class).error("{} did not start", name, cause);
        failures.add(new Refusal(name + " did not start: " + cause));
      }
      return Optional.empty();
    }
  }

  private static Duration since(long nanoTime) {
    return Duration.ofNanos(System.nanoTime() - nanoTime);
  }
}
