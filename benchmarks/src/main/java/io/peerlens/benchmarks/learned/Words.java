package io.peerlens.benchmarks.learned;

/** The words around the figures. */
final class Words {

  static final String BEFORE = "BEFORE EQUAL\n\n";
  static final String BETWEEN = "\nBETWEEN\n\n";
  static final String AFTER = "\nAFTER COST\n";

  private Words() {}
}
