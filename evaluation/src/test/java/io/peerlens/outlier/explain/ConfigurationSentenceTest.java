package io.peerlens.outlier.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.ObjectKindRef;
import io.peerlens.api.model.OutlierEventProperty;
import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.api.model.OutlierMetricEdit;
import io.peerlens.api.model.TextSpan;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.group.OutlierGroupReader;
import io.peerlens.outlier.judge.OutlierExplanations.Differing;
import io.peerlens.words.MetricWords;
import io.peerlens.words.Sentence;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConfigurationSentenceTest {

  private static final Instant SINCE = Instant.parse("2026-11-20T13:05:00Z");
  private static final String POLICY = "config|storageDevice|multipathInfo|multipathPolicy";

  private static final OutlierGroup GROUP =
      OutlierGroupReader.read(
          new UUID(1, 2),
          1,
          "",
          new OutlierGroupEdit(
              "east hosts",
              new ObjectKindRef("VMWARE", "HostSystem"),
              List.of(new OutlierMetricEdit().key("cpu|usage_average"))));

  private static OutlierEventProperty property(
      String key, String value, String common, int agree, int judged) {
    return new OutlierEventProperty(
        key, MetricWords.ofProperty(key), value, common, agree, judged, SINCE);
  }

  private static Sentence said(OutlierEventProperty... properties) {
    return ConfigurationSentence.of(
        new Differing(GROUP, "esx-07", List.of(properties), SINCE.plusSeconds(3600)));
  }

  @Test
  void oneDifferenceIsSaidWithTheValueOfThePeers() {
    Sentence said = said(property(POLICY, "VMW_PSP_FIXED", "VMW_PSP_RR", 23, 24));
    assertThat(said.text())
        .isEqualTo(
            "esx-07: multipath policy is VMW_PSP_FIXED where all 23 of its peers have VMW_PSP_RR, since 13:05 UTC.");
    assertThat(said.strong())
        .extracting((TextSpan one) -> said.text().substring(one.getStart(), one.getEnd()))
        .containsExactly("esx-07", "VMW_PSP_FIXED", "VMW_PSP_RR");
    assertThat(said.moments().getFirst().getTime()).isEqualTo(SINCE);
  }

  @Test
  void whoHasYetAnotherValueIsNotAmongThosePeers() {
    assertThat(said(property(POLICY, "VMW_PSP_MRU", "VMW_PSP_RR", 21, 24)).text())
        .contains("is VMW_PSP_MRU where 21 of 23 of its peers have VMW_PSP_RR");
  }

  @Test
  void anEmptyValueIsCalledEmpty() {
    assertThat(said(property("config|ntp|server", "", "10.0.0.1", 23, 24)).text())
        .contains("is empty where all 23");
  }

  @Test
  void theOthersAreNamedAndTheRestIsCounted() {
    OutlierEventProperty[] five =
        IntStream.range(0, 5)
            .mapToObj(i -> property("config|advanced|Disk.A" + i, "1", "0", 23, 24))
            .toArray(OutlierEventProperty[]::new);
    assertThat(said(five).text())
        .contains(" 4 others differ too: ")
        .contains("(1, not 0); ")
        .endsWith("; and 1 more.");
    assertThat(said(five[0], five[1]).text()).contains(" Also different: ").endsWith("(1, not 0).");
  }

  @Test
  void longValuesAreCutSoThatThereAreFewWords() {
    String words = "word ".repeat(300);
    OutlierEventProperty[] many =
        IntStream.range(0, 30)
            .mapToObj(i -> property("config|long|k" + i, words, "x".repeat(500), 23, 24))
            .toArray(OutlierEventProperty[]::new);
    Sentence said = said(many);
    assertThat(said.words()).isLessThanOrEqualTo(ConfigurationSentence.MOST_WORDS);
    assertThat(said.text().length()).isLessThan(1000);
    assertThat(said.text()).contains("word word word word word word…");
  }
}
