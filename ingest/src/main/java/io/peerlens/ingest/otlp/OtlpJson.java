package io.peerlens.ingest.otlp;

import io.peerlens.ingest.protobuf.ProtoWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * OTLP in JSON as the same message in protobuf, so that it is read in one way only. Members that
 * are not known are ignored, as the protocol asks.
 */
public final class OtlpJson {

  private OtlpJson() {}

  /** JSON that is no message of metrics; the message says where and what was expected. */
  public static final class WrongForm extends Exception {
    private static final long serialVersionUID = 1L;

    WrongForm(String member, String expected, JsonNode found) {
      super(
          "'%s' is %s: expected %s".formatted(member, shown(found), expected), null, false, false);
    }

    private static String shown(JsonNode found) {
      String text = found.toString();
      return text.length() <= 60 ? text : text.substring(0, 60) + "...";
    }
  }

  /** What a record holds by the members of its root: metrics, another signal or neither. */
  public static boolean isMetrics(JsonNode root) {
    return root.isObject() && root.path("resourceMetrics").isArray();
  }

  /** The signal that is no metrics; null when there is none. */
  public static @Nullable String otherSignal(JsonNode root) {
    if (root.isObject()) {
      if (root.path("resourceSpans").isArray()) {
        return "traces";
      }
      if (root.path("resourceLogs").isArray()) {
        return "logs";
      }
      if (root.path("resourceProfiles").isArray()) {
        return "profiles";
      }
    }
    return null;
  }

  /**
   * Writes a message anew in protobuf.
   *
   * @throws WrongForm at the first member that has another form
   */
  public static byte[] toProtobuf(JsonNode root) throws WrongForm {
    ProtoWriter message = new ProtoWriter();
    for (JsonNode each : array(root, "resourceMetrics")) {
      ProtoWriter metrics = new ProtoWriter();
      JsonNode resource = object(each, "resource");
      if (!resource.isMissingNode()) {
        ProtoWriter written = new ProtoWriter();
        attributes(written, 1, resource);
        for (JsonNode entity : array(resource, "entityRefs")) {
          ProtoWriter reference = new ProtoWriter();
          text(reference, 2, entity, "type");
          for (JsonNode key : array(entity, "idKeys")) {
            reference.bytes(3, utf8(key, "idKeys"));
          }
          written.message(3, reference);
        }
        metrics.message(1, written);
      }
      for (JsonNode scopeMetrics : array(each, "scopeMetrics")) {
        ProtoWriter scoped = new ProtoWriter();
        JsonNode scope = object(scopeMetrics, "scope");
        if (!scope.isMissingNode()) {
          ProtoWriter written = new ProtoWriter();
          text(written, 1, scope, "name");
          text(written, 2, scope, "version");
          scoped.message(1, written);
        }
        for (JsonNode metric : array(scopeMetrics, "metrics")) {
          scoped.message(2, metric(metric));
        }
        metrics.message(2, scoped);
      }
      message.message(1, metrics);
    }
    return message.toBytes();
  }

  private static ProtoWriter metric(JsonNode metric) throws WrongForm {
    ProtoWriter written = new ProtoWriter();
    text(written, 1, metric, "name");
    text(written, 3, metric, "unit");
    for (PointKind kind : PointKind.values()) {
      JsonNode data = object(metric, kind.member);
      if (data.isMissingNode()) {
        continue;
      }
      ProtoWriter points = new ProtoWriter();
      for (JsonNode point : array(data, "dataPoints")) {
        points.message(
            1,
            switch (kind) {
              case GAUGE, SUM -> number(point);
              case HISTOGRAM -> histogram(point);
              case EXPONENTIAL -> exponential(point);
              case SUMMARY -> summary(point);
            });
      }
      JsonNode temporality = data.path("aggregationTemporality");
      if (!nothing(temporality)) {
        points.varint(
            2,
            switch (temporality.asString("")) {
              case "AGGREGATION_TEMPORALITY_UNSPECIFIED" -> 0;
              case "AGGREGATION_TEMPORALITY_DELTA" -> MetricsReader.DELTA;
              case "AGGREGATION_TEMPORALITY_CUMULATIVE" -> MetricsReader.CUMULATIVE;
              default -> whole(temporality, "aggregationTemporality");
            });
      }
      if (truth(data, "isMonotonic")) {
        points.varint(3, 1);
      }
      written.message(kind.field, points);
    }
    return written;
  }

  private static ProtoWriter times(JsonNode point) throws WrongForm {
    ProtoWriter written = new ProtoWriter();
    fixed(written, 2, point, "startTimeUnixNano");
    fixed(written, 3, point, "timeUnixNano");
    return written;
  }

  private static ProtoWriter number(JsonNode point) throws WrongForm {
    ProtoWriter written = times(point);
    decimal(written, 4, point, "asDouble");
    fixed(written, 6, point, "asInt");
    attributes(written, 7, point);
    flags(written, 8, point);
    return written;
  }

  private static ProtoWriter histogram(JsonNode point) throws WrongForm {
    ProtoWriter written = times(point);
    fixed(written, 4, point, "count");
    decimal(written, 5, point, "sum");
    written.packedFixed64(6, wholes(point, "bucketCounts"));
    long[] bounds = new long[point.path("explicitBounds").size()];
    int i = 0;
    for (JsonNode bound : array(point, "explicitBounds")) {
      bounds[i++] = Double.doubleToRawLongBits(decimal(bound, "explicitBounds"));
    }
    written.packedFixed64(7, bounds);
    attributes(written, 9, point);
    flags(written, 10, point);
    decimal(written, 11, point, "min");
    decimal(written, 12, point, "max");
    return written;
  }

  private static ProtoWriter exponential(JsonNode point) throws WrongForm {
    ProtoWriter written = new ProtoWriter();
    attributes(written, 1, point);
    fixed(written, 2, point, "startTimeUnixNano");
    fixed(written, 3, point, "timeUnixNano");
    fixed(written, 4, point, "count");
    decimal(written, 5, point, "sum");
    if (!nothing(point.path("scale"))) {
      written.zigzag(6, (int) whole(point.path("scale"), "scale"));
    }
    fixed(written, 7, point, "zeroCount");
    buckets(written, 8, point, "positive");
    buckets(written, 9, point, "negative");
    flags(written, 10, point);
    decimal(written, 12, point, "min");
    decimal(written, 13, point, "max");
    decimal(written, 14, point, "zeroThreshold");
    return written;
  }

  private static void buckets(ProtoWriter written, int field, JsonNode point, String member)
      throws WrongForm {
    JsonNode buckets = object(point, member);
    if (!buckets.isMissingNode()) {
      ProtoWriter inner = new ProtoWriter();
      if (!nothing(buckets.path("offset"))) {
        inner.zigzag(1, (int) whole(buckets.path("offset"), "offset"));
      }
      inner.packedVarint(2, wholes(buckets, "bucketCounts"));
      written.message(field, inner);
    }
  }

  private static ProtoWriter summary(JsonNode point) throws WrongForm {
    ProtoWriter written = times(point);
    fixed(written, 4, point, "count");
    decimal(written, 5, point, "sum");
    for (JsonNode quantile : array(point, "quantileValues")) {
      ProtoWriter inner = new ProtoWriter();
      decimal(inner, 1, quantile, "quantile");
      decimal(inner, 2, quantile, "value");
      written.message(6, inner);
    }
    attributes(written, 7, point);
    flags(written, 8, point);
    return written;
  }

  private static void attributes(ProtoWriter written, int field, JsonNode of) throws WrongForm {
    for (JsonNode pair : array(of, "attributes")) {
      written.message(field, pair(pair));
    }
  }

  private static ProtoWriter pair(JsonNode pair) throws WrongForm {
    ProtoWriter written = new ProtoWriter();
    text(written, 1, pair, "key");
    JsonNode value = object(pair, "value");
    if (!value.isMissingNode()) {
      written.message(2, value(value));
    }
    return written;
  }

  private static ProtoWriter value(JsonNode value) throws WrongForm {
    ProtoWriter written = new ProtoWriter();
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      JsonNode of = member.getValue();
      if (nothing(of)) {
        continue;
      }
      switch (member.getKey()) {
        case "stringValue" -> written.bytes(1, utf8(of, "stringValue"));
        case "boolValue" -> written.varint(2, truth(value, "boolValue") ? 1 : 0);
        case "intValue" -> written.varint(3, whole(of, "intValue"));
        case "doubleValue" -> written.real(4, decimal(of, "doubleValue"));
        case "arrayValue" -> {
          ProtoWriter list = new ProtoWriter();
          for (JsonNode element : array(of, "values")) {
            list.message(1, value(element));
          }
          written.message(5, list);
        }
        case "kvlistValue" -> {
          ProtoWriter list = new ProtoWriter();
          for (JsonNode element : array(of, "values")) {
            list.message(1, pair(element));
          }
          written.message(6, list);
        }
        case "bytesValue" -> {
          try {
            written.bytes(7, Base64.getDecoder().decode(of.asString("")));
          } catch (IllegalArgumentException e) {
            throw new WrongForm("bytesValue", "base64", of);
          }
        }
        default -> {}
      }
    }
    return written;
  }

  private static boolean nothing(JsonNode node) {
    return node.isMissingNode() || node.isNull();
  }

  private static JsonNode array(JsonNode of, String member) throws WrongForm {
    JsonNode found = of.path(member);
    if (!nothing(found) && !found.isArray()) {
      throw new WrongForm(member, "an array", found);
    }
    return found;
  }

  /** Missing when it is not there. */
  private static JsonNode object(JsonNode of, String member) throws WrongForm {
    JsonNode found = of.path(member);
    if (found.isNull()) {
      return of.path("");
    }
    if (!found.isMissingNode() && !found.isObject()) {
      throw new WrongForm(member, "an object", found);
    }
    return found;
  }

  private static boolean truth(JsonNode of, String member) throws WrongForm {
    JsonNode found = of.path(member);
    if (nothing(found)) {
      return false;
    }
    if (!found.isBoolean()) {
      throw new WrongForm(member, "true or false", found);
    }
    return found.booleanValue();
  }

  private static void text(ProtoWriter written, int field, JsonNode of, String member)
      throws WrongForm {
    JsonNode found = of.path(member);
    if (!nothing(found)) {
      written.bytes(field, utf8(found, member));
    }
  }

  private static byte[] utf8(JsonNode text, String member) throws WrongForm {
    if (!text.isString()) {
      throw new WrongForm(member, "a text", text);
    }
    return text.stringValue().getBytes(StandardCharsets.UTF_8);
  }

  private static void flags(ProtoWriter written, int field, JsonNode of) throws WrongForm {
    JsonNode found = of.path("flags");
    if (!nothing(found)) {
      written.varint(field, whole(found, "flags"));
    }
  }

  private static void fixed(ProtoWriter written, int field, JsonNode of, String member)
      throws WrongForm {
    JsonNode found = of.path(member);
    if (!nothing(found)) {
      written.fixed64(field, whole(found, member));
    }
  }

  private static long[] wholes(JsonNode of, String member) throws WrongForm {
    JsonNode found = array(of, member);
    long[] all = new long[found.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = whole(found.path(i), member);
    }
    return all;
  }

  /** A whole number, which JSON may hold as text; up to 2^64. */
  private static long whole(JsonNode node, String member) throws WrongForm {
    try {
      if (node.isString()) {
        String digits = node.stringValue();
        return digits.startsWith("-") ? Long.parseLong(digits) : Long.parseUnsignedLong(digits);
      }
      if (node.isIntegralNumber()) {
        BigInteger value = node.bigIntegerValue();
        if (value.bitLength() <= 63 || value.signum() > 0 && value.bitLength() == 64) {
          return value.longValue();
        }
      } else if (node.isNumber() && node.doubleValue() == Math.rint(node.doubleValue())) {
        return (long) node.doubleValue();
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new WrongForm(member, "a whole number of 64 bits", node);
  }

  private static void decimal(ProtoWriter written, int field, JsonNode of, String member)
      throws WrongForm {
    JsonNode found = of.path(member);
    if (!nothing(found)) {
      written.real(field, decimal(found, member));
    }
  }

  private static double decimal(JsonNode node, String member) throws WrongForm {
    if (node.isString()) {
      switch (node.stringValue()) {
        case "NaN" -> {
          return Double.NaN;
        }
        case "Infinity" -> {
          return Double.POSITIVE_INFINITY;
        }
        case "-Infinity" -> {
          return Double.NEGATIVE_INFINITY;
        }
        default -> {
          try {
            return Double.parseDouble(node.stringValue());
          } catch (NumberFormatException e) {
            throw new WrongForm(member, "a number", node);
          }
        }
      }
    }
    if (!node.isNumber()) {
      throw new WrongForm(member, "a number", node);
    }
    return node.isBigInteger() ? node.bigIntegerValue().doubleValue() : node.doubleValue();
  }
}
