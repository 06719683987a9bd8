package io.peerlens.incident;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * How often the cause is right, on troubles that are made up at random with a fixed seed: one or
 * two at once, alerts of theirs that are missing or late, and alerts that have nothing to do with
 * them. The table is that of docs/alerting.md.
 */
class CauseAccuracyTest {

  private static final int WORLDS = 400;
  private static final int CLUSTERS = 3;
  private static final int HOSTS = 4;
  private static final int MACHINES = 12;

  private enum Trouble {
    HOST_MEMORY,
    HOST_CPU,
    DATASTORE,
    BUSY_NEIGHBOUR,
    HOST_SILENT,
    HOST_NETWORK
  }

  /** Alerts that were made, with the cause that each belongs to. */
  private record World(Estate estate, Map<UUID, OpenAlert> truth, Map<OpenAlert, Trouble> causes) {}

  /** What was right: effects found of all, right ones of those found, causes found. */
  private static final class Score {
    int effects;
    int found;
    int wrong;
    int causes;
    int causesFound;
    int incidents;
    int alerts;

    double recall() {
      return (double) found / effects;
    }

    double precision() {
      return (double) found / (found + wrong);
    }
  }

  private static World world(Random random, List<Trouble> troubles, int noise) {
    World world =
        new World(new Estate(CLUSTERS, HOSTS, MACHINES), new HashMap<>(), new HashMap<>());
    List<String> hosts = new ArrayList<>();
    for (int c = 1; c <= CLUSTERS; c++) {
      for (int h = 1; h <= HOSTS; h++) {
        hosts.add("c" + c + "-h" + h);
      }
    }
    java.util.Collections.shuffle(hosts, random);
    for (Trouble trouble : troubles) {
      trouble(world, random, trouble, hosts.removeLast());
    }
    List<String> keys =
        List.of(
            "cpu|usage_average",
            "cpu|readiness_average",
            "mem|usage_average",
            "disk|maxTotalLatency_latest",
            "net|droppedRx_summation");
    for (int i = 0; i < noise; i++) {
      String machine =
          "c%d-h%d-m%d"
              .formatted(
                  1 + random.nextInt(CLUSTERS),
                  1 + random.nextInt(HOSTS),
                  1 + random.nextInt(MACHINES));
      String key = keys.get(random.nextInt(keys.size()));
      world.estate().alert(key, machine, key, 2 + random.nextInt(3), random.nextInt(120) - 60);
    }
    return world;
  }

  private static void trouble(World world, Random random, Trouble trouble, String host) {
    Estate estate = world.estate();
    int minute = random.nextInt(20);
    String cluster = host.substring(0, host.indexOf('-'));
    List<String> machines = new ArrayList<>();
    for (int m = 2; m <= MACHINES; m++) {
      machines.add(host + "-m" + m);
    }
    OpenAlert cause =
        switch (trouble) {
          case HOST_MEMORY -> estate.alert("hm", host, "mem|usage_average", 4, minute);
          case HOST_CPU -> estate.alert("hc", host, "cpu|usage_average", 4, minute);
          case DATASTORE ->
              estate.alert(
                  "ds", cluster + "-ds1", "datastore|totalWriteLatency_average", 4, minute);
          case BUSY_NEIGHBOUR -> estate.alert("vc", host + "-m1", "cpu|usage_average", 4, minute);
          case HOST_SILENT -> estate.silent(host, 4, minute);
          case HOST_NETWORK -> estate.alert("hn", host, "net|droppedTx_summation", 4, minute);
        };
    world.causes().put(cause, trouble);
    if (trouble == Trouble.DATASTORE) {
      machines.clear();
      for (int h = 1; h <= HOSTS; h++) {
        for (int m = 2; m <= MACHINES; m += 2) {
          machines.add(cluster + "-h" + h + "-m" + m);
        }
      }
    }
    for (String machine : machines) {
      for (String key : effects(trouble)) {
        if (random.nextInt(10) < 6) { // some are below their threshold
          int late = minute + random.nextInt(16) - 3; // samples come at their own pace
          OpenAlert effect =
              key.startsWith("sys")
                  ? estate.silent(machine, 3, late)
                  : estate.alert(key, machine, key, 2 + random.nextInt(2), late);
          world.truth().put(effect.id(), cause);
        }
      }
    }
    if (trouble != Trouble.HOST_SILENT && trouble != Trouble.HOST_NETWORK && random.nextBoolean()) {
      String key =
          trouble == Trouble.HOST_MEMORY
              ? "mem|usage_average"
              : trouble == Trouble.DATASTORE
                  ? "disk|maxTotalLatency_latest"
                  : "cpu|readiness_average";
      OpenAlert sum = estate.sum("sum " + key, cluster, key, 2, minute + 12, machines);
      world.truth().put(sum.id(), cause);
    }
  }

  private static List<String> effects(Trouble trouble) {
    return switch (trouble) {
      case HOST_MEMORY ->
          List.of("mem|vmmemctl_average", "mem|swapped_average", "cpu|readiness_average");
      case HOST_CPU, BUSY_NEIGHBOUR -> List.of("cpu|readiness_average");
      case DATASTORE -> List.of("disk|maxTotalLatency_latest");
      case HOST_SILENT -> List.of("sys|uptime_latest");
      case HOST_NETWORK -> List.of("net|droppedRx_summation");
    };
  }

  private static void score(World world, Map<Trouble, Score> scores) {
    List<CauseJudgement> judged =
        new CauseJudge(world.estate().topology, Duration.ofMinutes(5)).judge(world.estate().alerts);
    Map<UUID, OpenAlert> said = new HashMap<>();
    for (CauseJudgement one : judged) {
      OpenAlert cause = one.cause();
      if (cause != null) {
        one.effects().forEach(effect -> said.put(effect.id(), cause));
      }
    }
    world
        .causes()
        .forEach(
            (cause, trouble) -> {
              Score score = scores.computeIfAbsent(trouble, t -> new Score());
              long found = judged.stream().filter(one -> cause.equals(one.cause())).count();
              score.causes++;
              score.causesFound += (int) found;
              world
                  .truth()
                  .forEach(
                      (effect, of) -> {
                        if (of == cause) {
                          score.effects++;
                          score.alerts++;
                          if (cause.equals(said.get(effect))) {
                            score.found++;
                          }
                        }
                      });
              said.forEach(
                  (effect, of) -> {
                    if (of.equals(cause) && !cause.equals(world.truth().get(effect))) {
                      score.wrong++;
                    }
                  });
            });
  }

  private static Map<Trouble, Score> run(int troubles, int noise) {
    Random random = new Random(20261123 + troubles * 31L + noise);
    Map<Trouble, Score> scores = new TreeMap<>();
    for (int i = 0; i < WORLDS; i++) {
      List<Trouble> some = new ArrayList<>(List.of(Trouble.values()));
      java.util.Collections.shuffle(some, random);
      score(world(random, some.subList(0, troubles), noise), scores);
    }
    return scores;
  }

  @Test
  void theCauseIsUsuallyRight() {
    for (int[] setting : new int[][] {{1, 0}, {1, 15}, {2, 15}}) {
      Map<Trouble, Score> scores = run(setting[0], setting[1]);
      System.out.printf(
          Locale.ROOT, "%d at once, %d alerts of elsewhere:%n", setting[0], setting[1]);
      scores.forEach(
          (trouble, score) ->
              System.out.printf(
                  Locale.ROOT,
                  "  %-15s causes found %.3f, precision %.3f, recall %.3f (%,d effects)%n",
                  trouble,
                  (double) score.causesFound / score.causes,
                  score.precision(),
                  score.recall(),
                  score.effects));
      scores.forEach(
          (trouble, score) -> {
            assertThat((double) score.causesFound / score.causes)
                .as("%s: causes found", trouble)
                .isGreaterThan(0.95);
            assertThat(score.precision()).as("%s: precision", trouble).isGreaterThan(0.85);
            assertThat(score.recall()).as("%s: recall", trouble).isGreaterThan(0.85);
          });
      assertThat(scores.keySet()).isEqualTo(Set.of(Trouble.values()));
    }
  }
}
