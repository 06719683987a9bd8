package io.peerlens.panel;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.PanelAlert;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelEmpty;
import io.peerlens.api.model.PanelEmptyReason;
import io.peerlens.api.model.PanelNode;
import io.peerlens.api.model.PanelObjects;
import io.peerlens.api.model.PanelProperty;
import io.peerlens.api.model.Severity;
import io.peerlens.dashboard.file.Column.State;
import io.peerlens.dashboard.file.Select;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One object and what is around it: its properties, its alerts, its relations. */
final class PanelDetails {

  private static final int NODES = 500;
  private static final int ALERTS = 100;

  private final PanelInput input;
  private final PanelAnswer answer;
  private final VariableTexts texts;
  private final Selection selection;
  private final PanelObjectQueries objects;
  private final PanelAlertQueries alerts;
  private final PanelRun run;

  PanelDetails(
      PanelInput input,
      PanelAnswer answer,
      VariableTexts texts,
      Selection selection,
      PanelObjectQueries objects,
      PanelAlertQueries alerts,
      PanelRun run) {
    this.input = input;
    this.answer = answer;
    this.texts = texts;
    this.selection = selection;
    this.objects = objects;
    this.alerts = alerts;
    this.run = run;
  }

  void properties() {
    int id = run.subject();
    List<Glob> patterns =
        input.panel().properties().stream().map(one -> new Glob(texts.put(one))).toList();
    List<PanelObjectQueries.Property> known = objects.properties(id, input.to());
    List<PanelProperty> shown = new ArrayList<>();
    if (patterns.isEmpty()) {
      known.forEach(one -> shown.add(shown(one)));
    } else {
      Set<String> seen = new HashSet<>();
      for (Glob pattern : patterns) {
        for (PanelObjectQueries.Property one : known) {
          if (pattern.matches(one.key()) && seen.add(one.key())) {
            shown.add(shown(one));
          }
        }
      }
    }
    ObjectKind kind = selection.graph().kindOf(id);
    if (shown.isEmpty()) {
      String key = patterns.isEmpty() ? null : texts.put(input.panel().properties().getFirst());
      String source = kind == null ? null : KeySources.ofKind(kind);
      PanelEmpty empty =
          new PanelEmpty(
              PanelEmptyReason.NEVER_REPORTED,
              "Nothing here has sent this yet",
              key == null
                  ? "The object has no properties."
                  : "The object has no property %s.".formatted(key));
      if (key != null) {
        empty.setKey(key);
      }
      if (source != null) {
        empty.setSource(source);
      }
      throw new EmptyPanel(empty, 1);
    }
    answer.setProperties(shown);
    answer.setObjects(new PanelObjects(1, 1, 1));
  }

  private static PanelProperty shown(PanelObjectQueries.Property property) {
    Instant changed = property.changedAt();
    return new PanelProperty(
        property.key(), property.value(), changed == null ? null : changed.toEpochMilli());
  }

  void alertList() {
    boolean all =
        input.question().kinds().isEmpty()
            && input.question().select() == null
            && input.panel().subject() == null;
    int[] ids = null;
    int matched = selection.graph().size();
    if (!all) {
      Selected selected = run.selectMeeting();
      ids = selected.ids();
      if (input.panel().subject() != null && input.question().kinds().isEmpty()) {
        // Of an object: its own alerts and those below it.
        int[] below =
            selection.reach(ids, new Select.Step(Select.Direction.DESCENDANTS, List.of(), 0));
        ids = IntStream.concat(Arrays.stream(ids), Arrays.stream(below)).distinct().toArray();
      }
      matched = ids.length;
    }
    int severity =
        switch (Objects.requireNonNullElse(input.panel().severity(), "info")) {
          case "critical" -> 4;
          case "immediate" -> 3;
          case "warning" -> 2;
          default -> 1;
        };
    int limit = Math.min(input.rows(ALERTS), 1000);
    List<PanelAlertQueries.Listed> found =
        alerts.list(ids, severity, input.to(), input.asOf(), limit);
    Map<Integer, ObjectRef> references =
        objects.references(found.stream().mapToInt(PanelAlertQueries.Listed::object).toArray());
    List<PanelAlert> shown = new ArrayList<>();
    for (PanelAlertQueries.Listed one : found) {
      ObjectRef reference = references.get(one.object());
      if (reference != null) {
        shown.add(
            new PanelAlert(
                one.id(),
                one.number(),
                one.name(),
                reference,
                Severity.values()[one.severity() - 1],
                one.openedAt().toEpochMilli(),
                one.owner()));
      }
    }
    if (!found.isEmpty() && found.getFirst().total() > found.size()) {
      run.note(
          "rows-left-out", "%,d of %,d alerts".formatted(found.size(), found.getFirst().total()));
    }
    answer.setAlerts(shown);
    answer.setObjects(new PanelObjects(matched, references.size(), matched));
  }

  void tree() {
    int id = run.subject();
    int up = Objects.requireNonNullElse(input.panel().up(), 2);
    int down = Objects.requireNonNullElse(input.panel().down(), 2);
    record Node(int object, @Nullable Integer parent, int level, int[] more) {}
    List<Node> nodes = new ArrayList<>();
    nodes.add(new Node(id, null, 0, new int[1]));
    for (int direction : new int[] {-1, 1}) {
      Set<Integer> seen = new HashSet<>(Set.of(id));
      ArrayDeque<Integer> open = new ArrayDeque<>(List.of(0));
      while (!open.isEmpty()) {
        int place = open.remove();
        Node node = nodes.get(place);
        if (Math.abs(node.level()) >= (direction < 0 ? up : down)) {
          continue;
        }
        int[] near =
            direction < 0
                ? selection.graph().parents(node.object(), 10_000)
                : selection.graph().children(node.object(), 10_000);
        for (int one : near) {
          if (nodes.size() >= NODES) {
            node.more()[0]++;
          } else if (seen.add(one)) {
            open.add(nodes.size());
            nodes.add(new Node(one, place, node.level() + direction, new int[1]));
          }
        }
      }
    }
    int[] ids = nodes.stream().mapToInt(Node::object).toArray();
    Map<Integer, ObjectRef> references = objects.references(ids);
    Map<Integer, PanelAlertQueries.Open> open = alerts.worst(ids, input.to(), input.asOf());
    List<PanelNode> shown = new ArrayList<>();
    for (Node node : nodes) {
      PanelAlertQueries.Open alert = open.get(node.object());
      shown.add(
          new PanelNode(
              references.getOrDefault(
                  node.object(), new ObjectRef(new UUID(0, 0), "", "", "removed")),
              node.parent(),
              node.level(),
              States.shown(alert == null ? State.NORMAL : alert.worst()),
              node.more()[0]));
    }
    if (nodes.size() >= NODES) {
      run.note("objects-left-out", "the first %,d objects".formatted(NODES));
    }
    answer.setTree(shown);
    answer.setObjects(new PanelObjects(nodes.size(), nodes.size(), nodes.size()));
  }
}
