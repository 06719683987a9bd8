package io.peerlens.source;

import java.util.Optional;

/** What collects from one source while this node holds its lease. */
public interface SourceCollector extends AutoCloseable {

  /**
   * Why it has ended by itself; empty = it works. Asked about every second, so cheap. A collector
   * that has ended is closed, and another one is started after a pause, which grows.
   */
  default Optional<Throwable> failure() {
    return Optional.empty();
  }

  /**
   * Ends it within 10 seconds, with its sessions closed. Nothing is sent or noted afterwards. After
   * 10 seconds the thread is interrupted, and another node may take the source.
   */
  @Override
  void close();
}
