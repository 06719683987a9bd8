package io.peerlens.benchmarks;

import io.peerlens.Application;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A storm of alerts to three webhooks, one of which takes every request and never answers. Alerts
 * open as an evaluator opens them, many in a transaction, with their rows in the outbox; printed
 * are how long it is from the commit until a receiver has them, what waits, and the memory in use.
 * At the end the dead receiver comes back, and must get everything, too.
 *
 * <pre>
 * java io.peerlens.benchmarks.NotificationStorm JDBC_URL [ALERTS] [SECONDS] [TICK_MS]
 * </pre>
 *
 * The database must be empty. The program ends with 1 when anything was lost.
 */
public final class NotificationStorm {

  private static final List<String> WELL = List.of("/one", "/two");
  private static final String DEAD = "/dead";

  /** Ids of this program's alerts, as they are in the JSON that is sent. */
  private static final Pattern ALERT = Pattern.compile("00000000-0000-0007-[0-9a-f-]{17}");

  private NotificationStorm() {}

  /** Prepares the database, lets the storm pass and counts. */
  public static void main(String[] args) throws Exception {
    if (args.length < 1) {
      System.err.println("usage: NotificationStorm JDBC_URL [ALERTS] [SECONDS] [TICK_MS]");
      System.exit(2);
    }
    String url = args[0];
    int alerts = args.length > 1 ? Integer.parseInt(args[1]) : 10_000;
    int seconds = args.length > 2 ? Integer.parseInt(args[2]) : 60;
    int tick = args.length > 3 ? Integer.parseInt(args[3]) : 1_000;
    Flyway.configure().dataSource(url, null, null).load().migrate();
    boolean complete;
    try (Connection connection = DriverManager.getConnection(url);
        WebhookSink sink = new WebhookSink(NotificationStorm::alert, DEAD)) {
      try (Statement sql = connection.createStatement()) {
        EvaluationTicks.objects(sql, "VirtualMachine", "vm", alerts);
      }
      for (String path : List.of("/one", "/two", DEAD)) {
        receiver(connection, sink.url(path), path);
      }
      try (ConfigurableApplicationContext notifier = notifier(url)) {
        complete = storm(connection, sink, alerts, seconds, tick);
      }
    }
    System.exit(complete ? 0 : 1);
  }

  private static @Nullable String alert(String body) {
    Matcher matcher = ALERT.matcher(body);
    return matcher.find() ? matcher.group() : null;
  }

  private static ConfigurableApplicationContext notifier(String url) {
    return SpringApplication.run(
        Application.class,
        "--peerlens.roles=notifier",
        "--peerlens.node=notifier",
        "--spring.datasource.url=" + url,
        "--spring.datasource.username=",
        "--spring.datasource.password=",
        "--spring.jmx.enabled=false",
        "--peerlens.notify.egress.allow=127.0.0.1",
        "--logging.level.root=warn",
        "--server.port=0",
        "--server.address=127.0.0.1");
  }

  /** A target, and a rule that sends everything to it. */
  private static void receiver(Connection connection, String url, String name) throws SQLException {
    UUID target = UUID.randomUUID();
    define(
        connection,
        "notification_target",
        target,
        name,
        """
        {"name": "%s", "type": "webhook", "webhook": {"url": "%s"}}
        """
            .formatted(name, url));
    define(
        connection,
        "notification_rule",
        UUID.randomUUID(),
        name,
        """
        {"name": "%s", "template": "generic-json", "targets": ["%s"], "continue": true}
        """
            .formatted(name, target));
  }

  private static void define(
      Connection connection, String table, UUID id, String name, String definition)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into "
                + table
                + " (id, name, definition, created_at, created_by, updated_at, updated_by)"
                + " values (?, ?, ?::jsonb, now(), 'benchmark', now(), 'benchmark')")) {
      insert.setObject(1, id);
      insert.setString(2, name);
      insert.setString(3, definition);
      insert.executeUpdate();
    }
  }

  private static boolean storm(
      Connection connection, WebhookSink sink, int alerts, int seconds, int tick) throws Exception {
    Map<String, Long> opened = new ConcurrentHashMap<>();
    long mostMemory = 0;
    long begin = System.nanoTime();
    System.out.println("second    opened   /one     /two     /dead    waiting  heap (MB)");
    long shown = 0;
    int sent = 0;
    long ended = Long.MAX_VALUE;
    while (true) {
      long now = System.nanoTime();
      long due =
          Math.min(
              alerts,
              (now - begin) / (tick * 1_000_000L) * tick * alerts / (seconds * 1_000L)
                  + alerts * (long) tick / (seconds * 1_000L));
      if (sent < due) {
        open(connection, opened, sent, (int) due);
        sent = (int) due;
      }
      if (sent == alerts && ended == Long.MAX_VALUE) {
        ended = now;
      }
      boolean all = WELL.stream().allMatch(path -> sink.at(path).nanos().size() == alerts);
      long second = (now - begin) / 1_000_000_000L;
      if (second / 5 > shown || all) {
        shown = second / 5;
        mostMemory = Math.max(mostMemory, Figures.heapAfterCollection());
        System.out.printf(
            Locale.ROOT,
            "%6d  %,8d  %,7d  %,7d  %,7d  %,8d  %,8d%n",
            second,
            sent,
            sink.at("/one").nanos().size(),
            sink.at("/two").nanos().size(),
            sink.at(DEAD).nanos().size(),
            waiting(connection),
            mostMemory);
      }
      if (sent == alerts && all || now - ended > Duration.ofMinutes(5).toNanos()) {
        break;
      }
      Thread.sleep(20);
    }
    for (String path : WELL) {
      List<Double> lags = new ArrayList<>();
      sink.at(path)
          .nanos()
          .forEach((alert, at) -> lags.add((at - opened.getOrDefault(alert, at)) / 1e9));
      System.out.printf(
          Locale.ROOT,
          "%s: %,d alerts, %,d twice; from commit to receiver %s%n",
          path,
          lags.size(),
          sink.at(path).repeated().size(),
          Figures.spread(lags));
    }
    return revive(connection, sink, alerts);
  }

  /** The dead receiver comes back and gets what waits for it. */
  private static boolean revive(Connection connection, WebhookSink sink, int alerts)
      throws Exception {
    long begin = System.nanoTime();
    sink.revive();
    long first = 0;
    while (sink.at(DEAD).nanos().size() < alerts
        && System.nanoTime() - begin < Duration.ofMinutes(10).toNanos()) {
      if (first == 0 && !sink.at(DEAD).nanos().isEmpty()) {
        first = System.nanoTime();
      }
      Thread.sleep(50);
    }
    System.out.printf(
        Locale.ROOT,
        "%s is back: %,d alerts, the first after %.1f s, the last after %.1f s; still waiting %,d%n",
        DEAD,
        sink.at(DEAD).nanos().size(),
        (first - begin) / 1e9,
        (System.nanoTime() - begin) / 1e9,
        waiting(connection));
    return List.of("/one", "/two", DEAD).stream()
        .allMatch(path -> sink.at(path).nanos().size() == alerts);
  }

  /** Opens alerts from one number up to another, in one transaction. */
  private static void open(Connection connection, Map<String, Long> opened, int from, int to)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            with made as (
              insert into alert (id, definition_id, source, definition_name, object_id, impact, severity, status, since, opened_at,
                updated_at, last_tick, openings, member_count, members, explanation, recommendations, member_print)
              select cast(? || lpad(to_hex(n), 12, '0') as uuid), gen_random_uuid(), 'threshold', 'CPU usage of a storm',
                (select min(id) from object) + n, 'health', 1 + n % 4, 'new', now(), now(), now(), now(), array[now()], 1,
                jsonb_build_array(jsonb_build_object('threshold', '00000000-0000-0000-0000-000000000001', 'name', 'CPU usage',
                  'object', (select min(id) from object) + n, 'instance', '', 'key', 'cpu|usage_average', 'unit', '%',
                  'severity', 1 + n % 4, 'value', 92.5, 'operator', 'gt', 'bound', 80, 'since', now(), 'unknown', false)),
                '{"text": "CPU usage is 92.5 %, above 80 %."}', '{}', 0
              from generate_series(?, ?) n
              returning id, severity),
            noted as (
              insert into alert_history (alert_id, at, event, severity, value, bound, explanation)
              select id, now(), 'opened', severity, 92.5, 80, 'CPU usage is 92.5 %, above 80 %.' from made
              returning id, alert_id, event, at)
            insert into alert_outbox (alert_id, history_id, event, at) select alert_id, id, event, at from noted
            """)) {
      insert.setString(1, "00000000-0000-0007-0000-");
      insert.setInt(2, from);
      insert.setInt(3, to - 1);
      insert.executeUpdate();
    }
    long now = System.nanoTime();
    for (int i = from; i < to; i++) {
      opened.put(String.format(Locale.ROOT, "00000000-0000-0007-0000-%012x", i), now);
    }
  }

  private static long waiting(Connection connection) throws SQLException {
    try (Statement sql = connection.createStatement();
        ResultSet row =
            sql.executeQuery(
                "select count(*) from delivery where status in ('waiting', 'retry', 'sending')")) {
      row.next();
      return row.getLong(1);
    }
  }
}
