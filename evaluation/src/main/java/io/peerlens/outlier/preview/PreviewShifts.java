package io.peerlens.outlier.preview;

import static java.util.Objects.requireNonNull;

import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.baselines.Sensitivity;
import io.peerlens.definition.StoredRule;
import io.peerlens.learning.LearningProperties;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.group.OutlierGroupStore;
import io.peerlens.outlier.judge.MedianHours;
import io.peerlens.outlier.judge.MedianQueries;
import io.peerlens.outlier.judge.UsualLearner;
import io.peerlens.outlier.result.OutlierGroupAnswers;
import io.peerlens.outliers.Event;
import io.peerlens.outliers.Replay;
import io.peerlens.outliers.Settings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Events of a group as a whole in a preview: when its median was not where it usually is, for each
 * sensitivity.
 */
final class PreviewShifts {

  private final OutlierGroupStore groups;
  private final MedianQueries medians;
  private final OutlierGroupAnswers answers;
  private final LearningProperties properties;

  PreviewShifts(
      OutlierGroupStore groups,
      MedianQueries medians,
      OutlierGroupAnswers answers,
      LearningProperties properties) {
    this.groups = groups;
    this.medians = medians;
    this.answers = answers;
    this.properties = properties;
  }

  /**
   * What each sensitivity would have given; empty if the group asks for no such event.
   *
   * @param basis what the group is judged by
   * @param learning buckets before the range
   * @param from start of the range
   * @param until its end
   * @param events of members and of the group
   */
  Map<Sensitivity, ShiftReplay.Found> of(
      OutlierGroup group,
      String basis,
      Settings settings,
      Replay replay,
      int learning,
      Instant from,
      Instant until,
      List<Event> events) {
    OutlierGroup.GroupEvent asking = group.groupEvent();
    if (asking == null) {
      return Map.of();
    }
    UsualLearner learner = new UsualLearner(properties.zone(), properties.historyDays());
    long first = learner.learnedFrom(UsualLearner.day(from));
    long end = Math.ceilDiv(until.toEpochMilli(), 3_600_000L);
    boolean kept = isKept(group, basis);
    int metrics = group.metrics().size();
    ShiftReplay shifts =
        new ShiftReplay(
            settings,
            replay,
            learning,
            kept
                ? requireNonNull(
                    medians
                        .hours(
                            List.of(new MedianQueries.Of(group.id(), basis, metrics)), first, end)
                        .get(group.id()))
                : new MedianHours(first, (int) (end - first), metrics),
            kept
                ? medians
                    .events(
                        List.of(group.id()), first, Math.floorDiv(from.toEpochMilli(), 3_600_000L))
                    .getOrDefault(group.id(), List.of())
                : List.of(),
            learner);
    List<Event> others = events.stream().filter(event -> event.member() == Event.GROUP).toList();
    Map<Sensitivity, ShiftReplay.Found> found = new EnumMap<>(Sensitivity.class);
    for (Sensitivity sensitivity : Sensitivity.values()) {
      found.put(sensitivity, shifts.run(asking.rule(sensitivity), others));
    }
    return found;
  }

  /** Whether medians were kept of the same members, judged by the same. */
  private boolean isKept(OutlierGroup group, String basis) {
    StoredRule<OutlierGroupEdit, OutlierGroup> stored = groups.byId().get(group.id());
    if (stored == null || !stored.rule().scope().equals(group.scope())) {
      return false;
    }
    List<@Nullable String> units = new ArrayList<>();
    answers.metrics(stored.rule()).forEach(metric -> units.add(metric.getUnit()));
    return stored.rule().basis(units).equals(basis);
  }
}
