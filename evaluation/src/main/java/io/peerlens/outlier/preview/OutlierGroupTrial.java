package io.peerlens.outlier.preview;

import io.peerlens.api.model.Severity;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.judge.PeerValues;
import io.peerlens.outliers.Event;
import io.peerlens.outliers.PeerGroup;
import io.peerlens.outliers.Replay;
import io.peerlens.outliers.Settings;
import io.peerlens.supermetric.RuleTrial;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A group of peers on its way through the past, with the values of two formulas. A bucket has the
 * mean of what was computed in it; the buckets before the range are learned from.
 */
final class OutlierGroupTrial implements RuleTrial {

  /** Moments are not closer than so many of them allow. */
  private static final long MOMENTS = 5_000;

  private static final List<Duration> STEPS =
      List.of(
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(10),
          Duration.ofMinutes(15),
          Duration.ofMinutes(30));

  private final OutlierGroup group;
  private final Settings settings;
  private final PreviewMembers.Members members;
  private final PeerValues past;
  private final int[] ids;
  private final Instant begin;
  private final int learned;
  private final int buckets;
  private final Duration step;
  private final @Nullable String problem;
  private final List<@Nullable Sums> stored = new ArrayList<>();
  private final List<@Nullable Sums> edited = new ArrayList<>();
  private @Nullable ObjectGraph graph;
  private int[] numbers = {};

  /**
   * @param superMetrics whose values are computed
   * @param from first bucket that may raise events
   * @param asked how many there are
   * @param learned buckets before that
   * @param problem why it cannot be judged; null = it can
   */
  OutlierGroupTrial(
      OutlierGroup group,
      Settings settings,
      PreviewMembers.Members members,
      PeerValues past,
      Set<UUID> superMetrics,
      Instant from,
      int asked,
      int learned,
      @Nullable String problem) {
    this.group = group;
    this.settings = settings;
    this.members = members;
    this.past = past;
    this.ids = members.ids();
    this.learned = learned;
    this.buckets = learned + asked;
    this.begin = from.minus(group.bucket().multipliedBy(learned));
    this.step = step(group.bucket(), buckets);
    this.problem = problem;
    for (String key : group.keys()) {
      UUID id = Keys.superMetric(key);
      boolean computed = problem == null && id != null && superMetrics.contains(id);
      stored.add(computed ? new Sums(buckets, ids.length) : null);
      edited.add(computed ? new Sums(buckets, ids.length) : null);
    }
  }

  private static Duration step(Duration bucket, long buckets) {
    for (Duration step : STEPS) {
      long each = bucket.toMillis() / step.toMillis();
      if (each > 0 && bucket.toMillis() % step.toMillis() == 0 && buckets * each <= MOMENTS) {
        return step;
      }
    }
    return bucket;
  }

  /** Sums on the way to means. */
  private static final class Sums {
    private final double[][] sums;
    private final int[][] counts;

    Sums(int buckets, int members) {
      sums = new double[buckets][members];
      counts = new int[buckets][members];
    }

    void add(int bucket, int member, double value) {
      sums[bucket][member] += value;
      counts[bucket][member]++;
    }

    /** To be called once. */
    double[][] values() {
      for (int b = 0; b < sums.length; b++) {
        for (int i = 0; i < sums[b].length; i++) {
          sums[b][i] = counts[b][i] == 0 ? Double.NaN : (float) (sums[b][i] / counts[b][i]);
        }
      }
      return sums;
    }
  }

  @Override
  public UUID id() {
    return group.id();
  }

  @Override
  public String name() {
    return group.name();
  }

  @Override
  public @Nullable String problem() {
    return problem;
  }

  @Override
  public Instant from() {
    return begin;
  }

  @Override
  public Duration step() {
    return step;
  }

  @Override
  public Set<Input> inputs() {
    return Set.of();
  }

  @Override
  public void take(Frame before, Frame after) {
    long bucket = Math.floorDiv(before.time() - begin.toEpochMilli(), group.bucket().toMillis());
    if (bucket < 0 || bucket >= buckets) {
      return;
    }
    if (graph != before.objects()) {
      graph = before.objects();
      numbers = Arrays.stream(ids).map(id -> before.objects().number(group.kind(), id)).toArray();
    }
    add(stored, (int) bucket, before);
    add(edited, (int) bucket, after);
  }

  private void add(List<@Nullable Sums> means, int bucket, Frame frame) {
    for (int m = 0; m < means.size(); m++) {
      Sums of = means.get(m);
      Column column = of == null ? null : frame.column(group.kind(), group.metrics().get(m).key());
      for (int i = 0; of != null && column != null && i < numbers.length; i++) {
        double value = numbers[i] < 0 ? Double.NaN : column.numbers()[numbers[i]];
        if (!Double.isNaN(value)) {
          of.add(bucket, i, value);
        }
      }
    }
  }

  @Override
  public Outcome outcome() {
    List<String> others = new ArrayList<>();
    for (int m = 0; m < stored.size(); m++) {
      if (stored.get(m) == null) {
        others.add(group.metrics().get(m).key());
      }
    }
    double[][][] read =
        others.isEmpty()
            ? new double[0][][]
            : past.read(group.kind(), others, ids, begin, buckets, group.bucket());
    return new Outcome(ids.length, judge(stored, read), judge(edited, read));
  }

  private List<Episode> judge(List<@Nullable Sums> means, double[][][] others) {
    double[][][] values = new double[means.size()][][];
    int next = 0;
    for (int m = 0; m < values.length; m++) {
      Sums of = means.get(m);
      values[m] = of == null ? others[next++] : of.values();
    }
    PeerGroup engine = new PeerGroup(settings, ids);
    long width = group.bucket().toMillis();
    Replay replay =
        Replay.run(
            engine, begin.toEpochMilli() + width, values, learned, members.expecting(engine));
    return replay.events().stream().map(event -> episode(event, width)).toList();
  }

  private Episode episode(Event event, long width) {
    return new Episode(
        event.member() == Event.GROUP ? null : event.member(),
        "",
        Instant.ofEpochMilli(event.since() - width),
        event.closedAt() == 0 ? null : Instant.ofEpochMilli(event.closedAt()),
        Severity.valueOf(group.severity().name()));
  }
}
