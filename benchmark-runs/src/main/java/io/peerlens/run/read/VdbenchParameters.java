package io.peerlens.run.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * vdbench's {@code parmfile.html}, a copy of the parameters it was given: statements such as {@code
 * wd=wd1,sd=sd*,xfersize=4k}, which end with the line unless it ends with a comma. {@code default}
 * holds for the statements of its kind after it.
 */
final class VdbenchParameters {

  private static final int MOST_STATEMENTS = 100_000;
  private static final Set<String> KINDS = Set.of("hd", "sd", "wd", "rd", "fsd", "fwd");

  /** Statements by kind and name. */
  private final Map<String, Map<String, Map<String, String>>> statements = new HashMap<>();

  /** What stands for itself, such as {@code compratio}. */
  private final Map<String, String> general = new HashMap<>();

  private final Map<String, Map<String, String>> defaults = new HashMap<>();
  private int count;

  private VdbenchParameters() {}

  static VdbenchParameters none() {
    return new VdbenchParameters();
  }

  static VdbenchParameters read(ResultFile file, Findings findings) throws IOException {
    VdbenchParameters parameters = new VdbenchParameters();
    try (Lines lines = new Lines(file.open())) {
      StringBuilder statement = new StringBuilder();
      for (String line = lines.next(); line != null; line = lines.next()) {
        String text = line.replaceAll("<[^>]{0,400}>", "").strip();
        if (text.isEmpty() || text.startsWith("*") || text.startsWith("#")) {
          continue;
        }
        if (text.equalsIgnoreCase("eof")) {
          break;
        }
        // What follows a blank is a comment.
        statement.append(text.split("\\s", 2)[0]);
        if (statement.length() > Lines.LONGEST) {
          throw new UnreadableException(
              lines.number(), "A statement is too long", "Leave the file out.");
        }
        if (!text.endsWith(",")) {
          parameters.statement(statement.toString(), lines.number());
          statement.setLength(0);
        }
      }
      parameters.statement(statement.toString(), lines.number());
    } catch (UnreadableException e) {
      findings.problem(e.in(file.path()));
    }
    return parameters;
  }

  private void statement(String text, int line) {
    Map<String, String> values = values(text);
    if (values.isEmpty()) {
      return;
    }
    if (++count > MOST_STATEMENTS) {
      throw new UnreadableException(
          line, "There are more than %,d statements".formatted(MOST_STATEMENTS), "Leave it out.");
    }
    String kind = values.keySet().iterator().next();
    if (!KINDS.contains(kind)) {
      general.putAll(values);
      return;
    }
    String name = values.getOrDefault(kind, "");
    Map<String, String> base = defaults.computeIfAbsent(kind, key -> new HashMap<>());
    if (name.equals("default")) {
      base.putAll(values);
      return;
    }
    Map<String, String> all = new HashMap<>(base);
    all.putAll(values);
    statements.computeIfAbsent(kind, key -> new LinkedHashMap<>()).put(name, all);
  }

  /** Pairs between commas; commas in parentheses do not count. */
  private static Map<String, String> values(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i <= text.length(); i++) {
      char c = i == text.length() ? ',' : text.charAt(i);
      if (c == '(') {
        depth++;
      } else if (c == ')') {
        depth--;
      } else if (c == ',' && (depth <= 0 || i == text.length())) {
        String[] pair = text.substring(start, i).split("=", 2);
        if (!pair[0].isBlank()) {
          values.put(pair[0].toLowerCase(Locale.ROOT), pair.length == 1 ? "" : pair[1]);
        }
        start = i + 1;
      }
    }
    return values;
  }

  int count(String kind) {
    return statements.getOrDefault(kind, Map.of()).size();
  }

  /** Whether it is of files (fsd, fwd) rather than of raw devices. */
  boolean files() {
    return count("fwd") > 0;
  }

  /** A value of a run definition; empty = not given. */
  String ofRun(String run, String key) {
    String name = run.startsWith("format_for_") ? run.substring("format_for_".length()) : run;
    Map<String, String> rd = statements.getOrDefault("rd", Map.of()).getOrDefault(name, Map.of());
    return rd.getOrDefault(key, "");
  }

  String general(String key) {
    return general.getOrDefault(key, "");
  }

  /**
   * Distinct values of a key: the run definition's own, which overrules, else those of the
   * workloads it uses, else those of the storage.
   */
  List<String> values(String run, String key) {
    String own = ofRun(run, key);
    if (own.isEmpty()) {
      own = ofRun(run, "for" + key);
    }
    if (!own.isEmpty()) {
      return List.of(own);
    }
    Set<String> found = new LinkedHashSet<>();
    for (Map<String, String> workload : workloads(run)) {
      String value = workload.getOrDefault(key, "");
      if (!value.isEmpty()) {
        found.add(value);
      }
    }
    if (found.isEmpty()) {
      for (String kind : List.of("sd", "fsd")) {
        statements
            .getOrDefault(kind, Map.of())
            .values()
            .forEach(one -> found.add(one.getOrDefault(key, "")));
      }
      found.remove("");
    }
    return List.copyOf(found);
  }

  /** Workloads that a run uses. */
  List<Map<String, String>> workloads(String run) {
    List<Map<String, String>> used = new ArrayList<>();
    for (String kind : List.of("wd", "fwd")) {
      String names = ofRun(run, kind);
      for (Map.Entry<String, Map<String, String>> one :
          statements.getOrDefault(kind, Map.of()).entrySet()) {
        if (names.isEmpty() ? !files() || kind.equals("fwd") : uses(names, one.getKey())) {
          used.add(one.getValue());
        }
      }
    }
    return used;
  }

  private static boolean uses(String names, String name) {
    for (String one : names.replaceAll("[()]", "").split(",")) {
      if (one.endsWith("*")
          ? name.startsWith(one.substring(0, one.length() - 1))
          : name.equals(one)) {
        return true;
      }
    }
    return false;
  }
}
