package io.peerlens.assistant;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls of tools as one request each, for tests of what they answer. */
public final class AssistantCalls {

  private static final JsonMapper JSON = JsonMapper.shared();

  private AssistantCalls() {}

  /**
   * What a tool told.
   *
   * @param error whether it says that it could not
   * @param text as a model gets it
   */
  public record Told(boolean error, String text, JsonNode answer) {}

  /** Calls a tool. */
  public static Told call(ApiClient client, String tool, Map<String, ?> arguments) {
    String message =
        JSON.writeValueAsString(
            Map.of(
                "jsonrpc",
                "2.0",
                "id",
                1,
                "method",
                "tools/call",
                "params",
                Map.of("name", tool, "arguments", arguments)));
    Answer answer =
        client.with("Accept", "application/json, text/event-stream").post("//mcp", message);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    JsonNode result = answer.json().path("result");
    String text = result.at("/content/0/text").asString();
    assertThat(JSON.readTree(text)).as(tool).isEqualTo(result.path("structuredContent"));
    return new Told(result.path("isError").asBoolean(), text, JSON.readTree(text));
  }
}
