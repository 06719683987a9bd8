package io.peerlens.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.alert.Outcome.Verdict;
import io.peerlens.maintenance.Maintenance;
import io.peerlens.threshold.Severity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random lives of alerts, held against a model that remembers everything and is written plainly.
 */
class AlertStateMachineRandomTest {

  private static final Maintenance WINDOW =
      new Maintenance(UUID.fromString("00000000-0000-0000-0000-000000000001"), "Patches");

  /** What one object shows at a tick: a severity from 1 to 4, or one of these. */
  private static final int CLEAR = 0;

  private static final int UNKNOWN = -1;
  private static final int OUT = -2;

  /** One object as somebody would work it out on paper. */
  private static final class OnPaper {
    final List<Instant> openings = new ArrayList<>();
    final List<String> log = new ArrayList<>();
    int alerts;
    boolean open;
    int severity;
    int waited;
    int quiet;
    boolean flapping;
    boolean suppressed;
    @Nullable Instant quietSince;
    @Nullable Instant canceled;

    void tick(Instant tick, int shows, int wait, int cancel, boolean maintenance, boolean gone) {
      boolean firing = shows > 0;
      if (!open && firing && !gone) {
        waited++;
        if (waited >= wait) {
          open(tick, shows);
        }
      } else if (!open && shows != UNKNOWN && !firing) {
        waited = 0;
      } else if (open && gone) {
        close("object-gone", tick);
      } else if (open && firing) {
        quiet = 0;
        quietSince = null;
        if (severity != shows) {
          log.add("severity " + shows);
          severity = shows;
        }
      } else if (open && shows == OUT) {
        close("out-of-scope", tick);
      } else if (open && shows == CLEAR) {
        beQuiet(tick, cancel);
      }
      if (open && maintenance != suppressed) {
        log.add(maintenance ? "suppressed" : "unsuppressed");
        suppressed = maintenance;
      }
    }

    private void open(Instant tick, int shows) {
      open = true;
      waited = 0;
      severity = shows;
      quiet = 0;
      if (canceled != null && !tick.isAfter(canceled.plus(Life.FLAP_WINDOW))) {
        log.add("reopened");
        openings.add(tick);
        Instant from = tick.minus(Life.FLAP_WINDOW);
        if (openings.stream().filter(opening -> !opening.isBefore(from)).count() >= 3) {
          flapping = true;
          log.add("flapping");
        }
      } else {
        alerts++;
        log.add("opened");
        openings.clear();
        openings.add(tick);
        suppressed = false;
      }
    }

    private void beQuiet(Instant tick, int cancel) {
      quiet++;
      if (flapping) {
        quietSince = quietSince == null ? tick : quietSince;
        if (!tick.isBefore(quietSince.plus(Life.FLAP_WINDOW))) {
          close("cleared", tick);
        }
      } else if (quiet >= cancel) {
        close("cleared", tick);
      }
    }

    private void close(String why, Instant tick) {
      log.add("canceled " + why);
      open = false;
      flapping = false;
      quietSince = null;
      canceled = tick;
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void randomAlertsFollowTheReferenceModelThroughTakeovers(long seed) {
    Random random = new Random(seed);
    Life life = new Life();
    life.waitCycles = 1 + random.nextInt(3);
    life.cancelCycles = 1 + random.nextInt(3);
    int objects = 4;
    double calm = random.nextDouble();
    Map<Integer, OnPaper> papers = new HashMap<>();
    Map<Integer, List<String>> logs = new HashMap<>();
    Map<Integer, Set<UUID>> ids = new HashMap<>();
    int[] shows = new int[objects];
    for (int object = 0; object < objects; object++) {
      papers.put(object, new OnPaper());
      logs.put(object, new ArrayList<>());
      ids.put(object, new HashSet<>());
    }

    for (int step = 0; step < 2000; step++) {
      life.tick = life.tick.plusSeconds(60L * (random.nextInt(50) == 0 ? 20 : 1));
      if (random.nextInt(40) == 0) {
        life.maintenance = life.maintenance == null ? WINDOW : null;
      }
      if (random.nextInt(200) == 0) {
        life.gone.add(random.nextInt(objects));
      } else if (random.nextInt(20) == 0) {
        life.gone.clear();
      }
      for (int object = 0; object < objects; object++) {
        if (random.nextDouble() > calm) {
          shows[object] = random.nextInt(-2, 5);
        }
      }
      Transitions found = tick(life, shows);
      for (Transition transition : found.alerts()) {
        int object = transition.after().key().objectId();
        ids.get(object).add(transition.after().id());
        logs.get(object).addAll(words(transition));
      }
      for (int object = 0; object < objects; object++) {
        OnPaper paper = papers.get(object);
        paper.tick(
            life.tick,
            shows[object],
            life.waitCycles,
            life.cancelCycles,
            life.maintenance != null,
            life.gone.contains(object));
        AlertState alert = life.alerts.get(new AlertKey(Life.DEFINITION, object));
        assertThat(alert != null && alert.isOpen()).as("step %d", step).isEqualTo(paper.open);
        assertThat(logs.get(object)).as("step %d", step).isEqualTo(paper.log);
        assertThat(ids.get(object)).hasSize(paper.alerts);
      }
      if (random.nextInt(10) == 0) {
        assertThat(tick(life, shows).alerts()).as("the same tick again").isEmpty();
      }
    }
  }

  private static Transitions tick(Life life, int[] shows) {
    Map<Integer, Finding> fires = new HashMap<>();
    for (int object = 0; object < shows.length; object++) {
      if (shows[object] > 0) {
        Severity severity = Severity.values()[shows[object] - 1];
        fires.put(object, Life.finding(severity, object));
      }
    }
    return life.at(
        life.tick,
        fires,
        object ->
            switch (shows[object]) {
              case UNKNOWN -> Verdict.UNKNOWN;
              case OUT -> Verdict.OUT_OF_SCOPE;
              default -> Verdict.CLEAR;
            });
  }

  private static List<String> words(Transition transition) {
    return transition.events().stream()
        .map(
            event ->
                switch (event) {
                  case SEVERITY -> "severity " + transition.after().severity().level();
                  case CANCELED -> {
                    CancelReason reason = transition.after().cancelReason();
                    yield "canceled " + (reason == null ? "" : reason.label());
                  }
                  default -> event.label();
                })
        .toList();
  }
}
