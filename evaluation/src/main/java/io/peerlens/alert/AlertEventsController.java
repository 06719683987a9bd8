package io.peerlens.alert;

import io.peerlens.api.AlertEventsApi;
import io.peerlens.security.Caller;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

@RestController
final class AlertEventsController implements AlertEventsApi {

  private final AlertEvents events;

  AlertEventsController(AlertEvents events) {
    this.events = events;
  }

  @Override
  public ResponseEntity<SseEmitter> streamAlertEvents(@Nullable String lastEventId) {
    return ResponseEntity.ok()
        .contentType(MediaType.TEXT_EVENT_STREAM)
        .cacheControl(CacheControl.noStore())
        .header("X-Accel-Buffering", "no") // a proxy that collects answers would hold events back
        .body(events.listen(lastEventId, Caller.current().expiresAt()));
  }
}
