package io.peerlens.supermetrics.file;

import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.SuperMetric.ResourceKind;
import io.peerlens.supermetrics.file.ImportFile.Found;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;

/**
 * Reader of one JSON document: an object whose members are super metrics by id. A member that is
 * none is a problem and the next one is read; odd parts of a super metric are kept and remarked on.
 */
final class DocumentReader {

  // UUID.fromString also takes short forms such as 1-2-3-4-5, which would come back changed.
  private static final Pattern UUID_TEXT =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  static boolean isUuid(String text) {
    return UUID_TEXT.matcher(text).matches();
  }

  /** Names said to be there twice, in one super metric. */
  private static final int MAX_REPEATED = 20;

  private final FileLimits limits;
  private final Json json;

  DocumentReader(FileLimits limits) {
    this.limits = limits;
    this.json = new Json(limits);
  }

  /**
   * The contents of a document.
   *
   * @param superMetrics what was found
   * @param problems members that are no super metrics
   * @param meant whether the document is meant to hold super metrics: a member with a uuid as its
   *     name has a formula
   * @param tokens names, values and brackets that it has
   */
  record Contents(List<Found> superMetrics, Problems problems, boolean meant, long tokens) {}

  /**
   * Reads a document.
   *
   * @param name what to call it in places
   * @throws UnreadableFileException if it is no JSON object, or holds too many super metrics
   */
  Contents read(String name, byte[] document) {
    List<Found> superMetrics = new ArrayList<>();
    Problems problems = new Problems(limits);
    boolean meant = false;
    try (JsonParser parser = json.open(document)) {
      JsonToken first = parser.nextToken();
      if (first != JsonToken.START_OBJECT) {
        throw unreadable(
            name,
            parser.currentTokenLocation(),
            first == null
                ? "the file is empty; export the super metrics again"
                : "the file must hold one object, {\"<uuid>\": {\"name\": ..., \"formula\": ...}},"
                    + " as Super Metrics > Export writes it");
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        if (superMetrics.size() >= limits.superMetrics() && isUuid(parser.currentName())) {
          throw unreadable(
              name,
              parser.currentTokenLocation(),
              "more than "
                  + limits.superMetrics()
                  + " super metrics in one file; import it in parts");
        }
        meant |= member(name, parser, superMetrics, problems);
      }
      if (parser.nextToken() != null) {
        throw unreadable(
            name,
            parser.currentTokenLocation(),
            "something stands behind the end of the object; a file holds one object");
      }
      return new Contents(superMetrics, problems, meant, parser.currentTokenCount());
    } catch (StreamConstraintsException e) {
      throw unreadable(
          name,
          e.getLocation(),
          String.format(
              Locale.ROOT,
              "too much to be read: %s. It may hold %,d names, values and brackets; import it in"
                  + " parts",
              Json.message(e),
              limits.tokens()));
    } catch (JacksonException e) {
      throw unreadable(
          name,
          e.getLocation(),
          "not JSON: "
              + Json.message(e)
              + ". Correct it in an editor that checks JSON, or export it again");
    }
  }

  /**
   * Reads the member whose name the parser stands at, up to the end of its value.
   *
   * @return whether it is meant to be a super metric
   */
  private boolean member(
      String name, JsonParser parser, List<Found> superMetrics, Problems problems) {
    String key = parser.currentName();
    TokenStreamLocation start = parser.currentTokenLocation();
    Place place = new Place(name, shortened(key), start.getLineNr(), start.getColumnNr());
    parser.nextToken();
    if (!isUuid(key)) {
      parser.skipChildren();
      problems.add(
          place, "the member's name must be a uuid, such as 3f0c2a52-6c1e-4b0e-9d55-0a6f1f1b7c01");
      return false;
    }
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      parser.skipChildren();
      problems.add(place, "must be an object with name, formula and resourceKinds");
      return false;
    }
    List<String> repeated = new ArrayList<>();
    JsonNode node = Json.value(parser, repeated);
    long bytes = parser.currentLocation().getByteOffset() - start.getByteOffset();
    String wrong = wrong(node, bytes);
    if (wrong == null) {
      superMetrics.add(superMetric(key, node, place, repeated));
    } else {
      problems.add(place, wrong);
    }
    return node.has("formula");
  }

  /** Why an object is no super metric that can be stored, or {@code null}. */
  private @Nullable String wrong(JsonNode node, long bytes) {
    String name = node.path("name").stringValue("");
    if (name.isBlank()) {
      return "name must be a text that is not blank";
    }
    JsonNode formula = node.path("formula");
    if (!formula.isString()) {
      return "formula must be a text";
    }
    if (name.length() > limits.nameLength()) {
      return "the name is longer than " + limits.nameLength() + " characters; shorten it";
    }
    if (formula.stringValue().length() > limits.formulaLength()) {
      return "the formula is longer than "
          + limits.formulaLength()
          + " characters; split it into several super metrics";
    }
    if (bytes > limits.memberBytes()) {
      return "larger than " + limits.memberBytes() + " bytes; shorten its texts";
    }
    String unstorable = Json.unstorable(node);
    return unstorable == null
        ? null
        : "holds " + unstorable + ", which cannot be stored; remove it";
  }

  private static Found superMetric(String key, JsonNode node, Place place, List<String> repeated) {
    List<String> remarks = new ArrayList<>();
    Map<String, JsonNode> other = new LinkedHashMap<>();
    List<ResourceKind> kinds = null;
    Long modified = null;
    String description = null;
    String unit = null;
    String modifiedBy = null;
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      String name = member.getKey();
      JsonNode value = member.getValue();
      String expected = null;
      switch (name) {
        case "name", "formula" -> {}
        case "resourceKinds" -> {
          kinds = resourceKinds(value);
          expected =
              kinds != null
                  ? null
                  : "an array of {\"resourceKindKey\": ..., \"adapterKindKey\": ...}, so it is"
                      + " assigned to nothing";
        }
        case "modificationTime" -> {
          modified =
              value.isIntegralNumber() && value.canConvertToLong() ? value.longValue() : null;
          expected = modified != null ? null : "milliseconds since 1970";
        }
        case "description" -> {
          description = value.stringValue(null);
          expected = description != null ? null : "a text";
        }
        case "unitId" -> {
          unit = value.stringValue(null);
          expected = unit != null ? null : "a text";
        }
        case "modifiedBy" -> {
          modifiedBy = value.stringValue(null);
          expected = modifiedBy != null ? null : "a text";
        }
        default -> other.put(name, value);
      }
      if (expected != null) {
        other.put(name, value);
        remarks.add(name + " is kept as it stands, but it should be " + expected);
      }
    }
    repeated.stream()
        .distinct()
        .limit(MAX_REPEATED)
        .map(name -> "'" + shortened(name) + "' is there twice in one object; the last one counts")
        .forEach(remarks::add);
    UUID id = UUID.fromString(key);
    if (!id.toString().equals(key)) {
      remarks.add("the id has upper case letters; it becomes " + key.toLowerCase(Locale.ROOT));
    }
    return new Found(
        new SuperMetric(
            id,
            kinds,
            modified,
            node.path("name").stringValue(),
            node.path("formula").stringValue(),
            description,
            unit,
            modifiedBy,
            other),
        place,
        remarks);
  }

  /** The entries, or {@code null} if one of them is not what the format says. */
  private static @Nullable List<ResourceKind> resourceKinds(JsonNode array) {
    if (!array.isArray()) {
      return null;
    }
    List<ResourceKind> kinds = new ArrayList<>();
    for (JsonNode entry : array) {
      String adapterKind = entry.path("adapterKindKey").stringValue("");
      String objectKind = entry.path("resourceKindKey").stringValue("");
      if (adapterKind.isBlank() || objectKind.isBlank()) {
        return null;
      }
      Map<String, JsonNode> other = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> member : entry.properties()) {
        if (!member.getKey().equals("adapterKindKey")
            && !member.getKey().equals("resourceKindKey")) {
          other.put(member.getKey(), member.getValue());
        }
      }
      kinds.add(new ResourceKind(adapterKind, objectKind, other));
    }
    return kinds;
  }

  private static UnreadableFileException unreadable(
      String name, @Nullable TokenStreamLocation at, String text) {
    return new UnreadableFileException(
        new Problem(
            new Place(
                name,
                null,
                at == null ? 0 : Math.max(0, at.getLineNr()),
                at == null ? 0 : Math.max(0, at.getColumnNr())),
            text));
  }

  /** A text of the file as it may stand in a message: one short line. */
  static String shortened(String text) {
    String line = text.replaceAll("\\p{Cntrl}", "?");
    return line.length() <= 200 ? line : line.substring(0, 200) + "...";
  }
}
