package io.peerlens.alerttemplates;

import io.peerlens.alerttemplates.StepResult.Change;
import io.peerlens.alerttemplates.StepResult.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Step of a template.
 *
 * @param index its place among the steps, from 0
 * @param words the sentence for people
 * @param when null = always
 * @param on the events it runs for; empty = all
 * @param instead what {@link OnError#DEFAULT} puts into the places that the step writes
 */
record Step(
    int index,
    String place,
    String words,
    boolean enabled,
    @Nullable Condition when,
    Set<String> on,
    OnError onError,
    Action action,
    @Nullable Instead instead) {

  /** Behaviour when a step fails. */
  enum OnError {
    SKIP,
    FAIL,
    DEFAULT
  }

  /** Action of a step. */
  @FunctionalInterface
  interface Action {
    void apply(Run run);
  }

  /** Default value, put where the step would have written. */
  @FunctionalInterface
  interface Instead {
    void put(Run run);
  }

  /** A step cannot do its work; the message says why. */
  static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1;

    Failed(String message) {
      super(message);
    }
  }

  /** State of a run: context, lookups and the changes so far. */
  static final class Run {

    private final ObjectNode context;
    private final Lookups lookups;
    private final List<Change> changes = new ArrayList<>();
    private boolean dropped;

    Run(ObjectNode context, Lookups lookups) {
      this.context = context;
      this.lookups = lookups;
    }

    ObjectNode context() {
      return context;
    }

    Lookups lookups() {
      return lookups;
    }

    boolean dropped() {
      return dropped;
    }

    void drop() {
      dropped = true;
    }

    /** A rendering of the context as it is now. */
    Rendering rendering() {
      return new Rendering(context);
    }

    /** The value at a path, with the names of vRealize Operations; missing if there is none. */
    JsonNode get(Path path) {
      return rendering().value(path);
    }

    void set(Path path, JsonNode value, @Nullable String note) {
      JsonNode parent = parent(path, true);
      String name = path.last();
      JsonNode before = Path.member(parent, name);
      if (before.equals(value)) {
        return;
      }
      switch (parent) {
        case ObjectNode object -> object.set(name, value);
        case ArrayNode array when !before.isMissingNode() ->
            array.set(Integer.parseInt(name), value);
        default ->
            throw new Failed(
                path
                    + " cannot be set: it is inside "
                    + (parent.isArray() ? "a list without that place" : "no object"));
      }
      changes.add(new Change(path.toString(), present(before), value, note));
    }

    void remove(Path path) {
      JsonNode parent = parent(path, false);
      JsonNode before = Path.member(parent, path.last());
      if (before.isMissingNode()) {
        return;
      }
      if (parent instanceof ObjectNode object) {
        object.remove(path.last());
      } else if (parent instanceof ArrayNode array) {
        array.remove(Integer.parseInt(path.last()));
      }
      changes.add(new Change(path.toString(), before, null, null));
    }

    private JsonNode parent(Path path, boolean make) {
      JsonNode parent = context;
      for (String name : path.names().subList(0, path.names().size() - 1)) {
        JsonNode next = Path.member(parent, name);
        if (make
            && (next.isMissingNode() || next.isNull())
            && parent instanceof ObjectNode object) {
          next = object.putObject(name);
        }
        parent = next;
      }
      return parent;
    }

    private static @Nullable JsonNode present(JsonNode value) {
      return value.isMissingNode() ? null : value;
    }
  }

  /** Outcome of a step. */
  record Done(StepResult result, boolean dropped, boolean stopped) {}

  Done run(ObjectNode context, Lookups lookups) {
    if (!enabled) {
      return skipped("it is switched off");
    }
    String event = context.path("event").asString("");
    if (!on.isEmpty() && !on.contains(event)) {
      return skipped("it runs on " + String.join(", ", on) + " only");
    }
    if (when != null) {
      Condition.Outcome outcome = when.evaluate(context);
      if (!outcome.holds()) {
        return skipped(
            outcome.reason() == null
                ? "its condition does not hold"
                : "its condition cannot be told: " + outcome.reason());
      }
    }
    Run run = new Run(context, lookups);
    try {
      action.apply(run);
    } catch (Failed e) {
      return failed(run, String.valueOf(e.getMessage()));
    } catch (TemplateException e) {
      return failed(run, e.mistakes().getFirst().message());
    }
    Effect effect = run.changes.isEmpty() && !run.dropped ? Effect.NONE : Effect.CHANGED;
    return new Done(new StepResult(index, words, effect, run.changes, null), run.dropped, false);
  }

  private Done failed(Run run, String error) {
    if (onError == OnError.DEFAULT && instead != null) {
      try {
        instead.put(run);
        Effect effect = run.changes.isEmpty() ? Effect.NONE : Effect.CHANGED;
        return new Done(new StepResult(index, words, effect, run.changes, error), false, false);
      } catch (Failed e) {
        // The default has no place to go to: as if there were none.
      }
    }
    return new Done(
        new StepResult(index, words, Effect.FAILED, run.changes, error),
        false,
        onError == OnError.FAIL);
  }

  private Done skipped(String why) {
    return new Done(new StepResult(index, words, Effect.SKIPPED, List.of(), why), false, false);
  }
}
