package io.peerlens.suiteapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class GivenTest {

  private static Given body(String json) {
    return Given.of(JsonMapper.shared().readTree(json), "");
  }

  @Test
  void numbersAndTruthValuesMayBeTexts() {
    Given given =
        body("{\"begin\": \"1700000000000\", \"value\": \"0.5\", \"dt\": \"TRUE\", \"n\": 3.0}");
    assertThat(given.whole("begin")).isEqualTo(1_700_000_000_000L);
    assertThat(given.decimal("value")).isEqualTo(0.5);
    assertThat(given.flag("dt", false)).isTrue();
    assertThat(given.whole("n")).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"name\": null}",
        "{\"name\": []}",
        "{\"name\": [null, \" \"]}",
        "{\"name\": {}}"
      })
  void nullAndAnEmptyListAndBlanksAreNothing(String json) {
    Given given = body(json);
    assertThat(given.texts("name")).isEmpty();
    assertThat(given.text("name")).isNull();
    assertThat(given.whole("name", 7, 1, 9)).isEqualTo(7);
  }

  @Test
  void oneValueIsAListOfOneAndTheFirstNameWithAValueCounts() {
    UUID id = UUID.randomUUID();
    Given given =
        body("{\"resourceId\": [], \"resourceIds\": \"" + id + "\", \"part\": {\"a\": 1}}");
    assertThat(given.uuids("resourceId", "resourceIds")).containsExactly(id);
    assertThat(given.list("part"))
        .singleElement()
        .satisfies(one -> assertThat(one.whole("a")).isOne());
    assertThat(Given.of(new Query("id=a&id=b&id%5B%5D=c")).texts("id"))
        .isEqualTo(List.of("a", "b", "c"));
  }

  @Test
  void whatIsWrongIsNamedWithItsPlace() {
    Given inner =
        body("{\"a\": [{}, {\"n\": \"x\", \"flag\": \"maybe\", \"w\": \"z\", \"id\": \"1\"}]}")
            .list("a")
            .get(1);
    assertViolates(() -> inner.whole("n"), "a[1].n");
    assertViolates(() -> inner.decimal("n"), "a[1].n");
    assertViolates(() -> inner.flag("flag", true), "a[1].flag");
    assertViolates(() -> inner.word("w", "A", List.of("A", "B")), "a[1].w");
    assertViolates(() -> inner.uuids("id"), "a[1].id");
    assertViolates(() -> inner.need("missing"), "a[1].missing");
    assertViolates(() -> body("{\"n\": 11}").whole("n", 1, 1, 10), "n");
    assertViolates(() -> body("{\"n\": 1.5}").whole("n"), "n");
  }

  private static void assertViolates(ThrowingCallable call, String path) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SuiteException.class,
            e -> {
              assertThat(e.status()).isEqualTo(400);
              assertThat(JsonMapper.shared().writeValueAsString(e.body()))
                  .contains("\"violationPath\":\"" + path + "\"");
            });
  }
}
