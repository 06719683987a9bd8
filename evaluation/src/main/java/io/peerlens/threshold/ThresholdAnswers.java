package io.peerlens.threshold;

import io.peerlens.api.model.RuleIssue;
import io.peerlens.api.model.SeverityCounts;
import io.peerlens.api.model.ThresholdEdit;
import io.peerlens.api.model.ThresholdState;
import io.peerlens.api.model.ThresholdStatus;
import io.peerlens.definition.StoredRule;
import io.peerlens.threshold.ThresholdQueries.LastTick;
import io.peerlens.web.Durations;
import io.peerlens.web.Paging;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** API models of thresholds, made from domain objects. */
final class ThresholdAnswers {

  private ThresholdAnswers() {}

  static io.peerlens.api.model.Threshold threshold(
      StoredRule<ThresholdEdit, Threshold> stored,
      @Nullable LastTick tick,
      List<RuleIssue> issues,
      @Nullable String unit,
      int[] firesPerWeek) {
    ThresholdEdit it = stored.edit();
    return new io.peerlens.api.model.Threshold(
            stored.id(),
            it.getName(),
            it.getDescription(),
            stored.rule().enabled(),
            it.getObjectKind(),
            Objects.requireNonNull(it.getScope()),
            it.getCondition(),
            Objects.requireNonNull(it.getTrigger()),
            Paging.list(it.getOverrides()),
            Paging.list(it.getTags()),
            it.getOwner(),
            stored.pack(),
            Durations.print(stored.rule().interval()),
            issues,
            state(stored.rule(), tick),
            Arrays.stream(firesPerWeek).boxed().toList(),
            stored.version(),
            stored.createdAt(),
            stored.createdBy(),
            stored.updatedAt(),
            stored.updatedBy())
        .alert(it.getAlert())
        .unit(unit);
  }

  static ThresholdStatus status(Threshold threshold, @Nullable LastTick tick) {
    if (!threshold.enabled()) {
      return ThresholdStatus.DISABLED;
    }
    if (tick == null) {
      return ThresholdStatus.WAITING;
    }
    if (tick.report().error() != null) {
      return ThresholdStatus.FAILING;
    }
    if (open(tick) > 0) {
      return ThresholdStatus.OPEN;
    }
    return tick.report().unknown() == tick.report().objects()
        ? ThresholdStatus.NO_DATA
        : ThresholdStatus.QUIET;
  }

  /** How many symptoms are open. */
  static int open(@Nullable LastTick tick) {
    return tick == null ? 0 : Arrays.stream(tick.report().open()).sum();
  }

  private static ThresholdState state(Threshold threshold, @Nullable LastTick tick) {
    ThresholdStatus status = status(threshold, tick);
    if (tick == null) {
      return new ThresholdState(status, null, 0, 0, 0, new SeverityCounts(0, 0, 0, 0), 0.0, null);
    }
    Changes.Tick report = tick.report();
    int[] open = report.open();
    return new ThresholdState(
        status,
        tick.tick(),
        report.objects(),
        report.instances(),
        report.unknown(),
        new SeverityCounts(open[0], open[1], open[2], open[3]),
        report.nanos() / 1e6,
        report.error());
  }
}
