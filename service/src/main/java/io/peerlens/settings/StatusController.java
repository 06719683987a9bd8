package io.peerlens.settings;

import io.peerlens.api.StatusApi;
import io.peerlens.api.model.NodeRole;
import io.peerlens.api.model.SystemStatus;
import io.peerlens.role.Role;
import io.peerlens.role.RoleProperties;
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
  private final RoleProperties roles;
  private final EditionProperties edition;
  private final InstantSource clock;
  private final String version;
  private final Instant startedAt;

  StatusController(
      StatusQueries queries,
      RoleProperties roles,
      EditionProperties edition,
      InstantSource clock,
      ObjectProvider<BuildProperties> build) {
    this.queries = queries;
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
            queries.ingest(now)));
  }

  private static NodeRole role(Role role) {
    return NodeRole.fromValue(role.name().toLowerCase(Locale.ROOT));
  }
}
