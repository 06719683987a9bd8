package io.peerlens.notify.preview;

import io.peerlens.api.NotificationTestsApi;
import io.peerlens.api.model.NotificationExchange;
import io.peerlens.api.model.NotificationTestRequest;
import java.util.UUID;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class NotificationTestsController implements NotificationTestsApi {

  private final TargetTests tests;

  NotificationTestsController(TargetTests tests) {
    this.tests = tests;
  }

  @Override
  public ResponseEntity<NotificationExchange> testNotificationTarget(
      UUID id, NotificationTestRequest request) {
    return ResponseEntity.ok(tests.send(id, request));
  }
}
