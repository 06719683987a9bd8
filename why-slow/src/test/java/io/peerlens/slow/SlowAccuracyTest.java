package io.peerlens.slow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * How often the cause of a made incident is named. {@code -Dslow.seeds=200} looks at so many
 * estates for each fault and severity; the figures go to standard output, and docs/why-slow.md
 * quotes them.
 */
class SlowAccuracyTest {

  private static final int SEEDS = Integer.getInteger("slow.seeds", 10);

  /** What was found of one incident. */
  private record Outcome(MadeFault fault, int severity, MadeEstate estate, Diagnosis found) {

    boolean isNamed() {
      Cause cause = fault.cause();
      return found.findings().stream()
          .anyMatch(
              one ->
                  one.cause() == cause
                      && (one.culprit() == null
                          || one.culprit().machine().object() == estate.neighbour));
    }
  }

  private static List<Outcome> outcomes(MadeFault fault, Set<Band> without, int seeds) {
    List<Outcome> outcomes = new ArrayList<>();
    for (int severity = 0; severity < (fault.isQuiet() ? 1 : 3); severity++) {
      int strength = severity;
      outcomes.addAll(
          IntStream.range(0, seeds)
              .parallel()
              .mapToObj(
                  seed -> {
                    MadeEstate estate = new MadeEstate(seed, fault, strength);
                    return new Outcome(
                        fault,
                        strength,
                        estate,
                        SlowJudge.judge(MadeIncident.of(estate, without, seed)));
                  })
              .toList());
    }
    return outcomes;
  }

  @Test
  void theCauseIsNamed() {
    int all = 0;
    int named = 0;
    long other = 0;
    StringBuilder table =
        new StringBuilder("\n| fault | mild | medium | strong |\n|---|--:|--:|--:|\n");
    for (MadeFault fault : MadeFault.values()) {
      if (fault.isQuiet()) {
        continue;
      }
      List<Outcome> outcomes = outcomes(fault, Set.of(), SEEDS);
      table.append("| ").append(fault.name().toLowerCase(Locale.ROOT).replace('_', ' '));
      for (int severity = 0; severity < 3; severity++) {
        int of = severity;
        long right = outcomes.stream().filter(one -> one.severity == of && one.isNamed()).count();
        table.append(" | ").append(right).append(" of ").append(SEEDS);
        all += SEEDS;
        named += (int) right;
      }
      table.append(" |\n");
      other +=
          outcomes.stream()
              .filter(one -> one.found.state() == State.FOUND && !one.isNamed())
              .count();
      if (Boolean.getBoolean("slow.tell")) {
        outcomes.stream()
            .filter(one -> !one.isNamed())
            .limit(8)
            .forEach(
                one ->
                    table
                        .append("    ")
                        .append(one.severity)
                        .append(one.estate.vsan ? " vsan " : " array ")
                        .append(one.estate.hosts + " hosts, since " + one.estate.onset + " ")
                        .append(one.found.state())
                        .append(' ')
                        .append(one.found.findings().stream().map(Finding::cause).toList())
                        .append(' ')
                        .append(one.found.text())
                        .append('\n'));
      }
    }
    System.out.println(table);
    System.out.printf("named %d of %d, something else blamed in %d%n", named, all, other);
    assertThat(named / (double) all).isGreaterThanOrEqualTo(0.9);
    assertThat(other / (double) all).isLessThanOrEqualTo(0.05);
  }

  @Test
  void nothingIsBlamedWhenNothingIsWrong() {
    for (MadeFault fault : List.of(MadeFault.NONE, MadeFault.LARGER_BLOCKS)) {
      List<Outcome> outcomes = outcomes(fault, Set.of(), SEEDS);
      long blamed = outcomes.stream().filter(one -> one.found.state() == State.FOUND).count();
      System.out.printf("%s: blamed %d of %d%n", fault, blamed, outcomes.size());
      if (Boolean.getBoolean("slow.tell")) {
        outcomes.stream()
            .filter(one -> one.found.state() == State.FOUND)
            .forEach(one -> System.out.println(one.found.text()));
      }
      assertThat(blamed / (double) outcomes.size()).isLessThanOrEqualTo(0.05);
    }
  }

  @Test
  void withoutDataThereIsNoBlame() {
    int all = 0;
    int wrong = 0;
    int own = 0;
    int ownBlamed = 0;
    for (MadeFault fault : MadeFault.values()) {
      for (Band band : Band.values()) {
        for (Outcome one : outcomes(fault, EnumSet.of(band), Math.max(3, SEEDS / 4))) {
          Diagnosis found = one.found;
          assertThat(found.bands().get(band.ordinal()).verdict()).isEqualTo(Verdict.NO_DATA);
          assertThat(found.findings()).noneMatch(finding -> finding.band() == band);
          all++;
          boolean blamesOther = found.state() == State.FOUND && (fault.isQuiet() || !one.isNamed());
          wrong += blamesOther ? 1 : 0;
          if (!fault.isQuiet() && fault.band() == band) {
            own++;
            ownBlamed += found.state() == State.FOUND ? 1 : 0;
          }
          if (blamesOther && Boolean.getBoolean("slow.tell")) {
            System.out.printf(
                "%s %d without %s, %s: %s%n",
                fault, one.severity, band, one.estate.vsan ? "vsan" : "array", found.text());
          }
        }
      }
    }
    System.out.printf(
        "one band left out: another one blamed %d of %d; the band of the fault left out: blamed %d of %d%n",
        wrong, all, ownBlamed, own);
    assertThat(wrong / (double) all).isLessThanOrEqualTo(0.05);
    assertThat(ownBlamed / (double) own).isLessThanOrEqualTo(0.05);
  }
}
