package io.peerlens.run.read;

import io.peerlens.run.Run.Direction;
import java.io.IOException;
import java.io.PushbackReader;
import java.io.Reader;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * DiskSpd's XML ({@code -Rxml}). {@code Results/Profile/TimeSpans/TimeSpan} says what was asked
 * for, {@code Results/TimeSpan} what came of it, in the same order. Format: DiskSpd's {@code
 * XmlResultParser}. Latency buckets are pairs of percentile and milliseconds, not counts. A file
 * with a document type is refused.
 */
final class DiskSpdFile {

  private static final int DEEPEST = 32;
  private static final int LONGEST_TEXT = 100_000;
  private static final int MOST_BUCKETS = 4_000_000;
  private static final int MOST_PARTS = 2_000;
  private static final DateTimeFormatter RUN_TIME =
      DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss 'UTC'", Locale.ENGLISH);

  private final ResultFile file;
  private final List<DiskSpdSpan> spans = new ArrayList<>();
  private final List<Map<String, String>> profiles = new ArrayList<>();
  private final List<List<Map<String, String>>> targets = new ArrayList<>();
  private final List<String> path = new ArrayList<>();
  private String version = "";
  private String computer = "";
  private String called = "";
  private String thread = "";
  private String target = "";
  private double percentile = Double.NaN;
  private int buckets;

  private DiskSpdFile(ResultFile file) {
    this.file = file;
  }

  /** Reads the spans; of a broken file those before the break, with a problem. */
  static List<DiskSpdSpan> read(ResultFile file, Findings findings) throws IOException {
    DiskSpdFile reading = new DiskSpdFile(file);
    try (Reader text = Texts.reader(file.open())) {
      reading.parse(text);
      return reading.whole(reading.spans, findings);
    } catch (UnreadableException e) {
      findings.problem(e.in(file.path()));
      List<DiskSpdSpan> before = new ArrayList<>(reading.spans);
      if (!before.isEmpty()) {
        before.removeLast();
      }
      return reading.whole(before, findings);
    }
  }

  private List<DiskSpdSpan> whole(List<DiskSpdSpan> read, Findings findings) {
    List<DiskSpdSpan> whole = new ArrayList<>();
    for (int i = 0; i < read.size(); i++) {
      DiskSpdSpan span = read.get(i);
      span.version = version;
      span.computer = computer;
      span.called = instant();
      if (i < profiles.size()) {
        span.profile = profiles.get(i);
        span.targets = targets.get(i);
      }
      if (!(span.seconds > 0) || span.done.isEmpty()) {
        findings.problem(
            file.path(),
            0,
            span.error.isEmpty() ? "A time span has no results" : span.error,
            "Run DiskSpd again and let it end.");
      } else {
        whole.add(span);
      }
    }
    return whole;
  }

  private @Nullable Instant instant() {
    try {
      return called.isEmpty()
          ? null
          : LocalDateTime.parse(called, RUN_TIME).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, false);
    return factory;
  }

  private void parse(Reader text) throws IOException {
    PushbackReader from = new PushbackReader(text, 1);
    int c = from.read();
    while (c >= 0 && c != '<') {
      c = from.read();
    }
    if (c >= 0) {
      from.unread(c);
    }
    try {
      XMLStreamReader xml = factory().createXMLStreamReader(from);
      StringBuilder content = new StringBuilder();
      while (xml.hasNext()) {
        switch (xml.next()) {
          case XMLStreamConstants.START_ELEMENT -> {
            start(xml);
            content.setLength(0);
          }
          case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
            if (content.length() < LONGEST_TEXT) {
              content.append(xml.getText());
            }
          }
          case XMLStreamConstants.END_ELEMENT -> {
            end(content.toString().strip());
            content.setLength(0);
            if (path.isEmpty()) {
              return;
            }
          }
          case XMLStreamConstants.DTD ->
              throw new UnreadableException(
                  xml.getLocation().getLineNumber(),
                  "The file has a document type, which DiskSpd does not write",
                  "Remove the DOCTYPE.");
          default -> {}
        }
      }
    } catch (XMLStreamException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNumber();
      throw new UnreadableException(
          line, "Not whole XML", "Run DiskSpd with -Rxml again; the file is cut off or changed.");
    }
  }

  private boolean in(String... names) {
    int size = path.size();
    if (size < names.length) {
      return false;
    }
    for (int i = 0; i < names.length; i++) {
      if (!path.get(size - names.length + i).equals(names[i])) {
        return false;
      }
    }
    return true;
  }

  private boolean inProfile() {
    return path.size() > 1 && path.get(1).equals("Profile");
  }

  private void start(XMLStreamReader xml) {
    path.add(xml.getLocalName());
    if (path.size() > DEEPEST) {
      throw new UnreadableException(
          xml.getLocation().getLineNumber(),
          "Elements are nested more than %d deep".formatted(DEEPEST),
          "This is none of DiskSpd's files.");
    }
    if (inProfile()) {
      if (in("TimeSpans", "TimeSpan")) {
        profiles.add(new HashMap<>());
        targets.add(new ArrayList<>());
      } else if (in("Targets", "Target") && !targets.isEmpty()) {
        targets.getLast().add(new HashMap<>());
      } else if (in("Target", "Throughput") && !targets.isEmpty()) {
        String unit = xml.getAttributeValue(null, "unit");
        targets.getLast().getLast().put("ThroughputUnit", unit == null ? "" : unit);
      }
    } else if (path.size() == 2 && in("TimeSpan")) {
      spans.add(new DiskSpdSpan(file.path()));
    } else if (in("Iops", "Bucket") && !spans.isEmpty()) {
      bucket(xml);
    } else if (in("Latency", "Bucket")) {
      percentile = Double.NaN;
    }
  }

  private void bucket(XMLStreamReader xml) {
    if (++buckets > MOST_BUCKETS) {
      throw new UnreadableException(
          xml.getLocation().getLineNumber(),
          "There are more than %,d intervals".formatted(MOST_BUCKETS),
          "Use a longer interval (-Sb, IoBucketDuration).");
    }
    DiskSpdSpan span = spans.getLast();
    boolean part = path.contains("Target");
    Intervals to = span.intervals;
    if (part) {
      String instance = "thread " + thread + " " + target;
      if (span.parts.size() >= MOST_PARTS && !span.parts.containsKey(instance)) {
        return;
      }
      to = span.parts.computeIfAbsent(instance, key -> new Intervals());
    }
    double reads = attribute(xml, "Read");
    double writes = attribute(xml, "Write");
    double readLatency = attribute(xml, "ReadAvgLatencyMilliseconds");
    double writeLatency = attribute(xml, "WriteAvgLatencyMilliseconds");
    to.end(attribute(xml, "SampleMillisecond"));
    to.value("iops", "IO/s", attribute(xml, "Total"));
    to.value("read_iops", "IO/s", reads);
    to.value("write_iops", "IO/s", writes);
    // Without -L these are there and 0.
    if (!part && (readLatency > 0 || writeLatency > 0)) {
      to.value("read_latency", "ms", reads > 0 ? readLatency : Double.NaN);
      to.value("write_latency", "ms", writes > 0 ? writeLatency : Double.NaN);
      double ops = reads + writes;
      to.value(
          "latency",
          "ms",
          ops > 0 ? (reads * readLatency + writes * writeLatency) / ops : Double.NaN);
    }
  }

  private static double attribute(XMLStreamReader xml, String name) {
    return Numbers.of(xml.getAttributeValue(null, name));
  }

  private void end(String text) {
    String name = path.getLast();
    if (inProfile()) {
      if (in("TimeSpan", name) && !profiles.isEmpty()) {
        profiles.getLast().put(name, text);
      } else if (in("Targets", "Target", name) && !targets.isEmpty()) {
        targets.getLast().getLast().put(name, text);
      }
    } else if (in("System", "ComputerName")) {
      computer = text;
    } else if (in("System", "RunTime")) {
      called = text;
    } else if (in("Tool", "Version")) {
      version = text;
    } else if (!spans.isEmpty()) {
      result(spans.getLast(), name, text);
    }
    path.removeLast();
  }

  private void result(DiskSpdSpan span, String name, String text) {
    double value = Numbers.of(text);
    if (in("TimeSpan", name)) {
      switch (name) {
        case "TestTimeSeconds" -> span.seconds = value;
        case "ThreadCount" -> span.threads = value;
        case "Error" -> span.error = text;
        default -> {}
      }
    } else if (in("Average", "UsagePercent")) {
      span.cpu = value;
    } else if (in("Thread", "Id")) {
      thread = text;
    } else if (in("Thread", "Target", name)) {
      switch (name) {
        case "Path" -> target = text;
        case "FileSize" -> span.sizes.put(target, value);
        case "ReadCount" -> add(span, Direction.READ, 0, value);
        case "WriteCount" -> add(span, Direction.WRITE, 0, value);
        case "ReadBytes" -> add(span, Direction.READ, 1, value);
        case "WriteBytes" -> add(span, Direction.WRITE, 1, value);
        default -> {}
      }
    } else if (path.size() == 4 && in("Latency", name)) {
      mean(span, name, value);
    } else if (path.size() == 5 && in("Latency", "Bucket", name)) {
      latency(span, name, value);
    }
  }

  private static void add(DiskSpdSpan span, Direction direction, int which, double value) {
    if (value >= 0) {
      span.done.computeIfAbsent(direction, key -> new double[2])[which] += value;
    }
  }

  private static void mean(DiskSpdSpan span, String name, double value) {
    switch (name) {
      case "AverageReadMilliseconds" -> span.means.put(Direction.READ, value);
      case "AverageWriteMilliseconds" -> span.means.put(Direction.WRITE, value);
      case "AverageTotalMilliseconds" -> span.means.put(Direction.BOTH, value);
      default -> {}
    }
  }

  private void latency(DiskSpdSpan span, String name, double value) {
    if (name.equals("Percentile")) {
      percentile = value;
      return;
    }
    Direction direction =
        switch (name) {
          case "ReadMilliseconds" -> Direction.READ;
          case "WriteMilliseconds" -> Direction.WRITE;
          default -> Direction.BOTH;
        };
    if (percentile >= 0 && percentile <= 100 && !Double.isNaN(value)) {
      span.percentiles.computeIfAbsent(direction, key -> new TreeMap<>()).put(percentile, value);
    }
  }
}
