package io.peerlens.panel;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.PanelAlert;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelBucket;
import io.peerlens.api.model.PanelChange;
import io.peerlens.api.model.PanelColumn;
import io.peerlens.api.model.PanelColumnType;
import io.peerlens.api.model.PanelEmpty;
import io.peerlens.api.model.PanelEmptyReason;
import io.peerlens.api.model.PanelGroup;
import io.peerlens.api.model.PanelLane;
import io.peerlens.api.model.PanelLine;
import io.peerlens.api.model.PanelMoments;
import io.peerlens.api.model.PanelNode;
import io.peerlens.api.model.PanelNote;
import io.peerlens.api.model.PanelObjects;
import io.peerlens.api.model.PanelPlace;
import io.peerlens.api.model.PanelProperty;
import io.peerlens.api.model.PanelRow;
import io.peerlens.api.model.PanelSegment;
import io.peerlens.api.model.PanelState;
import io.peerlens.api.model.Severity;
import io.peerlens.dashboard.file.Column;
import io.peerlens.dashboard.file.Column.Colour;
import io.peerlens.dashboard.file.Column.State;
import io.peerlens.dashboard.file.Column.Transform;
import io.peerlens.dashboard.file.Panel;
import io.peerlens.dashboard.file.Question;
import io.peerlens.dashboard.file.Select;
import io.peerlens.dashboard.file.Select.Condition;
import io.peerlens.dashboard.file.Select.Op;
import io.peerlens.store.Level;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.web.Doubles;
import io.peerlens.web.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One answer on its way; not thread-safe. */
final class PanelRun {

  private static final int TABLE_ROWS = 500;
  private static final int TOP_ROWS = 10;
  private static final int SCORES = 12;
  private static final int LANES = 50;
  private static final int HEAT_CELLS = 2_000;
  private static final int NODES = 500;
  private static final int ALERTS = 100;
  private static final int SPARKLINE = 60;
  private static final int MOMENTS = 96;
  private static final int PEERS = 2_000;
  private static final int STRIP = 60;
  private static final int FEWEST_PEERS = 3;
  private static final int MOST_BUCKETS = 50;

  private final PanelInput input;
  private final PanelAnswer answer;
  private final VariableTexts texts;
  private final Selection selection;
  private final ColumnReads columns;
  private final UsualReads usual;
  private final PanelData data;
  private final PanelObjectQueries objects;
  private final PanelAlertQueries alerts;
  private final List<PanelNote> notes = new ArrayList<>();

  PanelRun(
      PanelInput input,
      PanelAnswer answer,
      VariableTexts texts,
      Selection selection,
      ColumnReads columns,
      UsualReads usual,
      PanelData data) {
    this.input = input;
    this.answer = answer;
    this.texts = texts;
    this.selection = selection;
    this.columns = columns;
    this.usual = usual;
    this.data = data;
    this.objects = data.objects();
    this.alerts = data.alerts();
  }

  void run() {
    Panel panel = input.panel();
    switch (panel.type()) {
      case TABLE, SPARKLINES -> table(TABLE_ROWS, panel.type() == Panel.Type.SPARKLINES);
      case TOP -> table(TOP_ROWS, false);
      case SCOREBOARD -> table(SCORES, false);
      case HEATMAP -> table(HEAT_CELLS, false);
      case DISTRIBUTION -> distribution();
      case CHART -> new PanelChart(input, answer, selection, columns, usual, data, this).run();
      case TIMELINE -> timeline();
      case TEXT -> answer.setMarkdown(texts.show(Objects.requireNonNullElse(panel.markdown(), "")));
      case PROPERTIES -> properties();
      case ALERTS -> alertList();
      case RELATIONS -> tree();
      case CHANGES -> changes();
      case OUTLIERS, TALKERS, IMPACT, CAPACITY -> findings();
    }
    answer.setNotes(notes);
  }

  void note(String code, String text) {
    notes.add(new PanelNote(code, text));
  }

  // ----------------------------------------------------------------------------------- the table

  /** Rows that meet all conditions, in their order, and the values of all columns. */
  record Table(Rows rows, List<Cells> cells, int matched, int reporting) {

    Table at(int[] places) {
      return new Table(
          rows.at(places), cells.stream().map(one -> one.at(places)).toList(), matched, reporting);
    }
  }

  private Selected select() {
    Selected selected = selection.select(input.question(), input.panel().subject());
    if (selected.matched() > selected.size()) {
      note(
          "objects-left-out",
          "the first %,d of %,d objects".formatted(selected.size(), selected.matched()));
    }
    return selected;
  }

  /** Objects after all conditions, without values. */
  Selected selectMeeting() {
    Selected selected = select();
    List<List<Condition>> where = where();
    if (where.isEmpty()) {
      return selected;
    }
    Rows rows = Rows.of(selected);
    boolean[] meets = meets(where, rows);
    Map<ObjectKind, int[]> kept = new LinkedHashMap<>();
    for (ObjectKind kind : rows.distinctKinds()) {
      int[] ids =
          Arrays.stream(rows.ofKind(kind))
              .filter(row -> meets[row])
              .map(row -> rows.objects()[row])
              .toArray();
      if (ids.length > 0) {
        kept.put(kind, ids);
      }
    }
    int count = kept.values().stream().mapToInt(ids -> ids.length).sum();
    return new Selected(kept, count);
  }

  /** Alternatives of conditions; those of slices that are set are part of each. */
  private List<List<Condition>> where() {
    Select select = input.question().select();
    if (select == null) {
      return List.of();
    }
    List<Condition> slices = new ArrayList<>();
    for (String variable : select.slices()) {
      String text = input.variables().get(variable);
      if (text != null && !text.isEmpty()) {
        slices.addAll(Slices.read(variable, text));
      }
    }
    if (slices.isEmpty()) {
      return select.where();
    }
    if (select.where().isEmpty()) {
      return List.of(slices);
    }
    return select.where().stream()
        .map(all -> java.util.stream.Stream.concat(all.stream(), slices.stream()).toList())
        .toList();
  }

  private boolean[] meets(List<List<Condition>> where, Rows rows) {
    List<Column> wanted = new ArrayList<>();
    Map<Condition, Integer> places = new HashMap<>();
    for (List<Condition> all : where) {
      for (Condition condition : all) {
        if (places.putIfAbsent(condition, wanted.size()) == null) {
          wanted.add(
              new Column(
                  "condition" + wanted.size(),
                  null,
                  condition.what(),
                  condition.window(),
                  null,
                  null,
                  new Colour.None(),
                  null,
                  false,
                  false,
                  true));
        }
      }
    }
    List<Cells> cells = columns.read(wanted, rows, Duration.ZERO);
    Map<Condition, Object> values = new HashMap<>();
    places
        .keySet()
        .forEach(
            condition -> {
              Object value = condition.value();
              if (value != null) {
                values.put(condition, value instanceof String text ? texts.put(text) : value);
              }
            });
    boolean[] meets = new boolean[rows.size()];
    int met = 0;
    for (int row = 0; row < meets.length; row++) {
      int at = row;
      meets[row] =
          where.stream()
              .anyMatch(
                  all ->
                      all.stream()
                          .allMatch(
                              condition ->
                                  Conditions.holds(
                                      condition.op(),
                                      cells.get(Objects.requireNonNull(places.get(condition))),
                                      at,
                                      values.get(condition))));
      met += meets[row] ? 1 : 0;
    }
    if (met == 0) {
      List<Condition> last = where.getLast();
      String words =
          String.join(
              " and ",
              last.stream()
                  .map(condition -> Conditions.words(condition, values.get(condition)))
                  .toList());
      throw Selection.noMatch("Of %,d objects none has %s.".formatted(rows.size(), words), words);
    }
    return meets;
  }

  /** Rows and columns of the question, sorted. */
  private Table whole() {
    Selected selected = selectMeeting();
    Rows rows = Rows.of(selected);
    List<Column.Metric> each = new ArrayList<>();
    for (Column column : input.question().columns()) {
      if (column.what() instanceof Column.OfMetric of
          && of.metric().instance() instanceof Column.Instance.Each) {
        each.add(columns.stored(of.metric()));
      }
    }
    if (!each.isEmpty()) {
      Rows instances = columns.metrics().instances(rows, each);
      if (instances.size() == 0) {
        throw neverReported(each.getFirst(), rows);
      }
      if (instances.size() > Selection.MOST) {
        note(
            "rows-left-out",
            "the first %,d of %,d instances".formatted(Selection.MOST, instances.size()));
        instances = instances.at(IntStream.range(0, Selection.MOST).toArray());
      }
      rows = instances;
    }
    List<Cells> cells = columns.read(input.question().columns(), rows, Duration.ZERO);
    Table table = new Table(rows, cells, selected.matched(), reporting(cells, rows));
    explainIfEmpty(table);
    for (Cells one : cells) {
      if (one.column().what() instanceof Column.OfMetric of
          && of.transform() instanceof Transform.Outside
          && notes.stream().noneMatch(note -> note.getCode().equals("usual-unknown"))) {
        long known = IntStream.range(0, rows.size()).filter(one::has).count();
        if (known < rows.size()) {
          note(
              "usual-unknown",
              "what is usual is learned of %,d of %,d so far".formatted(known, rows.size()));
        }
      }
    }
    return table.at(order(table));
  }

  /** How many objects have at least one value of a metric; all, if no column is one. */
  private static int reporting(List<Cells> cells, Rows rows) {
    List<Cells> metrics =
        cells.stream().filter(one -> one.column().what() instanceof Column.OfMetric).toList();
    Set<Integer> reporting = new HashSet<>();
    for (int row = 0; row < rows.size(); row++) {
      int at = row;
      if (metrics.isEmpty() || metrics.stream().anyMatch(one -> one.has(at))) {
        reporting.add(rows.objects()[row]);
      }
    }
    return reporting.size();
  }

  private void explainIfEmpty(Table table) {
    if (table.reporting() > 0) {
      return;
    }
    for (Cells one : table.cells()) {
      if (one.column().what() instanceof Column.OfMetric of && !one.column().hidden()) {
        throw neverReported(columns.stored(of.metric()), table.rows());
      }
    }
  }

  /** Why no row has a value of a metric. */
  EmptyPanel neverReported(Column.Metric metric, Rows rows) {
    int[] ids = Arrays.stream(rows.objects()).distinct().toArray();
    ObjectKind kind = rows.kinds()[0];
    for (String key : metric.any()) {
      boolean known =
          rows.distinctKinds().stream().anyMatch(one -> columns.isKnown(one, key, rows));
      if (known) {
        Instant last = objects.lastSeen(ids);
        String source = KeySources.ofKey(kind, key);
        PanelEmpty empty =
            new PanelEmpty(
                    PanelEmptyReason.STOPPED,
                    "No values in this time",
                    "%s was reported before, but by none of %,d %s in this time."
                        .formatted(shown(key), ids.length, kind.objectKind() + " objects"))
                .key(key);
        if (last != null) {
          empty.setLastSeen(last.toEpochMilli());
        }
        if (source != null) {
          empty.setSource(source);
        }
        return new EmptyPanel(empty, ids.length);
      }
    }
    String key = metric.any().getFirst();
    UUID superMetric = Keys.superMetric(key);
    if (superMetric != null) {
      String name = data.superMetricName(superMetric).orElse(null);
      if (name != null && !data.isOn(superMetric, kind, selection.graph())) {
        return new EmptyPanel(
            new PanelEmpty(
                    PanelEmptyReason.NOT_ENABLED,
                    "The super metric is not enabled",
                    "\"%s\" is not computed for %s objects.".formatted(name, kind.objectKind()))
                .superMetric(superMetric)
                .key(key),
            ids.length);
      }
      return new EmptyPanel(
          new PanelEmpty(
                  PanelEmptyReason.NEVER_REPORTED,
                  "Nothing here has sent this yet",
                  name == null
                      ? "There is no super metric of this id or name: %s.".formatted(key)
                      : "\"%s\" has no result for any of %,d %s yet."
                          .formatted(name, ids.length, kind.objectKind() + " objects"))
              .key(key),
          ids.length);
    }
    String source = KeySources.ofKey(kind, key);
    PanelEmpty empty =
        new PanelEmpty(
                PanelEmptyReason.NEVER_REPORTED,
                "Nothing here has sent this yet",
                "%s was never reported by any of %,d %s objects.%s"
                    .formatted(
                        key,
                        ids.length,
                        kind.objectKind(),
                        source == null
                            ? ""
                            : " It would come from " + KeySources.words(source) + "."))
            .key(key);
    if (source != null) {
      empty.setSource(source);
    }
    return new EmptyPanel(empty, ids.length);
  }

  private String shown(String key) {
    UUID id = Keys.superMetric(key);
    return id == null ? key : data.superMetricName(id).map(name -> "\"" + name + "\"").orElse(key);
  }

  /** Order of the rows: by the columns that are asked for, then by name. */
  private int[] order(Table table) {
    List<Question.Sort> sorts = input.order();
    if (sorts.isEmpty()
        && input.panel().type() == Panel.Type.TOP
        && !input.question().columns().isEmpty()) {
      String ranked =
          table.cells().stream()
              .filter(one -> !one.isText() && !one.column().hidden())
              .map(one -> one.column().name())
              .findFirst()
              .orElse(input.question().columns().getFirst().name());
      sorts = List.of(new Question.Sort(ranked, true));
    }
    Comparator<Integer> order = null;
    for (Question.Sort sort : sorts) {
      Cells cells =
          table.cells().stream()
              .filter(one -> one.column().name().equals(sort.column()))
              .findFirst()
              .orElse(null);
      if (cells == null) {
        continue;
      }
      Comparator<Integer> values =
          cells.isText()
              ? Comparator.comparing(
                  row -> Objects.requireNonNullElse(cells.text(row), ""),
                  String.CASE_INSENSITIVE_ORDER)
              : Comparator.comparingDouble(row -> cells.numbers()[row]);
      if (sort.descending()) {
        values = values.reversed();
      }
      Comparator<Integer> missingLast =
          Comparator.comparing((Integer row) -> !cells.has(row)).thenComparing(values);
      order = order == null ? missingLast : order.thenComparing(missingLast);
    }
    String[] names = new String[table.rows().size()];
    Arrays.setAll(names, row -> name(table.rows(), row));
    Comparator<Integer> byName =
        Comparator.comparing((Integer row) -> names[row], String.CASE_INSENSITIVE_ORDER)
            .thenComparing(row -> table.rows().instances()[row]);
    return IntStream.range(0, table.rows().size())
        .boxed()
        .sorted(order == null ? byName : order.thenComparing(byName))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  String name(Rows rows, int row) {
    ObjectKind kind = rows.kinds()[row];
    int number = selection.graph().number(kind, rows.objects()[row]);
    return number < 0 ? "" : selection.graph().name(kind, number);
  }

  private void table(int usualRows, boolean sparklines) {
    Table all = whole();
    int limit = Math.min(input.rows(usualRows), Selection.MOST);
    boolean top = input.panel().type() == Panel.Type.TOP;
    Table whole = top ? withValues(all) : all;
    Table shown =
        whole.rows().size() > limit ? whole.at(IntStream.range(0, limit).toArray()) : whole;
    if (shown.rows().size() < whole.rows().size()) {
      note("rows-left-out", "%,d of %,d rows".formatted(shown.rows().size(), whole.rows().size()));
    }
    List<Cells> visible = visible(shown);
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
    answer.setColumns(columnsOf(visible));
    answer.setRows(rows);
    if (visible.stream().anyMatch(one -> one.column().total() != null)) {
      answer.setTotals(totals(all, visible));
    }
    groups(shown, states, references);
    if (input.panel().type() == Panel.Type.HEATMAP && input.panel().slider()) {
      moments(shown);
    }
    objectsOf(all, shown.rows());
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

  private static List<Cells> visible(Table table) {
    return table.cells().stream().filter(one -> !one.column().hidden()).toList();
  }

  private void objectsOf(Table all, Rows shown) {
    int distinct = (int) Arrays.stream(shown.objects()).distinct().count();
    answer.setObjects(new PanelObjects(all.matched(), distinct, all.reporting()));
    int candidates = (int) Arrays.stream(all.rows().objects()).distinct().count();
    if (all.reporting() < candidates) {
      note("not-all-report", "%,d of %,d report".formatted(all.reporting(), candidates));
    }
  }

  private static @Nullable Double finite(Cells cells, int row) {
    double number = cells.isText() || cells.isTime() ? Double.NaN : cells.numbers()[row];
    return Double.isFinite(number) ? number : null;
  }

  List<PanelColumn> columnsOf(List<Cells> cells) {
    List<PanelColumn> shown = new ArrayList<>();
    for (Cells one : cells) {
      Column column = one.column();
      PanelColumn of =
          new PanelColumn(
              column.name(),
              title(column, one.key()),
              one.isText()
                  ? PanelColumnType.TEXT
                  : one.isTime() ? PanelColumnType.TIME : PanelColumnType.NUMBER,
              one.unit(),
              window(column));
      if (one.key() != null) {
        of.setKey(one.key());
      }
      if (column.decimals() != null) {
        of.setDecimals(column.decimals());
      }
      if (column.colour() instanceof Colour.Bounds bounds) {
        of.setBounds(
            Doubles.of(new double[] {bounds.warning(), bounds.immediate(), bounds.critical()}));
      }
      if (one.origin() != null) {
        of.setPercentileFrom(one.origin().name().toLowerCase(Locale.ROOT));
        String from =
            switch (one.origin()) {
              case RAW -> null;
              case SKETCH -> "percentile within 1 % of the value";
              case MEANS -> "percentile from means";
            };
        if (from != null
            && notes.stream().noneMatch(note -> note.getCode().equals("percentile-from"))) {
          note("percentile-from", from);
        }
      }
      shown.add(of);
    }
    return shown;
  }

  private String title(Column column, @Nullable String key) {
    if (column.title() != null) {
      return texts.show(column.title());
    }
    return switch (column.what()) {
      case Column.OfMetric of -> shown(key == null ? of.metric().any().getFirst() : key);
      case Column.Property property -> property.key();
      case Column.Tag tag -> tag.key();
      case Column.Attribute attribute ->
          switch (attribute) {
            case NAME -> "Name";
            case KIND -> "Kind";
            case HEALTH -> "Health";
            case ALERTS -> "Alerts";
            case FIRST_SEEN -> "First seen";
            case LAST_SEEN -> "Last seen";
          };
      default -> column.name();
    };
  }

  private @Nullable String window(Column column) {
    if (!(column.what() instanceof Column.OfMetric of)) {
      return column.what() instanceof Column.Computed ? null : "now";
    }
    return of.transform() == Transform.Plain.CURRENT
        ? "now"
        : words(Duration.between(columns.start(column), input.to()));
  }

  /** A day is 24 hours, as ranges of time are called. */
  static String words(Duration duration) {
    return duration.equals(Duration.ofDays(1)) ? "24h" : Durations.print(duration);
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
        double factor = scale(one, course.unit());
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

  /** By how much values of a metric are multiplied to be in the unit of a column. */
  static double scale(Cells cells, @Nullable String unit) {
    double factor = UnitScale.factor(unit, cells.unit());
    return Double.isNaN(factor) ? 1 : factor;
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
    int colour = colourColumn(shown);
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

  /** Position of the column that gives the colour among the visible ones; -1 = none does. */
  private int colourColumn(Table table) {
    List<Cells> visible = visible(table);
    String by = input.question().colourBy();
    for (int c = 0; c < visible.size(); c++) {
      Column column = visible.get(c).column();
      if (by == null ? !(column.colour() instanceof Colour.None) : column.name().equals(by)) {
        return c;
      }
    }
    return visible.isEmpty() ? -1 : 0;
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
    List<Cells> visible = visible(shown);
    int place = colourColumn(shown);
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
    double factor = scale(cells, course.unit());
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

  // -------------------------------------------------------------------------------- distribution

  private void distribution() {
    Table all = whole();
    Question question = input.question();
    Question.Buckets buckets = question.buckets();
    List<Cells> visible = visible(all);
    Cells cells =
        all.cells().stream()
            .filter(
                one ->
                    buckets == null
                        ? one == visible.getFirst()
                        : one.column().name().equals(buckets.of()))
            .findFirst()
            .orElse(visible.getFirst());
    Question.Buckets.By by =
        buckets != null
            ? buckets.by()
            : cells.isText() ? Question.Buckets.By.VALUES : Question.Buckets.By.EQUAL;
    List<PanelBucket> found =
        cells.isText() || by == Question.Buckets.By.VALUES
            ? valueBuckets(cells, all.rows())
            : boundBuckets(cells, bounds(cells, by, buckets));
    answer.setBuckets(found);
    answer.setColumns(columnsOf(List.of(cells)));
    objectsOf(all, all.rows());
  }

  private List<PanelBucket> valueBuckets(Cells cells, Rows rows) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    Map<String, Integer> firstRow = new HashMap<>();
    for (int row = 0; row < rows.size(); row++) {
      String text = Objects.requireNonNullElse(cells.text(row), "");
      counts.merge(text, 1, Integer::sum);
      firstRow.putIfAbsent(text, row);
    }
    @Nullable State[] states = States.of(cells, rows, Map.of(), null);
    List<Map.Entry<String, Integer>> sorted = new ArrayList<>(counts.entrySet());
    sorted.sort(
        Map.Entry.<String, Integer>comparingByValue()
            .reversed()
            .thenComparing(Map.Entry.comparingByKey()));
    List<PanelBucket> buckets = new ArrayList<>();
    int others = 0;
    for (Map.Entry<String, Integer> one : sorted) {
      if (buckets.size() >= MOST_BUCKETS) {
        others += one.getValue();
        continue;
      }
      buckets.add(
          new PanelBucket(
              one.getKey().isEmpty() ? "not known" : one.getKey(),
              one.getValue(),
              States.shown(states[Objects.requireNonNull(firstRow.get(one.getKey()))]),
              one.getKey().isEmpty()
                  ? slice(cells, Op.NOT_EXISTS, null)
                  : slice(cells, Op.EQUAL, one.getKey())));
    }
    if (others > 0) {
      note(
          "rows-left-out",
          "%,d rows have one of %,d rarer values"
              .formatted(others, sorted.size() - buckets.size()));
    }
    return buckets;
  }

  private static double[] bounds(
      Cells cells, Question.Buckets.By by, Question.@Nullable Buckets buckets) {
    double[] values = Arrays.stream(cells.numbers()).filter(Double::isFinite).sorted().toArray();
    if (by == Question.Buckets.By.BOUNDS && buckets != null) {
      return buckets.bounds().stream().mapToDouble(Double::doubleValue).toArray();
    }
    if (values.length == 0 || values[0] == values[values.length - 1]) {
      return new double[0];
    }
    int count = buckets == null ? 10 : buckets.count();
    double least = values[0];
    double width = (values[values.length - 1] - least) / count;
    double[] bounds = new double[count - 1];
    Arrays.setAll(bounds, i -> least + width * (i + 1));
    return bounds;
  }

  private List<PanelBucket> boundBuckets(Cells cells, double[] bounds) {
    int[] counts = new int[bounds.length + 1];
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    int missing = 0;
    for (double value : cells.numbers()) {
      if (!Double.isFinite(value)) {
        missing++;
        continue;
      }
      int at = Arrays.binarySearch(bounds, value);
      counts[at >= 0 ? at + 1 : -at - 1]++;
      least = Math.min(least, value);
      greatest = Math.max(greatest, value);
    }
    List<PanelBucket> buckets = new ArrayList<>();
    for (int b = 0; b < counts.length; b++) {
      double from = b == 0 ? least : bounds[b - 1];
      double to = b == bounds.length ? greatest : bounds[b];
      State state =
          cells.column().colour() instanceof Colour.Bounds colours && Double.isFinite(from)
              ? colours.state(colours.above() ? from : to)
              : null;
      String label =
          counts.length == 1
              ? number(from)
              : b == 0
                  ? "below " + number(bounds[0])
                  : b == bounds.length
                      ? number(bounds[b - 1]) + " and more"
                      : number(from) + " to " + number(to);
      PanelBucket bucket =
          new PanelBucket(
              label,
              counts[b],
              States.shown(state),
              b == 0 && counts.length > 1
                  ? slice(cells, Op.LESS, bounds[0])
                  : b == bounds.length
                      ? slice(cells, Op.GREATER_OR_EQUAL, from)
                      : slice(cells, Op.GREATER_OR_EQUAL, from, Op.LESS, to));
      if (Double.isFinite(from) && b > 0) {
        bucket.setLeast(from);
      }
      if (Double.isFinite(to) && b < bounds.length) {
        bucket.setBeyond(to);
      }
      buckets.add(bucket);
    }
    if (missing > 0) {
      note("not-all-report", "%,d rows have no value".formatted(missing));
    }
    return buckets;
  }

  /** Empty = conditions cannot say what the column shows. Values are in the metric's own unit. */
  private static String slice(Cells cells, @Nullable Object... pairs) {
    if (!Slices.canBeWritten(cells.column())) {
      return "";
    }
    for (int i = 1; i < pairs.length; i += 2) {
      if (pairs[i] instanceof Double number) {
        pairs[i] = number / cells.factor();
      }
    }
    return Slices.write(cells.column(), pairs);
  }

  private static String number(double value) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    return new java.math.BigDecimal(value)
        .round(new java.math.MathContext(4))
        .stripTrailingZeros()
        .toPlainString();
  }

  // ------------------------------------------------------------------------------------ timeline

  private void timeline() {
    Table all = whole();
    int limit = Math.min(input.rows(LANES), 500);
    Table shown = all.rows().size() > limit ? all.at(IntStream.range(0, limit).toArray()) : all;
    if (shown.rows().size() < all.rows().size()) {
      note("rows-left-out", "%,d of %,d rows".formatted(shown.rows().size(), all.rows().size()));
    }
    int place = colourColumn(shown);
    Cells cells = visible(shown).get(Math.max(0, place));
    Map<Integer, ObjectRef> references = objects.references(shown.rows().objects());
    List<PanelLane> lanes = new ArrayList<>();
    if (cells.column().what() instanceof Column.OfMetric of) {
      MetricReads.Course course =
          columns
              .metrics()
              .slowCourse(
                  columns.stored(of.metric()),
                  shown.rows(),
                  Level.micros(input.start()),
                  Level.micros(input.to()),
                  Math.min(input.points(), 500));
      double factor = scale(cells, course.unit());
      for (int row = 0; row < shown.rows().size(); row++) {
        ObjectRef reference = references.get(shown.rows().objects()[row]);
        if (reference != null) {
          lanes.add(new PanelLane(reference, segments(course.bins(), row, factor, cells.column())));
        }
      }
    } else {
      Map<Integer, List<PanelAlertQueries.Stretch>> stretches = new HashMap<>();
      alerts
          .during(shown.rows().objects(), input.start(), input.to())
          .forEach(
              one -> stretches.computeIfAbsent(one.object(), id -> new ArrayList<>()).add(one));
      for (int id : shown.rows().objects()) {
        ObjectRef reference = references.get(id);
        if (reference != null) {
          lanes.add(new PanelLane(reference, states(stretches.getOrDefault(id, List.of()))));
        }
      }
    }
    answer.setLanes(lanes);
    answer.setColumns(columnsOf(List.of(cells)));
    objectsOf(all, shown.rows());
  }

  private static List<PanelSegment> segments(Bins bins, int row, double factor, Column column) {
    List<PanelSegment> segments = new ArrayList<>();
    PanelSegment last = null;
    for (int step = 0; step < bins.steps(); step++) {
      double value = bins.mean(row, step) * factor;
      if (Double.isNaN(value)) {
        continue;
      }
      State state = column.colour() instanceof Colour.Bounds bounds ? bounds.state(value) : null;
      PanelState shown = States.shown(state);
      long to = bins.time(step) + bins.stepMillis();
      boolean joins = last != null && bins.time(step) - last.getTo() <= 2 * bins.stepMillis();
      if (last != null && joins && state != null && Objects.equals(last.getState(), shown)) {
        last.setTo(to);
        boolean above = !(column.colour() instanceof Colour.Bounds bounds) || bounds.above();
        double known = Objects.requireNonNull(last.getValue());
        last.setValue(above ? Math.max(known, value) : Math.min(known, value));
      } else {
        last = new PanelSegment(bins.time(step), to, shown, value);
        segments.add(last);
      }
    }
    return segments;
  }

  /** Worst open alert at each time. */
  private List<PanelSegment> states(List<PanelAlertQueries.Stretch> stretches) {
    long from = input.start().toEpochMilli();
    long to = input.to().toEpochMilli();
    java.util.TreeSet<Long> edges = new java.util.TreeSet<>(List.of(from, to));
    for (PanelAlertQueries.Stretch one : stretches) {
      edges.add(Math.clamp(one.from().toEpochMilli(), from, to));
      Instant end = one.to();
      edges.add(end == null ? to : Math.clamp(end.toEpochMilli(), from, to));
    }
    List<PanelSegment> segments = new ArrayList<>();
    Long begin = null;
    for (Long edge : edges) {
      if (begin != null && begin < edge) {
        State worst = State.NORMAL;
        for (PanelAlertQueries.Stretch one : stretches) {
          Instant end = one.to();
          if (one.from().toEpochMilli() <= begin && (end == null || end.toEpochMilli() > begin)) {
            worst = Objects.requireNonNull(States.worse(worst, one.state()));
          }
        }
        PanelState shown = States.shown(worst);
        if (!segments.isEmpty() && Objects.equals(segments.getLast().getState(), shown)) {
          segments.getLast().setTo(edge);
        } else {
          segments.add(new PanelSegment(begin, edge, shown, null));
        }
      }
      begin = edge;
    }
    return segments;
  }

  // ---------------------------------------------------------------------- one object, its alerts

  private int subject() {
    return selection.subject(Objects.requireNonNull(input.panel().subject()));
  }

  private void properties() {
    int id = subject();
    List<Glob> patterns =
        input.panel().properties().stream().map(one -> new Glob(texts.put(one))).toList();
    List<PanelObjectQueries.Property> known = objects.properties(id, input.to());
    List<PanelProperty> shown = new ArrayList<>();
    if (patterns.isEmpty()) {
      known.forEach(one -> shown.add(shown(one)));
    } else {
      Set<String> seen = new HashSet<>();
      for (Glob pattern : patterns) {
        for (PanelObjectQueries.Property one : known) {
          if (pattern.matches(one.key()) && seen.add(one.key())) {
            shown.add(shown(one));
          }
        }
      }
    }
    ObjectKind kind = selection.graph().kindOf(id);
    if (shown.isEmpty()) {
      String key = patterns.isEmpty() ? null : texts.put(input.panel().properties().getFirst());
      String source = kind == null ? null : KeySources.ofKind(kind);
      PanelEmpty empty =
          new PanelEmpty(
              PanelEmptyReason.NEVER_REPORTED,
              "Nothing here has sent this yet",
              key == null
                  ? "The object has no properties."
                  : "The object has no property %s.".formatted(key));
      if (key != null) {
        empty.setKey(key);
      }
      if (source != null) {
        empty.setSource(source);
      }
      throw new EmptyPanel(empty, 1);
    }
    answer.setProperties(shown);
    answer.setObjects(new PanelObjects(1, 1, 1));
  }

  private static PanelProperty shown(PanelObjectQueries.Property property) {
    Instant changed = property.changedAt();
    return new PanelProperty(
        property.key(), property.value(), changed == null ? null : changed.toEpochMilli());
  }

  private void alertList() {
    boolean all =
        input.question().kinds().isEmpty()
            && input.question().select() == null
            && input.panel().subject() == null;
    int[] ids = null;
    int matched = selection.graph().size();
    if (!all) {
      Selected selected = selectMeeting();
      ids = selected.ids();
      if (input.panel().subject() != null && input.question().kinds().isEmpty()) {
        // Of an object: its own alerts and those below it.
        int[] below =
            selection.reach(ids, new Select.Step(Select.Direction.DESCENDANTS, List.of(), 0));
        ids = IntStream.concat(Arrays.stream(ids), Arrays.stream(below)).distinct().toArray();
      }
      matched = ids.length;
    }
    int severity =
        switch (Objects.requireNonNullElse(input.panel().severity(), "info")) {
          case "critical" -> 4;
          case "immediate" -> 3;
          case "warning" -> 2;
          default -> 1;
        };
    int limit = Math.min(input.rows(ALERTS), 1000);
    List<PanelAlertQueries.Listed> found =
        alerts.list(ids, severity, input.to(), input.asOf(), limit);
    Map<Integer, ObjectRef> references =
        objects.references(found.stream().mapToInt(PanelAlertQueries.Listed::object).toArray());
    List<PanelAlert> shown = new ArrayList<>();
    for (PanelAlertQueries.Listed one : found) {
      ObjectRef reference = references.get(one.object());
      if (reference != null) {
        shown.add(
            new PanelAlert(
                one.id(),
                one.number(),
                one.name(),
                reference,
                Severity.values()[one.severity() - 1],
                one.openedAt().toEpochMilli(),
                one.owner()));
      }
    }
    if (!found.isEmpty() && found.getFirst().total() > found.size()) {
      note("rows-left-out", "%,d of %,d alerts".formatted(found.size(), found.getFirst().total()));
    }
    answer.setAlerts(shown);
    answer.setObjects(new PanelObjects(matched, references.size(), matched));
  }

  private void tree() {
    int id = subject();
    int up = Objects.requireNonNullElse(input.panel().up(), 2);
    int down = Objects.requireNonNullElse(input.panel().down(), 2);
    record Node(int object, @Nullable Integer parent, int level, int[] more) {}
    List<Node> nodes = new ArrayList<>();
    nodes.add(new Node(id, null, 0, new int[1]));
    for (int direction : new int[] {-1, 1}) {
      Set<Integer> seen = new HashSet<>(Set.of(id));
      ArrayDeque<Integer> open = new ArrayDeque<>(List.of(0));
      while (!open.isEmpty()) {
        int place = open.remove();
        Node node = nodes.get(place);
        if (Math.abs(node.level()) >= (direction < 0 ? up : down)) {
          continue;
        }
        int[] near =
            direction < 0
                ? selection.graph().parents(node.object(), 10_000)
                : selection.graph().children(node.object(), 10_000);
        for (int one : near) {
          if (nodes.size() >= NODES) {
            node.more()[0]++;
          } else if (seen.add(one)) {
            open.add(nodes.size());
            nodes.add(new Node(one, place, node.level() + direction, new int[1]));
          }
        }
      }
    }
    int[] ids = nodes.stream().mapToInt(Node::object).toArray();
    Map<Integer, ObjectRef> references = objects.references(ids);
    Map<Integer, PanelAlertQueries.Open> open = alerts.worst(ids, input.to(), input.asOf());
    List<PanelNode> shown = new ArrayList<>();
    for (Node node : nodes) {
      PanelAlertQueries.Open alert = open.get(node.object());
      shown.add(
          new PanelNode(
              references.getOrDefault(
                  node.object(), new ObjectRef(new UUID(0, 0), "", "", "removed")),
              node.parent(),
              node.level(),
              States.shown(alert == null ? State.NORMAL : alert.worst()),
              node.more()[0]));
    }
    if (nodes.size() >= NODES) {
      note("objects-left-out", "the first %,d objects".formatted(NODES));
    }
    answer.setTree(shown);
    answer.setObjects(new PanelObjects(nodes.size(), nodes.size(), nodes.size()));
  }

  private void changes() {
    Selected selected = selectMeeting();
    answer.setChanges(
        changesOf(selected.ids(), input.start(), input.to(), Math.min(input.rows(100), 500)));
    answer.setObjects(new PanelObjects(selected.matched(), selected.size(), selected.size()));
  }

  /** Changes of objects, oldest first. */
  List<PanelChange> changesOf(int[] ids, Instant from, Instant to, int limit) {
    List<PanelObjectQueries.Changed> found = objects.changes(ids, from, to, limit);
    Map<Integer, ObjectRef> references =
        objects.references(
            found.stream().mapToInt(PanelObjectQueries.Changed::object).distinct().toArray());
    List<PanelChange> changes = new ArrayList<>();
    for (PanelObjectQueries.Changed one : found.reversed()) {
      ObjectRef reference = references.get(one.object());
      if (reference != null) {
        changes.add(new PanelChange(one.at().toEpochMilli(), reference, words(one)));
      }
    }
    return changes;
  }

  private static String words(PanelObjectQueries.Changed one) {
    String now = one.now() == null ? "nothing" : one.now();
    return switch (one.kind()) {
      case "new" -> "new";
      case "removed" -> "removed";
      case "recorded" -> one.key() == null ? now : one.now() == null ? one.key() : now;
      case "placement" ->
          one.before() == null
              ? "moved to " + now
              : "moved from %s to %s".formatted(one.before(), now);
      case "name" -> "was %s".formatted(one.before());
      default ->
          "%s from %s to %s"
              .formatted(one.key(), one.before() == null ? "nothing" : one.before(), now);
    };
  }

  /** Of an example only the objects that they are about are known. */
  private void findings() {
    Findings findings = data.findings();
    if (findings == null) {
      Selected selected = selectMeeting();
      answer.setObjects(new PanelObjects(selected.matched(), selected.size(), selected.size()));
    } else {
      new PanelFindings(input, answer, selection, objects, findings, this).run();
    }
  }
}
