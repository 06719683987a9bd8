package io.peerlens.alert;

import io.peerlens.alert.Around.Beside;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.threshold.Condition;
import io.peerlens.threshold.Threshold;
import io.peerlens.words.MetricNames;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Explanations of alerts, in words and in parts with units. Pages, notifications and the API all
 * show these words. Not thread-safe.
 */
final class Explanations {

  private static final int MOST_MEMBERS = 200;

  private final MetricNames names;

  Explanations(MetricNames names) {
    this.names = names;
  }

  /** Looks names and units up anew. */
  void forget() {
    names.forget();
  }

  /** Why an alert is as it is at a tick. */
  Detail of(
      Raised by,
      AlertState alert,
      Finding finding,
      Around around,
      Function<UUID, @Nullable Threshold> thresholds,
      ObjectGraph graph,
      Instant tick) {
    List<Member> members =
        finding.members().stream()
            .limit(MOST_MEMBERS)
            .map(member -> withUnit(member, thresholds))
            .toList();
    AlertText text =
        new AlertText(
            names, thresholds, graph, by, alert.key().objectId(), members, finding, around, tick);
    return new Detail(text.explain(), members, finding.members().size(), withUnits(around, graph));
  }

  private Member withUnit(Member member, Function<UUID, @Nullable Threshold> thresholds) {
    Threshold threshold = thresholds.apply(member.threshold());
    if (threshold == null || member.text() != null) {
      return member;
    }
    return member.withUnit(unit(threshold.kind(), member.key(), member.operator()));
  }

  private Around withUnits(Around around, ObjectGraph graph) {
    return around.showing(
        around.symptoms().stream()
            .map(one -> new Beside(one.relation(), withUnit(one.symptom(), graph)))
            .toList());
  }

  private StoredMember withUnit(StoredMember symptom, ObjectGraph graph) {
    ObjectKind kind = graph.kindOf(symptom.object());
    return kind == null || symptom.text() != null
        ? symptom
        : symptom.withUnit(unit(kind, symptom.key(), symptom.operator()));
  }

  private @Nullable String unit(ObjectKind kind, String key, String operator) {
    return operator.equals(Condition.NO_DATA) ? "s" : names.unit(kind, key);
  }
}
