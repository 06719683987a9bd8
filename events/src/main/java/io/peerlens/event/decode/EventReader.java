package io.peerlens.event.decode;

import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.RejectReason;

/** Reader of what was decoded: takes the events of a record, and what could not be decoded. */
public interface EventReader {

  /**
   * Takes an event.
   *
   * @throws EventException when it is no event that can be recorded
   */
  void take(Event event);

  /** Takes what could not be decoded. */
  void reject(DeadLetter letter);

  /** An event that cannot be recorded; its neighbours can. */
  final class EventException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient RejectReason reason;

    /**
     * @param detail what is wrong, where, and how to mend it
     */
    public EventException(RejectReason reason, String detail) {
      super(detail, null, false, false);
      this.reason = reason;
    }

    /** Code of the reason. */
    public RejectReason reason() {
      return reason;
    }
  }
}
