package io.peerlens.threshold;

import io.peerlens.api.model.RuleIssue;
import io.peerlens.scope.Scope;
import io.peerlens.scope.ScopeCondition;
import io.peerlens.scope.Scopes;
import io.peerlens.supermetric.EnabledDefinition;
import io.peerlens.supermetric.SuperMetricStore;
import io.peerlens.supermetric.Vocabularies;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.Nearest;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.formula.Vocabulary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Says what is odd about thresholds in this installation: they name what does not exist here. None
 * of it is an error, since data may come tomorrow.
 */
final class ThresholdChecks {

  private final Vocabularies vocabularies;
  private final SuperMetricStore superMetrics;
  private final Scopes scopes;
  private final ThresholdQueries queries;

  ThresholdChecks(
      Vocabularies vocabularies,
      SuperMetricStore superMetrics,
      Scopes scopes,
      ThresholdQueries queries) {
    this.vocabularies = vocabularies;
    this.superMetrics = superMetrics;
    this.scopes = scopes;
    this.queries = queries;
  }

  /** What is odd, in the order of the fields; those without anything have an empty list. */
  Map<UUID, List<RuleIssue>> issues(List<Threshold> thresholds) {
    Set<UUID> named = new TreeSet<>();
    thresholds.forEach(threshold -> each(threshold, scope -> named.addAll(objects(scope))));
    Check check = new Check(vocabularies.known(), queries.known(named));
    Map<UUID, List<RuleIssue>> issues = new HashMap<>();
    thresholds.forEach(threshold -> issues.put(threshold.id(), check.issues(threshold)));
    return issues;
  }

  private static void each(Threshold threshold, java.util.function.Consumer<Scope> consumer) {
    consumer.accept(threshold.scope());
    threshold.special().forEach(special -> consumer.accept(special.scope()));
  }

  private static Set<UUID> objects(Scope scope) {
    Set<UUID> objects = new TreeSet<>(scope.only().ancestors());
    objects.addAll(scope.only().objects());
    for (ScopeCondition exclude : scope.exclude()) {
      objects.addAll(exclude.ancestors());
      objects.addAll(exclude.objects());
    }
    return objects;
  }

  private final class Check {
    private final Vocabulary vocabulary;
    private final Set<UUID> objects;

    Check(Vocabulary vocabulary, Set<UUID> objects) {
      this.vocabulary = vocabulary;
      this.objects = objects;
    }

    List<RuleIssue> issues(Threshold threshold) {
      List<RuleIssue> issues = new ArrayList<>();
      ObjectKind kind = threshold.kind();
      if (!vocabulary.objectKinds(kind.adapterKind()).contains(kind.objectKind())) {
        issue(
            issues,
            "objectKind",
            "there are no objects of the kind " + kind + " here",
            Nearest.of(kind.objectKind(), vocabulary.objectKinds(kind.adapterKind())));
      } else {
        keys(threshold, issues);
      }
      scope("scope", threshold.scope(), issues);
      for (int i = 0; i < threshold.special().size(); i++) {
        scope("overrides[" + i + "].scope", threshold.special().get(i).scope(), issues);
      }
      return issues;
    }

    private void keys(Threshold threshold, List<RuleIssue> issues) {
      Condition condition = threshold.condition();
      key("condition.key", threshold.kind(), condition.key(), issues);
      if (condition.instances()
          && Keys.superMetric(condition.key()) == null
          && isKnown(threshold.kind(), condition.key())
          && !vocabulary.hasInstances(
              threshold.kind().adapterKind(), threshold.kind().objectKind(), condition.key())) {
        issue(issues, "condition.instances", condition.key() + " has no instances here", null);
      }
      levels("condition.levels", threshold.kind(), condition.levels(), issues);
      for (int i = 0; i < threshold.special().size(); i++) {
        List<Level> levels = threshold.special().get(i).levels();
        if (levels != null) {
          levels("overrides[" + i + "].levels", threshold.kind(), levels, issues);
        }
      }
    }

    private void levels(String path, ObjectKind kind, List<Level> levels, List<RuleIssue> issues) {
      for (Level level : levels) {
        for (Bound bound :
            java.util.Arrays.asList(
                level.bound(), level.upper(), level.clear(), level.clearUpper())) {
          if (bound instanceof Bound.OfKey ofKey) {
            key(path, kind, ofKey.key(), issues);
          }
        }
      }
    }

    private boolean isKnown(ObjectKind kind, String key) {
      return vocabulary
          .keys(kind.adapterKind(), kind.objectKind())
          .contains(Keys.withoutInstances(key));
    }

    private void key(String path, ObjectKind kind, String key, List<RuleIssue> issues) {
      UUID superMetric = Keys.superMetric(key);
      if (superMetric != null) {
        EnabledDefinition definition =
            superMetrics.enabledDefinitions().stream()
                .filter(one -> one.id().equals(superMetric))
                .findFirst()
                .orElse(null);
        if (definition == null) {
          issue(issues, path, "the super metric " + superMetric + " is not computed here", null);
        } else if (!definition.kinds().contains(kind)) {
          issue(
              issues,
              path,
              "the super metric \"" + definition.name() + "\" is not assigned to " + kind,
              null);
        }
      } else if (!isKnown(kind, key)) {
        issue(
            issues,
            path,
            "no object of the kind has " + key + " here",
            Nearest.of(
                Keys.withoutInstances(key),
                vocabulary.keys(kind.adapterKind(), kind.objectKind())));
      }
    }

    private void scope(String path, Scope scope, List<RuleIssue> issues) {
      for (UUID group : scopes.unknownGroups(scope)) {
        issue(issues, path + ".groups", "there is no group " + group + " here", null);
      }
      for (UUID object : objects(scope)) {
        if (!objects.contains(object)) {
          issue(issues, path, "there is no object " + object + " here", null);
        }
      }
    }
  }

  private static void issue(
      List<RuleIssue> issues,
      String field,
      String message,
      @org.jspecify.annotations.Nullable String nearest) {
    issues.add(
        new RuleIssue(field, message, nearest == null ? null : "Did you mean " + nearest + "?"));
  }
}
