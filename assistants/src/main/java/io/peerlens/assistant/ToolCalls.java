package io.peerlens.assistant;

import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.peerlens.web.ApiException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls of tools: arguments are checked, the answer is cleaned and cut, and what goes wrong is told
 * in a sentence, never with the inside of the server.
 */
final class ToolCalls {

  private static final Logger LOG = LoggerFactory.getLogger(ToolCalls.class);

  private final JsonMapper json;
  private final int mostCharacters;

  /**
   * @param mostCharacters longest answer as text
   */
  ToolCalls(JsonMapper json, int mostCharacters) {
    this.json = json;
    this.mostCharacters = mostCharacters;
  }

  CallToolResult call(Tool tool, @Nullable Map<String, Object> arguments) {
    try {
      Answer answer = tool.work().answer(new Arguments(tool, arguments));
      return result(
          answer.finish(mostCharacters, object -> json.writeValueAsString(object).length()), false);
    } catch (ToolProblem e) {
      return problem(e.sentence(), e.hint(), e.data());
    } catch (ApiException e) {
      return problem(e.detail(), e.hint(), Map.of());
    } catch (RuntimeException e) {
      if (isUnavailable(e)) {
        LOG.warn("Tool {} could not be answered: {}", tool.name(), e.toString());
        return problem(
            "The database does not answer, or not in time.",
            "Try again in some seconds, or ask for a shorter time range.",
            Map.of());
      }
      LOG.error("Tool {} failed", tool.name(), e);
      return problem(
          "The server failed to answer this call.",
          "Ask in another way; the log of the server says what went wrong.",
          Map.of());
    }
  }

  private static boolean isUnavailable(RuntimeException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof DataAccessResourceFailureException
          || cause instanceof TransientDataAccessException
          || cause instanceof CannotCreateTransactionException) {
        return true;
      }
    }
    return false;
  }

  private CallToolResult problem(String sentence, @Nullable String hint, Map<String, Object> data) {
    Map<String, Object> problem = new LinkedHashMap<>();
    problem.put("error", sentence);
    if (hint != null) {
      problem.put("hint", hint);
    }
    problem.putAll(data);
    return result(Answer.object(problem), true);
  }

  /** The object as it is, and as text for clients that know no structured content. */
  private CallToolResult result(Map<String, Object> object, boolean error) {
    return CallToolResult.builder()
        .structuredContent(object)
        .addTextContent(json.writeValueAsString(object))
        .isError(error)
        .build();
  }
}
