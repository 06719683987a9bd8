package io.peerlens.report.picture;

import io.peerlens.api.model.PanelAlert;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelChange;
import io.peerlens.api.model.PanelProperty;
import io.peerlens.report.picture.Table.Cell;
import java.util.List;
import java.util.Objects;

/** Lists of what is known of objects besides their values: properties, alerts and changes. */
final class Lists {

  private final Sheet sheet;
  private final PanelValues values;

  Lists(Sheet sheet, PanelValues values) {
    this.sheet = sheet;
    this.values = values;
  }

  void properties(PanelAnswer answer) {
    List<PanelProperty> all = Objects.requireNonNullElse(answer.getProperties(), List.of());
    draw(List.of("Property", "Value", "Changed"), all.stream().map(this::cells).toList());
  }

  void alerts(PanelAnswer answer) {
    List<PanelAlert> all = Objects.requireNonNullElse(answer.getAlerts(), List.of());
    draw(
        List.of("Severity", "Object", "Alert", "Since", "Owner"),
        all.stream().map(this::cells).toList());
  }

  void changes(PanelAnswer answer) {
    List<PanelChange> all = Objects.requireNonNullElse(answer.getChanges(), List.of());
    draw(List.of("When", "Object", "Change"), all.stream().map(this::cells).toList());
  }

  private void draw(List<String> titles, List<List<Cell>> rows) {
    new Grid(new Table(titles.stream().map(Cell::title).toList(), rows), sheet).draw();
  }

  private List<Cell> cells(PanelProperty one) {
    Long changed = one.getChangedAt();
    return List.of(
        Cell.of(one.getKey()),
        Cell.of(one.getValue()),
        Cell.of(changed == null ? "" : values.time(changed)));
  }

  private List<Cell> cells(PanelAlert one) {
    return List.of(
        new Cell(one.getSeverity().getValue(), false, false, Ink.behind(one.getSeverity()), null),
        Cell.of(one.getObject().getName()),
        Cell.of(one.getName()),
        Cell.of(values.time(one.getOpenedAt())),
        Cell.of(Objects.requireNonNullElse(one.getOwner(), "")));
  }

  private List<Cell> cells(PanelChange one) {
    return List.of(
        Cell.of(values.time(one.getAt())),
        Cell.of(one.getObject().getName()),
        Cell.of(one.getText()));
  }
}
