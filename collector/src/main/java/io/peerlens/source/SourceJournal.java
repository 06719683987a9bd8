package io.peerlens.source;

import java.util.Optional;

/**
 * Journal of one collector: positions, which outlive it and its node, and reports for people. It
 * takes nothing more from a collector whose lease was lost. Thread-safe.
 */
public interface SourceJournal {

  /**
   * Where reading goes on.
   *
   * @param part name of what is read; the collector's own choice, 1 to 100 characters
   * @return as it was stored last, by whichever node; empty = never
   */
  Optional<String> position(String part);

  /**
   * Stores where reading goes on. Call it after {@link Outlet#flush} only: what lies before a
   * position is never read again.
   *
   * @throws LeaseLostException if the lease is another node's
   */
  void position(String part, String value);

  /**
   * Reports a round, good or bad.
   *
   * @throws LeaseLostException if the lease is another node's
   */
  void report(RoundReport report);

  /**
   * Stores what the source says that it is, for people.
   *
   * @param text such as product, version and build; 1 to 500 characters
   * @throws LeaseLostException if the lease is another node's
   */
  void about(String text);

  /**
   * Whether this node still holds the lease, as far as it knows without asking the database. A
   * collector that sees false stops sending; it is closed in any case.
   */
  boolean held();
}
