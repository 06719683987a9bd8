package io.peerlens.planning.sizing;

import io.peerlens.frame.Means;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reader of histories, hour by hour. Thread-safe. */
final class HistoryReader {

  static final ObjectKind VM = new ObjectKind("VMWARE", "VirtualMachine");
  static final ObjectKind HOST = new ObjectKind("VMWARE", "HostSystem");
  static final ObjectKind CLUSTER = new ObjectKind("VMWARE", "ClusterComputeResource");

  private static final Duration HOUR = Duration.ofHours(1);

  /** Last values may be so old. */
  private static final Duration LATELY = Duration.ofDays(7);

  private final Means means;

  HistoryReader(Means means) {
    this.means = means;
  }

  /** Histories of machines, in their order. */
  List<History> read(int[] machines, Instant from, int hours) {
    List<String> keys =
        Arrays.stream(Measure.values()).flatMap(measure -> measure.keys.stream()).toList();
    double[][][] values = columns(VM, keys, machines, from, hours);
    List<String> lastKeys =
        Arrays.stream(Measure.Last.values()).flatMap(last -> last.keys.stream()).toList();
    double[][] last = last(VM, lastKeys, machines, from.plus(HOUR.multipliedBy(hours)));
    List<History> histories = new ArrayList<>();
    for (int m = 0; m < machines.length; m++) {
      History history = History.empty();
      int at = 0;
      for (Measure measure : Measure.values()) {
        double[] column = null;
        for (String key : measure.keys) {
          double[] one = values[at++][m];
          if (column == null && !Double.isNaN(History.last(one))) {
            column = one;
            history.keys().put(measure, key);
            for (int i = 0; i < column.length; i++) {
              // Counters are never below 0; what is comes from one that was set back.
              column[i] = column[i] >= 0 ? column[i] * measure.factor : Double.NaN;
            }
          }
        }
        history.columns().put(measure, column == null ? nothing(hours) : column);
      }
      at = 0;
      for (Measure.Last what : Measure.Last.values()) {
        double value = Double.NaN;
        for (int k = 0; k < what.keys.size(); k++, at++) {
          value = Double.isNaN(value) ? last[at][m] * what.factor : value;
        }
        history.last().put(what, value >= 0 ? value : Double.NaN);
      }
      histories.add(history);
    }
    return histories;
  }

  /** Hours of some keys: {@code [key][object][hour]}. */
  double[][][] columns(ObjectKind kind, List<String> keys, int[] objects, Instant from, int hours) {
    double[][][] read =
        means.read(List.of(new Means.Wanted(kind, keys, objects)), from, hours, HOUR).getFirst();
    double[][][] columns = new double[keys.size()][objects.length][hours];
    for (int k = 0; k < columns.length; k++) {
      for (int h = 0; h < hours; h++) {
        for (int o = 0; o < objects.length; o++) {
          columns[k][o][h] = read[k][h][o];
        }
      }
    }
    return columns;
  }

  /** The last values of some keys before a moment: {@code [key][object]}; NaN = none lately. */
  double[][] last(ObjectKind kind, List<String> keys, int[] objects, Instant to) {
    double[][][] columns = columns(kind, keys, objects, to.minus(LATELY), (int) LATELY.toHours());
    double[][] last = new double[keys.size()][objects.length];
    for (int k = 0; k < last.length; k++) {
      for (int o = 0; o < objects.length; o++) {
        last[k][o] = History.last(columns[k][o]);
      }
    }
    return last;
  }

  private static double[] nothing(int hours) {
    double[] column = new double[hours];
    Arrays.fill(column, Double.NaN);
    return column;
  }
}
