package io.peerlens.outlier.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.OutlierEventMetric;
import io.peerlens.api.model.OutlierEvidence;
import io.peerlens.api.model.OutlierExplanation;
import io.peerlens.api.model.OutlierNotJudged;
import io.peerlens.database.Rows;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.group.PeerConfiguration;
import io.peerlens.outlier.judge.EventRows;
import io.peerlens.outlier.judge.OutlierExplanations;
import io.peerlens.outliers.Change;
import io.peerlens.outliers.Event;
import io.peerlens.outliers.Judgement;
import io.peerlens.outliers.Method;
import io.peerlens.outliers.PeerGroup;
import io.peerlens.outliers.Settings;
import io.peerlens.outliers.Side;
import io.peerlens.outliers.Transform;
import io.peerlens.scope.Scope;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.words.MetricNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is said of a member that the method itself has found. */
class PeerExplanationsTest {

  private static final ObjectKind VM = new ObjectKind("VMWARE", "VirtualMachine");
  private static final Instant BEGIN = Instant.parse("2026-11-18T00:00:00Z");
  private static final Duration WIDTH = Duration.ofMinutes(5);
  private static final int MEMBERS = 8;
  private static final int ODD = 2;
  private static final int SILENT = 5;
  private static final int TROUBLE = 600;

  private final List<String> metrics = List.of("cpu|usage", "net|usage", "mem|usage");
  private final OutlierGroup group =
      new OutlierGroup(
          new UUID(1, 2),
          "shop/web",
          "",
          true,
          VM,
          Scope.ALL,
          metrics.stream()
              .map(key -> new OutlierGroup.Metric(key, null, Transform.LINEAR))
              .toList(),
          Side.BOTH,
          new Method.Peers(false),
          Settings.MEDIUM,
          WIDTH,
          Duration.ofMinutes(1),
          3,
          4,
          6,
          null,
          PeerConfiguration.NONE,
          null,
          1);
  private final Settings settings = group.settings(Arrays.asList("percent", "KBps", "percent"));

  /** What there was before: the group at 30 %, the member at 31 % a week ago. */
  private static final class Past implements ExplanationPast {
    private double centre = 30;

    @Override
    public double centre(UUID group, Instant bucket, String key) {
      assertThat(bucket).isEqualTo(BEGIN.plus(WIDTH.multipliedBy(TROUBLE - 1)));
      return centre;
    }

    @Override
    public void prepare(Collection<Hour> hours, Collection<Judged> buckets) {
      throw new AssertionError("nothing was open before");
    }

    @Override
    public void judged(UUID group, Instant bucket, Map<String, Double> centres) {
      throw new AssertionError("nobody says so");
    }

    @Override
    public double mean(Hour hour) {
      assertThat(hour.object()).isEqualTo(100 + ODD);
      return 31;
    }

    @Override
    public Map<Integer, Known> known(Collection<Integer> objects) {
      Map<Integer, Known> known = new HashMap<>();
      objects.forEach(
          id ->
              known.put(
                  id,
                  new Known(
                      new UUID(0, id),
                      "VMWARE",
                      "VirtualMachine",
                      "web-0" + (id - 99),
                      Instant.parse("2026-11-20T01:50:00Z"))));
      return known;
    }
  }

  private OutlierExplanation explained(Past past, boolean all) {
    ObjectGraph.Builder objects = ObjectGraph.builder();
    for (int i = 0; i < MEMBERS; i++) {
      objects.object(100 + i, VM, "web-0" + (i + 1));
    }
    PeerGroup engine = new PeerGroup(settings, IntStream.range(100, 100 + MEMBERS).toArray());
    Random random = new Random(3);
    for (int b = 0; b < TROUBLE + 12; b++) {
      double[][] values = new double[3][MEMBERS];
      for (int i = 0; i < MEMBERS; i++) {
        boolean odd = (all || i == ODD) && b >= TROUBLE;
        boolean silent = i == SILENT && b >= TROUBLE - 3;
        values[0][i] = silent ? Double.NaN : (odd ? 80 : 30) + random.nextGaussian();
        values[1][i] = silent ? Double.NaN : (odd ? 9000 : 3000) + random.nextGaussian() * 100;
        values[2][i] = silent ? Double.NaN : 40 + random.nextGaussian();
      }
      Instant bucket = BEGIN.plus(WIDTH.multipliedBy(b));
      Judgement judgement = engine.judge(bucket.plus(WIDTH).toEpochMilli(), values);
      for (Change change : judgement.changes()) {
        boolean wanted = all == (change.event().member() == Event.GROUP);
        if (change.kind() == Change.Kind.OPENED && wanted) {
          int place = all ? -1 : ODD;
          double value = all ? Double.NaN : values[0][ODD];
          OutlierEventMetric lead =
              new OutlierEventMetric(
                  "cpu|usage",
                  "CPU usage",
                  "percent",
                  Rows.finite(value),
                  Rows.finite(judgement.centre(0)),
                  null,
                  null,
                  all ? null : judgement.score(0, ODD),
                  EventRows.factor(value, judgement.centre(0)));
          return new PeerExplanations(
                  new MetricNames(
                      (kind, key) -> key.startsWith("net") ? "KBps" : "percent",
                      key -> key.replace('|', ' ')),
                  past,
                  java.time.ZoneOffset.UTC)
              .of(
                  new OutlierExplanations.Situation(
                      group,
                      settings,
                      judgement,
                      place,
                      change.event(),
                      List.of(lead),
                      objects.build(),
                      bucket));
        }
      }
    }
    throw new AssertionError("Nothing was found");
  }

  @Test
  void aMemberIsComparedWithThoseThatWereJudged() {
    OutlierExplanation said = explained(new Past(), false);
    assertThat(said.getText())
        .startsWith("web-03: CPU usage is ")
        .contains("The other 6 judged members are at ")
        .contains(" × the group, ")
        .contains("five-minute buckets, since 02:00 UTC.")
        .contains("One week ago at this hour: 31 %.")
        .contains("Net usage also high (3.0 ×).")
        .contains("Group median unchanged, so not a group-wide rise.")
        .contains("1 member not judged: web-06, no data since 01:50 UTC.");
    assertThat(said.getText().split(" ")).hasSizeLessThanOrEqualTo(PeerSentence.MOST_WORDS);
    assertThat(said.getValue()).isBetween(76.0, 84.0);
    assertThat(said.getPeersLow()).isBetween(26.0, 30.0);
    assertThat(said.getPeersHigh()).isBetween(30.0, 34.0);
    assertThat(said.getCentre()).isBetween(28.0, 32.0);
    assertThat(said.getJudged()).isEqualTo(6);
    assertThat(said.getNotJudgedCount()).isEqualTo(1);
    assertThat(said.getNotJudged().getFirst().getReason()).isEqualTo(OutlierNotJudged.NO_DATA);
    assertThat(said.getLimit()).isEqualTo(4.5);
    assertThat(said.getWeekAgo()).isEqualTo(31);
    assertThat(said.getGroupMoved()).isFalse();
    assertThat(said.getEvidence()).isEqualTo(OutlierEvidence.LEVEL);
    assertThat(said.getSince()).isEqualTo(BEGIN.plus(WIDTH.multipliedBy(TROUBLE)));
    assertThat(said.getOthers())
        .extracting(OutlierEventMetric::getKey)
        .containsExactly("net|usage", "mem|usage");
    assertThat(said.getSetting().getHref()).isEqualTo("/outliers/" + group.id());
  }

  @Test
  void aGroupThatWasElsewhereBeforeHasMovedToo() {
    Past past = new Past();
    past.centre = 5;
    OutlierExplanation said = explained(past, false);
    assertThat(said.getGroupMoved()).isTrue();
    assertThat(said.getText()).contains("The group median moved too.");
    past.centre = Double.NaN;
    assertThat(explained(past, false).getText()).doesNotContain("roup median");
  }
}
