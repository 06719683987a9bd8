package io.peerlens.assistant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
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
  void textsAreCleanedHoweverDeepTheyAre() {
    Map<String, Object> answer =
        new Answer()
            .put("tags", Map.of("k\u202eey", List.of(Map.of("text", "v\u200b[a](b)"))))
            .finish(4_000, AnswerTest::length);
    assertThat(JsonMapper.shared().writeValueAsString(answer))
        .isEqualTo("{\"tags\":{\"key\":[{\"text\":\"v[a] (b)\"}]}}");
  }
}
