package io.peerlens.ingest;

import io.peerlens.ingest.mapping.OtlpPoint;
import io.peerlens.ingest.otlp.Distribution;
import io.peerlens.ingest.otlp.MetricsReader;
import io.peerlens.ingest.otlp.PointKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Series of OpenTelemetry's points: where the values of a point go that was met before, and what
 * its last point said. Found by the bytes of its attributes within those of metric, scope and
 * resource.
 */
final class OtlpSeries extends ByteTable.Entry<OtlpSeries> {

  /** What the values of a metric's points are. */
  enum Style {
    /** The value as it stands. */
    VALUE,
    /** What has been counted since a start. */
    COUNTER,
    /** What has been counted since the last point. */
    DELTA,
    /** How much a value has changed since the last point. */
    CHANGE,
    /** How values are distributed. */
    DISTRIBUTION;

    static Style of(PointKind kind, int temporality, boolean monotonic) {
      return switch (kind) {
        case GAUGE -> VALUE;
        case SUM ->
            temporality == MetricsReader.DELTA
                ? monotonic ? DELTA : CHANGE
                : monotonic ? COUNTER : VALUE;
        case HISTOGRAM, EXPONENTIAL, SUMMARY -> DISTRIBUTION;
      };
    }
  }

  /** The attributes of a resource; null when they are no text. */
  static final class Resource extends ByteTable.Entry<Resource> {
    final @Nullable Map<String, String> attributes;
    final ByteTable<Scope> scopes = new ByteTable<>();
    boolean isKept;

    Resource(byte[] key, @Nullable Map<String, String> attributes) {
      super(key, 0);
      this.attributes = attributes;
    }
  }

  /** An instrumentation scope of a resource; its name is null when it is no text. */
  static final class Scope extends ByteTable.Entry<Scope> {
    final @Nullable String name;
    final ByteTable<Metric> metrics = new ByteTable<>();
    boolean isKept;

    Scope(byte[] key, @Nullable String name) {
      super(key, 0);
      this.name = name;
    }
  }

  /** A metric of a scope; its name and unit are null when they are no text. */
  static final class Metric extends ByteTable.Entry<Metric> {
    final @Nullable String name;
    final @Nullable String unit;
    final PointKind kind;
    final boolean delta;
    final Style style;
    final ByteTable<OtlpSeries> series = new ByteTable<>();
    boolean isKept;

    Metric(
        byte[] key,
        int form,
        @Nullable String name,
        @Nullable String unit,
        PointKind kind,
        int temporality,
        boolean monotonic) {
      super(key, form);
      this.name = name;
      this.unit = unit;
      this.kind = kind;
      this.delta = temporality == MetricsReader.DELTA;
      this.style = Style.of(kind, temporality, monotonic);
    }
  }

  /** One metric of a set that the point gives values to. Positions are NONE where there is none. */
  static final class Slot {
    final Series series;
    final double multiply;
    int position = FieldSlot.NONE;
    int rate = FieldSlot.NONE;
    int rateAs = FieldSlot.NONE;
    double rateAsFactor;

    /** Of a distribution: rate of the count, mean, three percentiles, least and greatest value. */
    int[] parts = {};

    /** Of a summary, in the order of its quantiles. */
    int[] quantiles = {};

    /** Where the value is added to others; null = it is a value of its own. */
    @Nullable Total total;

    Derivation[] derived = {};

    Slot(Series series, double multiply) {
      this.series = series;
      this.multiply = multiply;
    }

    SetState set() {
      return series.set;
    }

    int width() {
      return series.fields.group.width();
    }
  }

  /** A value made of those of several points of one resource. */
  static final class Total {
    final Slot target;
    final Style style;
    final boolean mean;
    double sum;
    int count;
    long timeMicros;
    long startMicros;

    /** Pass in which something was added last. */
    long pass = -1;

    /** How many parts its last value had. */
    int lastCount;

    Total(Slot target, Style style, OtlpPoint.Role role) {
      this.target = target;
      this.style = style;
      this.mean = role == OtlpPoint.Role.MEAN;
    }
  }

  /** A value computed of others of its row. */
  static final class Derivation {
    final Slot of;
    final int position;
    final OtlpPoint.Derived rule;

    Derivation(Slot of, int position, OtlpPoint.Derived rule) {
      this.of = of;
      this.position = position;
      this.rule = rule;
    }
  }

  /** Empty when its points are dropped. */
  final Slot[] slots;

  /** Null when it is no distribution. */
  final @Nullable Distribution distribution;

  final boolean isExponential;
  final boolean isDelta;

  /** The quantiles of a summary. */
  final double[] quantiles;

  /** Time of the last point that counted since the one before; 0 = none. */
  long lastMicros;

  OtlpSeries(byte[] attributes, Slot[] slots, Metric of, double[] quantiles) {
    super(attributes, 0);
    this.slots = slots;
    this.distribution =
        of.style == Style.DISTRIBUTION && slots.length > 0 ? new Distribution() : null;
    this.isExponential = of.kind == PointKind.EXPONENTIAL;
    this.isDelta = of.delta;
    this.quantiles = quantiles;
  }
}
