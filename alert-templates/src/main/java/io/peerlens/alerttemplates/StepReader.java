package io.peerlens.alerttemplates;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.peerlens.alerttemplates.Filters.Moment;
import io.peerlens.alerttemplates.Step.Action;
import io.peerlens.alerttemplates.Step.Failed;
import io.peerlens.alerttemplates.Step.Instead;
import io.peerlens.alerttemplates.Step.OnError;
import io.peerlens.alerttemplates.Step.Run;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads the steps of a template: each is checked whole, so that running one parses nothing. */
final class StepReader {

  private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;
  private static final Set<String> OPTIONS = Set.of("when", "on", "onError", "enabled");
  private static final Set<String> EVENTS = Set.of("NEW", "UPDATE", "CANCEL", "REPORT");
  private static final int MAX_STEPS = 100;
  private static final String HIDDEN = "•••";

  /** How a number is formatted: one conversion, text around it. */
  private static final java.util.regex.Pattern FORMAT =
      java.util.regex.Pattern.compile(
          "[^%]*(%%[^%]*)*%[-,+ 0]{0,3}[0-9]{0,2}(\\.[0-9]{1,2})?[dfeg][^%]*(%%[^%]*)*");

  private static final String KINDS =
      "set, default, add, lookup, mapSeverity, rename, remove, regexReplace, append, prefix, date,"
          + " truncate, redact, dedupKey, compute and drop";

  private final TemplateParser parser;

  StepReader(TemplateParser parser) {
    this.parser = parser;
  }

  List<Step> read(JsonNode steps) {
    List<Step> read = new ArrayList<>();
    if (steps.isMissingNode()) {
      return read;
    }
    if (!steps.isArray()) {
      parser.mistake("/modify", "must be a list of steps");
      return read;
    }
    if (steps.size() > MAX_STEPS) {
      parser.mistake("/modify", "has " + steps.size() + " steps; " + MAX_STEPS + " is the most");
      return read;
    }
    for (int i = 0; i < steps.size(); i++) {
      int index = i;
      Step step = parser.attempt(() -> step(index, "/modify/" + index, steps.get(index)));
      if (step != null) {
        read.add(step);
      }
    }
    return List.copyOf(read);
  }

  /** A kind of step with its words and what it does. */
  private record Made(String words, Action action, @Nullable Instead instead, List<Path> writes) {
    Made(String words, Action action, Path... writes) {
      this(words, action, null, List.of(writes));
    }
  }

  private Step step(int index, String place, JsonNode step) {
    List<String> kinds = new ArrayList<>(step.propertyNames());
    kinds.removeAll(OPTIONS);
    if (kinds.size() != 1) {
      throw new TemplateException(
          place,
          "must hold one step and at most when, on, onError and enabled; there are " + KINDS);
    }
    String kind = kinds.getFirst();
    // Conditions see what earlier steps have added, not what this one adds.
    Condition when =
        step.has("when")
            ? parser.attempt(() -> parser.condition(place + "/when", step.path("when")))
            : null;
    Made made = made(kind, place + "/" + kind, step.path(kind));
    made.writes().forEach(path -> parser.name(path.first()));
    return new Step(
        index,
        place,
        made.words(),
        step.path("enabled").asBoolean(true),
        when,
        on(place + "/on", step.path("on")),
        onError(place + "/onError", step.path("onError"), made.instead() != null),
        made.action(),
        made.instead());
  }

  private Set<String> on(String place, JsonNode on) {
    Set<String> events = new LinkedHashSet<>();
    for (JsonNode event : on.isString() ? List.of(on) : on) {
      if (EVENTS.contains(event.asString(""))) {
        events.add(event.asString(""));
      } else {
        parser.mistake(
            place, "'" + event.asString("") + "' is no event; there are NEW, UPDATE and CANCEL");
      }
    }
    return events;
  }

  private OnError onError(String place, JsonNode word, boolean instead) {
    String text = word.asString(instead ? "default" : "skip");
    switch (text) {
      case "skip":
        return OnError.SKIP;
      case "fail":
        return OnError.FAIL;
      case "default":
        if (!instead) {
          parser.mistake(
              place, "is default, but the step has no default; give it one, or say skip");
        }
        return OnError.DEFAULT;
      default:
        parser.mistake(place, "is '" + text + "'; there are skip, fail and default");
        return OnError.SKIP;
    }
  }

  private Made made(String kind, String place, JsonNode step) {
    return switch (kind) {
      case "set" -> set(place, step);
      case "default" -> instead(place, step);
      case "add" -> add(place, step);
      case "lookup" -> lookup(place, step);
      case "mapSeverity" -> mapSeverity(place, step);
      case "rename" -> rename(place, step);
      case "remove" -> remove(place, step);
      case "regexReplace" -> regexReplace(place, step);
      case "append" -> joined(place, step, false);
      case "prefix" -> joined(place, step, true);
      case "date" -> date(place, step);
      case "truncate" -> truncate(place, step);
      case "redact" -> redact(place, step);
      case "dedupKey" -> dedupKey(place, step);
      case "compute" -> compute(place, step);
      case "drop" -> drop(place, step);
      default ->
          throw new TemplateException(
              place.substring(0, place.lastIndexOf('/')),
              "step '" + kind + "' is unknown; there are " + KINDS);
    };
  }

  private Made set(String place, JsonNode step) {
    only(place, step, "field", "value");
    Path field = field(place, step, "field");
    JsonNode text = needed(place, step, "value");
    TemplateNode value = parser.node(place + "/value", text);
    return new Made(
        "Set " + field + " to " + quoted(text),
        run -> {
          JsonNode rendered = value.render(run.rendering());
          if (rendered != null) {
            run.set(field, rendered, null);
          }
        },
        field);
  }

  private Made instead(String place, JsonNode step) {
    only(place, step, "field", "value");
    Path field = field(place, step, "field");
    JsonNode text = needed(place, step, "value");
    TemplateNode value = parser.node(place + "/value", text);
    return new Made(
        "Set " + field + " to " + quoted(text) + " where it is empty",
        run -> {
          JsonNode rendered = isNothing(run.get(field)) ? value.render(run.rendering()) : null;
          if (rendered != null) {
            run.set(field, rendered, "default");
          }
        },
        field);
  }

  private Made add(String place, JsonNode step) {
    only(place, step, "to", "from", "format", "default");
    Path to = field(place, step, "to");
    List<Path> from = paths(place + "/from", needed(place, step, "from"));
    String format = format(place + "/format", step.path("format"));
    JsonNode otherwise = step.get("default");
    String words =
        "Add "
            + to
            + " from "
            + from.stream().map(StepReader::source).collect(Collectors.joining(" or "))
            + (format == null ? "" : " as " + format)
            + (otherwise == null ? "" : ", else " + quoted(otherwise));
    return new Made(
        words,
        run -> {
          for (Path path : from) {
            JsonNode value = run.get(path);
            if (!isNothing(value)) {
              JsonNode added = format == null ? value.deepCopy() : formatted(format, value);
              run.set(to, added, origin(run, path));
              return;
            }
          }
          if (otherwise != null) {
            run.set(to, otherwise, "default");
            return;
          }
          throw new Failed(
              from.stream().map(Path::toString).collect(Collectors.joining(" and "))
                  + (from.size() == 1 ? " has" : " have")
                  + " no value here, and the step has no default");
        },
        otherwise == null ? null : run -> run.set(to, otherwise, "default"),
        List.of(to));
  }

  private Made lookup(String place, JsonNode step) {
    only(place, step, "table", "key", "column", "set", "default");
    String table = text(place + "/table", needed(place, step, "table"));
    if (!table.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")) {
      throw new TemplateException(
          place + "/table", "'" + table + "' is no name of a table, such as runbooks.csv");
    }
    Path key = parser.path(place + "/key", text(place + "/key", needed(place, step, "key")));
    String column = step.path("column").asString("");
    Map<Path, String> columns = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> one : needed(place, step, "set").properties()) {
      String at = place + "/set/" + TemplateParser.pointer(one.getKey());
      columns.put(path(at, one.getKey()), text(at, one.getValue()));
    }
    if (columns.isEmpty()) {
      throw new TemplateException(
          place + "/set", "must name at least one field and its column, such as {runbook: url}");
    }
    JsonNode otherwise = step.get("default");
    parser.need(Needs.lookup(table));
    Instead put =
        otherwise == null
            ? null
            : run ->
                columns
                    .keySet()
                    .forEach(
                        field -> {
                          JsonNode value =
                              otherwise.isObject() ? otherwise.get(field.toString()) : otherwise;
                          if (value != null) {
                            run.set(field, value, "default");
                          }
                        });
    String words =
        "Look up "
            + table
            + " by "
            + source(key)
            + ", set "
            + columns.keySet().stream().map(Path::toString).collect(Collectors.joining(", "))
            + (otherwise == null ? "" : ", else " + quoted(otherwise));
    return new Made(
        words,
        run -> {
          LookupTable rows = run.lookups().table(table);
          if (rows == null) {
            throw new Failed("there is no lookup table " + table);
          }
          String by = column.isEmpty() ? rows.columns().getFirst() : column;
          if (!rows.columns().contains(by)) {
            throw new Failed(noColumn(table, by, rows));
          }
          for (String wanted : columns.values()) {
            if (!rows.columns().contains(wanted)) {
              throw new Failed(noColumn(table, wanted, rows));
            }
          }
          String value = Placeholder.text(run.get(key));
          LookupTable.Row row = value.isEmpty() ? null : rows.find(by, value);
          if (row == null) {
            if (put != null) {
              put.put(run);
              return;
            }
            throw new Failed(
                table + " has no row whose " + by + " is '" + Filters.cut(value, 60) + "'");
          }
          columns.forEach(
              (field, wanted) ->
                  run.set(
                      field,
                      MAKE.stringNode(String.valueOf(rows.value(row, wanted))),
                      table + ", row " + row.number()));
        },
        put,
        List.copyOf(columns.keySet()));
  }

  private static String noColumn(String table, String column, LookupTable rows) {
    return table + " has no column " + column + "; it has " + String.join(", ", rows.columns());
  }

  private Made mapSeverity(String place, JsonNode step) {
    only(place, step, "from", "to", "map", "default");
    Path from = parser.path(place + "/from", step.path("from").asString("alert.criticality"));
    Path to = field(place, step, "to");
    JsonNode map = needed(place, step, "map");
    if (!map.isObject() || map.isEmpty()) {
      throw new TemplateException(
          place + "/map", "must name values and what they become, such as {CRITICAL: critical}");
    }
    JsonNode otherwise = step.get("default");
    String words =
        "Map "
            + (from.toString().equals("alert.criticality") ? "severity" : from)
            + " "
            + map.properties().stream()
                .limit(4)
                .map(e -> e.getKey() + " to " + Placeholder.text(e.getValue()))
                .collect(Collectors.joining(", "))
            + (map.size() > 4 ? " and " + (map.size() - 4) + " more" : "")
            + (otherwise == null ? "" : ", else " + Placeholder.text(otherwise))
            + ", as "
            + to;
    return new Made(
        words,
        run -> {
          String value = Placeholder.text(run.get(from));
          JsonNode mapped = map.get(value);
          if (mapped == null && otherwise == null) {
            throw new Failed("the map has no " + (value.isEmpty() ? "entry for nothing" : value));
          }
          run.set(
              to,
              mapped == null ? otherwise : mapped,
              mapped == null ? "default" : "from " + value);
        },
        otherwise == null ? null : run -> run.set(to, otherwise, "default"),
        List.of(to));
  }

  private Made rename(String place, JsonNode step) {
    only(place, step, "from", "to");
    Path from = parser.path(place + "/from", text(place + "/from", needed(place, step, "from")));
    Path to = field(place, step, "to");
    return new Made(
        "Rename " + from + " to " + to,
        run -> {
          JsonNode value = run.get(from);
          if (value.isMissingNode()) {
            throw new Failed("there is no " + from + " here");
          }
          JsonNode moved = value.deepCopy();
          run.remove(from);
          run.set(to, moved, "from " + from);
        },
        to);
  }

  private Made remove(String place, JsonNode step) {
    List<Path> fields = new ArrayList<>();
    if (step.isString()) {
      fields.add(path(place, step.stringValue()));
    } else {
      for (int i = 0; i < step.size(); i++) {
        fields.add(path(place + "/" + i, text(place + "/" + i, step.path(i))));
      }
    }
    if (fields.isEmpty()) {
      throw new TemplateException(place, "must list what to remove, such as [alert.info]");
    }
    return new Made(
        "Remove " + fields.stream().map(Path::toString).collect(Collectors.joining(", ")),
        run -> fields.forEach(run::remove));
  }

  private Made regexReplace(String place, JsonNode step) {
    only(place, step, "field", "pattern", "with", "default");
    Path field = field(place, step, "field");
    Pattern pattern = pattern(place + "/pattern", needed(place, step, "pattern"));
    String with = step.path("with").asString("");
    replacement(place + "/with", pattern, with);
    JsonNode otherwise = step.get("default");
    return new Made(
        "Replace "
            + pattern.pattern()
            + " in "
            + field
            + (with.isEmpty() ? " by nothing" : " by " + with),
        run -> {
          JsonNode value = run.get(field);
          if (!value.isMissingNode() && !value.isNull()) {
            run.set(field, texts(value, t -> replace(pattern, t, with)), null);
          }
        },
        otherwise == null ? null : run -> run.set(field, otherwise, "default"),
        List.of(field));
  }

  private Made joined(String place, JsonNode step, boolean before) {
    only(place, step, "field", "text");
    Path field = field(place, step, "field");
    JsonNode text = needed(place, step, "text");
    if (!text.isString()) {
      throw new TemplateException(place + "/text", "must be a text");
    }
    TemplateNode more = parser.node(place + "/text", text);
    return new Made(
        before
            ? "Put " + quoted(text) + " before " + field
            : "Append " + quoted(text) + " to " + field,
        run -> {
          JsonNode rendered = more.render(run.rendering());
          String addition = rendered == null ? "" : Placeholder.text(rendered);
          String value = Placeholder.text(run.get(field));
          if (!addition.isEmpty()) {
            run.set(field, MAKE.stringNode(before ? addition + value : value + addition), null);
          }
        },
        field);
  }

  private Made date(String place, JsonNode step) {
    only(place, step, "field", "to", "format", "zone", "default");
    Path field =
        parser.path(place + "/field", text(place + "/field", needed(place, step, "field")));
    Path to = step.has("to") ? field(place, step, "to") : field;
    String zoneName = step.path("zone").asString("UTC");
    ZoneId zone = Filters.zone(place + "/zone", zoneName);
    String format = step.path("format").asString("iso8601");
    Moment moment =
        Filters.moment(
            place + "/format",
            format,
            zone.getId().equals("UTC") ? java.time.ZoneOffset.UTC : zone);
    JsonNode otherwise = step.get("default");
    return new Made(
        "Write "
            + field
            + (to.equals(field) ? "" : " into " + to)
            + " as "
            + format
            + " in "
            + zoneName,
        run -> {
          JsonNode value = run.get(field);
          if (isNothing(value)) {
            if (otherwise != null) {
              run.set(to, otherwise, "default");
            }
            return;
          }
          try {
            run.set(to, moment.at(Filters.instant(value)), null);
          } catch (Filters.Unfit e) {
            throw new Failed(field + ": " + e.getMessage());
          }
        },
        otherwise == null ? null : run -> run.set(to, otherwise, "default"),
        List.of(to));
  }

  private Made truncate(String place, JsonNode step) {
    only(place, step, "field", "max", "ellipsis");
    Path field = field(place, step, "field");
    int max = step.path("max").asInt(0);
    if (max < 1 || max > Rendering.MAX_CHARACTERS) {
      throw new TemplateException(place + "/max", "must be a number of characters, such as 1024");
    }
    String end = step.path("ellipsis").asBoolean(true) ? "…" : "";
    return new Made(
        "Truncate " + field + " to " + String.format(Locale.ROOT, "%,d", max) + " characters",
        run -> {
          JsonNode value = run.get(field);
          if (!value.isMissingNode() && !value.isNull()) {
            run.set(field, texts(value, t -> Filters.cut(t, max, end)), null);
          }
        },
        field);
  }

  private Made redact(String place, JsonNode step) {
    only(place, step, "fields", "patterns", "with");
    List<Path> fields = paths(place + "/fields", needed(place, step, "fields"));
    List<Pattern> patterns = new ArrayList<>();
    JsonNode texts = step.path("patterns");
    for (int i = 0; i < texts.size(); i++) {
      int at = i;
      Pattern pattern = parser.attempt(() -> pattern(place + "/patterns/" + at, texts.get(at)));
      if (pattern != null) {
        patterns.add(pattern);
      }
    }
    String with = step.path("with").asString(HIDDEN);
    String names = fields.stream().map(Path::toString).collect(Collectors.joining(", "));
    String words =
        patterns.isEmpty()
            ? "Redact " + names
            : "Redact "
                + patterns.stream().map(Pattern::pattern).collect(Collectors.joining(" and "))
                + " in "
                + names;
    return new Made(
        words,
        run -> {
          for (Path field : fields) {
            JsonNode value = run.get(field);
            if (!isNothing(value)) {
              run.set(field, texts(value, t -> hidden(patterns, t, with)), null);
            }
          }
        });
  }

  private Made dedupKey(String place, JsonNode step) {
    only(place, step, "to", "parts", "separator", "max", "hash");
    Path to = step.has("to") ? field(place, step, "to") : new Path(List.of("dedupKey"));
    List<Path> parts = paths(place + "/parts", needed(place, step, "parts"));
    String separator = step.path("separator").asString(":");
    int max = step.path("max").asInt(255);
    boolean always = step.path("hash").asBoolean(false);
    if (max < 64 || max > 4096) {
      throw new TemplateException(place + "/max", "must be a number from 64 to 4096");
    }
    return new Made(
        "Build "
            + to
            + " from "
            + parts.stream().map(Path::toString).collect(Collectors.joining(", "))
            + (always ? " as a hash" : ""),
        run -> {
          StringJoiner key = new StringJoiner(separator);
          boolean some = false;
          for (Path part : parts) {
            String text = Placeholder.text(run.get(part));
            some |= !text.isEmpty();
            key.add(text);
          }
          if (!some) {
            throw new Failed("none of its parts has a value, so all alerts would share one key");
          }
          // A key that is cut could be that of another alert; its hash is not.
          String text = key.toString();
          boolean hash = always || text.length() > max;
          run.set(
              to,
              MAKE.stringNode(hash ? AlertTemplate.sha256(text) : text),
              hash ? "SHA-256" : null);
        },
        to);
  }

  private Made compute(String place, JsonNode step) {
    only(place, step, "to", "cel", "default");
    Path to = field(place, step, "to");
    String cel = text(place + "/cel", needed(place, step, "cel"));
    Condition expression = parser.expression(place + "/cel", cel);
    JsonNode otherwise = step.get("default");
    return new Made(
        "Compute " + to + " as " + cel,
        run -> {
          Condition.Value value = expression.value(run.context());
          if (value.reason() != null) {
            throw new Failed(value.reason());
          }
          run.set(to, SecretMarks.clean(CelValues.json(value.of(), run.rendering())), null);
        },
        otherwise == null ? null : run -> run.set(to, otherwise, "default"),
        List.of(to));
  }

  private Made drop(String place, JsonNode step) {
    if (!step.isString() && !step.isNull() && !(step.isObject() && step.isEmpty())) {
      throw new TemplateException(place, "takes a reason as a text, or nothing");
    }
    String reason = step.asString("");
    return new Made("Send nothing" + (reason.isBlank() ? "" : ": " + reason), Run::drop);
  }

  // Parts that several steps have.

  /** A path that is written. */
  private Path field(String place, JsonNode step, String name) {
    String at = place + "/" + name;
    return path(at, text(at, needed(place, step, name)));
  }

  private static Path path(String place, String text) {
    Path path = Path.parse(place, text);
    if (path.names().size() > 8) {
      throw new TemplateException(place, "is more than 8 names deep");
    }
    if (path.toString().equals("event")) {
      throw new TemplateException(
          place, "is what happened to the alert and stays so; write into a field of another name");
    }
    return path;
  }

  private List<Path> paths(String place, JsonNode texts) {
    if (texts.isString()) {
      return List.of(parser.path(place, texts.stringValue()));
    }
    List<Path> paths = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      String at = place + "/" + i;
      paths.add(parser.path(at, text(at, texts.path(i))));
    }
    if (paths.isEmpty()) {
      throw new TemplateException(place, "must be a path, or a list of paths");
    }
    return List.copyOf(paths);
  }

  private static String text(String place, JsonNode value) {
    if (!value.isString() || value.stringValue().isEmpty()) {
      throw new TemplateException(place, "must be a text");
    }
    return value.stringValue();
  }

  private static JsonNode needed(String place, JsonNode step, String name) {
    JsonNode value = step.get(name);
    if (value == null) {
      throw new TemplateException(place, "needs " + name);
    }
    return value;
  }

  private void only(String place, JsonNode step, String... known) {
    if (!step.isObject()) {
      throw new TemplateException(place, "must be an object with " + String.join(", ", known));
    }
    TemplateReader.only(parser, place, step, known);
  }

  private static @Nullable String format(String place, JsonNode format) {
    if (format.isMissingNode()) {
      return null;
    }
    String text = format.asString("");
    if (text.length() > 60 || !FORMAT.matcher(text).matches()) {
      throw new TemplateException(
          place, "'" + text + "' is no format of one number, such as %.1f, %,d or %.0f %%");
    }
    try {
      formatted(text, MAKE.numberNode(1));
    } catch (Failed e) {
      throw new TemplateException(place, String.valueOf(e.getMessage()));
    }
    return text;
  }

  private static JsonNode formatted(String format, JsonNode value) {
    if (!value.isNumber() || !Double.isFinite(value.asDouble(Double.NaN))) {
      throw new Failed(
          Filters.cut(value.toString(), 60) + " is no number, so " + format + " does not fit");
    }
    double number = value.asDouble(0);
    boolean whole = format.replace("%%", "").matches("(?s).*%[-,+ 0]*[0-9]*d.*");
    try {
      return MAKE.stringNode(
          whole
              ? String.format(Locale.ROOT, format, Math.round(number))
              : String.format(Locale.ROOT, format, number));
    } catch (java.util.IllegalFormatException e) {
      throw new Failed("the format " + format + " does not fit: " + e.getMessage());
    }
  }

  private static Pattern pattern(String place, JsonNode text) {
    try {
      return UserPattern.compile(text(place, text));
    } catch (UserPattern.InvalidPatternException e) {
      throw new TemplateException(place, e.reason(), e);
    }
  }

  /** Finds a wrong reference before an alert does. */
  private static void replacement(String place, Pattern pattern, String with) {
    java.util.regex.Matcher reference =
        java.util.regex.Pattern.compile("\\\\.|\\$(?:\\{([^}]*)}|([0-9]+))?").matcher(with);
    while (reference.find()) {
      String name = reference.group(1);
      String number = reference.group(2);
      boolean known =
          reference.group().startsWith("\\")
              || (name != null && pattern.namedGroups().containsKey(name))
              || (number != null
                  && number.length() < 4
                  && Integer.parseInt(number) <= pattern.groupCount());
      if (!known) {
        throw new TemplateException(
            place,
            "'"
                + reference.group()
                + "' is no group of the pattern; write $1 or ${name} for a group, \\$ for a dollar");
      }
    }
  }

  private static String replace(Pattern pattern, String text, String with) {
    Matcher matcher = pattern.matcher(text);
    StringBuilder out = new StringBuilder();
    while (matcher.find()) {
      matcher.appendReplacement(out, with);
      bounded(out);
    }
    return bounded(matcher.appendTail(out)).toString();
  }

  private static StringBuilder bounded(StringBuilder out) {
    if (out.length() > Rendering.MAX_CHARACTERS) {
      throw new Failed("the text grows beyond " + Rendering.MAX_CHARACTERS / 1024 + " KB");
    }
    return out;
  }

  /** Without patterns everything is hidden; of a pattern with groups, what stands in the groups. */
  private static String hidden(List<Pattern> patterns, String text, String with) {
    if (patterns.isEmpty()) {
      return with;
    }
    String hidden = text;
    for (Pattern pattern : patterns) {
      Matcher matcher = pattern.matcher(hidden);
      StringBuilder out = new StringBuilder();
      int from = 0;
      while (matcher.find()) {
        if (matcher.end() == matcher.start()) {
          continue;
        }
        int groups = matcher.groupCount();
        for (int group = Math.min(1, groups); group <= groups; group++) {
          if (matcher.start(group) >= from) {
            out.append(hidden, from, matcher.start(group)).append(with);
            from = matcher.end(group);
          }
        }
        bounded(out);
      }
      hidden = out.append(hidden, from, hidden.length()).toString();
    }
    return hidden;
  }

  /** Changes a text, or all texts within. */
  private static JsonNode texts(JsonNode value, UnaryOperator<String> change) {
    int[] length = new int[1];
    return all(
        value,
        text -> {
          String changed = change.apply(text);
          length[0] += changed.length();
          if (length[0] > 4 * Rendering.MAX_CHARACTERS) {
            throw new Failed(
                "its texts grow beyond " + 4 * Rendering.MAX_CHARACTERS / 1024 + " KB");
          }
          return changed;
        });
  }

  private static JsonNode all(JsonNode value, UnaryOperator<String> change) {
    if (value.isArray()) {
      ArrayNode array = MAKE.arrayNode();
      value.forEach(element -> array.add(all(element, change)));
      return array;
    }
    if (value.isObject()) {
      ObjectNode object = MAKE.objectNode();
      value.properties().forEach(e -> object.set(e.getKey(), all(e.getValue(), change)));
      return object;
    }
    if (value.isNull()) {
      return value;
    }
    String text = Placeholder.text(value);
    String changed = change.apply(text);
    return changed.equals(text) ? value : MAKE.stringNode(changed);
  }

  private static boolean isNothing(JsonNode value) {
    return value.isMissingNode() || value.isNull() || Placeholder.text(value).isEmpty();
  }

  /** Where a value came from, with the name of the object that it belongs to. */
  private static @Nullable String origin(Run run, Path path) {
    List<String> names = path.names();
    boolean ancestor = names.size() > 4 && names.get(1).equals("ancestors");
    if (!path.first().equals("object") || (names.size() != 3 && !ancestor)) {
      return "from " + path;
    }
    Path owner =
        new Path(
            ancestor
                ? List.of("object", "ancestors", names.get(2), "name")
                : List.of("object", "name"));
    String what =
        switch (names.get(ancestor ? 3 : 1)) {
          case "tags" -> "tag";
          case "properties" -> "property";
          case "metrics" -> "metric";
          case "superMetrics" -> "super metric";
          default -> null;
        };
    String name = Placeholder.text(run.get(owner));
    return what == null || name.isEmpty() ? "from " + path : what + " of " + name;
  }

  private static String source(Path path) {
    return path.words();
  }

  private static String quoted(JsonNode value) {
    return value.isString()
        ? "\"" + Filters.cut(value.stringValue(), 120) + "\""
        : Filters.cut(value.toString(), 120);
  }
}
