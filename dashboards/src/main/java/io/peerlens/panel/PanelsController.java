package io.peerlens.panel;

import io.peerlens.api.PanelsApi;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelQuery;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class PanelsController implements PanelsApi {

  private final PanelRequests requests;

  PanelsController(PanelRequests requests) {
    this.requests = requests;
  }

  @Heavy(HeavyWork.SERIES)
  @Override
  public ResponseEntity<PanelAnswer> queryPanel(PanelQuery query) {
    return ResponseEntity.ok(requests.answer(query));
  }
}
