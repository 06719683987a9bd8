package io.peerlens.ingest.otlp;

import io.peerlens.ingest.protobuf.Malformed;
import io.peerlens.ingest.protobuf.ProtoReader;
import java.util.Arrays;

/** A data point as it was read. Reused: the next one takes its place, and the arrays stay. */
public final class Point {

  private static final int START = 2 << 3 | ProtoReader.FIXED64;
  private static final int TIME = 3 << 3 | ProtoReader.FIXED64;
  private static final int COUNT = 4 << 3 | ProtoReader.FIXED64;
  private static final int SUM = 5 << 3 | ProtoReader.FIXED64;

  /** More numbers than these in a bucket list are a mistake. */
  static final int MAX_BUCKETS = 20_000;

  public long startNanos;

  /** 0 = it has none. */
  public long timeNanos;

  /** That there is no value on purpose: the series ended or was not to be had. */
  public boolean noRecordedValue;

  /** Whether a point of a gauge or sum has a value. */
  public boolean hasValue;

  public double value;

  /** Where its attributes stand, as fields with their tags. */
  public byte[] attributeBytes = {};

  public int attributesFrom;
  public int attributesTo;

  /** How many values a distribution counts. */
  public long count;

  public boolean hasSum;
  public double sum;
  public boolean hasMin;
  public double min;
  public boolean hasMax;
  public double max;

  /** The buckets; of an exponential histogram those of positive values. */
  public final Buckets buckets = new Buckets();

  public double[] bounds = {};
  public int boundsSize;

  public int scale;
  public long zeroCount;
  public double zeroThreshold;

  /** Those of negative values, of an exponential histogram. */
  public final Buckets negative = new Buckets();

  /** Quantiles of a summary from 0 to 1, and their values. */
  public double[] quantiles = {};

  public double[] quantileValues = {};
  public int quantilesSize;

  private final ProtoReader fields = new ProtoReader();
  private final ProtoReader inner = new ProtoReader();
  private final ProtoReader packed = new ProtoReader();
  private byte[] gathered = {};

  /**
   * Reads the point {@code b[from, to)}.
   *
   * @throws Malformed when it is none
   */
  public void read(byte[] b, PointKind kind, int from, int to) {
    startNanos = 0;
    timeNanos = 0;
    noRecordedValue = false;
    hasValue = false;
    attributeBytes = b;
    attributesFrom = from;
    attributesTo = from;
    fields.on(b, from, to);
    switch (kind) {
      case GAUGE, SUM -> number();
      case HISTOGRAM -> histogram();
      case EXPONENTIAL -> exponential();
      case SUMMARY -> summary();
    }
  }

  private static final int AS_DOUBLE = 4 << 3 | ProtoReader.FIXED64;
  private static final int AS_INT = 6 << 3 | ProtoReader.FIXED64;
  private static final int NUMBER_ATTRIBUTE = 7 << 3 | ProtoReader.LENGTH;
  private static final int NUMBER_FLAGS = 8 << 3;

  private void number() {
    boolean scattered = false;
    boolean any = false;
    while (fields.next()) {
      switch (fields.tag()) {
        case START -> startNanos = fields.bits();
        case TIME -> timeNanos = fields.bits();
        case AS_DOUBLE -> {
          hasValue = true;
          value = Double.longBitsToDouble(fields.bits());
        }
        case AS_INT -> {
          hasValue = true;
          value = fields.bits();
        }
        case NUMBER_FLAGS -> noRecordedValue = (fields.bits() & 1) != 0;
        case NUMBER_ATTRIBUTE -> {
          scattered |= attribute(any);
          any = true;
        }
        default -> {}
      }
    }
    if (scattered) {
      gather(NUMBER_ATTRIBUTE);
    }
  }

  /** Takes in an attribute; says whether it does not stand right behind the one before. */
  private boolean attribute(boolean any) {
    if (!any) {
      attributesFrom = fields.start();
      attributesTo = fields.to();
      return false;
    }
    if (fields.start() == attributesTo) {
      attributesTo = fields.to();
      return false;
    }
    attributesTo = fields.to();
    return true;
  }

  /** Copies attributes that stand apart from each other to one place. */
  private void gather(int tag) {
    byte[] b = fields.bytes();
    int from = attributesFrom;
    fields.on(b, from, attributesTo);
    int length = 0;
    if (gathered.length < attributesTo - from) {
      gathered = new byte[attributesTo - from];
    }
    while (fields.next()) {
      if (fields.tag() == tag) {
        System.arraycopy(b, fields.start(), gathered, length, fields.to() - fields.start());
        length += fields.to() - fields.start();
      }
    }
    attributeBytes = gathered;
    attributesFrom = 0;
    attributesTo = length;
  }

  private void clearDistribution() {
    count = 0;
    hasSum = false;
    hasMin = false;
    hasMax = false;
    buckets.clear();
    negative.clear();
    boundsSize = 0;
    scale = 0;
    zeroCount = 0;
    zeroThreshold = 0;
    quantilesSize = 0;
  }

  private void sum() {
    hasSum = true;
    sum = Double.longBitsToDouble(fields.bits());
  }

  private void min() {
    hasMin = true;
    min = Double.longBitsToDouble(fields.bits());
  }

  private void max() {
    hasMax = true;
    max = Double.longBitsToDouble(fields.bits());
  }

  private static final int HISTOGRAM_COUNTS = 6 << 3;
  private static final int HISTOGRAM_BOUNDS = 7 << 3;
  private static final int HISTOGRAM_ATTRIBUTE = 9 << 3 | ProtoReader.LENGTH;
  private static final int HISTOGRAM_FLAGS = 10 << 3;
  private static final int HISTOGRAM_MIN = 11 << 3 | ProtoReader.FIXED64;
  private static final int HISTOGRAM_MAX = 12 << 3 | ProtoReader.FIXED64;

  private void histogram() {
    clearDistribution();
    boolean scattered = false;
    boolean any = false;
    while (fields.next()) {
      switch (fields.tag()) {
        case START -> startNanos = fields.bits();
        case TIME -> timeNanos = fields.bits();
        case COUNT -> count = fields.bits();
        case SUM -> sum();
        case HISTOGRAM_COUNTS | ProtoReader.LENGTH -> {
          packed.on(fields.bytes(), fields.from(), fields.to());
          while (packed.nextPacked(ProtoReader.FIXED64)) {
            buckets.add(packed.bits(), fields.start());
          }
        }
        case HISTOGRAM_COUNTS | ProtoReader.FIXED64 -> buckets.add(fields.bits(), fields.start());
        case HISTOGRAM_BOUNDS | ProtoReader.LENGTH -> {
          packed.on(fields.bytes(), fields.from(), fields.to());
          while (packed.nextPacked(ProtoReader.FIXED64)) {
            bound(Double.longBitsToDouble(packed.bits()));
          }
        }
        case HISTOGRAM_BOUNDS | ProtoReader.FIXED64 ->
            bound(Double.longBitsToDouble(fields.bits()));
        case HISTOGRAM_FLAGS -> noRecordedValue = (fields.bits() & 1) != 0;
        case HISTOGRAM_MIN -> min();
        case HISTOGRAM_MAX -> max();
        case HISTOGRAM_ATTRIBUTE -> {
          scattered |= attribute(any);
          any = true;
        }
        default -> {}
      }
    }
    if (scattered) {
      gather(HISTOGRAM_ATTRIBUTE);
    }
  }

  private void bound(double bound) {
    bounds = room(bounds, boundsSize);
    bounds[boundsSize++] = bound;
  }

  private double[] room(double[] numbers, int size) {
    check(size, fields.start());
    return size < numbers.length ? numbers : Arrays.copyOf(numbers, Math.max(16, size * 2));
  }

  /** Refuses one more than so many parts. */
  static void check(int size, int at) {
    if (size >= MAX_BUCKETS) {
      throw new Malformed("a distribution has more than %,d parts".formatted(MAX_BUCKETS), at);
    }
  }

  private static final int EXPONENTIAL_ATTRIBUTE = 1 << 3 | ProtoReader.LENGTH;
  private static final int SCALE = 6 << 3;
  private static final int ZERO_COUNT = 7 << 3 | ProtoReader.FIXED64;
  private static final int POSITIVE = 8 << 3 | ProtoReader.LENGTH;
  private static final int NEGATIVE = 9 << 3 | ProtoReader.LENGTH;
  private static final int EXPONENTIAL_FLAGS = 10 << 3;
  private static final int EXPONENTIAL_MIN = 12 << 3 | ProtoReader.FIXED64;
  private static final int EXPONENTIAL_MAX = 13 << 3 | ProtoReader.FIXED64;
  private static final int ZERO_THRESHOLD = 14 << 3 | ProtoReader.FIXED64;

  private void exponential() {
    clearDistribution();
    boolean scattered = false;
    boolean any = false;
    while (fields.next()) {
      switch (fields.tag()) {
        case START -> startNanos = fields.bits();
        case TIME -> timeNanos = fields.bits();
        case COUNT -> count = fields.bits();
        case SUM -> sum();
        case SCALE -> scale = (int) ProtoReader.zigzag(fields.bits());
        case ZERO_COUNT -> zeroCount = fields.bits();
        case POSITIVE -> buckets.read(inner, packed, fields.bytes(), fields.from(), fields.to());
        case NEGATIVE -> negative.read(inner, packed, fields.bytes(), fields.from(), fields.to());
        case EXPONENTIAL_FLAGS -> noRecordedValue = (fields.bits() & 1) != 0;
        case EXPONENTIAL_MIN -> min();
        case EXPONENTIAL_MAX -> max();
        case ZERO_THRESHOLD -> zeroThreshold = Double.longBitsToDouble(fields.bits());
        case EXPONENTIAL_ATTRIBUTE -> {
          scattered |= attribute(any);
          any = true;
        }
        default -> {}
      }
    }
    if (scattered) {
      gather(EXPONENTIAL_ATTRIBUTE);
    }
  }

  private static final int SUMMARY_QUANTILE = 6 << 3 | ProtoReader.LENGTH;
  private static final int SUMMARY_ATTRIBUTE = 7 << 3 | ProtoReader.LENGTH;
  private static final int SUMMARY_FLAGS = 8 << 3;
  private static final int QUANTILE = 1 << 3 | ProtoReader.FIXED64;
  private static final int QUANTILE_VALUE = 2 << 3 | ProtoReader.FIXED64;

  private void summary() {
    clearDistribution();
    boolean scattered = false;
    boolean any = false;
    while (fields.next()) {
      switch (fields.tag()) {
        case START -> startNanos = fields.bits();
        case TIME -> timeNanos = fields.bits();
        case COUNT -> count = fields.bits();
        case SUM -> sum();
        case SUMMARY_FLAGS -> noRecordedValue = (fields.bits() & 1) != 0;
        case SUMMARY_QUANTILE -> quantile();
        case SUMMARY_ATTRIBUTE -> {
          scattered |= attribute(any);
          any = true;
        }
        default -> {}
      }
    }
    if (scattered) {
      gather(SUMMARY_ATTRIBUTE);
    }
  }

  private void quantile() {
    quantiles = room(quantiles, quantilesSize);
    quantileValues = room(quantileValues, quantilesSize);
    double which = 0;
    double what = 0;
    inner.on(fields.bytes(), fields.from(), fields.to());
    while (inner.next()) {
      switch (inner.tag()) {
        case QUANTILE -> which = Double.longBitsToDouble(inner.bits());
        case QUANTILE_VALUE -> what = Double.longBitsToDouble(inner.bits());
        default -> {}
      }
    }
    quantiles[quantilesSize] = which;
    quantileValues[quantilesSize++] = what;
  }
}
