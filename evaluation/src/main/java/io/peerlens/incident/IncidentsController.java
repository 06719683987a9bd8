package io.peerlens.incident;

import io.peerlens.api.IncidentsApi;
import io.peerlens.api.model.Incident;
import io.peerlens.api.model.IncidentActionRequest;
import io.peerlens.api.model.IncidentDetail;
import io.peerlens.api.model.IncidentList;
import io.peerlens.api.model.IncidentOpenness;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import java.time.InstantSource;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class IncidentsController implements IncidentsApi {

  private final StoredIncidentQueries incidents;
  private final IncidentActions actions;
  private final InstantSource clock;

  IncidentsController(
      StoredIncidentQueries incidents, IncidentActions actions, InstantSource clock) {
    this.incidents = incidents;
    this.actions = actions;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<IncidentList> listIncidents(
      @Nullable IncidentOpenness status,
      @Nullable UUID object,
      @Nullable UUID ancestor,
      Integer limit) {
    IncidentOpenness which = Objects.requireNonNullElse(status, IncidentOpenness.OPEN);
    return ResponseEntity.ok(
        new IncidentList(
            clock.instant(),
            incidents.find(which, object, ancestor, limit),
            incidents.count(which, object, ancestor),
            incidents.alone()));
  }

  @Override
  public ResponseEntity<IncidentDetail> getIncident(Long number) {
    return ResponseEntity.ok(detail(number));
  }

  @Override
  public ResponseEntity<IncidentDetail> actOnIncident(Long number, IncidentActionRequest request) {
    actions.act(number, request, Caller.current().name(), clock.instant());
    return ResponseEntity.ok(detail(number));
  }

  private IncidentDetail detail(long number) {
    Incident incident =
        incidents
            .one(number)
            .orElseThrow(
                () ->
                    ApiException.notFound("incident", number)
                        .hint("Closed incidents are kept for peerlens.alerts.keep-canceled."));
    return new IncidentDetail(
        incident, incidents.timeline(incident.getId()), incidents.earlier(number));
  }
}
