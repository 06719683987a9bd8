package io.peerlens.settings;

import io.peerlens.api.StatusApi;
import io.peerlens.api.model.NodeRole;
import io.peerlens.api.model.SystemStatus;
import io.peerlens.node.NodeProperties;
import io.peerlens.node.Role;
import io.peerlens.samples.IngestStatusReader;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.info.BuildProperties;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class StatusController implements StatusApi {

  private final StatusQueries queries;
  private final IngestStatusReader ingest;
  private final NodeProperties roles;
  private final EditionProperties edition;
  private final InstantSource clock;
  private final String version;
  private final Instant startedAt;

  StatusController(
      StatusQueries queries,
      IngestStatusReader ingest,
      NodeProperties roles,
      EditionProperties edition,
      InstantSource clock,
      ObjectProvider<BuildProperties> build) {
    this.queries = queries;
    this.ingest = ingest;
    this.roles = roles;
    this.edition = edition;
    this.clock = clock;
    BuildProperties properties = build.getIfAvailable();
    String built = properties == null ? null : properties.getVersion();
    this.version = built == null ? "development" : built;
    this.startedAt = clock.instant();
  }

  @Override
  public ResponseEntity<SystemStatus> getStatus() {
    Instant now = clock.instant();
    return ResponseEntity.ok(
        new SystemStatus(
            version,
            roles.node(),
            roles.roles().stream().sorted().map(StatusController::role).toList(),
            startedAt,
            now,
            edition.standalone(),
            queries.database(),
            ingest.read().getTotals()));
  }

  private static NodeRole role(Role role) {
    return NodeRole.fromValue(role.name().toLowerCase(Locale.ROOT));
  }
}
