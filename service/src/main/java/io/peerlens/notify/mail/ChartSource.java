package io.peerlens.notify.mail;

import java.util.Optional;
import java.util.UUID;

/** Draws the chart that goes with an alert; see {@link ChartPng}. */
@FunctionalInterface
public interface ChartSource {

  /** No charts. */
  ChartSource NONE = alert -> Optional.empty();

  /** A PNG of 560 x 180 pixels; empty = there is nothing to draw. */
  Optional<byte[]> png(UUID alertId);
}
