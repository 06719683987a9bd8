package io.peerlens.run.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * HCIBench's {@code …-res.txt}: figures of all VMs together, by datastore and by job or run
 * definition. Format: {@code parseFioResult.rb} and {@code parseVdbResult.rb} of
 * vmware-labs/hci-benchmark-appliance. The file is appended to, so what is there twice counts once.
 */
final class HciBenchResult {

  private static final Pattern VALUE = Pattern.compile("\\s*([A-Z0-9%a-z_ ]+?)\\s*[=:]\\s*(.*)");
  private static final int MOST_SECTIONS = 1_000;
  private static final Set<String> FIGURES =
      Set.of(
          "VMs",
          "IOPS",
          "THROUGHPUT",
          "LATENCY",
          "R_LATENCY",
          "W_LATENCY",
          "95%tile_LAT",
          "95%tile_R_LAT",
          "95%tile_W_LAT",
          "JOB_NAME",
          "Run Def",
          "Version");

  /** Figures of a datastore and job. */
  final List<Map<String, String>> sections = new ArrayList<>();

  final Set<String> datastores = new LinkedHashSet<>();

  /** Whether there are VMs that ended early and are left out of the tool's figures. */
  boolean leftOut;

  private HciBenchResult() {}

  static HciBenchResult read(ResultFile file, Findings findings) throws IOException {
    HciBenchResult result = new HciBenchResult();
    try (Lines lines = new Lines(file.open())) {
      Map<String, String> section = new HashMap<>();
      for (String line = lines.next(); line != null; line = lines.next()) {
        if (line.startsWith("====") || line.startsWith("Resource Usage")) {
          result.close(section);
          section = new HashMap<>();
        }
        result.leftOut |=
            line.contains("finished testing early") || line.contains("check following files");
        Matcher value = VALUE.matcher(line);
        if (!value.matches()) {
          continue;
        }
        String key = value.group(1).strip();
        if (key.equals("Datastore")) {
          result.datastores.add(value.group(2).strip());
          section.put(key, value.group(2).strip());
        } else if (FIGURES.contains(key)) {
          section.put(key, value.group(2).strip());
        }
      }
      result.close(section);
    } catch (UnreadableException e) {
      findings.problem(e.in(file.path()));
    }
    return result;
  }

  private void close(Map<String, String> section) {
    if (section.containsKey("IOPS")
        && !sections.contains(section)
        && sections.size() < MOST_SECTIONS) {
      sections.add(section);
    }
  }

  /** Of one section, or the sum of all. NaN = it is not there. */
  static double sum(List<Map<String, String>> sections, String key) {
    double sum = sections.isEmpty() ? Double.NaN : 0;
    for (Map<String, String> one : sections) {
      sum += Numbers.leading(one.get(key));
    }
    return sum;
  }
}
