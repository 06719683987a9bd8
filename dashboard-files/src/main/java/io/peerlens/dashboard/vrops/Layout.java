package io.peerlens.dashboard.vrops;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Places of panels on a grid of twelve columns. Where two overlap, the later one moves down. */
final class Layout {

  private static final int COLUMNS = 12;
  private static final int HEIGHT = 60;
  private static final int ROWS = 1000;

  /** Where a panel wants to be, counted from 1. */
  record Place(String panel, int x, int y, int w, int h) {

    boolean overlaps(Place other) {
      return x < other.x + other.w && other.x < x + w && y < other.y + other.h && other.y < y + h;
    }

    Place down(int row) {
      return new Place(panel, x, row, w, h);
    }
  }

  private Layout() {}

  /** A place within the grid, whatever an export says. */
  static Place place(String panel, double x, double y, double w, double h, int gridColumns) {
    double scale = gridColumns > 0 && gridColumns <= 1000 ? (double) COLUMNS / gridColumns : 1;
    int left = bounded((int) Math.round((x - 1) * scale) + 1, COLUMNS);
    int width = Math.min(bounded((int) Math.round(w * scale), COLUMNS), COLUMNS + 1 - left);
    return new Place(panel, left, bounded((int) y, ROWS), width, bounded((int) h, HEIGHT));
  }

  private static int bounded(int value, int most) {
    return Math.max(1, Math.min(most, value));
  }

  /**
   * Writes places, from the top, without overlaps.
   *
   * @return how many were moved
   */
  static int write(List<Place> wanted, ArrayNode items) {
    List<Place> sorted = new ArrayList<>(wanted);
    sorted.sort(Comparator.comparingInt(Place::y).thenComparingInt(Place::x));
    int top = sorted.isEmpty() ? 1 : sorted.getFirst().y();
    List<Place> placed = new ArrayList<>();
    int moved = 0;
    for (Place place : sorted) {
      Place at = place.down(place.y() - top + 1);
      boolean free = false;
      boolean isMoved = false;
      while (!free) {
        free = true;
        for (Place other : placed) {
          if (at.overlaps(other)) {
            at = at.down(other.y() + other.h());
            free = false;
            isMoved = true;
          }
        }
      }
      moved += isMoved ? 1 : 0;
      at = at.down(Math.min(ROWS, at.y()));
      placed.add(at);
      ObjectNode item = items.addObject();
      item.put("panel", at.panel());
      item.put("x", at.x());
      item.put("y", at.y());
      item.put("w", at.w());
      item.put("h", at.h());
    }
    return moved;
  }
}
