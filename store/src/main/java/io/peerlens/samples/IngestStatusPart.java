package io.peerlens.samples;

import io.peerlens.api.model.IngestStatus;
import java.time.Instant;

/** Part of the status of ingest that another input than metrics adds. */
public interface IngestStatusPart {

  /** Adds to a state that is being gathered. */
  void addTo(IngestStatus status, Instant now);
}
