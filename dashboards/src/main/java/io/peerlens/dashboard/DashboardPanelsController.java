package io.peerlens.dashboard;

import io.peerlens.api.DashboardPanelsApi;
import io.peerlens.api.model.DashboardPanelQuery;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import java.util.UUID;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class DashboardPanelsController implements DashboardPanelsApi {

  private final StoredPanels panels;

  DashboardPanelsController(StoredPanels panels) {
    this.panels = panels;
  }

  @Heavy(HeavyWork.SERIES)
  @Override
  public ResponseEntity<PanelAnswer> queryDashboardPanel(
      UUID id, String panel, DashboardPanelQuery query) {
    return ResponseEntity.ok(panels.answer(id, panel, query));
  }
}
