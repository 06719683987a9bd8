package io.peerlens.supermetric;

import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.Issue;
import io.peerlens.supermetrics.formula.Issue.Code;
import io.peerlens.supermetrics.formula.Issue.Severity;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.formula.Span;
import io.peerlens.supermetrics.formula.Vocabulary;
import io.peerlens.supermetrics.program.Dependencies;
import io.peerlens.vocabulary.InstallationVocabulary;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Formula validation against the kinds, keys and super metrics of this installation. What was found
 * of a super metric that others read is kept, so a check is for one request and one thread.
 */
final class Checks {

  private static final Set<Code> NO_DATA = EnumSet.of(Code.UNKNOWN_KIND, Code.UNKNOWN_KEY);

  /** How many super metrics that read one another are followed before the rest is believed. */
  private static final int LONGEST_CHAIN = 50;

  private final Formula.Options options;
  private final Vocabulary vocabulary;
  private final Catalogue catalogue;
  private final Map<UUID, SuperMetric> more;

  /** Why super metrics have no data, empty if they have; null while one is being looked at. */
  private final Map<UUID, @Nullable String> reasons = new HashMap<>();

  private int chain;

  /**
   * @param options how formulas are read here
   * @param catalogue the super metrics that are stored
   */
  Checks(Formula.Options options, InstallationVocabulary vocabulary, Catalogue catalogue) {
    this(options, vocabulary, catalogue, List.of());
  }

  /**
   * @param more super metrics that will be stored too, and switched on; they come before stored
   *     ones of their ids
   */
  Checks(
      Formula.Options options,
      InstallationVocabulary vocabulary,
      Catalogue catalogue,
      Collection<SuperMetric> more) {
    this.options = options;
    this.catalogue = catalogue;
    this.more = new LinkedHashMap<>();
    more.forEach(one -> this.more.put(one.id(), one));
    this.vocabulary = vocabulary.withSuperMetrics(this::named);
  }

  private @Nullable UUID named(String name) {
    for (SuperMetric one : more.values()) {
      if (one.name().equals(name)) {
        return one.id();
      }
    }
    return catalogue.byId().values().stream()
        .filter(rule -> rule.name().equals(name))
        .map(SuperMetricRule::id)
        .findFirst()
        .orElse(null);
  }

  /** Result of a check. */
  enum Validity {
    VALID,
    /** It has no errors, but reads something that does not exist or has no data here. */
    NO_DATA_HERE,
    INVALID
  }

  /**
   * A checked formula.
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
      superMetricsWithoutData(formula, id, issues);
      unknownKinds(kinds, issues);
      issues.sort(Comparator.comparingInt(issue -> issue.at().start()));
    }
    Validity validity =
        !formula.isValid()
            ? Validity.INVALID
            : issues.stream().anyMatch(issue -> NO_DATA.contains(issue.code()))
                ? Validity.NO_DATA_HERE
                : Validity.VALID;
    return new Checked(formula, List.copyOf(issues), validity);
  }

  private void superMetricsWithoutData(Formula formula, @Nullable UUID id, List<Issue> issues) {
    for (UUID read : Dependencies.superMetrics(formula.tree())) {
      String reason = read.equals(id) ? "" : whyNoData(read);
      if (!reason.isEmpty()) {
        String key = Keys.superMetric(read);
        int start = Math.max(0, formula.text().indexOf(key));
        String[] parts = reason.split("; ", 2);
        issues.add(
            new Issue(
                Severity.WARNING,
                Code.UNKNOWN_KEY,
                new Span(start, Math.min(formula.text().length(), start + key.length())),
                parts[0],
                parts[1]));
      }
    }
  }

  /** Why a super metric has no data, and what to do; empty = it has, or will have. */
  private String whyNoData(UUID id) {
    if (reasons.containsKey(id)) {
      String known = reasons.get(id);
      return known == null ? "" : known; // a circle reads the values of the tick before
    }
    reasons.put(id, null);
    chain++;
    String reason = chain > LONGEST_CHAIN ? "" : lookWhyNoData(id);
    chain--;
    reasons.put(id, reason);
    return reason;
  }

  private String lookWhyNoData(UUID id) {
    SuperMetric definition = more.get(id);
    if (definition != null) {
      return whyNoData(
          id, definition.name(), definition.formula(), StoredSuperMetric.kinds(definition));
    }
    SuperMetricRule rule = catalogue.find(id);
    if (rule == null) {
      return "there is no super metric with the id " + id + " here; import the file that holds it";
    }
    if (!rule.policy().enabled()) {
      return noDataHere(rule.name()) + "it is switched off; switch it on";
    }
    return whyNoData(id, rule.name(), rule.formula().text(), rule.kinds());
  }

  private String whyNoData(UUID id, String name, String formula, List<ObjectKind> kinds) {
    if (kinds.isEmpty()) {
      return noDataHere(name) + "no object kind is assigned to it; assign one";
    }
    return switch (check(formula, id, kinds).validity()) {
      case VALID -> "";
      case NO_DATA_HERE ->
          noDataHere(name) + "it reads what does not exist here; look at its remarks";
      case INVALID -> noDataHere(name) + "its formula has errors; correct them";
    };
  }

  private static String noDataHere(String name) {
    return "the super metric \"" + name + "\" has no data here: ";
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
