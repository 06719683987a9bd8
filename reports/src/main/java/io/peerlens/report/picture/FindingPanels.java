package io.peerlens.report.picture;

import io.peerlens.api.model.Change;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelCapacity;
import io.peerlens.api.model.PanelChange;
import io.peerlens.api.model.PanelImpact;
import io.peerlens.api.model.PanelIndex;
import io.peerlens.api.model.PanelOutliers;
import io.peerlens.api.model.PanelSeries;
import io.peerlens.api.model.TopTalkers;
import io.peerlens.report.picture.PanelPicture.Strip;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Panels of what Peerlens finds out by itself: its tables, and what stands around them. */
final class FindingPanels {

  private final Sheet sheet;
  private final PanelValues values;
  private final FindingTables tables;

  FindingPanels(Sheet sheet, PanelValues values) {
    this.sheet = sheet;
    this.values = values;
    this.tables = new FindingTables(values);
  }

  private void below(Table table) {
    new Grid(table, sheet).drawBelow();
  }

  void outliers(PanelAnswer answer) {
    PanelOutliers outliers = Objects.requireNonNull(answer.getOutliers());
    if (outliers.getEvents().isEmpty()) {
      sheet.remark("Nothing was unlike its peers in this time.");
    } else {
      below(tables.outliers(outliers.getEvents()));
    }
    if (!outliers.getGroups().isEmpty()) {
      sheet.add(new Strip(Sheet.PAD, List.of()));
      sheet.title("Groups of peers now", Sheet.SIZE, true, Ink.INK);
      below(tables.groups(outliers.getGroups()));
    }
  }

  void talkers(PanelAnswer answer) {
    TopTalkers talkers = Objects.requireNonNull(answer.getTalkers());
    if (talkers.getItems().isEmpty()) {
      String hint = talkers.getHint();
      sheet.remark(hint == null ? "There are no flows in this time." : hint);
      return;
    }
    sheet.caption(
        "%s %s, from %s to %s"
            .formatted(
                talkers.getMeasure().getValue(),
                switch (talkers.getDirection()) {
                  case SENT -> "sent";
                  case RECEIVED -> "received";
                  case BOTH -> "sent and received";
                },
                values.time(talkers.getFrom()),
                values.time(talkers.getTo())));
    below(tables.talkers(talkers));
  }

  void impact(PanelAnswer answer) {
    PanelImpact impact = Objects.requireNonNull(answer.getImpact());
    List<Change> marked = FindingTables.marked(impact);
    PanelIndex index = impact.getIndex();
    if (index != null) {
      new ChartStrip(chart(answer, index, marked), sheet.width(), values, sheet.widths(), false)
          .strips()
          .forEach(sheet::add);
      sheet.caption(
          "50 = as from %s to %s, 100 = twice as good or better, 0 = twice as bad or worse; each value is of %s. Dashed lines are changes, with their numbers below."
              .formatted(
                  values.time(index.getBaseFrom()),
                  values.time(index.getBaseTo()),
                  days(index.getStepMillis())));
    }
    if (impact.getChanges().isEmpty()) {
      sheet.remark("Nothing changed in this time.");
    } else {
      below(tables.changes(impact.getChanges(), index == null ? List.of() : marked));
    }
  }

  /** The performance index over the time of an answer, with its changes. */
  private static PanelAnswer chart(PanelAnswer answer, PanelIndex index, List<Change> marked) {
    PanelAnswer chart =
        new PanelAnswer(
            "chart",
            answer.getFrom(),
            answer.getTo(),
            null,
            null,
            0L,
            null,
            answer.getObjects(),
            List.of());
    chart.setTimes(index.getTimes());
    chart.setSeries(
        List.of(
            new PanelSeries(
                of(index.getObjects()),
                null,
                "performance index, " + index.getGoal(),
                "",
                null,
                index.getValues())));
    chart.setChanges(
        marked.stream()
            .map(
                one ->
                    new PanelChange(
                        one.getTime().toEpochMilli(), one.getObject(), ChangeWords.of(one)))
            .toList());
    return chart;
  }

  /** One for the legend: the object, or how many there are. */
  private static ObjectRef of(List<ObjectRef> objects) {
    ObjectRef first = objects.getFirst();
    return objects.size() == 1
        ? first
        : new ObjectRef(
            first.getId(),
            first.getAdapterKind(),
            first.getObjectKind(),
            "%,d objects".formatted(objects.size()));
  }

  private static String days(long millis) {
    long days = Duration.ofMillis(millis).toDays();
    return days == 1 ? "a day" : "%,d days".formatted(days);
  }

  void capacity(PanelAnswer answer) {
    List<PanelCapacity> forecasts = Objects.requireNonNullElse(answer.getCapacity(), List.of());
    if (forecasts.isEmpty()) {
      sheet.remark("Nothing is known to fill up.");
    } else {
      below(tables.capacity(forecasts));
    }
  }
}
