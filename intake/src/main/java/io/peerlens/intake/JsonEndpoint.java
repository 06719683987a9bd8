package io.peerlens.intake;

import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Problems;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Our own JSON: samples, {@code POST /v1/samples}, and events, {@code POST /v1/events}, these also
 * as CloudEvents whose attributes are headers (CloudEvents HTTP binding, binary mode).
 */
final class JsonEndpoint implements IntakeEndpoint {

  /** JSON grows several times while it is read. */
  private static final int MOST = 16 << 20;

  private static final String CLOUD_EVENT = "ce-";
  private static final int MOST_ATTRIBUTES = 30;

  private final Target target;
  private final Problems problems;

  JsonEndpoint(Target target, Problems problems) {
    this.target = target;
    this.problems = problems;
  }

  @Override
  public String name() {
    return target == Target.METRICS ? "samples" : "events";
  }

  @Override
  public int most(HttpServletRequest request, int setting) {
    return Math.min(setting, MOST);
  }

  @Override
  public Cut cut(byte[] body, HttpServletRequest request, byte[] key, IntakeMemory.Share share)
      throws Refusal {
    share.take(4L * body.length);
    Map<String, String> attributes = target == Target.EVENTS ? attributes(request) : Map.of();
    if (!attributes.isEmpty()) {
      if (body.length > Piece.LIMIT) {
        throw Refusal.tooLarge(
            "The event has %,d bytes; an event may have %,d.".formatted(body.length, Piece.LIMIT));
      }
      return new Cut(
          target,
          List.of(new Piece(key, body, attributes)),
          Map.of("content-type", Answers.JSON),
          Map.of());
    }
    return new Cut(
        target,
        JsonCutter.elements(key, body, Piece.LIMIT),
        Map.of("content-type", Answers.JSON),
        Map.of());
  }

  private static Map<String, String> attributes(HttpServletRequest request) throws Refusal {
    Map<String, String> attributes = new LinkedHashMap<>();
    Enumeration<String> names = request.getHeaderNames();
    while (names.hasMoreElements()) {
      String name = names.nextElement().toLowerCase(Locale.ROOT);
      if (name.startsWith(CLOUD_EVENT)) {
        attributes.put("ce_" + name.substring(CLOUD_EVENT.length()), request.getHeader(name));
      }
    }
    if (attributes.size() > MOST_ATTRIBUTES) {
      throw Refusal.bad("An event may have %d attributes.".formatted(MOST_ATTRIBUTES));
    }
    return attributes;
  }

  @Override
  public void accept(HttpServletRequest request, HttpServletResponse response) {
    response.setStatus(204);
  }

  @Override
  public void refuse(HttpServletRequest request, HttpServletResponse response, Refusal refusal)
      throws IOException {
    problems.write(request, response, ApiException.of(code(refusal.status()), refusal.message()));
  }

  private static ErrorCode code(int status) {
    return switch (status) {
      case 401 -> ErrorCode.UNAUTHENTICATED;
      case 403 -> ErrorCode.FORBIDDEN;
      case 405 -> ErrorCode.METHOD_NOT_ALLOWED;
      case 413 -> ErrorCode.BODY_TOO_LARGE;
      case 415 -> ErrorCode.UNSUPPORTED_MEDIA_TYPE;
      case 429 -> ErrorCode.RATE_LIMITED;
      case 500 -> ErrorCode.INTERNAL;
      case 503 -> ErrorCode.UNAVAILABLE;
      default -> ErrorCode.BAD_REQUEST;
    };
  }
}
