package io.peerlens.notify.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.web.ApiException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathsTest {

  @Test
  void namesComeFromTheOutsideIn() {
    assertThat(Paths.names("path", "object.tags[\"app name\"].x"))
        .containsExactly("object", "tags", "app name", "x");
    assertThat(Paths.names("path", "event")).containsExactly("event");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "a.", ".a", "a..b", "a b", "[\"a\"]", "a[\"\"]", "a[0]", "$.a"})
  void anInvalidPathIsRefused(String path) {
    assertThatThrownBy(() -> Paths.names("matchers[0].path", path))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> assertThat(e.errors().getFirst().getField()).isEqualTo("matchers[0].path"));
  }
}
