package io.peerlens.alerttemplates;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/**
 * Table of texts that steps look values up in, such as owners by application. The file is CSV as
 * RFC 4180 has it: commas, double quotes around values that hold commas, quotes or line breaks, and
 * the names of the columns in the first row. Immutable and safe to share between threads.
 */
public final class LookupTable {

  /** Above this a table belongs into a system of its own. */
  public static final int MAX_ROWS = 100_000;

  private static final int MAX_COLUMNS = 100;

  private final List<String> columns;
  private final List<Row> rows;
  private final Map<String, Map<String, Row>> indexes = new ConcurrentHashMap<>();

  /**
   * A row.
   *
   * @param number its row in the file; the first row of values is 2
   * @param values in the order of the columns
   */
  public record Row(int number, List<String> values) {}

  private LookupTable(List<String> columns, List<Row> rows) {
    this.columns = List.copyOf(columns);
    this.rows = List.copyOf(rows);
  }

  /**
   * Reads a table.
   *
   * @throws TemplateException naming the row of the first mistake
   */
  public static LookupTable parse(String csv) {
    List<Row> rows = new ArrayList<>();
    List<String> columns = List.of();
    int number = 1;
    try (CSVParser records = CSVFormat.RFC4180.parse(new StringReader(withoutMark(csv)))) {
      for (CSVRecord record : records) {
        List<String> values = record.stream().map(SecretMarks::clean).toList();
        if (number == 1) {
          columns = named(values);
        } else if (values.size() == columns.size() && !isEmptyLine(values)) {
          rows.add(new Row(number, values));
        } else if (!isEmptyLine(values)) {
          throw mistake(
              number,
              "has " + values.size() + " values, but there are " + columns.size() + " columns");
        }
        if (rows.size() > MAX_ROWS) {
          throw mistake(number, "is beyond the " + MAX_ROWS + " rows that a table may have");
        }
        number++;
      }
    } catch (IOException | UncheckedIOException e) {
      throw mistake(
          number,
          isNeverClosed(e)
              ? "has a quote that is never closed"
              : "has text behind a closing quote; double the quotes in a value");
    }
    if (columns.isEmpty()) {
      throw mistake(1, "is missing: it names the columns, such as definition,url");
    }
    return new LookupTable(columns, rows);
  }

  /** Spreadsheets begin a file with a byte order mark. */
  private static String withoutMark(String csv) {
    return csv.startsWith("\uFEFF") ? csv.substring(1) : csv;
  }

  private static boolean isEmptyLine(List<String> values) {
    return values.size() == 1 && values.getFirst().isEmpty();
  }

  /** The parser says what is wrong in words only; it knows two mistakes. */
  private static boolean isNeverClosed(Exception e) {
    return String.valueOf(e.getMessage()).contains("EOF");
  }

  /** Names of the columns, in their order. */
  public List<String> columns() {
    return columns;
  }

  /** Its rows, in their order. */
  public List<Row> rows() {
    return rows;
  }

  /** The first row that has this value in this column; null = there is none, or no such column. */
  public @Nullable Row find(String column, String key) {
    int at = columns.indexOf(column);
    if (at < 0) {
      return null;
    }
    return indexes
        .computeIfAbsent(
            column,
            c -> {
              Map<String, Row> index = new HashMap<>();
              rows.forEach(row -> index.putIfAbsent(row.values().get(at), row));
              return index;
            })
        .get(key);
  }

  /** A row's value in a column; null = there is no such column. */
  public @Nullable String value(Row row, String column) {
    int at = columns.indexOf(column);
    return at < 0 ? null : row.values().get(at);
  }

  private static List<String> named(List<String> names) {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (name.isBlank() || !seen.add(name.strip())) {
        throw mistake(1, "must give each column a name of its own");
      }
    }
    if (names.size() > MAX_COLUMNS) {
      throw mistake(1, "has more than " + MAX_COLUMNS + " columns");
    }
    return names.stream().map(String::strip).toList();
  }

  private static TemplateException mistake(int row, String message) {
    return new TemplateException("", "row " + row + " " + message);
  }
}
