package io.peerlens.threshold;

import io.peerlens.api.model.RuleIssue;
import io.peerlens.scope.Scope;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Remarks on thresholds in this installation. */
final class ThresholdChecks {

  private final RuleChecks rules;

  ThresholdChecks(RuleChecks rules) {
    this.rules = rules;
  }

  /** Remarks by threshold, in the order of the fields; those without any have an empty list. */
  Map<UUID, List<RuleIssue>> issues(List<Threshold> thresholds) {
    List<Scope> scopes = new ArrayList<>();
    for (Threshold threshold : thresholds) {
      scopes.add(threshold.scope());
      threshold.special().forEach(special -> scopes.add(special.scope()));
    }
    RuleChecks.Check check = rules.check(scopes);
    Map<UUID, List<RuleIssue>> issues = new HashMap<>();
    for (Threshold threshold : thresholds) {
      check(threshold, check);
      issues.put(threshold.id(), check.issues());
    }
    return issues;
  }

  private static void check(Threshold threshold, RuleChecks.Check check) {
    if (check.kind("objectKind", threshold.kind())) {
      keys(threshold, check);
    }
    check.scope("scope", threshold.scope());
    for (int i = 0; i < threshold.special().size(); i++) {
      check.scope("overrides[" + i + "].scope", threshold.special().get(i).scope());
    }
  }

  private static void keys(Threshold threshold, RuleChecks.Check check) {
    Condition condition = threshold.condition();
    check.key("condition.key", threshold.kind(), condition.key());
    if (condition.instances()) {
      check.instances("condition.instances", threshold.kind(), condition.key());
    }
    levels("condition.levels", threshold.kind(), condition.levels(), check);
    for (int i = 0; i < threshold.special().size(); i++) {
      List<Level> levels = threshold.special().get(i).levels();
      if (levels != null) {
        levels("overrides[" + i + "].levels", threshold.kind(), levels, check);
      }
    }
  }

  private static void levels(
      String path, ObjectKind kind, List<Level> levels, RuleChecks.Check check) {
    for (Level level : levels) {
      for (Bound bound :
          Arrays.asList(level.bound(), level.upper(), level.clear(), level.clearUpper())) {
        if (bound instanceof Bound.OfKey ofKey) {
          check.key(path, kind, ofKey.key());
        }
      }
    }
  }
}
