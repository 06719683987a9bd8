package io.peerlens.standalone;

import io.peerlens.standalone.Options.RunWords;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The command that imports results of benchmarks: packs a folder, sends it, says what was found.
 */
final class RunImport {

  private static final Duration BETWEEN = Duration.ofMillis(300);
  private static final Duration LONGEST = Duration.ofHours(1);

  /** More problems are counted only. */
  private static final int SHOWN = 20;

  private final ApiClient api;
  private final Console console;

  private RunImport(ApiClient api, Console console) {
    this.api = api;
    this.console = console;
  }

  /** Exit code 1 when nothing could be read. */
  static int run(Options options, Console console) throws InterruptedException {
    DataDirectory data = DataDirectory.look(options.data());
    URI url = Commands.url(options, data);
    RunImport command = new RunImport(new ApiClient(url, ApiClient.token(data)), console);
    Path given = options.files().getFirst();
    if (!Files.exists(given)) {
      throw new Refusal("There is no file or folder " + given + ".");
    }
    try {
      if (!Files.isDirectory(given)) {
        return command.send(given, name(given), options.run());
      }
      Path zip = Files.createTempFile("peerlens-run-", ".zip");
      try {
        pack(given, zip);
        return command.send(zip, name(given) + ".zip", options.run());
      } finally {
        Files.deleteIfExists(zip);
      }
    } catch (IOException | UncheckedIOException e) {
      throw new Refusal("The results could not be imported: " + e.getMessage());
    }
  }

  private static String name(Path path) {
    Path name = path.toAbsolutePath().normalize().getFileName();
    return name == null ? "results" : name.toString();
  }

  private static void pack(Path folder, Path zip) throws IOException {
    try (Stream<Path> files = Files.walk(folder);
        ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new ZipEntry(folder.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
  }

  private int send(Path file, String name, RunWords words)
      throws IOException, InterruptedException {
    StringBuilder path = new StringBuilder("/benchmark-runs?fileName=").append(encoded(name));
    if (words.object() != null) {
      path.append("&object=").append(object(words.object()));
    }
    append(path, "from", words.from());
    append(path, "note", words.note());
    String id = api.postFile(path.toString(), file, 202).path("id").asString();
    JsonNode done = await(id);
    for (JsonNode problem : done.path("problems").valueStream().limit(SHOWN).toList()) {
      int line = problem.path("line").asInt();
      console.line(
          problem.path("file").asString()
              + (line > 0 ? ":" + line : "")
              + ": "
              + problem.path("what").asString()
              + ". "
              + problem.path("remedy").asString());
    }
    int problems = done.path("problems").size();
    if (problems > SHOWN) {
      console.line(
          "and " + (problems - SHOWN) + " more problems: GET /api/v1/benchmark-imports/" + id);
    }
    int runs = done.path("runs").asInt();
    console.line(
        runs == 1 ? "1 run was imported." : String.format("%,d runs were imported.", runs));
    return done.path("state").asString().equals("done") && runs > 0 ? 0 : 1;
  }

  private JsonNode await(String id) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + LONGEST.toNanos();
    while (true) {
      JsonNode now = api.get("/benchmark-imports/" + id);
      if (!now.path("state").asString().equals("reading")) {
        return now;
      }
      if (System.nanoTime() > deadline) {
        throw new Refusal(
            "The results are still being read; see GET /api/v1/benchmark-imports/" + id);
      }
      Thread.sleep(BETWEEN);
    }
  }

  /** The id of an object by its id or name. */
  private String object(String words) throws IOException, InterruptedException {
    try {
      return UUID.fromString(words).toString();
    } catch (IllegalArgumentException e) {
      // It is a name.
    }
    List<JsonNode> found =
        api.objects(Map.of("name", words, "limit", 1000))
            .path("items")
            .valueStream()
            .filter(one -> one.path("name").asString().equalsIgnoreCase(words))
            .toList();
    if (found.size() != 1) {
      throw new Refusal(
          found.isEmpty()
              ? "No object is called '" + words + "'."
              : found.size() + " objects are called '" + words + "'; give --object the id of one.");
    }
    return found.getFirst().path("id").asString();
  }

  private static void append(StringBuilder path, String name, @Nullable String value) {
    if (value != null) {
      path.append('&').append(name).append('=').append(encoded(value));
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
