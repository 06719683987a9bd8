package io.peerlens.outlier.judge;

import static java.util.Objects.requireNonNull;

import io.peerlens.api.model.LearningState;
import io.peerlens.api.model.OutlierUsual;
import io.peerlens.baselines.Band;
import io.peerlens.baselines.BandLearner;
import io.peerlens.database.Rows;
import io.peerlens.outlier.group.CloseReason;
import io.peerlens.outliers.Change;
import io.peerlens.outliers.Event;
import io.peerlens.outliers.GroupShift;
import io.peerlens.outliers.GroupShift.Usual;
import io.peerlens.outliers.GroupState;
import io.peerlens.outliers.Judgement;
import io.peerlens.outliers.PeerGroup;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.words.MetricNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleBiFunction;
import org.jspecify.annotations.Nullable;

/** Judge of the buckets of one group, in order, with the rows that follow from them. */
final class BucketJudge {

  private static final Duration HOUR = Duration.ofHours(1);

  private final OutlierExplanations explanations;
  private final EventRows rows;
  private final LongSupplier nanos;

  BucketJudge(MetricNames names, OutlierExplanations explanations, LongSupplier nanos) {
    this.explanations = explanations;
    this.rows = new EventRows(names, explanations);
    this.nanos = nanos;
  }

  /** One bucket of all metrics. */
  static double[][] row(double[][][] values, int bucket) {
    double[][] row = new double[values.length][];
    for (int m = 0; m < row.length; m++) {
      row[m] = values[m][bucket];
    }
    return row;
  }

  /**
   * Judges buckets that follow one another.
   *
   * @param members of the group now, ascending
   * @param gone objects of which nothing was heard for long
   * @param objects that are there
   * @param first start of the first bucket
   * @param values {@code [metric][bucket][member]}
   */
  void judge(
      Watch watch,
      int[] members,
      Set<Integer> gone,
      Instant first,
      double[][][] values,
      ObjectGraph objects,
      PendingChanges found) {
    PeerGroup engine = requireNonNull(watch.engine);
    Instant at = first.plus(watch.width());
    List<Change> left = new ArrayList<>();
    boolean anew = watch.last == null;
    int[] before = anew ? new int[0] : engine.ids();
    if (anew || !Arrays.equals(before, members)) {
      left.addAll(engine.members(members));
      watch.tellMarks(); // for those that came
      membership(watch, before, members, at, found);
    }
    for (int b = 0; b < values[0].length; b++) {
      long start = nanos.getAsLong();
      Instant bucket = first.plus(watch.width().multipliedBy(b));
      Judgement judgement = engine.judge(bucket.plus(watch.width()).toEpochMilli(), row(values, b));
      List<Change> shifted = shift(watch, bucket, judgement);
      Step step = new Step(watch, judgement, watch.usual(bucket), objects, bucket, found);
      for (Change change : left) {
        int object = change.event().member();
        rows.close(
            step,
            object,
            watch.marks.containsKey(object)
                ? CloseReason.EXPECTED
                : gone.contains(object) || objects.kindOf(object) == null
                    ? CloseReason.OBJECT_GONE
                    : CloseReason.LEFT);
      }
      left.clear();
      judgement.changes().forEach(change -> changed(step, change));
      shifted.forEach(change -> changed(step, change));
      settle(step, engine);
      explanations.judged(watch.group, bucket, judgement);
      boolean isLast = b == values[0].length - 1;
      found.buckets.add(bucket(step, nanos.getAsLong() - start, isLast));
      if (step.end().getEpochSecond() % HOUR.toSeconds() == 0) {
        found.hours.add(
            new OutlierChanges.HourOver(watch.group.id(), watch.basis, step.end().minus(HOUR)));
      }
      watch.last = bucket;
      watch.learning = judgement.state() == GroupState.LEARNING;
      if (watch.isToBeSaved(bucket)) {
        found.learned.add(
            new OutlierChanges.Learned(
                watch.group.id(),
                watch.basis,
                bucket,
                engine.save(),
                watch.shift == null ? null : watch.shift.save()));
        watch.toSave = false;
      }
    }
    watch.isFresh = false;
  }

  /** Holds the medians of a bucket against what is usual for them, if somebody asked. */
  static List<Change> shift(Watch watch, Instant bucket, Judgement judgement) {
    GroupShift shift = watch.shift;
    List<Usual> usual = watch.usual(bucket);
    return shift == null || usual == null
        ? List.of()
        : shift.judge(bucket.plus(watch.width()).toEpochMilli(), judgement.centres(), usual);
  }

  /**
   * A bucket of a group while it is being judged.
   *
   * @param usual what is usual for its medians; null = nobody asked
   */
  record Step(
      Watch watch,
      Judgement judgement,
      @Nullable List<Usual> usual,
      ObjectGraph objects,
      Instant bucket,
      PendingChanges found) {

    Instant end() {
      return bucket.plus(watch.width());
    }

    /** One end of what is usual for each metric, with the margin; null = nobody asked. */
    double @Nullable [] bounds(ToDoubleBiFunction<Usual, GroupShift.Rule> end) {
      GroupShift.Rule rule = watch.rule;
      return usual == null || rule == null
          ? null
          : usual.stream().mapToDouble(one -> end.applyAsDouble(one, rule)).toArray();
    }

    /** Place of an object among the members; negative = it is none. */
    int place(int object) {
      int low = 0;
      int high = judgement.members() - 1;
      while (low <= high) {
        int middle = (low + high) >>> 1;
        int id = judgement.id(middle);
        if (id == object) {
          return middle;
        }
        if (id < object) {
          low = middle + 1;
        } else {
          high = middle - 1;
        }
      }
      return -1;
    }
  }

  private static void membership(
      Watch watch, int[] before, int[] now, Instant at, PendingChanges found) {
    membership(watch, at, true, without(now, before), now.length, found);
    membership(watch, at, false, without(before, now), now.length, found);
  }

  private static void membership(
      Watch watch, Instant at, boolean joined, int[] objects, int members, PendingChanges found) {
    if (objects.length > 0) {
      found.membership.add(
          new OutlierChanges.Membership(watch.group.id(), at, joined, objects, members));
    }
  }

  /** Those that are not among others, which ascend. */
  private static int[] without(int[] some, int[] others) {
    return Arrays.stream(some).filter(id -> Arrays.binarySearch(others, id) < 0).toArray();
  }

  private void changed(Step step, Change change) {
    Event event = change.event();
    if (change.kind() == Change.Kind.CLOSED) {
      int place = step.place(event.member());
      boolean expected = place >= 0 && step.judgement().expected(place);
      rows.close(step, event.member(), expected ? CloseReason.EXPECTED : CloseReason.RETURNED);
    } else {
      rows.continues(step, event, change.kind() == Change.Kind.REOPENED);
    }
  }

  /** Events that the method knows nothing of, since it has learned anew, are over. */
  private void settle(Step step, PeerGroup engine) {
    Watch watch = step.watch();
    if (watch.open.isEmpty()) {
      return;
    }
    Set<Integer> live = new HashSet<>();
    engine.open().forEach(event -> live.add(event.member()));
    Event shifted = watch.shift == null ? null : watch.shift.open();
    if (shifted != null) {
      live.add(shifted.member());
    }
    for (OpenEvent event : List.copyOf(watch.open.values())) {
      if (!live.contains(event.objectId())) {
        rows.close(step, event.objectId(), CloseReason.RETURNED);
      }
    }
  }

  // What is stored of a bucket ------------------------------------------------------------------

  static String label(GroupState state) {
    return state == GroupState.JUDGED
        ? "alike"
        : state.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A group whose median is not where it usually is has moved as a whole. */
  private static GroupState state(Watch watch, Judgement judgement) {
    Event shifted = watch.shift == null ? null : watch.shift.open();
    return judgement.state() == GroupState.JUDGED
            && shifted != null
            && shifted.status() == Event.Status.OPEN
        ? GroupState.GROUP_WIDE
        : judgement.state();
  }

  /** What is usual for the medians, and how much is known of it; null = nobody asked. */
  private static @Nullable List<OutlierUsual> usual(Step step) {
    UsualDay day = step.watch().usual.get(UsualLearner.day(step.bucket()));
    double[] lower = step.bounds(Usual::lower);
    double[] upper = step.bounds(Usual::upper);
    if (lower == null || upper == null) {
      return null;
    }
    List<OutlierUsual> usual = new ArrayList<>();
    for (int m = 0; m < lower.length; m++) {
      Band band = day == null ? null : day.bands().get(m);
      usual.add(
          new OutlierUsual(
              band == null ? LearningState.LEARNING : LearningState.valueOf(band.state().name()),
              Rows.finite(lower[m]),
              Rows.finite(upper[m]),
              band == null ? 0.0 : Math.rint(band.learnedDays() * 10) / 10,
              BandLearner.LEARNING_DAYS));
    }
    return usual;
  }

  private static OutlierChanges.Bucket bucket(Step step, long nanos, boolean isLast) {
    Judgement j = step.judgement();
    Watch watch = step.watch();
    int metrics = watch.group.metrics().size();
    int members = j.members();
    double limit = watch.settings.threshold();
    List<String> states = new ArrayList<>();
    int[] judged = new int[metrics];
    int[] bands = new int[metrics];
    double[] centre = new double[metrics];
    double[] lower = new double[metrics];
    double[] upper = new double[metrics];
    float[] values = new float[metrics * members];
    float[] scores = new float[metrics * members];
    float[] expected = new float[isLast ? metrics * members : 0];
    float[] low = new float[expected.length];
    float[] high = new float[expected.length];
    for (int m = 0; m < metrics; m++) {
      states.add(label(j.state(m)));
      judged[m] = j.judged(m);
      bands[m] = j.lowerBand(m);
      centre[m] = j.centre(m);
      lower[m] = j.lower(m, limit);
      upper[m] = j.upper(m, limit);
      for (int i = 0; i < members; i++) {
        int at = m * members + i;
        values[at] = (float) j.value(m, i);
        scores[at] = (float) j.score(m, i);
        if (isLast) {
          expected[at] = (float) j.expectedValue(m, i);
          low[at] = (float) j.lower(m, i, limit);
          high[at] = (float) j.upper(m, i, limit);
        }
      }
    }
    int[] ids = new int[members];
    float[] score = new float[members];
    for (int i = 0; i < members; i++) {
      ids[i] = j.id(i);
      score[i] = (float) j.score(i);
    }
    return new OutlierChanges.Bucket(
        watch.group.id(),
        step.bucket(),
        watch.width(),
        watch.basis,
        label(state(watch, j)),
        watch.group.keys(),
        states,
        ids,
        j.judged(),
        judged,
        centre,
        lower,
        upper,
        bands,
        values,
        expected,
        low,
        high,
        scores,
        score,
        step.bounds(Usual::lower),
        step.bounds(Usual::upper),
        isLast ? usual(step) : null,
        nanos,
        isLast);
  }
}
