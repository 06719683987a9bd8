package io.peerlens.dashboard;

import io.peerlens.api.DashboardLinksApi;
import io.peerlens.api.model.CreatedDashboardLink;
import io.peerlens.api.model.DashboardLinkList;
import io.peerlens.api.model.DashboardLinkRequest;
import java.util.UUID;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class DashboardLinksController implements DashboardLinksApi {

  private final LinkService links;

  DashboardLinksController(LinkService links) {
    this.links = links;
  }

  @Override
  public ResponseEntity<DashboardLinkList> listDashboardLinks(UUID id) {
    return ResponseEntity.ok(new DashboardLinkList(links.list(id)));
  }

  @Override
  public ResponseEntity<CreatedDashboardLink> createDashboardLink(
      UUID id, DashboardLinkRequest request) {
    return ResponseEntity.status(HttpStatus.CREATED)
        .cacheControl(CacheControl.noStore())
        .body(links.create(id, request));
  }

  @Override
  public ResponseEntity<Void> revokeDashboardLink(UUID id, UUID link) {
    links.revoke(id, link);
    return ResponseEntity.noContent().build();
  }
}
