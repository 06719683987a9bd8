package io.peerlens.report.picture;

import de.rototor.pdfbox.graphics2d.PdfBoxGraphics2D;
import io.peerlens.report.picture.Mark.Side;
import io.peerlens.report.picture.Mark.Words;
import io.peerlens.report.picture.PanelPicture.Strip;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.jspecify.annotations.Nullable;

/**
 * PDF of some pictures, one below the other on pages of A4, with real text. Where a picture goes on
 * on the next page, that page begins with its head, such as the titles of columns.
 */
public final class ReportPdf {

  /** A report has so many pages at most. */
  public static final int MOST_PAGES = 50;

  /** Drawing takes so long at most. */
  public static final Duration MOST_TIME = Duration.ofSeconds(60);

  private static final PDRectangle PAGE = PDRectangle.A4;
  private static final double MARGIN = 36;
  private static final double FOOTER = 18;
  private static final double TITLE = 22;
  private static final double NOTE = 11;
  private static final double GAP = 14;

  /** Width that pictures are drawn for, in points. */
  public static final double WIDTH = PAGE.getWidth() - 2 * MARGIN;

  private static final double BOTTOM = PAGE.getHeight() - MARGIN - FOOTER;

  static {
    System.setProperty("java.awt.headless", System.getProperty("java.awt.headless", "true"));
  }

  private final PDDocument document;
  private final PdfFonts fonts;
  private final String title;
  private final LongSupplier nanos;
  private final long end;
  private final TextWidths widths = new TextWidths();

  private @Nullable PdfBoxGraphics2D graphics;
  private @Nullable PicturePainter painter;
  private int pages;
  private double y;
  private @Nullable String left;

  private ReportPdf(PDDocument document, PdfFonts fonts, String title, LongSupplier nanos) {
    this.document = document;
    this.fonts = fonts;
    this.title = title;
    this.nanos = nanos;
    this.end = nanos.getAsLong() + MOST_TIME.toNanos();
  }

  /**
   * Writes a report.
   *
   * @param title of the report
   * @param words what stands below it, such as of which time it is
   * @param pictures drawn for {@link #WIDTH}
   */
  public static byte[] write(String title, List<String> words, List<PanelPicture> pictures) {
    return write(title, words, pictures, System::nanoTime);
  }

  /** The same with a clock of one's own. */
  static byte[] write(
      String title, List<String> words, List<PanelPicture> pictures, LongSupplier nanos) {
    try (PDDocument document = new PDDocument();
        PdfFonts fonts = new PdfFonts(document)) {
      document.getDocumentInformation().setTitle(title);
      document.getDocumentInformation().setCreator("Peerlens");
      document.getDocumentCatalog().setLanguage("en");
      new ReportPdf(document, fonts, title, nanos).draw(words, pictures);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      document.save(out);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void draw(List<String> words, List<PanelPicture> pictures) throws IOException {
    begin();
    for (String line : widths.lines(title, 16, true, WIDTH, 4)) {
      place(new Strip(22, List.of(new Words(0, 16, line, 16, true, Ink.INK, Side.RIGHT_OF))));
    }
    y += 4;
    for (String line : words) {
      notes(line).forEach(this::place);
    }
    y += GAP;
    for (PanelPicture picture : pictures) {
      draw(picture);
      if (left != null) {
        break;
      }
      y += GAP;
    }
    finish();
  }

  private void draw(PanelPicture picture) throws IOException {
    Strip name =
        new Strip(
            TITLE,
            List.of(
                new Words(
                    0,
                    14,
                    widths.fit(picture.title(), 11, true, WIDTH),
                    11,
                    true,
                    Ink.INK,
                    Side.RIGHT_OF)));
    List<Strip> head =
        picture.title().isEmpty() ? new ArrayList<>() : new ArrayList<>(List.of(name));
    head.addAll(picture.head());
    List<Strip> strips = picture.strips();
    if (!makeRoom(PanelPicture.height(head) + PanelPicture.together(strips, 0))) {
      return;
    }
    head.forEach(this::place);
    for (int i = 0; i < strips.size(); i++) {
      Strip strip = strips.get(i);
      boolean begins = i > 0 && !strips.get(i - 1).withNext();
      double needed = begins ? PanelPicture.together(strips, i) : strip.height();
      if (y + needed > BOTTOM) {
        List<Strip> again = strip.head() == null ? picture.head() : List.of(strip.head());
        if (!makeRoom(PanelPicture.height(again) + needed)) {
          return;
        }
        again.forEach(this::place);
      }
      if (nanos.getAsLong() - end > 0) {
        left =
            "The rest is left out: drawing it took more than %d s."
                .formatted(MOST_TIME.toSeconds());
        return;
      }
      place(strip);
    }
    for (String note : picture.notes()) {
      for (Strip line : notes(note)) {
        if (!makeRoom(NOTE)) {
          return;
        }
        place(line);
      }
    }
  }

  private List<Strip> notes(String text) {
    return widths.lines(text, Sheet.SMALL, false, WIDTH, 8).stream()
        .map(
            line ->
                new Strip(
                    NOTE,
                    List.of(new Words(0, 8.5, line, Sheet.SMALL, false, Ink.FAINT, Side.RIGHT_OF))))
        .toList();
  }

  /** Goes on to the next page if this one has not so much room; false = there may be none. */
  private boolean makeRoom(double height) throws IOException {
    if (y + height <= BOTTOM || y <= MARGIN) {
      return true; // what has no room on a whole page is cut off
    }
    if (pages >= MOST_PAGES) {
      left = "The rest is left out: a report has %d pages at most.".formatted(MOST_PAGES);
      return false;
    }
    finish();
    begin();
    return true;
  }

  private void place(Strip strip) {
    PicturePainter of = painter;
    if (of != null) {
      of.paint(strip.marks(), MARGIN, y);
    }
    y += strip.height();
  }

  private void begin() throws IOException {
    PdfBoxGraphics2D page = new PdfBoxGraphics2D(document, PAGE.getWidth(), PAGE.getHeight());
    page.setFontTextDrawer(fonts);
    graphics = page;
    painter = new PicturePainter(page, fonts, fonts::legible);
    pages++;
    y = MARGIN;
  }

  private void finish() throws IOException {
    PdfBoxGraphics2D page = graphics;
    PicturePainter of = painter;
    if (page == null || of == null) {
      return;
    }
    String words = left == null ? title : left;
    of.paint(
        List.of(
            new Words(
                0,
                0,
                widths.fit(words, Sheet.SMALL, left != null, WIDTH - 60),
                Sheet.SMALL,
                left != null,
                left == null ? Ink.FAINT : Ink.CRITICAL,
                Side.RIGHT_OF),
            new Words(WIDTH, 0, "Page " + pages, Sheet.SMALL, false, Ink.FAINT, Side.LEFT_OF)),
        MARGIN,
        PAGE.getHeight() - MARGIN);
    page.dispose();
    PDPage sheet = new PDPage(PAGE);
    document.addPage(sheet);
    try (PDPageContentStream content = new PDPageContentStream(document, sheet)) {
      content.drawForm(page.getXFormObject());
    }
    graphics = null;
    painter = null;
  }
}
