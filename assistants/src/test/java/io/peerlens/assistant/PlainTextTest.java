package io.peerlens.assistant;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlainTextTest {

  @Test
  void anOrdinaryNameStaysAsItIs() {
    assertThat(PlainText.of("web-17 (Köln, 東京) < 80 %", 200)).isEqualTo("web-17 (Köln, 東京) < 80 %");
  }

  @Test
  void whatCannotBeSeenIsTakenOut() {
    assertThat(PlainText.of("a\u202eb\u200bc\u2066d\u0000e\ufeff", 200)).isEqualTo("abcd e");
    String tags = "x" + new String(Character.toChars(0xE0041)) + "\ufe0f\ud800y";
    assertThat(PlainText.of(tags, 200)).isEqualTo("xy");
  }

  @Test
  void linesAndColoursOfTerminalsBecomeOneLine() {
    assertThat(PlainText.of("a\r\n\n\tb\u001b[31m", 200)).isEqualTo("a b [31m");
  }

  @Test
  void markdownMakesNoLinkOfIt() {
    assertThat(PlainText.of("![x](http://e.example/?q=1) <img src=x> ```", 200))
        .isEqualTo("![x] (http://e.example/?q=1) ‹img src=x> '''");
  }

  @Test
  void aLongTextIsCutAndSaysSo() {
    assertThat(PlainText.of("x".repeat(5_000_000), 200)).isEqualTo("x".repeat(200) + "… (cut)");
    assertThat(PlainText.of("\u200b".repeat(1_000) + "x", 200)).endsWith("… (cut)");
  }
}
