package io.peerlens.threshold;

import io.peerlens.api.model.RuleIssue;
import io.peerlens.scope.Scope;
import io.peerlens.scope.ScopeCondition;
import io.peerlens.scope.Scopes;
import io.peerlens.supermetric.SuperMetricRule;
import io.peerlens.supermetric.SuperMetricStore;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.Nearest;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.formula.Vocabulary;
import io.peerlens.vocabulary.Vocabularies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Remarks on rules that name what does not exist in this installation. None of it is an error,
 * since data may come tomorrow.
 */
public final class RuleChecks {

  private final Vocabularies vocabularies;
  private final SuperMetricStore superMetrics;
  private final Scopes scopes;
  private final ThresholdQueries queries;

  RuleChecks(
      Vocabularies vocabularies,
      SuperMetricStore superMetrics,
      Scopes scopes,
      ThresholdQueries queries) {
    this.vocabularies = vocabularies;
    this.superMetrics = superMetrics;
    this.scopes = scopes;
    this.queries = queries;
  }

  /**
   * Checks of rules against the objects and keys known now.
   *
   * @param of all scopes that they have
   */
  public Check check(Collection<Scope> of) {
    Set<UUID> named = new TreeSet<>();
    of.forEach(scope -> named.addAll(objects(scope)));
    return new Check(vocabularies.known(), queries.known(named));
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

  /** Remarks on one rule after another. */
  public final class Check {
    private final Vocabulary vocabulary;
    private final Set<UUID> objects;
    private List<RuleIssue> issues = new ArrayList<>();

    private Check(Vocabulary vocabulary, Set<UUID> objects) {
      this.vocabulary = vocabulary;
      this.objects = objects;
    }

    /** What was odd since the last call. */
    public List<RuleIssue> issues() {
      List<RuleIssue> found = issues;
      issues = new ArrayList<>();
      return found;
    }

    /** Whether there are objects of a kind; it is odd if not. */
    public boolean kind(String path, ObjectKind kind) {
      boolean known = vocabulary.objectKinds(kind.adapterKind()).contains(kind.objectKind());
      if (!known) {
        issue(
            path,
            "there are no objects of the kind " + kind + " here",
            Nearest.of(kind.objectKind(), vocabulary.objectKinds(kind.adapterKind())));
      }
      return known;
    }

    /** Whether instances of a key are meant that has none. */
    void instances(String path, ObjectKind kind, String key) {
      if (Keys.superMetric(key) == null
          && isKnown(kind, key)
          && !vocabulary.hasInstances(kind.adapterKind(), kind.objectKind(), key)) {
        issue(path, key + " has no instances here", null);
      }
    }

    /** Whether objects of a kind have a key. */
    public void key(String path, ObjectKind kind, String key) {
      UUID superMetric = Keys.superMetric(key);
      if (superMetric != null) {
        SuperMetricRule definition =
            superMetrics.enabled().stream()
                .filter(one -> one.id().equals(superMetric))
                .findFirst()
                .orElse(null);
        if (definition == null) {
          issue(path, "the super metric " + superMetric + " is not computed here", null);
        } else if (!definition.kinds().contains(kind)) {
          issue(
              path,
              "the super metric \"" + definition.name() + "\" is not assigned to " + kind,
              null);
        }
      } else if (!isKnown(kind, key)) {
        issue(
            path,
            "no object of the kind has " + key + " here",
            Nearest.of(
                Keys.withoutInstances(key),
                vocabulary.keys(kind.adapterKind(), kind.objectKind())));
      }
    }

    private boolean isKnown(ObjectKind kind, String key) {
      return vocabulary
          .keys(kind.adapterKind(), kind.objectKind())
          .contains(Keys.withoutInstances(key));
    }

    /** Whether what a scope names exists. */
    public void scope(String path, Scope scope) {
      for (UUID group : scopes.unknownGroups(scope)) {
        issue(path + ".groups", "there is no group " + group + " here", null);
      }
      for (UUID object : RuleChecks.objects(scope)) {
        if (!objects.contains(object)) {
          issue(path, "there is no object " + object + " here", null);
        }
      }
    }

    private void issue(String field, String message, @Nullable String nearest) {
      issues.add(
          new RuleIssue(field, message, nearest == null ? null : "Did you mean " + nearest + "?"));
    }
  }
}
