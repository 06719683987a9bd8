package io.peerlens.report.picture;

import static io.peerlens.report.picture.Sheet.BASE;
import static io.peerlens.report.picture.Sheet.PAD;
import static io.peerlens.report.picture.Sheet.ROW;
import static io.peerlens.report.picture.Sheet.SIZE;
import static io.peerlens.report.picture.Sheet.SMALL;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelLane;
import io.peerlens.api.model.PanelSegment;
import io.peerlens.api.model.PanelState;
import io.peerlens.report.picture.Mark.Box;
import io.peerlens.report.picture.Mark.Side;
import io.peerlens.report.picture.Mark.Words;
import io.peerlens.report.picture.PanelPicture.Strip;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lanes of a timeline: the states of each object over the time of the answer. */
final class Lanes {

  private final Sheet sheet;
  private final PanelValues values;

  Lanes(Sheet sheet, PanelValues values) {
    this.sheet = sheet;
    this.values = values;
  }

  void draw(PanelAnswer answer) {
    List<PanelLane> lanes = Objects.requireNonNullElse(answer.getLanes(), List.of());
    TextWidths widths = sheet.widths();
    double names =
        Math.min(
            sheet.width() * 0.3,
            lanes.stream()
                .mapToDouble(lane -> widths.of(lane.getObject().getName(), SIZE, false))
                .max()
                .orElse(0));
    double begin = names + 3 * PAD;
    double room = Math.max(20, sheet.width() - begin - PAD);
    double span = Math.max(1, answer.getTo() - answer.getFrom());
    for (PanelLane lane : lanes) {
      List<Mark> marks = new ArrayList<>();
      marks.add(
          new Words(
              PAD,
              BASE,
              widths.fit(lane.getObject().getName(), SIZE, false, names + 1),
              SIZE,
              false,
              Ink.INK,
              Side.RIGHT_OF));
      for (PanelSegment one : lane.getSegments()) {
        double from = Math.clamp((one.getFrom() - answer.getFrom()) / span, 0.0, 1.0);
        double to = Math.clamp((one.getTo() - answer.getFrom()) / span, 0.0, 1.0);
        if (to > from) {
          marks.add(
              new Box(begin + from * room, 2, (to - from) * room, ROW - 4, ink(one.getState())));
        }
      }
      sheet.add(new Strip(ROW, marks));
    }
    sheet.add(
        new Strip(
            ROW,
            List.of(
                new Words(
                    begin,
                    BASE,
                    values.time(answer.getFrom()),
                    SMALL,
                    false,
                    Ink.FAINT,
                    Side.RIGHT_OF),
                new Words(
                    sheet.width() - PAD,
                    BASE,
                    values.time(answer.getTo()),
                    SMALL,
                    false,
                    Ink.FAINT,
                    Side.LEFT_OF))));
  }

  /** Much of a lane is as it should be, and faint. */
  private static Ink ink(@Nullable PanelState state) {
    return state == PanelState.NORMAL ? Ink.ACCENT_SOFT : Ink.of(state);
  }
}
