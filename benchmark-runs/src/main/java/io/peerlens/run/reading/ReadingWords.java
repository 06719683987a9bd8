package io.peerlens.run.reading;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parts of sentences about readings. */
final class ReadingWords {

  private ReadingWords() {}

  static String limit(double limit, Curve.Latency latency) {
    return Wording.value(limit, "ms") + " (" + latency.words() + ")";
  }

  static String perNode(@Nullable Double share, String unit) {
    if (share == null) {
      return "";
    }
    String each = Wording.estimate(share, unit);
    return ", " + (unit.equals("IO/s") ? each.replace(" IOPS", "") : each) + " per node";
  }

  static String told(List<String> remarks) {
    return remarks.isEmpty() ? "" : " " + String.join(" ", remarks);
  }
}
