package io.peerlens.run.read;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON documents of a file, one after another, with whatever text there is before, between and
 * after them: fio writes one a status interval, and warnings into the same file. Of a key that is
 * there twice, the later counts.
 */
final class JsonDocuments implements Closeable {

  /** Characters of a document; fio's with all bins of 500 jobs have some 15 million. */
  private static final int LONGEST = 24 << 20;

  /** Names and values of a document, which bounds the memory that it takes. */
  private static final int MOST_TOKENS = 1_500_000;

  private static final int DEEPEST = 64;

  /** fio prints what C prints for a mean of nothing. */
  private static final Pattern NO_NUMBER = Pattern.compile("(:\\s*)[+-]?(?:nan|inf)\\b");

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEEPEST)
                          .maxNumberLength(100)
                          .maxDocumentLength(LONGEST)
                          .maxTokenCount(MOST_TOKENS)
                          .build())
                  .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
                  .build())
          .build();

  private final Reader reader;
  private int line = 1;
  private boolean begun;
  private int before = -1;

  /**
   * A document.
   *
   * @param line its first, from 1
   */
  record Document(JsonNode json, int line) {}

  JsonDocuments(InputStream in) throws IOException {
    reader = new BufferedReader(Texts.reader(in), 1 << 16);
  }

  /**
   * @return null = there are no more
   * @throws UnreadableException the document is broken or cut off
   */
  @Nullable Document next() throws IOException {
    boolean lineStart = true;
    int c = read();
    while (c >= 0 && !(lineStart && (c == '{' || (c == '[' && !begun)))) {
      if (c == '\n') {
        lineStart = true;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        lineStart = false;
        begun = true;
      }
      c = read();
    }
    if (c < 0) {
      return null;
    }
    begun = true;
    int first = line;
    String text = document(c);
    if (text.indexOf("nan") >= 0 || text.indexOf("inf") >= 0) {
      text = NO_NUMBER.matcher(text).replaceAll("$1null");
    }
    try {
      return new Document(MAPPER.readTree(text), first);
    } catch (JacksonException e) {
      int at = e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getLineNr() - 1);
      throw new UnreadableException(
          first + at, "Not JSON: " + e.getOriginalMessage(), "Write the file anew with the tool.");
    }
  }

  private String document(int opening) throws IOException {
    StringBuilder text = new StringBuilder(1 << 14);
    int first = line;
    int depth = 0;
    boolean inString = false;
    boolean escaped = false;
    int c = opening;
    while (c >= 0) {
      text.append((char) c);
      if (text.length() > LONGEST) {
        throw new UnreadableException(
            first,
            "The JSON document is longer than %,d characters".formatted(LONGEST),
            "Use group_reporting, or ask for less in one answer.");
      }
      if (inString) {
        if (escaped) {
          escaped = false;
        } else if (c == '\\') {
          escaped = true;
        } else if (c == '"') {
          inString = false;
        }
      } else if (c == '"') {
        inString = true;
      } else if (c == '{' || c == '[') {
        depth++;
      } else if (c == '}' || c == ']') {
        depth--;
        if (depth == 0) {
          return text.toString();
        }
      }
      c = read();
    }
    throw new UnreadableException(
        line,
        "The JSON document that begins in line %d is cut off".formatted(first),
        "The tool was stopped before it had written all; what is before this document was read.");
  }

  private int read() throws IOException {
    int c = reader.read();
    if (before == '\n') {
      line++;
    }
    before = c;
    return c;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
