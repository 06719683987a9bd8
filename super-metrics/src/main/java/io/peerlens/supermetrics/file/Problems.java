package io.peerlens.supermetrics.file;

import java.util.ArrayList;
import java.util.List;

/** Problems of a file as they are found: all are counted, and as many are kept as are reported. */
final class Problems {

  private final int most;
  private final List<Problem> kept = new ArrayList<>();
  private int count;

  Problems(FileLimits limits) {
    this.most = limits.problems();
  }

  void add(Place place, String text) {
    count++;
    if (kept.size() < most) {
      kept.add(new Problem(place, text));
    }
  }

  void addAll(Problems others) {
    count += others.count;
    kept.addAll(others.kept.subList(0, Math.min(others.kept.size(), most - kept.size())));
  }

  int count() {
    return count;
  }

  List<Problem> kept() {
    return kept;
  }
}
