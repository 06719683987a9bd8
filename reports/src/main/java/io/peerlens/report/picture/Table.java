package io.peerlens.report.picture;

import io.peerlens.api.model.PanelLine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Table of texts.
 *
 * @param rows each with a cell for each title; one whose first cell is bold stands on the page of
 *     the one below it
 */
record Table(List<Cell> titles, List<List<Cell>> rows) {

  /**
   * A cell of a table.
   *
   * @param number whether it stands at the right of its column
   * @param behind null = nothing is behind it
   * @param line course of the value; null = none
   */
  record Cell(
      String text, boolean number, boolean bold, @Nullable Ink behind, @Nullable PanelLine line) {

    static Cell of(String text) {
      return new Cell(text, false, false, null, null);
    }

    static Cell title(String text) {
      return new Cell(text, false, true, null, null);
    }

    static Cell numberTitle(String text) {
      return new Cell(text, true, true, null, null);
    }
  }
}
