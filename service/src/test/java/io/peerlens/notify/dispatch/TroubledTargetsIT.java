package io.peerlens.notify.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.notify.delivery.RecordingChannel.Received;
import io.peerlens.notify.delivery.RecordingChannel.Reply;
import io.peerlens.notify.delivery.TestWorkers;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Targets that want no more, do not know us, are down, or can take only so much. */
class TroubledTargetsIT {

  private final NotifyWorld world = new NotifyWorld();
  private final UUID ops = world.target("ops", "");
  private int objects;

  @AfterEach
  void close() {
    world.close();
  }

  private UUID opens() {
    return world.opens(world.data.object("VMWARE", "VirtualMachine", "vm-" + objects++), 2);
  }

  // Not accepted, gone ----------------------------------------------------------------------------

  @Test
  void aTargetThatRefusesOurCredentialsIsPausedUntilItIsChanged() {
    world.rule("all", ops).put();
    AtomicBoolean mended = new AtomicBoolean();
    world.channel.answer(ops, attempt -> mended.get() ? Reply.ok() : Reply.unauthorized());
    opens();
    world.run();
    try (TestWorkers workers = world.workers()) {
      assertThat(workers).isNotNull();
      await().until(() -> paused(ops));
      opens();
      world.run();
      staysAt(1, "attempts while it is paused");
      mended.set(true);
      world.change(ops);
      await("what was refused does not wait for the end of the pause")
          .atMost(Duration.ofSeconds(30))
          .until(() -> world.channel.taken(ops).size() == 2);
    }
    assertThat(world.queued(ops)).containsOnly("NEW opened delivered");
    assertThat(paused(ops)).isFalse();
  }

  @Test
  void aTargetThatRefusesOurCredentialsIsRetriedAfterThePause() {
    world.rule("all", ops).put();
    AtomicInteger tries = new AtomicInteger();
    world.channel.answer(
        ops, attempt -> tries.incrementAndGet() < 3 ? Reply.unauthorized() : Reply.ok());
    opens();
    world.run();
    try (TestWorkers workers = world.workers()) {
      assertThat(workers).isNotNull();
      await().until(() -> paused(ops));
      staysAt(1, "attempts while it is paused");
      world.passes(Duration.ofMinutes(15)); // as the workers' time
      await().atMost(Duration.ofSeconds(30)).until(() -> world.channel.all().size() == 2);
      staysAt(2, "attempts in the second pause");
      world.passes(Duration.ofMinutes(15));
      await().atMost(Duration.ofSeconds(30)).until(() -> world.channel.taken(ops).size() == 1);
    }
    assertThat(world.channel.all().stream().map(one -> one.attempt().deliveryId()).distinct())
        .as("all of them one delivery")
        .hasSize(1);
  }

  @Test
  void aTargetThatIsGoneGetsNothingUntilItIsChanged() {
    world.rule("all", ops).put();
    AtomicBoolean back = new AtomicBoolean();
    world.channel.answer(ops, attempt -> back.get() ? Reply.ok() : Reply.gone());
    UUID first = opens();
    world.run();
    try (TestWorkers workers = world.workers()) {
      assertThat(workers).isNotNull();
      await().until(() -> world.queued(ops).equals(List.of("NEW opened dead")));
      opens();
      world.severity(first, 4);
      world.run();
      world.passes(Duration.ofHours(1));
      staysAt(1, "attempts at what is gone");
      back.set(true);
      world.change(ops);
      await().atMost(Duration.ofSeconds(30)).until(() -> world.channel.taken(ops).size() == 2);
    }
    assertThat(world.queued(ops))
        .as("the first never arrived, so it is told as new when something happens to it")
        .containsExactly("NEW opened dead", "NEW opened delivered", "NEW severity delivered");
  }

  /** Nothing more is tried for longer than anybody takes to notice that nothing may be. */
  private void staysAt(int attempts, String what) {
    await(what)
        .during(Duration.ofSeconds(3))
        .atMost(Duration.ofSeconds(30))
        .until(() -> world.channel.all().size() == attempts);
  }

  private boolean paused(UUID target) {
    return world
        .data
        .jdbc()
        .sql("select count(*) from target_line where target_id = ? and paused_until is not null")
        .param(target)
        .query(Boolean.class)
        .single();
  }

  // Down ------------------------------------------------------------------------------------------

  @Test
  void aTargetThatIsDownGetsSingleProbesUntilItAnswers() {
    UUID down = world.target("down", "{\"connections\": 1}");
    world.rule("all", down).put();
    AtomicBoolean up = new AtomicBoolean();
    world.channel.answer(down, attempt -> up.get() ? Reply.ok() : Reply.unreachable());
    for (int i = 0; i < 10; i++) {
      opens();
    }
    world.run();
    Set<String> seen = new HashSet<>();
    Duration wait = Duration.ofSeconds(2); // longer than three attempts take on a busy machine
    try (TestWorkers workers = world.workers(wait)) {
      await()
          .pollInterval(Duration.ofMillis(5))
          .until(
              () -> {
                seen.add(String.valueOf(workers.breakers().get(down)));
                return world.channel.all().size() >= 6;
              });
      List<Instant> attempts =
          world.channel.all().stream().map(Received::attempt).map(one -> one.at()).toList();
      assertThat(Duration.between(attempts.get(0), attempts.get(2)))
          .as("three failures open the breaker")
          .isLessThan(wait);
      for (int i = 3; i < attempts.size(); i++) {
        assertThat(Duration.between(attempts.get(i - 1), attempts.get(i)))
            .as("then there is one probe after each wait")
            .isGreaterThanOrEqualTo(wait.minusMillis(10));
      }
      assertThat(seen).contains("open");
      assertThat(breaker(down)).isEqualTo("open");
      up.set(true);
      await().atMost(Duration.ofSeconds(30)).until(() -> world.channel.taken(down).size() == 10);
      assertThat(workers.breakers()).containsEntry(down, "closed");
    }
    List<Received> all = world.channel.all();
    int probe = 0;
    while (!all.get(probe).delivered()) {
      probe++;
    }
    assertThat(Duration.between(all.get(probe).attempt().at(), all.getLast().attempt().at()))
        .as("when the probe arrives the rest goes at once, except for what waits for its turn")
        .isLessThan(wait.multipliedBy(5));
    assertThat(breaker(down)).isEqualTo("closed");
  }

  private String breaker(UUID target) {
    return world
        .data
        .jdbc()
        .sql("select breaker from target_line where target_id = ?")
        .param(target)
        .query(String.class)
        .single();
  }

  // Too much --------------------------------------------------------------------------------------

  @Test
  void aTargetGetsNoMoreThanItsRate() {
    UUID slow = world.target("slow", "{\"perMinute\": 300, \"burst\": 5, \"connections\": 20}");
    world.rule("all", slow).put();
    for (int i = 0; i < 25; i++) {
      opens();
    }
    world.run();
    Instant began = world.clock.instant(); // as the workers' time
    try (TestWorkers workers = world.workers()) {
      assertThat(workers).isNotNull();
      await().until(() -> world.channel.taken(slow).size() == 25);
    }
    List<Instant> at =
        world.channel.all().stream().map(one -> one.attempt().at()).sorted().toList();
    assertThat(Duration.between(at.getFirst(), at.get(4)))
        .as("a burst goes at once")
        .isLessThan(Duration.ofMillis(800));
    for (int i = 5; i < at.size(); i++) {
      assertThat(Duration.between(began, at.get(i)))
          .as("and then one each 200 ms, whatever comes late")
          .isGreaterThanOrEqualTo(Duration.ofMillis(200L * (i - 4) - 50));
    }
  }

  @Test
  void aStormArrivesInOneMessage() {
    UUID chat = world.target("chat", "{\"digestAfter\": 3}");
    world.rule("all", chat).put();
    for (int i = 0; i < 20; i++) {
      opens();
    }
    world.run();
    try (TestWorkers workers = world.workers()) {
      assertThat(workers).isNotNull();
      arrived(chat, 3);
      world.passes(Duration.ofSeconds(30));
      arrived(chat, 4);
      JsonNode digest = taken(chat).getLast();
      assertThat(digest.path("event").asString("")).isEqualTo("NEW");
      assertThat(digest.path("size").asInt(0)).isEqualTo(17);
      world
          .data
          .jdbc()
          .sql("select id from alert order by opened_at")
          .query(UUID.class)
          .list()
          .forEach(world::cancels);
      world.run();
      arrived(chat, 7);
      world.passes(Duration.ofMinutes(1));
      arrived(chat, 8);
      assertThat(taken(chat).subList(4, 8))
          .allMatch(body -> body.path("event").asString("").equals("CANCEL"))
          .anyMatch(body -> body.path("alert").equals(digest.path("alert")));
    }
    assertThat(world.queued(chat)).allMatch(one -> one.endsWith("delivered"));
  }

  /** Time must not pass while one is on its way, or its sender seems to have died. */
  private void arrived(UUID target, int atLeast) {
    await()
        .until(
            () ->
                world.channel.taken(target).size() >= atLeast
                    && world.queued(target).stream().allMatch(one -> one.endsWith("delivered")));
  }

  private List<JsonNode> taken(UUID target) {
    return world.channel.taken(target).stream().map(JsonMapper.shared()::readTree).toList();
  }
}
