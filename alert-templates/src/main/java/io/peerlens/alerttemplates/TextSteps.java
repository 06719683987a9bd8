package io.peerlens.alerttemplates;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.peerlens.alerttemplates.Filters.Moment;
import io.peerlens.alerttemplates.Step.Failed;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Kinds of steps that change texts: replace, append, dates, truncate, redact. */
final class TextSteps {

  private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;
  private static final String HIDDEN = "•••";

  private TextSteps() {}

  static StepKind regexReplace(StepArguments in) {
    in.only("field", "pattern", "with", "default");
    Path field = in.field("field");
    Pattern pattern = in.pattern("pattern");
    String with = in.step().path("with").asString("");
    replacement(in.at("with"), pattern, with);
    JsonNode otherwise = in.otherwise();
    return new StepKind(
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
        in.instead(field),
        List.of(field));
  }

  static StepKind joined(StepArguments in, boolean before) {
    in.only("field", "text");
    Path field = in.field("field");
    JsonNode text = in.needed("text");
    if (!text.isString()) {
      throw new TemplateException(in.at("text"), "must be a text");
    }
    TemplateNode more = in.parser().node(in.at("text"), text);
    return new StepKind(
        before
            ? "Put " + StepArguments.quoted(text) + " before " + field
            : "Append " + StepArguments.quoted(text) + " to " + field,
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

  static StepKind date(StepArguments in) {
    in.only("field", "to", "format", "zone", "default");
    Path field = in.path("field");
    Path to = in.step().has("to") ? in.field("to") : field;
    String zoneName = in.step().path("zone").asString("UTC");
    ZoneId zone = Filters.zone(in.at("zone"), zoneName);
    String format = in.step().path("format").asString("iso8601");
    Moment moment =
        Filters.moment(
            in.at("format"), format, zone.getId().equals("UTC") ? java.time.ZoneOffset.UTC : zone);
    JsonNode otherwise = in.otherwise();
    return new StepKind(
        "Write "
            + field
            + (to.equals(field) ? "" : " into " + to)
            + " as "
            + format
            + " in "
            + zoneName,
        run -> {
          JsonNode value = run.get(field);
          if (StepArguments.isNothing(value)) {
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
        in.instead(to),
        List.of(to));
  }

  static StepKind truncate(StepArguments in) {
    in.only("field", "max", "ellipsis");
    Path field = in.field("field");
    int max = in.step().path("max").asInt(0);
    if (max < 1 || max > Rendering.MAX_CHARACTERS) {
      throw new TemplateException(in.at("max"), "must be a number of characters, such as 1024");
    }
    String end = in.step().path("ellipsis").asBoolean(true) ? "…" : "";
    return new StepKind(
        "Truncate " + field + " to " + String.format(Locale.ROOT, "%,d", max) + " characters",
        run -> {
          JsonNode value = run.get(field);
          if (!value.isMissingNode() && !value.isNull()) {
            run.set(field, texts(value, t -> Filters.cut(t, max, end)), null);
          }
        },
        field);
  }

  static StepKind redact(StepArguments in) {
    in.only("fields", "patterns", "with");
    List<Path> fields = in.paths("fields");
    List<Pattern> patterns = new ArrayList<>();
    JsonNode texts = in.step().path("patterns");
    for (int i = 0; i < texts.size(); i++) {
      int at = i;
      Pattern pattern =
          in.parser().attempt(() -> StepArguments.pattern(in.at("patterns/") + at, texts.get(at)));
      if (pattern != null) {
        patterns.add(pattern);
      }
    }
    String with = in.step().path("with").asString(HIDDEN);
    String names = fields.stream().map(Path::toString).collect(Collectors.joining(", "));
    String words =
        patterns.isEmpty()
            ? "Redact " + names
            : "Redact "
                + patterns.stream().map(Pattern::pattern).collect(Collectors.joining(" and "))
                + " in "
                + names;
    return new StepKind(
        words,
        run -> {
          for (Path field : fields) {
            JsonNode value = run.get(field);
            if (!StepArguments.isNothing(value)) {
              run.set(field, texts(value, t -> hidden(patterns, t, with)), null);
            }
          }
        });
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
                + "' is no group of the pattern; write $1 or ${name} for a group, \\$ for a"
                + " dollar");
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
}
