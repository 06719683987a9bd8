package io.peerlens.supermetrics.formula;

/**
 * FormulaLimits on the size of a formula. The longest of 499 published ones has some 4,000
 * characters.
 *
 * @param length most characters
 * @param nesting most parentheses, brackets, calls and conditions within each other
 * @param operators most operators between two values; a long sum is a deep tree
 * @param entries most <code>${...}</code>
 */
public record FormulaLimits(int length, int nesting, int operators, int entries) {

  /** 20,000 characters, 100 levels, 1,000 operators, 200 entries. */
  public static final FormulaLimits DEFAULT = new FormulaLimits(20_000, 100, 1_000, 200);

  public FormulaLimits {
    if (length < 1 || nesting < 1 || operators < 1 || entries < 1) {
      throw new IllegalArgumentException("limits of a formula start at 1");
    }
  }
}
