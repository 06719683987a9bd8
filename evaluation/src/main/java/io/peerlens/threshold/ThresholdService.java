package io.peerlens.threshold;

import io.peerlens.api.model.ThresholdEdit;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.RuleUser;
import io.peerlens.frame.FrameProperties;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Thresholds as people change them. */
final class ThresholdService extends DefinitionService<ThresholdEdit, Threshold> {

  private final Duration metricAge;

  ThresholdService(
      ThresholdStore store,
      RuleStore rules,
      InstantSource clock,
      ThresholdProperties properties,
      FrameProperties frames,
      ObjectProvider<RuleUser> users) {
    super(
        store,
        rules,
        clock,
        new DefinitionKind(
            "threshold",
            "/api/v1/thresholds",
            properties.maxCount(),
            "peerlens.thresholds.max-count"),
        () -> users.stream().toList());
    this.metricAge = frames.metricAge();
  }

  @Override
  protected @Nullable UUID wantedId(ThresholdEdit wanted) {
    return wanted.getId();
  }

  @Override
  protected ThresholdEdit prepared(UUID id, ThresholdEdit wanted, boolean isNew) {
    ThresholdEdit edit = normal("", wanted);
    if (isNew && edit.getOwner() == null) {
      edit.owner(Caller.current().name());
    }
    return edit;
  }

  /**
   * A definition with what was left out filled in, or refused.
   *
   * @param path of the threshold in the body, with a point at its end, or empty
   */
  ThresholdEdit normal(String path, ThresholdEdit wanted) {
    Threshold threshold = ThresholdReader.read(new UUID(0, 0), 0, path, wanted);
    Condition condition = threshold.condition();
    Duration after = condition.levels().getFirst().after();
    if (after != null && after.compareTo(metricAge) >= 0) {
      throw ApiException.invalidField(
              path + "condition.levels",
              "a metric without a sample for "
                  + Durations.print(metricAge)
                  + " counts as unknown, so this can never open")
          .hint("Give the least severity less, or raise peerlens.frames.metric-age.");
    }
    ThresholdEdit edit =
        Definitions.of(Definitions.tree(wanted), ThresholdEdit.class)
            .enabled(threshold.enabled())
            .tags(tags(path, wanted))
            .interval(Durations.print(threshold.interval()));
    edit.getCondition().key(condition.key()).instances(condition.instances());
    if (edit.getScope() == null) {
      edit.scope(new io.peerlens.api.model.Scope());
    }
    Trigger trigger = threshold.trigger();
    edit.trigger(
        new io.peerlens.api.model.ThresholdTrigger()
            .violations(trigger.violations())
            .of(trigger.of())
            .minimumDuration(
                wanted.getTrigger() == null || wanted.getTrigger().getMinimumDuration() == null
                    ? "0s"
                    : wanted.getTrigger().getMinimumDuration())
            .clearAfter(trigger.clearAfter()));
    if (edit.getOverrides() == null) {
      edit.overrides(List.of());
    }
    return edit;
  }

  private static List<String> tags(String path, ThresholdEdit wanted) {
    Set<String> tags = new LinkedHashSet<>();
    for (String tag : wanted.getTags() == null ? List.<String>of() : wanted.getTags()) {
      if (tag.isBlank()) {
        throw ApiException.invalidField(path + "tags[" + tags.size() + "]", "is blank");
      }
      tags.add(io.peerlens.scope.ScopeReader.storable(path + "tags", tag.strip()));
    }
    return List.copyOf(tags);
  }
}
