package io.peerlens.slow.api;

import static io.peerlens.slow.api.Kinds.CLUSTER;

import io.peerlens.slow.BandVerdict;
import io.peerlens.slow.Diagnosis;
import io.peerlens.slow.Evidence;
import io.peerlens.slow.Headroom;
import io.peerlens.slow.LimitReading;
import io.peerlens.slow.Reading;
import io.peerlens.slow.Signal;
import io.peerlens.slow.Usual;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Operations a second that the disks of a machine have to spare when its limit is raised: what they
 * carried in the last week with a latency that is usual, less what they do now and what the higher
 * limit may add. NaN = not known.
 *
 * @param object the datastore, or the cluster of vSAN
 * @param limit the limit that is meant, counted as it counts
 * @param carried what they did with a usual latency
 * @param now what they do
 * @param left what is left at least; 0 or less = more than they have been seen to carry
 * @param usual up to which latency is usual, in ms
 */
record Spare(int object, long limit, double carried, double now, double left, double usual) {

  private static final String READS = "clusterdomclient|iops_read";
  private static final String WRITES = "clusterdomclient|iops_write";
  private static final String LATENCY = "clusterdomclient|latency_avg_write";
  private static final double MS = 0.001;

  boolean isKnown() {
    return left > 0;
  }

  /** Wishes the history of its disks. */
  static void want(SeriesBatch week, Evidence evidence, Place place, StoreSeries stores) {
    Integer cluster = place.cluster();
    if (!evidence.vsan()) {
      stores.want(place.stores());
    } else if (cluster != null) {
      for (String key : List.of(READS, WRITES, LATENCY)) {
        week.want(CLUSTER, key, List.of(cluster));
      }
    }
  }

  /**
   * Finds it. Of several datastores the one with least, as it is not known on which the disk is.
   *
   * @param needed the limit that the p95 needs; 0 = not known
   * @return null = it is not known where its disks are
   */
  static @Nullable Spare of(
      SeriesBatch week,
      Evidence evidence,
      Diagnosis diagnosis,
      Place place,
      StoreSeries stores,
      LimitReading limit,
      long needed) {
    long now = Math.round(limit.disk().limit());
    long at = Math.max(now, needed);
    double more = (at - now) / (Double.isNaN(limit.weight()) ? 1 : limit.weight());
    Integer cluster = place.cluster();
    if (evidence.vsan()) {
      double[] micros = cluster == null ? null : week.get(CLUSTER, LATENCY, cluster);
      return cluster == null
          ? null
          : of(
              cluster,
              at,
              more,
              week.sum(CLUSTER, cluster, READS, WRITES),
              micros == null ? null : SeriesBatch.times(micros, MS),
              usual(diagnosis, Signal.CLUSTER_LATENCY, cluster));
    }
    Spare least = null;
    for (int store : place.stores()) {
      Spare one =
          of(
              store,
              at,
              more,
              stores.iops(store),
              stores.latency(store),
              usual(diagnosis, Signal.DEVICE_LATENCY, store));
      if (least == null || Double.isNaN(one.left) || one.left < least.left) {
        least = one;
      }
    }
    return least;
  }

  private static Spare of(
      int object,
      long at,
      double more,
      double @Nullable [] iops,
      double @Nullable [] latency,
      @Nullable Usual usual) {
    if (iops == null || latency == null || usual == null) {
      return new Spare(object, at, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }
    int step = (int) WhySlows.STEP.toSeconds();
    double carried = Headroom.carried(iops, latency, usual.high(), step);
    double now = WhySlows.now(iops);
    return new Spare(object, at, carried, now, carried - now - more, usual.high());
  }

  private static @Nullable Usual usual(Diagnosis diagnosis, Signal signal, int object) {
    return diagnosis.bands().stream()
        .flatMap(Spare::readings)
        .filter(one -> one.signal() == signal && one.track().origin().object() == object)
        .map(Reading::usual)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static Stream<Reading> readings(BandVerdict band) {
    return Stream.concat(Stream.ofNullable(band.figure()), band.others().stream());
  }
}
