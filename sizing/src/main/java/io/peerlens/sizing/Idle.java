package io.peerlens.sizing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Machine that nobody seems to use.
 *
 * @param idle whether its quiet and explained hours reach the share of the rule
 * @param byBatches whether it is idle only because busy hours are explained by batches: look at
 *     them before it is switched off
 * @param quietShare of the known hours, without those explained
 * @param batchShare of the known hours that batches explain
 * @param days with values
 * @param batches that explain busy hours
 * @param reason in one sentence
 */
public record Idle(
    boolean idle,
    boolean byBatches,
    double quietShare,
    double batchShare,
    int days,
    List<Batch> batches,
    String reason) {

  /** Hours a day that batches may explain; what is busy for longer is used. */
  private static final int MOST_DAILY = 4;

  /** Hours a week that weekly batches may explain. */
  private static final int MOST_WEEKLY = 12;

  /** A batch runs on at least this share of the days or weeks. */
  private static final double REGULAR = 0.7;

  /** Weeks that a weekly batch must have been seen in. */
  private static final int FEWEST_WEEKS = 3;

  private static final byte NOT_KNOWN = -1;
  private static final byte QUIET = 0;
  private static final byte BUSY = 1;

  /** Chance at most that any slot is called regular though busy hours have no clock. */
  private static final double CHANCE = 0.05;

  private static final double KB_PER_GB = 1024.0 * 1024;
  private static final double HOUR = 3600;

  /** A verdict keeps its own list. */
  public Idle {
    batches = List.copyOf(batches);
  }

  /**
   * What a machine did; NaN = no value.
   *
   * @param cpuMhz demand
   * @param netKbps traffic in both directions, KB/s
   * @param readKbps from disk, KB/s
   * @param writeKbps to disk, KB/s
   */
  public record Activity(
      double[] cpuMhz, double[] netKbps, double[] readKbps, double[] writeKbps) {}

  /**
   * Judges a machine that is on. An hour in which one of the columns has no value is not known, and
   * neither quiet nor busy.
   *
   * @param sizeMhz of its vCPUs together
   */
  public static Answer<Idle> of(Grid grid, Activity activity, double sizeMhz, IdleRule rule) {
    double[] cpu = grid.hourly(grid.checked(activity.cpuMhz(), "CPU"));
    double[] net = grid.hourly(grid.checked(activity.netKbps(), "network"));
    double[] read = grid.hourly(grid.checked(activity.readKbps(), "disk reads"));
    double[] write = grid.hourly(grid.checked(activity.writeKbps(), "disk writes"));
    List<String> missing = new ArrayList<>();
    missing(cpu, "CPU", missing);
    missing(net, "network", missing);
    missing(read, "disk reads", missing);
    missing(write, "disk writes", missing);
    if (!missing.isEmpty()) {
      return new Answer.NotKnown<>(
          "There is no value of "
              + String.join(" and ", missing)
              + ", and CPU alone does not tell.");
    }
    if (!(sizeMhz > 0)) {
      return new Answer.NotKnown<>("Its size in MHz is not known.");
    }
    Slots slots = new Slots(grid);
    byte[] busy = new byte[grid.hours()];
    Arrays.fill(busy, NOT_KNOWN);
    int known = 0;
    int quiet = 0;
    for (int h = 0; h < busy.length; h++) {
      double all = cpu[h] + net[h] + read[h] + write[h];
      if (!Double.isNaN(all)) {
        boolean isBusy =
            cpu[h] >= Math.min(rule.cpuMhz(), rule.cpuShare() * sizeMhz)
                || net[h] >= rule.netKbps()
                || read[h] + write[h] >= rule.diskKbps();
        busy[h] = isBusy ? BUSY : QUIET;
        known++;
        quiet += isBusy ? 0 : 1;
      }
    }
    int days = slots.knownDays(busy);
    if (days < rule.fewestDays()) {
      return new Answer.NotKnown<>(
          "All of CPU, network and disk are known on "
              + Say.count(days, "day")
              + " of the "
              + rule.fewestDays()
              + " that are needed.");
    }
    List<Batch> batches = new ArrayList<>();
    int explained =
        explain(slots, busy, true, read, write, net, rule, batches)
            + explain(slots, busy, false, read, write, net, rule, batches);
    double quietShare = quiet / (double) known;
    double batchShare = explained / (double) known;
    boolean idle = quietShare + batchShare >= rule.quietShare();
    boolean byBatches = idle && quietShare < rule.quietShare();
    return new Answer.Known<>(
        new Idle(
            idle,
            byBatches,
            quietShare,
            batchShare,
            days,
            batches,
            reason(idle, quietShare, batchShare, days, batches)));
  }

  private static void missing(double[] hourly, String name, List<String> to) {
    for (double value : hourly) {
      if (!Double.isNaN(value)) {
        return;
      }
    }
    to.add(name);
  }

  /** Finds daily or weekly batches, takes their hours out of {@code busy}, and counts these. */
  private static int explain(
      Slots slots,
      byte[] busy,
      boolean daily,
      double[] read,
      double[] write,
      double[] net,
      IdleRule rule,
      List<Batch> to) {
    int[] seen = new int[Grid.HOURS_OF_WEEK];
    int[] ran = new int[Grid.HOURS_OF_WEEK];
    for (int h = 0; h < busy.length; h++) {
      if (busy[h] != NOT_KNOWN) {
        int slot = slots.of(h, daily);
        seen[slot]++;
        ran[slot] += busy[h] == BUSY ? 1 : 0;
      }
    }
    int length = daily ? 24 : Grid.HOURS_OF_WEEK;
    double rate = Arrays.stream(ran).sum() / (double) Math.max(1, Arrays.stream(seen).sum());
    boolean[] regular = new boolean[length];
    int count = 0;
    for (int s = 0; s < length; s++) {
      regular[s] =
          seen[s] >= (daily ? 7 : FEWEST_WEEKS)
              && ran[s] >= REGULAR * seen[s]
              && length * atLeast(ran[s], seen[s], rate) <= CHANCE;
      count += regular[s] ? 1 : 0;
    }
    if (count == 0 || count > (daily ? MOST_DAILY : MOST_WEEKLY)) {
      return 0;
    }
    for (int s = 0; s < length; s++) {
      if (regular[s] && (s % 24 == 0 || !regular[s - 1])) {
        int end = s + 1;
        while (end < length && end % 24 != 0 && regular[end]) {
          end++;
        }
        to.add(batch(slots, busy, daily, s, end, read, write, net, seen, ran, rule));
      }
    }
    to.sort(Comparator.comparingInt(Batch::weekday).thenComparingInt(Batch::fromHour));
    int explained = 0;
    for (int h = 0; h < busy.length; h++) {
      if (busy[h] == BUSY && regular[slots.of(h, daily)]) {
        busy[h] = NOT_KNOWN;
        explained++;
      }
    }
    return explained;
  }

  /** Probability that so many of n hours or more are busy by chance. */
  private static double atLeast(int count, int n, double rate) {
    double term = Math.pow(1 - rate, n);
    double below = 0;
    for (int k = 0; k < count; k++) {
      below += term;
      term *= (n - k) / (k + 1.0) * rate / (1 - rate);
    }
    return rate >= 1 ? 1 : Math.max(0, 1 - below);
  }

  private static Batch batch(
      Slots slots,
      byte[] busy,
      boolean daily,
      int from,
      int to,
      double[] read,
      double[] write,
      double[] net,
      int[] seen,
      int[] ran,
      IdleRule rule) {
    double readGb = 0;
    double writtenGb = 0;
    double sentGb = 0;
    int ranHours = 0;
    int seenHours = 0;
    int mostRuns = 0;
    for (int s = from; s < to; s++) {
      ranHours += ran[s];
      seenHours += seen[s];
      mostRuns = Math.max(mostRuns, ran[s]);
    }
    for (int h = 0; h < busy.length; h++) {
      int slot = slots.of(h, daily);
      if (busy[h] == BUSY && slot >= from && slot < to) {
        readGb += read[h] * HOUR / KB_PER_GB;
        writtenGb += write[h] * HOUR / KB_PER_GB;
        sentGb += net[h] * HOUR / KB_PER_GB;
      }
    }
    return new Batch(
        daily ? 0 : from / 24 + 1,
        from % 24,
        (to - 1) % 24 + 1,
        ranHours / (double) seenHours,
        readGb / mostRuns,
        writtenGb / mostRuns,
        sentGb / mostRuns,
        cause(readGb + writtenGb, sentGb, ranHours, rule),
        Batch.kind(readGb, writtenGb));
  }

  private static Batch.Cause cause(double diskGb, double netGb, int hours, IdleRule rule) {
    double floor = hours * HOUR / KB_PER_GB;
    boolean disk = diskGb >= rule.diskKbps() * floor;
    boolean net = netGb >= rule.netKbps() * floor;
    if (disk && (!net || diskGb >= netGb)) {
      return Batch.Cause.DISK;
    }
    return net ? Batch.Cause.NETWORK : Batch.Cause.CPU;
  }

  private static String reason(
      boolean idle, double quietShare, double batchShare, int days, List<Batch> batches) {
    String clock = batches.stream().map(Batch::words).collect(Collectors.joining("; "));
    double rest = Math.max(0, 1 - quietShare - batchShare);
    if (!idle) {
      return "It is used: "
          + Say.percent(rest)
          + " of the hours of "
          + Say.count(days, "day")
          + " are busy"
          + (batches.isEmpty() ? "." : " beside what runs by the clock.");
    }
    return "It is idle: quiet in "
        + Say.percent(quietShare)
        + " of the hours of "
        + Say.count(days, "day")
        + (batches.isEmpty() ? "." : busy(rest) + clock + ".");
  }

  private static String busy(double rest) {
    return rest < 0.001
        ? ", busy only "
        : ", busy without a clock in " + Say.percent(rest) + ", and by the clock ";
  }

  /** Which hour of the day or week each hour of the grid is. */
  private static final class Slots {
    private final Grid grid;
    private final int[] hourOfWeek;

    Slots(Grid grid) {
      this.grid = grid;
      hourOfWeek = new int[grid.hours()];
      for (int i = 0; i < grid.length(); i++) {
        hourOfWeek[grid.hour(i)] = grid.hourOfWeek(i);
      }
    }

    int of(int hour, boolean daily) {
      return daily ? hourOfWeek[hour] % 24 : hourOfWeek[hour];
    }

    int knownDays(byte[] busy) {
      int days = 0;
      int before = -1;
      for (int h = 0; h < busy.length; h++) {
        if (busy[h] != NOT_KNOWN && grid.dayOfHour(h) != before) {
          before = grid.dayOfHour(h);
          days++;
        }
      }
      return days;
    }
  }
}
