package io.peerlens.evaluation;

import java.util.List;

/** Where the evaluation loop finds the super metrics that are switched on. */
public interface SuperMetricRules {

  /** Another number whenever any of them has changed; asked on every tick. */
  long version();

  /** All that are switched on and whose formula is valid, in any order. */
  List<SuperMetricRule> rules();
}
