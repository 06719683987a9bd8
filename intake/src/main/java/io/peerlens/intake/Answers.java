package io.peerlens.intake;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Answers to senders. */
final class Answers {

  static final String JSON = "application/json";
  static final String PROTOBUF = "application/x-protobuf";

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Answers() {}

  static void bytes(HttpServletResponse response, String type, byte[] body) throws IOException {
    response.setContentType(type);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  static void text(HttpServletResponse response, String text) throws IOException {
    bytes(response, "text/plain;charset=UTF-8", text.getBytes(StandardCharsets.UTF_8));
  }

  static void json(HttpServletResponse response, Map<String, ?> members) throws IOException {
    bytes(response, JSON, MAPPER.writeValueAsBytes(members));
  }
}
