import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Bundler of the contract: makes {@code openapi.yaml}, which the repository keeps and everything
 * reads, from its parts in {@code openapi/}. The build runs it from its source (api-spec/pom.xml),
 * and fails when the bundle is not what the parts make.
 *
 * <p>The parts are an OpenAPI document of several files. The bundle is their text: comments and
 * style stay, and each reference to an entry of a part becomes one to {@code #/components}. It
 * needs of YAML only that the entries of a part begin at the left margin. An entry that names an
 * {@code x-shape} is written out as that shape of {@code shapes.yaml}, so that pages and versions
 * are described once.
 */
final class ContractBundle {

  private static final Pattern ENTRY = Pattern.compile("(?m)^(?=[^\\s#])");
  private static final Pattern REFERENCE = Pattern.compile("\\$ref: '([^'#]*)#/([^']*)'");
  private static final Pattern PATH =
      Pattern.compile("(?m)^  (/\\S*): \\{ \\$ref: '(paths/[^'#]*)#/([^']*)' }$");

  private static final Pattern SHAPED = Pattern.compile("(\\w+):\n  x-shape: (\\w+)\n([\\s\\S]*)");
  private static final Pattern WORD = Pattern.compile("(?m)^  (\\w+): '?(.*?)'?$");

  private static final String NOTE =
      """
      # Bundled from openapi/ by the build. Change the parts there, then renew this file:
      # mvn -pl api-spec initialize -Dpeerlens.contract=renew
      """;

  /** Entries of each part, by its path below {@code openapi/}. */
  private final Map<String, Map<String, String>> parts = new TreeMap<>();

  private final Path folder;

  private ContractBundle(Path folder) throws IOException {
    this.folder = folder;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".yaml")).sorted().toList()) {
        String name = folder.relativize(file).toString().replace('\\', '/');
        parts.put(
            name, name.equals("openapi.yaml") ? new LinkedHashMap<>() : entries(name, read(file)));
      }
    }
    Map<String, String> shapes = parts.getOrDefault("shapes.yaml", Map.of());
    parts.forEach(
        (part, entries) -> entries.replaceAll((name, entry) -> shaped(part, entry, shapes)));
  }

  /** An entry with its shape written out; any other as it is. */
  private static String shaped(String part, String entry, Map<String, String> shapes) {
    Matcher shaped = SHAPED.matcher(entry);
    if (!shaped.matches()) {
      return entry;
    }
    String shape = shapes.get(shaped.group(2));
    if (shape == null) {
      throw new IllegalStateException(
          "openapi/%s: %s has the shape %s, which openapi/shapes.yaml does not have"
              .formatted(part, shaped.group(1), shaped.group(2)));
    }
    String text = shape.replaceFirst("\\w+", shaped.group(1));
    for (Matcher word = WORD.matcher(shaped.group(3)); word.find(); ) {
      text = text.replace('<' + word.group(1) + '>', word.group(2));
    }
    if (text.matches("[\\s\\S]*<\\w+>[\\s\\S]*")) {
      throw new IllegalStateException(
          "openapi/%s: %s lacks a word of its shape: %s".formatted(part, shaped.group(1), text));
    }
    return text;
  }

  /**
   * Compares the bundle with its parts.
   *
   * @param args the folder of the parts, the bundle, and {@code renew} to write it where they
   *     differ
   */
  public static void main(String[] args) throws IOException {
    Path bundle = Path.of(args[1]);
    try {
      String text = new ContractBundle(Path.of(args[0])).bundle();
      if (Files.exists(bundle) && read(bundle).equals(text)) {
        return;
      }
      if (!args[2].equals("renew")) {
        throw new IllegalStateException(
            "api-spec/openapi.yaml is not what its parts in api-spec/openapi make. Change the parts,"
                + " not the bundle, and add -Dpeerlens.contract=renew to this build, which renews it.");
      }
      Files.writeString(bundle, text);
    } catch (IllegalStateException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  private String bundle() throws IOException {
    String root = resolved("openapi.yaml", read(folder.resolve("openapi.yaml")));
    Map<String, String> left = new LinkedHashMap<>();
    parts.forEach(
        (part, entries) -> {
          if (section(part).equals("paths")) {
            entries.keySet().forEach(path -> left.put(path, part));
          }
        });
    root =
        PATH.matcher(root)
            .replaceAll(
                line -> {
                  String entry = entry("openapi.yaml", line.group(2), line.group(3));
                  left.remove(line.group(1));
                  return Matcher.quoteReplacement(indented(entry, 2));
                });
    if (!left.isEmpty()) {
      throw new IllegalStateException("openapi/openapi.yaml does not name the paths " + left);
    }
    StringBuilder text = new StringBuilder(NOTE).append(root);
    for (String section : List.of("parameters", "responses", "schemas")) {
      text.append("\n  ").append(section).append(":\n");
      parts.forEach(
          (part, entries) -> {
            if (section(part).equals(section)) {
              if (part.contains("/")) {
                text.append("    # ").append(part).append('\n');
              }
              entries
                  .values()
                  .forEach(e -> text.append(indented(resolved(part, e), 4)).append('\n'));
            }
          });
    }
    return text.toString();
  }

  /** Entries at the left margin, by name, without their references resolved. */
  private static Map<String, String> entries(String part, String text) {
    Map<String, String> entries = new LinkedHashMap<>();
    for (String entry : ENTRY.split(text)) {
      if (entry.isBlank() || entry.startsWith("#")) {
        continue;
      }
      String name = entry.substring(0, entry.indexOf(':'));
      if (entries.put(name, entry.strip()) != null) {
        throw new IllegalStateException("openapi/" + part + " has " + name + " twice");
      }
    }
    return entries;
  }

  /** One entry, with references as the bundle has them. */
  private String entry(String from, String part, String pointer) {
    String name = pointer.replace("~1", "/").replace("~0", "~");
    String entry = parts.getOrDefault(part, Map.of()).get(name);
    if (entry == null) {
      throw new IllegalStateException(
          "openapi/%s refers to %s of openapi/%s, which does not have it"
              .formatted(from, name, part));
    }
    return resolved(part, entry);
  }

  private String resolved(String from, String text) {
    return REFERENCE
        .matcher(text)
        .replaceAll(
            reference -> {
              String file = reference.group(1);
              String part =
                  file.isEmpty()
                      ? from
                      : Path.of(from)
                          .resolveSibling(file)
                          .normalize()
                          .toString()
                          .replace('\\', '/');
              String name = reference.group(2);
              if (part.equals("openapi.yaml")) {
                return Matcher.quoteReplacement("$ref: '#/" + name + "'");
              }
              if (section(part).equals("paths")) {
                return Matcher.quoteReplacement(reference.group());
              }
              if (!parts.getOrDefault(part, Map.of()).containsKey(name)) {
                throw new IllegalStateException(
                    "openapi/%s refers to %s of openapi/%s, which does not have it"
                        .formatted(from, name, part));
              }
              return Matcher.quoteReplacement(
                  "$ref: '#/components/%s/%s'".formatted(section(part), name));
            });
  }

  /** Folder or name of a part: paths, parameters, responses or schemas. */
  private static String section(String part) {
    return part.contains("/") ? part.substring(0, part.indexOf('/')) : part.replace(".yaml", "");
  }

  private static String indented(String entry, int by) {
    return entry
        .lines()
        .map(line -> line.isBlank() ? "" : " ".repeat(by) + line)
        .collect(Collectors.joining("\n"));
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file).replace("\r\n", "\n");
  }
}
