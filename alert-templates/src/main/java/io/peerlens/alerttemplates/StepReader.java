package io.peerlens.alerttemplates;

import io.peerlens.alerttemplates.Step.OnError;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Reader of the steps of a template: each is checked whole, so that running one parses nothing. */
final class StepReader {

  private static final Set<String> OPTIONS = Set.of("when", "on", "onError", "enabled");
  private static final Set<String> EVENTS = Set.of("NEW", "UPDATE", "CANCEL", "REPORT");
  private static final int MAX_STEPS = 100;

  /** What reads each kind of step. */
  private static final Map<String, Function<StepArguments, StepKind>> KINDS =
      Map.ofEntries(
          Map.entry("set", FieldSteps::set),
          Map.entry("default", FieldSteps::instead),
          Map.entry("add", FieldSteps::add),
          Map.entry("lookup", FieldSteps::lookup),
          Map.entry("mapSeverity", FieldSteps::mapSeverity),
          Map.entry("rename", FieldSteps::rename),
          Map.entry("remove", FieldSteps::remove),
          Map.entry("regexReplace", TextSteps::regexReplace),
          Map.entry("append", in -> TextSteps.joined(in, false)),
          Map.entry("prefix", in -> TextSteps.joined(in, true)),
          Map.entry("date", TextSteps::date),
          Map.entry("truncate", TextSteps::truncate),
          Map.entry("redact", TextSteps::redact),
          Map.entry("dedupKey", FieldSteps::dedupKey),
          Map.entry("compute", FieldSteps::compute),
          Map.entry("drop", FieldSteps::drop));

  private static final String NAMES =
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

  private Step step(int index, String place, JsonNode step) {
    List<String> kinds = new ArrayList<>(step.propertyNames());
    kinds.removeAll(OPTIONS);
    if (kinds.size() != 1) {
      throw new TemplateException(
          place,
          "must hold one step and at most when, on, onError and enabled; there are " + NAMES);
    }
    String kind = kinds.getFirst();
    // Conditions see what earlier steps have added, not what this one adds.
    Condition when =
        step.has("when")
            ? parser.attempt(() -> parser.condition(place + "/when", step.path("when")))
            : null;
    Function<StepArguments, StepKind> reader = KINDS.get(kind);
    if (reader == null) {
      throw new TemplateException(place, "step '" + kind + "' is unknown; there are " + NAMES);
    }
    StepKind made = reader.apply(new StepArguments(parser, place + "/" + kind, step.path(kind)));
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
}
