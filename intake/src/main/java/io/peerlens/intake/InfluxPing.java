package io.peerlens.intake;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What clients of InfluxDB 1 ask before they write: {@code /ping}, which needs no token and tells
 * nothing, and {@code CREATE DATABASE} at {@code /query}, which is answered as done.
 */
final class InfluxPing extends HttpServlet {

  private static final long serialVersionUID = 1;
  private static final int LONGEST_QUERY = 16 << 10;

  private final transient IntakeGate gate;

  InfluxPing(IntakeGate gate) {
    this.gate = gate;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (request.getRequestURI().equals(IntakePaths.PING)) {
      response.setHeader("X-Influxdb-Build", "Peerlens");
      response.setHeader("X-Influxdb-Version", "1.8.0-peerlens");
      response.setStatus(204);
      return;
    }
    try {
      gate.admit(request, response);
      String query = QueryString.first(request, "q");
      if (query.isEmpty()) {
        query = QueryString.first(form(request), "q");
      }
      if (!query.strip().toUpperCase(Locale.ROOT).startsWith("CREATE DATABASE")) {
        throw Refusal.bad("Peerlens answers no InfluxQL. Its API is described in docs/clients.md.");
      }
      Answers.json(response, Map.of("results", List.of(Map.of("statement_id", 0))));
    } catch (Refusal e) {
      response.setStatus(e.status());
      Answers.json(response, Map.of("error", e.message()));
    }
  }

  private static String form(HttpServletRequest request) throws IOException, Refusal {
    try (InputStream in = request.getInputStream()) {
      byte[] body = in.readNBytes(LONGEST_QUERY + 1);
      if (body.length > LONGEST_QUERY) {
        throw Refusal.tooLarge("A query may have %,d bytes.".formatted(LONGEST_QUERY));
      }
      return new String(body, StandardCharsets.UTF_8);
    }
  }
}
