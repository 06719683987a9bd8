package io.peerlens.samples;

import io.peerlens.api.model.IngestStatus;
import java.time.Instant;

/** What another input than metrics has to add to the state of ingest. */
public interface IngestStatusPart {

  /** Adds to a state that is being gathered. */
  void addTo(IngestStatus status, Instant now);
}
