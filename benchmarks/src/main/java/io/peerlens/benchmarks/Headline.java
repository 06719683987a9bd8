package io.peerlens.benchmarks;

import java.util.List;

/**
 * A row of the summary of a page of accuracy: what somebody who has a minute wants to know.
 *
 * @param what set and measure
 * @param ours Peerlens' figure, with its interval
 * @param other the best figure of another method, and which it is
 * @param lead how far Peerlens is ahead of that one, with its interval; below 0 behind
 */
public record Headline(String what, String ours, String other, String lead) {

  /** The rows as a table. */
  static String table(List<Headline> rows) {
    StringBuilder table = new StringBuilder();
    table.append("| set and measure | Peerlens (95 %) | best other | ahead by (95 %) |\n");
    table.append("|---|---|---|---|\n");
    for (Headline row : rows) {
      table.append(
          String.format("| %s | %s | %s | %s |\n", row.what, row.ours, row.other, row.lead));
    }
    return table.toString();
  }
}
