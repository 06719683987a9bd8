package io.peerlens.dashboard.file;

import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reader of panels. It finds what a panel of its type lacks. */
final class PanelReader {

  /** What of a chosen place a panel can set a variable to. */
  private static final Map<String, String> SET =
      Node.words("object", "group", "slice", "time", "instance", "metric");

  private PanelReader() {}

  /**
   * Reads a panel.
   *
   * @param variables those of its dashboard by name; null if the panel stands alone, whose names of
   *     variables may refer to nothing
   */
  static Panel panel(Node node, @Nullable Map<String, Variable> variables) {
    Panel.Type type = node.word("type", Node.words(Panel.Type.class));
    if (type == null) {
      if (!node.has("type")) {
        node.wrong(
            "has no type",
            "Write one of " + String.join(", ", Node.words(Panel.Type.class).keySet()) + ".");
      }
      type = Panel.Type.TEXT;
    }
    Panel panel =
        new Panel(
            type,
            node.optionalText("title", Node.LINE),
            node.optionalText("note", Node.LINE),
            viewRef(node.get("view")),
            ObjectReader.subject(node.get("subject")),
            QuestionReader.question(node),
            node.word("as", Node.words(Panel.As.class)),
            node.isSet("slider"),
            node.flag("usual"),
            node.duration("forecast"),
            node.optionalText("markdown", Node.TEXT),
            node.texts("properties", 200, Node.KEY),
            node.word("severity", Node.words("info", "warning", "immediate", "critical")),
            node.integer("up", 0, 10),
            node.integer("down", 0, 10),
            node.word(
                "by", Node.words("sender", "receiver", "pair", "service", "network", "object")),
            node.map("sets", 10, (variable, what) -> what.asWord(SET)),
            node.list("links", 20, PanelReader::link));
    node.end();
    checkType(node, panel);
    if (variables != null) {
      new PanelVariables(node, variables).check(panel);
    }
    return panel;
  }

  private static void checkType(Node node, Panel panel) {
    Question question = panel.question();
    boolean own = panel.view() == null;
    switch (panel.type()) {
      case TABLE, DISTRIBUTION, CHART, SCOREBOARD, TOP, HEATMAP, TIMELINE, SPARKLINES -> {
        if (own && question.columns().isEmpty()) {
          node.wrong("has no columns", "Give it columns, or a view that has some.");
        }
      }
      case TEXT -> {
        if (panel.markdown() == null) {
          node.wrong("has no markdown", "Give \"markdown\": \"\", if it is to be empty.");
        }
      }
      case PROPERTIES, RELATIONS -> {
        if (panel.subject() == null) {
          node.wrong("has no subject", "Say of which object, such as \"subject\": \"$vm\".");
        }
      }
      case ALERTS, OUTLIERS, TALKERS, IMPACT, CAPACITY, CHANGES -> {}
    }
    if (panel.subject() == null
        && question.select() != null
        && question.select().from() instanceof Select.From.Subject) {
      node.wrong(
          "selects from its subject and has none", "Add for instance \"subject\": \"$cluster\".");
    }
  }

  private static Panel.@Nullable Link link(Node node) {
    if (!node.isObject()) {
      return null;
    }
    Panel.Link link =
        new Panel.Link(
            node.optionalText("title", Node.LINE),
            node.text("dashboard", Node.LINE),
            node.map("variables", 30, (name, value) -> value.asText(Node.LINE)));
    node.end();
    return link;
  }

  private static Panel.@Nullable ViewRef viewRef(@Nullable Node node) {
    if (node == null) {
      return null;
    }
    if (node.json().isObject()) {
      Panel.ViewRef view = new Panel.ViewRef(null, node.text("name", Node.LINE));
      node.end();
      return view;
    }
    String text = node.asText(36);
    try {
      return text == null ? null : new Panel.ViewRef(UUID.fromString(text), null);
    } catch (IllegalArgumentException e) {
      node.wrong("is no id of a view", "Write {\"name\": …} to name it.");
      return null;
    }
  }
}
