package io.peerlens.flow.decode;

import io.peerlens.flow.network.Addresses;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Sampling rates and start times that exporters announced apart from their flows. Telegraf passes
 * it on as {@code netflow_options}, seldom and once for many records, so it has to outlive a
 * restart: {@link #snapshot} is to be saved now and then, {@link #restore} called at the start.
 * Thread-safe; all decoders of a process share one.
 */
public final class Exporters {

  /** {@link Exporter#systemStartMillis} of an exporter that did not say. */
  public static final long UNKNOWN = -1;

  /** Exporters, and samplers in them, that are remembered; beyond it the oldest are forgotten. */
  private static final int MAX = 10_000;

  /**
   * Announcement of one exporter, or of one of its samplers.
   *
   * @param addressHigh the exporter's address, see {@link Addresses}
   * @param sampler id of the sampler, 0 = what holds where a record names none
   * @param population packets of which {@code sampled} were looked at, 0 = not said
   * @param sampled not more than {@code population}, 0 = not said
   * @param systemStartMillis when the exporter started, milliseconds since 1970, or {@link
   *     #UNKNOWN}
   * @param toldMillis when the exporter said so, milliseconds since 1970
   */
  public record Exporter(
      long addressHigh,
      long addressLow,
      FlowVersion version,
      long sampler,
      long population,
      long sampled,
      long systemStartMillis,
      long toldMillis) {

    /** The newer of both, with what only the older said. */
    private static Exporter merge(Exporter a, Exporter b) {
      Exporter newer = a.toldMillis > b.toldMillis ? a : b;
      Exporter older = a.toldMillis > b.toldMillis ? b : a;
      boolean saysRate = newer.population > 0;
      return new Exporter(
          newer.addressHigh,
          newer.addressLow,
          newer.version,
          newer.sampler,
          saysRate ? newer.population : older.population,
          saysRate ? newer.sampled : older.sampled,
          newer.systemStartMillis == UNKNOWN ? older.systemStartMillis : newer.systemStartMillis,
          newer.toldMillis);
    }
  }

  private record Key(long addressHigh, long addressLow, FlowVersion version, long sampler) {}

  private final ConcurrentHashMap<Key, Exporter> exporters = new ConcurrentHashMap<>();
  private final AtomicLong revision = new AtomicLong();

  /** Everything known, to be saved. */
  public List<Exporter> snapshot() {
    return List.copyOf(exporters.values());
  }

  /** Adds what was saved; what is known already and newer stays. */
  public void restore(Collection<Exporter> saved) {
    saved.forEach(this::tell);
  }

  /** Goes up whenever a sampling rate or start becomes known or changes: time to save. */
  public long revision() {
    return revision.get();
  }

  /** Finds the announcement of an exporter, or null. */
  @Nullable Exporter find(long addressHigh, long addressLow, FlowVersion version, long sampler) {
    return exporters.get(new Key(addressHigh, addressLow, version, sampler));
  }

  /** Notes what an exporter said, unless something newer is known. */
  void tell(Exporter told) {
    Key key = new Key(told.addressHigh, told.addressLow, told.version, told.sampler);
    Exporter before = exporters.get(key);
    Exporter now = exporters.merge(key, told, Exporter::merge);
    if (before == null
        || before.population != now.population
        || before.sampled != now.sampled
        || before.systemStartMillis != now.systemStartMillis) {
      revision.incrementAndGet();
    }
    if (exporters.size() > MAX) {
      exporters.values().stream()
          .min(Comparator.comparingLong(Exporter::toldMillis))
          .ifPresent(
              oldest ->
                  exporters.remove(
                      new Key(
                          oldest.addressHigh, oldest.addressLow, oldest.version, oldest.sampler)));
    }
  }
}
