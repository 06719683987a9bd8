package io.peerlens.evaluation;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Made-up machines whose CPU and memory rise above limits and fall again, and the alerts that must
 * come of it, worked out sample by sample from lists, with nothing of what is tested.
 *
 * <p>Limits: warning above 90 until 85, critical above 97 until 95; 2 of 3 samples open, 2 in a row
 * close, counted anew whenever the severity has changed. A host has an alert of its own while three
 * of its machines have a CPU symptom.
 */
final class PlannedIncidents {

  /**
   * No machine's alert can open three times in it: once open, it takes 20 s to open again. A host's
   * can, when several machines change places.
   */
  static final Duration FLAP_WINDOW = Duration.ofSeconds(27);

  private static final int VMS = 60;
  private static final int HOSTS = 5;
  private static final int WARNING = 2;
  private static final int CRITICAL = 4;
  private static final List<String> GROUPS = List.of("cpu", "mem");
  private static final UUID HOST_RULE = new UUID(4, 9);

  /**
   * One step in the life of an alert.
   *
   * @param event as in the history
   */
  record Step(Instant at, String event, int severity) {}

  /** What was found in the end. */
  record Outcome(List<String> wrong, int alerts, int steps) {
    String summary() {
      return String.format(
          Locale.ROOT, "%,d alerts, %,d steps; %d deviations", alerts, steps, wrong.size());
    }
  }

  private final Instant from;
  private final int ticks;
  private final double[][][] values; // by group, machine, tick; NaN = no sample
  private final int[][][] severities; // what is open, likewise

  PlannedIncidents(long seed, Instant from, int ticks) {
    this.from = from;
    this.ticks = ticks;
    this.values = new double[GROUPS.size()][VMS][];
    this.severities = new int[GROUPS.size()][VMS][];
    Random random = new Random(seed);
    for (int group = 0; group < GROUPS.size(); group++) {
      for (int vm = 0; vm < VMS; vm++) {
        values[group][vm] = series(random, ticks);
        severities[group][vm] = judge(values[group][vm]);
      }
    }
  }

  Instant tick(int number) {
    return from.plusSeconds(5L * number);
  }

  private static double[] series(Random random, int ticks) {
    double[] series = new double[ticks];
    int at = 0;
    while (at < ticks) {
      for (int quiet = 12 + random.nextInt(50); quiet > 0 && at < ticks; quiet--) {
        series[at++] = random.nextInt(40) == 0 ? Double.NaN : 10 + random.nextInt(70);
      }
      for (int again = random.nextInt(10) < 3 ? 2 : 1; again > 0; again--) {
        for (int busy = 2 + random.nextInt(25); busy > 0 && at < ticks; busy--) {
          int kind = random.nextInt(20);
          series[at++] =
              kind == 0
                  ? Double.NaN
                  : kind < 3 ? 70 : kind < 6 ? 87 : kind < 9 ? 96 : kind < 14 ? 92 : 99;
        }
        for (int pause = 2 + random.nextInt(4); again > 1 && pause > 0 && at < ticks; pause--) {
          series[at++] = 50;
        }
      }
    }
    return series;
  }

  /** The severity that is open after each tick, by the rules above. */
  private static int[] judge(double[] series) {
    int[] open = new int[series.length];
    List<Double> samples = new ArrayList<>();
    int severity = 0;
    int fell = 0; // samples up to here count no more towards the next fall
    for (int tick = 0; tick < series.length; tick++) {
      if (!Double.isNaN(series[tick])) {
        samples.add(series[tick]);
        int opens = twoOfThree(samples, 97) ? CRITICAL : twoOfThree(samples, 90) ? WARNING : 0;
        if (opens > severity) {
          severity = opens;
          fell = samples.size();
        } else if (severity > 0 && samples.size() >= fell + 2) {
          int last = held(samples.getLast());
          int before = held(samples.get(samples.size() - 2));
          if (last < severity && before < severity) {
            severity = Math.max(last, before);
            fell = samples.size();
          }
        }
      }
      open[tick] = severity;
    }
    return open;
  }

  private static boolean twoOfThree(List<Double> samples, double limit) {
    return samples.subList(Math.max(0, samples.size() - 3), samples.size()).stream()
            .filter(value -> value > limit)
            .count()
        >= 2;
  }

  private static int held(double value) {
    return value > 95 ? CRITICAL : value > 85 ? WARNING : 0;
  }

  /**
   * The steps of all alerts of one rule and object, one list for each alert. What opens for the
   * third time within the flap window stays open until it was quiet for as long.
   */
  private List<List<Step>> alerts(int[] open) {
    List<List<Step>> alerts = new ArrayList<>();
    List<Instant> openings = new ArrayList<>();
    int severity = 0; // 0 = no alert is open
    boolean flapping = false;
    Instant canceled = Instant.MIN;
    Instant quietSince = Instant.MAX;
    for (int tick = 0; tick < open.length; tick++) {
      Instant now = tick(tick);
      if (open[tick] == 0) {
        quietSince = now.isBefore(quietSince) ? now : quietSince;
        if (severity > 0 && (!flapping || !now.isBefore(quietSince.plus(FLAP_WINDOW)))) {
          alerts.getLast().add(new Step(now, "canceled", severity));
          canceled = now;
          severity = 0;
          flapping = false;
        }
        continue;
      }
      quietSince = Instant.MAX;
      if (severity > 0) {
        if (open[tick] != severity) {
          alerts.getLast().add(new Step(now, "severity", open[tick]));
        }
      } else if (alerts.isEmpty() || now.isAfter(canceled.plus(FLAP_WINDOW))) {
        alerts.add(new ArrayList<>(List.of(new Step(now, "opened", open[tick]))));
        openings.clear();
        openings.add(now);
      } else {
        alerts.getLast().add(new Step(now, "reopened", open[tick]));
        openings.add(now);
        flapping =
            openings.stream().filter(one -> !now.isAfter(one.plus(FLAP_WINDOW))).count() >= 3;
        if (flapping) {
          alerts.getLast().add(new Step(now, "flapping", open[tick]));
        }
      }
      severity = open[tick];
    }
    return alerts;
  }

  /** What is expected, by rule and name of the object. */
  private Map<String, List<List<Step>>> expected() {
    Map<String, List<List<Step>>> expected = new TreeMap<>();
    for (int group = 0; group < GROUPS.size(); group++) {
      for (int vm = 0; vm < VMS; vm++) {
        expected.put(GROUPS.get(group) + " of vm" + vm, alerts(severities[group][vm]));
      }
    }
    for (int host = 0; host < HOSTS; host++) {
      int[] open = new int[ticks];
      for (int tick = 0; tick < ticks; tick++) {
        int busy = 0;
        for (int vm = host; vm < VMS; vm += HOSTS) {
          busy += severities[0][vm][tick] > 0 ? 1 : 0;
        }
        open[tick] = busy >= 3 ? CRITICAL : 0;
      }
      expected.put("several of host" + host, alerts(open));
    }
    expected.values().removeIf(List::isEmpty);
    return expected;
  }

  /**
   * Writes objects, samples and rules.
   *
   * @param shards all of them begin just before the first tick
   */
  void write(Connection connection, int shards) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement sql = connection.createStatement()) {
      sql.execute(
          """
          insert into object (uuid, adapter_kind, object_kind, external_id, name, attributes_time, first_seen)
          select gen_random_uuid(), 'VMWARE', 'VirtualMachine', 'vm' || i, 'vm' || i, now(), now()
          from generate_series(0, %d) i
          union all
          select gen_random_uuid(), 'VMWARE', 'HostSystem', 'host' || i, 'host' || i, now(), now()
          from generate_series(0, %d) i
          """
              .formatted(VMS - 1, HOSTS - 1));
      sql.execute(
          """
          insert into relation
          select h.id, v.id from object h join object v
            on h.object_kind = 'HostSystem' and v.object_kind = 'VirtualMachine'
            and substr(v.name, 3)::int %% %d = substr(h.name, 5)::int
          """
              .formatted(HOSTS));
      for (String group : GROUPS) {
        sql.execute(
            """
            insert into metric_group (adapter_kind, object_kind, name, metrics, units)
            values ('VMWARE', 'VirtualMachine', '%s', array['usage_average'], array['%%'])
            """
                .formatted(group));
      }
      sql.execute(
          """
          insert into metric_set (object_id, group_id)
          select o.id, g.id from object o join metric_group g on o.object_kind = g.object_kind
          """);
      sql.execute(
          "update inventory_version set version = version + 1, sets_version = sets_version + 1");
      for (int shard = 0; shard < shards; shard++) {
        sql.execute(
            """
            insert into evaluation_shard (shard, last_tick, next_tick, node, evaluated_at)
            values (%d, '%s', '%s', 'nobody', now())
            """
                .formatted(shard, tick(-1), tick(0)));
      }
    }
    samples(connection);
    rules(connection);
    connection.commit();
  }

  private void samples(Connection connection) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            insert into sample (time, set_id, values)
            select ?, s.id, array[?::float8]
            from metric_set s join object o on o.id = s.object_id join metric_group g on g.id = s.group_id
            where o.name = ? and g.name = ?
            """)) {
      for (int group = 0; group < GROUPS.size(); group++) {
        for (int vm = 0; vm < VMS; vm++) {
          for (int tick = 0; tick < ticks; tick++) {
            if (!Double.isNaN(values[group][vm][tick])) {
              insert.setObject(1, tick(tick).minusSeconds(2).atOffset(ZoneOffset.UTC));
              insert.setDouble(2, values[group][vm][tick]);
              insert.setString(3, "vm" + vm);
              insert.setString(4, GROUPS.get(group));
              insert.addBatch();
            }
          }
          insert.executeBatch();
        }
      }
    }
  }

  private static void rules(Connection connection) throws SQLException {
    try (Statement sql = connection.createStatement()) {
      for (int group = 0; group < GROUPS.size(); group++) {
        sql.execute(
            """
            insert into threshold (id, name, definition, created_at, created_by, updated_at, updated_by)
            values ('%s', '%s', '%s', now(), 'test', now(), 'test')
            """
                .formatted(new UUID(4, group), GROUPS.get(group), threshold(group)));
      }
      sql.execute(
          """
          insert into alert_definition (id, name, definition, version, created_at, created_by, updated_at, updated_by)
          values ('%s', 'several', '%s', 1, now(), 'test', now(), 'test')
          """
              .formatted(HOST_RULE, several()));
    }
  }

  private static String threshold(int group) {
    return """
        {"name": "%1$s", "description": "", "enabled": true,
         "objectKind": {"adapterKind": "VMWARE", "objectKind": "VirtualMachine"}, "scope": {},
         "condition": {"type": "metric", "key": "%1$s|usage_average", "instances": false, "operator": "gt",
           "levels": [
             {"severity": "warning", "bound": {"type": "number", "value": 90}, "clear": {"type": "number", "value": 85}},
             {"severity": "critical", "bound": {"type": "number", "value": 97}, "clear": {"type": "number", "value": 95}}]},
         "trigger": {"violations": 2, "of": 3, "minimumDuration": "0s", "clearAfter": 2}, "overrides": [],
         "alert": {"impact": "health", "recommendations": []}, "tags": [], "intervalSeconds": 5}
        """
        .formatted(GROUPS.get(group));
  }

  private static String several() {
    return """
        {"name": "several", "description": "", "enabled": true,
         "objectKind": {"adapterKind": "VMWARE", "objectKind": "HostSystem"}, "scope": {}, "impact": "health",
         "criticality": "critical",
         "condition": {"type": "threshold", "threshold": "%s", "on": "child", "population": {"type": "count", "value": 3}},
         "waitCycles": 1, "cancelCycles": 1, "recommendations": [], "tags": [], "intervalSeconds": 5}
        """
        .formatted(new UUID(4, 0));
  }

  /** Compares what is stored with what is expected. */
  Outcome compare(Connection connection) throws SQLException {
    List<String> wrong = new ArrayList<>();
    Map<String, List<List<Step>>> found = new TreeMap<>();
    int steps = 0;
    try (Statement sql = connection.createStatement();
        ResultSet rows =
            sql.executeQuery(
                """
                select a.definition_name, o.name, a.id, h.at, h.event, h.severity, a.opened_at,
                       (select count(*) from alert_outbox b where b.history_id = h.id)
                from alert a join object o on o.id = a.object_id join alert_history h on h.alert_id = a.id
                where h.event not in ('members', 'incident')
                order by a.definition_name, o.name, a.opened_at, a.id, h.id
                """)) {
      UUID last = null;
      while (rows.next()) {
        String of = rows.getString(1) + " of " + rows.getString(2);
        UUID alert = rows.getObject(3, UUID.class);
        List<List<Step>> alerts = found.computeIfAbsent(of, key -> new ArrayList<>());
        if (!alert.equals(last)) {
          alerts.add(new ArrayList<>());
        }
        last = alert;
        steps++;
        Step step =
            new Step(
                rows.getObject(4, OffsetDateTime.class).toInstant(),
                rows.getString(5),
                rows.getInt(6));
        alerts.getLast().add(step);
        if (rows.getInt(8) != 1) {
          wrong.add("%s: %d outbox rows for %s".formatted(of, rows.getInt(8), step));
        }
      }
    }
    Map<String, List<List<Step>>> expected = expected();
    for (String of : expected.keySet()) {
      difference(of, expected.get(of), found.getOrDefault(of, List.of())).ifPresent(wrong::add);
    }
    found.keySet().stream()
        .filter(of -> !expected.containsKey(of))
        .forEach(of -> wrong.add(of + ": expected nothing, found " + found.get(of)));
    return new Outcome(wrong, found.values().stream().mapToInt(List::size).sum(), steps);
  }

  /** The first alert that is not as expected. */
  private static Optional<String> difference(
      String of, List<List<Step>> expected, List<List<Step>> found) {
    for (int i = 0; i < Math.max(expected.size(), found.size()); i++) {
      List<Step> wanted = i < expected.size() ? expected.get(i) : List.of();
      List<Step> is = i < found.size() ? found.get(i) : List.of();
      if (!wanted.equals(is)) {
        return Optional.of(
            "%s: of alert %d of %d expected %s, found %s"
                .formatted(of, i + 1, expected.size(), wanted, is));
      }
    }
    return Optional.empty();
  }
}
