package io.peerlens.flow.network;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * File of named networks, YAML or CSV, as users keep it.
 *
 * <p>YAML is a list of networks, under the key {@code networks} or on its own:
 *
 * <pre>{@code
 * networks:
 *   - name: Web
 *     cidrs: [10.77.2.0/24, fd00:77:2::/64]
 *     internal: true
 *     vlan: 20
 *     site: Graz
 *     description: Web servers
 * }</pre>
 *
 * <p>CSV has one network a line below a line with these names, in any order; several ranges stand
 * in one cell with spaces between them. The separator is a comma or, as spreadsheets write in
 * countries with a decimal comma, a semicolon. Only name and cidrs are needed.
 */
public final class NetworksFile {

  /** Format of the text. */
  public enum Format {
    YAML,
    CSV
  }

  /**
   * A mistake in the text.
   *
   * @param line from 1
   * @param message what is wrong and how to mend it
   */
  public record Problem(int line, String message) {

    @Override
    public String toString() {
      return "line " + line + ": " + message;
    }
  }

  /** The text cannot be used; the message has one line for each problem. */
  public static final class NetworksException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // an immutable list of records of simple values
    private final List<Problem> problems;

    NetworksException(List<Problem> problems) {
      super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
      this.problems = List.copyOf(problems);
    }

    /** The mistakes in the order of the text, at most {@value #MAX_PROBLEMS}. */
    public List<Problem> problems() {
      return problems;
    }
  }

  static final int MAX_PROBLEMS = 20;
  static final int MAX_NETWORKS = 10_000;
  static final int MAX_CIDRS = 50_000;

  private static final int MAX_NAME = 100;
  private static final int MAX_SITE = 100;
  private static final int MAX_DESCRIPTION = 1_000;
  private static final List<String> KEYS =
      List.of("name", "cidrs", "internal", "vlan", "site", "description");

  private static final YAMLMapper YAML = YAMLMapper.builder().build();

  private final List<Problem> problems = new ArrayList<>();
  private final List<Network> networks = new ArrayList<>();
  private final Map<String, Integer> lineOfName = new HashMap<>();
  private final Map<Cidr, Owner> owners = new HashMap<>();

  /** Network that owns a range, and the place in the text that says so. */
  private record Owner(String network, int line) {}

  /** A piece of the text. */
  private record Word(int line, String text) {}

  /** A network as the text has it: the words of each key. */
  private record Entry(int line, Map<String, List<Word>> values) {}

  private NetworksFile() {}

  /**
   * Reads the text.
   *
   * @throws NetworksException with all mistakes, up to {@value #MAX_PROBLEMS}
   */
  public static List<Network> parse(String text, Format format) {
    NetworksFile file = new NetworksFile();
    String body = text.startsWith("\uFEFF") ? text.substring(1) : text;
    try {
      switch (format) {
        case YAML -> file.readYaml(body);
        case CSV -> file.readCsv(body);
      }
    } catch (Enough e) {
      // The problems say why.
    }
    if (!file.problems.isEmpty()) {
      file.problems.sort(Comparator.comparingInt(Problem::line));
      throw new NetworksException(file.problems);
    }
    return List.copyOf(file.networks);
  }

  /** Signal that there are enough errors to stop reading. */
  private static final class Enough extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Enough() {
      super(null, null, false, false);
    }
  }

  private void problem(int line, String message) {
    problems.add(new Problem(line, message));
    if (problems.size() == MAX_PROBLEMS) {
      throw new Enough();
    }
  }

  private Enough fatal(int line, String message) {
    problems.add(new Problem(line, message));
    return new Enough();
  }

  // ---- YAML

  private void readYaml(String text) {
    try (JsonParser parser = YAML.createParser(text)) {
      JsonToken token = parser.nextToken();
      if (token == null || token == JsonToken.VALUE_NULL) {
        return; // an empty file: no networks
      }
      if (token == JsonToken.START_OBJECT) {
        boolean found = false;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
          int line = line(parser);
          if (!parser.currentName().equals("networks")) {
            throw fatal(
                line,
                "unknown key '%s': the file has one key, networks, with a list below it"
                    .formatted(parser.currentName()));
          }
          if (found) {
            throw fatal(line, "a second list of networks: put all of them into one list");
          }
          found = true;
          if (parser.nextToken() != JsonToken.VALUE_NULL) {
            readList(parser);
          }
        }
      } else {
        readList(parser);
      }
      if (parser.nextToken() != null) {
        throw fatal(line(parser), "a second document: put all networks into one list");
      }
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      String what = e.getOriginalMessage();
      throw fatal(
          at == null ? 1 : Math.max(1, at.getLineNr()),
          "this is not YAML: "
              + (what == null ? "unknown reason" : what.lines().findFirst().orElse("")));
    }
  }

  private void readList(JsonParser parser) {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw fatal(line(parser), "expected a list of networks, each beginning with '- name: ...'");
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        problem(
            line(parser), "expected a network with the keys %s".formatted(String.join(", ", KEYS)));
        parser.skipChildren();
        continue;
      }
      Entry entry = new Entry(line(parser), new LinkedHashMap<>());
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        readKey(parser, entry);
      }
      network(entry);
    }
  }

  private void readKey(JsonParser parser, Entry entry) {
    String key = parser.currentName();
    int line = line(parser);
    parser.nextToken();
    if (!KEYS.contains(key)) {
      unknown(line, key);
      parser.skipChildren();
      return;
    }
    List<Word> words = new ArrayList<>();
    if (parser.currentToken() == JsonToken.START_ARRAY && key.equals("cidrs")) {
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        if (parser.currentToken().isScalarValue()) {
          words.add(new Word(line(parser), parser.getString()));
        } else {
          problem(line(parser), "expected a range like 10.0.0.0/8");
          parser.skipChildren();
        }
      }
    } else if (parser.currentToken().isStructStart()) {
      problem(line, "'%s' must be one value, not a list or more keys".formatted(key));
      parser.skipChildren();
      return;
    } else if (parser.currentToken() != JsonToken.VALUE_NULL) {
      words.addAll(words(key, line(parser), parser.getString()));
    }
    if (entry.values.putIfAbsent(key, words) != null) {
      problem(line, "'%s' is there twice in one network: keep one".formatted(key));
    }
  }

  private static int line(JsonParser parser) {
    return Math.max(1, parser.currentTokenLocation().getLineNr());
  }

  private void unknown(int line, String key) {
    problem(line, "unknown key '%s'; known here: %s".formatted(key, new TreeSet<>(KEYS)));
  }

  // ---- CSV

  private void readCsv(String text) {
    List<List<Word>> lines = cells(text);
    if (lines.isEmpty()) {
      return;
    }
    List<Word> header = lines.getFirst();
    List<String> names = new ArrayList<>();
    for (Word cell : header) {
      String name = cell.text.strip().toLowerCase(Locale.ROOT);
      if (!KEYS.contains(name)) {
        unknown(cell.line, cell.text);
      } else if (names.contains(name)) {
        problem(cell.line, "column '%s' is there twice: keep one".formatted(name));
      }
      names.add(name);
    }
    if (!names.containsAll(Set.of("name", "cidrs"))) {
      problem(1, "the first line must name the columns, at least name,cidrs: %s".formatted(KEYS));
    }
    if (!problems.isEmpty()) {
      throw new Enough();
    }
    for (List<Word> cells : lines.subList(1, lines.size())) {
      int line = cells.getFirst().line;
      if (cells.size() > names.size()) {
        problem(
            line,
            "%d cells, but %d columns: put a cell with a separator in it into \"quotes\""
                .formatted(cells.size(), names.size()));
        continue;
      }
      Entry entry = new Entry(line, new LinkedHashMap<>());
      for (int i = 0; i < cells.size(); i++) {
        Word cell = cells.get(i);
        entry.values.put(names.get(i), words(names.get(i), cell.line, cell.text.strip()));
      }
      network(entry);
    }
  }

  /** Lines with their cells, without blank lines; quotes as RFC 4180 has them. */
  private List<List<Word>> cells(String text) {
    String first = text.lines().findFirst().orElse("");
    char separator = first.indexOf(';') >= 0 && first.indexOf(',') < 0 ? ';' : ',';
    CSVFormat format =
        CSVFormat.RFC4180.builder().setDelimiter(separator).setIgnoreSurroundingSpaces(true).get();
    List<List<Word>> lines = new ArrayList<>();
    int line = 1;
    try (CSVParser records = format.parse(new StringReader(text))) {
      for (CSVRecord record : records) {
        int begin = line;
        if (record.stream().anyMatch(cell -> !cell.isBlank())) {
          lines.add(record.stream().map(cell -> new Word(begin, cell)).toList());
        }
        line = (int) records.getCurrentLineNumber() + 1;
      }
    } catch (IOException | UncheckedIOException e) {
      // The parser says what is wrong in words only; it knows two mistakes.
      throw fatal(
          line,
          String.valueOf(e.getMessage()).contains("EOF")
              ? "a quote is opened and not closed: add the closing \""
              : "text behind a closing quote: write a quote inside quotes as \"\"");
    }
    return lines;
  }

  // ---- what both have in common

  private static List<Word> words(String key, int line, String text) {
    if (!key.equals("cidrs")) {
      return text.isEmpty() ? List.of() : List.of(new Word(line, text));
    }
    List<Word> words = new ArrayList<>();
    for (String word : text.split("[\\s,;]+")) {
      if (!word.isEmpty()) {
        words.add(new Word(line, word));
      }
    }
    return words;
  }

  private void network(Entry entry) {
    int before = problems.size();
    String name = text(entry, "name", MAX_NAME);
    if (problems.size() == before) {
      if (name == null) {
        problem(entry.line, "a network has no name: add one");
      } else {
        Integer other = lineOfName.putIfAbsent(name, entry.line);
        if (other != null) {
          problem(
              entry.line,
              "network '%s' is also in line %d: put all its ranges into one entry"
                  .formatted(name, other));
        }
      }
    }
    String shown = name == null ? "without a name" : name;
    List<Cidr> cidrs = new ArrayList<>();
    for (Word word : entry.values.getOrDefault("cidrs", List.of())) {
      try {
        Cidr cidr = Cidr.parse(word.text);
        Owner owner = owners.putIfAbsent(cidr, new Owner(shown, word.line));
        if (owner == null) {
          cidrs.add(cidr);
        } else {
          problem(
              word.line,
              "%s is already in network '%s' (line %d): a range can have one name only"
                  .formatted(cidr, owner.network, owner.line));
        }
      } catch (IllegalArgumentException e) {
        problem(word.line, String.valueOf(e.getMessage()));
      }
    }
    if (problems.size() == before && cidrs.isEmpty()) {
      problem(
          entry.line,
          "network '%s' has no ranges: add cidrs, for instance 10.0.0.0/24".formatted(shown));
    }
    Boolean internal = internal(entry);
    Integer vlan = vlan(entry);
    String site = text(entry, "site", MAX_SITE);
    String description = text(entry, "description", MAX_DESCRIPTION);
    if (problems.size() == before && name != null) {
      networks.add(new Network(name, cidrs, internal, vlan, site, description));
    }
    if (networks.size() > MAX_NETWORKS || owners.size() > MAX_CIDRS) {
      throw fatal(
          entry.line,
          "too many: at most %,d networks with %,d ranges can be named"
              .formatted(MAX_NETWORKS, MAX_CIDRS));
    }
  }

  private static @Nullable Word word(Entry entry, String key) {
    List<Word> words = entry.values.getOrDefault(key, List.of());
    return words.isEmpty() ? null : words.getFirst();
  }

  private @Nullable String text(Entry entry, String key, int longest) {
    Word word = word(entry, key);
    if (word == null || word.text.isBlank()) {
      return null;
    }
    String text = word.text.strip();
    if (text.length() > longest) {
      problem(
          word.line,
          "'%s' has %d characters: at most %d are allowed".formatted(key, text.length(), longest));
    } else if (text.chars().anyMatch(c -> Character.isISOControl(c))) {
      problem(word.line, "'%s' has a line break or control character: leave it out".formatted(key));
    }
    return text;
  }

  private @Nullable Boolean internal(Entry entry) {
    Word word = word(entry, "internal");
    if (word == null) {
      return null;
    }
    return switch (word.text.toLowerCase(Locale.ROOT)) {
      case "true", "yes" -> true;
      case "false", "no" -> false;
      default -> {
        problem(word.line, "'%s' for internal: write true or false".formatted(word.text));
        yield null;
      }
    };
  }

  private @Nullable Integer vlan(Entry entry) {
    Word word = word(entry, "vlan");
    if (word == null) {
      return null;
    }
    int vlan = word.text.matches("\\d{1,4}") ? Integer.parseInt(word.text) : 0;
    if (vlan < 1 || vlan > 4094) {
      problem(word.line, "'%s' for vlan: write a number from 1 to 4094".formatted(word.text));
    }
    return vlan;
  }
}
