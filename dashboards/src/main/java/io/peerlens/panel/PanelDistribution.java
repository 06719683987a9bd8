package io.peerlens.panel;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelBucket;
import io.peerlens.dashboard.file.Column.Colour;
import io.peerlens.dashboard.file.Column.State;
import io.peerlens.dashboard.file.Question;
import io.peerlens.dashboard.file.Select.Op;
import io.peerlens.panel.PanelRun.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How the values of a column are distributed. */
final class PanelDistribution {

  private static final int MOST_BUCKETS = 50;

  private final PanelInput input;
  private final PanelAnswer answer;
  private final PanelRun run;

  PanelDistribution(PanelInput input, PanelAnswer answer, PanelRun run) {
    this.input = input;
    this.answer = answer;
    this.run = run;
  }

  void distribution() {
    Table all = run.whole();
    Question question = input.question();
    Question.Buckets buckets = question.buckets();
    List<Cells> visible = PanelRun.visible(all);
    Cells cells =
        all.cells().stream()
            .filter(
                one ->
                    buckets == null
                        ? one == visible.getFirst()
                        : one.column().name().equals(buckets.of()))
            .findFirst()
            .orElse(visible.getFirst());
    Question.Buckets.By by =
        buckets != null
            ? buckets.by()
            : cells.isText() ? Question.Buckets.By.VALUES : Question.Buckets.By.EQUAL;
    List<PanelBucket> found =
        cells.isText() || by == Question.Buckets.By.VALUES
            ? valueBuckets(cells, all.rows())
            : boundBuckets(cells, bounds(cells, by, buckets));
    answer.setBuckets(found);
    answer.setColumns(run.columnsOf(List.of(cells)));
    run.objectsOf(all, all.rows());
  }

  private List<PanelBucket> valueBuckets(Cells cells, Rows rows) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    Map<String, Integer> firstRow = new HashMap<>();
    for (int row = 0; row < rows.size(); row++) {
      String text = Objects.requireNonNullElse(cells.text(row), "");
      counts.merge(text, 1, Integer::sum);
      firstRow.putIfAbsent(text, row);
    }
    @Nullable State[] states = States.of(cells, rows, Map.of(), null);
    List<Map.Entry<String, Integer>> sorted = new ArrayList<>(counts.entrySet());
    sorted.sort(
        Map.Entry.<String, Integer>comparingByValue()
            .reversed()
            .thenComparing(Map.Entry.comparingByKey()));
    List<PanelBucket> buckets = new ArrayList<>();
    int others = 0;
    for (Map.Entry<String, Integer> one : sorted) {
      if (buckets.size() >= MOST_BUCKETS) {
        others += one.getValue();
        continue;
      }
      buckets.add(
          new PanelBucket(
              one.getKey().isEmpty() ? "not known" : one.getKey(),
              one.getValue(),
              States.shown(states[Objects.requireNonNull(firstRow.get(one.getKey()))]),
              one.getKey().isEmpty()
                  ? slice(cells, Op.NOT_EXISTS, null)
                  : slice(cells, Op.EQUAL, one.getKey())));
    }
    if (others > 0) {
      run.note(
          "rows-left-out",
          "%,d rows have one of %,d rarer values"
              .formatted(others, sorted.size() - buckets.size()));
    }
    return buckets;
  }

  private static double[] bounds(
      Cells cells, Question.Buckets.By by, Question.@Nullable Buckets buckets) {
    double[] values = Arrays.stream(cells.numbers()).filter(Double::isFinite).sorted().toArray();
    if (by == Question.Buckets.By.BOUNDS && buckets != null) {
      return buckets.bounds().stream().mapToDouble(Double::doubleValue).toArray();
    }
    if (values.length == 0 || values[0] == values[values.length - 1]) {
      return new double[0];
    }
    int count = buckets == null ? 10 : buckets.count();
    double least = values[0];
    double width = (values[values.length - 1] - least) / count;
    double[] bounds = new double[count - 1];
    Arrays.setAll(bounds, i -> least + width * (i + 1));
    return bounds;
  }

  private List<PanelBucket> boundBuckets(Cells cells, double[] bounds) {
    int[] counts = new int[bounds.length + 1];
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    int missing = 0;
    for (double value : cells.numbers()) {
      if (!Double.isFinite(value)) {
        missing++;
        continue;
      }
      int at = Arrays.binarySearch(bounds, value);
      counts[at >= 0 ? at + 1 : -at - 1]++;
      least = Math.min(least, value);
      greatest = Math.max(greatest, value);
    }
    List<PanelBucket> buckets = new ArrayList<>();
    for (int b = 0; b < counts.length; b++) {
      double from = b == 0 ? least : bounds[b - 1];
      double to = b == bounds.length ? greatest : bounds[b];
      State state =
          cells.column().colour() instanceof Colour.Bounds colours && Double.isFinite(from)
              ? colours.state(colours.above() ? from : to)
              : null;
      String label =
          counts.length == 1
              ? number(from)
              : b == 0
                  ? "below " + number(bounds[0])
                  : b == bounds.length
                      ? number(bounds[b - 1]) + " and more"
                      : number(from) + " to " + number(to);
      PanelBucket bucket =
          new PanelBucket(
              label,
              counts[b],
              States.shown(state),
              b == 0 && counts.length > 1
                  ? slice(cells, Op.LESS, bounds[0])
                  : b == bounds.length
                      ? slice(cells, Op.GREATER_OR_EQUAL, from)
                      : slice(cells, Op.GREATER_OR_EQUAL, from, Op.LESS, to));
      if (Double.isFinite(from) && b > 0) {
        bucket.setLeast(from);
      }
      if (Double.isFinite(to) && b < bounds.length) {
        bucket.setBeyond(to);
      }
      buckets.add(bucket);
    }
    if (missing > 0) {
      run.note("not-all-report", "%,d rows have no value".formatted(missing));
    }
    return buckets;
  }

  /** Empty = conditions cannot say what the column shows. Values are in the metric's own unit. */
  private static String slice(Cells cells, @Nullable Object... pairs) {
    if (!Slices.canBeWritten(cells.column())) {
      return "";
    }
    for (int i = 1; i < pairs.length; i += 2) {
      if (pairs[i] instanceof Double number) {
        pairs[i] = number / cells.factor();
      }
    }
    return Slices.write(cells.column(), pairs);
  }

  private static String number(double value) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    return new java.math.BigDecimal(value)
        .round(new java.math.MathContext(4))
        .stripTrailingZeros()
        .toPlainString();
  }
}
