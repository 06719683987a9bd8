package io.peerlens.notify.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.alerttemplates.Lookups;
import io.peerlens.notify.definition.NotificationRule;
import io.peerlens.notify.definition.NotificationTarget;
import io.peerlens.notify.definition.Silence;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pipeline lives through a day of alerts; the simulator then tells the same of that day. */
class SimulationIT {

  private static final Duration TICK = Duration.ofSeconds(10);
  private static final int TICKS = 400;

  private final NotifyWorld world = new NotifyWorld();
  private final int host = world.data.object("VMWARE", "HostSystem", "esx-1");
  private final List<Integer> objects = new ArrayList<>(List.of(host));

  SimulationIT() {
    for (int i = 0; i < 3; i++) {
      int vm = world.data.object("VMWARE", "VirtualMachine", "vm-" + i);
      objects.add(vm);
      world
          .data
          .jdbc()
          .sql("insert into relation (parent_id, child_id) values (?, ?)")
          .params(host, vm)
          .update();
    }
  }

  @AfterEach
  void close() {
    world.close();
  }

  private NotificationRule rule(String kind) {
    UUID ops = world.target("ops", kind.equals("digest") ? "{\"digestAfter\": 2}" : "");
    UUID pager = world.target("pager", "");
    NotifyWorld.Rule rule = world.rule(kind, ops, pager);
    return switch (kind) {
      case "resend" -> rule.resend(Duration.ofMinutes(2), 3).put();
      case "delay" -> rule.delay(Duration.ofSeconds(40)).resend(Duration.ofMinutes(1), 0).put();
      case "group" ->
          rule.group(Duration.ofSeconds(30), Duration.ofMinutes(1), "object.kind")
              .resend(Duration.ofMinutes(4), 2)
              .put();
      case "severe" -> rule.severities("IMMEDIATE", "CRITICAL").put();
      default -> rule.put();
    };
  }

  private void silence(Random random, Instant at) {
    world.silences.add(
        new Silence(
            UUID.randomUUID(),
            "a test",
            Set.of(),
            List.of(
                new Silence.Matcher(
                    List.of("object", "name"),
                    Silence.Operator.EQUALS,
                    "vm-" + random.nextInt(3),
                    null)),
            null,
            null,
            at,
            at.plusSeconds(240)));
  }

  /** At most one alert of an object is open, as in the evaluation. */
  private void aDay(Random random) {
    Map<Integer, UUID> open = new HashMap<>();
    Map<UUID, String> control = new HashMap<>();
    for (int tick = 0; tick < TICKS; tick++) {
      int object = objects.get(random.nextInt(objects.size()));
      UUID alert = open.get(object);
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> {
          if (alert == null) {
            open.put(object, world.opens(object, 1 + random.nextInt(4)));
          }
        }
        case 3, 4 -> on(alert, one -> world.severity(one, 1 + random.nextInt(4)));
        case 5 ->
            on(
                alert,
                one -> {
                  open.remove(object);
                  control.remove(one);
                  world.set(one, "acknowledged_by = null, suspended_until = null");
                  world.cancels(one);
                });
        case 6 ->
            on(
                alert,
                one -> {
                  boolean held = "suspended".equals(control.get(one));
                  control.put(one, held ? "" : "suspended");
                  world.set(one, "suspended_until = " + (held ? "null" : "'2027-01-01'"));
                  world.step(one, held ? "resumed" : "suspended");
                });
        case 7 ->
            on(
                alert,
                one -> {
                  world.set(one, "acknowledged_by = 'ann'");
                  world.step(one, "acknowledged");
                });
        case 8 -> {
          if (random.nextInt(3) == 0) {
            silence(random, world.clock.instant());
          }
        }
        default -> {}
      }
      world.run();
      world.delivered();
      world.clock.set(world.clock.instant().plus(TICK));
    }
  }

  private static void on(UUID alert, Consumer<UUID> what) {
    if (alert != null) {
      what.accept(alert);
    }
  }

  private List<String> lived() {
    return world
        .data
        .jdbc()
        .sql(
            """
            select to_char(created_at at time zone 'UTC', 'HH24:MI:SS') || ' ' || target_name || ' ' || event || ' ' || change
              || ' ' || coalesce((select string_agg(m.alert_id::text, ',' order by m.alert_id::text)
                   from delivery_member m where m.delivery_id = d.id), subject_id::text)
            from delivery d where status <> 'dropped' order by 1
            """)
        .query(String.class)
        .list();
  }

  private List<String> simulated(NotificationRule rule) {
    List<Simulation.Step> steps =
        world
            .data
            .jdbc()
            .sql("select id, alert_id, event, at from alert_history order by at, id")
            .query(
                (row, number) ->
                    new Simulation.Step(
                        row.getObject("alert_id", UUID.class),
                        row.getLong("id"),
                        row.getString("event"),
                        row.getObject("at", OffsetDateTime.class).toInstant()))
            .list();
    Simulation simulation =
        new Simulation(
            NotifyWorld.DAMPING,
            NotifyWorld.LOOK,
            world.contexts(),
            (scope, some) -> Set.of(),
            NotifyWorld.SPEAKING,
            () -> world.targets.values().stream().filter(NotificationTarget::enabled).toList(),
            world::template,
            Lookups.NONE,
            () -> List.copyOf(world.silences));
    Instant last = world.clock.instant().minus(TICK);
    Simulation.Result result = simulation.run(rule, steps, last, world.clock.instant());
    assertThat(result.until()).isEqualTo(last);
    return result.sent().stream()
        .map(
            sent ->
                "%s %s %s %s %s"
                    .formatted(
                        sent.at().toString().substring(11, 19),
                        world.targets.get(sent.target()).name(),
                        sent.event(),
                        sent.change(),
                        sent.members().isEmpty()
                            ? sent.subject()
                            : String.join(
                                ",",
                                sent.members().stream()
                                    .map(UUID::toString)
                                    .distinct()
                                    .sorted()
                                    .toList())))
        .sorted()
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "resend", "delay", "group", "severe", "digest"})
  void theSimulatorSendsTheMessagesOfThePipeline(String kind) {
    NotificationRule rule = rule(kind);
    aDay(new Random(kind.hashCode()));

    List<String> lived = lived();
    assertThat(lived).hasSizeGreaterThan(20);
    if (!kind.equals("plain") && !kind.equals("severe") && !kind.equals("digest")) {
      assertThat(lived).anyMatch(line -> line.contains(" resend "));
    }
    assertThat(simulated(rule)).containsExactlyInAnyOrderElementsOf(lived);
  }
}
