package io.peerlens.summary;

import io.peerlens.api.SummaryApi;
import io.peerlens.api.model.IngestStatus;
import io.peerlens.api.model.Summary;
import io.peerlens.samples.IngestStatusReader;
import io.peerlens.summary.SummaryQueries.Counts;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class SummaryController implements SummaryApi {

  private final IngestStatusReader ingest;
  private final SummaryQueries queries;

  SummaryController(IngestStatusReader ingest, SummaryQueries queries) {
    this.ingest = ingest;
    this.queries = queries;
  }

  @Override
  public ResponseEntity<Summary> getSummary() {
    IngestStatus status = ingest.read();
    Counts counts = queries.counts();
    return ResponseEntity.ok(
        new Summary(
            status.getTime(),
            status.getTotals(),
            status.getHistory(),
            counts.alerts(),
            counts.outlierEvents(),
            counts.jobs(),
            counts.links()));
  }
}
