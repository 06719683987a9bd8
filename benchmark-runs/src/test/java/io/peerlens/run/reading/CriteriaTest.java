package io.peerlens.run.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.run.Run;
import io.peerlens.run.reading.Criteria.Outcome;
import io.peerlens.run.reading.Criteria.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CriteriaTest {

  private static final String ACCEPTANCE =
      """
      {"name": "acceptance v3", "criteria": [
        {"figure": "iops", "at": {"latency": "p95", "limit": 1.5}, "operator": ">=", "limit": 180000, "unit": "IO/s",
         "runs": {"block_size": 4096, "read_share": [100]}},
        {"figure": "share", "of": "iops", "at": {"latency": "p95", "limit": 1.5}, "operator": ">=", "limit": 80, "unit": "%"},
        {"figure": "scatter", "of": "iops", "operator": "<=", "limit": 5, "unit": "%"},
        {"name": "p99 at the reading", "figure": "latency_p99", "at": {"latency": "p95", "limit": 1.5},
         "operator": "<=", "limit": 2.0, "unit": "ms"}]}
      """;

  private static final List<TheoreticalMaximum> MAXIMA =
      List.of(new TheoreticalMaximum("iops", "nodes", 38_000, 6));

  private static List<Run> sweep() {
    List<Run> runs = new ArrayList<>();
    double[][] points = {
      {48, 178_260, 1.02, 1.6}, {64, 192_140, 1.28, 2.1}, {96, 207_450, 1.86, 3}
    };
    for (double[] point : points) {
      for (double scatter : new double[] {0.99, 1, 1.01}) {
        runs.add(
            Made.reads((int) point[0])
                .figure("iops", point[1] * scatter)
                .figure("latency_p95", point[2])
                .figure("latency_p99", point[3])
                .make());
      }
    }
    return runs;
  }

  private static Outcome one(String criterion, List<Run> runs) throws CriteriaException {
    return CriteriaReader.read("{\"criteria\": [" + criterion + "]}")
        .judge(runs, MAXIMA)
        .outcomes()
        .getFirst();
  }

  @Test
  void aFileIsJudgedWithMargins() throws CriteriaException {
    Criteria.Result result = CriteriaReader.read(ACCEPTANCE).judge(sweep(), MAXIMA);

    assertThat(result.outcomes())
        .extracting(Outcome::status)
        .containsExactly(Status.PASS, Status.PASS, Status.PASS, Status.FAIL);
    Outcome reading = result.outcomes().getFirst();
    assertThat(reading.margin()).isCloseTo(19_500, within(2000.0));
    assertThat(reading.marginPercent()).isCloseTo(11, within(1.0));
    assertThat(reading.criterion().name()).isEqualTo("IOPS at 1.5 ms (p95)");
    assertThat(result.outcomes().get(1).value()).isCloseTo(87.5, within(1.0));
    assertThat(result.outcomes().get(2).value()).isCloseTo(1, within(1e-9));
    Outcome p99 = result.outcomes().get(3);
    assertThat(p99.value()).isCloseTo(2.1 + 0.9 * 0.22 / 0.58, within(1e-9));
    assertThat(result.sentence()).isEqualTo("3 of 4 met; p99 at the reading fails by 0.441 ms.");
  }

  @Test
  void theWorstOfSeveralPointsDecides() throws CriteriaException {
    Outcome outcome =
        one(
            "{\"figure\": \"iops\", \"operator\": \">=\", \"limit\": 180, \"unit\": \"IO/s\"}",
            sweep());
    assertThat(outcome.status()).isEqualTo(Status.PASS);
    assertThat(outcome.judged()).isEqualTo(3);

    outcome =
        one(
            "{\"figure\": \"iops\", \"operator\": \">=\", \"limit\": 190000, \"unit\": \"IO/s\"}",
            sweep());
    assertThat(outcome.status()).isEqualTo(Status.FAIL);
    assertThat(outcome.met()).isEqualTo(2);
    assertThat(outcome.value()).isCloseTo(178_260, within(1e-6));
    assertThat(outcome.sentence())
        .isEqualTo(
            "IOPS: 178,260 IOPS (3 repeats of 4K read 48), needs at least 190,000 IOPS: fail (-11,700 IOPS, -6.2 %), beyond the scatter of repeats; 2 of 3 meet it, this is the worst.");
  }

  @Test
  void aPassWithinTheScatterIsSaid() throws CriteriaException {
    String runs = "\"runs\": {\"outstanding\": 64}";
    Outcome near =
        one(
            "{\"figure\": \"iops\", \"operator\": \">=\", \"limit\": 191, \"unit\": \"IO/s\","
                + runs
                + "}",
            sweep());
    assertThat(near.clear()).isTrue();
    near =
        one(
            "{\"figure\": \"iops\", \"operator\": \">=\", \"limit\": 191000, \"unit\": \"IO/s\","
                + runs
                + "}",
            sweep());
    assertThat(near.status()).isEqualTo(Status.PASS);
    assertThat(near.clear()).isFalse();
    assertThat(near.sentence()).contains("but within the scatter of repeats");
  }

  @Test
  void oneRunHasNoScatter() throws CriteriaException {
    Outcome outcome =
        one(
            "{\"figure\": \"latency_p95\", \"operator\": \"<\", \"limit\": 1500, \"unit\": \"us\"}",
            List.of(sweep().getFirst()));

    assertThat(outcome.status()).isEqualTo(Status.PASS);
    assertThat(outcome.value()).isCloseTo(1020, within(1e-6));
    assertThat(outcome.clear()).isNull();
    assertThat(outcome.sentence())
        .isEqualTo("P95: 1020 us (4K read 48), needs less than 1500 us: pass (+480 us, 32 %).");
  }

  @Test
  void boundsAnswerOnlyInTheirDirection() throws CriteriaException {
    String at =
        "\"figure\": \"iops\", \"at\": {\"latency\": \"p95\", \"limit\": %s}, \"unit\": \"IOPS\"";
    String beyond = "{" + at.formatted("9") + ", \"operator\": \">=\", \"limit\": %d}";

    assertThat(one(beyond.formatted(200_000), sweep()).status()).isEqualTo(Status.PASS);
    Outcome unknown = one(beyond.formatted(250_000), sweep());
    assertThat(unknown.status()).isEqualTo(Status.NOT_KNOWN);
    assertThat(unknown.sentence()).contains("At least 207,450 IOPS");
    String below = "{" + at.formatted("0.5") + ", \"operator\": \">=\", \"limit\": %d}";
    assertThat(one(below.formatted(200_000), sweep()).status()).isEqualTo(Status.FAIL);
    assertThat(one(below.formatted(100_000), sweep()).status()).isEqualTo(Status.NOT_KNOWN);
  }

  @Test
  void whatRunsDoNotSayIsNotKnown() throws CriteriaException {
    assertThat(one("{\"figure\": \"iosp\", \"operator\": \">\", \"limit\": 1}", sweep()).sentence())
        .isEqualTo("Iosp: not known (4K read 48), needs more than 1; it does not say iosp.");
    assertThat(
            one(
                    "{\"figure\": \"iops\", \"operator\": \">\", \"limit\": 1, \"unit\": \"IO/s\", \"runs\": {\"tool\": \"vdbench\"}}",
                    sweep())
                .sentence())
        .contains("no run has the parameters");
    assertThat(
            one(
                    "{\"figure\": \"vsimax\", \"operator\": \">\", \"limit\": 1, \"unit\": \"users\"}",
                    List.of(Made.run("le").figure("vsimax", "sessions", 900).make()))
                .sentence())
        .contains("it says vsimax in \"sessions\", the criterion in \"users\"");
    assertThat(
            one(
                    "{\"figure\": \"vsimax\", \"operator\": \">\", \"limit\": 1, \"unit\": \"sessions\"}",
                    List.of(Made.run("le").figure("vsimax", "sessions", 900).make()))
                .status())
        .isEqualTo(Status.PASS);
    assertThat(
            CriteriaReader.read(
                    "{\"criteria\": [{\"figure\": \"share\", \"of\": \"iops\", \"operator\": \">\", \"limit\": 1, \"unit\": \"%\"}]}")
                .judge(sweep(), List.of())
                .sentence())
        .isEqualTo("0 of 1 met; 1 not known.");
  }

  @Test
  void aShareWithoutAReadingIsThatOfTheBestRun() throws CriteriaException {
    Outcome outcome =
        one(
            "{\"figure\": \"share\", \"of\": \"iops\", \"operator\": \">=\", \"limit\": 95, \"unit\": \"%\"}",
            sweep());

    assertThat(outcome.status()).isEqualTo(Status.FAIL);
    assertThat(outcome.value()).isCloseTo(90.99, within(0.01));
  }

  @Test
  void throughputIsConverted() throws CriteriaException {
    Outcome outcome =
        one(
            "{\"figure\": \"throughput\", \"operator\": \">=\", \"limit\": 2, \"unit\": \"GiB/s\"}",
            List.of(Made.reads(8).figure("throughput", 3.0 * (1L << 30)).make()));

    assertThat(outcome.margin()).isCloseTo(1, within(1e-9));
    assertThat(outcome.marginPercent()).isCloseTo(50, within(1e-9));
  }

  private static List<String> mistakes(String json) {
    return catchThrowableOfType(CriteriaException.class, () -> CriteriaReader.read(json))
        .mistakes()
        .stream()
        .map(CriteriaException.Mistake::toString)
        .toList();
  }

  @Test
  void allMistakesAreFoundWithPathAndHint() {
    assertThat(
            mistakes(
                """
                {"nme": "x", "criteria": [
                  {"figure": "throughput", "operator": "=>", "limit": "2", "unit": "MBs", "runs": {"block_size": "4K"}},
                  {"figure": "Big IOPS", "operator": ">=", "limit": 1},
                  {"figure": "latency", "operator": "<=", "limit": 1, "at": {"latency": "p90", "limit": 0}},
                  {"figure": "scatter", "operator": "<=", "limit": 5, "unit": "%"}, 7]}
                """))
        .containsExactly(
            "nme is unknown. Known here are criteria, name.",
            "criteria[0].operator is \"=>\". Write >=, <=, > or <.",
            "criteria[0].limit is no number. Write it without quotes and unit, such as 1.5.",
            "criteria[0].unit is \"MBs\", which is no unit of throughput. Write B/s, kB/s, KiB/s, MB/s, MiB/s, GB/s, GiB/s.",
            "criteria[0].runs.block_size is \"4K\". Sizes are in bytes: write 4096.",
            "criteria[1].figure is \"Big IOPS\", which is no figure of a run. Write for instance iops, throughput, latency, latency_p95, share or scatter.",
            "criteria[2].at.limit is 0.0, not above 0. Write milliseconds.",
            "criteria[2].unit is missing. Write ms, us, s.",
            "criteria[3].of is missing.",
            "criteria[4] is no object. Write it in curly brackets.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{",
        "{\"criteria\": 5}",
        "{\"criteria\": []}",
        "{\"criteria\": [], \"criteria\": []}",
        "{\"criteria\": [{\"figure\": \"iops\", \"operator\": \">\", \"limit\": 1e999, \"unit\": \"IO/s\"}]}",
        "{\"criteria\": [{\"figure\": null}]}",
        "{\"criteria\": [{\"figure\": \"iops\", \"of\": \"x\", \"operator\": \">\", \"limit\": 1, \"unit\": \"IO/s\"}]}",
        "{\"criteria\": [{\"figure\": \"iops\", \"operator\": \">\", \"limit\": 1, \"unit\": \"IO/s\", \"runs\": {\"a\": {}}}]}",
        "{\"criteria\": [{\"figure\": \"iops\", \"operator\": \">\", \"limit\": 1, \"unit\": \"IO/s\", \"runs\": {\"a\": []}}]}"
      })
  void badFilesAreRefused(String json) {
    assertThat(mistakes(json)).isNotEmpty();
  }

  @Test
  void hostileFilesAreRefused() {
    assertThat(mistakes("[".repeat(100_000))).hasSize(1);
    assertThat(mistakes("x".repeat(1_000_001))).singleElement().asString().contains("1,000,000");
    assertThat(mistakes("{\"criteria\": [" + "{},".repeat(600) + "{}]}"))
        .singleElement()
        .asString()
        .contains("has 601 entries");
    assertThat(mistakes("{\"criteria\": [" + "{},".repeat(400) + "{}]}")).hasSize(100);
  }

  @Test
  void aSyntaxErrorNamesTheLine() {
    assertThat(mistakes("{\"criteria\":\n [,]}")).singleElement().asString().contains("at line 2");
  }
}
