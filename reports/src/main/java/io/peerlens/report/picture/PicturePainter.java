package io.peerlens.report.picture;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.function.UnaryOperator;

/** Painter of marks, whatever the graphics are of: pixels or a page of a PDF. */
final class PicturePainter {

  private static final float[] DASHES = {3f, 2.5f};

  private final Graphics2D graphics;
  private final TextMeasure widths;
  private final UnaryOperator<String> legible;

  /**
   * @param widths of the texts on these graphics
   * @param legible a text as the fonts of these graphics can show it
   */
  PicturePainter(Graphics2D graphics, TextMeasure widths, UnaryOperator<String> legible) {
    this.graphics = graphics;
    this.widths = widths;
    this.legible = legible;
  }

  /** Paints marks that are measured from a point. */
  void paint(List<Mark> marks, double x, double y) {
    for (Mark mark : marks) {
      switch (mark) {
        case Mark.Box box -> {
          graphics.setColor(box.ink().colour());
          graphics.fill(
              new Rectangle2D.Double(x + box.x(), y + box.y(), box.width(), box.height()));
        }
        case Mark.Line line -> {
          graphics.setColor(line.ink().colour());
          graphics.setStroke(stroke(line.width(), line.dashed()));
          graphics.draw(
              new Line2D.Double(x + line.x1(), y + line.y1(), x + line.x2(), y + line.y2()));
        }
        case Mark.Words words -> words(words, x, y);
        case Mark.Curve curve -> {
          graphics.setColor(curve.ink().colour());
          graphics.setStroke(stroke(curve.width(), false));
          graphics.draw(path(curve.xs(), curve.ys(), x, y));
        }
        case Mark.Area area -> {
          Path2D path = path(area.xs(), area.ys(), x, y);
          if (path.getCurrentPoint() != null) {
            path.closePath();
            graphics.setColor(area.ink().colour());
            graphics.fill(path);
          }
        }
      }
    }
  }

  private static BasicStroke stroke(double width, boolean dashed) {
    return dashed
        ? new BasicStroke(
            (float) width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10f, DASHES, 0f)
        : new BasicStroke((float) width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
  }

  /** With gaps where a coordinate is NaN; a lone point is a dot. */
  private static Path2D path(double[] xs, double[] ys, double x, double y) {
    Path2D path = new Path2D.Double();
    boolean open = false;
    for (int i = 0; i < xs.length; i++) {
      if (Double.isNaN(xs[i]) || Double.isNaN(ys[i])) {
        open = false;
      } else {
        if (!open) {
          path.moveTo(x + xs[i], y + ys[i]);
        }
        path.lineTo(x + xs[i], y + ys[i]);
        open = true;
      }
    }
    return path;
  }

  private void words(Mark.Words words, double x, double y) {
    String text = legible.apply(words.text());
    double width =
        words.side() == Mark.Side.RIGHT_OF ? 0 : widths.of(text, words.size(), words.bold());
    double left =
        switch (words.side()) {
          case RIGHT_OF -> words.x();
          case LEFT_OF -> words.x() - width;
          case AROUND -> words.x() - width / 2;
        };
    graphics.setColor(words.ink().colour());
    graphics.setFont(TextWidths.font(words.size(), words.bold()));
    graphics.drawString(text, (float) (x + left), (float) (y + words.y()));
  }
}
