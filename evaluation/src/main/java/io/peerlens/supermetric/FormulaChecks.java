package io.peerlens.supermetric;

import io.peerlens.api.model.FormulaCheck;
import io.peerlens.api.model.FormulaCheckRequest;
import io.peerlens.api.model.FormulaInput;
import io.peerlens.supermetric.Checks.Checked;
import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Dependencies;
import io.peerlens.supermetrics.program.Input;
import io.peerlens.vocabulary.InstallationVocabulary;
import io.peerlens.vocabulary.Vocabularies;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Formula validation for editors: mistakes, remarks, and the inputs of a formula. Thread-safe. */
final class FormulaChecks {

  private final SuperMetricStore store;
  private final Vocabularies vocabularies;

  FormulaChecks(SuperMetricStore store, Vocabularies vocabularies) {
    this.store = store;
    this.vocabularies = vocabularies;
  }

  FormulaCheck check(FormulaCheckRequest request) {
    Catalogue catalogue = store.catalogue();
    InstallationVocabulary vocabulary = vocabularies.current();
    List<ObjectKind> kinds = SuperMetricAnswers.kinds(request.getKinds());
    UUID id = request.getId();
    Checked checked =
        new Checks(store.options(), vocabulary, catalogue).check(request.getFormula(), id, kinds);
    Formula formula = checked.formula();
    if (!formula.isValid()) {
      return new FormulaCheck(
          SuperMetricAnswers.validity(checked.validity()),
          SuperMetricAnswers.issues(checked.issues(), formula.text()),
          List.of(),
          List.of(),
          List.of(),
          null);
    }
    Set<UUID> reads = Dependencies.superMetrics(formula.tree());
    return new FormulaCheck(
        SuperMetricAnswers.validity(checked.validity()),
        SuperMetricAnswers.issues(checked.issues(), formula.text()),
        SuperMetricAnswers.references(reads, catalogue),
        SuperMetricAnswers.references(cycle(id, reads, catalogue), catalogue),
        inputs(formula, kinds, vocabulary, catalogue),
        Formula.print(formula.tree()));
  }

  /** The circle that a super metric would be part of if it read these. */
  private static Set<UUID> cycle(@Nullable UUID id, Set<UUID> reads, Catalogue catalogue) {
    if (id == null) {
      return Set.of();
    }
    Set<UUID> reached = new LinkedHashSet<>();
    List<UUID> next = new ArrayList<>(reads);
    while (!next.isEmpty()) {
      UUID one = next.removeLast();
      if (reached.add(one) && !one.equals(id)) {
        next.addAll(catalogue.dependencies().reads(one));
      }
    }
    if (!reached.contains(id)) {
      return Set.of();
    }
    Set<UUID> leading = new LinkedHashSet<>(Set.of(id));
    boolean grown = true;
    while (grown) {
      grown = false;
      for (UUID one : reached) {
        if (!leading.contains(one)
            && catalogue.dependencies().reads(one).stream().anyMatch(leading::contains)) {
          grown = leading.add(one);
        }
      }
    }
    return leading;
  }

  private static List<FormulaInput> inputs(
      Formula formula,
      List<ObjectKind> kinds,
      InstallationVocabulary vocabulary,
      Catalogue catalogue) {
    ObjectKind unknown = new ObjectKind("", "");
    Set<Input> inputs = new LinkedHashSet<>();
    for (ObjectKind kind : kinds.isEmpty() ? List.of(unknown) : kinds) {
      inputs.addAll(Dependencies.inputs(formula.tree(), kind));
    }
    return inputs.stream()
        .filter(input -> !input.kind().equals(unknown))
        .map(
            input -> {
              UUID superMetric = Keys.superMetric(input.key());
              return new FormulaInput(
                  input.kind().adapterKind(),
                  input.kind().objectKind(),
                  input.key(),
                  input.attribute(),
                  superMetric != null
                      ? catalogue.find(superMetric) != null
                      : vocabulary
                          .keys(input.kind().adapterKind(), input.kind().objectKind())
                          .contains(Keys.withoutInstances(input.key())));
            })
        .distinct()
        .toList();
  }
}
