package io.peerlens.outlier.judge;

import io.peerlens.flow.FlowHistoryQueries;
import io.peerlens.frame.Means;
import io.peerlens.ingest.flow.FlowMetric;
import io.peerlens.ingest.flow.FlowPart;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Past values of members, from samples or flows. Metrics of single services are stored only since a
 * group asks for them; what is before that is made of the flows that are kept, so that a group has
 * a past when it is new, and a preview when it is not there yet. Thread-safe.
 */
public final class PeerValues {

  private final Means means;
  private final FlowHistoryQueries flows;

  public PeerValues(Means means, FlowHistoryQueries flows) {
    this.means = means;
    this.flows = flows;
  }

  /**
   * Reads buckets that follow one another, as {@link Means#read}.
   *
   * @return {@code [key][bucket][object]}; NaN = no value in the bucket
   */
  public double[][][] read(
      ObjectKind kind,
      List<String> keys,
      int[] objects,
      Instant from,
      int buckets,
      Duration width) {
    List<Integer> places = new ArrayList<>();
    List<FlowMetric.Of> metrics = new ArrayList<>();
    for (int k = 0; k < keys.size(); k++) {
      FlowMetric.Of flow = FlowMetric.parse(keys.get(k));
      if (flow != null && flow.part().isOnDemand()) {
        places.add(k);
        metrics.add(flow);
      }
    }
    if (places.isEmpty()) {
      return means.read(wanted(kind, keys, objects), from, buckets, width).getFirst();
    }
    List<String> withTotal = new ArrayList<>(keys);
    withTotal.add(FlowMetric.BYTES_RX_RATE.key(FlowPart.ALL));
    double[][][] values =
        means.read(wanted(kind, withTotal, objects), from, buckets, width).getFirst();
    double[][] total = values[keys.size()];
    double[][][] read = new double[keys.size()][][];
    System.arraycopy(values, 0, read, 0, read.length);
    fill(read, places, metrics, total, objects, from, width);
    return read;
  }

  private static List<Means.Wanted> wanted(ObjectKind kind, List<String> keys, int[] objects) {
    return List.of(new Means.Wanted(kind, keys, objects));
  }

  /** Where a member has flows, but the metric was not stored yet. */
  private void fill(
      double[][][] values,
      List<Integer> places,
      List<FlowMetric.Of> metrics,
      double[][] total,
      int[] objects,
      Instant from,
      Duration width) {
    int first = Integer.MAX_VALUE;
    int last = -1;
    for (int place : places) {
      for (int b = 0; b < total.length; b++) {
        for (int i = 0; i < objects.length; i++) {
          if (Double.isNaN(values[place][b][i]) && !Double.isNaN(total[b][i])) {
            first = Math.min(first, b);
            last = Math.max(last, b);
          }
        }
      }
    }
    if (last < 0) {
      return;
    }
    Instant begin = from.plus(width.multipliedBy(first));
    double[][][] made = flows.read(metrics, objects, begin, last - first + 1, width);
    for (int p = 0; p < made.length; p++) {
      double[][] of = values[places.get(p)];
      for (int b = first; b <= last; b++) {
        for (int i = 0; i < objects.length; i++) {
          if (Double.isNaN(of[b][i]) && !Double.isNaN(total[b][i])) {
            of[b][i] = (float) made[p][b - first][i];
          }
        }
      }
    }
  }
}
