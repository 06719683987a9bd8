package io.peerlens.report.picture;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelNode;
import io.peerlens.report.picture.Mark.Box;
import io.peerlens.report.picture.Mark.Side;
import io.peerlens.report.picture.Mark.Words;
import io.peerlens.report.picture.PanelPicture.Strip;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Tree of the objects above and below one, each with its state. */
final class RelationTree {

  private static final double INDENT = 14;

  private final Sheet sheet;

  RelationTree(Sheet sheet) {
    this.sheet = sheet;
  }

  void draw(PanelAnswer answer) {
    List<PanelNode> nodes = topDown(Objects.requireNonNullElse(answer.getTree(), List.of()));
    int highest = nodes.stream().mapToInt(PanelNode::getLevel).min().orElse(0);
    for (PanelNode one : nodes) {
      double indent = Sheet.PAD + INDENT * (one.getLevel() - highest);
      sheet.add(
          new Strip(
              Sheet.ROW,
              List.of(
                  new Box(indent, 4, 6, 6, Ink.of(one.getState())),
                  new Words(
                      indent + 10,
                      Sheet.BASE,
                      text(one),
                      Sheet.SIZE,
                      one.getLevel() == 0,
                      Ink.INK,
                      Side.RIGHT_OF))));
    }
  }

  private static String text(PanelNode node) {
    return node.getObject().getName()
        + " ("
        + node.getObject().getObjectKind()
        + ")"
        + (node.getMore() > 0 ? ", %,d more".formatted(node.getMore()) : "");
  }

  /** What is above first, the highest at the top, then the object, then each below what has it. */
  private static List<PanelNode> topDown(List<PanelNode> nodes) {
    List<PanelNode> ordered = new ArrayList<>();
    nodes.stream()
        .filter(one -> one.getLevel() <= 0)
        .sorted(Comparator.comparingInt(PanelNode::getLevel))
        .forEach(ordered::add);
    below(nodes, 0, ordered);
    return ordered;
  }

  private static void below(List<PanelNode> nodes, int parent, List<PanelNode> ordered) {
    for (int i = 0; i < nodes.size(); i++) {
      PanelNode one = nodes.get(i);
      if (one.getLevel() > 0 && Objects.equals(one.getParent(), parent)) {
        ordered.add(one);
        below(nodes, i, ordered);
      }
    }
  }
}
