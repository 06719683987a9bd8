package io.peerlens.intake;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Line protocol as InfluxDB takes it: {@code POST /api/v2/write} of version 2 and {@code POST
 * /write} of version 1. Organizations, buckets and databases mean nothing here.
 */
final class InfluxEndpoint implements IntakeEndpoint {

  /** Header of a record with the unit of its timestamps. */
  private static final String PRECISION = "precision";

  private final boolean second;

  InfluxEndpoint(boolean second) {
    this.second = second;
  }

  @Override
  public String name() {
    return second ? "influx-v2" : "influx-v1";
  }

  @Override
  public int most(HttpServletRequest request, int setting) {
    return setting;
  }

  @Override
  public Cut cut(byte[] body, HttpServletRequest request, byte[] key, IntakeMemory.Share share)
      throws Refusal {
    return Cut.metrics(
        LineCutter.cut(key, body, Piece.LIMIT),
        Map.of(
            "content-type",
            "text/plain; charset=utf-8",
            PRECISION,
            precision(QueryString.first(request, PRECISION))));
  }

  private static String precision(String asked) throws Refusal {
    return switch (asked) {
      case "", "ns", "n" -> "ns";
      case "us", "u", "\u00b5" -> "us";
      case "ms" -> "ms";
      case "s" -> "s";
      case "m" -> "m";
      case "h" -> "h";
      default ->
          throw Refusal.bad(
              "precision '%s' is not known; use ns, us, ms, s, m or h."
                  .formatted(Body.shown(asked)));
    };
  }

  @Override
  public void accept(HttpServletRequest request, HttpServletResponse response) {
    response.setStatus(204);
  }

  @Override
  public void refuse(HttpServletRequest request, HttpServletResponse response, Refusal refusal)
      throws IOException {
    Map<String, String> answer = new LinkedHashMap<>();
    if (second) {
      answer.put("code", code(refusal.status()));
      answer.put("message", refusal.message());
    } else {
      response.setHeader("X-Influxdb-Error", refusal.message());
      answer.put("error", refusal.message());
    }
    Answers.json(response, answer);
  }

  private static String code(int status) {
    return switch (status) {
      case 401 -> "unauthorized";
      case 403 -> "forbidden";
      case 413 -> "request too large";
      case 429 -> "too many requests";
      case 503 -> "unavailable";
      case 500 -> "internal error";
      default -> "invalid";
    };
  }
}
