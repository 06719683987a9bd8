package io.peerlens.notify.delivery;

/** Tells those who send that there may be something to send. */
@FunctionalInterface
public interface Wake {

  /** Now. */
  void now();
}
