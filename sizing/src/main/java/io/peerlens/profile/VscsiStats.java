package io.peerlens.profile;

import java.io.IOException;
import java.io.Reader;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Output of {@code vscsiStats -p all -c}, which ESXi prints about virtual disks: histograms one
 * below the other, each of a line with its title, world group and handle, the lines {@code min},
 * {@code max}, {@code mean}, {@code count}, a line {@code Frequency,Histogram Bucket Limit}, and as
 * many lines of a count and the upper limit of its bucket. The last limit stands there twice: the
 * second is for what is above it.
 *
 * <p>The same histogram of the same disk again, as of a script that prints each half minute, takes
 * the place of the former when no count of it is lower (counts go on from the start), and is added
 * otherwise (they were reset).
 *
 * <p>Sources: "Using vscsiStats for Storage Performance Analysis" (VMware, 2009); Ahmad, "Easy and
 * Efficient Disk I/O Workload Characterization in VMware ESX Server" (IISWC 2007); output of ESXi
 * in er0080/vscsiStats-helper, {@code tests/fixtures/sample_vscsiStats.csv}.
 *
 * @param histograms of all disks
 * @param problems what was read and is doubtful, with its line; at most 20
 */
public record VscsiStats(List<Histogram> histograms, List<String> problems) {

  /** What a histogram is of. */
  public enum Kind {
    /** Bytes. */
    LENGTH,
    /** Blocks of 512 bytes from the end of a command to the next. */
    DISTANCE,
    /** The same from the nearest of the 16 commands before: several streams at once are seen. */
    DISTANCE_OF_16,
    /** Commands that were on their way. */
    OUTSTANDING,
    /** Microseconds. */
    LATENCY,
    /** Microseconds between commands. */
    INTERARRIVAL
  }

  /** Which commands a histogram is of. */
  public enum Commands {
    ALL,
    READS,
    WRITES
  }

  /**
   * A histogram of a disk.
   *
   * @param world the world group of the machine
   * @param disk handle and address such as {@code 8194 (scsi0:0)}
   * @param limits upper limits of the buckets, inclusive and ascending; there is one bucket more,
   *     of what is above the last
   * @param counts of commands, one more than limits
   * @param max the highest value that was seen; NaN = it is not said
   */
  public record Histogram(
      Kind kind,
      Commands commands,
      String world,
      String disk,
      long[] limits,
      double[] counts,
      double max) {

    /** How many commands there are. */
    public double count() {
      double count = 0;
      for (double one : counts) {
        count += one;
      }
      return count;
    }
  }

  public VscsiStats {
    histograms = List.copyOf(histograms);
    problems = List.copyOf(problems);
  }

  /** The disks, as {@code world / disk}. */
  public List<String> disks() {
    return histograms.stream().map(it -> it.world() + " / " + it.disk()).distinct().toList();
  }

  /**
   * Reads output; lines that belong to no histogram are passed over.
   *
   * @param name of the file, for messages
   * @throws IllegalArgumentException it is something else, or broken; the message names file and
   *     line
   * @throws IOException it cannot be read
   */
  public static VscsiStats parse(Reader input, String name) throws IOException {
    VscsiParser parser = new VscsiParser(name);
    StringBuilder line = new StringBuilder();
    for (int c = input.read(); c >= 0; c = input.read()) {
      if (c == '\n') {
        parser.line(line.toString());
        line.setLength(0);
      } else if (c != '\r' && c != 0xFEFF) {
        line.append((char) c);
        parser.longest(line.length());
      }
    }
    parser.line(line.toString());
    return parser.end();
  }

  /**
   * The accesses of all disks together: sizes of reads and writes, and the share of commands that
   * are far from those before.
   *
   * @param bound blocks of 512 bytes: a command is random when it begins further than this from the
   *     end of one before. A bucket counts as random when all of it is, so a bound that is no limit
   *     of a bucket works as the next higher one. Of all commands the distance from the nearest of
   *     16 counts where it is known; reads and writes apart are only known from the one before, so
   *     several sequential streams at once look random there
   * @param of what the output is of, such as the name of a machine; empty = it is not said
   */
  public AccessPattern pattern(long bound, String of) {
    if (bound < 1) {
      throw new IllegalArgumentException(
          "The bound of random accesses is " + bound + " blocks: give at least 1");
    }
    double ofSixteen = far(Kind.DISTANCE_OF_16, Commands.ALL, bound);
    double share = Double.isNaN(ofSixteen) ? far(Kind.DISTANCE, Commands.ALL, bound) : ofSixteen;
    double reads = far(Kind.DISTANCE, Commands.READS, bound);
    double writes = far(Kind.DISTANCE, Commands.WRITES, bound);
    SizeHistogram readSizes = sizes(Commands.READS);
    SizeHistogram writeSizes = sizes(Commands.WRITES);
    int count = disks().size();
    String source =
        "vscsiStats of %s%d %s"
            .formatted(of.isEmpty() ? "" : of + ", ", count, count == 1 ? "disk" : "disks");
    boolean isRandomKnown = !(Double.isNaN(share) && Double.isNaN(reads) && Double.isNaN(writes));
    return new AccessPattern(
        share,
        reads,
        writes,
        Double.NaN,
        readSizes,
        writeSizes,
        isRandomKnown ? source + ", random = further than %d blocks".formatted(bound) : "",
        "",
        readSizes == null && writeSizes == null ? "" : source);
  }

  private double far(Kind kind, Commands commands, long bound) {
    double far = 0;
    double all = 0;
    for (Histogram one : histograms) {
      if (one.kind() == kind && one.commands() == commands) {
        for (int i = 0; i < one.counts().length; i++) {
          // A bucket is above the limit before its own.
          boolean below = i < one.limits().length && one.limits()[i] <= -bound;
          boolean above = i > 0 && one.limits()[i - 1] >= bound;
          far += below || above ? one.counts()[i] : 0;
          all += one.counts()[i];
        }
      }
    }
    return MixtureBuilder.ratio(far, all);
  }

  private @Nullable SizeHistogram sizes(Commands commands) {
    List<Histogram> lengths =
        histograms.stream()
            .filter(it -> it.kind() == Kind.LENGTH && it.commands() == commands)
            .toList();
    double most = lengths.stream().mapToDouble(Histogram::max).reduce(Double.NaN, VscsiStats::most);
    TreeMap<Long, Double> counts = new TreeMap<>();
    for (Histogram one : lengths) {
      for (int i = 0; i < one.counts().length; i++) {
        if (one.counts()[i] > 0) {
          counts.merge(size(one, i, most), one.counts()[i], Double::sum);
        }
      }
    }
    return counts.isEmpty() ? null : SizeHistogram.of(counts);
  }

  /** The higher of two; NaN = it is not said. */
  private static double most(double a, double b) {
    return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.max(a, b);
  }

  /**
   * Bytes that stand for a bucket: its limit where that is whole sectors, since usual sizes have a
   * bucket of their own in ESXi (4095 and 4096); otherwise the middle to the limit before, in whole
   * sectors. What is above the last limit is taken as twice it, or the highest that was seen on any
   * disk if that is lower.
   */
  private static long size(Histogram of, int bucket, double highest) {
    long[] limits = of.limits();
    if (bucket == limits.length) {
      long last = limits[bucket - 1];
      double most = highest > last ? Math.min(highest, 2.0 * last) : 2.0 * last;
      return sectors(most);
    }
    long limit = limits[bucket];
    if (limit % 512 == 0) {
      return Math.max(512, limit);
    }
    long before = bucket == 0 ? 0 : limits[bucket - 1];
    return sectors((before + limit) / 2.0);
  }

  private static long sectors(double bytes) {
    return Math.max(1, Math.round(bytes / 512)) * 512;
  }
}
