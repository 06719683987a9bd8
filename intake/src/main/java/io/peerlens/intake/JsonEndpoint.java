package io.peerlens.intake;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

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

  JsonEndpoint(Target target) {
    this.target = target;
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
    List<Piece> pieces = new ArrayList<>(JsonCutter.elements(key, body, Piece.LIMIT));
    return new Cut(target, pieces, Map.of("content-type", Answers.JSON), Map.of());
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
    Map<String, Object> problem = new LinkedHashMap<>();
    problem.put("title", refusal.message());
    problem.put("status", refusal.status());
    Answers.bytes(
        response, "application/problem+json", JsonMapper.shared().writeValueAsBytes(problem));
  }
}
