package io.peerlens.sizing;

import java.time.DayOfWeek;
import java.time.format.TextStyle;
import java.util.Locale;

/**
 * Hours in which an otherwise quiet machine is busy again and again.
 *
 * @param weekday of a weekly batch; 0 = each day, 1 = Monday to 7 = Sunday
 * @param fromHour first local hour, 0 to 23
 * @param toHour first hour after it, 1 to 24
 * @param regularity share of the days (or weeks) on which it ran
 * @param readGb read from disk in a run, mean
 * @param writtenGb written to disk in a run, mean
 * @param sentGb through the network in a run, both directions, mean; NaN = not known
 * @param cause what was above its floor, on average; of disk and network, what moved more
 * @param kind what it looks like
 */
public record Batch(
    int weekday,
    int fromHour,
    int toHour,
    double regularity,
    double readGb,
    double writtenGb,
    double sentGb,
    Cause cause,
    Kind kind) {

  /** What made a machine busy. */
  public enum Cause {
    /** Reads or writes. */
    DISK,
    /** Traffic. */
    NETWORK,
    /** CPU alone. */
    CPU
  }

  /** What a batch looks like. */
  public enum Kind {
    /** It reads much and writes hardly anything: a backup, or a scan for viruses. */
    BACKUP("a backup or a scan"),
    /** Anything else that runs by the clock. */
    JOB("a job");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  private static final double BACKUP_READS = 4;
  private static final double BACKUP_GB = 0.5;

  static Kind kind(double readGb, double writtenGb) {
    return readGb >= BACKUP_GB && readGb >= BACKUP_READS * writtenGb ? Kind.BACKUP : Kind.JOB;
  }

  /** In words, such as "from 02:00 to 03:00 each day: 12 GB read, a backup or a scan". */
  public String words() {
    String when =
        weekday == 0
            ? "each day"
            : "each " + DayOfWeek.of(weekday).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
    String did = did();
    return "from "
        + Say.hour(fromHour)
        + " to "
        + (toHour == 24 ? "24:00" : Say.hour(toHour))
        + " "
        + when
        + ": "
        + did
        + ", "
        + kind.words;
  }

  private String did() {
    return switch (cause) {
      case CPU -> "CPU";
      case NETWORK -> Say.gigabytes(sentGb) + " through the network";
      case DISK ->
          readGb >= writtenGb
              ? Say.gigabytes(readGb) + " read"
              : Say.gigabytes(writtenGb) + " written";
    };
  }
}
