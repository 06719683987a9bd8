package io.peerlens.outlier.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OutlierEventMetric;
import io.peerlens.api.model.OutlierNotJudged;
import io.peerlens.api.model.OutlierNotJudgedMember;
import io.peerlens.api.model.TextSpan;
import io.peerlens.outliers.Evidence;
import io.peerlens.words.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PeerSentenceTest {

  private static final Instant NOW = Instant.parse("2026-11-20T14:20:00Z");
  private static final Instant SINCE = Instant.parse("2026-11-20T13:05:00Z");
  private static final double K = 1024;

  /** Facts that tests change one by one. */
  private static final class Shape {
    @Nullable String subject = "web-07";
    String group = "shop/web";
    OutlierEventMetric lead =
        metric(
            "net|transmitted_average",
            "network sent",
            "KBps",
            412e6 / 8 / K,
            104e6 / 8 / K,
            3.96,
            6.2);
    double low = 88e6 / 8 / K;
    double high = 131e6 / 8 / K;
    int judged = 10;
    double share;
    String hour = "";
    boolean above = true;
    double score = 6.24;
    Evidence evidence = Evidence.LEVEL;
    int violations = 16;
    int of = 16;
    Duration bucket = Duration.ofMinutes(5);
    Instant since = SINCE;
    double weekAgo = Double.NaN;
    @Nullable Boolean moved;
    double floor = Double.NaN;
    List<OutlierEventMetric> out = List.of();
    List<OutlierEventMetric> unmoved = List.of();
    List<OutlierNotJudgedMember> missing = List.of();
    int missingCount;

    Sentence said() {
      return PeerSentence.of(
          new PeerFacts(
              subject,
              group,
              lead,
              low,
              high,
              judged,
              share,
              hour,
              above,
              score,
              4.5,
              evidence,
              violations,
              of,
              bucket,
              since,
              NOW,
              weekAgo,
              moved,
              floor,
              out,
              unmoved,
              missing,
              missingCount));
    }

    String text() {
      return said().text();
    }
  }

  private static OutlierEventMetric metric(
      String key,
      String name,
      @Nullable String unit,
      @Nullable Double value,
      @Nullable Double centre,
      @Nullable Double factor,
      @Nullable Double score) {
    return new OutlierEventMetric(key, name, unit, value, centre, null, null, score, factor);
  }

  private static OutlierNotJudgedMember missing(String name, @Nullable String seen) {
    return new OutlierNotJudgedMember(
        new ObjectRef(new UUID(0, 1), "VMWARE", "VirtualMachine", name),
        OutlierNotJudged.NO_DATA,
        seen == null ? null : Instant.parse(seen));
  }

  @Test
  void theSentenceNamesValuePeersDistanceScoreAndStart() {
    Shape shape = new Shape();
    shape.weekAgo = 97e6 / 8 / K;
    shape.out = List.of(metric("net|sessions", "sessions", "number", 310.0, 100.0, 3.1, 5.5));
    shape.moved = false;
    shape.missing = List.of(missing("web-03", "2026-11-20T13:50:00Z"));
    shape.missingCount = 1;

    Sentence said = shape.said();

    assertThat(said.text())
        .isEqualTo(
            "web-07: network sent is 412 Mbit/s. The other 10 judged members are at 88 to 131 Mbit/s, median 104: 4.0 × the group,"
                + " 6.2 robust deviations, above the limit 4.5 in 16 of the last 16 five-minute buckets, since 13:05 UTC."
                + " One week ago at this hour: 97 Mbit/s. Sessions also high (3.1 ×)."
                + " Group median unchanged, so not a group-wide rise. 1 member not judged: web-03, no data since 13:50 UTC."
                + " The group shop/web sets this limit.");
    assertThat(strong(said)).containsExactly("web-07", "412 Mbit/s", "4.0 ×");
    assertThat(said.words()).isLessThanOrEqualTo(PeerSentence.MOST_WORDS);
  }

  private static List<String> strong(Sentence said) {
    List<String> strong = new ArrayList<>();
    for (TextSpan span : said.strong()) {
      strong.add(said.text().substring(span.getStart(), span.getEnd()));
    }
    return strong;
  }

  @Test
  void aLowMemberIsDescribedAsLow() {
    Shape shape = new Shape();
    shape.lead = metric("cpu|usage_average", "CPU usage", "percent", 2.0, 40.0, 0.05, -8.0);
    shape.low = 35;
    shape.high = 46;
    shape.above = false;
    shape.score = -8.04;
    shape.moved = false;
    assertThat(shape.text())
        .contains("CPU usage is 2 %.")
        .contains(
            "at 35 to 46 %, median 40: 0.05 × the group, 8 robust deviations low, above the limit 4.5")
        .contains("not a group-wide fall");
  }

  @Test
  void otherUnitsAreNotMixedUp() {
    Shape shape = new Shape();
    shape.lead = metric("mem|used", "memory used", "MB", 3_000.0, 500.0, 6.0, 9.0);
    shape.low = 400;
    shape.high = 1_100;
    assertThat(shape.text())
        .contains("is 2.93 GiB.")
        .contains("at 400 MiB to 1.074 GiB, median 500 MiB");
    shape.lead = metric("app|queue", "queue", null, 40.0, 4.0, 10.0, 9.0);
    shape.low = 3;
    shape.high = 5;
    assertThat(shape.text())
        .contains("queue is 40.")
        .contains("at 3 to 5, median 4: 10 × the group");
  }

  @Test
  void meaninglessFactorsAreLeftOut() {
    Shape shape = new Shape();
    shape.lead = metric("cpu|usage_average", "CPU usage", "percent", 41.0, 40.0, 1.03, 5.0);
    assertThat(shape.text()).doesNotContain("×");
    shape.lead = metric("cpu|usage_average", "CPU usage", "percent", 41.0, 0.0, null, 5.0);
    assertThat(shape.text()).doesNotContain("×");
  }

  @Test
  void peersThatAreAllAlikeAreOneFigure() {
    Shape shape = new Shape();
    shape.lead = metric("cpu|usage_average", "CPU usage", "percent", 41.0, 3.0, 13.7, 5.0);
    shape.low = 3;
    shape.high = 3;
    assertThat(shape.text()).contains("The other 10 judged members are all at 3 %: 14 × the group");
  }

  @Test
  void evidenceOtherThanTheLevelIsNamed() {
    Shape shape = new Shape();
    shape.evidence = Evidence.STUCK;
    assertThat(shape.text()).contains("stands still while those of its peers move");
    shape.evidence = Evidence.SWINGS;
    assertThat(shape.text()).contains("swing more");
    shape.evidence = Evidence.SUSTAINED;
    assertThat(shape.text()).contains("stayed on one side");
  }

  @Test
  void theMinimumDeviationIsNamedIfItDecided() {
    Shape shape = new Shape();
    shape.lead = metric("cpu|usage_average", "CPU usage", "percent", 41.0, 3.0, 13.7, 5.0);
    shape.floor = 5;
    assertThat(shape.text()).contains("the minimum deviation of 5 % sets the limit.");
  }

  @Test
  void bucketsAndDaysAreWords() {
    Shape shape = new Shape();
    shape.bucket = Duration.ofHours(1);
    assertThat(shape.text()).contains("one-hour buckets");
    shape.bucket = Duration.ofMinutes(15);
    assertThat(shape.text()).contains("15-minute buckets");
    shape.violations = 1;
    shape.of = 1;
    shape.bucket = Duration.ofMinutes(1);
    assertThat(shape.text()).contains("in the last one-minute bucket, since");
    shape.since = Instant.parse("2026-11-18T09:00:00Z");
    assertThat(shape.text()).contains("since 18 Nov 09:00 UTC");
  }

  @Test
  void aGroupThatMovedIsNoMember() {
    Shape shape = new Shape();
    shape.subject = null;
    shape.share = 0.7;
    shape.lead = metric("cpu|usage_average", "CPU usage", "percent", null, 81.0, null, null);
    Sentence said = shape.said();
    assertThat(said.text())
        .startsWith(
            "shop/web: 70 % of the judged members are high at once, since 13:05 UTC. The median of CPU usage is 81 %.")
        .contains("So it is the group, and none of them alone.");
    assertThat(strong(said)).containsExactly("shop/web", "70 % of the judged members");
  }

  @Test
  void aGroupOutsideItsUsualRangeIsDescribed() {
    Shape shape = new Shape();
    shape.subject = null;
    shape.evidence = Evidence.UNUSUAL;
    shape.hour = "Sundays 14 to 15 o'clock UTC";
    shape.lead =
        new OutlierEventMetric(
            "cpu|usage_average", "CPU usage", "percent", null, 84.0, 20.0, 45.0, 6.0, null);
    Sentence said = shape.said();
    assertThat(said.text())
        .startsWith(
            "shop/web: the whole group is at 84 % in CPU usage where 20 to 45 % is usual for Sundays 14 to 15 o'clock UTC, since 13:05 UTC.")
        .contains("so it is the group, and none of them alone.");
    assertThat(strong(said)).containsExactly("shop/web", "84 %");
    shape.lead =
        new OutlierEventMetric(
            "cpu|usage_average", "CPU usage", "percent", null, 84.0, -3.0, 45.0, 6.0, null);
    assertThat(shape.text()).contains("where up to 45 % is usual");
  }

  @Test
  void aMissingValueOfAMemberIsDescribed() {
    Shape shape = new Shape();
    shape.lead = metric("cpu|usage_average", "CPU usage", "percent", null, null, null, null);
    shape.judged = 0;
    assertThat(shape.text()).contains("CPU usage is not known. 6.2 robust deviations");
  }

  @Test
  void manyMissingMembersAreCounted() {
    Shape shape = new Shape();
    shape.missing =
        List.of(missing("a", null), missing("b", null), missing("c", null), missing("d", null));
    shape.missingCount = 9;
    assertThat(shape.text()).contains("9 members not judged: a; b; c and 6 more.");
  }

  @Test
  void metricsThatAreLikeTheOthersAreNamed() {
    Shape shape = new Shape();
    shape.unmoved = List.of(metric("mem|usage", "memory usage", "percent", 40.0, 40.0, 1.0, 0.1));
    assertThat(shape.text())
        .endsWith("Memory usage: like the others. The group shop/web sets this limit.");
  }

  @Test
  void noShapeIsLongerThanAllowed() {
    Random random = new Random(5);
    String name = "a b c d e f g h i j k l m n o p q r s t u v w x y z";
    for (int i = 0; i < 2_000; i++) {
      Shape shape = new Shape();
      shape.subject = random.nextInt(6) == 0 ? null : random.nextBoolean() ? name : "x".repeat(500);
      shape.group = random.nextBoolean() ? name : "g";
      String words = random.nextBoolean() ? name : "cpu usage";
      shape.lead =
          metric(
              "k|m",
              words,
              random.nextBoolean() ? "percent" : null,
              random.nextGaussian() * 1e6,
              random.nextGaussian(),
              random.nextBoolean() ? null : random.nextDouble() * 50,
              5.0);
      shape.evidence = Evidence.values()[random.nextInt(Evidence.values().length)];
      shape.weekAgo = random.nextBoolean() ? Double.NaN : 5;
      shape.moved = random.nextBoolean() ? null : random.nextBoolean();
      shape.floor = random.nextBoolean() ? Double.NaN : 5;
      shape.out =
          Collections.nCopies(
              random.nextInt(5), metric("a|b", words, "percent", 1.0, 1.0, 3.0, -5.0));
      shape.unmoved =
          Collections.nCopies(
              random.nextInt(5), metric("a|b", words, "percent", 1.0, 1.0, 3.0, 1.0));
      shape.missing =
          Collections.nCopies(random.nextInt(21), missing(words, "2026-11-20T13:50:00Z"));
      shape.missingCount = shape.missing.size() + random.nextInt(3);
      Sentence said = shape.said();
      assertThat(said.words()).as(said.text()).isLessThanOrEqualTo(PeerSentence.MOST_WORDS);
      assertThat(said.text())
          .endsWith(".")
          .doesNotContain("  ")
          .doesNotContain("null")
          .doesNotContain("NaN");
      for (TextSpan span : said.strong()) {
        assertThat(span.getStart()).isLessThan(span.getEnd());
        assertThat(span.getEnd()).isLessThanOrEqualTo(said.text().length());
      }
    }
  }
}
