package io.peerlens.supermetric;

import io.peerlens.api.model.FormulaFunction;
import io.peerlens.api.model.FormulaLanguage;
import io.peerlens.api.model.FormulaWord;
import io.peerlens.api.model.FunctionExample;
import io.peerlens.supermetrics.formula.Function;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Functions, operators and keywords of the formula language, for completion and help. */
final class Language {

  static final FormulaLanguage LANGUAGE =
      new FormulaLanguage(
          Arrays.stream(Function.values())
              .sorted(
                  Comparator.comparing((Function f) -> !f.isLooping())
                      .thenComparing(Function::text))
              .map(
                  f ->
                      new FormulaFunction(
                          f.text(),
                          f.signature(),
                          f.summary(),
                          f.isLooping(),
                          f.arguments(),
                          f.examples().stream()
                              .map(
                                  example ->
                                      new FunctionExample(
                                          example.formula(),
                                          Double.isNaN(example.value()) ? null : example.value()))
                              .toList()))
              .toList(),
          List.of(
              word("this", "the object itself that is computed; stands first"),
              word("adaptertype=", "adapter kind of the objects, such as VMWARE"),
              word("objecttype=", "object kind of the objects; * = every kind of the adapter kind"),
              word("objectname=", "name of the one object that is meant"),
              word("identifiers=", "{key=value, ...} to tell objects of one name apart"),
              word("metric=", "a metric or property, with this very key"),
              word(
                  "attribute=",
                  "a metric or property and all its instances; needs a looping function"),
              word(
                  "depth=",
                  "how many levels down, or up if negative; all levels on the way count; 1 if left"
                      + " out"),
              word(
                  "where=",
                  "condition on each object: \"key operator value\" or ($value > 1 && ...)"),
              word("defval=", "number to take when there is no value")),
          List.of(
              word("! -", "not; minus"),
              word("* / %", "times, divided by, remainder with the sign of the dividend"),
              word("+ -", "plus, minus"),
              word("< <= > >=", "comparison; 1 or 0"),
              word("== !=", "equal, not equal; 1 or 0"),
              word("&&", "both"),
              word("||", "either"),
              word("? :", "if, then, else; only the chosen branch is computed"),
              word("as", "name for an entry, to be used elsewhere in the formula")),
          List.of(
              word("equals", "the whole text is this; letter case counts"),
              word("contains", "the text holds this"),
              word("startsWith", "the text starts with this"),
              word("endsWith", "the text ends with this"),
              word("isFresh()", "whether the newest value is younger than its usual interval")));

  private Language() {}

  private static FormulaWord word(String text, String summary) {
    return new FormulaWord(text, summary);
  }
}
