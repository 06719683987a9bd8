package io.peerlens.alert;

import io.peerlens.api.model.MomentSpan;
import io.peerlens.api.model.TextSpan;
import io.peerlens.threshold.Condition;
import io.peerlens.threshold.Severity;
import io.peerlens.words.Sentence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finding of a definition for an object at a tick.
 *
 * @param members the symptoms that led there, worst first; empty only where a condition holds
 *     because something is absent
 * @param since the earliest sample that led there
 * @param explained what is to be said of it; null = what its members say
 */
public record Finding(
    Severity severity, Instant since, List<Member> members, @Nullable Explained explained) {

  public Finding {
    members = members.stream().sorted(Member.WORST_FIRST).toList();
  }

  /** Explanation text, with the places that are written bold and those that name moments. */
  public record Explained(String text, List<TextSpan> strong, List<MomentSpan> moments) {

    /** Nothing is to be said. */
    public static final Explained NOTHING = new Explained("", List.of(), List.of());

    public Explained {
      strong = List.copyOf(strong);
      moments = List.copyOf(moments);
    }

    /** Goes on with what is said of something else. */
    Explained and(Explained more) {
      if (text.isEmpty() || more.text.isEmpty()) {
        return text.isEmpty() ? more : this;
      }
      Sentence both = new Sentence();
      both.add(text, strong, moments);
      Sentence other = new Sentence();
      other.add(more.text, more.strong, more.moments);
      both.add(" ").add(other);
      return new Explained(both.text(), both.strong(), both.moments());
    }
  }

  /** What two findings of one object say together; that of the other one comes after this one's. */
  public Finding and(Finding other) {
    List<Member> all = new ArrayList<>(members);
    all.addAll(other.members);
    return new Finding(
        severity.compareTo(other.severity) >= 0 ? severity : other.severity,
        since.isBefore(other.since) ? since : other.since,
        all,
        explained == null || other.explained == null
            ? explained == null ? other.explained : explained
            : explained.and(other.explained));
  }

  static Finding of(Severity severity, List<Member> members, Instant tick) {
    Instant since = members.stream().map(Member::since).min(Comparator.naturalOrder()).orElse(tick);
    return new Finding(severity, since, members, null);
  }

  /** Tells whether the same symptoms are members, whatever their order and values. */
  long print() {
    long print = members.size();
    for (Member member : members) {
      print += member.identity().print();
    }
    return print;
  }

  /** Whether all of its symptoms are missing data. */
  boolean silent() {
    return !members.isEmpty()
        && members.stream().allMatch(member -> member.operator().equals(Condition.NO_DATA));
  }

  /** Whether none of its symptoms has a value now, so that it neither opens nor closes anything. */
  boolean unknown() {
    return !members.isEmpty() && members.stream().allMatch(Member::unknown);
  }
}
