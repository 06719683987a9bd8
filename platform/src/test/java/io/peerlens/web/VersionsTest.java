package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VersionsTest {

  @ParameterizedTest
  @ValueSource(strings = {"\"7\"", " \"7\" ", "*", "\"6\", \"7\""})
  void theStoredVersionMayBeNamedAloneAmongOthersOrAsAny(String ifMatch) {
    assertThatCode(() -> Versions.check("threshold", ifMatch, 7, "ann")).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      value = {"\"6\", 412", "7, 412", "W/\"7\", 412", "'', 412", ", 428"})
  void anotherVersionAndNoneAreRefused(@Nullable String ifMatch, int status) {
    ApiException refused =
        catchThrowableOfType(
            ApiException.class, () -> Versions.check("threshold", ifMatch, 7, "ann"));

    assertThat(refused.code().status()).isEqualTo(status);
  }

  @Test
  void aConflictNamesWhoChangedTheDefinition() {
    ApiException refused =
        catchThrowableOfType(
            ApiException.class, () -> Versions.check("threshold", "\"6\"", 7, "ann"));

    assertThat(refused.detail()).isEqualTo("The threshold was changed by ann since it was read.");
  }
}
