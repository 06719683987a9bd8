package io.peerlens.outlier.group;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.LearnedSensitivity;
import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.api.model.OutlierMethod;
import io.peerlens.api.model.OutlierMethodType;
import io.peerlens.api.model.OutlierMetricEdit;
import io.peerlens.api.model.OutlierOpens;
import io.peerlens.api.model.OutlierSide;
import io.peerlens.api.model.OutlierTransform;
import io.peerlens.api.model.Scope;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.RuleUser;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creation, changes and deletion of outlier groups. */
public final class OutlierGroupService extends DefinitionService<OutlierGroupEdit, OutlierGroup> {

  public OutlierGroupService(
      OutlierGroupStore store,
      RuleStore rules,
      InstantSource clock,
      int maxCount,
      Supplier<List<RuleUser>> users) {
    super(
        store,
        rules,
        clock,
        new DefinitionKind(
            "outlier group", "/api/v1/outlier-groups", maxCount, "peerlens.outliers.max-count"),
        users);
  }

  @Override
  protected @Nullable UUID wantedId(OutlierGroupEdit wanted) {
    return wanted.getId();
  }

  @Override
  protected OutlierGroupEdit prepared(UUID id, OutlierGroupEdit wanted, boolean isNew) {
    return normal("", wanted);
  }

  /**
   * A definition with what was left out filled in, or refused.
   *
   * @param path of the group in the body, with a point at its end, or empty
   */
  public OutlierGroupEdit normal(String path, OutlierGroupEdit wanted) {
    OutlierGroup group = OutlierGroupReader.read(new UUID(0, 0), 0, path, wanted);
    OutlierGroupEdit edit =
        Definitions.of(Definitions.tree(wanted), OutlierGroupEdit.class)
            .enabled(group.enabled())
            .side(requireNonNullElse(wanted.getSide(), OutlierSide.BOTH))
            .sensitivity(requireNonNullElse(wanted.getSensitivity(), "medium"))
            .bucket(requireNonNullElse(wanted.getBucket(), "5m"))
            .evaluationDelay(requireNonNullElse(wanted.getEvaluationDelay(), "1m"))
            .opens(new OutlierOpens().violations(group.violations()).of(group.of()))
            .closesAfter(group.closesAfter());
    if (edit.getScope() == null) {
      edit.scope(new Scope());
    }
    if (edit.getMethod() == null) {
      edit.method(new OutlierMethod(OutlierMethodType.PEERS));
    }
    if (edit.getGroupEvent() != null && edit.getGroupEvent().getSensitivity() == null) {
      edit.getGroupEvent().sensitivity(LearnedSensitivity.MEDIUM);
    }
    edit.metrics(group.metrics().stream().map(OutlierGroupService::metric).toList());
    return edit;
  }

  private static OutlierMetricEdit metric(OutlierGroup.Metric metric) {
    return new OutlierMetricEdit()
        .key(metric.key())
        .minDeviation(metric.minDeviation())
        .transform(OutlierTransform.valueOf(metric.transform().name()));
  }
}
