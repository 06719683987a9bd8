package io.peerlens.panel;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelLane;
import io.peerlens.api.model.PanelSegment;
import io.peerlens.api.model.PanelState;
import io.peerlens.dashboard.file.Column;
import io.peerlens.dashboard.file.Column.Colour;
import io.peerlens.dashboard.file.Column.State;
import io.peerlens.panel.PanelRun.Table;
import io.peerlens.store.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** Courses of states, one lane for each object. */
final class PanelTimeline {

  private static final int LANES = 50;

  private final PanelInput input;
  private final PanelAnswer answer;
  private final ColumnReads columns;
  private final PanelObjectQueries objects;
  private final PanelAlertQueries alerts;
  private final PanelRun run;

  PanelTimeline(
      PanelInput input,
      PanelAnswer answer,
      ColumnReads columns,
      PanelObjectQueries objects,
      PanelAlertQueries alerts,
      PanelRun run) {
    this.input = input;
    this.answer = answer;
    this.columns = columns;
    this.objects = objects;
    this.alerts = alerts;
    this.run = run;
  }

  void timeline() {
    Table all = run.whole();
    int limit = Math.min(input.rows(LANES), 500);
    Table shown = all.rows().size() > limit ? all.at(IntStream.range(0, limit).toArray()) : all;
    if (shown.rows().size() < all.rows().size()) {
      run.note(
          "rows-left-out", "%,d of %,d rows".formatted(shown.rows().size(), all.rows().size()));
    }
    int place = run.colourColumn(shown);
    Cells cells = PanelRun.visible(shown).get(Math.max(0, place));
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
      double factor = PanelRun.scale(cells, course.unit());
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
    answer.setColumns(run.columnsOf(List.of(cells)));
    run.objectsOf(all, shown.rows());
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
}
