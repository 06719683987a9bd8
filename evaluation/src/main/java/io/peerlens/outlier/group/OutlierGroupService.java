package io.peerlens.outlier.group;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.LearnedSensitivity;
import io.peerlens.api.model.OutlierConfigurationRule;
import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.api.model.OutlierMethod;
import io.peerlens.api.model.OutlierMethodType;
import io.peerlens.api.model.OutlierMetricEdit;
import io.peerlens.api.model.OutlierOpens;
import io.peerlens.api.model.OutlierProperty;
import io.peerlens.api.model.OutlierSide;
import io.peerlens.api.model.OutlierTransform;
import io.peerlens.api.model.Scope;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.RuleUser;
import io.peerlens.definition.StoredRule;
import io.peerlens.scope.ScopeReader;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Versions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creation, changes and deletion of outlier groups. */
public final class OutlierGroupService extends DefinitionService<OutlierGroupEdit, OutlierGroup> {

  /** So many values of one pattern are accepted, as in the contract. */
  private static final int MOST_ACCEPTED = 50;

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
    configuration(edit, group.configuration());
    edit.metrics(group.metrics().stream().map(OutlierGroupService::metric).toList());
    return edit;
  }

  /** A group that compares no properties is stored as one of before there were any. */
  private static void configuration(OutlierGroupEdit edit, PeerConfiguration configuration) {
    if (!configuration.compares()) {
      edit.setProperties(null);
      edit.setConfiguration(null);
      return;
    }
    List<OutlierProperty> properties = requireNonNull(edit.getProperties());
    properties.forEach(
        one ->
            one.accept(
                requireNonNullElse(one.getAccept(), List.<String>of()).stream()
                    .distinct()
                    .toList()));
    edit.setConfiguration(
        new OutlierConfigurationRule()
            .majority(configuration.rule().share())
            .fewest(configuration.rule().fewest())
            .lasts(Durations.print(configuration.lasts())));
  }

  /**
   * Accepts a value of a property, whichever member has it: the first pattern that fits the key
   * gets it. Where it is accepted already, nothing changes.
   *
   * @throws ApiException if the group does not compare the key
   */
  public void accept(UUID id, String key, String value) {
    StoredRule<OutlierGroupEdit, OutlierGroup> stored = get(id);
    PeerConfiguration configuration = stored.rule().configuration();
    if (configuration.accepted(key).contains(value)) {
      return;
    }
    List<PeerConfiguration.Property> compared = configuration.properties();
    int first = 0;
    while (first < compared.size() && !compared.get(first).pattern().fits(key)) {
      first++;
    }
    if (first == compared.size()) {
      throw ApiException.invalidField("key", key + " is not compared in this group")
          .hint("GET /api/v1/outlier-groups/%s/configuration lists what is.".formatted(id));
    }
    if (compared.get(first).accepted().size() >= MOST_ACCEPTED) {
      throw ApiException.of(
              ErrorCode.CONFLICT,
              "%s accepts %d values already."
                  .formatted(compared.get(first).pattern(), MOST_ACCEPTED))
          .hint("Take the property out of the group: its values say nothing.");
    }
    OutlierGroupEdit edit = Definitions.of(Definitions.tree(stored.edit()), OutlierGroupEdit.class);
    OutlierProperty property = requireNonNull(edit.getProperties()).get(first);
    List<String> accepted = new ArrayList<>(requireNonNullElse(property.getAccept(), List.of()));
    accepted.add(ScopeReader.storable("value", value));
    property.accept(accepted);
    change(id, edit, Versions.tag(stored.version()));
  }

  private static OutlierMetricEdit metric(OutlierGroup.Metric metric) {
    return new OutlierMetricEdit()
        .key(metric.key())
        .minDeviation(metric.minDeviation())
        .transform(OutlierTransform.valueOf(metric.transform().name()));
  }
}
