package io.peerlens.panel;

import io.peerlens.api.model.PanelState;
import io.peerlens.dashboard.file.Column;
import io.peerlens.dashboard.file.Column.Colour;
import io.peerlens.dashboard.file.Column.State;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** States of values, by the colours of their column. */
final class States {

  private States() {}

  /**
   * The state of each row; null = none is known.
   *
   * @param usual bounds of what is usual; null = not asked for
   */
  static @Nullable State[] of(
      Cells cells,
      Rows rows,
      Map<Integer, PanelAlertQueries.Open> open,
      UsualReads.@Nullable Bounds usual) {
    @Nullable State[] states = new @Nullable State[rows.size()];
    Colour colour = cells.column().colour();
    for (int row = 0; row < states.length; row++) {
      states[row] =
          switch (colour) {
            case Colour.None none -> health(cells, row);
            case Colour.Bounds bounds -> cells.isText() ? null : bounds.state(cells.numbers()[row]);
            case Colour.Values values -> text(values, cells.text(row));
            case Colour.Alerts alerts -> {
              PanelAlertQueries.Open one = open.get(rows.objects()[row]);
              yield one == null ? State.NORMAL : one.worst();
            }
            case Colour.Usual unusual -> {
              double value = cells.numbers()[row];
              double lower = usual == null ? Double.NaN : usual.lower()[row];
              yield Double.isNaN(value) || Double.isNaN(lower) || usual == null
                  ? null
                  : value < lower || value > usual.upper()[row] ? State.WARNING : State.NORMAL;
            }
          };
    }
    return states;
  }

  /** Health is its own colour. */
  private static @Nullable State health(Cells cells, int row) {
    return cells.column().what() == Column.Attribute.HEALTH
        ? Column.State.valueOf(String.valueOf(cells.text(row)).toUpperCase(java.util.Locale.ROOT))
        : null;
  }

  private static @Nullable State text(Colour.Values values, @Nullable String text) {
    if (text == null) {
      return null;
    }
    for (Map.Entry<String, State> one : values.states().entrySet()) {
      if (new Glob(one.getKey()).matches(text)) {
        return one.getValue();
      }
    }
    return State.NORMAL;
  }

  static @Nullable PanelState shown(@Nullable State state) {
    return state == null ? null : PanelState.valueOf(state.name());
  }

  static @Nullable State worse(@Nullable State one, @Nullable State other) {
    return one == null ? other : other == null || one.compareTo(other) >= 0 ? one : other;
  }
}
