package io.peerlens.threshold;

import io.peerlens.supermetrics.program.Frame;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Stretches of the past in which symptoms of one threshold were open. Not thread-safe. */
final class Episodes {

  private final Tracker tracker;
  private final boolean isDownwards;
  private final Map<Tracked, Episode> open = new IdentityHashMap<>();
  private final List<Episode> all = new ArrayList<>();
  private long tick;
  private int severityChanges;
  private int severityReturns;

  Episodes(Tracker tracker) {
    this.tracker = tracker;
    Operator operator = tracker.threshold().condition().operator();
    this.isDownwards = operator != null && operator.isDownwards();
  }

  /** Stretch of time with an open symptom. */
  static final class Episode {
    static final long STILL_OPEN = Long.MAX_VALUE;

    final int objectId;
    final String instance;
    final long from;
    long to = STILL_OPEN;
    int severity;
    double peak = Double.NaN;
    private int severityNow;
    private boolean hasFallen;

    private Episode(Tracked one, long from) {
      this.objectId = one.objectId;
      this.instance = one.instance;
      this.from = from;
    }

    boolean isOver() {
      return to != STILL_OPEN;
    }
  }

  Tracker tracker() {
    return tracker;
  }

  /** In the order in which they began. */
  List<Episode> all() {
    return all;
  }

  /** How often the severity of an open symptom changed. */
  int severityChanges() {
    return severityChanges;
  }

  /** How many of these changes were rises after a fall. */
  int severityReturns() {
    return severityReturns;
  }

  /** Goes on by one moment. */
  void run(Frame frame) {
    tick = frame.time();
    tracker.run(
        frame,
        new Tracker.Listener() {
          @Override
          public void changed(Tracked one) {
            moved(one, one.state.severity());
          }

          @Override
          public void gone(Tracked one) {
            moved(one, 0);
          }
        });
    open.forEach(this::follow);
  }

  private void moved(Tracked one, int severity) {
    Episode episode = open.get(one);
    if (severity > 0 && episode == null) {
      Episode begun = new Episode(one, tick);
      begun.severityNow = severity;
      open.put(one, begun);
      all.add(begun);
    } else if (severity == 0 && episode != null) {
      episode.to = tick;
      open.remove(one);
    } else if (episode != null && severity != episode.severityNow) {
      severityChanges++;
      severityReturns += severity > episode.severityNow && episode.hasFallen ? 1 : 0;
      episode.hasFallen |= severity < episode.severityNow;
      episode.severityNow = severity;
    }
  }

  private void follow(Tracked one, Episode episode) {
    episode.severity = Math.max(episode.severity, one.state.severity());
    double value = one.value;
    if (Double.isNaN(episode.peak) || (isDownwards ? value < episode.peak : value > episode.peak)) {
      episode.peak = value;
    }
  }
}
