package io.peerlens.supermetrics.program;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Traversal of the steps of a formula. */
final class Steps {

  private Steps() {}

  static void walk(Node node, Consumer<Node> visitor) {
    visitor.accept(node);
    switch (node) {
      case Node.Named named -> walk(named.of(), visitor);
      case Node.Negative negative -> walk(negative.of(), visitor);
      case Node.Not not -> walk(not.of(), visitor);
      case Node.Binary binary -> {
        walk(binary.left(), visitor);
        walk(binary.right(), visitor);
      }
      case Node.Choice choice -> {
        walk(choice.condition(), visitor);
        walk(choice.yes(), visitor);
        walk(choice.no(), visitor);
      }
      case Node.Apply apply -> apply.arguments().forEach(argument -> walk(argument, visitor));
      case Node.Spread spread -> {
        walk(spread.way(), visitor);
        walk(spread.of(), visitor);
      }
      case Node.Gather gather -> {
        walk(gather.way(), visitor);
        walk(gather.of(), visitor);
      }
      case Node.Loop loop -> {
        for (Node.Part part : loop.parts()) {
          walk(part.way(), visitor);
          if (part.guard() != null) {
            walk(part.guard(), visitor);
          }
          walk(part.values(), visitor);
        }
      }
      case Node.Only only -> {
        walk(only.way(), visitor);
        walk(only.of(), visitor);
      }
      case Node.Constant constant -> {}
      case Node.Random random -> {}
      case Node.Values values -> {}
    }
  }

  private static void walk(Node.@Nullable Way way, Consumer<Node> visitor) {
    if (way != null && way.attribute() != null) {
      walk(way.attribute(), visitor);
    }
  }
}
