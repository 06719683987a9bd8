package io.peerlens.store;

import io.peerlens.store.SampleReader.Newest;
import io.peerlens.store.SampleReader.Part;
import io.peerlens.store.SampleReader.RowHandler;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Samples of metric sets, wherever they are kept. Thread-safe. */
public interface SampleSource {

  /**
   * Reads some positions of some sets in {@code [from, to)}, in no particular order. The mean is
   * always there; parts that were not asked for hold nothing of use.
   *
   * @param setIds the sets; null = all
   * @param positions from 0, as in {@code metric_group.metrics}
   * @param from microseconds since 1970
   * @param to microseconds since 1970
   */
  void read(
      Level level,
      int @Nullable [] setIds,
      int[] positions,
      Set<Part> parts,
      long from,
      long to,
      RowHandler handler);

  /**
   * The same for whoever wants means, counts, least and greatest values of a set: its rows may come
   * as one, whose mean is that of all values, and whose time that of the newest row. Of the parts,
   * {@code LAST} and {@code SKETCH} cannot be asked for.
   */
  default void readFolded(
      Level level,
      int[] setIds,
      int[] positions,
      Set<Part> parts,
      long from,
      long to,
      RowHandler handler) {
    read(level, setIds, positions, parts, from, to, handler);
  }

  /**
   * The newest raw value of each pair of set and position in {@code [from, before)}. A row may hold
   * but a part of the metrics, so the values of one set may be of different times.
   *
   * @param setIds one for each pair
   * @param positions one for each pair, from 0
   * @param from how far back to look, in microseconds since 1970
   * @param before values are older than this, in microseconds since 1970
   */
  Newest newest(int[] setIds, int[] positions, long from, long before);
}
