package io.peerlens.outlier.preview;

import io.peerlens.api.model.OutlierWarning;
import io.peerlens.api.model.UseKind;
import io.peerlens.definition.PreviewLimits;
import io.peerlens.definition.StoredRule;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.group.OutlierGroupStore;
import io.peerlens.outlier.group.OutlierProperties;
import io.peerlens.outlier.judge.PeerValues;
import io.peerlens.outlier.result.OutlierGroupAnswers;
import io.peerlens.supermetric.RuleTrial;
import io.peerlens.supermetric.SuperMetricUser;
import io.peerlens.supermetrics.formula.Keys;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Uses of super metrics by outlier groups that compare them. */
public final class OutlierGroupUses implements SuperMetricUser {

  private final OutlierGroupStore store;
  private final PreviewMembers members;
  private final PeerValues past;
  private final OutlierGroupAnswers answers;
  private final OutlierProperties properties;

  OutlierGroupUses(
      OutlierGroupStore store,
      PreviewMembers members,
      PeerValues past,
      OutlierGroupAnswers answers,
      OutlierProperties properties) {
    this.store = store;
    this.members = members;
    this.past = past;
    this.answers = answers;
    this.properties = properties;
  }

  @Override
  public UseKind kind() {
    return UseKind.OUTLIER_GROUP;
  }

  @Override
  public List<Use> uses(UUID superMetric) {
    return store.byId().values().stream()
        .map(StoredRule::rule)
        .filter(group -> readsAny(group, Set.of(superMetric)))
        .sorted(Comparator.comparing(OutlierGroup::name))
        .map(group -> new Use(group.id(), group.name(), group.enabled()))
        .toList();
  }

  private static boolean readsAny(OutlierGroup group, Set<UUID> superMetrics) {
    return group.keys().stream()
        .map(Keys::superMetric)
        .anyMatch(id -> id != null && superMetrics.contains(id));
  }

  /** They share what a preview may compute, each with two formulas. */
  @Override
  public List<RuleTrial> trials(Set<UUID> superMetrics, PreviewLimits.Range range) {
    List<OutlierGroup> groups =
        store.enabled().stream().filter(group -> readsAny(group, superMetrics)).toList();
    List<RuleTrial> trials = new ArrayList<>();
    for (OutlierGroup group : groups) {
      trials.add(trial(group, superMetrics, range, properties.previewValues() / 2 / groups.size()));
    }
    return trials;
  }

  private RuleTrial trial(
      OutlierGroup group, Set<UUID> superMetrics, PreviewLimits.Range range, long most) {
    long width = group.bucket().toMillis();
    long first = Math.ceilDiv(range.from().toEpochMilli(), width);
    int asked = (int) Math.max(0, Math.floorDiv(range.to().toEpochMilli(), width) - first);
    PreviewMembers.Members of = members.of(group);
    int count = of.ids().length;
    long left = most / Math.max(1, (long) count * group.metrics().size()) - asked;
    List<@Nullable String> units = new ArrayList<>();
    answers.metrics(group).forEach(metric -> units.add(metric.getUnit()));
    return new OutlierGroupTrial(
        group,
        group.settings(units),
        of,
        past,
        superMetrics,
        Instant.ofEpochMilli(first * width),
        asked,
        (int) Math.clamp(left, 0L, properties.learnFrom().dividedBy(group.bucket())),
        problem(count, asked, left));
  }

  private static @Nullable String problem(int members, int asked, long left) {
    OutlierWarning count = PreviewWarnings.count(members);
    if (count != null) {
      return count.getMessage();
    }
    if (asked == 0) {
      return "There is no whole bucket in the range.";
    }
    return left < 0 ? "%,d buckets of %,d members are too many.".formatted(asked, members) : null;
  }
}
