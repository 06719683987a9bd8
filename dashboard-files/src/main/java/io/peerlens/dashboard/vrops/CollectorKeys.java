package io.peerlens.dashboard.vrops;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keys of vRealize Operations that Peerlens' own collectors send, by kind. The list is made from
 * docs/vcenter-keys.md and docs/esxtop.md, and a test holds it to them.
 */
public final class CollectorKeys {

  /** The collector of super metrics: those that a file brings have to be turned on. */
  public static final String SUPER_METRICS = "super-metrics";

  private static final Map<String, String> TITLES =
      Map.of(
          "vcenter",
          "vCenter collector",
          "telegraf-vsphere",
          "Telegraf's vSphere input",
          "esxtop",
          "esxtop",
          SUPER_METRICS,
          "super metrics of this file");

  private static final CollectorKeys SHIPPED = read();

  /**
   * A key that a collector sends.
   *
   * @param metric whether it is sent as a metric
   * @param property whether it is sent as a property
   * @param collectors the nearest first
   */
  public record Sent(boolean metric, boolean property, List<String> collectors) {}

  private final Map<String, Map<String, Sent>> byKind = new HashMap<>();

  private CollectorKeys() {}

  /** The keys of the collectors of this version. */
  public static CollectorKeys shipped() {
    return SHIPPED;
  }

  /** How pages call a collector. */
  public static String title(String collector) {
    return TITLES.getOrDefault(collector, collector);
  }

  private static CollectorKeys read() {
    CollectorKeys keys = new CollectorKeys();
    try (InputStream in = CollectorKeys.class.getResourceAsStream("collector-keys.tsv")) {
      if (in == null) {
        throw new IllegalStateException("collector-keys.tsv is not in the jar");
      }
      BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] cells = line.split("\t", -1);
        Sent sent =
            new Sent(
                cells[2].contains("m"), cells[2].contains("p"), List.of(cells[3].split(",", -1)));
        keys.byKind.computeIfAbsent(cells[0], kind -> new HashMap<>()).put(cells[1], sent);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return keys;
  }

  /** Which collectors send a key of a kind; null = none. */
  public @Nullable Sent sent(String kind, String key) {
    return byKind.getOrDefault(kind, Map.of()).get(key);
  }

  /** Collectors that bring objects of a kind. */
  public List<String> ofKind(String kind) {
    Set<String> collectors = new LinkedHashSet<>();
    byKind.getOrDefault(kind, Map.of()).values().forEach(it -> collectors.addAll(it.collectors()));
    return List.copyOf(collectors);
  }

  /** All kinds of which a collector sends a key. */
  public Set<String> kinds() {
    return Set.copyOf(byKind.keySet());
  }

  /** All keys of a kind. */
  public Map<String, Sent> of(String kind) {
    return Map.copyOf(byKind.getOrDefault(kind, Map.of()));
  }
}
