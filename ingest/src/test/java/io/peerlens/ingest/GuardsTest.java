package io.peerlens.ingest;

import static io.peerlens.ingest.Decoding.host;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What keeps one broken producer from harming the others, and what is said about it. */
class GuardsTest {

  private static final long T = 1_795_219_680_000_000L;
  private static final String GOOD = "m,host=good v=1 " + T + "000\n";

  private final Decoding d =
      new Decoding()
          .guards(
              new IngestGuards(Duration.ofMinutes(10), Duration.ofDays(400), 3, 5, 4, 1_000, 50));

  private void goodNeighbourIsThere() {
    assertThat(d.value(host("good"), "m|v", T)).isEqualTo(1);
  }

  @Test
  void samplesOfTheFutureAreRefused() {
    long at = Decoding.NOW.toEpochMilli() * 1000 + 600_000_000L;
    d.records("m,host=a v=1 %d001\nm,host=a v=2 %d000\n".formatted(at + 1, at) + GOOD);
    assertThat(d.rejections())
        .containsExactly(
            "future: 2026-11-21T00:30:00.000001Z is more than 600 s ahead of the clock: correct the sender's clock or timestamp precision");
    assertThat(d.value(host("a"), "m|v", at)).isEqualTo(2);
    goodNeighbourIsThere();
  }

  @Test
  void samplesThatAreTooOldAreRefused() {
    d.records("m,host=a v=1 1795219680\n" + GOOD);
    assertThat(d.rejections())
        .containsExactly(
            "too-old: 1970-01-01T00:00:01.795219Z is more than 400 days ago: correct the timestamp precision, or raise the guard maxAge");
    goodNeighbourIsThere();
  }

  @Test
  void tooManyNewObjectsInAMinuteAreRefused() {
    StringBuilder lines = new StringBuilder(GOOD);
    for (int i = 0; i < 4; i++) {
      lines.append("m,host=new").append(i).append(" v=1 ").append(T).append("000\n");
    }
    d.records(lines.toString());
    assertThat(d.catalog.objects()).hasSize(3);
    assertThat(d.rejections())
        .hasSize(2)
        .containsOnly(
            "new-objects: more than 3 new objects in this minute: raise the guard newObjectsPerMinute and replay, or correct a tag that changes all the time");
    goodNeighbourIsThere();
    d.records("m,host=new3 v=1 " + T + "000\n" + GOOD.replace("v=1", "v=2"));
    assertThat(d.letters()).hasSize(3);
    assertThat(d.value(host("good"), "m|v", T)).isEqualTo(2);
    d.at(Decoding.NOW.plusSeconds(60)).records("m,host=new3 v=1 " + T + "000\n");
    assertThat(d.letters()).hasSize(3);
    assertThat(d.catalog.objects()).hasSize(4);
  }

  @Test
  void tooManyNewMetricsInAMinuteAreRefused() {
    d.records(
        "m,host=a a=1,b=2,c=3,d=4 " + T + "000\n",
        "m,host=a e=5,f=6 " + T + "000\n",
        "m,host=a a=7 " + (T + 1) + "000\n");
    assertThat(d.rejections())
        .containsExactly(
            "new-metrics: field 'f' would be more than 5 new metric names in this minute: raise the guard newMetricNamesPerMinute and replay, or correct the producer");
    assertThat(d.value(host("a"), "m|a", T + 1)).isEqualTo(7);
    assertThat(d.value(host("a"), "m|e", T)).isNaN(); // a line is stored whole or not at all
    d.at(Decoding.NOW.plusSeconds(60)).records("m,host=a e=5,f=6 " + T + "000\n");
    assertThat(d.value(host("a"), "m|f", T)).isEqualTo(6);
    assertThat(d.value(host("a"), "m|a", T)).isEqualTo(1);
  }

  @Test
  void tooManyNewSetsInAMinuteAreRefusedButNotThoseOfANewObject() {
    d.records(GOOD);
    d.at(Decoding.NOW.plusSeconds(120));
    StringBuilder lines = new StringBuilder(GOOD.replace("v=1", "v=2"));
    for (int i = 0; i < 6; i++) {
      lines.append("m,host=good,request=").append(i).append(" v=1 ").append(T).append("000\n");
    }
    d.records(lines.toString());
    assertThat(d.rejections())
        .hasSize(2)
        .containsOnly(
            "new-sets: more than 4 new metric sets in this minute: correct the tag or instance that changes all the time, or raise the guard newSetsPerMinute and replay");
    assertThat(d.value(host("good"), "m|v", T)).isEqualTo(2);
    assertThat(d.catalog.sets()).hasSize(5);

    d.at(Decoding.NOW.plusSeconds(240))
        .records(
            IntStream.range(0, 150)
                .mapToObj(i -> "m,host=new,disk=" + i + " v=1 " + T + "000\n")
                .toArray(String[]::new));
    assertThat(d.catalog.sets()).hasSize(5 + Catalog.SETS_OF_A_NEW_OBJECT + 4);
    d.records("m,host=new,disk=149 v=1 " + T + "000\n", "m,host=new,disk=0 v=3 " + T + "000\n");
    assertThat(d.rejections()).hasSize(2 + 46 + 1);
    d.at(Decoding.NOW.plusSeconds(420)).records("m,host=new,disk=149 v=1 " + T + "000\n");
    assertThat(d.catalog.sets()).hasSize(5 + Catalog.SETS_OF_A_NEW_OBJECT + 4 + 1);
  }

  @Test
  void oversizedRecordsAreRefused() {
    d.records("m,host=a v=1 " + T + "000\n" + "#".repeat(1_000), GOOD);
    assertThat(d.rejections())
        .containsExactly(
            "oversized: 1,033 bytes are more than the guard maxRecordBytes of 1,000: send smaller records or raise it");
    assertThat(d.letters().getFirst().payload()).hasSize(1_033);
    goodNeighbourIsThere();
  }

  @Test
  void namesThatAreTooLongAreRefused() {
    String longName = "x".repeat(51);
    d.records(
        "m,host=%s v=1 %d000\n".formatted(longName, T)
            + "m,host=a,tag=%s v=1 %d000\n".formatted(longName, T)
            + "m,host=a %s=1 %d000\n".formatted(longName, T)
            + "%s,host=a v=1 %d000\n".formatted(longName, T)
            + GOOD);
    assertThat(d.rejections())
        .containsExactlyInAnyOrder(
            "too-long: the object's id is longer than 50 characters: shorten it, or raise the guard maxNameLength",
            "too-long: the instance is longer than 50 characters: shorten it, or raise the guard maxNameLength",
            "too-long: the metric group is longer than 50 characters: shorten it, or raise the guard maxNameLength",
            "too-long: name of field '%s' is longer than 50 characters: shorten it, or raise the guard maxNameLength"
                .formatted(longName));
    goodNeighbourIsThere();
  }

  @Test
  void changedGuardsTakeEffectWhileRunning() {
    d.records("m,host=%s v=1 %d000\n".formatted("x".repeat(51), T));
    d.guards(IngestGuards.DEFAULT);
    d.records("m,host=%s v=1 %d000\n".formatted("x".repeat(51), T));
    assertThat(d.letters()).hasSize(1);
    assertThat(d.sink.rows()).isEqualTo(1);
  }

  @Test
  void everyReasonIsCountedUnderItsCode() {
    for (RejectReason reason : RejectReason.values()) {
      assertThat(reason.code()).matches("[a-z]+(-[a-z]+)*");
    }
  }
}
