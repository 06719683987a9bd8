package io.peerlens.audit;

import io.peerlens.api.model.AuditEntry;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Export of the audit log to another system: each entry as JSON, in the order of their numbers, at
 * least once. How far it has come is stored after the receiver has taken them; after a kill some
 * come again, under the same number. Not thread-safe.
 */
final class AuditExport implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(AuditExport.class);

  private static final int AT_ONCE = 500;

  private final AuditStore store;
  private final AuditQueries queries;
  private final String name;
  private final Sink sink;
  private @Nullable String trouble;

  /** Receiver of entries. */
  interface Sink extends AutoCloseable {

    /**
     * Hands over entries in their order; returns when the receiver has them.
     *
     * @throws IOException if it has perhaps not; they are sent again then
     */
    void send(List<AuditEntry> entries) throws IOException;

    @Override
    void close();
  }

  /**
   * An export.
   *
   * @param name by which its progress is stored
   */
  AuditExport(AuditStore store, AuditQueries queries, String name, Sink sink) {
    this.store = store;
    this.queries = queries;
    this.name = name;
    this.sink = sink;
  }

  /** Sends what is new; what the receiver does not take is sent again at the next run. */
  void run() {
    long after = store.exported(name);
    if (queries.after(after, Long.MAX_VALUE, 1).isEmpty()) {
      return;
    }
    try {
      long last = store.complete();
      List<AuditEntry> entries;
      do {
        entries = queries.after(after, last, AT_ONCE);
        if (!entries.isEmpty()) {
          sink.send(entries);
          after = entries.getLast().getId();
          store.exported(name, after);
        }
      } while (entries.size() == AT_ONCE);
      if (trouble != null) {
        log.info("The audit log goes to {} again", name);
      }
      trouble = null;
    } catch (IOException e) {
      sink.close(); // what it still holds must not come after what is sent next
      if (!String.valueOf(e.getMessage()).equals(trouble)) {
        log.warn("The audit log waits for {}: {}", name, e.getMessage());
      }
      trouble = String.valueOf(e.getMessage());
    }
  }

  @Override
  public void close() {
    sink.close();
  }
}
