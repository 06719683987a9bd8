package io.peerlens.notify.channel;

import io.peerlens.api.SnmpEngineApi;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class SnmpEngineController implements SnmpEngineApi {

  private final SnmpEngines engines;

  SnmpEngineController(SnmpEngines engines) {
    this.engines = engines;
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.SnmpEngine> getSnmpEngine() {
    SnmpEngine engine = engines.current();
    return ResponseEntity.ok(
        new io.peerlens.api.model.SnmpEngine(engine.hex(), engine.boots(), engine.startedAt()));
  }
}
