package io.peerlens.incident;

import io.peerlens.api.IncidentsApi;
import io.peerlens.api.model.IncidentList;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class IncidentsController implements IncidentsApi {

  private final Incidents incidents;

  IncidentsController(Incidents incidents) {
    this.incidents = incidents;
  }

  @Override
  public ResponseEntity<IncidentList> listIncidents(Integer limit) {
    Incidents.Judged now = incidents.now();
    return ResponseEntity.ok(
        new IncidentList(
            now.at(),
            now.incidents().stream().limit(limit).toList(),
            now.incidents().size(),
            now.alone()));
  }
}
