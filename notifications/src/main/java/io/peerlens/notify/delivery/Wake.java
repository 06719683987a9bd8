package io.peerlens.notify.delivery;

/** Signal to the delivery workers that there may be something to send. */
@FunctionalInterface
public interface Wake {

  /** Now. */
  void now();
}
