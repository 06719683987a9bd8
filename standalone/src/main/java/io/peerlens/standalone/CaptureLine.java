package io.peerlens.standalone;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * One line of a capture, as far as a replay has to understand it: whose it is and of when.
 *
 * @param bytes the line without its end
 * @param key what keeps the records of one object in order: its moid, else its host, else its
 *     series; the exporter of a flow
 * @param timeMs its own time in epoch milliseconds, of a flow when it was received; {@link
 *     #NO_TIME} when it has none
 * @param flow whether it tells of network flows, as goflow2 and Telegraf's netflow do
 */
record CaptureLine(byte[] bytes, String key, long timeMs, boolean flow) {

  static final long NO_TIME = Long.MIN_VALUE;

  private static final String RECEIVED = "time_received_ns";

  /** Times of goflow2's records; 0 where they are not known. */
  private static final List<String> FLOW_TIMES =
      List.of(RECEIVED, "time_flow_start_ns", "time_flow_end_ns");

  /** Fields of Telegraf's netflow that are times; the last ones of a line are its own. */
  private static final Pattern NETFLOW_TIMES =
      Pattern.compile("(?<=[ ,](?:flow_start_ms|flow_end_ms|system_init_ms)=)\\d{13}(?=i)");

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int NANOSECOND_DIGITS = 19;

  /** Reads line protocol. Takes any line: what is wrong with it is for the service to say. */
  static CaptureLine ofLineProtocol(byte[] line) {
    int series = 0;
    while (series < line.length && (line[series] != ' ' || escaped(line, series))) {
      series++;
    }
    boolean flow = startsWith(line, "netflow,") || startsWith(line, "netflow_options,");
    String key = tag(line, series, flow ? "source" : "moid");
    if (key == null) {
      key = tag(line, series, "host");
    }
    if (key == null) {
      key = new String(line, 0, series, StandardCharsets.UTF_8);
    }
    int begin = timestampBegin(line);
    return new CaptureLine(line, key, begin < 0 ? NO_TIME : toMs(line, begin), flow);
  }

  private static boolean startsWith(byte[] line, String text) {
    byte[] begin = text.getBytes(StandardCharsets.US_ASCII);
    return line.length >= begin.length
        && Arrays.equals(line, 0, begin.length, begin, 0, begin.length);
  }

  /** Reads a JSON object: Telegraf's, goflow2's or Peerlens' own. */
  static CaptureLine ofJson(byte[] line) {
    try {
      JsonNode node = JSON.readTree(line);
      JsonNode tags = node.path("tags");
      if (node.has("sampler_address")) {
        long received = node.path(RECEIVED).asLong(0);
        return new CaptureLine(
            line,
            node.path("sampler_address").asString(""),
            received == 0 ? NO_TIME : received / 1_000_000,
            true);
      }
      String name = node.path("name").asString("");
      boolean flow = name.equals("netflow") || name.equals("netflow_options");
      String key = "";
      for (String candidate :
          new String[] {
            tags.path(flow ? "source" : "moid").asString(""),
            node.path("id").asString(""),
            tags.path("host").asString(""),
            name
          }) {
        if (!candidate.isEmpty()) {
          key = candidate;
          break;
        }
      }
      return new CaptureLine(line, key, timeOf(node), flow);
    } catch (JacksonException e) {
      return new CaptureLine(line, "", NO_TIME, false);
    }
  }

  /** The same line at another time. */
  CaptureLine shifted(long byMs) {
    if (timeMs == NO_TIME || byMs == 0) {
      return this;
    }
    return bytes.length > 0 && bytes[0] == '{' ? shiftedJson(byMs) : shiftedLineProtocol(byMs);
  }

  private CaptureLine shiftedLineProtocol(long byMs) {
    int begin = timestampBegin(bytes);
    int digits = digits(bytes, begin);
    long value =
        Long.parseLong(new String(bytes, begin, bytes.length - begin, StandardCharsets.US_ASCII));
    long shifted = value + Math.round(byMs * unitsPerMs(digits));
    byte[] time = Long.toString(shifted).getBytes(StandardCharsets.US_ASCII);
    byte[] line = new byte[begin + time.length];
    System.arraycopy(bytes, 0, line, 0, begin);
    System.arraycopy(time, 0, line, begin, time.length);
    if (flow) {
      String text = new String(line, StandardCharsets.UTF_8);
      line =
          NETFLOW_TIMES
              .matcher(text)
              .replaceAll(found -> Long.toString(Long.parseLong(found.group()) + byMs))
              .getBytes(StandardCharsets.UTF_8);
    }
    return new CaptureLine(line, key, timeMs + byMs, flow);
  }

  private CaptureLine shiftedJson(long byMs) {
    ObjectNode node = (ObjectNode) JSON.readTree(bytes);
    if (node.has(RECEIVED)) {
      for (String time : FLOW_TIMES) {
        long nanos = node.path(time).asLong(0);
        if (nanos != 0) {
          node.put(time, nanos + byMs * 1_000_000);
        }
      }
      return new CaptureLine(JSON.writeValueAsBytes(node), key, timeMs + byMs, flow);
    }
    if (node.path("fields") instanceof ObjectNode fields && flow) {
      for (String time : List.of("flow_start_ms", "flow_end_ms", "system_init_ms")) {
        if (fields.has(time)) {
          fields.put(time, fields.path(time).asLong() + byMs);
        }
      }
    }
    String field = node.has("time") ? "time" : "timestamp";
    JsonNode value = node.path(field);
    if (value.isNumber()) {
      int digits = Long.toString(Math.abs(value.asLong())).length();
      node.put(field, value.asLong() + Math.round(byMs * unitsPerMs(digits)));
    } else {
      node.put(field, Instant.ofEpochMilli(timeMs + byMs).toString());
    }
    return new CaptureLine(JSON.writeValueAsBytes(node), key, timeMs + byMs, flow);
  }

  private static long timeOf(JsonNode node) {
    JsonNode value = node.has("time") ? node.path("time") : node.path("timestamp");
    if (value.isNumber()) {
      int digits = Long.toString(Math.abs(value.asLong())).length();
      return (long) Math.floor(value.asLong() / unitsPerMs(digits));
    }
    try {
      return Instant.parse(value.asString("")).toEpochMilli();
    } catch (DateTimeParseException e) {
      return NO_TIME;
    }
  }

  /** Where the time at the end of a line begins; -1 when it has none. */
  private static int timestampBegin(byte[] line) {
    int i = line.length - 1;
    while (i >= 0 && line[i] >= '0' && line[i] <= '9') {
      i--;
    }
    if (i >= 0 && line[i] == '-') {
      i--;
    }
    boolean found = i > 0 && i < line.length - 1 && line[i] == ' ' && line.length - i <= 20;
    return found && line[line.length - 1] != '-' ? i + 1 : -1;
  }

  private static long toMs(byte[] line, int begin) {
    long value =
        Long.parseLong(new String(line, begin, line.length - begin, StandardCharsets.US_ASCII));
    return (long) Math.floor(value / unitsPerMs(digits(line, begin)));
  }

  private static int digits(byte[] line, int begin) {
    return line.length - begin - (line[begin] == '-' ? 1 : 0);
  }

  /** The unit shows in the number of digits, for all times from 2001 to 2286. */
  private static double unitsPerMs(int digits) {
    return digits >= NANOSECOND_DIGITS ? 1e6 : digits >= 16 ? 1e3 : digits >= 13 ? 1 : 1e-3;
  }

  private static @Nullable String tag(byte[] line, int end, String name) {
    int begin = -1;
    for (int i = 0; i <= end; i++) {
      if (i == end || (line[i] == ',' && !escaped(line, i))) {
        if (begin >= 0) {
          int length = name.length();
          if (i - begin > length + 1
              && line[begin + length] == '='
              && new String(line, begin, length, StandardCharsets.US_ASCII).equals(name)) {
            return new String(
                line, begin + length + 1, i - begin - length - 1, StandardCharsets.UTF_8);
          }
        }
        begin = i + 1;
      }
    }
    return null;
  }

  private static boolean escaped(byte[] line, int index) {
    int backslashes = 0;
    for (int i = index - 1; i >= 0 && line[i] == '\\'; i--) {
      backslashes++;
    }
    return backslashes % 2 == 1;
  }
}
