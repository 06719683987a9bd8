package io.peerlens.alerttemplates;

import io.peerlens.alerttemplates.Step.Failed;
import io.peerlens.alerttemplates.Step.Instead;
import io.peerlens.alerttemplates.Step.Run;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Kinds of steps that set, move, remove and look up fields, or drop the alert. */
final class FieldSteps {

  private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;

  private FieldSteps() {}

  static StepKind set(StepArguments in) {
    in.only("field", "value");
    Path field = in.field("field");
    JsonNode text = in.needed("value");
    TemplateNode value = in.parser().node(in.at("value"), text);
    return new StepKind(
        "Set " + field + " to " + StepArguments.quoted(text),
        run -> {
          JsonNode rendered = value.render(run.rendering());
          if (rendered != null) {
            run.set(field, rendered, null);
          }
        },
        field);
  }

  static StepKind instead(StepArguments in) {
    in.only("field", "value");
    Path field = in.field("field");
    JsonNode text = in.needed("value");
    TemplateNode value = in.parser().node(in.at("value"), text);
    return new StepKind(
        "Set " + field + " to " + StepArguments.quoted(text) + " where it is empty",
        run -> {
          JsonNode rendered =
              StepArguments.isNothing(run.get(field)) ? value.render(run.rendering()) : null;
          if (rendered != null) {
            run.set(field, rendered, "default");
          }
        },
        field);
  }

  static StepKind add(StepArguments in) {
    in.only("to", "from", "format", "default");
    Path to = in.field("to");
    List<Path> from = in.paths("from");
    String format = in.format("format");
    JsonNode otherwise = in.otherwise();
    String words =
        "Add "
            + to
            + " from "
            + from.stream().map(Path::words).collect(Collectors.joining(" or "))
            + (format == null ? "" : " as " + format)
            + (otherwise == null ? "" : ", else " + StepArguments.quoted(otherwise));
    return new StepKind(
        words,
        run -> {
          for (Path path : from) {
            JsonNode value = run.get(path);
            if (!StepArguments.isNothing(value)) {
              JsonNode added =
                  format == null ? value.deepCopy() : StepArguments.formatted(format, value);
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
        in.instead(to),
        List.of(to));
  }

  static StepKind lookup(StepArguments in) {
    in.only("table", "key", "column", "set", "default");
    String table = in.text("table");
    if (!table.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")) {
      throw new TemplateException(
          in.at("table"), "'" + table + "' is no name of a table, such as runbooks.csv");
    }
    Path key = in.path("key");
    String column = in.step().path("column").asString("");
    Map<Path, String> columns = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> one : in.needed("set").properties()) {
      String at = in.at("set/") + TemplateParser.pointer(one.getKey());
      columns.put(StepArguments.written(at, one.getKey()), StepArguments.text(at, one.getValue()));
    }
    if (columns.isEmpty()) {
      throw new TemplateException(
          in.at("set"), "must name at least one field and its column, such as {runbook: url}");
    }
    JsonNode otherwise = in.otherwise();
    in.parser().need(Needs.lookup(table));
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
            + key.words()
            + ", set "
            + columns.keySet().stream().map(Path::toString).collect(Collectors.joining(", "))
            + (otherwise == null ? "" : ", else " + StepArguments.quoted(otherwise));
    return new StepKind(
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

  static StepKind mapSeverity(StepArguments in) {
    in.only("from", "to", "map", "default");
    Path from =
        in.parser().path(in.at("from"), in.step().path("from").asString("alert.criticality"));
    Path to = in.field("to");
    JsonNode map = in.needed("map");
    if (!map.isObject() || map.isEmpty()) {
      throw new TemplateException(
          in.at("map"), "must name values and what they become, such as {CRITICAL: critical}");
    }
    JsonNode otherwise = in.otherwise();
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
    return new StepKind(
        words,
        run -> {
          String value = Placeholder.text(run.get(from));
          JsonNode mapped = map.get(value);
          JsonNode found = mapped == null ? otherwise : mapped;
          if (found == null) {
            throw new Failed("the map has no " + (value.isEmpty() ? "entry for nothing" : value));
          }
          run.set(to, found, mapped == null ? "default" : "from " + value);
        },
        in.instead(to),
        List.of(to));
  }

  static StepKind rename(StepArguments in) {
    in.only("from", "to");
    Path from = in.path("from");
    Path to = in.field("to");
    return new StepKind(
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

  static StepKind remove(StepArguments in) {
    List<Path> fields = new ArrayList<>();
    JsonNode step = in.step();
    if (step.isString()) {
      fields.add(StepArguments.written(in.place(), step.stringValue()));
    } else {
      for (int i = 0; i < step.size(); i++) {
        String at = in.place() + "/" + i;
        fields.add(StepArguments.written(at, StepArguments.text(at, step.path(i))));
      }
    }
    if (fields.isEmpty()) {
      throw new TemplateException(in.place(), "must list what to remove, such as [alert.info]");
    }
    return new StepKind(
        "Remove " + fields.stream().map(Path::toString).collect(Collectors.joining(", ")),
        run -> fields.forEach(run::remove));
  }

  static StepKind dedupKey(StepArguments in) {
    in.only("to", "parts", "separator", "max", "hash");
    Path to = in.step().has("to") ? in.field("to") : new Path(List.of("dedupKey"));
    List<Path> parts = in.paths("parts");
    String separator = in.step().path("separator").asString(":");
    int max = in.step().path("max").asInt(255);
    boolean always = in.step().path("hash").asBoolean(false);
    if (max < 64 || max > 4096) {
      throw new TemplateException(in.at("max"), "must be a number from 64 to 4096");
    }
    return new StepKind(
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

  static StepKind compute(StepArguments in) {
    in.only("to", "cel", "default");
    Path to = in.field("to");
    String cel = in.text("cel");
    Condition expression = in.parser().expression(in.at("cel"), cel);
    JsonNode otherwise = in.otherwise();
    return new StepKind(
        "Compute " + to + " as " + cel,
        run -> {
          Condition.Value value = expression.value(run.context());
          if (value.reason() != null) {
            throw new Failed(value.reason());
          }
          run.set(to, SecretMarks.clean(CelValues.json(value.of(), run.rendering())), null);
        },
        in.instead(to),
        List.of(to));
  }

  static StepKind drop(StepArguments in) {
    JsonNode step = in.step();
    if (!step.isString() && !step.isNull() && !(step.isObject() && step.isEmpty())) {
      throw new TemplateException(in.place(), "takes a reason as a text, or nothing");
    }
    String reason = step.asString("");
    return new StepKind("Send nothing" + (reason.isBlank() ? "" : ": " + reason), Run::drop);
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
}
