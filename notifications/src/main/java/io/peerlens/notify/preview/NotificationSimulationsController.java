package io.peerlens.notify.preview;

import io.peerlens.api.NotificationSimulationsApi;
import io.peerlens.api.model.NotificationSimulation;
import io.peerlens.api.model.NotificationSimulationRequest;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class NotificationSimulationsController implements NotificationSimulationsApi {

  private final RuleSimulator simulator;

  NotificationSimulationsController(RuleSimulator simulator) {
    this.simulator = simulator;
  }

  @Heavy(HeavyWork.PREVIEW)
  @Override
  public ResponseEntity<NotificationSimulation> simulateNotificationRule(
      NotificationSimulationRequest request) {
    return ResponseEntity.ok(simulator.simulate(request));
  }
}
