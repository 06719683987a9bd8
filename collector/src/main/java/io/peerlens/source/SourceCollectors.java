package io.peerlens.source;

/**
 * Factory of collectors of one kind of source. There is one of each kind in a process; thread-safe.
 */
public interface SourceCollectors {

  /** The kind of source, as the API calls it: {@code vcenter}. */
  String kind();

  /**
   * Starts to collect from a source, whose lease this node holds. Returns when the collector runs
   * by itself, and need not wait for the source to answer.
   *
   * @param outlet where records go
   * @param journal what is remembered, and what people are told
   * @throws RuntimeException if it cannot start; it is tried again later, and the message is shown
   *     to people
   */
  SourceCollector start(ActiveSource source, Outlet outlet, SourceJournal journal);

  /**
   * Looks whether a source can be read, within 20 seconds. What keeps it from that stands in the
   * result; the caller has checked the address against the rules of egress only as far as that is
   * possible without asking for the addresses of its name.
   */
  ProbeResult probe(ProbeRequest request);
}
