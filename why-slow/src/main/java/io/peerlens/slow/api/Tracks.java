package io.peerlens.slow.api;

import io.peerlens.slow.Band;
import io.peerlens.slow.Missing;
import io.peerlens.slow.Origin;
import io.peerlens.slow.Signal;
import io.peerlens.slow.Track;
import io.peerlens.slow.Usual;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Series and gaps of the evidence while they are gathered. */
final class Tracks {

  /** What brings figures of vSAN. */
  static final String VSAN = "Telegraf inputs.vsphere with vsan_metric_include";

  /** What brings figures of hosts and machines that Telegraf leaves out. */
  static final String VCENTER = "a vCenter under Sources";

  static final String EITHER = "a vCenter under Sources or Telegraf inputs.vsphere";

  private static final int PEERS = 200;

  private final Place place;
  private final SeriesBatch batch;
  private final Usuals usuals;
  private final List<Track> tracks = new ArrayList<>();
  private final List<Missing> missing = new ArrayList<>();

  Tracks(Place place, SeriesBatch batch, Usuals usuals) {
    this.place = place;
    this.batch = batch;
    this.usuals = usuals;
  }

  Place place() {
    return place;
  }

  SeriesBatch batch() {
    return batch;
  }

  List<Track> all() {
    return tracks;
  }

  List<Missing> missing() {
    return missing;
  }

  boolean has(Signal signal) {
    return tracks.stream().anyMatch(one -> one.signal() == signal);
  }

  void missing(Band band, String what, String collector, boolean needed) {
    missing.add(new Missing(band, what, collector, needed));
  }

  /** Who the peers of a series are. */
  record Peers(String kind, List<double[]> series) {
    static final Peers NONE = new Peers("", List.of());

    Peers {
      series = series.subList(0, Math.min(series.size(), PEERS));
    }
  }

  /**
   * Adds a series, if there is one.
   *
   * @param key what people would ask for; that of the first part, where it is put together
   */
  void add(
      Signal signal,
      int object,
      String key,
      String name,
      double @Nullable [] values,
      @Nullable Usual learned,
      Peers peers) {
    if (values == null) {
      return;
    }
    int bar = key.lastIndexOf('|');
    int colon = key.indexOf(':');
    boolean isInstance = colon >= 0 && colon < bar;
    tracks.add(
        new Track(
            signal,
            new Origin(
                object,
                isInstance ? key.substring(0, colon) + key.substring(bar) : key,
                isInstance ? key.substring(colon + 1, bar) : "",
                name),
            values,
            learned,
            peers.kind(),
            peers.series()));
  }

  /** Adds the first of some keys that an object has, with its learned band. */
  boolean addFirst(
      Signal signal,
      ObjectKind kind,
      int object,
      String name,
      double factor,
      List<Integer> alike,
      String alikeKind,
      String... keys) {
    for (String key : keys) {
      double[] values = batch.get(kind, key, object);
      if (values != null) {
        add(
            signal,
            object,
            key,
            name,
            SeriesBatch.times(values, factor),
            usuals.of(kind, key, object, factor),
            peers(kind, key, object, factor, alike, alikeKind));
        return true;
      }
    }
    return false;
  }

  private Peers peers(
      ObjectKind kind,
      String key,
      int object,
      double factor,
      List<Integer> alike,
      String alikeKind) {
    return new Peers(
        alikeKind,
        alike.stream()
            .filter(one -> one != object)
            .map(one -> batch.get(kind, key, one))
            .filter(Objects::nonNull)
            .map(one -> SeriesBatch.times(one, factor))
            .toList());
  }

  @Nullable Usual usual(ObjectKind kind, String key, int object, double factor) {
    return usuals.of(kind, key, object, factor);
  }
}
