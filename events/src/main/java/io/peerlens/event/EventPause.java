package io.peerlens.event;

import java.util.function.Supplier;

/** Pause of the ingest of events: that of all ingest, or a mistake in a mapping file of events. */
record EventPause(Supplier<String> all, String mistake) implements Supplier<String> {

  @Override
  public String get() {
    return mistake.isEmpty()
        ? all.get()
        : "a mapping file of events is wrong: " + mistake + ". Correct it and restart this node";
  }
}
