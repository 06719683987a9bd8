package io.peerlens.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.peerlens.web.ApiException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

class StoredFormTest {

  /** What the API makes of it today. */
  record Level(@JsonProperty("grade") String grade) {}

  record Rule(
      @JsonProperty("title") String title,
      @JsonProperty("levels") List<Level> levels,
      @JsonProperty("waitSeconds") @Nullable Integer waitSeconds) {}

  /** Rows say name, severity and wait, in minutes at first. */
  private static final StoredForm<Rule> RENAMED =
      StoredForm.of("rule", Rule.class)
          .renamed("name", "title")
          .renamed("levels.severity", "grade");

  private static final StoredForm<Rule> SECOND = RENAMED.then(StoredFormTest::minutesBecomeSeconds);

  private static void minutesBecomeSeconds(ObjectNode rule) {
    if (rule.has("waitMinutes")) {
      rule.put("waitSeconds", rule.remove("waitMinutes").asInt() * 60);
    }
  }

  @Test
  void theApiCanRenameAMemberAndNoRowChanges() {
    String row =
        "{\"levels\":[{\"severity\":\"critical\"},{\"severity\":\"info\"}],\"name\":\"A\"}";
    Rule rule = RENAMED.read(1, row);
    assertThat(rule)
        .isEqualTo(new Rule("A", List.of(new Level("critical"), new Level("info")), null));
    assertThat(RENAMED.read(1, RENAMED.write(rule))).isEqualTo(rule);
    assertThat(RENAMED.write(rule))
        .contains("\"name\":\"A\"", "\"severity\":\"critical\"")
        .doesNotContain("title", "grade");
  }

  @Test
  void rowsOfAnEarlierFormAreReadAsTheyWereMeant() {
    String row = "{\"levels\":[],\"name\":\"A\",\"waitMinutes\":2}";
    assertThat(SECOND.number()).isEqualTo(2);
    assertThat(SECOND.read(1, row)).isEqualTo(new Rule("A", List.of(), 120));
    assertThat(SECOND.read(2, SECOND.write(SECOND.read(1, row))))
        .isEqualTo(new Rule("A", List.of(), 120));
  }

  @Test
  void aRowOfANewerVersionIsRefusedWithBothNumbers() {
    assertThatThrownBy(() -> SECOND.read(3, "{\"levels\":[],\"name\":\"A\"}"))
        .isInstanceOfSatisfying(
            ApiException.class,
            e ->
                assertThat(Definitions.unreadable(e))
                    .isEqualTo(
                        "A newer version of Peerlens has written it (form 3; this version reads up to 2)."));
  }

  @Test
  void aMemberThatIsNullSaysNothingAndAnyOtherThatIsUnknownIsRefused() {
    assertThat(RENAMED.read(1, "{\"levels\":[],\"name\":\"A\",\"weekends\":null}").title())
        .isEqualTo("A");
    assertThatThrownBy(
            () -> RENAMED.read(1, "{\"levels\":[{\"weekends\":\"never\"}],\"name\":\"A\"}"))
        .isInstanceOfSatisfying(
            JacksonException.class,
            e ->
                assertThat(Definitions.unreadable(e))
                    .isEqualTo("Its member levels[0].weekends is unknown to this version."));
  }

  @Test
  void aRowThatIsNoObjectIsRefused() {
    for (String damaged : List.of("7", "[]", "\"A\"", "null")) {
      assertThatThrownBy(() -> RENAMED.read(1, damaged))
          .isInstanceOfSatisfying(
              ApiException.class,
              e -> assertThat(Definitions.unreadable(e)).isEqualTo("It is no JSON object."));
    }
  }
}
