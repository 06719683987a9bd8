package io.peerlens.report.picture;

import de.rototor.pdfbox.graphics2d.PdfBoxGraphics2DFontTextDrawer;
import java.awt.Font;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.text.AttributedCharacterIterator;
import java.text.CharacterIterator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.pdmodel.font.PDType0Font;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;

/**
 * Fonts of a PDF, so that its text can be searched and copied: one of this machine, embedded with
 * the letters that are used, or Helvetica, which every reader has, with Western letters only. For
 * one document.
 */
final class PdfFonts extends PdfBoxGraphics2DFontTextDrawer implements TextMeasure {

  private record Files(String regular, String bold) {}

  private static final List<Files> FILES =
      List.of(
          files("/usr/share/fonts/truetype/dejavu/", "DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
          files("/usr/share/fonts/dejavu/", "DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
          files("/usr/share/fonts/dejavu-sans-fonts/", "DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
          files(
              "/usr/share/fonts/truetype/liberation/",
              "LiberationSans-Regular.ttf",
              "LiberationSans-Bold.ttf"),
          files(
              "/usr/share/fonts/liberation-sans/",
              "LiberationSans-Regular.ttf",
              "LiberationSans-Bold.ttf"));

  private final PDFont regular;
  private final PDFont bold;
  private final Map<Integer, Boolean> legible = new HashMap<>();

  PdfFonts(PDDocument document) throws IOException {
    Files found =
        FILES.stream()
            .filter(one -> new File(one.regular()).canRead() && new File(one.bold()).canRead())
            .findFirst()
            .orElse(null);
    if (found == null) {
      regular = new PDType1Font(Standard14Fonts.FontName.HELVETICA);
      bold = new PDType1Font(Standard14Fonts.FontName.HELVETICA_BOLD);
    } else {
      regular = PDType0Font.load(document, new File(found.regular()));
      bold = PDType0Font.load(document, new File(found.bold()));
    }
  }

  private static Files files(String folder, String regular, String bold) {
    return new Files(folder + regular, folder + bold);
  }

  @Override
  protected PDFont mapFont(Font font, IFontTextDrawerEnv env) {
    return font.isBold() ? bold : regular;
  }

  /**
   * Whether a text is written as text. Letters that join, as Arabic ones, are drawn as shapes by
   * Java, which knows how; all others are letters.
   */
  @Override
  public boolean canDrawText(AttributedCharacterIterator text, IFontTextDrawerEnv env) {
    boolean joins = false;
    for (char c = text.first(); c != CharacterIterator.DONE; c = text.next()) {
      joins |= Letters.joins(c);
    }
    text.first();
    return !joins;
  }

  /** The text with a question mark in place of each letter that the fonts do not have. */
  String legible(String text) {
    StringBuilder shown = new StringBuilder();
    Letters.visual(Letters.plain(text))
        .codePoints()
        .forEach(
            letter -> {
              if (Character.isWhitespace(letter)) {
                shown.append(' ');
              } else if (legible.computeIfAbsent(letter, this::isKnown)) {
                shown.appendCodePoint(letter);
              } else {
                shown.append('?');
              }
            });
    return shown.toString();
  }

  private boolean isKnown(int letter) {
    String text = Character.toString(letter);
    try {
      return regular.encode(text).length > 0 && bold.encode(text).length > 0;
    } catch (IllegalArgumentException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public double of(String text, double size, boolean isBold) {
    try {
      return (isBold ? bold : regular).getStringWidth(text) / 1000.0 * size;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
