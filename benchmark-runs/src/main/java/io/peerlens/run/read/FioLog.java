package io.peerlens.run.read;

import io.peerlens.run.Run.Direction;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A log of fio, {@code write_iops_log} and the like: milliseconds, value, direction (0 read, 1
 * write, 2 trim), bytes of the operation, and in newer versions offset and priority.
 *
 * <p>With {@code log_avg_msec} a line is a mean and its bytes are 0. Without, each operation has a
 * line; these are added up to seconds while they are read. However long the log, at most some
 * 20,000 points are kept: beyond that, two become one.
 *
 * @param prefix of the file's name, the option's value
 * @param kind {@code iops}, {@code bw}, {@code lat}, {@code clat} or {@code slat}
 * @param job fio's number of the job; empty = all jobs wrote into one file
 * @param points by direction; trims are BOTH
 */
record FioLog(String prefix, String kind, String job, Map<Direction, Points> points) {

  private static final Pattern NAME =
      Pattern.compile("(.*)_(iops|bw|lat|clat|slat)(?:\\.(\\d+))?\\.log");
  private static final Pattern LINE =
      Pattern.compile("\\d+,\\s*\\d+,\\s*[012],\\s*\\d+(?:,\\s*[0-9a-fx]+){0,4}\\s*");
  private static final int MOST_BROKEN = 100;

  /** Milliseconds from here on are since 1970 ({@code log_unix_epoch}), not since the start. */
  private static final long EPOCH = 100_000_000_000L;

  /** Whether a text begins with such lines. */
  static boolean is(String head) {
    return LINE.matcher(head.split("\n", 2)[0].strip()).matches();
  }

  /** Values of a direction, thinned out while they come. */
  static final class Points {

    private static final int MOST = 20_000;

    private Doubles kept = new Doubles();
    private Doubles sums = new Doubles();
    private Doubles counts = new Doubles();
    private Doubles bytes = new Doubles();
    private double width;
    private boolean each;

    private double time = Double.NaN;
    private double sum;
    private double count;
    private double moved;

    void add(double at, double value, double size) {
      if (size > 0 && !each) {
        each = true;
        width = Math.max(width, 1000);
      }
      double bucket = width == 0 ? at : (Math.floor(at / width) + 1) * width;
      if (bucket != time) {
        close();
        time = bucket;
      }
      sum += value;
      count++;
      moved += size;
    }

    private void close() {
      if (count > 0) {
        kept.add(time);
        sums.add(sum);
        counts.add(count);
        bytes.add(moved);
        sum = 0;
        count = 0;
        moved = 0;
        if (kept.size() >= MOST) {
          halve();
        }
      }
    }

    private void halve() {
      double gap = (kept.get(kept.size() - 1) - kept.get(0)) / (kept.size() - 1);
      width = Math.max(width * 2, Math.ceil(gap * 2));
      double[] oldTimes = kept.toArray();
      double[] oldSums = sums.toArray();
      double[] oldCounts = counts.toArray();
      double[] oldBytes = bytes.toArray();
      kept = new Doubles();
      sums = new Doubles();
      counts = new Doubles();
      bytes = new Doubles();
      for (int i = 0; i < oldTimes.length; i++) {
        // Times are ends of their intervals: one at the edge belongs to what ends there.
        double bucket = Math.ceil(oldTimes[i] / width) * width;
        if (bucket != time) {
          close();
          time = bucket;
        }
        sum += oldSums[i];
        count += oldCounts[i];
        moved += oldBytes[i];
      }
      close();
      time = Double.NaN;
    }

    /** Ends of the intervals, in milliseconds. */
    double[] times() {
      close();
      return kept.toArray();
    }

    /** Means, or rates of what was logged one by one. */
    double[] values(String kind) {
      close();
      double[] values = new double[kept.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] =
            each && kind.equals("iops")
                ? counts.get(i) / width * 1000
                : each && kind.equals("bw")
                    ? bytes.get(i) / 1024 / width * 1000
                    : sums.get(i) / counts.get(i);
      }
      return values;
    }
  }

  /**
   * @return null = the file's name does not say what it logs
   */
  static @Nullable FioLog read(ResultFile file, Findings findings) throws IOException {
    Matcher name = NAME.matcher(file.name());
    if (!name.matches()) {
      findings.problem(
          file.path(),
          0,
          "A log of fio whose name does not say what it logs",
          "Give it fio's own name, such as " + file.name().replace(".log", "") + "_iops.1.log");
      return null;
    }
    String job = name.group(3) == null ? "" : name.group(3);
    FioLog log = new FioLog(name.group(1), name.group(2), job, new EnumMap<>(Direction.class));
    int broken = 0;
    long[] start = new long[1];
    try (Lines lines = new Lines(file.open())) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        if (!log.add(line, start) && !line.isBlank() && ++broken <= MOST_BROKEN) {
          if (broken == 1) {
            findings.problem(
                file.path(),
                lines.number(),
                "No line of a fio log: " + Texts.shown(line, 60),
                "Lines are milliseconds, value, direction and bytes; others are left out.");
          } else if (broken == MOST_BROKEN) {
            throw new UnreadableException(
                lines.number(),
                "%d lines are none of a fio log".formatted(broken),
                "The file is damaged; copy it anew.");
          }
        }
      }
    } catch (UnreadableException e) {
      findings.problem(e.in(file.path()));
    }
    return log;
  }

  /**
   * @param start the first time of the log, where times are since 1970; 0 = none yet
   * @return whether it is such a line
   */
  private boolean add(String line, long[] start) {
    long[] numbers = new long[4];
    int field = 0;
    int digits = 0;
    for (int i = 0; i < line.length() && field < numbers.length; i++) {
      char c = line.charAt(i);
      if (c >= '0' && c <= '9') {
        if (++digits > 18) {
          return false;
        }
        numbers[field] = numbers[field] * 10 + (c - '0');
      } else if (c == ',') {
        if (digits == 0) {
          return false;
        }
        field++;
        digits = 0;
      } else if (c != ' ') {
        return false;
      }
    }
    if (field < 3 || (field == 3 && digits == 0) || numbers[2] > 2) {
      return false;
    }
    if (numbers[0] >= EPOCH) {
      start[0] = start[0] == 0 ? numbers[0] : start[0];
      numbers[0] = Math.max(0, numbers[0] - start[0]);
    }
    Direction direction =
        numbers[2] == 0 ? Direction.READ : numbers[2] == 1 ? Direction.WRITE : Direction.BOTH;
    points.computeIfAbsent(direction, key -> new Points()).add(numbers[0], numbers[1], numbers[3]);
    return true;
  }
}
