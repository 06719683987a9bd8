package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CursorTest {

  @Test
  void aCursorReturnsItsKeys() {
    String cursor = Cursor.after("scope", "näme, with \"all\" \n of it", "42");
    assertThat(cursor).matches("[A-Za-z0-9_-]+");
    assertThat(Cursor.keys(cursor, "scope", 2))
        .containsExactly("näme, with \"all\" \n of it", "42");
  }

  @Test
  void emptyKeysAreKept() {
    assertThat(Cursor.keys(Cursor.after("s", "", ""), "s", 2)).containsExactly("", "");
  }

  @Test
  void everyDamageIsFound() {
    String cursor = Cursor.after("scope", "name", "42");
    for (int i = 0; i < cursor.length() - 1; i++) {
      char other = cursor.charAt(i) == 'A' ? 'B' : 'A';
      String damaged = cursor.substring(0, i) + other + cursor.substring(i + 1);
      assertThatThrownBy(() -> Cursor.keys(damaged, "scope", 2)).isInstanceOf(ApiException.class);
    }
  }

  @Test
  void anotherScopeIsRefused() {
    String cursor = Cursor.after("name=web", "a", "1");
    assertThatThrownBy(() -> Cursor.keys(cursor, "name=db", 2))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CURSOR));
  }
}
