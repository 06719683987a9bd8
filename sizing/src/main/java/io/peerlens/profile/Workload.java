package io.peerlens.profile;

import io.peerlens.profile.Distribution.At;
import io.peerlens.profile.Mixture.Cluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a load generator should do to be like a load profile: so many operations a second, of such
 * sizes and directions.
 *
 * @param name of the profile and the part of it
 * @param iops operations a second, in all
 * @param streams kinds of operations; their shares add up to 1
 * @param pattern how random they are and on how much, as far as it is known
 * @param notes what it was made of, a line each
 */
public record Workload(
    String name, double iops, List<Stream> streams, AccessPattern pattern, List<String> notes) {

  /**
   * Operations of one direction and size.
   *
   * @param read or write
   * @param blockSize bytes of an operation, whole sectors
   * @param share among all operations
   */
  public record Stream(boolean read, long blockSize, double share) {}

  public Workload {
    if (!(iops >= 1) || Double.isInfinite(iops)) {
      throw new IllegalArgumentException(
          "A load of %s operations a second cannot be made for %s: choose a higher percentile"
              .formatted(iops, name));
    }
    if (streams.isEmpty()) {
      throw new IllegalArgumentException(name + " has no operations to make a load of");
    }
    streams = List.copyOf(streams);
    notes = List.copyOf(notes);
  }

  /**
   * One of the profiles that hours fall into. Sizes are the usual ones next to the means of reads
   * and of writes.
   *
   * @param cluster one of the profile's
   * @param rate of its hours
   * @throws IllegalArgumentException it has less than one operation a second
   */
  public static Workload of(LoadProfile profile, Cluster cluster, At rate) {
    Map<String, Stream> streams = new LinkedHashMap<>();
    add(streams, cluster, 1);
    return make(profile, cluster.label(), cluster.iops().at(rate), rate, streams, sizes(cluster));
  }

  /**
   * All hours together. Sizes are those of the imported histogram, or the usual ones next to the
   * means of the profiles that hours fall into, by their operations.
   *
   * @param rate of all hours
   * @throws IllegalArgumentException operations or sizes are not known, or there is less than one
   *     operation a second
   */
  public static Workload of(LoadProfile profile, At rate) {
    if (profile.mixture().clusters().isEmpty()) {
      throw new IllegalArgumentException(
          profile.name()
              + " has no hours whose operations and sizes are known: a load cannot be made of it");
    }
    Map<String, Stream> streams = new LinkedHashMap<>();
    SizeHistogram reads = profile.pattern().readSizes();
    SizeHistogram writes = profile.pattern().writeSizes();
    List<String> sizes = new ArrayList<>();
    if ((reads != null || profile.readShare() == 0)
        && (writes != null || profile.readShare() == 1)) {
      add(streams, true, reads, profile.readShare());
      add(streams, false, writes, 1 - profile.readShare());
      sizes.add("Sizes are those of " + profile.pattern().sizesSource() + ".");
    } else {
      for (Cluster cluster : profile.mixture().clusters()) {
        add(streams, cluster, cluster.shareOfOperations());
        sizes.addAll(sizes(cluster));
      }
    }
    return make(profile, "all hours", profile.iops().at(rate), rate, streams, sizes);
  }

  private static Workload make(
      LoadProfile profile,
      String part,
      double iops,
      At rate,
      Map<String, Stream> streams,
      List<String> sizes) {
    List<String> notes = new ArrayList<>();
    notes.add("Load profile of " + profile.name() + ": " + part);
    notes.add(
        String.format(
            Locale.ROOT,
            "Rate: %s of means over an hour, %.0f operations a second",
            rate == At.MEAN ? "mean" : rate.name().toLowerCase(Locale.ROOT),
            iops));
    notes.addAll(sizes);
    return new Workload(
        profile.name() + ", " + part,
        iops,
        List.copyOf(streams.values()),
        profile.pattern(),
        notes);
  }

  private static void add(Map<String, Stream> streams, Cluster cluster, double share) {
    add(streams, true, size(cluster.readBlockSize(), cluster), share * cluster.readShare());
    add(streams, false, size(cluster.writeBlockSize(), cluster), share * (1 - cluster.readShare()));
  }

  private static long size(double mean, Cluster cluster) {
    return BlockSize.usual(mean > 0 ? mean : cluster.blockSize());
  }

  private static void add(
      Map<String, Stream> streams, boolean read, @Nullable SizeHistogram sizes, double share) {
    for (int i = 0; sizes != null && i < sizes.sizes().length; i++) {
      add(streams, read, sizes.sizes()[i], share * sizes.counts()[i] / sizes.count());
    }
  }

  private static void add(Map<String, Stream> streams, boolean read, long size, double share) {
    if (share > 0) {
      streams.merge(
          read + "/" + size,
          new Stream(read, size, share),
          (one, other) -> new Stream(read, size, one.share() + other.share()));
    }
  }

  private static List<String> sizes(Cluster cluster) {
    return List.of(
        String.format(
            Locale.ROOT,
            "%s: mean size of reads %s, of writes %s; the usual sizes next to them stand for them",
            cluster.label(),
            bytes(cluster.readBlockSize()),
            bytes(cluster.writeBlockSize())));
  }

  private static String bytes(double size) {
    return Double.isNaN(size) ? "not known" : String.format(Locale.ROOT, "%.0f bytes", size);
  }

  /** The same with accesses that somebody gives or imported. */
  public Workload with(AccessPattern given) {
    return new Workload(name, iops, streams, given, notes);
  }

  /** Reads among operations, 0 to 1. */
  public double readShare() {
    return streams.stream().filter(Stream::read).mapToDouble(Stream::share).sum();
  }

  /** Mean bytes of an operation. */
  public double blockSize() {
    return streams.stream().mapToDouble(it -> it.share() * it.blockSize()).sum()
        / streams.stream().mapToDouble(Stream::share).sum();
  }

  /** Operations at random places in whole per cent; negative = not known. */
  int randomPercent() {
    double share = pattern.randomShare();
    if (Double.isNaN(share)) {
      double reads = readShare();
      share =
          (reads > 0 ? reads * pattern.randomReadShare() : 0)
              + (reads < 1 ? (1 - reads) * pattern.randomWriteShare() : 0);
    }
    return Double.isNaN(share) ? -1 : (int) Math.round(share * 100);
  }

  /**
   * The sizes of one direction, in whole per cent that add up to 100; those below half a per cent
   * may be left out.
   */
  List<Part> parts(boolean read) {
    List<Stream> of =
        streams.stream()
            .filter(it -> it.read() == read)
            .sorted((a, b) -> Long.compare(a.blockSize(), b.blockSize()))
            .toList();
    int[] percents = Shares.percents(of.stream().mapToDouble(Stream::share).toArray());
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < percents.length; i++) {
      if (percents[i] > 0) {
        parts.add(new Part(of.get(i).blockSize(), percents[i]));
      }
    }
    return parts;
  }

  /** A size and how many of 100 operations have it. */
  record Part(long blockSize, int percent) {}

  /** Whole per cent by the largest remainder. */
  static final class Shares {

    private Shares() {}

    static int[] percents(double[] shares) {
      double sum = 0;
      for (double share : shares) {
        sum += share;
      }
      int[] percents = new int[shares.length];
      int left = shares.length == 0 ? 0 : 100;
      for (int i = 0; i < shares.length; i++) {
        percents[i] = (int) (shares[i] / sum * 100 + 1e-9);
        left -= percents[i];
      }
      for (; left > 0; left--) {
        int most = 0;
        for (int i = 1; i < shares.length; i++) {
          if (rest(shares[i], sum, percents[i]) > rest(shares[most], sum, percents[most])) {
            most = i;
          }
        }
        percents[most]++;
      }
      return percents;
    }

    private static double rest(double share, double sum, int percent) {
      return share / sum * 100 - percent;
    }
  }
}
