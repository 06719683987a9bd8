package io.peerlens.source.collect;

import io.peerlens.source.ActiveSource;
import io.peerlens.source.Outlet;
import io.peerlens.source.ProbeRequest;
import io.peerlens.source.ProbeResult;
import io.peerlens.source.SourceCollector;
import io.peerlens.source.SourceCollectors;
import io.peerlens.source.SourceError;
import io.peerlens.source.SourceJournal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Collectors of all nodes of a test, which collect nothing and remember who ran when. */
final class FakeCollectors {

  final Map<UUID, List<Fake>> running = new ConcurrentHashMap<>();
  final List<Fake> all = new CopyOnWriteArrayList<>();
  final List<String> overlaps = new CopyOnWriteArrayList<>();
  volatile Consumer<ActiveSource> onStart = source -> {};

  /** One collector. */
  final class Fake implements SourceCollector {
    final String node;
    final ActiveSource source;
    final SourceJournal journal;
    volatile @Nullable Throwable failure;
    volatile boolean closed;

    private Fake(String node, ActiveSource source, SourceJournal journal) {
      this.node = node;
      this.source = source;
      this.journal = journal;
    }

    @Override
    public Optional<Throwable> failure() {
      return Optional.ofNullable(failure);
    }

    @Override
    public void close() {
      closed = true;
      synchronized (running) {
        running.getOrDefault(source.id(), new ArrayList<>()).remove(this);
      }
    }
  }

  /** The collectors of a node. */
  SourceCollectors of(String node) {
    return new SourceCollectors() {
      @Override
      public String kind() {
        return "vcenter";
      }

      @Override
      public SourceCollector start(ActiveSource source, Outlet outlet, SourceJournal journal) {
        onStart.accept(source);
        Fake fake = new Fake(node, source, journal);
        all.add(fake);
        synchronized (running) {
          List<Fake> same = running.computeIfAbsent(source.id(), id -> new ArrayList<>());
          if (!same.isEmpty()) {
            overlaps.add(source.name() + " on " + same.getFirst().node + " and " + node);
          }
          same.add(fake);
        }
        return fake;
      }

      @Override
      public ProbeResult probe(ProbeRequest request) {
        return ProbeResult.failed(null, new SourceError("fake", "It is a fake.", "", ""));
      }
    };
  }

  /** How many sources a node reads now. */
  long on(String node) {
    synchronized (running) {
      return running.values().stream()
          .flatMap(List::stream)
          .filter(fake -> fake.node.equals(node))
          .count();
    }
  }

  /** What reads a source now; null = nothing. */
  @Nullable Fake of(UUID source) {
    synchronized (running) {
      List<Fake> same = running.getOrDefault(source, List.of());
      return same.isEmpty() ? null : same.getFirst();
    }
  }
}
