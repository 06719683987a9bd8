package io.peerlens.assistant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class AnswerTest {

  private static int length(Map<String, Object> object) {
    return JsonMapper.shared().writeValueAsString(object).length();
  }

  @Test
  void rowsBeyondTheLimitAreLeftOutAndCounted() {
    List<Map<String, Object>> rows = Collections.nCopies(50, Map.of("name", "x".repeat(150)));
    Map<String, Object> answer =
        new Answer().rows("objects", rows, 700).finish(4_000, AnswerTest::length);
    assertThat(length(answer)).isLessThanOrEqualTo(4_000);
    List<?> kept = (List<?>) answer.get("objects");
    assertThat(kept).hasSizeBetween(10, 30);
    assertThat(answer.get("leftOut"))
        .isEqualTo(List.of("objects: " + kept.size() + " of 700 are shown"));
  }

  @Test
  void anAnswerThatFitsLeavesNothingOut() {
    Map<String, Object> answer =
        new Answer()
            .rows("objects", List.of(Map.of("name", "a")))
            .finish(4_000, AnswerTest::length);
    assertThat(answer).containsOnlyKeys("objects");
  }

  @Test
  void whatTakesMostRoomIsCutFirstWhateverItIs() {
    Map<String, Object> tags = new LinkedHashMap<>();
    for (int i = 0; i < 2_000; i++) {
      tags.put("tag " + i, List.of("x".repeat(300)));
    }
    List<Map<String, Object>> alerts = Collections.nCopies(10, Map.of("name", "y".repeat(100)));
    Map<String, Object> answer =
        new Answer()
            .summary("An object.")
            .rows("alerts", alerts)
            .put("tags", tags)
            .link("http://pages/1")
            .finish(4_000, AnswerTest::length);
    assertThat(length(answer)).isLessThanOrEqualTo(4_000);
    assertThat(answer.get("alerts")).asInstanceOf(InstanceOfAssertFactories.LIST).hasSize(10);
    int kept = ((Map<?, ?>) answer.get("tags")).size();
    assertThat(kept).isBetween(5, 15);
    assertThat(answer.get("leftOut")).isEqualTo(List.of("tags: " + kept + " of 2000 are shown"));
    assertThat(answer).containsEntry("link", "http://pages/1");
  }

  @Test
  void oneRowThatIsTooLongIsLeftOutAndTheRestStays() {
    Map<String, Object> huge = Map.of("path", Collections.nCopies(500, "z".repeat(200)));
    Map<String, Object> answer =
        new Answer()
            .summary("Two lists.")
            .rows("objects", List.of(huge))
            .rows("others", List.of(Map.of("name", "b")))
            .finish(4_000, AnswerTest::length);
    assertThat(length(answer)).isLessThanOrEqualTo(4_000);
    assertThat(answer.get("others")).isEqualTo(List.of(Map.of("name", "b")));
    assertThat(answer.get("leftOut")).isEqualTo(List.of("objects: 0 of 1 are shown"));
  }

  @Test
  void pointsThatDoNotFitAreLeftOutAsAWhole() {
    Map<String, Object> answer =
        new Answer()
            .summary("A series.")
            .rows("series", List.of(Map.of("mean", 3)))
            .put("points", new Answer.Csv("time,1\n" + "x".repeat(5_000)))
            .finish(4_000, AnswerTest::length);
    assertThat(answer).doesNotContainKey("points").containsKey("leftOut");
  }

  @Test
  void textsAreCleanedHoweverDeepTheyAre() {
    Map<String, Object> answer =
        new Answer()
            .put("tags", Map.of("k\u202eey", List.of(Map.of("text", "v\u200b[a](b)"))))
            .finish(4_000, AnswerTest::length);
    assertThat(JsonMapper.shared().writeValueAsString(answer))
        .isEqualTo("{\"tags\":{\"key\":[{\"text\":\"v[a] (b)\"}]}}");
  }
}
