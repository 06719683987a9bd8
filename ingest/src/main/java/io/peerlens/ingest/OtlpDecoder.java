package io.peerlens.ingest;

import io.peerlens.ingest.bytes.Bytes;
import io.peerlens.ingest.key.SetKey;
import io.peerlens.ingest.mapping.FieldUses;
import io.peerlens.ingest.mapping.MappedSeries;
import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.ingest.mapping.OtlpPoint;
import io.peerlens.ingest.otlp.Attributes;
import io.peerlens.ingest.otlp.MetricsReader;
import io.peerlens.ingest.otlp.Point;
import io.peerlens.ingest.otlp.PointKind;
import io.peerlens.ingest.otlp.SinglePoint;
import io.peerlens.ingest.protobuf.Malformed;
import io.peerlens.ingest.sender.Sender;
import io.peerlens.ingest.sender.SenderTally;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of OpenTelemetry's metrics, in protobuf: finds the series of each point; {@link
 * OtlpValues} makes values of them.
 *
 * <p>A resource with its metrics is stored as a whole, since values may be made of several points
 * of it: when a point of it has to wait for the catalog, all of it waits, and so do later records
 * of the resource, for counters need their order. Nothing of a record is stored before all of it
 * was read, because a message that is malformed anywhere is malformed.
 *
 * <p>This is the hot path: points that were met before are found by their bytes, mostly by one
 * comparison with what came next the last time, and nothing is allocated for them. Not thread-safe.
 */
final class OtlpDecoder {

  /** What a decoder gives its results to. */
  interface Out {
    SampleBatch batch();

    SenderTally tally();

    /** Notes a sign of life of an object. */
    void seen(ObjectState object, long timeMicros);

    void reject(int number, RejectReason reason, String detail, byte[] payload);

    /**
     * A resource waits for the catalog.
     *
     * @param number of points before it in the record
     */
    void waits(byte[] message, int from, int to, int number);
  }

  private record Rejected(int number, RejectReason reason, String detail, byte[] payload) {}

  private record TotalKey(
      SetState set, String metric, OtlpSeries.Style style, OtlpPoint.Role role) {}

  private static final String[] PERCENTILES = {"_p50", "_p95", "_p99"};

  /** A summary with more quantiles is a mistake; those beyond are left out. */
  private static final int MAX_QUANTILES = 50;

  private static final int MAX_PLUGIN = 40;

  private final Mappings mappings;
  private final Registry registry;
  private final MetricsReader reader = new MetricsReader();
  private final Walk walk = new Walk();
  private final Point point = new Point();
  private final OtlpPoints points = new OtlpPoints();
  private final OtlpValues values;
  private final Line line = new Line();
  private final ByteTable<OtlpSeries.Resource> resources = new ByteTable<>();
  private final Map<TotalKey, OtlpSeries.Total> totals = new HashMap<>();

  /** Hashes of the resources of which something waits; later records must not overtake it. */
  private final Set<Long> waiting = new HashSet<>();

  private long batchNumber;
  private Limits limits = new Limits(IngestGuards.DEFAULT, 0, Long.MAX_VALUE);

  // The record that is being read.
  private byte[] b = {};
  private long defaultMicros;
  private boolean settled;
  private int number;

  private int resourceCount;
  private int[] ofFrom = new int[16];
  private int[] ofTo = new int[16];
  private int[] ofNumber = new int[16];
  private int[] ofCount = new int[16];
  private int[] ofRejected = new int[16];
  private int[] ofSkipped = new int[16];
  private long[] ofHash = new long[16];
  private boolean[] ofWaits = new boolean[16];
  private final List<Rejected> rejected = new ArrayList<>();

  OtlpDecoder(Mappings mappings, Registry registry) {
    this.mappings = mappings;
    this.registry = registry;
    this.values = new OtlpValues(registry);
  }

  /** To be called before the records of a batch. */
  void beginBatch(Limits allowed, long now) {
    batchNumber++;
    limits = allowed;
    values.beginBatch(now);
    beginRound();
  }

  /** To be called when the catalog was asked, before what waited for it is read again. */
  void beginRound() {
    waiting.clear();
  }

  /**
   * Reads a record.
   *
   * @param defaultTimeMicros of points without time
   * @throws Malformed when it is no message of metrics; then nothing of it was given out
   */
  void message(byte[] message, long defaultTimeMicros, Out out) {
    begin(message, defaultTimeMicros, false, 0);
    reader.message(message, walk);
    finish(out);
  }

  /**
   * Reads a resource that waited.
   *
   * @param pointsBefore in the record
   * @param isSettled whether the registry was asked for everything that it lacked
   */
  void resource(
      byte[] message,
      int from,
      int to,
      int pointsBefore,
      long defaultTimeMicros,
      boolean isSettled,
      Out out) {
    begin(message, defaultTimeMicros, isSettled, pointsBefore);
    reader.resource(message, from, to, walk);
    finish(out);
  }

  private void begin(byte[] message, long defaultTimeMicros, boolean isSettled, int pointsBefore) {
    b = message;
    defaultMicros = defaultTimeMicros;
    settled = isSettled;
    number = pointsBefore;
    points.clear();
    resourceCount = 0;
    rejected.clear();
    resources.rewind();
  }

  /** Stores resources that are complete; the others wait. */
  private void finish(Out out) {
    int from = 0;
    int rejectedFrom = 0;
    for (int i = 0; i < resourceCount; i++) {
      if (ofWaits[i]) {
        waiting.add(ofHash[i]);
        out.waits(b, ofFrom[i], ofTo[i], ofNumber[i]);
      } else {
        values.store(b, points, from, ofCount[i], out);
        for (int r = rejectedFrom; r < ofRejected[i]; r++) {
          Rejected one = rejected.get(r);
          out.reject(one.number, one.reason, one.detail, one.payload);
        }
        for (int s = 0; s < ofSkipped[i]; s++) {
          out.batch().passOver();
        }
      }
      from = ofCount[i];
      rejectedFrom = ofRejected[i];
    }
  }

  /** The visit of a message: finds the series of every point, and takes down what it says. */
  private final class Walk implements MetricsReader.Visitor {
    private OtlpSeries.Resource resource = new OtlpSeries.Resource(new byte[0], null);
    private OtlpSeries.Scope scope = new OtlpSeries.Scope(new byte[0], null);
    private OtlpSeries.Metric metric =
        new OtlpSeries.Metric(new byte[0], 0, null, null, PointKind.GAUGE, 0, false);
    private int resourceFrom;
    private int resourceTo;
    private int scopeFrom;
    private int scopeTo;
    private int temporality;
    private boolean monotonic;
    private int nameFrom;
    private int nameTo;
    private int unitFrom;
    private int unitTo;
    private int at;

    @Override
    public void resource(int from, int to, int headFrom, int headTo) {
      at = resourceCount++;
      if (at == ofFrom.length) {
        growResources(at * 2);
      }
      ofFrom[at] = from;
      ofTo[at] = to;
      ofNumber[at] = number;
      ofSkipped[at] = 0;
      ofWaits[at] = false;
      if (!waiting.isEmpty()) {
        ofWaits[at] = waiting.contains(Bytes.hash(b, headFrom, headTo));
      }
      resourceFrom = headFrom;
      resourceTo = headTo;
      OtlpSeries.Resource known = resources.find(b, headFrom, headTo, 0, batchNumber);
      resource =
          known != null
              ? known
              : new OtlpSeries.Resource(
                  Arrays.copyOfRange(b, headFrom, headTo),
                  Attributes.ofResource(b, headFrom, headTo));
      resource.scopes.rewind();
    }

    @Override
    public void scope(int from, int to, int scopeNameFrom, int scopeNameTo) {
      scopeFrom = from;
      scopeTo = to;
      OtlpSeries.Scope known = resource.scopes.find(b, scopeNameFrom, scopeNameTo, 0, batchNumber);
      scope =
          known != null
              ? known
              : new OtlpSeries.Scope(
                  Arrays.copyOfRange(b, scopeNameFrom, scopeNameTo),
                  Attributes.text(b, scopeNameFrom, scopeNameTo));
      scope.metrics.rewind();
    }

    @Override
    public void metric(
        PointKind kind,
        int itsTemporality,
        boolean isMonotonic,
        int itsNameFrom,
        int itsNameTo,
        int itsUnitFrom,
        int itsUnitTo) {
      temporality = itsTemporality;
      monotonic = isMonotonic;
      nameFrom = itsNameFrom;
      nameTo = itsNameTo;
      unitFrom = itsUnitFrom;
      unitTo = itsUnitTo;
      int form = kind.ordinal() | (temporality & 3) << 4 | (monotonic ? 1 << 6 : 0);
      OtlpSeries.Metric known = scope.metrics.find(b, nameFrom, nameTo, form, batchNumber);
      metric =
          known != null
              ? known
              : new OtlpSeries.Metric(
                  Arrays.copyOfRange(b, nameFrom, nameTo),
                  form,
                  Attributes.text(b, nameFrom, nameTo),
                  Attributes.text(b, unitFrom, unitTo),
                  kind,
                  temporality,
                  monotonic);
      metric.series.rewind();
    }

    @Override
    public void point(int from, int to) {
      number++;
      point.read(b, metric.kind, from, to);
      OtlpSeries known =
          metric.series.find(
              point.attributeBytes, point.attributesFrom, point.attributesTo, 0, batchNumber);
      if (known == null || metric.kind == PointKind.SUMMARY && !sameQuantiles(known)) {
        OtlpSeries before = known;
        known = meet(from, to);
        if (known == null) {
          return;
        }
        keep(before, known);
      }
      if (known.slots.length == 0) {
        return;
      }
      long micros =
          point.timeNanos == 0 ? defaultMicros : Long.divideUnsigned(point.timeNanos, 1_000);
      if (micros > limits.newestMicros() || micros < limits.oldestMicros()) {
        line.timeMicros = micros;
        if (limits.checkTime(line) == Line.Outcome.REJECTED) {
          reject(from, to);
          return;
        }
      }
      if (!point.noRecordedValue
          && metric.style != OtlpSeries.Style.DISTRIBUTION
          && (!point.hasValue || !Double.isFinite(point.value))) {
        ofSkipped[at]++;
        return;
      }
      points.add(known, micros, point, from, to);
    }

    @Override
    public void endResource() {
      ofCount[at] = points.count;
      ofRejected[at] = rejected.size();
      if (ofWaits[at]) {
        ofHash[at] = Bytes.hash(b, resourceFrom, resourceTo);
      }
    }

    private boolean sameQuantiles(OtlpSeries known) {
      return Arrays.equals(
          known.quantiles,
          0,
          known.quantiles.length,
          point.quantiles,
          0,
          Math.min(point.quantilesSize, MAX_QUANTILES));
    }

    private void reject(int from, int to) {
      rejected.add(
          new Rejected(
              number,
              line.reason == null ? RejectReason.PROTOBUF : line.reason,
              line.detail,
              SinglePoint.of(
                  b,
                  resourceFrom,
                  resourceTo,
                  scopeFrom,
                  scopeTo,
                  metric.kind,
                  temporality,
                  monotonic,
                  nameFrom,
                  nameTo,
                  unitFrom,
                  unitTo,
                  from,
                  to)));
    }

    /** Makes a series known for good, with all that it belongs to. */
    private void keep(@Nullable OtlpSeries before, OtlpSeries kept) {
      if (!resource.isKept) {
        resource.isKept = true;
        resources.add(resource, batchNumber);
      }
      if (!scope.isKept) {
        scope.isKept = true;
        resource.scopes.add(scope, batchNumber);
      }
      if (!metric.isKept) {
        metric.isKept = true;
        scope.metrics.add(metric, batchNumber);
      }
      if (before != null) {
        metric.series.remove(before);
      }
      metric.series.add(kept, batchNumber);
    }

    /** A series for the first time; null when it waits for the catalog or is rejected. */
    private @Nullable OtlpSeries meet(int from, int to) {
      line.clear();
      OtlpSeries met = meet();
      if (met == null && line.reason != null) {
        reject(from, to);
      }
      return met;
    }

    private @Nullable OtlpSeries meet() {
      Map<String, String> attributes =
          Attributes.read(point.attributeBytes, 0, point.attributesFrom, point.attributesTo);
      String not =
          resource.attributes == null
              ? "an attribute of the resource"
              : scope.name == null
                  ? "the name of the scope"
                  : metric.name == null
                      ? "the name of the metric"
                      : metric.unit == null
                          ? "the unit of " + shown(metric.name)
                          : attributes == null ? "an attribute of " + shown(metric.name) : null;
      if (not != null) {
        return refused(
            RejectReason.TEXT,
            not
                + " is not UTF-8 text or holds a NUL character: send metrics alone to this topic, traces and logs to others");
      }
      String name = Objects.requireNonNull(metric.name);
      if (name.isEmpty()) {
        return refused(
            RejectReason.PROTOBUF,
            "a metric without a name: send metrics alone to this topic, traces and logs to others");
      }
      if (name.length() > limits.maxNameLength()) {
        return refused(
            RejectReason.TOO_LONG,
            "the name of the metric is longer than %d characters: shorten it, or raise the guard maxNameLength"
                .formatted(limits.maxNameLength()));
      }
      String scopeName = Objects.requireNonNull(scope.name);
      OtlpPoint mapped =
          mappings.mapOtlp(
              scopeName,
              Objects.requireNonNull(resource.attributes),
              name,
              Objects.requireNonNull(metric.unit),
              Objects.requireNonNull(attributes));
      byte[] key =
          Arrays.copyOfRange(point.attributeBytes, point.attributesFrom, point.attributesTo);
      if (mapped.outputs().isEmpty()) {
        mapped.met();
        return new OtlpSeries(key, new OtlpSeries.Slot[0], metric, new double[0]);
      }
      return resolve(mapped, key, plugin(scopeName));
    }

    private @Nullable OtlpSeries refused(RejectReason why, String what) {
      line.reject(why, what);
      return null;
    }

    private @Nullable OtlpSeries resolve(OtlpPoint mapped, byte[] key, String plugin) {
      long micros =
          point.timeNanos == 0 ? defaultMicros : Long.divideUnsigned(point.timeNanos, 1_000);
      line.timeMicros = micros;
      if (limits.checkTime(line) == Line.Outcome.REJECTED) {
        return null;
      }
      boolean distribution = metric.style == OtlpSeries.Style.DISTRIBUTION;
      Map<SetKey, Series> sets = new LinkedHashMap<>();
      boolean waits = false;
      for (OtlpPoint.Output output : mapped.outputs()) {
        SetKey set = new SetKey(mapped.object(), output.group(), output.instance());
        if (sets.containsKey(set)) {
          continue;
        }
        MappedSeries asked =
            new MappedSeries(
                set,
                mapped.attributes(),
                metric.style == OtlpSeries.Style.COUNTER
                    ? FieldUses.COUNTING_POINTS
                    : FieldUses.POINTS);
        String tooLong = TooLong.find(asked, limits.maxNameLength());
        if (tooLong != null) {
          return refused(RejectReason.TOO_LONG, tooLong);
        }
        byte[] seriesKey = SeriesKey.of('\1', asked);
        if (seriesKey == null) {
          return refused(RejectReason.TEXT, "a text of the object holds a NUL character");
        }
        Series found = registry.find(seriesKey, 0, seriesKey.length);
        if (found != null) {
          sets.put(set, found);
        } else if (settled) {
          limits.tooMany(line, registry.refusal(seriesKey, 0, seriesKey.length));
          return null;
        } else {
          registry.want(seriesKey, asked, micros, Sender.OTLP, plugin);
          waits = true;
        }
      }
      if (waits) {
        ofWaits[at] = true;
        return null;
      }
      double[] quantiles =
          Arrays.copyOf(
              point.quantiles,
              metric.kind == PointKind.SUMMARY ? Math.min(point.quantilesSize, MAX_QUANTILES) : 0);
      Positions positions = new Positions();
      List<OtlpSeries.Slot> slots = new ArrayList<>();
      for (OtlpPoint.Output output : mapped.outputs()) {
        SetKey set = new SetKey(mapped.object(), output.group(), output.instance());
        if (!distribution || output.role() == OtlpPoint.Role.VALUE) {
          slots.add(slot(output, Objects.requireNonNull(sets.get(set)), quantiles, positions));
        }
      }
      if (positions.tooLong != null) {
        return refused(
            RejectReason.TOO_LONG,
            "metric '%s' is longer than %d characters: shorten it, or raise the guard maxNameLength"
                .formatted(shown(positions.tooLong), limits.maxNameLength()));
      }
      if (positions.missing != null) {
        if (settled) {
          return refused(
              RejectReason.NEW_METRICS,
              "metric '%s' would be more than %d new metric names in this minute: raise the guard newMetricNamesPerMinute and replay, or correct the producer"
                  .formatted(shown(positions.missing), limits.guards().newMetricsPerMinute()));
        }
        ofWaits[at] = true;
        return null;
      }
      mapped.met();
      return new OtlpSeries(key, slots.toArray(new OtlpSeries.Slot[0]), metric, quantiles);
    }

    private OtlpSeries.Slot slot(
        OtlpPoint.Output output, Series of, double[] quantiles, Positions positions) {
      OtlpSeries.Slot slot = new OtlpSeries.Slot(of, output.multiply());
      GroupState group = of.fields.group;
      String name = output.metric();
      String unit = output.unit();
      String rateUnit = unit == null ? null : unit + "/s";
      switch (metric.style) {
        case VALUE -> slot.position = positions.of(group, name, unit);
        case CHANGE -> slot.position = positions.of(group, name + "_change", unit);
        case COUNTER -> {
          slot.position = positions.of(group, name, unit);
          slot.rate = positions.of(group, name + "_rate", rateUnit);
        }
        case DELTA -> slot.rate = positions.of(group, name + "_rate", rateUnit);
        case DISTRIBUTION -> {
          int[] parts = new int[2 + OtlpValues.PARTS.length + 2];
          Arrays.fill(parts, FieldSlot.NONE);
          parts[0] = positions.of(group, name + "_count_rate", "/s");
          parts[1] = positions.of(group, name + "_avg", unit);
          if (metric.kind != PointKind.SUMMARY) {
            for (int i = 0; i < OtlpValues.PARTS.length; i++) {
              parts[2 + i] = positions.of(group, name + PERCENTILES[i], unit);
            }
            if (metric.delta) {
              parts[2 + OtlpValues.PARTS.length] = positions.of(group, name + "_min", unit);
              parts[3 + OtlpValues.PARTS.length] = positions.of(group, name + "_max", unit);
            }
          }
          slot.parts = parts;
          slot.quantiles = new int[quantiles.length];
          for (int i = 0; i < quantiles.length; i++) {
            String part = part(quantiles[i]);
            slot.quantiles[i] =
                part == null ? FieldSlot.NONE : positions.of(group, name + part, unit);
          }
        }
      }
      OtlpPoint.RateAs rateAs = output.rateAs();
      if (rateAs != null
          && (metric.style == OtlpSeries.Style.COUNTER || metric.style == OtlpSeries.Style.DELTA)) {
        slot.rateAs = positions.of(group, rateAs.metric(), rateAs.unit());
        slot.rateAsFactor = rateAs.multiply();
      }
      List<OtlpSeries.Derivation> derived = new ArrayList<>();
      for (OtlpPoint.Derived rule : output.derived()) {
        derived.add(new OtlpSeries.Derivation(slot, positions.of(group, rule.metric(), "%"), rule));
      }
      slot.derived = derived.toArray(new OtlpSeries.Derivation[0]);
      if (output.role() != OtlpPoint.Role.VALUE && positions.missing == null) {
        slot.total =
            totals.computeIfAbsent(
                new TotalKey(of.set, name, metric.style, output.role()),
                k -> new OtlpSeries.Total(slot, metric.style, output.role()));
      }
      return slot;
    }
  }

  /** Positions of metrics, as far as they are known. */
  private final class Positions {
    private @Nullable String missing;
    private @Nullable String tooLong;

    int of(GroupState group, String metric, @Nullable String unit) {
      if (metric.length() > limits.maxNameLength()) {
        tooLong = metric;
        return FieldSlot.NONE;
      }
      int position = registry.position(group, metric, unit);
      if (position < 0) {
        missing = metric;
      }
      return position;
    }
  }

  /** What the name of a metric ends with that is a quantile; null when it is none. */
  private static @Nullable String part(double quantile) {
    if (!(quantile >= 0 && quantile <= 1)) {
      return null;
    }
    if (quantile == 0 || quantile == 1) {
      return quantile == 0 ? "_min" : "_max";
    }
    return "_p"
        + BigDecimal.valueOf(quantile)
            .movePointRight(2)
            .stripTrailingZeros()
            .toPlainString()
            .replace('.', '_');
  }

  /** The receiver or library that a scope is called after. */
  private static String plugin(String scope) {
    String plugin = "";
    for (String segment : scope.split("/", -1)) {
      plugin = segment;
      if (segment.endsWith("receiver") && !segment.equals("receiver")) { // that is the folder
        break;
      }
    }
    return plugin.length() <= MAX_PLUGIN ? plugin : "";
  }

  private static String shown(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "...";
  }

  private void growResources(int size) {
    ofFrom = Arrays.copyOf(ofFrom, size);
    ofTo = Arrays.copyOf(ofTo, size);
    ofNumber = Arrays.copyOf(ofNumber, size);
    ofCount = Arrays.copyOf(ofCount, size);
    ofRejected = Arrays.copyOf(ofRejected, size);
    ofSkipped = Arrays.copyOf(ofSkipped, size);
    ofHash = Arrays.copyOf(ofHash, size);
    ofWaits = Arrays.copyOf(ofWaits, size);
  }
}
