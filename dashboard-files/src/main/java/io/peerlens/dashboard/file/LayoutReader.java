package io.peerlens.dashboard.file;

import io.peerlens.dashboard.file.Dashboard.Item;
import io.peerlens.dashboard.file.Dashboard.Section;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the layout of a dashboard. Each panel has one place there, and only panels have one.
 */
final class LayoutReader {

  private final Set<String> panels;
  private final Set<String> placed = new HashSet<>();

  /**
   * Creates a reader for one dashboard.
   *
   * @param panels names of its panels
   */
  LayoutReader(Set<String> panels) {
    this.panels = panels;
  }

  /** Reads the layout; panels may be without a place where there is no section at all. */
  List<Section> layout(Node dashboard) {
    List<Section> layout = dashboard.list("layout", 30, this::section);
    if (!dashboard.has("layout")) {
      dashboard.wrong("has no layout", "Give \"layout\": [], if it is to be empty.");
    }
    for (String panel : panels) {
      if (!placed.contains(panel) && layout.size() > 0) {
        dashboard.wrong(
            "has the panel " + panel + ", which has no place", "Give it one in layout.");
      }
    }
    return layout;
  }

  private @Nullable Section section(Node node) {
    if (!node.isObject()) {
      return null;
    }
    Section section =
        new Section(
            node.optionalText("section", Node.LINE),
            node.isSet("collapsed"),
            node.list("items", 100, this::item));
    if (!node.has("items")) {
      node.wrong("has no items", "Give \"items\": [], if it is to be empty.");
    }
    node.end();
    return section;
  }

  private @Nullable Item item(Node node) {
    if (!node.isObject()) {
      return null;
    }
    String panel = node.name("panel");
    if (!panels.contains(panel)) {
      node.wrong("places the panel " + panel + ", which there is not", "Add it to panels.");
    } else if (!placed.add(panel)) {
      node.wrong("places the panel " + panel + " a second time", "Remove one of the two.");
    }
    Item item =
        new Item(
            panel,
            node.needed("x", 1, 12),
            node.needed("y", 1, 1000),
            node.needed("w", 1, 12),
            node.needed("h", 1, 60));
    if (item.x() + item.w() > 13) {
      node.wrong("reaches over the 12 columns", "x + w may be 13 at most.");
    }
    node.end();
    return item;
  }
}
