package io.peerlens.ingest.otlp;

import io.peerlens.ingest.protobuf.Malformed;
import io.peerlens.ingest.protobuf.ProtoReader;
import org.jspecify.annotations.Nullable;

/**
 * Reader of {@code MetricsData}, in protobuf: visits resources, scopes, metrics and points in the
 * order in which they stand. The Collector writes the fields of a message backwards, SDKs forwards;
 * so at each level what is said once is sought before what is repeated is walked through.
 */
public final class MetricsReader {

  /** What is told of a message while it is read. Ranges are in the bytes of the message. */
  public interface Visitor {

    /**
     * A resource with all its metrics begins.
     *
     * @param from of the ResourceMetrics
     * @param resourceFrom of the resource; an empty range when there is none
     */
    void resource(int from, int to, int resourceFrom, int resourceTo);

    /**
     * Points of one instrumentation scope follow.
     *
     * @param from of the whole scope; an empty range when there is none
     * @param nameFrom of its name
     */
    void scope(int from, int to, int nameFrom, int nameTo);

    /** Points of a metric follow. */
    void metric(
        PointKind kind,
        int temporality,
        boolean monotonic,
        int nameFrom,
        int nameTo,
        int unitFrom,
        int unitTo);

    /** A point of the metric that was told last. */
    void point(int from, int to);

    /** The resource ends. */
    void endResource();
  }

  /** Temporality of points that count since the last one. */
  public static final int DELTA = 1;

  /** Temporality of points that count since a start. */
  public static final int CUMULATIVE = 2;

  private static final int RESOURCE_METRICS = 1 << 3 | ProtoReader.LENGTH;
  private static final int RESOURCE = 1 << 3 | ProtoReader.LENGTH;
  private static final int SCOPE_METRICS = 2 << 3 | ProtoReader.LENGTH;
  private static final int SCOPE = 1 << 3 | ProtoReader.LENGTH;
  private static final int SCOPE_NAME = 1 << 3 | ProtoReader.LENGTH;
  private static final int METRIC = 2 << 3 | ProtoReader.LENGTH;
  private static final int NAME = 1 << 3 | ProtoReader.LENGTH;
  private static final int UNIT = 3 << 3 | ProtoReader.LENGTH;
  private static final int POINT = 1 << 3 | ProtoReader.LENGTH;
  private static final int TEMPORALITY = 2 << 3;
  private static final int MONOTONIC = 3 << 3;

  private final ProtoReader outer = new ProtoReader();
  private final ProtoReader resource = new ProtoReader();
  private final ProtoReader scope = new ProtoReader();
  private final ProtoReader metric = new ProtoReader();
  private final ProtoReader data = new ProtoReader();

  /**
   * Whether bytes are metrics rather than text: all of it is fields of the number 1, and the first
   * begins as a ResourceMetrics does. The first byte of such a message is a line end in text.
   *
   * @param fields to read with
   */
  public static boolean isMetrics(byte[] b, ProtoReader fields) {
    if (b.length == 0 || b[0] != RESOURCE_METRICS) {
      return false;
    }
    fields.on(b, 0, b.length);
    try {
      boolean first = true;
      while (fields.next()) {
        if (fields.tag() != RESOURCE_METRICS) {
          return false;
        }
        if (first && fields.from() < fields.to()) {
          byte inner = b[fields.from()];
          if (inner != 0x0A && inner != 0x12 && inner != 0x1A) {
            return false;
          }
        }
        first = false;
      }
      return true;
    } catch (Malformed e) {
      return false;
    }
  }

  /**
   * Visits all of a message.
   *
   * @throws Malformed when it is none; what was visited until then counts for nothing
   */
  public void message(byte[] b, Visitor visitor) {
    outer.on(b, 0, b.length);
    while (outer.next()) {
      if (outer.tag() == RESOURCE_METRICS) {
        resource(b, outer.from(), outer.to(), visitor);
      }
    }
  }

  /** Visits one ResourceMetrics. */
  public void resource(byte[] b, int from, int to, Visitor visitor) {
    int resourceFrom = from;
    int resourceTo = from;
    resource.on(b, from, to);
    while (resource.next()) {
      if (resource.tag() == RESOURCE) {
        resourceFrom = resource.from();
        resourceTo = resource.to();
      }
    }
    visitor.resource(from, to, resourceFrom, resourceTo);
    resource.on(b, from, to);
    while (resource.next()) {
      if (resource.tag() == SCOPE_METRICS) {
        scope(b, resource.from(), resource.to(), visitor);
      }
    }
    visitor.endResource();
  }

  private void scope(byte[] b, int from, int to, Visitor visitor) {
    int scopeFrom = from;
    int scopeTo = from;
    int nameFrom = from;
    int nameTo = from;
    scope.on(b, from, to);
    while (scope.next()) {
      if (scope.tag() == SCOPE) {
        scopeFrom = scope.from();
        scopeTo = scope.to();
      }
    }
    metric.on(b, scopeFrom, scopeTo);
    while (metric.next()) {
      if (metric.tag() == SCOPE_NAME) {
        nameFrom = metric.from();
        nameTo = metric.to();
      }
    }
    visitor.scope(scopeFrom, scopeTo, nameFrom, nameTo);
    scope.on(b, from, to);
    while (scope.next()) {
      if (scope.tag() == METRIC) {
        metric(b, scope.from(), scope.to(), visitor);
      }
    }
  }

  private void metric(byte[] b, int from, int to, Visitor visitor) {
    int nameFrom = from;
    int nameTo = from;
    int unitFrom = from;
    int unitTo = from;
    PointKind kind = null;
    int dataFrom = from;
    int dataTo = from;
    metric.on(b, from, to);
    while (metric.next()) {
      switch (metric.tag()) {
        case NAME -> {
          nameFrom = metric.from();
          nameTo = metric.to();
        }
        case UNIT -> {
          unitFrom = metric.from();
          unitTo = metric.to();
        }
        default -> {
          PointKind found = kind(metric.tag());
          if (found != null) {
            kind = found;
            dataFrom = metric.from();
            dataTo = metric.to();
          }
        }
      }
    }
    if (kind == null) {
      return;
    }
    int temporality = 0;
    boolean monotonic = false;
    if (kind != PointKind.GAUGE && kind != PointKind.SUMMARY) {
      data.on(b, dataFrom, dataTo);
      while (data.next()) {
        if (data.tag() == TEMPORALITY) {
          temporality = (int) data.bits();
        } else if (data.tag() == MONOTONIC) {
          monotonic = data.bits() != 0;
        }
      }
    }
    visitor.metric(
        kind, temporality, monotonic && kind == PointKind.SUM, nameFrom, nameTo, unitFrom, unitTo);
    data.on(b, dataFrom, dataTo);
    while (data.next()) {
      if (data.tag() == POINT) {
        visitor.point(data.from(), data.to());
      }
    }
  }

  private static @Nullable PointKind kind(int tag) {
    return switch (tag) {
      case 5 << 3 | ProtoReader.LENGTH -> PointKind.GAUGE;
      case 7 << 3 | ProtoReader.LENGTH -> PointKind.SUM;
      case 9 << 3 | ProtoReader.LENGTH -> PointKind.HISTOGRAM;
      case 10 << 3 | ProtoReader.LENGTH -> PointKind.EXPONENTIAL;
      case 11 << 3 | ProtoReader.LENGTH -> PointKind.SUMMARY;
      default -> null;
    };
  }
}
