package io.peerlens.ingest;

import io.peerlens.ingest.otlp.MetricsReader;
import io.peerlens.ingest.protobuf.ProtoReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Format of a record: by its header {@code content-type}, or else by how it begins. */
enum RecordFormat {
  LINES,
  /** Our own form, Telegraf's, or OTLP: the members of the root tell. */
  JSON,
  /** OpenTelemetry's metrics in protobuf. */
  OTLP,
  /** Protobuf of a message that is not read here. */
  OTHER_PROTOBUF;

  /**
   * The format of a record.
   *
   * @param reader to look into it with; one for all records, since each would be garbage
   */
  static RecordFormat of(Headers headers, byte[] value, ProtoReader reader) {
    String type = text(headers, "content-type");
    if (type != null) {
      String lower = type.toLowerCase(Locale.ROOT);
      if (lower.contains("json")) {
        return JSON;
      }
      if (lower.startsWith("application/x-protobuf")
          || lower.startsWith("application/vnd.google.protobuf")
          || lower.startsWith("application/protobuf")) {
        int message = lower.indexOf("proto=");
        return message < 0 || lower.startsWith("proto=opentelemetry.", message)
            ? OTLP
            : OTHER_PROTOBUF;
      }
      if (lower.contains("line-protocol") || lower.startsWith("text/")) {
        return LINES;
      }
    }
    if (MetricsReader.isMetrics(value, reader)) {
      return OTLP;
    }
    for (byte b : value) {
      if (b != ' ' && b != '\t' && b != '\r' && b != '\n') {
        return b == '{' || b == '[' ? JSON : LINES;
      }
    }
    return LINES;
  }

  /** The signal of OpenTelemetry that a header names, unless it is metrics; null = none. */
  static @Nullable String otherSignal(Headers headers) {
    String signal = text(headers, "otelcol.signal");
    return signal == null || signal.equals("metrics") ? null : signal;
  }

  private static @Nullable String text(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null || header.value() == null
        ? null
        : new String(header.value(), StandardCharsets.ISO_8859_1);
  }
}
