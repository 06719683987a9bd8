package io.peerlens.dashboard.vrops;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Report of an import: what becomes of every dashboard, panel and column, and how much of it has
 * data here.
 *
 * @param file name of the file
 * @param items what becomes of it, as a tree
 * @param settle what needs a person, each thing once; none of it stops the import
 * @param dashboards how many dashboards the file has
 * @param panels how many panels its dashboards have
 * @param views every view of the file and what becomes of it; its columns count in the items, where
 *     panels show it
 * @param superMetrics how many super metrics
 * @param figures how much has data here
 */
public record ImportReport(
    String file,
    List<Item> items,
    List<Settle> settle,
    int dashboards,
    int panels,
    List<Item> views,
    int superMetrics,
    Figures figures) {

  /** What an item of the report is about. */
  public enum Level {
    /** A part of the file that could not be read. */
    FILE,
    DASHBOARD,
    PANEL,
    COLUMN,
    VIEW,
    REPORT,
    SUPER_METRIC
  }

  /**
   * A thing of the export and what becomes of it.
   *
   * @param id of a dashboard or view its id here, of a panel or column its name here; of a part of
   *     the file where it lies; empty = it has no place here
   * @param name how people know it: its title
   * @param text what happens, with keys between {@code `}
   * @param type of a panel its type there, such as {@code View}; else empty
   * @param keys what it reads
   * @param reporting how many objects report it today; -1 = it reads no key
   * @param objects how many objects of the kind are here; -1 = it reads no key
   * @param collectors what would bring its data, the nearest first
   * @param proposal the nearest thing where a person must choose
   * @param columns how many columns it has in all, and how many of them have data today
   */
  public record Item(
      Level level,
      String id,
      String name,
      ImportStatus status,
      String text,
      String type,
      List<Key> keys,
      int reporting,
      int objects,
      List<String> collectors,
      @Nullable Proposal proposal,
      Columns columns,
      List<Item> items) {}

  /**
   * Columns below an item; a panel without columns counts as one.
   *
   * @param all how many
   * @param now how many of them have data here today
   */
  public record Columns(int all, int now) {

    /** Share with data, from 0 to 100; of nothing it is 100. */
    public int percent() {
      return all == 0 ? 100 : (int) Math.round(100.0 * now / all);
    }
  }

  /**
   * A key that a column reads.
   *
   * @param kinds kinds of the objects, such as {@code VMWARE/HostSystem}
   * @param key metric key without instance, or property
   */
  public record Key(List<String> kinds, String key, boolean property) {}

  /**
   * What to take where a person must choose.
   *
   * @param value what is given back as the choice
   * @param text why it is proposed
   */
  public record Proposal(String value, String text) {}

  /**
   * Something that a person settles once for all panels that need it.
   *
   * @param id what to give the choice under, such as {@code object:VMWARE/HostSystem/esx-7}
   * @param places how many panels or columns wait for it
   * @param choices what can be chosen, the nearest first; any other value of its type will do, too
   */
  public record Settle(
      String id,
      ImportStatus status,
      String name,
      String text,
      int places,
      @Nullable Proposal proposal,
      List<String> choices) {}

  /**
   * How much of the columns has data here.
   *
   * @param columns all columns, and panels that have none
   * @param totals how many of them are what
   * @param now with data today
   * @param gains what each collector would bring, the most first
   * @param all with data once all of these are there; overlaps count once
   */
  public record Figures(
      int columns, Map<ImportStatus, Integer> totals, int now, List<Gain> gains, int all) {

    /** Share with data today, from 0 to 100. */
    public int percent() {
      return new Columns(columns, now).percent();
    }
  }

  /**
   * What a collector would bring.
   *
   * @param collector such as {@code vcenter}
   * @param title how pages call it
   * @param columns how many columns more have data with it
   */
  public record Gain(String collector, String title, int columns) {}
}
