package io.peerlens.run.reading;

import io.peerlens.run.Parameter;
import io.peerlens.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parameters of runs in a form that can be compared, and which of them only name a run. */
final class Settings {

  static final String TOOL = "tool";
  static final String VERSION = "version";

  /** Parameters of all tools, those first by which a sweep is called. */
  static final List<String> COMMON =
      List.of(
          Parameter.OUTSTANDING,
          Parameter.BLOCK_SIZE,
          Parameter.WORKING_SET,
          Parameter.RATE_LIMIT,
          Parameter.READ_SHARE,
          Parameter.RANDOM_SHARE,
          Parameter.MACHINES,
          Parameter.DISKS,
          Parameter.THREADS,
          Parameter.QUEUE_DEPTH,
          Parameter.COMPRESSION,
          Parameter.DEDUPLICATION,
          Parameter.WARM_UP);

  /** Digits are bounded, so that a number of a thousand digits stays text. */
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?[0-9]{1,18}(\\.[0-9]{1,12})?([eE][-+]?[0-9]{1,2})?");

  /** Names of parameters that name a run or say when and where it was kept, letters only. */
  private static final Set<String> LABELS =
      Set.of(
          "name",
          "jobname",
          "job",
          "rd",
          "title",
          "label",
          "description",
          "desc",
          "comment",
          "comments",
          "note",
          "notes",
          "start",
          "started",
          "starttime",
          "end",
          "ended",
          "endtime",
          "date",
          "time",
          "datetime",
          "localtime",
          "timestamp",
          "tod",
          "epoch",
          "id",
          "uuid",
          "guid",
          "runid",
          "run",
          "testname",
          "testid",
          "folder",
          "directory",
          "output",
          "outputfile",
          "outputdir",
          "outputdirectory",
          "resultfile",
          "resultpath",
          "results",
          "log",
          "logfile",
          "seed",
          "randseed");

  /** Logs of fio: write_bw_log, write_lat_log and others. */
  private static final Pattern LOG = Pattern.compile("write.*log|.*logfile|.*timestamp");

  private static final Pattern NOT_LETTERS = Pattern.compile("[^a-z]");

  /** A path, a date, seconds since 1970, a UUID or several words: texts that name, not set. */
  private static final Pattern NAMING =
      Pattern.compile(
          ".*[/\\\\\\s].*|.*[12][0-9]{3}-?[01][0-9]-?[0-3][0-9].*|.*[0-9]{9,}.*|[0-9a-fA-F-]{8,}",
          Pattern.DOTALL);

  private Settings() {}

  /**
   * What a run was measured with: tool, version, parameters, numbers all written alike, without
   * those that name the run by their own name.
   */
  static SortedMap<String, String> of(Run run) {
    SortedMap<String, String> settings = new TreeMap<>();
    run.parameters()
        .forEach(
            (name, value) -> {
              if (!isLabel(name) && !unlimited(name, value)) {
                settings.put(name, canonical(value));
              }
            });
    if (!run.version().isBlank()) {
      settings.putIfAbsent(VERSION, run.version().strip());
    }
    settings.put(TOOL, run.tool());
    return settings;
  }

  /** What vdbench calls a rate of "max" is no limit. */
  private static boolean unlimited(String name, String value) {
    return name.equals(Parameter.RATE_LIMIT) && value.strip().equalsIgnoreCase("max");
  }

  /** Whether a parameter names a run by its own name, such as {@code job_name} or {@code start}. */
  static boolean isLabel(String name) {
    if (COMMON.contains(name)) {
      return false;
    }
    String letters = NOT_LETTERS.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("");
    return LABELS.contains(letters) || LOG.matcher(letters).matches();
  }

  /** Whether a text looks like a path, a date, an id or free text. */
  static boolean naming(String value) {
    return number(value) == null && NAMING.matcher(value).matches();
  }

  /** A number that a parameter says; null = it is text. */
  static @Nullable Double number(String value) {
    String text = value.strip();
    if (!NUMBER.matcher(text).matches()) {
      return null;
    }
    double number = Double.parseDouble(text);
    return Double.isFinite(number) ? number : null;
  }

  /** A parameter of a run as a number; null = it does not say, or says a text. */
  static @Nullable Double number(Run run, String parameter) {
    String value = run.parameters().get(parameter);
    return value == null ? null : number(value);
  }

  static String canonical(String value) {
    Double number = number(value);
    if (number == null) {
      return value.strip();
    }
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? Long.toString(number.longValue())
        : number.toString();
  }

  /** Names by which runs are called: common ones in their order, then the others by name. */
  static int rank(String name) {
    int common = COMMON.indexOf(name);
    return common >= 0 ? common : COMMON.size();
  }

  /**
   * A parameter in which two runs differ.
   *
   * @param a empty = the first does not say
   * @param b empty = the second does not say
   */
  record Pair(String name, String a, String b) {}

  /** In what two runs differ, the common parameters first. */
  static List<Pair> differences(Run a, Run b) {
    Map<String, String> left = of(a);
    Map<String, String> right = of(b);
    SortedSet<String> names = new TreeSet<>(left.keySet());
    names.addAll(right.keySet());
    List<Pair> pairs = new ArrayList<>();
    for (String name : names) {
      String one = left.getOrDefault(name, "");
      String other = right.getOrDefault(name, "");
      if (!one.equals(other)) {
        pairs.add(new Pair(name, one, other));
      }
    }
    pairs.sort((x, y) -> Integer.compare(rank(x.name()), rank(y.name())));
    return pairs;
  }
}
