package io.peerlens.supermetrics.formula;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Parsed formula: its text, its tree and its issues. Immutable.
 *
 * <p>The language is that of super metrics in vRealize Operations 6.0 to VCF Operations 9.1, with
 * its older spellings; see docs/formula-language.md.
 */
public final class Formula {

  /**
   * Options of parsing.
   *
   * @param limits how large it may be
   * @param strict whether {@code where="... && ..."} is an error; vROps takes it and finds no data.
   *     If not, what follows the operator is part of the text that is compared.
   * @param vocabulary what the installation knows; null = do not ask
   * @param self the super metric itself, to warn where it reads its own last value; null = not
   *     known
   * @param assigned kinds it is computed for, to look for its own keys there
   */
  public record Options(
      FormulaLimits limits,
      boolean strict,
      @Nullable Vocabulary vocabulary,
      @Nullable UUID self,
      List<ObjectKind> assigned) {

    /** Default limits, strict, without an installation. */
    public static final Options DEFAULT =
        new Options(FormulaLimits.DEFAULT, true, null, null, List.of());

    public Options {
      assigned = List.copyOf(assigned);
    }
  }

  private final String text;
  private final Expr tree;
  private final Map<String, Expr.Named> names;
  private final List<Issue> issues;

  private Formula(String text, Expr tree, Map<String, Expr.Named> names, List<Issue> issues) {
    this.text = text;
    this.tree = tree;
    this.names = Map.copyOf(names);
    this.issues = issues;
  }

  /** Reads a formula with the default options. Never fails: mistakes are issues. */
  public static Formula parse(String text) {
    return parse(text, Options.DEFAULT);
  }

  /**
   * Reads a formula. Never fails: mistakes are issues. The time it takes grows with the length of
   * the text, and the text is not read at all if it is longer than allowed.
   */
  public static Formula parse(String text, Options options) {
    Issues issues = new Issues();
    int longest = options.limits().length();
    if (text.length() > longest) {
      Span at = new Span(longest, text.length());
      issues.error(
          Issue.Code.TOO_LARGE,
          at,
          String.format(
              Locale.ROOT,
              "the formula has %,d characters, %,d are allowed",
              text.length(),
              longest),
          "split it into several super metrics");
      return new Formula(text, new Expr.Bad(at), Map.of(), issues.list());
    }
    Parser.Parsed parsed = Parser.formula(text, issues, options.limits(), options.strict());
    if (!issues.hasErrors()) {
      Checker checker = new Checker(parsed.names(), issues, options.vocabulary(), options.self());
      checker.check(parsed.tree());
      checker.checkOwnKeys(options.assigned());
    }
    return new Formula(text, parsed.tree(), parsed.names(), issues.list());
  }

  /** The formula as a text, with no more parentheses than needed. */
  public static String print(Expr tree) {
    return Printer.print(tree);
  }

  public String text() {
    return text;
  }

  /** Its tree; holds {@link Expr.Bad} where it could not be read. */
  public Expr tree() {
    return tree;
  }

  /** Whether it can be computed: it has no errors, though perhaps warnings. */
  public boolean isValid() {
    return issues.stream().noneMatch(Issue::isError);
  }

  /** In the order of the text. */
  public List<Issue> issues() {
    return issues;
  }

  /** What an alias stands for; null = nobody gave it. Letter case does not count. */
  public @Nullable Expr named(String alias) {
    Expr.Named named = names.get(alias.toLowerCase(Locale.ROOT));
    return named == null ? null : named.of();
  }

  /** Every issue with its line and a caret, errors and warnings. */
  public String render() {
    return String.join("\n", issues.stream().map(issue -> issue.render(text)).toList());
  }
}
