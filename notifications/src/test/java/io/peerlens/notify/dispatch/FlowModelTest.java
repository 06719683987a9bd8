package io.peerlens.notify.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.notify.definition.NotificationRule.Resend;
import io.peerlens.notify.delivery.QueueStore.Fate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One alert and one target through random lives: it opens, changes, ends and opens again; silences
 * come and go, the rule changes its mind, the target is down for a while and gives deliveries up.
 * Whatever happens, what the receiver gets makes sense, and what it was told of ends.
 */
class FlowModelTest {

  private static final int LIVES = 3_000;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void everySequenceOfNotificationsIsValid(long seed) {
    Random random = new Random(seed);
    int told = 0;
    for (int life = 0; life < LIVES; life++) {
      told += new Life(random).live();
    }
    assertThat(told).as("the test does test something").isGreaterThan(LIVES);
  }

  /** A delivery on its way. */
  private static final class Sent {
    final String event;
    boolean reached;

    Sent(String event) {
      this.event = event;
    }
  }

  private static final class Life {
    private final Random random;
    private final Flow flow =
        new Flow(
            new Flow.Damping(3, Duration.ofMinutes(30), Duration.ofMinutes(5)),
            Duration.ofSeconds(30));
    private final List<String> story = new ArrayList<>();
    private final List<String> received = new ArrayList<>();
    private final Deque<Sent> queue = new ArrayDeque<>();
    private Instant now = Instant.parse("2026-11-21T10:00:00Z");
    private NotificationState at = NotificationState.NONE;
    private boolean open;
    private Instant openSince = now;
    private boolean held;
    private boolean about = true;
    private boolean down;
    private final Duration delay;
    private final @Nullable Resend resend;

    /** What became of the newest NEW; null = there was none. */
    private @Nullable Sent newest;

    private boolean givenUp;

    Life(Random random) {
      this.random = random;
      delay = random.nextInt(3) == 0 ? Duration.ofSeconds(40) : Duration.ZERO;
      resend = random.nextInt(3) == 0 ? new Resend(Duration.ofMinutes(2), 3) : null;
    }

    int live() {
      for (int step = 0; step < 60; step++) {
        now = now.plusSeconds(random.nextInt(60));
        switch (random.nextInt(10)) {
          case 0, 1 -> opens();
          case 2, 3 -> arrives(Arrival.Kind.UPDATE, "severity");
          case 4 -> ends();
          case 5 -> held = random.nextInt(3) == 0;
          case 6 -> about = random.nextInt(4) > 0;
          case 7 -> down = random.nextInt(3) == 0;
          case 8 -> givesUp();
          default -> {}
        }
        look();
        deliver();
      }
      held = false;
      about = true;
      down = false;
      ends();
      look();
      deliver();
      check();
      return received.size();
    }

    private void opens() {
      if (!open) {
        open = true;
        openSince = now;
        arrives(Arrival.Kind.NEW, "opened");
      }
    }

    private void ends() {
      if (open) {
        open = false;
        arrives(Arrival.Kind.CANCEL, "canceled");
      }
    }

    private void look() {
      Instant due = at.due();
      if (due != null && !now.isBefore(due)) {
        arrives(Arrival.Kind.LOOK, "look");
      }
    }

    private Fate opening() {
      if (newest == null || newest.reached) {
        return Fate.LEFT;
      }
      return givenUp ? Fate.LOST : Fate.WAITS;
    }

    private void arrives(Arrival.Kind kind, String change) {
      if (kind == Arrival.Kind.UPDATE && !open) {
        return;
      }
      Facts facts =
          new Facts(
              about,
              "not about it",
              true,
              true,
              true,
              false,
              false,
              delay,
              resend,
              openSince,
              held ? List.of(new MuteReason(MuteReason.Kind.SILENCE, "silenced", null)) : List.of(),
              opening());
      Decision decision = flow.next(at, new Arrival(kind, change), facts, now);
      story.add(now + " " + kind + " -> " + decision.outcome() + " " + decision.words());
      at = decision.after();
      if (decision.dropsWaiting()) {
        dropFromNewest();
      }
      Decision.Tell tell = decision.tell();
      if (tell != null) {
        Sent sent = new Sent(tell.event().name());
        if (sent.event.equals("NEW")) {
          newest = sent;
          givenUp = false;
        } else {
          queue.removeIf(waiting -> waiting.event.equals("UPDATE") && !waiting.reached);
        }
        queue.add(sent);
      }
    }

    /** The target takes what waits, in order. */
    private void deliver() {
      while (!down && !queue.isEmpty()) {
        Sent sent = queue.remove();
        sent.reached = true;
        received.add(sent.event);
        story.add(now + " delivered " + sent.event);
      }
    }

    /** What waits from the newest NEW on; the end of an earlier life is still wanted. */
    private void dropFromNewest() {
      while (queue.contains(newest)) {
        queue.removeLast();
      }
    }

    /** What waits became too old: with a NEW goes all that waits behind it. */
    private void givesUp() {
      if (down && queue.stream().anyMatch(sent -> sent == newest)) {
        dropFromNewest();
        givenUp = true;
        story.add(now + " given up");
      }
    }

    private void check() {
      boolean isOpen = false;
      for (String event : received) {
        switch (event) {
          case "NEW" -> {
            assertThat(isOpen).as("no second NEW without CANCEL: %s", story).isFalse();
            isOpen = true;
          }
          case "CANCEL" -> {
            assertThat(isOpen).as("no CANCEL without NEW: %s", story).isTrue();
            isOpen = false;
          }
          default -> assertThat(isOpen).as("no UPDATE before NEW: %s", story).isTrue();
        }
      }
      assertThat(isOpen).as("no CANCEL is lost: %s", story).isFalse();
    }
  }
}
