package io.peerlens.sizing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Proof that a machine waits.
 *
 * @param hoursPerWeek hours a week in which the sign was at or beyond its bound
 * @param p95 of the sign over the whole time, in its unit
 */
public record Evidence(Sign sign, double hoursPerWeek, double p95) {

  /** A sign that shows for less than this is no proof. */
  static final double HOURS_PER_WEEK = 1;

  /** The signs of a resource that are proof, the one with most hours first. */
  static List<Evidence> of(Grid grid, Map<Sign, double[]> signs, Sign.Resource resource) {
    List<Evidence> proof = new ArrayList<>();
    signs.forEach(
        (sign, column) -> {
          if (sign.resource == resource) {
            double[] sorted = grid.sorted(grid.checked(column, sign.words), false);
            double hours = Regret.hoursPerWeek(sorted, Math.nextDown(sign.bound));
            if (hours >= HOURS_PER_WEEK) {
              proof.add(new Evidence(sign, hours, Quantiles.of(sorted, 0.95)));
            }
          }
        });
    proof.sort(Comparator.comparingDouble(Evidence::hoursPerWeek).reversed());
    return List.copyOf(proof);
  }

  String words() {
    return sign.words
        + " of "
        + Say.number(sign.bound)
        + " "
        + sign.unit
        + " or more for "
        + Say.number(hoursPerWeek)
        + " h a week";
  }
}
