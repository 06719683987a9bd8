package io.peerlens.report.picture;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelColumn;
import io.peerlens.api.model.PanelColumnType;
import io.peerlens.api.model.PanelNote;
import io.peerlens.api.model.PanelObjects;
import io.peerlens.api.model.PanelRow;
import io.peerlens.api.model.PanelState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Answers for tests. */
final class Answers {

  static final long FROM = Instant.parse("2026-11-20T00:00:00Z").toEpochMilli();
  static final long TO = Instant.parse("2026-11-21T00:00:00Z").toEpochMilli();

  private Answers() {}

  static PanelAnswer of(String type, String title) {
    PanelAnswer answer =
        new PanelAnswer(
            type,
            FROM,
            TO,
            null,
            null,
            1L,
            null,
            new PanelObjects(1, 1, 1),
            List.of(new PanelNote("rows-left-out", "3 of 4 rows")));
    answer.setTitle(title);
    return answer;
  }

  static ObjectRef object(String name) {
    return new ObjectRef(new UUID(1, name.hashCode()), "VMWARE", "VirtualMachine", name);
  }

  static PanelColumn number(String name, String title, String unit) {
    return new PanelColumn(name, title, PanelColumnType.NUMBER, unit, "24h");
  }

  static PanelRow row(String object, PanelState state, @Nullable Object... cells) {
    List<PanelState> states = new ArrayList<>();
    for (@Nullable Object cell : cells) {
      states.add(cell == null ? null : state);
    }
    return new PanelRow(object(object), null, Arrays.asList(cells), states);
  }

  /** A table of machines with CPU, in percent. */
  static PanelAnswer table(int rows) {
    PanelAnswer answer = of("table", "Machines");
    answer.setColumns(List.of(number("cpu", "CPU", "%"), number("mem", "Memory", "GB")));
    List<PanelRow> all = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      all.add(row("vm-%04d".formatted(i), PanelState.WARNING, i + 0.25, null));
    }
    answer.setRows(all);
    return answer;
  }
}
