package io.peerlens.web;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;

/**
 * CSV for callers that accept {@code text/csv}, of one kind of answer: a line of names, then one
 * for each item, RFC 4180 with UTF-8. A text that a spreadsheet would take for a formula gets an
 * apostrophe in front, because names of objects are not ours.
 *
 * @param <T> the answer as the contract has it
 */
public abstract class CsvConverter<T> extends AbstractHttpMessageConverter<T> {

  private static final MediaType CSV = new MediaType("text", "csv", StandardCharsets.UTF_8);

  private final Class<T> type;

  protected CsvConverter(Class<T> type) {
    super(CSV);
    this.type = type;
  }

  /** Names of the columns. */
  protected abstract List<String> columns();

  /** Values of each line, as many as there are columns; null = an empty cell. */
  protected abstract Iterable<List<@Nullable Object>> lines(T answer);

  /** A line: numbers and texts as they are, everything else as its text. */
  protected static List<@Nullable Object> line(@Nullable Object... values) {
    List<@Nullable Object> line = new ArrayList<>(values.length);
    for (Object value : values) {
      line.add(value == null || value instanceof Number ? value : value.toString());
    }
    return line;
  }

  @Override
  protected boolean supports(Class<?> asked) {
    return asked == type;
  }

  @Override
  protected boolean canRead(@Nullable MediaType mediaType) {
    return false;
  }

  @Override
  protected T readInternal(Class<? extends T> asked, HttpInputMessage input) {
    throw new UnsupportedOperationException("CSV is only written");
  }

  @Override
  protected void writeInternal(T answer, HttpOutputMessage output) throws IOException {
    Writer writer =
        new BufferedWriter(new OutputStreamWriter(output.getBody(), StandardCharsets.UTF_8));
    write(answer, writer);
    writer.flush();
  }

  /** The whole of it. */
  public final String text(T answer) {
    StringBuilder text = new StringBuilder();
    try {
      write(answer, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private void write(T answer, Appendable text) throws IOException {
    text.append(String.join(",", columns())).append("\r\n");
    for (List<@Nullable Object> line : lines(answer)) {
      String between = "";
      for (Object value : line) {
        text.append(between).append(cell(value));
        between = ",";
      }
      text.append("\r\n");
    }
  }

  /** A cell as it is written. */
  public static String cell(@Nullable Object value) {
    if (value == null) {
      return "";
    }
    if (value instanceof Double number) {
      return number == Math.rint(number) && Math.abs(number) < 1e15
          ? String.valueOf(number.longValue())
          : number.toString();
    }
    if (!(value instanceof String text)) {
      return value.toString();
    }
    String safe = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
    boolean plain = safe.chars().noneMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r');
    return plain ? safe : '"' + safe.replace("\"", "\"\"") + '"';
  }
}
