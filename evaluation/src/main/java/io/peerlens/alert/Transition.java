package io.peerlens.alert;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Change of one alert at a tick.
 *
 * @param before null = the tick opens it for the first time
 * @param events what is to be written in its history; empty = only its inner state moves on
 * @param finding what fires now, where that changed the alert; null = what is stored of it stays
 */
record Transition(
    @Nullable AlertState before, AlertState after, List<Event> events, @Nullable Finding finding) {

  Transition {
    events = List.copyOf(events);
  }
}
