package io.peerlens.incident;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;

/**
 * An alert as far as its cause is judged.
 *
 * @param rule name of its definition
 * @param object what it is about, by internal number
 * @param key the metric that weighs most; empty = none
 * @param resource what of the object it is about
 * @param above whether too much is the matter, not too little or something else
 * @param severity 1 = information to 4 = critical
 * @param since when the first value came that led to it
 * @param members objects whose symptoms it holds; it sums these up if its own object is not among
 *     them
 */
record OpenAlert(
    UUID id,
    long number,
    UUID definition,
    String rule,
    int object,
    String key,
    Resource resource,
    boolean above,
    int severity,
    Instant since,
    Set<Integer> members) {

  OpenAlert {
    members = Set.copyOf(members);
  }
}
