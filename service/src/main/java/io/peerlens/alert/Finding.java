package io.peerlens.alert;

import io.peerlens.threshold.Severity;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * What a definition finds wrong with an object at a tick.
 *
 * @param members the symptoms that led there, worst first; empty only where a condition holds
 *     because something is absent
 * @param since the earliest sample that led there
 */
record Finding(Severity severity, Instant since, List<Member> members) {

  Finding {
    members = members.stream().sorted(Member.WORST_FIRST).toList();
  }

  static Finding of(Severity severity, List<Member> members, Instant tick) {
    Instant since = members.stream().map(Member::since).min(Comparator.naturalOrder()).orElse(tick);
    return new Finding(severity, since, members);
  }

  /** Tells whether the same symptoms are members, whatever their order and values. */
  long print() {
    long print = members.size();
    for (Member member : members) {
      print += member.identity().print();
    }
    return print;
  }

  /** Whether none of its symptoms has a value now, so that it neither opens nor closes anything. */
  boolean unknown() {
    return !members.isEmpty() && members.stream().allMatch(Member::unknown);
  }
}
