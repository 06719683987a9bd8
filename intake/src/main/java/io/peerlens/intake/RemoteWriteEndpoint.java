package io.peerlens.intake;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;

/**
 * Prometheus' remote write, {@code POST /api/v1/write}, 1.0 and 2.0. Sources: prometheus.io,
 * remote_write_spec and remote_write_spec_2_0; answers to 2.0 must say how much was written.
 */
final class RemoteWriteEndpoint implements IntakeEndpoint {

  private static final String WRITTEN = "X-Prometheus-Remote-Write-%s-Written";

  private final int maxBody;

  RemoteWriteEndpoint(int maxBody) {
    this.maxBody = maxBody;
  }

  @Override
  public String name() {
    return "remote-write";
  }

  @Override
  public int most(HttpServletRequest request, int setting) {
    return setting;
  }

  @Override
  public String encoding(HttpServletRequest request) {
    return ""; // Snappy's blocks have to be there as a whole
  }

  @Override
  public Cut cut(byte[] body, HttpServletRequest request, byte[] key, IntakeMemory.Share share)
      throws Refusal {
    String encoding = request.getHeader("Content-Encoding");
    if (encoding != null && !encoding.strip().equalsIgnoreCase("snappy")) {
      throw Refusal.of(
          415,
          "Content-Encoding '%s' is not known here; remote write uses snappy."
              .formatted(Body.shown(encoding)));
    }
    RemoteWrite.Written written =
        RemoteWrite.read(body, isSecond(request), maxBody, Piece.LIMIT, share);
    return new Cut(
        Target.METRICS,
        written.pieces(),
        Map.of("content-type", Answers.PROTOBUF),
        written(written.samples(), written.histograms()));
  }

  /** Which of the messages it is; who says nothing sends the first. */
  private static boolean isSecond(HttpServletRequest request) throws Refusal {
    String type = request.getContentType();
    String compact = type == null ? "" : type.replace(" ", "").toLowerCase(Locale.ROOT);
    if (!compact.isEmpty() && !compact.startsWith(Answers.PROTOBUF)) {
      throw unknown(type);
    }
    int at = compact.indexOf(";proto=");
    String message = at < 0 ? "" : compact.substring(at + 7).replaceAll("[\";].*", "");
    return switch (message) {
      case "io.prometheus.write.v2.request" -> true;
      case "", "prometheus.writerequest" -> false;
      default -> throw unknown(type);
    };
  }

  private static Refusal unknown(String type) {
    return Refusal.of(
        415,
        "Content-Type '%s' is not known here; send prometheus.WriteRequest or io.prometheus.write.v2.Request."
            .formatted(Body.shown(type)));
  }

  private static Map<String, String> written(int samples, int histograms) {
    return Map.of(
        WRITTEN.formatted("Samples"), String.valueOf(samples),
        WRITTEN.formatted("Histograms"), String.valueOf(histograms),
        WRITTEN.formatted("Exemplars"), "0");
  }

  @Override
  public void accept(HttpServletRequest request, HttpServletResponse response) {
    response.setStatus(204);
  }

  @Override
  public void refuse(HttpServletRequest request, HttpServletResponse response, Refusal refusal)
      throws IOException {
    written(0, 0).forEach(response::setHeader);
    Answers.text(response, refusal.message() + "\n");
  }
}
