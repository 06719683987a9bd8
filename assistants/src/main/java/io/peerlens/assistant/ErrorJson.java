package io.peerlens.assistant;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * JSON of errors that the transport answers with: the error of JSON-RPC. The SDK writes its
 * exception as it is, with its stack trace. What it logs is switched off, because anybody can send
 * what it calls an error; so it is said here, without what was sent.
 */
final class ErrorJson extends StdSerializer<McpError> {

  private static final Logger LOG = LoggerFactory.getLogger(ErrorJson.class);

  private ErrorJson() {
    super(McpError.class);
  }

  /** A mapper for the transport. */
  static McpJsonMapper mapper() {
    return new JacksonMcpJsonMapper(
        JsonMapper.builder()
            .addModule(new SimpleModule().addSerializer(McpError.class, new ErrorJson()))
            .build());
  }

  @Override
  public void serialize(McpError error, JsonGenerator json, SerializationContext context) {
    int code =
        error.getJsonRpcError() == null
            ? ErrorCodes.INTERNAL_ERROR
            : error.getJsonRpcError().code();
    if (code == ErrorCodes.INTERNAL_ERROR) {
      LOG.warn(
          "A message to {} could not be answered: {}",
          AssistantConfiguration.PATH,
          PlainText.of(String.valueOf(error.getMessage()), PlainText.NAME));
    } else {
      LOG.debug("A message was refused with code {}", code);
    }
    json.writeStartObject();
    json.writeStringProperty("jsonrpc", "2.0");
    json.writeNullProperty("id");
    json.writeObjectPropertyStart("error");
    json.writeNumberProperty("code", code);
    json.writeStringProperty(
        "message",
        code == ErrorCodes.INTERNAL_ERROR
            ? "The server failed to answer this message."
            : String.valueOf(error.getMessage()));
    json.writeEndObject();
    json.writeEndObject();
  }
}
