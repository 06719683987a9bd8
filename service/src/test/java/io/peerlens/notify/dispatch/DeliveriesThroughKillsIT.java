package io.peerlens.notify.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.Application;
import io.peerlens.incident.IncidentKeeper;
import io.peerlens.incident.TestKeeper;
import io.peerlens.node.Role;
import io.peerlens.support.AlertSteps;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.ChildJvm;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.WebhookReceiver;
import io.peerlens.support.WebhookReceiver.Received;
import io.peerlens.support.WebhookReceiver.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The notifier is killed with SIGKILL, over and over, at six points between the step of an alert
 * and the moment when its delivery is noted. The points are not left to chance: the receiver kills
 * it, or a lock on one table keeps it there until it is killed.
 */
@Order(1)
class DeliveriesThroughKillsIT {

  private static final List<String> EVENTS = List.of("NEW", "UPDATE", "CANCEL");

  /** A machine that is busy with other things takes a minute to start a JVM. */
  private static final Duration LONG = Duration.ofMinutes(5);

  private static final List<String> TARGETS = List.of("/watched", "/other");

  /** Where the notifier is when it is killed. */
  private enum Point {
    /** The receiver has the request and has not answered. */
    ARRIVED(true),
    /** The receiver has answered; this is all but noted. */
    NOTING(true),
    /** A worker has taken the delivery; nothing of it has been sent. */
    CLAIMED(false),
    /** The receiver has answered this very moment. */
    ANSWERED(true),
    /** The delivery is committed; no worker has taken it. */
    QUEUED(false),
    /** All is decided; nothing is committed. */
    DECIDING(false);

    final boolean isSent;

    Point(boolean isSent) {
      this.isSent = isSent;
    }
  }

  /** An alert, and how many of its steps were taken. */
  private static final class Life {
    final String name;
    final int object;
    @Nullable UUID alert;
    int steps;
    @Nullable Point point;
    @Nullable String killedAt;

    Life(String name, int object) {
      this.name = name;
      this.object = object;
    }
  }

  /** What the watched receiver waits for, to kill the notifier. */
  private record Trap(Point point, String name, String event, CountDownLatch sprung) {}

  /** What came, as far as the test looks at it. */
  private record Came(String target, String name, String event, String id, String body) {

    static Came of(Received request) {
      JsonNode body = JsonMapper.shared().readTree(request.text());
      return new Came(
          request.target(),
          body.path("object").path("name").asString(""),
          body.path("event").asString(""),
          request.header("webhook-id"),
          request.text());
    }
  }

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  @Nullable Path folder;

  private final SampleData data = SampleData.create();
  private final AlertSteps alerts = new AlertSteps(data, InstantSource.system());
  private final WebhookReceiver receiver = WebhookReceiver.start();
  private final List<Life> lives = new ArrayList<>();
  private final List<UUID> causes = new ArrayList<>();
  private final IncidentKeeper keeper = TestKeeper.of(data);
  private volatile @Nullable Trap trap;
  private @Nullable ChildJvm child;

  @BeforeEach
  void start() throws IOException {
    String key = "--peerlens.secrets.key=" + Base64.getEncoder().encodeToString(new byte[32]);
    ChildJvm notifier =
        new ChildJvm(
            Objects.requireNonNull(folder).resolve("notifier.log"),
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            Application.class,
            List.of(
                "--peerlens.roles=notifier",
                "--peerlens.node=notifier",
                key,
                "--peerlens.notify.egress.allow=127.0.0.1",
                "--peerlens.notify.delivery.retry-first=200ms",
                "--spring.datasource.url=" + data.database().jdbcUrl(),
                "--spring.datasource.username=" + data.database().user(),
                "--spring.datasource.password=" + data.database().password(),
                "--server.port=0",
                "--server.address=127.0.0.1"));
    child = notifier;
    notifier.start();
    try (PeerlensServer server =
        PeerlensServer.start(data.database(), Set.of(Role.API), key.substring(2))) {
      ApiClient api = server.admin();
      String watched =
          target(api, "/watched", ", 'auth': {'type': 'bearer', 'token': {'value': 'let me in'}}");
      String other = target(api, "/other", "");
      String rule =
          "{'name': '%s', 'template': 'generic-json', 'targets': ['%s'], 'when': 'object.name.startsWith(\\\"%s\\\")'%s}";
      make(api, "/notification-rules", rule.formatted("all", watched + "', '" + other, "vm-", ""));
      make(
          api,
          "/notification-rules",
          rule.formatted(
              "incidents",
              target(api, "/incidents", ""),
              "incident-",
              ", 'group': {'by': ['incident'], 'wait': '5s', 'interval': '1s'}"));
    }
    receiver.at("/watched", this::watched);
  }

  private String target(ApiClient api, String path, String more) {
    String target =
        "{'name': 'receiver %s', 'type': 'webhook', 'webhook': {'url': '%s', 'timeout': '1s'%s}}";
    return make(api, "/notification-targets", target.formatted(path, receiver.url(path), more));
  }

  private static String make(ApiClient api, String path, String body) {
    Answer made = api.post(path, body.replace('\'', '"'));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    return made.json().path("id").asString("");
  }

  @AfterEach
  void stop() {
    notifier().close();
    receiver.close();
    data.close();
  }

  @Test
  void everyEventArrivesThoughTheNotifierIsKilledAtEveryPoint() throws Exception {
    prove(6);
  }

  @Test
  @Tag("proof")
  void everyEventArrivesThroughAHundredKills() throws Exception {
    prove(100);
  }

  private void prove(int kills) throws Exception {
    Instant began = Instant.now();
    for (int i = 0; i < kills; i++) {
      Point point = Point.values()[i % Point.values().length];
      // All of them come with every event.
      String event = EVENTS.get((i + i / Point.values().length) % EVENTS.size());
      String name = "vm-" + i;
      incident(i);
      Life life = new Life(name, data.object("VMWARE", "VirtualMachine", name));
      lives.add(life);
      while (!EVENTS.get(life.steps).equals(event)) {
        step(life);
        settle("the steps before the kill", () -> isEverywhere(life));
      }
      // What else is under way does not come between.
      settle("rest", this::isQuiet);
      life.point = point;
      life.killedAt = event;
      kill(point, event, life);
      notifier().start();
    }
    settle("the end of all alerts", this::isAllDone);
    await("the begin of all incidents")
        .atMost(LONG)
        .until(() -> atIncidents("NEW").size() == causes.size());
    causes.forEach(alert -> alerts.severity(alert, 4));
    await("news of all incidents")
        .atMost(LONG)
        .until(() -> atIncidents("UPDATE").size() == causes.size());
    verifyIncidents();
    verify(kills, Duration.between(began, Instant.now()));
  }

  // Incidents -------------------------------------------------------------------------------------

  /** A host without memory, and two of its machines that swap, as one incident. */
  private void incident(int number) {
    int host = data.object("VMWARE", "HostSystem", "incident-" + number);
    UUID cause = aboutMemory(host, 3);
    for (String machine : List.of("-a", "-b")) {
      int id = data.object("VMWARE", "VirtualMachine", "incident-" + number + machine);
      data.jdbc()
          .sql("insert into relation (parent_id, child_id) values (?, ?)")
          .params(host, id)
          .update();
      aboutMemory(id, 2);
    }
    keeper.run(Instant.now());
    causes.add(cause);
  }

  private UUID aboutMemory(int object, int severity) {
    UUID alert = alerts.opens(object, severity);
    alerts.set(alert, "members = jsonb_set(members, '{0,key}', '\"mem|usage_average\"')");
    return alert;
  }

  /** The ids of messages of incidents, by their objects. */
  private Map<String, Set<String>> atIncidents(String event) {
    Map<String, Set<String>> ids = new TreeMap<>();
    receiver.received().stream()
        .map(Came::of)
        .filter(came -> came.target().equals("/incidents") && came.event().equals(event))
        .forEach(
            came -> ids.computeIfAbsent(came.name(), name -> new LinkedHashSet<>()).add(came.id()));
    return ids;
  }

  /** One message for each begin and each news, about the host, with all three alerts. */
  private void verifyIncidents() {
    for (String event : List.of("NEW", "UPDATE")) {
      Map<String, Set<String>> ids = atIncidents(event);
      assertThat(ids.keySet()).as(event).allMatch(name -> name.matches("incident-\\d+"));
      assertThat(ids.values()).as(event).allMatch(of -> of.size() == 1);
    }
    assertThat(count("select count(*) from delivery where target_name = 'receiver /incidents'"))
        .isEqualTo(2L * causes.size());
    assertThat(
            count(
                """
                select count(*) from (
                  select from delivery d join delivery_member m on m.delivery_id = d.id
                  where d.target_name = 'receiver /incidents' group by d.id having count(*) = 3) whole
                """))
        .as("messages that hold a whole incident")
        .isEqualTo(2L * causes.size());
  }

  // Steps -----------------------------------------------------------------------------------------

  private void step(Life life) {
    switch (life.steps) {
      case 0 -> life.alert = alerts.opens(life.object, 2);
      case 1 -> alerts.severity(alert(life), 4);
      default -> alerts.cancels(alert(life));
    }
    life.steps++;
  }

  private static UUID alert(Life life) {
    return Objects.requireNonNull(life.alert);
  }

  /** Waits, and lets alerts go on whose last step has arrived everywhere. */
  private void settle(String what, BooleanSupplier settled) {
    await(what)
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              for (Life life : lives) {
                boolean continues = life.point != null && life.steps < EVENTS.size();
                if (continues && isEverywhere(life)) {
                  step(life);
                }
              }
              return settled.getAsBoolean();
            });
  }

  private boolean isEverywhere(Life life) {
    String event = EVENTS.get(life.steps - 1);
    long targets =
        receiver.received().stream()
            .map(Came::of)
            .filter(came -> came.name().equals(life.name) && came.event().equals(event))
            .map(Came::target)
            .distinct()
            .count();
    return targets == TARGETS.size();
  }

  /** Nothing is under way but what a dead notifier had taken. */
  private boolean isQuiet() {
    return count(
            """
            select (select count(*) from alert_outbox)
              + (select count(*) from delivery d where status in ('waiting', 'retry') and not exists (
                   select from delivery e where e.target_id = d.target_id and e.subject_id = d.subject_id
                     and e.number < d.number and e.status = 'sending'))
              + (select count(*) from delivery where status = 'sending' and lease_until > now() + interval '20 s')
            """)
        == 0;
  }

  private boolean isAllDone() {
    return lives.stream().allMatch(life -> life.steps == EVENTS.size())
        && count("select count(*) from alert_outbox") == 0
        && count(
                "select count(*) from delivery where status = 'delivered' and target_name <> 'receiver /incidents'")
            == (long) lives.size() * EVENTS.size() * TARGETS.size();
  }

  private long count(String sql) {
    return data.jdbc().sql(sql).query(Long.class).single();
  }

  // Kills -----------------------------------------------------------------------------------------

  private void kill(Point point, String event, Life life) throws Exception {
    switch (point) {
      case ARRIVED, ANSWERED -> {
        CountDownLatch sprung = new CountDownLatch(1);
        trap = new Trap(point, life.name, event, sprung);
        step(life);
        await(point + " " + event).atMost(LONG).until(() -> sprung.getCount() == 0);
      }
      case NOTING -> killAt("delivery_attempt", "insert", life, () -> timesAtWatched(life) > 0);
      case CLAIMED -> killAt("secret", "select", life, () -> is(life, event, "sending"));
      case QUEUED -> killAt("target_line", "select", life, () -> is(life, event, "waiting"));
      case DECIDING -> killAt("notification_trace", "insert", life, () -> true);
    }
    assertThat(notifier().isRunning()).isFalse();
    assertThat(timesAtWatched(life)).as(point + " of " + event).isEqualTo(point.isSent ? 1 : 0);
  }

  /** How often the watched target got what the notifier was killed at. */
  private long timesAtWatched(Life life) {
    return receiver.received().stream()
        .map(Came::of)
        .filter(
            came ->
                came.target().equals("/watched")
                    && came.name().equals(life.name)
                    && came.event().equals(life.killedAt))
        .count();
  }

  /** Kills the notifier while it waits for a table, and something else is so. */
  private void killAt(String table, String statement, Life life, BooleanSupplier also)
      throws SQLException {
    try (Connection connection = data.database().connect();
        Statement lock = connection.createStatement()) {
      connection.setAutoCommit(false);
      lock.execute("lock table " + table + " in access exclusive mode");
      if (life.point == Point.QUEUED) {
        waits(table, statement); // it is the thread that takes deliveries
        step(life);
      } else {
        step(life);
        waits(table, statement);
      }
      await(life.point + " " + life.killedAt)
          .atMost(LONG)
          .pollInterval(Duration.ofMillis(10))
          .until(also::getAsBoolean);
      notifier().kill();
      connection.rollback();
    }
  }

  private void waits(String table, String statement) {
    await("the notifier at " + table)
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(10))
        .until(
            () ->
                data.jdbc()
                        .sql(
                            """
                            select count(*) from pg_locks l join pg_stat_activity a on a.pid = l.pid
                            where l.relation = :table::regclass and not l.granted and a.query ~* ('^\\s*' || :statement)
                            """)
                        .param("table", table)
                        .param("statement", statement)
                        .query(Long.class)
                        .single()
                    > 0);
  }

  /** How the delivery to the watched target stands. */
  private boolean is(Life life, String event, String status) {
    return data.jdbc()
            .sql(
                """
                select count(*) from delivery
                where subject_id = ? and event = ? and status = ? and target_name = 'receiver /watched'
                """)
            .params(alert(life), event, status)
            .query(Long.class)
            .single()
        == 1;
  }

  /** The watched receiver; it kills the notifier where it was asked to. */
  private Reply watched(Received request) {
    Trap set = trap;
    Came came = Came.of(request);
    if (set == null || !came.name().equals(set.name()) || !came.event().equals(set.event())) {
      return Reply.status(200);
    }
    trap = null;
    Runnable kill =
        () -> {
          notifier().kill();
          set.sprung().countDown();
        };
    if (set.point() == Point.ANSWERED) {
      return Reply.status(200).then(kill);
    }
    kill.run();
    return Reply.reset();
  }

  private ChildJvm notifier() {
    return Objects.requireNonNull(child);
  }

  // What came of it -------------------------------------------------------------------------------

  private void verify(int kills, Duration took) {
    List<Came> all = receiver.received().stream().map(Came::of).toList();
    Map<String, Set<String>> bodies = new LinkedHashMap<>();
    all.forEach(
        came -> bodies.computeIfAbsent(came.id(), id -> new LinkedHashSet<>()).add(came.body()));
    assertThat(bodies.values())
        .as("one id has one text, however often it came")
        .allMatch(texts -> texts.size() == 1);
    Map<Point, Integer> twice = new TreeMap<>();
    for (Life life : lives) {
      for (String target : TARGETS) {
        List<Came> of =
            all.stream()
                .filter(came -> came.target().equals(target) && came.name().equals(life.name))
                .toList();
        String what =
            "%s at %s, killed at %s of %s".formatted(life.name, target, life.point, life.killedAt);
        assertThat(of.stream().map(Came::event).distinct())
            .as("order of first arrivals: " + what)
            .isEqualTo(EVENTS);
        assertThat(withoutRepetitions(of.stream().map(Came::event).toList()))
            .as("nothing of before comes after: " + what)
            .isEqualTo(EVENTS);
        assertThat(of.stream().map(Came::id).distinct())
            .as("an event has one id: " + what)
            .hasSize(EVENTS.size());
        if (target.equals("/watched")) {
          Point point = Objects.requireNonNull(life.point);
          int times = (int) timesAtWatched(life);
          if (point == Point.ARRIVED || point == Point.NOTING) {
            assertThat(times)
                .as("nobody has noted it, so it comes again: " + what)
                .isGreaterThan(1);
          }
          twice.merge(point, times - 1, Integer::sum);
        }
      }
    }
    assertThat(count("select count(*) from delivery where target_name <> 'receiver /incidents'"))
        .isEqualTo((long) lives.size() * EVENTS.size() * TARGETS.size());
    System.out.printf(
        "Deliveries: %d kills, %d events to %d targets, %d requests, %d duplicates (of the delivery at the kill: %s), %d s%n",
        kills,
        lives.size() * EVENTS.size(),
        TARGETS.size(),
        all.size(),
        all.size() - bodies.size(),
        twice,
        took.toSeconds());
  }

  private static List<String> withoutRepetitions(List<String> events) {
    List<String> changes = new ArrayList<>();
    for (String event : events) {
      if (changes.isEmpty() || !changes.getLast().equals(event)) {
        changes.add(event);
      }
    }
    return changes;
  }
}
