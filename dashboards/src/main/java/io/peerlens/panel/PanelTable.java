package io.peerlens.panel;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelGroup;
import io.peerlens.api.model.PanelLine;
import io.peerlens.api.model.PanelMoments;
import io.peerlens.api.model.PanelPlace;
import io.peerlens.api.model.PanelRow;
import io.peerlens.api.model.PanelState;
import io.peerlens.dashboard.file.Column;
import io.peerlens.dashboard.file.Column.Colour;
import io.peerlens.dashboard.file.Column.State;
import io.peerlens.dashboard.file.Panel;
import io.peerlens.dashboard.file.Question;
import io.peerlens.dashboard.file.Select;
import io.peerlens.panel.PanelRun.Table;
import io.peerlens.store.Level;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.web.Doubles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Rows and what stands beside them: tables, rankings, scores and heat maps. */
final class PanelTable {

  private static final int ROWS = 500;
  private static final int TOP_ROWS = 10;
  private static final int HEAT_CELLS = 2_000;
  private static final int SPARKLINE = 60;
  private static final int MOMENTS = 96;
  private static final int PEERS = 2_000;
  private static final int STRIP = 60;
  private static final int FEWEST_PEERS = 3;
  private static final int SCORES = 12;

  private final PanelInput input;
  private final PanelAnswer answer;
  private final Selection selection;
  private final ColumnReads columns;
  private final UsualReads usual;
  private final PanelObjectQueries objects;
  private final PanelRun run;

  PanelTable(
      PanelInput input,
      PanelAnswer answer,
      Selection selection,
      ColumnReads columns,
      UsualReads usual,
      PanelObjectQueries objects,
      PanelRun run) {
    this.input = input;
    this.answer = answer;
    this.selection = selection;
    this.columns = columns;
    this.usual = usual;
    this.objects = objects;
    this.run = run;
  }

  void table() {
    Panel.Type type = input.panel().type();
    int usualRows =
        switch (type) {
          case TOP -> TOP_ROWS;
          case SCOREBOARD -> SCORES;
          case HEATMAP -> HEAT_CELLS;
          default -> ROWS;
        };
    boolean sparklines = type == Panel.Type.SPARKLINES;
    Table all = run.whole();
    int limit = Math.min(input.rows(usualRows), Selection.MOST);
    boolean top = type == Panel.Type.TOP;
    Table whole = top ? withValues(all) : all;
    Table shown =
        whole.rows().size() > limit ? whole.at(IntStream.range(0, limit).toArray()) : whole;
    if (shown.rows().size() < whole.rows().size()) {
      run.note(
          "rows-left-out", "%,d of %,d rows".formatted(shown.rows().size(), whole.rows().size()));
    }
    List<Cells> visible = PanelRun.visible(shown);
    Map<Integer, ObjectRef> references = objects.references(shown.rows().objects());
    List<@Nullable State[]> states = states(visible, shown.rows());
    List<Cells> compared = compared(shown.rows());
    List<List<PanelLine>> lines = lines(visible, shown.rows(), sparklines);
    List<List<PanelPlace>> places = places(visible, shown.rows());
    List<PanelRow> rows = new ArrayList<>();
    for (int row = 0; row < shown.rows().size(); row++) {
      ObjectRef reference = references.get(shown.rows().objects()[row]);
      if (reference == null) {
        continue; // deleted since
      }
      int at = row;
      String instance = shown.rows().instances()[row];
      List<Object> values = new ArrayList<>();
      List<PanelState> theirs = new ArrayList<>();
      for (int c = 0; c < visible.size(); c++) {
        values.add(visible.get(c).value(row));
        theirs.add(States.shown(states.get(c)[row]));
      }
      PanelRow one = new PanelRow(reference, instance.isEmpty() ? null : instance, values, theirs);
      if (!compared.isEmpty()) {
        one.setCompared(compared.stream().map(cells -> finite(cells, at)).toList());
      }
      if (!lines.isEmpty()) {
        one.setSparklines(lines.stream().map(of -> of == null ? null : of.get(at)).toList());
      }
      if (!places.isEmpty()) {
        one.setPlaces(places.stream().map(of -> of == null ? null : of.get(at)).toList());
      }
      rows.add(one);
    }
    answer.setColumns(run.columnsOf(visible));
    answer.setRows(rows);
    if (visible.stream().anyMatch(one -> one.column().total() != null)) {
      answer.setTotals(totals(all, visible));
    }
    groups(shown, states, references);
    if (input.panel().type() == Panel.Type.HEATMAP && input.panel().slider()) {
      moments(shown);
    }
    run.objectsOf(all, shown.rows());
  }

  private static Table withValues(Table table) {
    Cells ranked =
        table.cells().stream()
            .filter(one -> !one.isText() && !one.column().hidden())
            .findFirst()
            .orElse(null);
    return ranked == null
        ? table
        : table.at(IntStream.range(0, table.rows().size()).filter(ranked::has).toArray());
  }

  private static @Nullable Double finite(Cells cells, int row) {
    double number = cells.isText() || cells.isTime() ? Double.NaN : cells.numbers()[row];
    return Double.isFinite(number) ? number : null;
  }

  private List<@Nullable State[]> states(List<Cells> visible, Rows rows) {
    Map<Integer, PanelAlertQueries.Open> open =
        visible.stream().anyMatch(one -> one.column().colour() instanceof Colour.Alerts)
            ? columns.open(rows)
            : Map.of();
    List<@Nullable State[]> states = new ArrayList<>();
    for (Cells one : visible) {
      String key = one.key();
      UsualReads.Bounds bounds =
          one.column().colour() instanceof Colour.Usual
                  && key != null
                  && one.column().what() instanceof Column.OfMetric
              ? usual.at(key, rows, input.to())
              : null;
      states.add(States.of(one, rows, open, bounds));
    }
    return states;
  }

  /** The cells of the compared window; empty = nothing is compared. */
  private List<Cells> compared(Rows rows) {
    Duration by = input.compareBy();
    if (by == null) {
      return List.of();
    }
    Duration earlier = by.isZero() ? Duration.between(input.start(), input.to()) : by;
    return columns.read(input.question().columns(), rows, earlier).stream()
        .filter(one -> !one.column().hidden())
        .toList();
  }

  private List<List<PanelLine>> lines(List<Cells> visible, Rows rows, boolean all) {
    List<List<PanelLine>> lines = new ArrayList<>();
    boolean any = false;
    for (Cells one : visible) {
      if (one.column().what() instanceof Column.OfMetric of && (all || one.column().sparkline())) {
        any = true;
        MetricReads.Course course =
            columns
                .metrics()
                .course(
                    columns.stored(of.metric()),
                    rows,
                    Level.micros(columns.start(one.column())),
                    Level.micros(input.to()),
                    SPARKLINE);
        double factor = PanelRun.scale(one, course.unit());
        List<PanelLine> theirs = new ArrayList<>();
        for (int row = 0; row < rows.size(); row++) {
          double[] means = course.bins().means(row);
          theirs.add(
              new PanelLine(Doubles.of(Arrays.stream(means).map(mean -> mean * factor).toArray())));
        }
        lines.add(theirs);
      } else {
        lines.add(null);
      }
    }
    return any ? lines : List.of();
  }

  // ------------------------------------------------------------------------------------- peers

  private List<List<PanelPlace>> places(List<Cells> visible, Rows rows) {
    boolean scoreboard = input.panel().type() == Panel.Type.SCOREBOARD;
    List<List<PanelPlace>> places = new ArrayList<>();
    boolean any = false;
    Map<Integer, Rows> peersOf = new HashMap<>();
    for (Cells one : visible) {
      boolean wanted =
          one.column().what() instanceof Column.OfMetric && (scoreboard || one.column().peers());
      if (!wanted || rows.size() > SCORES) {
        places.add(null);
        continue;
      }
      any = true;
      String key = one.key();
      UsualReads.Bounds bounds =
          key == null
              ? new UsualReads.Bounds(Cells.none(rows.size()), Cells.none(rows.size()))
              : usual.at(key, rows, input.to());
      List<PanelPlace> theirs = new ArrayList<>();
      for (int row = 0; row < rows.size(); row++) {
        int at = row;
        Rows peers = peersOf.computeIfAbsent(rows.objects()[row], id -> peers(rows, at));
        theirs.add(place(one, rows, row, peers, bounds));
      }
      places.add(theirs);
    }
    return any ? places : List.of();
  }

  /** Objects of the same kind below the nearest ancestor that has at least three of them. */
  private Rows peers(Rows rows, int row) {
    ObjectKind kind = rows.kinds()[row];
    int[] at = {rows.objects()[row]};
    int[] found = at;
    Select.Step up = new Select.Step(Select.Direction.PARENTS, List.of(), 0);
    Select.Step down = new Select.Step(Select.Direction.DESCENDANTS, List.of(kind), 0);
    for (int level = 0; level < 10 && found.length < FEWEST_PEERS; level++) {
      at = selection.reach(at, up);
      if (at.length == 0) {
        break;
      }
      found = selection.reach(at, down);
    }
    if (found.length < FEWEST_PEERS) {
      int count = selection.graph().count(kind);
      found = new int[count];
      Arrays.setAll(found, number -> selection.graph().id(kind, number));
    }
    int own = rows.objects()[row];
    int[] some =
        found.length > PEERS
            ? IntStream.concat(IntStream.of(own), Arrays.stream(found).filter(id -> id != own))
                .limit(PEERS)
                .toArray()
            : found;
    ObjectKind[] kinds = new ObjectKind[some.length];
    String[] instances = new String[some.length];
    Arrays.fill(kinds, kind);
    Arrays.fill(instances, rows.instances()[row]);
    return new Rows(some, kinds, instances);
  }

  private PanelPlace place(Cells cells, Rows rows, int row, Rows peers, UsualReads.Bounds bounds) {
    double[] all = columns.read(List.of(cells.column()), peers, Duration.ZERO).getFirst().numbers();
    double[] values = Arrays.stream(all).filter(Double::isFinite).sorted().toArray();
    double own = cells.numbers()[row];
    Integer rank = null;
    if (values.length >= FEWEST_PEERS && !Double.isNaN(own)) {
      int higher = 0;
      for (double value : values) {
        higher += value > own ? 1 : 0;
      }
      rank = higher + 1;
    }
    double[] strip = values;
    if (values.length > STRIP) {
      strip = new double[STRIP];
      for (int i = 0; i < STRIP; i++) {
        strip[i] = values[(int) ((long) i * (values.length - 1) / (STRIP - 1))];
      }
    }
    double factor = cells.factor();
    return new PanelPlace(
        rank,
        values.length,
        Arrays.stream(strip).boxed().toList(),
        finite(bounds.lower()[row] * factor),
        finite(bounds.upper()[row] * factor));
  }

  private static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  // ------------------------------------------------------------------------------ totals, groups

  private static List<Double> totals(Table all, List<Cells> visible) {
    List<Double> totals = new ArrayList<>();
    for (Cells shown : visible) {
      Column.Statistic of = shown.column().total();
      Cells cells =
          all.cells().stream()
              .filter(one -> one.column() == shown.column())
              .findFirst()
              .orElse(shown);
      double[] values =
          cells.isText()
              ? new double[0]
              : Arrays.stream(cells.numbers()).filter(Double::isFinite).toArray();
      totals.add(
          of == null || values.length == 0
              ? null
              : (Double)
                  switch (of) {
                    case SUM -> Arrays.stream(values).sum();
                    case AVG -> Arrays.stream(values).sum() / values.length;
                    case MIN -> Arrays.stream(values).min().orElseThrow();
                    case MAX -> Arrays.stream(values).max().orElseThrow();
                  });
    }
    return totals;
  }

  private void groups(
      Table shown, List<@Nullable State[]> states, Map<Integer, ObjectRef> references) {
    Question.GroupBy by = input.question().groupBy();
    if (by == null) {
      return;
    }
    record Group(List<Integer> rows, @Nullable Integer object) {}
    Map<String, Group> groups = new LinkedHashMap<>();
    for (int row = 0; row < shown.rows().size(); row++) {
      String name = "";
      Integer object = null;
      switch (by) {
        case Question.GroupBy.OfColumn of -> {
          for (Cells one : shown.cells()) {
            if (one.column().name().equals(of.column())) {
              name = Objects.requireNonNullElse(one.text(row), "");
            }
          }
        }
        case Question.GroupBy.Ancestor of -> {
          object = nearest(shown.rows().objects()[row], of.kind());
          ObjectKind kind = object == null ? null : selection.graph().kindOf(object);
          name =
              object == null || kind == null
                  ? ""
                  : selection.graph().name(kind, selection.graph().number(kind, object));
        }
      }
      String key = object == null ? name : name + "\u0000" + object;
      Integer own = object;
      groups.computeIfAbsent(key, k -> new Group(new ArrayList<>(), own)).rows().add(row);
    }
    Map<Integer, ObjectRef> ofGroups =
        objects.references(
            groups.values().stream()
                .map(Group::object)
                .filter(Objects::nonNull)
                .mapToInt(Integer::intValue)
                .toArray());
    int colour = run.colourColumn(shown);
    List<PanelGroup> shownGroups = new ArrayList<>();
    groups.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(String.CASE_INSENSITIVE_ORDER))
        .forEach(
            entry -> {
              State worst = null;
              for (int row : entry.getValue().rows()) {
                if (colour >= 0) {
                  worst = States.worse(worst, states.get(colour)[row]);
                }
              }
              int end = entry.getKey().indexOf('\u0000');
              PanelGroup group =
                  new PanelGroup(
                      end < 0 ? entry.getKey() : entry.getKey().substring(0, end),
                      entry.getValue().rows(),
                      States.shown(worst));
              ObjectRef reference =
                  entry.getValue().object() == null
                      ? null
                      : ofGroups.get(entry.getValue().object());
              if (reference != null) {
                group.setObject(reference);
              }
              shownGroups.add(group);
            });
    answer.setGroups(shownGroups);
  }

  private @Nullable Integer nearest(int object, ObjectKind kind) {
    int[] at = {object};
    Select.Step up = new Select.Step(Select.Direction.PARENTS, List.of(), 0);
    for (int level = 0; level < 10; level++) {
      at = selection.reach(at, up);
      for (int id : at) {
        if (selection.graph().number(kind, id) >= 0) {
          return id;
        }
      }
      if (at.length == 0) {
        return null;
      }
    }
    return null;
  }

  /** The heat map over time. */
  private void moments(Table shown) {
    List<Cells> visible = PanelRun.visible(shown);
    int place = run.colourColumn(shown);
    if (place < 0 || !(visible.get(place).column().what() instanceof Column.OfMetric of)) {
      return;
    }
    Cells cells = visible.get(place);
    MetricReads.Course course =
        columns
            .metrics()
            .slowCourse(
                columns.stored(of.metric()),
                shown.rows(),
                Level.micros(input.from()),
                Level.micros(input.to()),
                MOMENTS);
    double factor = PanelRun.scale(cells, course.unit());
    Bins bins = course.bins();
    List<Long> times = new ArrayList<>();
    List<Integer> over = new ArrayList<>();
    List<PanelLine> values = new ArrayList<>();
    for (int step = 0; step < bins.steps(); step++) {
      times.add(bins.time(step));
      double[] atStep = new double[shown.rows().size()];
      int beyond = 0;
      for (int row = 0; row < atStep.length; row++) {
        atStep[row] = bins.mean(row, step) * factor;
        State state =
            cells.column().colour() instanceof Colour.Bounds bounds
                ? bounds.state(atStep[row])
                : null;
        beyond += state != null && state != State.NORMAL ? 1 : 0;
      }
      over.add(beyond);
      values.add(new PanelLine(Doubles.of(atStep)));
    }
    answer.setMoments(new PanelMoments(times, over, values));
  }
}
