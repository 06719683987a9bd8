package io.peerlens.run.read;

import io.peerlens.run.Latencies;
import io.peerlens.run.Run.Direction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * vdbench's {@code histogram.html}: for each run one distribution of all operations and, of raw
 * devices, one of reads and one of writes; in milliseconds, without the warm-up.
 */
final class VdbenchHistogram {

  private static final Pattern TAG = Pattern.compile("<[^>]{0,400}>");
  private static final Pattern STARTING = Pattern.compile(".* Starting RD=([^;\\s]+).*");
  private static final Pattern BUCKET =
      Pattern.compile(
          "\\s*([0-9.,]+) +< +([0-9.,]+|max) +([0-9][0-9,.' ]*?) +[0-9.,]+ +[0-9.,]+.*");
  private static final int MOST_BUCKETS = 10_000;

  /**
   * The distributions of a run.
   *
   * @param run vdbench's name of it
   */
  record Distributions(String run, List<Latencies> latencies) {}

  private VdbenchHistogram() {}

  static List<Distributions> read(ResultFile file, Findings findings) throws IOException {
    List<Distributions> runs = new ArrayList<>();
    try (Lines lines = new Lines(file.open())) {
      Direction direction = null;
      TreeMap<Double, Double> counts = new TreeMap<>();
      for (String line = lines.next(); line != null; line = lines.next()) {
        String text = TAG.matcher(line).replaceAll("").replace("&lt;", "<");
        Matcher starting = STARTING.matcher(text);
        Matcher bucket = BUCKET.matcher(text);
        Direction next = direction(text);
        if (starting.matches() || next != null) {
          close(runs, direction, counts);
          direction = next;
          if (starting.matches()) {
            runs.add(new Distributions(starting.group(1), new ArrayList<>()));
          }
        } else if (direction != null && bucket.matches()) {
          add(counts, bucket, lines.number());
        }
      }
      close(runs, direction, counts);
    } catch (UnreadableException e) {
      findings.problem(e.in(file.path()));
    }
    return runs;
  }

  private static @Nullable Direction direction(String line) {
    String title = line.strip().toLowerCase(Locale.ROOT);
    if (title.startsWith("reads and writes") || title.startsWith("total of all requested")) {
      return Direction.BOTH;
    }
    return title.startsWith("reads:")
        ? Direction.READ
        : title.startsWith("writes:") ? Direction.WRITE : null;
  }

  private static void add(TreeMap<Double, Double> counts, Matcher bucket, int line) {
    double upper =
        bucket.group(2).equals("max")
            ? Double.POSITIVE_INFINITY
            : VdbenchFlatfile.number(bucket.group(2));
    double count = Numbers.of(bucket.group(3).replaceAll("[^0-9]", ""));
    if (Double.isNaN(upper) || Double.isNaN(count) || counts.put(upper, count) != null) {
      throw new UnreadableException(
          line, "The histogram has a broken or double line", "Copy the file anew.");
    }
    if (counts.size() > MOST_BUCKETS) {
      throw new UnreadableException(
          line,
          "The histogram has more than %,d lines".formatted(MOST_BUCKETS),
          "Leave the file out.");
    }
  }

  private static void close(
      List<Distributions> runs, @Nullable Direction direction, TreeMap<Double, Double> counts) {
    if (direction != null && !runs.isEmpty() && !counts.isEmpty()) {
      runs.getLast().latencies().add(Latencies.of(direction, counts));
    }
    counts.clear();
  }
}
