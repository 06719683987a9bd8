package io.peerlens.notify.definition;

import io.peerlens.alerttemplates.Lookups;
import io.peerlens.alerttemplates.Needs;
import io.peerlens.api.model.RuleIssue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Lookup tables and secrets that a template names and that are not stored. */
public final class MissingNeeds {

  private MissingNeeds() {}

  /** Issues of a template, as the API shows them. */
  public static List<RuleIssue> issues(Needs needs, Lookups lookups, Predicate<String> secrets) {
    List<RuleIssue> issues = new ArrayList<>();
    for (String table : needs.lookups()) {
      if (lookups.table(table) == null) {
        issues.add(
            new RuleIssue(
                "document.modify",
                "there is no lookup table " + table,
                "Store it with PUT /api/v1/lookups/" + table + "."));
      }
    }
    for (String secret : needs.secrets()) {
      if (!secrets.test(secret)) {
        issues.add(
            new RuleIssue(
                "document.render",
                "there is no secret " + secret,
                "Store it with PUT /api/v1/secrets/" + secret + "."));
      }
    }
    return issues;
  }
}
