package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;

/** Editor of a page ({@code <code-editor>}), as a person uses it. */
record CodeEditor(Locator element) {

  static CodeEditor on(Page page) {
    return new CodeEditor(page.locator("code-editor"));
  }

  /** Where text is typed. */
  Locator field() {
    return element.locator(".cm-content");
  }

  String text() {
    return (String) element.evaluate("editor => editor.value");
  }

  void hasText(String text) {
    assertThat(element).hasJSProperty("value", text);
  }

  /** The whole text, of which the page draws only the lines in sight, has such a part. */
  void hasText(Pattern part) {
    Awaitility.await().untilAsserted(() -> Assertions.assertThat(text()).containsPattern(part));
  }

  /** Puts another text in the place of all there is, from the clipboard. */
  void paste(String text) {
    field().focus();
    field().press("Control+a");
    field()
        .evaluate(
            """
            (field, text) => {
              const clipboardData = new DataTransfer();
              clipboardData.setData("text/plain", text);
              field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
            }
            """,
            text);
  }

  /** Puts the caret behind the first such text. */
  void caretAfter(String text) {
    element.evaluate(
        "(editor, text) => editor.goTo(editor.value.indexOf(text) + text.length)", text);
  }

  /** What is marked as wrong. */
  Locator wrong() {
    return element.locator(".cm-lintRange-error");
  }

  /** The line that says what is wrong. */
  Locator issue() {
    return element.locator(".cm-issue [role=status]");
  }

  /** What Enter would take of the list that is open. */
  Locator chosen() {
    return element.locator(".cm-tooltip-autocomplete [aria-selected=true]");
  }
}
