package io.peerlens.words;

import io.peerlens.ingest.flow.FlowMetric;
import io.peerlens.ingest.flow.FlowPart;
import io.peerlens.ingest.flow.TrafficType;
import io.peerlens.ingest.key.MetricKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Names of metrics and properties in words. The names are those of the pages, from the very file
 * that the pages read; a metric that has none there gets words made from its key by the rule of the
 * pages.
 */
public final class MetricWords {

  private static final Map<String, String> NAMES = read("metric-names.json");
  private static final Map<String, String> PROPERTIES = read("property-names.json");

  private static final Pattern ROLL_UP =
      Pattern.compile("_(average|summation|latest|maximum|minimum|none)$");

  /** Words that are written in capitals, also by the pages (metrics.js). */
  private static final Pattern ABBREVIATION =
      Pattern.compile("\\b(?:bios|dns|ip|mtu|ntp|numa|ssh|tls|uuid)\\b", Pattern.CASE_INSENSITIVE);

  private static final Pattern CAMEL = Pattern.compile("([a-z])([A-Z])");

  /** Of more services the first ones are named. */
  private static final int MOST_SERVICES = 3;

  private MetricWords() {}

  private static Map<String, String> read(String name) {
    try (InputStream file =
        Objects.requireNonNull(MetricWords.class.getResourceAsStream(name), name)) {
      return JsonMapper.shared().readValue(file, new TypeReference<Map<String, String>>() {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * {@code cpu|usage_average} is "CPU usage"; the instance is not part of it, unless it says which
   * flows are meant.
   */
  public static String of(String key) {
    MetricKey metric = MetricKey.parse(key);
    FlowMetric.Of flow = FlowMetric.parse(key);
    if (flow != null) {
      return NAMES.getOrDefault(FlowPart.GROUP + "|" + metric.metric(), metric.metric())
          + flows(flow.part());
    }
    String plain =
        metric.group().isEmpty() ? metric.metric() : metric.group() + "|" + metric.metric();
    String name = NAMES.get(plain);
    return name != null
        ? name
        : capital((spaced(metric.group()) + " " + spaced(metric.metric())).strip());
  }

  /** " (east-west, 443/tcp)", or nothing for all of them. */
  private static String flows(FlowPart part) {
    List<String> words = new ArrayList<>();
    if (part.type() != null) {
      words.add(part.type() == TrafficType.EAST_WEST ? "east-west" : "north-south");
    }
    int services = part.services().size();
    int named = services > MOST_SERVICES ? MOST_SERVICES - 1 : services;
    part.services().stream().limit(named).forEach(service -> words.add(service.text()));
    if (named < services) {
      words.add((services - named) + " more");
    }
    return words.isEmpty() ? "" : " (" + String.join(", ", words) + ")";
  }

  /**
   * {@code summary|config|numCpu} is "vCPUs", as on the pages; one that has no name gets words made
   * from the last part of its key.
   */
  public static String ofProperty(String key) {
    MetricKey property = MetricKey.parse(key);
    String path = property.group().isEmpty() ? "" : property.group() + "|";
    String name = PROPERTIES.get(path + property.metric().replace("_", ""));
    name = name == null ? PROPERTIES.get(path + property.metric()) : name;
    return (name == null ? capital(spaced(property.metric())) : name)
        + (property.instance().isEmpty() ? "" : ", " + property.instance());
  }

  private static String spaced(String text) {
    String words = CAMEL.matcher(ROLL_UP.matcher(text).replaceFirst("")).replaceAll("$1 $2");
    return words.replace('_', ' ').replace('|', ' ').toLowerCase(Locale.ROOT);
  }

  private static String capital(String words) {
    if (words.isEmpty()) {
      return words;
    }
    String capital =
        ABBREVIATION
            .matcher(words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1))
            .replaceAll(found -> found.group().toUpperCase(Locale.ROOT));
    return capital.startsWith("Cpu") ? "CPU" + capital.substring(3) : capital;
  }

  /** As it stands within a sentence: "memory usage", but "CPU usage". */
  public static String within(String name) {
    boolean isWord = name.length() > 1 && Character.isLowerCase(name.charAt(1));
    return isWord ? name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1) : name;
  }
}
