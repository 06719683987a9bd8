package io.peerlens.ingest.kafka;

/**
 * Reader of a topic, until it is closed. It deals with exceptions itself; what ends {@link #run}
 * before that is an error, and the reader is of no more use then.
 */
public interface TopicReader extends Runnable, AutoCloseable {

  /** Why nothing is stored any more, with the place; empty while it is, or may soon be. */
  String stuck();

  /** Stops reading. Does not wait for {@link #run}. */
  @Override
  void close();
}
