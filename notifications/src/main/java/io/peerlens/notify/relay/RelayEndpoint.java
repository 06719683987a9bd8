package io.peerlens.notify.relay;

import io.peerlens.notify.relay.ForeignAlertStore.Report;
import io.peerlens.notify.relay.RelayBody.Read;
import io.peerlens.web.ApiException;
import io.peerlens.web.BodyTooLargeException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;

/**
 * Endpoint where other systems post their alerts. It speaks as they expect, so it is no part of the
 * API: POST is answered 201, PUT 202, as the REST plug-in of vRealize Operations wants it, once
 * everything is in the database. What says nothing new is answered the same.
 */
@Controller
final class RelayEndpoint {

  /** What every path begins with. */
  static final String PATH = "/relay/";

  private final RelayGate gate;
  private final RelayIntake intake;
  private final RelayHealthStore lines;
  private final InstantSource clock;

  RelayEndpoint(RelayGate gate, RelayIntake intake, RelayHealthStore lines, InstantSource clock) {
    this.gate = gate;
    this.intake = intake;
    this.lines = lines;
    this.clock = clock;
  }

  /**
   * An alert that was taken.
   *
   * @param key what the sender calls it
   * @param id what the API calls it
   */
  record Taken(String key, String id) {}

  record Answer(String relay, List<Taken> alerts) {}

  @RequestMapping(
      path = {PATH + "{name}", PATH + "{name}/{alert}"},
      method = {RequestMethod.POST, RequestMethod.PUT})
  ResponseEntity<Answer> take(
      @PathVariable("name") String name,
      @PathVariable(name = "alert", required = false) @Nullable String alert,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    NotificationRelay relay = gate.admit(name, request, response);
    Instant now = clock.instant();
    Read read;
    try {
      read = RelayBody.read(body(request), alert, relay.labels(), now);
    } catch (ApiException e) {
      lines.wrong(relay.id(), true, e.detail(), now);
      throw e;
    }
    if (read.reports().isEmpty()) {
      lines.tested(relay.id(), now);
    } else {
      intake.take(relay, read, now);
    }
    boolean put = HttpMethod.PUT.matches(request.getMethod());
    return ResponseEntity.status(put ? 202 : 201).body(answer(relay, read.reports()));
  }

  /** For senders that look whether there is anybody before they send. */
  @GetMapping({PATH + "{name}", PATH + "{name}/{alert}"})
  ResponseEntity<Answer> look(
      @PathVariable("name") String name, HttpServletRequest request, HttpServletResponse response) {
    NotificationRelay relay = gate.admit(name, request, response);
    lines.tested(relay.id(), clock.instant());
    return ResponseEntity.ok(answer(relay, List.of()));
  }

  private static Answer answer(NotificationRelay relay, List<Report> reports) {
    return new Answer(
        relay.name(),
        reports.stream()
            .map(
                report ->
                    new Taken(
                        report.key(), ForeignAlertStore.id(relay.name(), report.key()).toString()))
            .toList());
  }

  private static byte[] body(HttpServletRequest request) throws IOException {
    try {
      return request.getInputStream().readAllBytes();
    } catch (BodyTooLargeException e) {
      throw e.problem();
    }
  }
}
