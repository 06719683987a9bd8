package io.peerlens.standalone.esxtop;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reader of batch output of esxtop ({@code esxtop -b}): gets the bytes of a file as they come, and
 * gives each of its lines as a sample. A line that cannot be read is left out and reported, and the
 * next header sets everything anew. It keeps one line and what its header says. Not thread-safe.
 */
public final class EsxtopReader {

  /** A header of 60,000 columns has some 6 MB. */
  private static final int MAX_LINE = 64 << 20;

  private static final int SHOWN = 5;
  private static final long ASK_AGAIN_MS = 60_000;
  private static final long NEVER = Long.MIN_VALUE;

  /** Taker of samples. */
  @FunctionalInterface
  public interface Sink {
    void take(EsxtopSample sample) throws InterruptedException;
  }

  private final String source;
  private final @Nullable Names names;
  private final boolean follows;
  private final long shiftMs;
  private final Sink sink;
  private final Consumer<String> notes;
  private final ColumnTable table = ColumnTable.shipped();

  private byte[] line = new byte[64 << 10];
  private int length;
  private boolean tooLong;
  private long lineNumber;

  private @Nullable Header header;
  private @Nullable Layout layout;
  private boolean introduced;
  private long askedAt = NEVER;

  private long samples;
  private int leftOut;
  private long badCells;
  private String badExample = "";

  /**
   * A reader of one file or stream.
   *
   * @param source what messages call it
   * @param directory of the objects; null = only the times are wanted, and samples have no records
   * @param follows whether it goes on for long, so that new machines are asked for again
   * @param shiftMs added to all times
   * @param notes told what is left out, and why
   */
  public EsxtopReader(
      String source,
      @Nullable ObjectDirectory directory,
      EsxtopChoice choice,
      boolean follows,
      long shiftMs,
      Sink sink,
      Consumer<String> notes) {
    this.source = source;
    this.names = directory == null ? null : new Names(directory, choice);
    this.follows = follows;
    this.shiftMs = shiftMs;
    this.sink = sink;
    this.notes = notes;
  }

  /**
   * Reads on.
   *
   * @throws EsxtopException when this is not esxtop's output, or the host is not known
   */
  public void accept(byte[] bytes, int from, int to) throws InterruptedException {
    int begin = from;
    for (int i = from; i < to; i++) {
      if (bytes[i] == '\n') {
        append(bytes, begin, i);
        lineNumber++;
        endLine(true);
        begin = i + 1;
      }
    }
    append(bytes, begin, to);
  }

  /** Says that the file ends here; what follows, if anything, is the beginning of another one. */
  public void end() throws InterruptedException {
    if (length > 0) {
      lineNumber++;
      endLine(false);
    }
    lineNumber = 0;
  }

  /** Reports what was left out and not told before. */
  public void summarize() {
    if (leftOut > SHOWN) {
      notes.accept("%s: %,d more lines were left out.".formatted(source, leftOut - SHOWN));
    }
    if (badCells > 0) {
      notes.accept(
          String.format(
              Locale.ROOT,
              "%s: %,d cells are no numbers and were left out, for example %s.",
              source,
              badCells,
              badExample));
    }
    leftOut = 0;
    badCells = 0;
  }

  public long samples() {
    return samples;
  }

  private void append(byte[] bytes, int from, int to) {
    int count = to - from;
    if (count == 0 || tooLong) {
      return;
    }
    if (length + count > MAX_LINE) {
      tooLong = true;
      length = 0;
      return;
    }
    if (length + count > line.length) {
      line = Arrays.copyOf(line, Math.max(length + count, Math.min(MAX_LINE, line.length * 2)));
    }
    System.arraycopy(bytes, from, line, length, count);
    length += count;
  }

  private void endLine(boolean whole) throws InterruptedException {
    int end = length;
    length = 0;
    if (tooLong) {
      tooLong = false;
      leaveOut("it is longer than %,d bytes".formatted(MAX_LINE));
      return;
    }
    if (end > 0 && line[end - 1] == '\r') {
      end--;
    }
    if (end == 0) {
      return;
    }
    if (Header.begins(line, 0, end)) {
      header(0, end, whole);
    } else if (header == null) {
      throw new EsxtopException(
          source
              + " is not what esxtop -b writes: its first line must begin with \"(PDH-CSV 4.0).");
    } else if (!sample(end, whole)) {
      // esxtop was killed in the middle of a line, and another one has written behind it.
      int at = Header.find(line, 1, end);
      if (at > 0) {
        header(at, end, whole);
      }
    }
  }

  private void header(int from, int end, boolean whole) {
    if (!whole) {
      leaveOut("the file ends within this header");
      return;
    }
    Header read = Header.parse(line, from, end, table);
    header = read;
    introduced = false;
    askedAt = NEVER;
    if (names == null) {
      return;
    }
    layout = null;
    if (read.host().isEmpty()) {
      throw new EsxtopException(
          "%s, line %,d: the header names no host. Its columns must look like \\\\host\\Memory\\Free MBytes."
              .formatted(source, lineNumber));
    }
    Layout made = Layout.of(read, names, text -> notes.accept(source + ": " + text));
    layout = made;
    notes.accept(
        "%s: host %s, %,d columns, of which %,d are sent, for it and %,d virtual machine%s; times are %s."
            .formatted(
                source,
                read.host(),
                read.columns() - 1,
                made.sent(),
                made.machines(),
                made.machines() == 1 ? "" : "s",
                zone(read)));
  }

  private static String zone(Header header) {
    Integer minutes = header.minutesToUtc();
    return minutes == null
        ? "taken as UTC, since the header names no zone"
        : minutes == 0
            ? "UTC"
            : "of the zone %s, %d min %s UTC"
                .formatted(header.zone(), Math.abs(minutes), minutes > 0 ? "behind" : "ahead of");
  }

  /** Reads a line of values; says no when it is left out. */
  private boolean sample(int end, boolean whole) throws InterruptedException {
    Header current = header;
    if (current == null) {
      return false;
    }
    Layout of = layout;
    CellCursor cells = new CellCursor(line, 0, end);
    Integer minutes = current.minutesToUtc();
    if (!cells.next()) {
      return false;
    }
    long time = cells.time(minutes == null ? 0 : minutes);
    String timeText = time == Long.MIN_VALUE ? cells.text() : "";
    if (of != null) {
      of.clear();
    }
    int column = 1;
    boolean lastIsEmpty = false;
    long bad = 0;
    while (cells.next()) {
      lastIsEmpty = cells.isEmpty();
      if (of != null && column < current.columns()) {
        int slot = of.slot(column);
        if (slot >= 0) {
          double value = cells.number();
          if (Double.isNaN(value)) {
            bad++;
            if (badCells + bad == 1) {
              badExample =
                  "'%s' (%s) in line %,d".formatted(cells.text(), of.key(slot), lineNumber);
            }
          } else {
            of.put(slot, value);
          }
        }
      }
      column++;
    }
    if (!whole && (column < current.columns() || !cells.isClosed())) {
      leaveOut("the file ends within it");
      return false;
    }
    boolean surplusComma = column == current.columns() + 1 && lastIsEmpty;
    if (column != current.columns() && !surplusComma) {
      leaveOut("it has %,d cells and the header has %,d".formatted(column, current.columns()));
      return false;
    }
    if (time == Long.MIN_VALUE) {
      leaveOut(
          "its time is '%s'; it must look like 11/25/2026 13:05:10"
              .formatted(timeText.length() > 40 ? timeText.substring(0, 40) + "..." : timeText));
      return false;
    }
    badCells += bad;
    samples++;
    sink.take(new EsxtopSample(time + shiftMs, of == null ? List.of() : records(of, time)));
    return true;
  }

  private List<EsxtopSample.Record> records(Layout of, long time) {
    Names asked = names;
    if (asked != null && follows && of.hasUnknown()) {
      if (askedAt == NEVER) {
        askedAt = time; // with the header
      } else if (time - askedAt >= ASK_AGAIN_MS) {
        asked.refresh();
        of.find(asked, text -> {}); // told with the header
        askedAt = time;
      }
    }
    List<EsxtopSample.Record> records = of.records(time + shiftMs);
    if (asked == null || !asked.creates() || introduced) {
      return records;
    }
    introduced = true;
    List<EsxtopSample.Record> all = of.introductions(time + shiftMs);
    all.addAll(records);
    return all;
  }

  private void leaveOut(String why) {
    leftOut++;
    if (leftOut <= SHOWN) {
      notes.accept("%s, line %,d is left out: %s.".formatted(source, lineNumber, why));
    }
  }
}
