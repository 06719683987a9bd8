package io.peerlens.supermetric;

import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.Issue;
import io.peerlens.supermetrics.formula.Issue.Code;
import io.peerlens.supermetrics.formula.Issue.Severity;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.formula.Span;
import io.peerlens.supermetrics.formula.Vocabulary;
import io.peerlens.supermetrics.program.Dependencies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Checks formulas against what this installation knows: its kinds and keys, and its super metrics.
 */
final class Checks {

  private static final Set<Code> UNKNOWN = EnumSet.of(Code.UNKNOWN_KIND, Code.UNKNOWN_KEY);

  private final Formula.Options options;
  private final Vocabulary vocabulary;
  private final Predicate<UUID> stored;

  /**
   * @param options how formulas are read here
   * @param stored whether there is a super metric of an id
   */
  Checks(Formula.Options options, Vocabulary vocabulary, Predicate<UUID> stored) {
    this.options = options;
    this.vocabulary = vocabulary;
    this.stored = stored;
  }

  /** The same checks where these super metrics are stored too. */
  Checks within(Set<UUID> more) {
    return new Checks(options, vocabulary, stored.or(more::contains));
  }

  /** How a formula stands here. */
  enum Validity {
    VALID,
    /** It has no errors, but names something that does not exist here. */
    NO_DATA_HERE,
    INVALID
  }

  /**
   * What was found.
   *
   * @param issues in the order of the text
   */
  record Checked(Formula formula, List<Issue> issues, Validity validity) {}

  /**
   * Checks a formula.
   *
   * @param id of the super metric itself; null = it has none yet
   * @param kinds that it is to be computed for
   */
  Checked check(String text, @Nullable UUID id, List<ObjectKind> kinds) {
    Formula formula =
        Formula.parse(
            text, new Formula.Options(options.limits(), options.strict(), vocabulary, id, kinds));
    List<Issue> issues = new ArrayList<>(formula.issues());
    if (formula.isValid()) {
      unknownSuperMetrics(formula, id, issues);
      unknownKinds(kinds, issues);
      issues.sort(Comparator.comparingInt(issue -> issue.at().start()));
    }
    Validity validity =
        !formula.isValid()
            ? Validity.INVALID
            : issues.stream().anyMatch(issue -> UNKNOWN.contains(issue.code()))
                ? Validity.NO_DATA_HERE
                : Validity.VALID;
    return new Checked(formula, List.copyOf(issues), validity);
  }

  private void unknownSuperMetrics(Formula formula, @Nullable UUID id, List<Issue> issues) {
    for (UUID read : Dependencies.superMetrics(formula.tree())) {
      if (!read.equals(id) && !stored.test(read)) {
        String key = Keys.superMetric(read);
        int start = Math.max(0, formula.text().indexOf(key));
        issues.add(
            new Issue(
                Severity.WARNING,
                Code.UNKNOWN_KEY,
                new Span(start, Math.min(formula.text().length(), start + key.length())),
                "there is no super metric with the id " + read + " here",
                "import the file that holds it"));
      }
    }
  }

  /** One of several kinds may well be missing; that all are is worth a word. */
  private void unknownKinds(List<ObjectKind> kinds, List<Issue> issues) {
    boolean known =
        kinds.isEmpty()
            || kinds.stream()
                .anyMatch(
                    kind -> vocabulary.objectKinds(kind.adapterKind()).contains(kind.objectKind()));
    if (!known) {
      issues.add(
          new Issue(
              Severity.WARNING,
              Code.UNKNOWN_KIND,
              new Span(0, 0),
              "no objects of the kind it is assigned to, " + kinds.getFirst() + ", here",
              null));
    }
  }
}
