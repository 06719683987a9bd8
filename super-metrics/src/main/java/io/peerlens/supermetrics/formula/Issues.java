package io.peerlens.supermetrics.formula;

import io.peerlens.supermetrics.formula.Issue.Code;
import io.peerlens.supermetrics.formula.Issue.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Issues of one formula, up to a number that somebody would still read. */
final class Issues {

  private static final int MOST = 20;

  private final List<Issue> found = new ArrayList<>();

  void error(Code code, Span at, String message) {
    error(code, at, message, null);
  }

  void error(Code code, Span at, String message, @Nullable String hint) {
    add(new Issue(Severity.ERROR, code, at, message, hint));
  }

  void warning(Code code, Span at, String message, @Nullable String hint) {
    add(new Issue(Severity.WARNING, code, at, message, hint));
  }

  private void add(Issue issue) {
    if (issue.code() == Code.SYNTAX && found.stream().anyMatch(one -> samePlace(one, issue))) {
      return; // how reading goes on there is no news
    }
    if (found.size() < MOST || (issue.isError() && found.stream().noneMatch(Issue::isError))) {
      found.add(issue);
    }
  }

  private static boolean samePlace(Issue one, Issue other) {
    return one.isError() && one.at().start() == other.at().start();
  }

  /** Whether there are so many that a further warning would not be reported. */
  boolean isFull() {
    return found.size() >= MOST;
  }

  boolean hasErrors() {
    return found.stream().anyMatch(Issue::isError);
  }

  /** In the order of the text, errors first where they share a place. */
  List<Issue> list() {
    return found.stream()
        .distinct()
        .sorted(
            Comparator.comparingInt((Issue issue) -> issue.at().start())
                .thenComparing(Issue::severity))
        .toList();
  }
}
