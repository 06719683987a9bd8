package io.peerlens.dashboard.vrops;

import io.peerlens.dashboard.vrops.DashboardPlan.Variable;
import io.peerlens.dashboard.vrops.DashboardPlan.Widget;
import io.peerlens.dashboard.vrops.ImportReport.Proposal;
import io.peerlens.dashboard.vrops.ImportReport.Settle;
import io.peerlens.dashboard.vrops.Kinds.Pinned;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reader of which objects a widget shows: by kind, who drives it, what it is tied to, filters. */
final class WidgetObjects {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Columns columns;
  private final Conditions conditions;
  private final Documents documents;
  private final Installation installation;
  private final Settlements settlements;
  private final Reporter reporter;

  WidgetObjects(
      Columns columns,
      Documents documents,
      Installation installation,
      Settlements settlements,
      Reporter reporter) {
    this.columns = columns;
    this.conditions = new Conditions(columns);
    this.documents = documents;
    this.installation = installation;
    this.settlements = settlements;
    this.reporter = reporter;
  }

  /** Sets of which objects a panel shows: by kind, who drives it, what it is tied to, filters. */
  void choose(Place at, PanelPart part, List<String> kinds, boolean needsSubject) {
    List<String> shown = columns.withVCenters(kinds, null);
    if (!shown.equals(kinds)) {
      part.replaced("each vCenter in place of the World over all of them");
    }
    part.kinds = shown;
    Columns.kinds(part.node, shown);
    ObjectNode select = JSON.objectNode();
    who(at, part, shown, select, needsSubject);
    filters(at.config(), at, part, shown, select);
    if (!select.isEmpty()) {
      part.node.set("select", select);
    }
  }

  /** Sets of where the objects of a panel come from. */
  void who(Place at, PanelPart part, List<String> kinds, ObjectNode select, boolean needsSubject) {
    Widget widget = at.widget();
    if (widget.subject != null && !widget.isSelfProvider()) {
      subject(part, widget.subject);
      if (!needsSubject) {
        ArrayNode paths = paths(relationship(widget.config));
        if (!paths.isEmpty()) {
          select.set("paths", paths);
        }
      }
      if (widget.providers.size() > 1) {
        part.note("the last of " + widget.providers.size() + " panels to be clicked drives it");
      }
      return;
    }
    List<Pinned> pinned = pinned(at);
    List<Pinned> single = pinned.stream().filter(it -> !it.isRoot()).toList();
    if (single.size() == 1 && single.size() == pinned.size()) {
      tie(at, part, single.getFirst(), kinds, select, needsSubject);
      return;
    }
    if (single.size() > 1 && single.size() == pinned.size()) {
      names(part, single, select);
      return;
    }
    if (needsSubject) {
      Variable variable = at.plan().own("kind:" + kinds, kinds, "");
      if (variable == null) {
        part.is(ImportStatus.CHOOSE, "choose the object that it shows");
        return;
      }
      subject(part, variable);
      if (pinned.isEmpty() && !widget.isSelfProvider()) {
        part.replaced("nothing drives it; it asks for an object");
      } else {
        variable.first = true;
        part.replaced("one object of the kind at a time, to choose above");
      }
      return;
    }
    if (pinned.isEmpty() && widget.config.has("selfProvider") && !widget.isSelfProvider()) {
      part.note(
          widget.providers.isEmpty() ? "nothing drives it; it shows all" : "shows all objects");
    }
  }

  private void subject(PanelPart part, Variable variable) {
    part.node.put("subject", "$" + variable.name);
    part.note("shows what $" + variable.name + " says");
  }

  /** A panel that is about one object. */
  PanelPart subjectPanel(Place at, String type) {
    PanelPart part = at.panel(type);
    Variable subject = at.widget().subject;
    List<String> kinds =
        !at.widget().kinds.isEmpty() || subject == null
            ? at.widget().kinds
            : List.copyOf(subject.kinds);
    choose(at, part, kinds, false);
    return part;
  }

  List<Pinned> pinned(Place at) {
    List<Pinned> pinned = new ArrayList<>();
    for (String member : new String[] {"resource", "resources"}) {
      for (JsonNode resource : Members.list(at.config(), member)) {
        Pinned found = at.plan().found.kinds().pinned(resource);
        if (found != null && pinned.size() < 20 && !pinned.contains(found)) {
          pinned.add(found);
        }
      }
    }
    String id = Members.text(at.config(), "resourceId");
    if (pinned.isEmpty() && !id.isEmpty()) {
      Pinned found = at.plan().found.kinds().pinned(at.config());
      if (found != null && !found.name().equals(at.widget().title)) {
        pinned.add(found);
      }
    }
    return pinned;
  }

  /** Ties a panel to one object or to the members of a group. */
  void tie(
      Place at,
      PanelPart part,
      Pinned pinned,
      List<String> kinds,
      ObjectNode select,
      boolean needsSubject) {
    if (pinned.isGroup() && !kinds.contains(pinned.kind()) && !needsSubject) {
      group(part, pinned, select);
      return;
    }
    String id = "object:" + pinned.kind() + "/" + pinned.name();
    String chosen = settlements.chosen(id);
    if (chosen != null && !chosen.equals(Settlements.ASK) && !pinned.kind().isEmpty()) {
      part.node.set("subject", new Pinned(pinned.kind(), chosen, Map.of()).node());
      part.replaced(Names.line(chosen, "") + " in place of " + Names.line(pinned.name(), ""));
    } else if (chosen == null
        && !pinned.kind().isEmpty()
        && installation.object(pinned.kind(), pinned.name()).isPresent()) {
      part.node.set("subject", pinned.node());
      part.note("tied to " + Names.line(pinned.name(), ""));
    } else {
      Variable variable =
          at.plan()
              .own(id, pinned.kind().isEmpty() ? List.of() : List.of(pinned.kind()), pinned.name());
      String becomes = variable == null ? "shows all" : "becomes $" + variable.name;
      if (variable != null) {
        part.node.put("subject", "$" + variable.name);
      }
      if (chosen != null) {
        part.replaced(Names.line(pinned.name(), "object") + " " + becomes);
      } else {
        part.is(
            ImportStatus.CHOOSE, Names.line(pinned.name(), "object") + " is not here; " + becomes);
        Settle settle =
            settlements.add(
                id,
                ImportStatus.CHOOSE,
                Names.line(pinned.name(), "object"),
                "panels are tied to this " + kindWord(pinned.kind()) + ", which is not here",
                pinned.kind().isEmpty() ? List.of() : installation.names(pinned.kind()),
                true);
        part.proposal = settle.proposal();
      }
    }
    ArrayNode paths = paths(relationship(at.config()));
    if (!paths.isEmpty() && !needsSubject) {
      select.set("paths", paths);
    }
  }

  static String kindWord(String kind) {
    return kind.isEmpty() ? "object" : kind.substring(kind.indexOf('/') + 1);
  }

  private void group(PanelPart part, Pinned pinned, ObjectNode select) {
    String name = Names.line(pinned.name(), "group");
    String id = "group:" + name;
    String chosen = settlements.chosen(id);
    if (chosen != null && !chosen.equals(Settlements.ASK)) {
      select.putObject("from").put("group", Names.line(chosen, name));
      part.replaced("group \"" + Names.line(chosen, name) + "\" in place of \"" + name + "\"");
      return;
    }
    select.putObject("from").put("group", name);
    if (installation.groups().contains(name)) {
      part.note("members of the group \"" + name + "\"");
      return;
    }
    reporter.neededGroups.add(name);
    String rule = rule(documents.groups.get(pinned.name()));
    boolean inFile = documents.groups.containsKey(pinned.name());
    String text =
        inFile
            ? "group \""
                + name
                + "\" is described in the file; make one here"
                + (rule.isEmpty() ? "" : " with the rule " + rule)
            : "group \"" + name + "\" is in neither the file nor here";
    part.is(ImportStatus.MISSING, text);
    Settle settle =
        settlements.add(
            id, ImportStatus.MISSING, "Group \"" + name + "\"", text, installation.groups(), false);
    part.proposal =
        settle.proposal() == null && !rule.isEmpty() ? new Proposal("", rule) : settle.proposal();
  }

  /** The rule of a group in words, if it is one on tags; empty = another one. */
  private static String rule(@Nullable JsonNode group) {
    if (group == null) {
      return "";
    }
    List<String> words = new ArrayList<>();
    for (JsonNode rules : Members.objects(group.path("membershipDefinition"), "ruleGroups")) {
      for (JsonNode rule : Members.objects(rules, "rules")) {
        String tag = Members.text(rule, "tagCategory");
        if (!tag.isEmpty() && words.size() < 3) {
          words.add("tag " + tag + " = " + Members.text(rule, "ruleValue"));
        }
      }
    }
    return words.isEmpty() ? "" : Names.line(String.join(", ", words), "");
  }

  void names(PanelPart part, List<Pinned> pinned, ObjectNode select) {
    ArrayNode where = select.putArray("where");
    int missing = 0;
    for (Pinned each : pinned) {
      ObjectNode condition = JSON.objectNode();
      condition.put("attribute", "name");
      condition.put("op", "=");
      condition.put("value", Names.line(each.name(), "object"));
      where.addArray().add(condition);
      missing +=
          !each.kind().isEmpty() && installation.object(each.kind(), each.name()).isPresent()
              ? 0
              : 1;
    }
    String text = "the " + pinned.size() + " objects of its list, by their names";
    if (missing > 0) {
      part.is(ImportStatus.CHOOSE, text + "; " + missing + " of them are not here");
    } else {
      part.note(text);
    }
  }

  void filters(JsonNode config, Place at, PanelPart part, List<String> kinds, ObjectNode select) {
    List<String> left = new ArrayList<>();
    ArrayNode where = conditions.ofWidget(config.path("customFilter"), kinds, left);
    if (!where.isEmpty() && !select.has("where")) {
      select.set("where", where);
    }
    JsonNode custom = config.path("customFilter");
    if (!Members.list(custom, "includedResources").isEmpty()
        || !Members.list(custom, "excludedResources").isEmpty()) {
      left.add("single objects that were put in or left out by hand");
    }
    JsonNode tags = config.path("tagFilter").path("value");
    if (tags.isObject()) {
      tagFilter(tags, at, part, select, left);
    }
    if (!left.isEmpty()) {
      part.replaced("without " + String.join(", ", new LinkedHashSet<>(left)));
    }
  }

  private void tagFilter(
      JsonNode tags, Place at, PanelPart part, ObjectNode select, List<String> left) {
    for (Map.Entry<String, JsonNode> member : tags.properties()) {
      JsonNode value = member.getValue();
      if (!value.isArray() || value.isEmpty()) {
        continue;
      }
      switch (member.getKey()) {
        case "kind", "adapterKind" -> {
          // is in the kinds
        }
        case "tag" -> {
          for (JsonNode each : value) {
            JsonNode id = each.isArray() && !each.isEmpty() ? each.get(0) : each;
            Pinned pinned = at.plan().found.kinds().pinned(id);
            if (pinned == null || pinned.isRoot()) {
              continue;
            }
            if (pinned.isGroup() && !select.has("from")) {
              group(part, pinned, select);
            } else if (!pinned.kind().isEmpty() && !pinned.isGroup()) {
              ObjectNode scope =
                  select.path("scope") instanceof ObjectNode made
                      ? made
                      : select.putObject("scope");
              ArrayNode above =
                  scope.path("ancestors") instanceof ArrayNode made
                      ? made
                      : scope.putArray("ancestors");
              if (above.size() < 50) {
                above.add(pinned.node());
              }
              if (installation.object(pinned.kind(), pinned.name()).isEmpty()) {
                part.is(
                    ImportStatus.CHOOSE,
                    "only those below "
                        + Names.line(pinned.name(), "object")
                        + ", which is not here");
              }
            } else {
              left.add("a tag");
            }
          }
        }
        default -> left.add("the filter by " + Names.cut(member.getKey(), 40));
      }
    }
  }

  private record Relationship(List<Integer> modes, int depth) {}

  private static Relationship relationship(JsonNode config) {
    List<Integer> modes = new ArrayList<>();
    for (JsonNode mode : Members.list(config, "relationshipMode")) {
      Double number = Members.number(Members.text(mode));
      if (number != null && Math.abs(number) <= 1 && !modes.contains(number.intValue())) {
        modes.add(number.intValue());
      }
    }
    return new Relationship(modes, Members.whole(config, "depth", 0, 0, 20));
  }

  private static ArrayNode paths(Relationship relationship) {
    ArrayNode paths = JSON.arrayNode();
    for (int mode : relationship.modes()) {
      ArrayNode path = paths.addArray();
      if (mode == 0) {
        path.add("self");
      } else {
        ObjectNode step = path.addObject();
        step.put("to", mode < 0 ? "descendants" : "ancestors");
        if (relationship.depth() > 0) {
          step.put("depth", relationship.depth());
        }
      }
    }
    return paths;
  }

  static void traversal(Place at, PanelPart part) {
    String traversal = Members.text(at.config(), "traversalSpecId");
    if (traversal.isEmpty()) {
      traversal = Members.text(at.config().path("resource"), "traversalSpecId");
    }
    int dash = traversal.indexOf('-');
    String name = dash > 0 ? traversal.substring(0, dash) : traversal;
    if (!name.isBlank() && part.node.has("subject")) {
      part.replaced("along all relations, not only those of " + Names.cut(name, 60));
    }
  }
}
