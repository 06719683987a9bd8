package io.peerlens.ingest;

import io.peerlens.ingest.otlp.Distribution;
import io.peerlens.ingest.otlp.Point;
import io.peerlens.ingest.otlp.PointKind;
import io.peerlens.ingest.sender.SenderCounters;
import io.peerlens.ingest.sender.SenderTally;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Values of OpenTelemetry's points: as they stand, rates of what counts, percentiles of what is
 * distributed, and what is made of several points of one resource. On the hot path, as {@link
 * OtlpDecoder} is.
 */
final class OtlpValues {

  /** Percentiles of a distribution, as parts of 1. */
  static final double[] PARTS = {0.5, 0.95, 0.99};

  private final Registry registry;
  private final Point point = new Point();

  private long pass;
  private long nowMicros;

  // The record that is being stored.
  private byte[] b = {};
  private OtlpPoints points = new OtlpPoints();

  // What was added up in the resource that is being stored, and what is to be computed of it.
  private final List<OtlpSeries.Total> touched = new ArrayList<>();
  private OtlpSeries.Derivation[] derivations = new OtlpSeries.Derivation[16];
  private long[] derivedAt = new long[16];
  private int derivedCount;

  OtlpValues(Registry registry) {
    this.registry = registry;
  }

  /** To be called before the records of a batch. */
  void beginBatch(long now) {
    nowMicros = now;
  }

  /**
   * Puts the points of a resource into the batch, and what is made of several of them.
   *
   * @param from first of them in {@code of}
   * @param to behind the last
   */
  void store(byte[] message, OtlpPoints of, int from, int to, OtlpDecoder.Out out) {
    if (from == to) {
      return;
    }
    b = message;
    points = of;
    pass++;
    touched.clear();
    derivedCount = 0;
    SampleBatch batch = out.batch();
    SenderTally tally = out.tally();
    long window = nowMicros / (SenderCounters.WINDOW_MILLIS * 1_000);
    for (int i = from; i < to; i++) {
      OtlpSeries one = points.series[i];
      Series first = one.slots[0].series;
      long micros = points.time[i];
      tally.add(1, micros);
      if (first.toldInWindow != window) {
        first.toldInWindow = window;
        tally.object(first.set.object.id);
        if (!first.plugin.isEmpty()) {
          tally.plugin(first.plugin);
        }
      }
      if (first.isToBeCompared(micros)) {
        registry.tell(first.set.object, first.report, micros);
        first.compared(micros);
      }
      out.seen(first.set.object, micros);
      if (one.distribution != null) {
        distribution(i, one, one.distribution, batch);
      } else {
        for (OtlpSeries.Slot slot : one.slots) {
          number(i, one, slot, batch);
        }
        one.lastMicros = points.nothing[i] ? 0 : Math.max(one.lastMicros, micros);
      }
    }
    // An index: an iterator would be garbage.
    for (int i = 0; i < touched.size(); i++) {
      flush(touched.get(i), batch);
    }
    for (int i = 0; i < derivedCount; i++) {
      derive(derivations[i], derivedAt[i], batch);
    }
  }

  private void number(int i, OtlpSeries one, OtlpSeries.Slot slot, SampleBatch batch) {
    OtlpSeries.Total total = slot.total;
    long micros = points.time[i];
    SetState set = slot.set();
    OtlpSeries.Style style = total == null ? styleOf(slot) : total.style;
    if (points.nothing[i]) {
      if (style == OtlpSeries.Style.COUNTER) {
        set.forget(slot.position);
      }
      return;
    }
    double v = points.value[i] * slot.multiply;
    if (style == OtlpSeries.Style.DELTA) {
      long since =
          points.start[i] != 0 && points.start[i] < micros ? points.start[i] : one.lastMicros;
      if (since == 0 || since >= micros) {
        return;
      }
      v = v * 1e6 / (micros - since);
    }
    if (!Double.isFinite(v)) {
      return;
    }
    if (total != null) {
      add(total, v, micros, points.start[i], batch);
      return;
    }
    int row = set.row(batch, micros, slot.width(), pass);
    double rate = Double.NaN;
    switch (style) {
      case COUNTER -> {
        batch.put(row, slot.position, v);
        rate = set.rate(slot.position, v, micros, points.start[i]);
      }
      case DELTA -> rate = v;
      default -> batch.put(row, slot.position, v);
    }
    if (!Double.isNaN(rate)) {
      batch.put(row, slot.rate, rate);
      if (slot.rateAs != FieldSlot.NONE) {
        batch.put(row, slot.rateAs, rate * slot.rateAsFactor);
      }
    }
    derived(slot, micros);
  }

  private static OtlpSeries.Style styleOf(OtlpSeries.Slot slot) {
    return slot.rate == FieldSlot.NONE
        ? OtlpSeries.Style.VALUE
        : slot.position == FieldSlot.NONE ? OtlpSeries.Style.DELTA : OtlpSeries.Style.COUNTER;
  }

  private void derived(OtlpSeries.Slot slot, long micros) {
    for (OtlpSeries.Derivation one : slot.derived) {
      if (derivedCount == derivations.length) {
        derivations = Arrays.copyOf(derivations, derivedCount * 2);
        derivedAt = Arrays.copyOf(derivedAt, derivedCount * 2);
      }
      derivations[derivedCount] = one;
      derivedAt[derivedCount++] = micros;
    }
  }

  private void distribution(int i, OtlpSeries one, Distribution last, SampleBatch batch) {
    if (points.nothing[i]) {
      last.forget();
      return;
    }
    OtlpSeries.Slot slot = one.slots[0];
    boolean summary = slot.parts[2] == FieldSlot.NONE;
    point.read(b, kindOf(one, summary), points.pointFrom[i], points.pointTo[i]);
    point.timeNanos = points.time[i] * 1_000;
    boolean interval = last.take(point, one.isExponential, one.isDelta);
    if (!interval && one.quantiles.length == 0) {
      return;
    }
    for (OtlpSeries.Slot each : one.slots) {
      int row = each.set().row(batch, points.time[i], each.width(), pass);
      if (interval) {
        put(batch, row, each.parts[0], last.countRate());
        put(batch, row, each.parts[1], last.mean() * each.multiply);
        if (!summary) {
          for (int p = 0; p < PARTS.length; p++) {
            put(batch, row, each.parts[2 + p], last.quantile(PARTS[p]) * each.multiply);
          }
          put(batch, row, each.parts[2 + PARTS.length], last.least() * each.multiply);
          put(batch, row, each.parts[3 + PARTS.length], last.most() * each.multiply);
        }
      }
      for (int q = 0; q < each.quantiles.length; q++) {
        put(batch, row, each.quantiles[q], point.quantileValues[q] * each.multiply);
      }
    }
  }

  private static PointKind kindOf(OtlpSeries one, boolean summary) {
    return summary
        ? PointKind.SUMMARY
        : one.isExponential ? PointKind.EXPONENTIAL : PointKind.HISTOGRAM;
  }

  private static void put(SampleBatch batch, int row, int position, double value) {
    if (position != FieldSlot.NONE && Double.isFinite(value)) {
      batch.put(row, position, value);
    }
  }

  /** Adds a part; parts of another time are another value. */
  private void add(
      OtlpSeries.Total total, double v, long micros, long startMicros, SampleBatch batch) {
    if (total.pass == pass && total.timeMicros != micros) {
      flush(total, batch);
      total.pass = -1;
    }
    if (total.pass != pass) {
      total.pass = pass;
      total.sum = 0;
      total.count = 0;
      total.timeMicros = micros;
      total.startMicros = 0;
      touched.add(total);
    }
    total.sum += v;
    total.count++;
    total.startMicros = Math.max(total.startMicros, startMicros);
  }

  /** Stores what was added up, unless the same metric was told by itself. */
  private void flush(OtlpSeries.Total total, SampleBatch batch) {
    if (total.pass != pass || total.count == 0) {
      return;
    }
    OtlpSeries.Slot slot = total.target;
    SetState set = slot.set();
    int row = set.row(batch, total.timeMicros, slot.width(), pass);
    double v = total.mean ? total.sum / total.count : total.sum;
    double rate = Double.NaN;
    if (total.style == OtlpSeries.Style.DELTA) {
      rate = v;
    } else if (Double.isNaN(batch.value(row, slot.position))) {
      batch.put(row, slot.position, v);
      if (total.style == OtlpSeries.Style.COUNTER) {
        if (total.lastCount != 0 && total.lastCount != total.count) {
          set.forget(slot.position); // a part came or went: the rest did not count that
        }
        rate = set.rate(slot.position, v, total.timeMicros, total.startMicros);
      }
    }
    if (!Double.isNaN(rate)) {
      batch.put(row, slot.rate, rate);
      if (slot.rateAs != FieldSlot.NONE && Double.isNaN(batch.value(row, slot.rateAs))) {
        batch.put(row, slot.rateAs, rate * slot.rateAsFactor / (total.mean ? 1 : total.count));
      }
    }
    derived(slot, total.timeMicros);
    total.lastCount = total.count;
    total.count = 0;
  }

  /** Computes a value of others of its row, unless it was told by itself. */
  private void derive(OtlpSeries.Derivation one, long micros, SampleBatch batch) {
    OtlpSeries.Slot slot = one.of;
    int row = slot.set().row(batch, micros, slot.width(), pass);
    if (!Double.isNaN(batch.value(row, one.position))) {
      return;
    }
    GroupState group = slot.series.fields.group;
    double part = value(batch, row, group, one.rule.of());
    double percent;
    if (one.rule.total().isEmpty()) {
      percent = 100 - part;
    } else {
      double total = 0;
      for (int i = 0; i < one.rule.total().size(); i++) {
        total += value(batch, row, group, one.rule.total().get(i));
      }
      percent = total > 0 ? 100 * part / total : total == 0 && part == 0 ? 0 : Double.NaN;
    }
    if (Double.isFinite(percent)) {
      batch.put(row, one.position, percent);
    }
  }

  private static double value(SampleBatch batch, int row, GroupState group, String metric) {
    int position = group.position(metric);
    return position < 0 ? Double.NaN : batch.value(row, position);
  }
}
