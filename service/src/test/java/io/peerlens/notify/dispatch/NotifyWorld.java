package io.peerlens.notify.dispatch;

import io.peerlens.alerttemplates.AlertTemplate;
import io.peerlens.alerttemplates.Lookups;
import io.peerlens.api.model.NotificationTargetEdit;
import io.peerlens.definition.Definitions;
import io.peerlens.notify.channel.ActiveTarget;
import io.peerlens.notify.definition.NotificationRule;
import io.peerlens.notify.definition.NotificationRule.Criteria;
import io.peerlens.notify.definition.NotificationRule.Grouping;
import io.peerlens.notify.definition.NotificationRule.Resend;
import io.peerlens.notify.definition.NotificationTarget;
import io.peerlens.notify.definition.Silence;
import io.peerlens.notify.definition.Windows;
import io.peerlens.notify.delivery.QueueStore;
import io.peerlens.notify.delivery.RecordingChannel;
import io.peerlens.notify.delivery.TestWorkers;
import io.peerlens.notify.render.ContextQueries;
import io.peerlens.notify.render.Contexts;
import io.peerlens.support.AlertSteps;
import io.peerlens.support.SampleData;
import io.peerlens.support.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** The pipeline on a database of its own, with definitions and a clock that tests set. */
final class NotifyWorld implements AutoCloseable {

  static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");

  private static final String TEMPLATE =
      """
      apiVersion: alert-templates/v1
      id: plain
      version: 1.0.0
      description: What tests read.
      render:
        format: json
        body:
          event: ${event}
          change: ${change}
          alert: ${alert.id}
          criticality: ${alert.criticality}
          count: ${alert.notificationCount}
          size: ${group.size}
          ticket: ${alert.externalIds.ticket}
          previous: ${previous.criticality}
          name: ${alert.name}
          number: ${alert.number}
          info: ${alert.info}
          url: ${alert.url}
      deliver:
        method: POST
        capture: {ticket: $.ticket}
      """;

  static final Flow.Damping DAMPING =
      new Flow.Damping(3, Duration.ofMinutes(30), Duration.ofMinutes(5));
  static final Duration LOOK = Duration.ofSeconds(30);
  static final Set<String> SPEAKING = Set.of("VMWARE/HostSystem");

  private final AlertTemplate template = AlertTemplate.parse(TEMPLATE);
  final SampleData data = SampleData.create();
  final SettableClock clock = new SettableClock(T0);
  final AlertSteps steps = new AlertSteps(data, clock);
  final RecordingChannel channel = new RecordingChannel();
  final List<NotificationRule> rules = new ArrayList<>();
  final Map<UUID, NotificationTarget> targets = new LinkedHashMap<>();
  final List<Silence> silences = new ArrayList<>();
  final StoredDefinitions definitions;
  final NotificationPipeline pipeline;
  long version;

  NotifyWorld() {
    definitions =
        new StoredDefinitions(
            () -> version++,
            () -> List.copyOf(rules),
            id -> Optional.ofNullable(targets.get(id)),
            () -> targets.values().stream().filter(NotificationTarget::enabled).toList(),
            this::template,
            Lookups.NONE,
            () -> List.copyOf(silences));
    pipeline = pipeline();
  }

  NotificationPipeline pipeline() {
    JdbcTemplate jdbcTemplate = new JdbcTemplate(data.dataSource());
    Flow flow = new Flow(DAMPING, LOOK);
    NotificationStateStore stateStore = new NotificationStateStore(data.jdbc(), jdbcTemplate);
    QueueStore queue = new QueueStore(data.jdbc(), jdbcTemplate);
    Stages stages =
        new Stages(
            new StoredAlertQueries(data.jdbc(), contexts()),
            (scope, objects) -> Set.of(),
            SPEAKING,
            flow,
            stateStore,
            queue);
    return new NotificationPipeline(
        new IntakeStore(data.jdbc()),
        stateStore,
        stages,
        queue,
        new TraceStore(jdbcTemplate),
        definitions,
        new TransactionTemplate(new JdbcTransactionManager(data.dataSource())),
        clock,
        500);
  }

  Optional<AlertTemplate> template(String id) {
    return id.equals("plain") ? Optional.of(template) : Optional.empty();
  }

  Contexts contexts() {
    return new Contexts(new ContextQueries(data.jdbc()), () -> "https://peerlens.example");
  }

  /** Those who send; their time goes on from that of the pipeline. */
  TestWorkers workers() {
    return workers(Duration.ofMillis(500));
  }

  /** Those who leave a target that is down alone for so long. */
  TestWorkers workers(Duration breakerWait) {
    long began = System.nanoTime();
    return new TestWorkers(
            data,
            definitions,
            channel,
            "one",
            () -> clock.instant().plusNanos(System.nanoTime() - began),
            breakerWait)
        .start();
  }

  /** Makes a target. */
  UUID target(String name, String limits) {
    UUID id = UUID.nameUUIDFromBytes(name.getBytes());
    ActiveTarget active =
        ActiveTarget.read(
            id,
            "",
            Definitions.of(
                JsonMapper.shared()
                    .readTree(
                        """
                        {"name": "%s", "type": "webhook", "webhook": {"url": "https://%s.example/"}%s}
                        """
                            .formatted(
                                name, name, limits.isEmpty() ? "" : ", \"limits\": " + limits)),
                NotificationTargetEdit.class));
    targets.put(id, new NotificationTarget(id, name, true, active, null, 1));
    return id;
  }

  /** Somebody stores a target again. */
  void change(UUID id) {
    NotificationTarget before = Objects.requireNonNull(targets.get(id));
    targets.put(
        id,
        new NotificationTarget(
            id, before.name(), true, before.active(), null, before.version() + 1));
  }

  /** Makes a rule that takes everything. */
  Rule rule(String name, UUID... targetIds) {
    return new Rule(name, List.of(targetIds));
  }

  /** A rule that is being made. */
  final class Rule {
    private final String name;
    private final List<UUID> targetIds;
    private Criteria criteria = Criteria.ALL;
    private Windows windows = Windows.ALWAYS;
    private Duration delay = Duration.ZERO;
    private @Nullable Resend resend;
    private @Nullable Grouping group;
    private boolean continues = true;

    Rule(String name, List<UUID> targetIds) {
      this.name = name;
      this.targetIds = targetIds;
    }

    Rule severities(String... severities) {
      criteria =
          new Criteria(
              null,
              criteria.events(),
              Set.of(),
              Set.of(severities),
              Set.of(),
              Set.of(),
              Set.of(),
              Set.of(),
              Set.of(),
              Set.of(),
              Set.of(),
              null,
              1);
      return this;
    }

    Rule delay(Duration wait) {
      delay = wait;
      return this;
    }

    Rule resend(Duration every, int max) {
      resend = new Resend(every, max);
      return this;
    }

    Rule group(Duration hold, Duration interval, String... by) {
      group = new Grouping(List.of(by), hold, interval);
      return this;
    }

    Rule last() {
      continues = false;
      return this;
    }

    NotificationRule put() {
      NotificationRule rule =
          new NotificationRule(
              UUID.nameUUIDFromBytes(name.getBytes()),
              name,
              true,
              rules.size(),
              continues,
              criteria,
              windows,
              "plain",
              targetIds,
              Map.of(),
              delay,
              resend,
              group);
      rules.removeIf(one -> one.name().equals(name));
      rules.add(rule);
      return rule;
    }
  }

  UUID opens(int object, int severity) {
    return steps.opens(object, severity);
  }

  void step(UUID alert, String event) {
    steps.step(alert, event);
  }

  void severity(UUID alert, int severity) {
    steps.severity(alert, severity);
  }

  void cancels(UUID alert) {
    steps.cancels(alert);
  }

  void reopens(UUID alert) {
    steps.reopens(alert);
  }

  void set(UUID alert, String what) {
    steps.set(alert, what);
  }

  /** Lets the pipeline do all there is. */
  void run() {
    while (pipeline.run() > 0) {}
  }

  void passes(Duration time) {
    clock.set(clock.instant().plus(time));
    run();
  }

  /** What is, or was, to be sent to a target: event and change, and what became of it. */
  List<String> queued(UUID target) {
    return data.jdbc()
        .sql(
            "select event || ' ' || change || ' ' || status from delivery where target_id = ? order"
                + " by number")
        .param(target)
        .query(String.class)
        .list();
  }

  /** Marks as delivered what waits. */
  void delivered() {
    data.sql(
        "update delivery set status = 'delivered', reached = true, ended_at = now() where status in"
            + " ('waiting', 'retry')");
  }

  /** Why, as the newest trace of an alert has it for a target. */
  String why(UUID alert) {
    return data.jdbc()
        .sql(
            "select targets -> 0 ->> 'words' from notification_trace where alert_id = ? and targets"
                + " <> '[]' order by id desc limit 1")
        .param(alert)
        .query(String.class)
        .single();
  }

  @Override
  public void close() {
    data.close();
  }
}
