package io.peerlens.threshold;

import java.util.ArrayList;
import java.util.List;

/** The life of a symptom as the documentation tells it, over a list of all samples. */
final class AllSamples {

  private record Sample(long time, int over, int held) {}

  private final Trigger trigger;
  private final List<Sample> samples = new ArrayList<>();
  private int severity;
  private int fellAt; // number of samples when the severity was what it is for the first time
  private long since;

  AllSamples(Trigger trigger) {
    this.trigger = trigger;
  }

  int severity() {
    return severity;
  }

  long since() {
    return since;
  }

  void count(long time, int over, int held) {
    if (!samples.isEmpty() && time <= samples.getLast().time()) {
      return;
    }
    samples.add(new Sample(time, over, held));
    for (int level = over; level > severity; level--) {
      if (violations(level) >= trigger.violations()
          && time - runBegin(level) >= trigger.minimumDuration().toMillis()) {
        since = severity == 0 ? runBegin(1) : since;
        become(level);
        return;
      }
    }
    int good = 0;
    int worst = 0;
    for (int i = samples.size() - 1; i >= fellAt; i--) {
      if (samples.get(i).held() >= severity) {
        break;
      }
      good++;
      worst = Math.max(worst, samples.get(i).held());
    }
    if (severity > 0 && good >= trigger.clearAfter()) {
      become(worst);
    }
  }

  private void become(int level) {
    severity = level;
    fellAt = samples.size();
  }

  private int violations(int level) {
    return (int)
        samples.subList(Math.max(0, samples.size() - trigger.of()), samples.size()).stream()
            .filter(sample -> sample.over() >= level)
            .count();
  }

  /** Time of the first violation before which so many samples as are looked at were good. */
  private long runBegin(int level) {
    long begin = 0;
    int goodBefore = trigger.of();
    for (Sample sample : samples) {
      if (sample.over() >= level) {
        begin = goodBefore >= trigger.of() ? sample.time() : begin;
        goodBefore = 0;
      } else {
        goodBefore++;
      }
    }
    return begin;
  }
}
