package io.peerlens.report.picture;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.report.picture.PanelPicture.Strip;
import java.util.List;
import java.util.Objects;

/** Text of a panel: paragraphs, titles and lists; of the rest of Markdown the words remain. */
final class MarkdownText {

  private static final double GAP = 5;

  private final Sheet sheet;

  MarkdownText(Sheet sheet) {
    this.sheet = sheet;
  }

  void draw(PanelAnswer answer) {
    for (String line : Objects.requireNonNullElse(answer.getMarkdown(), "").lines().toList()) {
      String stripped = line.strip();
      boolean title = stripped.startsWith("#");
      boolean item = stripped.matches("[-*+] .*");
      String words =
          stripped
              .replaceFirst("^#+\\s*", "")
              .replaceFirst("^[-*+] ", "")
              .replace("**", "")
              .replace("`", "")
              .replaceAll("\\[([^\\]\\[]*)\\]\\([^)(]*\\)", "$1");
      if (words.isEmpty()) {
        sheet.add(new Strip(GAP, List.of()));
      } else {
        sheet.paragraph(
            item ? "• " + words : words, title ? Sheet.SIZE + 2 : Sheet.SIZE, title, Ink.INK);
      }
    }
  }
}
