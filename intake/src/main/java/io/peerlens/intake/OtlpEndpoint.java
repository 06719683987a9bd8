package io.peerlens.intake;

import io.peerlens.ingest.protobuf.ProtoWriter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;

/**
 * OTLP over HTTP, {@code POST /v1/metrics}. Source: opentelemetry-proto, docs/specification.md: an
 * answer has the type of the request; an empty ExportMetricsServiceResponse says that all was
 * taken, an error is a google.rpc.Status.
 */
final class OtlpEndpoint implements IntakeEndpoint {

  /** JSON grows several times while it is read. */
  private static final int MOST_JSON = 16 << 20;

  @Override
  public String name() {
    return "otlp";
  }

  @Override
  public int most(HttpServletRequest request, int setting) {
    return isJson(request) ? Math.min(setting, MOST_JSON) : setting;
  }

  @Override
  public Cut cut(byte[] body, HttpServletRequest request, byte[] key, IntakeMemory.Share share)
      throws Refusal {
    if (isJson(request)) {
      share.take(4L * body.length);
      return Cut.metrics(JsonCutter.otlp(body, Piece.LIMIT), Map.of("content-type", Answers.JSON));
    }
    String type = type(request);
    if (!type.startsWith(Answers.PROTOBUF) && !type.startsWith("application/vnd.google.protobuf")) {
      throw Refusal.of(
          415,
          "Content-Type '%s' is not known here; send application/x-protobuf or application/json."
              .formatted(Body.shown(type)));
    }
    return Cut.metrics(OtlpCutter.cut(body, Piece.LIMIT), Map.of("content-type", Answers.PROTOBUF));
  }

  @Override
  public void accept(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.setStatus(200);
    if (isJson(request)) {
      Answers.json(response, Map.of());
    } else {
      Answers.bytes(response, Answers.PROTOBUF, new byte[0]);
    }
  }

  @Override
  public void refuse(HttpServletRequest request, HttpServletResponse response, Refusal refusal)
      throws IOException {
    if (isJson(request)) {
      Answers.json(response, Map.of("code", code(refusal.status()), "message", refusal.message()));
    } else {
      Answers.bytes(
          response,
          Answers.PROTOBUF,
          new ProtoWriter().varint(1, code(refusal.status())).text(2, refusal.message()).toBytes());
    }
  }

  /** Codes of google.rpc.Code. */
  private static int code(int status) {
    return switch (status) {
      case 401 -> 16; // UNAUTHENTICATED
      case 403 -> 7; // PERMISSION_DENIED
      case 408 -> 4; // DEADLINE_EXCEEDED
      case 413, 429 -> 8; // RESOURCE_EXHAUSTED
      case 503 -> 14; // UNAVAILABLE
      case 500 -> 13; // INTERNAL
      default -> 3; // INVALID_ARGUMENT
    };
  }

  private static boolean isJson(HttpServletRequest request) {
    return type(request).startsWith(Answers.JSON);
  }

  private static String type(HttpServletRequest request) {
    String type = request.getContentType();
    return type == null ? "" : type.strip().toLowerCase(Locale.ROOT);
  }
}
