package io.peerlens.notify.relay;

import io.peerlens.notify.relay.ForeignAlertStore.Report;
import io.peerlens.notify.relay.NotificationRelay.Labels;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Body of a request to a relay, read. What it is, is found by looking at it: some send JSON and
 * call it XML.
 */
final class RelayBody {

  static final int DEEPEST = 32;
  private static final int LONGEST_KEY = 300;

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEEPEST)
                          .maxNumberLength(100)
                          .maxNameLength(1_000)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final String KNOWN =
      "Send an alert of vRealize Operations (REST plug-in in JSON or XML, or webhook in JSON), or a"
          + " webhook of Alertmanager.";

  private RelayBody() {}

  /**
   * Reports read from a body.
   *
   * @param reports none = the sender only tries whether it gets through
   * @param remark what people should know, though the alerts are taken; null = nothing
   */
  record Read(List<Report> reports, @Nullable String remark) {
    static final Read TEST = new Read(List.of(), null);

    Read {
      reports = List.copyOf(reports);
    }
  }

  /**
   * Reads a body.
   *
   * @param id of the alert, from the path; null = the path has none
   * @param now moments after it are taken for now: the sender's clock is fast
   * @throws ApiException 400 with what is wrong, where, and how to mend it
   */
  static Read read(byte[] body, @Nullable String id, Labels labels, Instant now) {
    int start = start(body);
    if (start == body.length) {
      return Read.TEST;
    }
    if (id != null && (id.isBlank() || id.length() > LONGEST_KEY)) {
      throw ApiException.invalidParameter(
          "alert id in the path", "has not 1 to " + LONGEST_KEY + " characters");
    }
    return switch (body[start]) {
      case '<' -> VropsAlert.read(XmlFields.read(body), id, now);
      case '{' -> json(body, id, labels, now);
      case '[' ->
          throw ApiException.of(ErrorCode.INVALID_BODY, "The body is a list.")
              .field("", "is a list, not an object")
              .hint(KNOWN);
      default ->
          throw ApiException.of(
                  ErrorCode.INVALID_BODY,
                  "The body is neither JSON nor XML: byte %d is 0x%02x."
                      .formatted(start + 1, body[start] & 0xff))
              .hint(KNOWN);
    };
  }

  private static Read json(byte[] body, @Nullable String id, Labels labels, Instant now) {
    ObjectNode root;
    try {
      JsonNode read = JSON.readTree(body);
      if (!(read instanceof ObjectNode object)) {
        throw ApiException.of(ErrorCode.INVALID_BODY, "The body is no JSON object.").hint(KNOWN);
      }
      root = object;
    } catch (StreamConstraintsException e) {
      throw ApiException.of(
              ErrorCode.INVALID_BODY,
              "The JSON is nested more than "
                  + DEEPEST
                  + " deep, or has a number or name that is too long.")
          .hint(KNOWN);
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      throw ApiException.of(
              ErrorCode.INVALID_BODY,
              at == null || at.getLineNr() < 0
                  ? "The body is no JSON."
                  : "The body is no JSON: line %d, column %d."
                      .formatted(at.getLineNr(), at.getColumnNr()))
          .hint(
              "A template that adds quotes itself must escape quotes and line"
                  + " breaks in them.");
    }
    return root.get("alerts") != null
        ? AlertmanagerAlerts.read(root, labels, now)
        : VropsAlert.read(VropsAlert.fields(root), id, now);
  }

  /** Where the text begins: behind a byte order mark and white space. */
  private static int start(byte[] body) {
    int at =
        body.length >= 3
                && (body[0] & 0xff) == 0xef
                && (body[1] & 0xff) == 0xbb
                && (body[2] & 0xff) == 0xbf
            ? 3
            : 0;
    while (at < body.length
        && (body[at] == ' ' || body[at] == '\n' || body[at] == '\r' || body[at] == '\t')) {
      at++;
    }
    return at;
  }
}
