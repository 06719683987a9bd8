package io.peerlens.panel;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelChange;
import io.peerlens.api.model.PanelColumn;
import io.peerlens.api.model.PanelColumnType;
import io.peerlens.api.model.PanelEmpty;
import io.peerlens.api.model.PanelEmptyReason;
import io.peerlens.api.model.PanelNote;
import io.peerlens.api.model.PanelObjects;
import io.peerlens.api.model.PanelRulePart;
import io.peerlens.dashboard.file.Column;
import io.peerlens.dashboard.file.Column.Colour;
import io.peerlens.dashboard.file.Column.Transform;
import io.peerlens.dashboard.file.Panel;
import io.peerlens.dashboard.file.Question;
import io.peerlens.dashboard.file.Select;
import io.peerlens.dashboard.file.Select.Condition;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.web.Doubles;
import io.peerlens.web.Durations;
import java.time.Duration;
import java.time.Instant;
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
      case TABLE, SPARKLINES, TOP, SCOREBOARD, HEATMAP ->
          new PanelTable(input, answer, selection, columns, usual, objects, this).table();
      case DISTRIBUTION -> new PanelDistribution(input, answer, this).distribution();
      case CHART -> new PanelChart(input, answer, selection, columns, usual, data, this).run();
      case TIMELINE -> new PanelTimeline(input, answer, columns, objects, alerts, this).timeline();
      case TEXT -> answer.setMarkdown(texts.show(Objects.requireNonNullElse(panel.markdown(), "")));
      case PROPERTIES -> details().properties();
      case ALERTS -> details().alertList();
      case RELATIONS -> details().tree();
      case CHANGES -> changes();
      case OUTLIERS, TALKERS, IMPACT, CAPACITY -> findings();
    }
    answer.setNotes(notes);
  }

  private PanelDetails details() {
    return new PanelDetails(input, answer, texts, selection, objects, alerts, this);
  }

  void note(String code, String text) {
    notes.add(new PanelNote(code, text));
  }

  // --------------------------------------------------------------------------- objects and values

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
              Column.hidden("condition" + wanted.size(), condition.what(), condition.window()));
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
      throw Selection.noMatch(
          "Of %,d objects none has %s.".formatted(rows.size(), words), PanelRulePart.WHERE, words);
    }
    return meets;
  }

  /** Rows and columns of the question, sorted. */
  Table whole() {
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

  static List<Cells> visible(Table table) {
    return table.cells().stream().filter(one -> !one.column().hidden()).toList();
  }

  void objectsOf(Table all, Rows shown) {
    int distinct = (int) Arrays.stream(shown.objects()).distinct().count();
    answer.setObjects(new PanelObjects(all.matched(), distinct, all.reporting()));
    int candidates = (int) Arrays.stream(all.rows().objects()).distinct().count();
    if (all.reporting() < candidates) {
      note("not-all-report", "%,d of %,d report".formatted(all.reporting(), candidates));
    }
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

  /** By how much values of a metric are multiplied to be in the unit of a column. */
  static double scale(Cells cells, @Nullable String unit) {
    double factor = UnitScale.factor(unit, cells.unit());
    return Double.isNaN(factor) ? 1 : factor;
  }

  /** Position of the column that gives the colour among the visible ones; -1 = none does. */
  int colourColumn(Table table) {
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

  // --------------------------------------------------------------------- the subject, its changes

  int subject() {
    return selection.subject(Objects.requireNonNull(input.panel().subject()));
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
