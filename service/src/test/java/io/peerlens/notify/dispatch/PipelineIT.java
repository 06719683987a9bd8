package io.peerlens.notify.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.incident.IncidentKeeper;
import io.peerlens.incident.TestKeeper;
import io.peerlens.notify.definition.Silence;
import io.peerlens.notify.delivery.RecordingChannel.Reply;
import io.peerlens.notify.delivery.TestWorkers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Alerts, as the evaluation writes them, through the pipeline on a real database. */
class PipelineIT {

  private final NotifyWorld world = new NotifyWorld();
  private final int host = world.data.object("VMWARE", "HostSystem", "esx-1");
  private final int vm = world.data.object("VMWARE", "VirtualMachine", "vm-1");

  PipelineIT() {
    world
        .data
        .jdbc()
        .sql("insert into relation (parent_id, child_id) values (?, ?)")
        .params(host, vm)
        .update();
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void anAlertIsSentFromItsOpeningToItsEnd() {
    UUID ops = world.target("ops", "");
    world.rule("all", ops).put();
    UUID alert = world.opens(vm, 2);
    world.run();
    assertThat(world.queued(ops)).containsExactly("NEW opened waiting");
    world.delivered();
    world.severity(alert, 4);
    world.run();
    world.cancels(alert);
    world.run();
    assertThat(world.queued(ops))
        .as("an update that is still waiting is overtaken by the end")
        .containsExactly(
            "NEW opened delivered", "UPDATE severity dropped", "CANCEL canceled waiting");
    assertThat(
            world.data.jdbc().sql("select count(*) from alert_outbox").query(Long.class).single())
        .isZero();
  }

  @Test
  void anAlertThatEndsBeforeItLeftIsDropped() {
    UUID ops = world.target("ops", "");
    world.rule("all", ops).put();
    UUID alert = world.opens(vm, 2);
    world.run();
    world.severity(alert, 4);
    world.cancels(alert);
    world.run();
    assertThat(world.queued(ops)).containsExactly("NEW opened dropped");
    assertThat(world.why(alert)).isEqualTo("canceled before its NEW was sent, so both are dropped");
    world.reopens(alert);
    world.run();
    assertThat(world.queued(ops)).last().isEqualTo("NEW reopened waiting");
  }

  @Test
  void anAlertThatOpensAndEndsInOneBatchIsNotSent() {
    UUID ops = world.target("ops", "");
    world.rule("all", ops).put();
    UUID alert = world.opens(vm, 2);
    world.cancels(alert);
    world.run();
    assertThat(world.queued(ops)).isEmpty();
  }

  @Test
  void rulesAreMatchedInOrderUntilOneDoesNotContinue() {
    UUID ops = world.target("ops", "");
    UUID boss = world.target("boss", "");
    world.rule("critical", boss).severities("CRITICAL").last().put();
    world.rule("rest", ops).put();
    UUID low = world.opens(world.data.object("VMWARE", "VirtualMachine", "elsewhere"), 2);
    world.run();
    world.opens(host, 4);
    world.run();
    assertThat(world.queued(boss)).containsExactly("NEW opened waiting");
    assertThat(world.queued(ops)).containsExactly("NEW opened waiting");
    world.delivered();
    world.severity(low, 4);
    world.run();
    assertThat(world.queued(boss))
        .as("the rule is about it now, so its target hears of it as new")
        .containsExactly("NEW opened delivered", "NEW severity waiting");
    assertThat(world.queued(ops))
        .as("who was told hears the rest")
        .containsExactly("NEW opened delivered", "UPDATE severity waiting");
  }

  @Test
  void twoRulesNotifyOneTargetOnce() {
    UUID ops = world.target("ops", "");
    world.rule("first", ops).put();
    world.rule("second", ops).put();
    UUID alert = world.opens(vm, 2);
    world.run();
    assertThat(world.queued(ops)).containsExactly("NEW opened waiting");
    assertThat(world.why(alert)).isEqualTo("sent by the rule first");
  }

  @Test
  void anAlertThatEndsWithinTheDelayIsNotSent() {
    UUID ops = world.target("ops", "");
    world.rule("all", ops).delay(Duration.ofMinutes(1)).put();
    UUID brief = world.opens(vm, 2);
    UUID lasting = world.opens(host, 2);
    world.run();
    world.passes(Duration.ofSeconds(30));
    world.cancels(brief);
    world.run();
    assertThat(world.queued(ops)).isEmpty();
    world.passes(Duration.ofSeconds(30));
    assertThat(world.queued(ops)).containsExactly("NEW opened waiting");
    assertThat(world.why(brief)).isEqualTo("canceled before the delay was over");
    assertThat(world.why(lasting)).isEqualTo("sent as NEW");
  }

  @Test
  void anOpenAlertIsResent() {
    UUID ops = world.target("ops", "");
    world.rule("all", ops).resend(Duration.ofMinutes(10), 2).put();
    world.opens(vm, 2);
    world.run();
    for (int i = 0; i < 4; i++) {
      world.delivered();
      world.passes(Duration.ofMinutes(10));
    }
    assertThat(world.queued(ops))
        .containsExactly(
            "NEW opened delivered", "UPDATE resend delivered", "UPDATE resend delivered");
  }

  @Test
  void aSilencedAlertStillOpenIsSentWhenTheSilenceEnds() {
    UUID ops = world.target("ops", "");
    world.rule("all", ops).put();
    world.silences.add(silence(Duration.ofMinutes(5)));
    UUID alert = world.opens(vm, 2);
    world.run();
    assertThat(world.queued(ops)).isEmpty();
    assertThat(world.why(alert)).startsWith("silenced until 2026-11-21T10:05:00Z: switch");
    world.passes(Duration.ofMinutes(4));
    assertThat(world.queued(ops)).isEmpty();
    world.passes(Duration.ofMinutes(1));
    assertThat(world.queued(ops)).containsExactly("NEW opened waiting");
  }

  @Test
  void theEndIsSentDespiteASilence() {
    UUID ops = world.target("ops", "");
    world.rule("all", ops).put();
    UUID alert = world.opens(vm, 2);
    world.run();
    world.delivered();
    world.silences.add(silence(Duration.ofHours(5)));
    world.severity(alert, 4);
    world.run();
    world.cancels(alert);
    world.run();
    assertThat(world.queued(ops))
        .containsExactly("NEW opened delivered", "CANCEL canceled waiting");
  }

  @Test
  void theEndIsSentThoughTheRuleIsGone() {
    UUID ops = world.target("ops", "");
    world.rule("all", ops).put();
    UUID alert = world.opens(vm, 2);
    world.run();
    world.delivered();
    world.rules.clear();
    world.severity(alert, 4);
    world.run();
    world.cancels(alert);
    world.run();
    assertThat(world.queued(ops))
        .containsExactly("NEW opened delivered", "CANCEL canceled waiting");
  }

  @Test
  void theEndIsSentThoughTheObjectIsGone() {
    UUID ops = world.target("ops", "");
    world.rule("all", ops).put();
    world.opens(vm, 2);
    world.run();
    world.delivered();
    world.data.sql("delete from object where name = 'vm-1'");
    new UpkeepStore(world.data.jdbc(), Duration.ofDays(30), Duration.ofDays(1))
        .run(world.clock.instant());
    world.run();
    assertThat(world.queued(ops))
        .containsExactly("NEW opened delivered", "CANCEL canceled waiting");
  }

  @Test
  void anAlertInMaintenanceIsHeldUntilItIsOver() {
    UUID ops = world.target("ops", "");
    world.rule("all", ops).put();
    UUID alert = world.opens(vm, 2);
    world.set(alert, "maintenance_id = gen_random_uuid(), maintenance_name = 'patch day'");
    world.run();
    assertThat(world.queued(ops)).isEmpty();
    assertThat(world.why(alert)).isEqualTo("its object is in maintenance");
    world.set(alert, "maintenance_id = null");
    world.step(alert, "unsuppressed");
    world.run();
    assertThat(world.queued(ops)).containsExactly("NEW unsuppressed waiting");
  }

  @Test
  void anAlertOfTheHostInhibitsThoseOfItsVms() {
    UUID ops = world.target("ops", "");
    world.rule("all", ops).put();
    UUID below = world.opens(vm, 3);
    UUID above = world.opens(host, 3);
    world.run();
    assertThat(world.queued(ops)).as("in one batch the host goes first").hasSize(1);
    assertThat(world.why(below)).endsWith("(CPU high on esx-1) inhibits it");
    world.delivered();
    UUID worse = world.opens(vm, 4);
    world.run();
    assertThat(world.queued(ops)).as("what is worse is told").hasSize(2);
    world.delivered();
    world.cancels(worse);
    world.cancels(above);
    world.run();
    world.passes(Duration.ofSeconds(30));
    assertThat(world.queued(ops))
        .as("the host is well again, the VM is not")
        .last()
        .isEqualTo("NEW opened waiting");
  }

  @Test
  void alertsOfAGroupAreSentTogether() {
    UUID ops = world.target("ops", "");
    world
        .rule("all", ops)
        .group(Duration.ofSeconds(30), Duration.ofMinutes(5), "alert.impact")
        .put();
    UUID first = world.opens(vm, 2);
    world.run();
    world.passes(Duration.ofSeconds(10));
    UUID second = world.opens(host, 4);
    world.run();
    assertThat(world.queued(ops)).isEmpty();
    world.passes(Duration.ofSeconds(20));
    assertThat(world.queued(ops)).containsExactly("NEW opened waiting");
    JsonNode body = body(0);
    assertThat(body.path("size").asInt(0)).isEqualTo(2);
    assertThat(body.path("criticality").asString("")).isEqualTo("CRITICAL");
    world.delivered();
    world.cancels(first);
    world.run();
    world.passes(Duration.ofMinutes(5));
    world.delivered();
    world.cancels(second);
    world.run();
    assertThat(world.queued(ops))
        .containsExactly(
            "NEW opened delivered", "UPDATE members delivered", "CANCEL canceled waiting");
    assertThat(
            world
                .data
                .jdbc()
                .sql("select distinct subject_id::text from delivery")
                .query(String.class)
                .list())
        .as("a group has one id from its opening to its end")
        .containsExactly(body.path("alert").asString("-"));
  }

  /** An alert about memory, which a host explains on its machines. */
  private UUID shortOfMemory(int object, int severity) {
    UUID alert = world.opens(object, severity);
    world.set(alert, "members = jsonb_set(members, '{0,key}', '\"mem|usage_average\"')");
    return alert;
  }

  private int machine(String name) {
    int id = world.data.object("VMWARE", "VirtualMachine", name);
    world
        .data
        .jdbc()
        .sql("insert into relation (parent_id, child_id) values (?, ?)")
        .params(host, id)
        .update();
    return id;
  }

  @Test
  void anIncidentIsSentAsOneFromItsStartToItsEnd() {
    IncidentKeeper keeper = TestKeeper.of(world.data);
    UUID ops = world.target("ops", "");
    world.rule("all", ops).group(Duration.ofSeconds(30), Duration.ofMinutes(5), "incident").put();
    List<UUID> alerts = new ArrayList<>(List.of(shortOfMemory(host, 3), shortOfMemory(vm, 2)));
    UUID other = shortOfMemory(world.data.object("VMWARE", "VirtualMachine", "elsewhere"), 2);
    world.run();
    world.passes(Duration.ofSeconds(3));
    keeper.run(world.clock.instant());
    world.passes(Duration.ofSeconds(3));
    assertThat(world.queued(ops)).as("all wait for others").isEmpty();
    world.passes(Duration.ofSeconds(24));

    assertThat(world.queued(ops)).containsExactly("NEW opened waiting", "NEW opened waiting");
    List<JsonNode> first = List.of(body(0), body(1));
    assertThat(first).anyMatch(one -> one.path("size").asInt() == 2);
    JsonNode incident =
        first.stream().filter(one -> one.path("size").asInt() == 2).findFirst().get();
    assertThat(incident.path("name").asString("")).isEqualTo("esx-1 is short of memory");
    assertThat(incident.path("criticality").asString("")).isEqualTo("IMMEDIATE");
    assertThat(incident.path("info").asString("")).contains("CPU high on esx-1, vm-1");
    assertThat(incident.path("url").asString("")).startsWith("https://peerlens.example/incidents/");
    assertThat(first).anyMatch(one -> one.path("name").asString("").equals("CPU high"));

    world.delivered();
    alerts.add(shortOfMemory(machine("vm-2"), 2));
    world.run();
    keeper.run(world.clock.instant());
    world.passes(Duration.ofMinutes(6));
    assertThat(world.queued(ops)).as("another machine is no news").hasSize(2);
    world.severity(alerts.getFirst(), 4);
    keeper.run(world.clock.instant());
    world.passes(Duration.ofSeconds(1));
    assertThat(world.queued(ops).getLast()).as("it got worse").isEqualTo("UPDATE members waiting");
    assertThat(body(2).path("criticality").asString("")).isEqualTo("CRITICAL");
    assertThat(body(2).path("size").asInt()).isEqualTo(3);
    world.delivered();
    alerts.forEach(world::cancels);
    world.run();
    keeper.run(world.clock.instant());
    world.passes(Duration.ofMinutes(9));
    assertThat(world.queued(ops)).as("some may come back").hasSize(3);
    world.passes(Duration.ofMinutes(2));
    assertThat(world.queued(ops)).hasSize(4).last().isEqualTo("CANCEL canceled waiting");
    assertThat(body(3).path("alert")).isEqualTo(incident.path("alert"));
    world.cancels(other);
    world.passes(Duration.ofSeconds(1));
    assertThat(world.queued(ops)).as("what is in no incident ends at once").hasSize(5);
  }

  @Test
  void aTargetThatGotAnAlertGetsItsIncidentAsAnUpdate() {
    IncidentKeeper keeper = TestKeeper.of(world.data);
    UUID ops = world.target("ops", "");
    world.rule("all", ops).group(Duration.ofSeconds(30), Duration.ofMinutes(5), "incident").put();
    UUID cause = shortOfMemory(host, 4);
    world.run();
    keeper.run(world.clock.instant());
    world.passes(Duration.ofSeconds(30));
    assertThat(world.queued(ops)).containsExactly("NEW opened waiting");
    assertThat(body(0).path("name").asString("")).isEqualTo("CPU high");
    assertThat(body(0).path("number").asLong()).as("it is one alert").isPositive();
    world.delivered();
    world.passes(Duration.ofMinutes(1));
    List<UUID> machines = List.of(shortOfMemory(vm, 2), shortOfMemory(machine("vm-2"), 2));
    world.run();
    keeper.run(world.clock.instant());
    world.passes(Duration.ofMinutes(5));

    assertThat(world.queued(ops)).hasSize(2).last().isEqualTo("UPDATE members waiting");
    assertThat(body(1).path("alert")).isEqualTo(body(0).path("alert"));
    assertThat(body(1).path("size").asInt()).isEqualTo(3);
    assertThat(body(1).path("number").isNull()).isTrue();
    world.delivered();
    machines.forEach(world::cancels);
    world.cancels(cause);
    world.run();
    world.passes(Duration.ofMinutes(11));
    assertThat(world.queued(ops)).hasSize(3).last().isEqualTo("CANCEL canceled waiting");
  }

  @Test
  void aStormIsSentInOneMessage() {
    UUID ops = world.target("ops", "{\"digestAfter\": 3}");
    world.rule("all", ops).put();
    for (int i = 0; i < 20; i++) {
      world.opens(world.data.object("VMWARE", "VirtualMachine", "storm-" + i), 2);
    }
    world.run();
    assertThat(world.queued(ops)).hasSize(3);
    world.passes(Duration.ofSeconds(30));
    assertThat(world.queued(ops)).hasSize(4);
    assertThat(body(3).path("size").asInt(0)).isEqualTo(17);
    world.delivered();
    for (UUID alert : world.data.jdbc().sql("select id from alert").query(UUID.class).list()) {
      world.cancels(alert);
    }
    world.run();
    assertThat(world.queued(ops)).as("three alerts and one digest are over").hasSize(8);
    assertThat(world.queued(ops).subList(4, 8)).containsOnly("CANCEL canceled waiting");
  }

  @Test
  void everyRuleSaysWhyItDidNotTakeAnAlert() {
    UUID ops = world.target("ops", "");
    world.rule("critical", ops).severities("CRITICAL").put();
    UUID alert = world.opens(vm, 2);
    world.run();
    assertThat(
            world
                .data
                .jdbc()
                .sql("select matched || ': ' || words from notification_trace where alert_id = ?")
                .param(alert)
                .query(String.class)
                .single())
        .isEqualTo("false: severity is WARNING, not CRITICAL");
    assertThat(new Match(List.of()).matches()).isTrue();
  }

  // Delivery --------------------------------------------------------------------------------------

  @Test
  void targetsGetAnAlertInOrderThoughDeliveriesFail() {
    UUID ops = world.target("ops", "");
    world.rule("all", ops).put();
    AtomicInteger tries = new AtomicInteger();
    world.channel.answer(
        ops,
        attempt ->
            tries.getAndIncrement() < 2 ? Reply.later(null) : Reply.ok("{\"ticket\": \"INC7\"}"));
    UUID alert = world.opens(vm, 2);
    world.run();
    try (TestWorkers workers = world.workers()) {
      assertThat(workers).isNotNull();
      await().until(() -> tries.get() >= 1);
      world.severity(alert, 4);
      world.run();
      await().until(() -> world.channel.taken(ops).size() == 2);
      world.cancels(alert);
      world.run();
      await().until(() -> world.channel.taken(ops).size() == 3);
    }
    List<JsonNode> taken =
        world.channel.taken(ops).stream().map(JsonMapper.shared()::readTree).toList();
    assertThat(taken.stream().map(body -> body.path("event").asString("")))
        .containsExactly("NEW", "UPDATE", "CANCEL");
    assertThat(taken.get(1).path("previous").asString("")).isEqualTo("WARNING");
    assertThat(taken.stream().map(body -> body.path("ticket").asString("")))
        .as("what the receiver calls it is known after its first answer")
        .containsExactly("", "INC7", "INC7");
    assertThat(
            world.channel.all().stream().map(one -> one.attempt().deliveryId()).distinct().count())
        .as("every attempt at one delivery has one id")
        .isEqualTo(3);
    assertThat(world.queued(ops)).allMatch(one -> one.endsWith("delivered"));
  }

  @Test
  void correlationIdIsRenderedOnceTheReceiverReturnedIt() {
    UUID ops = world.target("ops", "");
    world.rule("all", ops).put();
    UUID alert = world.opens(vm, 2);
    world.run();
    world.data.sql("update delivery set status = 'sending', lease_until = '2100-01-01'");
    world.severity(alert, 4);
    world.run();
    JdbcClient jdbc = world.data.jdbc();
    String made =
        "select string_agg(event || ' ' || (message is not null), ', ' order by number) from"
            + " delivery";
    assertThat(jdbc.sql(made).query(String.class).single()).isEqualTo("NEW true, UPDATE false");
    jdbc.sql("insert into notified values (?, ?, '{\"ticket\": \"INC9\"}', now())")
        .params(ops, alert)
        .update();
    world.data.sql("update delivery set lease_until = '2000-01-01' where event = 'NEW'");
    try (TestWorkers workers = world.workers()) {
      assertThat(workers).isNotNull();
      await().until(() -> world.channel.taken(ops).size() == 2);
    }
    assertThat(world.channel.taken(ops).getLast()).contains("INC9");
  }

  @Test
  void aDeadTargetCostsTheOthersNothing() {
    UUID dead = world.target("dead", "");
    UUID well = world.target("well", "");
    world.rule("all", dead, well).put();
    world.channel.answer(dead, attempt -> Reply.unreachable());
    for (int i = 0; i < 50; i++) {
      world.opens(world.data.object("VMWARE", "VirtualMachine", "vm-of-storm-" + i), 2);
    }
    world.run();
    try (TestWorkers workers = world.workers()) {
      assertThat(workers).isNotNull();
      await().atMost(Duration.ofSeconds(30)).until(() -> world.channel.taken(well).size() == 50);
    }
    assertThat(world.channel.all().stream().filter(one -> one.target().equals(dead)).count())
        .as("the breaker keeps it from being tried all the time")
        .isLessThan(40);
    JdbcClient jdbc = world.data.jdbc();
    assertThat(
            jdbc.sql("select failure from target_line where target_id = ?")
                .param(dead)
                .query(String.class)
                .single())
        .isEqualTo("The receiver cannot be reached");
    jdbc.sql("update alert set status = 'canceled'").update();
    for (UUID alert : jdbc.sql("select id from alert").query(UUID.class).list()) {
      world.step(alert, "canceled");
    }
    world.run();
    assertThat(world.queued(dead)).as("nobody heard of them").allMatch(x -> x.endsWith("dropped"));
    assertThat(world.queued(well)).filteredOn(x -> x.equals("CANCEL canceled waiting")).hasSize(50);
  }

  @Test
  void deliveriesOfADeadSenderAreSentAgainUnderTheSameId() {
    UUID ops = world.target("ops", "");
    world.rule("all", ops).put();
    UUID alert = world.opens(vm, 2);
    world.run();
    world.data.sql(
        "update delivery set status = 'sending', attempts = 1, lease_node = 'dead', lease_until ="
            + " '2000-01-01'");
    world.cancels(alert);
    world.run();
    try (TestWorkers workers = world.workers()) {
      assertThat(workers).isNotNull();
      await().until(() -> world.channel.taken(ops).size() == 2);
    }
    assertThat(world.queued(ops))
        .as("it may have arrived, so its end is told, too")
        .containsExactly("NEW opened delivered", "CANCEL canceled delivered");
    assertThat(world.channel.all().getFirst().attempt().number()).isEqualTo(2);
  }

  private static Silence silence(Duration time) {
    return new Silence(
        UUID.randomUUID(),
        "switch replacement",
        Set.of(),
        List.of(
            new Silence.Matcher(
                List.of("alert", "impact"), Silence.Operator.EQUALS, "HEALTH", null)),
        null,
        null,
        NotifyWorld.T0,
        NotifyWorld.T0.plus(time));
  }

  /**
   * The body of a delivery, by its place; of one that is made when it is sent, what it will say.
   */
  private JsonNode body(int place) {
    String message =
        world
            .data
            .jdbc()
            .sql(
                """
                select coalesce(message ->> 'body', jsonb_build_object('alert', context #> '{alert,id}',
                  'name', context #> '{alert,name}', 'number', context #> '{alert,number}',
                  'criticality', context #> '{alert,criticality}', 'size', context #> '{group,size}')::text)
                from delivery order by number offset ? limit 1
                """)
            .param(place)
            .query(String.class)
            .single();
    return JsonMapper.shared().readTree(message);
  }
}
