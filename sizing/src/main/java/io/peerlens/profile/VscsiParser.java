package io.peerlens.profile;

import io.peerlens.profile.VscsiStats.Commands;
import io.peerlens.profile.VscsiStats.Histogram;
import io.peerlens.profile.VscsiStats.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parser of the output of vscsiStats, line by line. */
final class VscsiParser {

  private static final int LINE_LIMIT = 4_096;
  private static final int LINES_LIMIT = 2_000_000;
  private static final int HISTOGRAMS_LIMIT = 50_000;
  private static final int BUCKETS_LIMIT = 200;
  private static final int PROBLEMS_LIMIT = 20;

  private static final String TITLE = "Histogram:";
  private static final Pattern WORLD = Pattern.compile("worldGroupID\\s*[,:]?\\s*(\\d{1,18})");
  private static final Pattern HANDLE =
      Pattern.compile("handleID\\s*[,:]?\\s*(\\d{1,18}[^,]{0,60})");
  private static final Pattern SUMMARY =
      Pattern.compile("(?i)(min|max|mean|count)\\s*[,:]\\s*(-?\\d{1,19}(?:\\.\\d{1,9})?)[\\s,]*");
  private static final Pattern HEADING =
      Pattern.compile("(?i)frequency\\s*,\\s*histogram bucket limit[\\s,]*");
  private static final Pattern NUMBER_FIRST = Pattern.compile("-?\\d+\\s*,");
  private static final Pattern BUCKET =
      Pattern.compile("\\s*(\\d{1,18})\\s*,\\s*(-?\\d{1,18})[\\s,]*");

  private final String name;
  private final Map<String, Histogram> histograms = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();
  private final List<Long> limits = new ArrayList<>();
  private final List<Double> counts = new ArrayList<>();
  private int line;
  private int titleLine;
  private @Nullable String title;
  private boolean inBuckets;
  private double max = Double.NaN;
  private double count = Double.NaN;

  VscsiParser(String name) {
    this.name = name;
  }

  void longest(int length) {
    if (length > LINE_LIMIT) {
      throw broken(line + 1, "is longer than %d characters".formatted(LINE_LIMIT));
    }
  }

  void line(String raw) {
    line++;
    if (line > LINES_LIMIT) {
      throw broken(line, "is one too many: at most %d are read".formatted(LINES_LIMIT));
    }
    String text = raw.replace("\"", "").strip();
    if (text.startsWith(TITLE)) {
      close();
      if (text.endsWith("{")) {
        throw broken(line, "is of the form for people: print again with vscsiStats -p all -c");
      }
      title = text;
      titleLine = line;
    } else if (title != null && !text.isEmpty()) {
      inside(text);
    }
  }

  private void inside(String text) {
    Matcher bucket = BUCKET.matcher(text);
    Matcher summary = SUMMARY.matcher(text);
    if (HEADING.matcher(text).matches()) {
      inBuckets = true;
    } else if (inBuckets && bucket.matches()) {
      if (counts.size() == BUCKETS_LIMIT) {
        throw broken(line, "is bucket %d of a histogram".formatted(BUCKETS_LIMIT + 1));
      }
      counts.add(Double.valueOf(bucket.group(1)));
      limits.add(Long.valueOf(bucket.group(2)));
    } else if (!inBuckets && summary.matches()) {
      switch (summary.group(1).toLowerCase(Locale.ROOT)) {
        case "max" -> max = Double.parseDouble(summary.group(2));
        case "count" -> count = Double.parseDouble(summary.group(2));
        default -> {
          // Lowest and mean follow from the counts as well as anybody needs them.
        }
      }
    } else if (inBuckets && !counts.isEmpty() && !NUMBER_FIRST.matcher(text).lookingAt()) {
      // Something that a script printed in between.
      close();
    } else {
      throw broken(line, "is not a line of a histogram: \"%s\"".formatted(shorten(text)));
    }
  }

  VscsiStats end() {
    close();
    if (histograms.isEmpty()) {
      throw new IllegalArgumentException(
          ("%s has no histogram of vscsiStats. Each begins with \"%s\";"
                  + " print them with vscsiStats -p all -c")
              .formatted(name, TITLE));
    }
    return new VscsiStats(List.copyOf(histograms.values()), problems);
  }

  private void close() {
    String of = title;
    if (of != null) {
      keep(of);
    }
    title = null;
    inBuckets = false;
    max = Double.NaN;
    count = Double.NaN;
    limits.clear();
    counts.clear();
  }

  private void keep(String of) {
    int n = limits.size();
    if (n < 2) {
      throw broken(titleLine, "begins a histogram that has no buckets: is the file whole?");
    }
    for (int i = 1; i < n; i++) {
      boolean last = i == n - 1 && limits.get(i).equals(limits.get(i - 1));
      if (limits.get(i) <= limits.get(i - 1) && !last) {
        throw broken(
            titleLine,
            "begins a histogram whose limits do not ascend at %d".formatted(limits.get(i)));
      }
    }
    Kind kind = kind(of);
    if (kind == null) {
      problem(titleLine, "is of a histogram that is not known, and is left out: " + shorten(of));
      return;
    }
    double sum = counts.stream().mapToDouble(Double::doubleValue).sum();
    if (!Double.isNaN(count) && sum != count) {
      problem(titleLine, "says %.0f commands, and its buckets have %.0f".formatted(count, sum));
    }
    if (part(WORLD, of).isEmpty() && part(HANDLE, of).isEmpty()) {
      problem(titleLine, "does not say which disk it is of: all such are taken as one");
    }
    boolean open = limits.get(n - 1).equals(limits.get(n - 2));
    int bounded = open ? n - 1 : n;
    double[] all = new double[bounded + 1];
    for (int i = 0; i < n; i++) {
      all[i] = counts.get(i);
    }
    Histogram read =
        new Histogram(
            kind,
            commands(of),
            part(WORLD, of),
            part(HANDLE, of),
            limits.stream().limit(bounded).mapToLong(Long::longValue).toArray(),
            all,
            max);
    histograms.merge(
        String.join("/", kind.name(), read.commands().name(), read.world(), read.disk()),
        read,
        this::again);
    if (histograms.size() > HISTOGRAMS_LIMIT) {
      throw broken(titleLine, "is one histogram too many: at most %d".formatted(HISTOGRAMS_LIMIT));
    }
  }

  private Histogram again(Histogram before, Histogram now) {
    if (!Arrays.equals(before.limits(), now.limits())) {
      throw broken(titleLine, "begins a histogram that has other buckets than before");
    }
    double[] sums = now.counts().clone();
    boolean goesOn = true;
    for (int i = 0; i < sums.length; i++) {
      goesOn &= now.counts()[i] >= before.counts()[i];
      sums[i] += before.counts()[i];
    }
    if (goesOn) {
      return now;
    }
    double most = Double.isNaN(now.max()) ? before.max() : Math.max(now.max(), before.max());
    return new Histogram(
        now.kind(), now.commands(), now.world(), now.disk(), now.limits(), sums, most);
  }

  private static @Nullable Kind kind(String of) {
    String title = of.toLowerCase(Locale.ROOT);
    int words = title.indexOf(',');
    title = words < 0 ? title : title.substring(0, words);
    if (title.contains("interarrival")) {
      return Kind.INTERARRIVAL;
    }
    if (title.contains("distance")) {
      return title.contains("previous") ? Kind.DISTANCE_OF_16 : Kind.DISTANCE;
    }
    if (title.contains("outstanding")) {
      return Kind.OUTSTANDING;
    }
    if (title.contains("latency")) {
      return Kind.LATENCY;
    }
    return title.contains("io length") ? Kind.LENGTH : null;
  }

  private static Commands commands(String of) {
    String title = of.indexOf(',') < 0 ? of : of.substring(0, of.indexOf(','));
    if (title.contains("Read")) {
      return Commands.READS;
    }
    return title.contains("Write") ? Commands.WRITES : Commands.ALL;
  }

  private static String part(Pattern pattern, String of) {
    Matcher matcher = pattern.matcher(of);
    return matcher.find() ? matcher.group(1).strip() : "";
  }

  private void problem(int at, String what) {
    if (problems.size() < PROBLEMS_LIMIT) {
      problems.add("%s, line %d %s".formatted(name, at, what));
    }
  }

  private IllegalArgumentException broken(int at, String what) {
    return new IllegalArgumentException("%s, line %d %s".formatted(name, at, what));
  }

  private static String shorten(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "...";
  }
}
