package io.peerlens.alert;

import io.peerlens.api.model.AlertDefinitionEdit;
import io.peerlens.api.model.AlertDefinitionSeverity;
import io.peerlens.scope.ScopeReader;
import io.peerlens.threshold.Severity;
import io.peerlens.threshold.Threshold.Impact;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reader of alert definitions as the contract writes them. */
final class AlertDefinitionReader {

  private static final int DEEPEST = 5;
  private static final int MOST_THRESHOLDS = 50;

  private final String path;
  private int thresholds;

  private AlertDefinitionReader(String path) {
    this.path = path;
  }

  /**
   * Reads a definition.
   *
   * @param path in front of the names of fields; empty, or with a dot at its end
   * @throws ApiException if something in it makes no sense
   */
  static AlertDefinition read(UUID id, String path, AlertDefinitionEdit edit) {
    return new AlertDefinitionReader(path).definition(id, edit);
  }

  private AlertDefinition definition(UUID id, AlertDefinitionEdit edit) {
    text("name", edit.getName());
    text("description", edit.getDescription());
    text("type", edit.getType());
    text("subType", edit.getSubType());
    text("owner", edit.getOwner());
    texts("tags", edit.getTags());
    texts("recommendations", edit.getRecommendations());
    int seconds = Durations.interval(path + "interval", edit.getInterval(), 60);
    return new AlertDefinition(
        id,
        edit.getName(),
        !Boolean.FALSE.equals(edit.getEnabled()),
        ScopeReader.kind(path + "objectKind", edit.getObjectKind()),
        ScopeReader.scope(path + "scope", edit.getScope()),
        Impact.valueOf(edit.getImpact().name()),
        severity(edit.getSeverity()),
        condition(path + "condition", edit.getCondition(), 1),
        edit.getWaitCycles() == null ? 1 : edit.getWaitCycles(),
        edit.getCancelCycles() == null ? 1 : edit.getCancelCycles(),
        edit.getRecommendations() == null ? List.of() : edit.getRecommendations(),
        edit.getType(),
        edit.getSubType(),
        Duration.ofSeconds(seconds));
  }

  private static @Nullable Severity severity(@Nullable AlertDefinitionSeverity wanted) {
    return wanted == null || wanted == AlertDefinitionSeverity.AUTO
        ? null
        : Severity.valueOf(wanted.name());
  }

  private AlertCondition condition(
      String at, io.peerlens.api.model.AlertCondition wanted, int depth) {
    if (depth > DEEPEST) {
      throw ApiException.invalidField(at, "is nested more than " + DEEPEST + " levels deep");
    }
    return switch (wanted.getType()) {
      case THRESHOLD -> ofThreshold(at, wanted);
      case ALL -> new AlertCondition.All(conditions(at, wanted, depth));
      case ANY -> new AlertCondition.Any(conditions(at, wanted, depth));
      case NOT -> {
        List<AlertCondition> one = conditions(at, wanted, depth);
        if (one.size() != 1) {
          throw ApiException.invalidField(at + ".conditions", "of a not must hold exactly one");
        }
        yield new AlertCondition.Not(one.getFirst());
      }
    };
  }

  private List<AlertCondition> conditions(
      String at, io.peerlens.api.model.AlertCondition wanted, int depth) {
    if (wanted.getThreshold() != null) {
      throw ApiException.invalidField(
          at + ".threshold", "does not go with type " + wanted.getType().getValue());
    }
    List<io.peerlens.api.model.AlertCondition> parts = wanted.getConditions();
    if (parts == null || parts.isEmpty()) {
      throw ApiException.invalidField(at + ".conditions", "is empty")
          .hint("Give the conditions to be combined, or a condition of type threshold.");
    }
    List<AlertCondition> conditions = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      conditions.add(condition(at + ".conditions[" + i + "]", parts.get(i), depth + 1));
    }
    return conditions;
  }

  private AlertCondition ofThreshold(String at, io.peerlens.api.model.AlertCondition wanted) {
    if (wanted.getThreshold() == null) {
      throw ApiException.invalidField(at + ".threshold", "is missing");
    }
    if (wanted.getConditions() != null && !wanted.getConditions().isEmpty()) {
      throw ApiException.invalidField(at + ".conditions", "does not go with type threshold");
    }
    thresholds++;
    if (thresholds > MOST_THRESHOLDS) {
      throw ApiException.invalidField(at, "is one of more than " + MOST_THRESHOLDS + " thresholds");
    }
    SymptomPlace on =
        wanted.getOn() == null ? SymptomPlace.SELF : SymptomPlace.valueOf(wanted.getOn().name());
    if (on == SymptomPlace.SELF && wanted.getPopulation() != null) {
      throw ApiException.invalidField(
          at + ".population", "makes no sense on the object itself, of which there is one");
    }
    if (on == SymptomPlace.SELF && wanted.getObjectKind() != null) {
      throw ApiException.invalidField(
          at + ".objectKind", "makes no sense on the object itself, whose kind is given");
    }
    return new AlertCondition.OfThreshold(
        wanted.getThreshold(),
        wanted.getMinimumSeverity() == null
            ? Severity.INFORMATION
            : Severity.valueOf(wanted.getMinimumSeverity().name()),
        on,
        wanted.getObjectKind() == null
            ? null
            : ScopeReader.kind(at + ".objectKind", wanted.getObjectKind()),
        population(at + ".population", wanted.getPopulation()));
  }

  private static Population population(
      String at, io.peerlens.api.model.@Nullable Population wanted) {
    if (wanted == null) {
      return Population.ANY;
    }
    Population.Type type = Population.Type.valueOf(wanted.getType().name());
    Double value = wanted.getValue();
    boolean needed = type == Population.Type.COUNT || type == Population.Type.PERCENT;
    if (needed && value == null) {
      throw ApiException.invalidField(at + ".value", "is missing");
    }
    if (!needed && value != null) {
      throw ApiException.invalidField(
          at + ".value", "does not go with type " + wanted.getType().getValue());
    }
    if (type == Population.Type.PERCENT && value != null && value > 100) {
      throw ApiException.invalidField(at + ".value", "is more than 100 percent");
    }
    return new Population(type, value == null ? 1 : value);
  }

  private void texts(String field, @Nullable List<String> texts) {
    if (texts != null) {
      for (int i = 0; i < texts.size(); i++) {
        if (texts.get(i).isBlank()) {
          throw ApiException.invalidField(path + field + "[" + i + "]", "is blank");
        }
        text(field + "[" + i + "]", texts.get(i));
      }
    }
  }

  private void text(String field, @Nullable String text) {
    if (text != null) {
      if (field.equals("name") && text.isBlank()) {
        throw ApiException.invalidField(path + field, "is blank");
      }
      ScopeReader.storable(path + field, text);
    }
  }
}
