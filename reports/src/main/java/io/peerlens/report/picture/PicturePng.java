package io.peerlens.report.picture;

import io.peerlens.report.picture.PanelPicture.Strip;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;

/** PNG of a picture, for mails: two pixels for each point. */
public final class PicturePng {

  /** Pixels for each point. */
  static final int SCALE = 2;

  /** Points; what is below is left out, and a line says so. */
  static final double MOST_HEIGHT = 1500;

  private static final double MARGIN = 8;
  private static final double TITLE = 18;
  private static final double NOTE = 11;

  static {
    System.setProperty("java.awt.headless", System.getProperty("java.awt.headless", "true"));
  }

  private PicturePng() {}

  /**
   * Draws a picture.
   *
   * @return empty = this machine has no fonts
   */
  public static Optional<byte[]> draw(PanelPicture picture) {
    try {
      return Optional.of(png(picture));
    } catch (LinkageError | InternalError | NullPointerException e) {
      // A machine without fonts; Java says so in several ways.
      return Optional.empty();
    }
  }

  private static byte[] png(PanelPicture picture) {
    List<Strip> strips = new ArrayList<>(picture.head());
    double height = PanelPicture.height(strips);
    int left = 0;
    for (Strip strip : picture.strips()) {
      if (left > 0 || height + strip.height() > MOST_HEIGHT) {
        left++;
      } else {
        strips.add(strip);
        height += strip.height();
      }
    }
    List<String> notes = new ArrayList<>(picture.notes());
    if (left > 0) {
      notes.add("%,d more lines are left out here.".formatted(left));
    }
    double all = 2 * MARGIN + TITLE + height + NOTE * notes.size();
    BufferedImage image =
        new BufferedImage(
            (int) Math.ceil((picture.width() + 2 * MARGIN) * SCALE),
            (int) Math.ceil(all * SCALE),
            BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.scale(SCALE, SCALE);
      graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      graphics.setRenderingHint(
          RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
      graphics.setRenderingHint(
          RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
      graphics.setRenderingHint(
          RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
      graphics.setColor(Ink.PAPER.colour());
      graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
      PicturePainter painter = new PicturePainter(graphics, new TextWidths(), Letters::plain);
      painter.paint(
          List.of(new Mark.Words(0, 12, picture.title(), 11, true, Ink.INK, Mark.Side.RIGHT_OF)),
          MARGIN,
          MARGIN);
      double y = MARGIN + TITLE;
      for (Strip strip : strips) {
        painter.paint(strip.marks(), MARGIN, y);
        y += strip.height();
      }
      for (String note : notes) {
        painter.paint(
            List.of(new Mark.Words(0, 9, note, Sheet.SMALL, false, Ink.FAINT, Mark.Side.RIGHT_OF)),
            MARGIN,
            y);
        y += NOTE;
      }
    } finally {
      graphics.dispose();
    }
    try (ByteArrayOutputStream out = new ByteArrayOutputStream()) {
      ImageIO.write(image, "png", out);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
