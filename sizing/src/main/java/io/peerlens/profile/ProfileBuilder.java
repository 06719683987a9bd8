package io.peerlens.profile;

import io.peerlens.profile.LoadProfile.Coverage;
import io.peerlens.profile.LoadProfile.FivePeak;
import io.peerlens.profile.LoadProfile.Peak;
import io.peerlens.profile.LoadProfile.Share;
import io.peerlens.profile.LoadProfile.Shares;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Profiles of sums. */
final class ProfileBuilder {

  private static final int PEAKS = 10;
  private static final int FIVES = 12;

  /** Spread of a profile from which on its name says little. */
  private static final double WIDE = 1.5;

  private final ProfileOptions options;
  private final boolean @Nullable [] mask;
  private final boolean @Nullable [] fineMask;

  ProfileBuilder(ProfileOptions options) {
    this.options = options;
    BusinessHours only = options.businessHours();
    mask = only == null ? null : only.mask(options.hours());
    fineMask = only == null || options.fineGrid() == null ? null : only.mask(options.fineGrid());
  }

  LoadProfile build(String name, LoadProfiler.Subject subject) {
    HourSums sums = subject.hours;
    Grid grid = sums.grid;
    double[] iops = counted(HourSums.total(sums.readIops, sums.writeIops), mask);
    double[] bytes = counted(HourSums.total(sums.readBytes, sums.writeBytes), mask);
    double[] timed = counted(HourSums.total(sums.timedReads, sums.timedWrites), mask);
    double[] time = HourSums.total(sums.readTime, sums.writeTime);
    Mixture mixture = new MixtureBuilder(sums, iops).build(options.idleIops());
    Distribution operations = Distribution.of(grid, iops);
    Shares shares = subject.sizes.shares(operations);
    Coverage coverage = coverage(subject, iops);
    boolean byBytes = operations.buckets() == 0;
    double sizedReads = sum(sums.sizedReads);
    double sizedWrites = sum(sums.sizedWrites);
    double sizedReadBytes = sum(sums.sizedReadBytes);
    double sizedWriteBytes = sum(sums.sizedWriteBytes);
    return new LoadProfile(
        name,
        subject.machines,
        coverage,
        operations,
        Distribution.of(grid, counted(sums.readIops, mask)),
        Distribution.of(grid, counted(sums.writeIops, mask)),
        Distribution.of(grid, bytes),
        Distribution.of(grid, counted(sums.readBytes, mask)),
        Distribution.of(grid, counted(sums.writeBytes, mask)),
        MixtureBuilder.ratio(sizedReadBytes + sizedWriteBytes, sizedReads + sizedWrites),
        MixtureBuilder.ratio(sizedReadBytes, sizedReads),
        MixtureBuilder.ratio(sizedWriteBytes, sizedWrites),
        readShare(sums.readIops, iops),
        readShare(sums.readBytes, bytes),
        latency(grid, time, timed),
        latency(grid, sums.readTime, counted(sums.timedReads, mask)),
        latency(grid, sums.writeTime, counted(sums.timedWrites, mask)),
        mixture,
        peaks(subject, byBytes ? bytes : iops, iops, bytes),
        subject.fine == null ? null : fivePeak(subject.fine, byBytes, byBytes ? bytes : iops),
        shares,
        AccessPattern.UNKNOWN,
        remarks(subject, coverage, mixture, shares));
  }

  /** A column with NaN outside of the business hours; it may be the same. */
  private static double[] counted(double[] column, boolean @Nullable [] only) {
    if (only == null) {
      return column;
    }
    double[] counted = column.clone();
    for (int i = 0; i < counted.length; i++) {
      counted[i] = only[i] ? counted[i] : Double.NaN;
    }
    return counted;
  }

  private boolean counts(int hour) {
    return mask == null || mask[hour];
  }

  private double sum(double[] column) {
    double sum = 0;
    for (int i = 0; i < column.length; i++) {
      sum += counts(i) ? column[i] : 0;
    }
    return sum;
  }

  /** Reads among all, over the buckets whose total is known. */
  private static double readShare(double[] reads, double[] total) {
    double read = 0;
    double all = 0;
    for (int i = 0; i < total.length; i++) {
      if (!Double.isNaN(total[i])) {
        read += reads[i];
        all += total[i];
      }
    }
    return MixtureBuilder.ratio(read, all);
  }

  private static Distribution latency(Grid grid, double[] time, double[] operations) {
    double[] mean = new double[time.length];
    for (int i = 0; i < mean.length; i++) {
      mean[i] = MixtureBuilder.ratio(time[i], operations[i]);
    }
    return Distribution.weighted(grid, mean, operations);
  }

  private Coverage coverage(LoadProfiler.Subject subject, double[] iops) {
    int hours = 0;
    int withData = 0;
    int withIops = 0;
    int idle = 0;
    long reporting = 0;
    for (int i = 0; i < iops.length; i++) {
      if (counts(i)) {
        hours++;
        withData += subject.hours.reporting[i] > 0 ? 1 : 0;
        reporting += subject.hours.reporting[i];
        withIops += Double.isNaN(iops[i]) ? 0 : 1;
        idle += iops[i] < options.idleIops() || iops[i] == 0 ? 1 : 0;
      }
    }
    double possible = (double) hours * subject.machines;
    return new Coverage(hours, withData, withIops, idle, MixtureBuilder.ratio(reporting, possible));
  }

  private List<Peak> peaks(
      LoadProfiler.Subject subject, double[] by, double[] iops, double[] bytes) {
    HourSums sums = subject.hours;
    long apart = options.peakDistance().dividedBy(sums.grid.bucket().length());
    double[] left = by.clone();
    List<Peak> peaks = new ArrayList<>();
    while (peaks.size() < PEAKS) {
      int at = highest(left);
      if (at < 0) {
        break;
      }
      peaks.add(
          new Peak(
              sums.grid.at(at),
              iops[at],
              bytes[at],
              MixtureBuilder.ratio(
                  sums.sizedReadBytes[at] + sums.sizedWriteBytes[at],
                  sums.sizedReads[at] + sums.sizedWrites[at]),
              MixtureBuilder.ratio(sums.readIops[at], iops[at]),
              MixtureBuilder.ratio(
                  sums.readTime[at] + sums.writeTime[at],
                  sums.timedReads[at] + sums.timedWrites[at]),
              sums.reporting[at],
              subject.top == null ? List.of() : subject.top.of(at, by[at])));
      int from = (int) Math.max(0, at - Math.max(0, apart - 1));
      int to = (int) Math.min(left.length, at + Math.max(1, apart));
      Arrays.fill(left, from, to, Double.NaN);
    }
    return peaks;
  }

  /** Index of the highest value above 0; negative = there is none. */
  private static int highest(double[] values) {
    int highest = -1;
    for (int i = 0; i < values.length; i++) {
      if (values[i] > (highest < 0 ? 0 : values[highest])) {
        highest = i;
      }
    }
    return highest;
  }

  private @Nullable FivePeak fivePeak(FineSums fine, boolean byBytes, double[] hours) {
    double[] fives = counted(byBytes ? fine.bytes : fine.iops, fineMask);
    int peak = highest(fives);
    if (peak < 0) {
      return null;
    }
    double highestFive = 0;
    double highestHour = 0;
    double[] factors = new double[fives.length / FIVES + 1];
    int known = 0;
    for (int hour = 0; hour < hours.length; hour++) {
      long first = fine.grid.index(options.hours().at(hour));
      if (first < 0 || first + FIVES > fives.length || Double.isNaN(hours[hour])) {
        continue;
      }
      double most = 0;
      for (int i = 0; i < FIVES; i++) {
        // NaN stays: the hour is not known as a whole.
        most = Math.max(most, fives[(int) first + i]);
      }
      if (!Double.isNaN(most) && hours[hour] > 0) {
        highestFive = Math.max(highestFive, most);
        highestHour = Math.max(highestHour, hours[hour]);
        factors[known++] = most / hours[hour];
      }
    }
    Arrays.sort(factors, 0, known);
    return new FivePeak(
        fives[peak],
        fine.grid.at(peak),
        known,
        MixtureBuilder.ratio(highestFive, highestHour),
        known == 0 ? Double.NaN : Distribution.rank(factors, known, 50));
  }

  private static List<String> remarks(
      LoadProfiler.Subject subject, Coverage coverage, Mixture mixture, Shares shares) {
    List<String> remarks = new ArrayList<>();
    if (coverage.withData() == 0) {
      remarks.add("There are no data of this time.");
    } else if (coverage.withIops() == 0) {
      remarks.add(
          "Operations a second are not known: no size of blocks, no share of reads, no profiles."
              + " Peaks are those of throughput.");
    } else {
      int machines = subject.sizes.machines();
      if (machines < subject.machines) {
        remarks.add(
            "Operations a second are known of %d of %d machines; the others count in throughput only."
                .formatted(machines, subject.machines));
      }
      if (mixture.withoutSize() > 0) {
        remarks.add(
            mixture.withoutSize()
                + " hours have operations and no throughput, and fall into no profile.");
      }
      for (Mixture.Cluster one : mixture.clusters()) {
        if (one.spread() > WIDE) {
          remarks.add(
              "Hours of %s are spread widely: most are more than a doubling of the size or 20 points"
                      .formatted(one.name())
                  + " of reads away from it.");
        }
      }
      size(remarks, "vCPUs", shares.vcpu(), machines);
      size(remarks, "memory", shares.memoryGb(), machines);
      size(remarks, "disk", shares.diskGb(), machines);
    }
    if (subject.hours.rejected > 0) {
      remarks.add(subject.hours.rejected + " values are negative or infinite, and were left out.");
    }
    return remarks;
  }

  private static void size(List<String> remarks, String what, Share share, int machines) {
    if (share.known() == 0) {
      remarks.add("The %s of machines is not known.".formatted(what));
    } else if (share.known() < machines) {
      remarks.add(
          "The %s of %d of %d machines is not known, and taken to be the mean of the others."
              .formatted(what, machines - share.known(), machines));
    }
  }
}
