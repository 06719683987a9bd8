package io.peerlens.standalone;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/** Commands about where data come from. */
final class Sources {

  private static final int BYTES_OF_A_LINE = 16;

  private final Options options;
  private final ApiClient api;
  private final URI url;
  private final Terminal terminal;
  private final InstantSource clock;
  private final Console console;

  Sources(
      Options options,
      ApiClient api,
      URI url,
      Terminal terminal,
      InstantSource clock,
      Console console) {
    this.options = options;
    this.api = api;
    this.url = url;
    this.terminal = terminal;
    this.clock = clock;
    this.console = console;
  }

  static Sources of(Options options, Console console) {
    DataDirectory data = DataDirectory.look(options.data());
    URI url = Commands.url(options, data);
    return new Sources(
        options,
        new ApiClient(url, ApiClient.token(data)),
        url,
        Terminal.ofProcess(),
        InstantSource.system(),
        console);
  }

  private Options.SourceWords words() {
    return Objects.requireNonNull(options.source());
  }

  /**
   * Adds a vCenter: shows its certificate, has it confirmed, signs in, shows what the account may
   * read, and stores it. Nothing is stored where the account cannot sign in.
   */
  int add() throws InterruptedException {
    try {
      String address = address(words().target());
      JsonNode certificate = certificate(address);
      Map<String, Object> trust = trust(certificate);
      String user = user();
      String password = password(user);
      Map<String, Object> source = new LinkedHashMap<>();
      source.put("kind", "vcenter");
      source.put("address", address);
      source.put("username", user);
      if (!trust.isEmpty()) {
        source.put("trust", trust);
      }
      Map<String, Object> request = new LinkedHashMap<>(source);
      request.put("password", password);
      show(api.post("/sources/probe", request, 200));
      String name = words().name();
      source.put("name", name == null ? URI.create(address).getHost() : name);
      source.put("password", Map.of("value", password));
      JsonNode added = api.post("/sources", source, 201);
      console.line(
          "The source \"%s\" is added. A node with the role collector reads it from now on."
              .formatted(added.path("name").asString("")));
      return 0;
    } catch (IOException e) {
      throw new Refusal("The source was not added: " + Commands.describe(e, url));
    }
  }

  private static String address(String text) {
    return text.contains("://") ? text : "https://" + text;
  }

  /** The certificate that a server shows. */
  private JsonNode certificate(String address) throws IOException, InterruptedException {
    JsonNode found = api.post("/sources/probe", Map.of("kind", "vcenter", "address", address), 200);
    JsonNode certificate = found.path("certificate");
    if (!certificate.isObject()) {
      throw problem(found.path("problem"));
    }
    console.line(address + " shows this certificate:");
    console.line("  for      " + certificate.path("subject").asString(""));
    console.line(
        "  from     "
            + (certificate.path("selfSigned").asBoolean(false)
                ? "itself"
                : certificate.path("issuer").asString("")));
    console.line(
        "  valid    %s to %s"
            .formatted(day(certificate.path("notBefore")), day(certificate.path("notAfter"))));
    String fingerprint = certificate.path("sha256").asString("");
    int half = BYTES_OF_A_LINE * 3 - 1;
    console.line("  SHA-256  " + fingerprint.substring(0, half));
    console.line("           " + fingerprint.substring(half + 1));
    return certificate;
  }

  private static String day(JsonNode moment) {
    String text = moment.asString("");
    return text.substring(0, Math.min(10, text.length()));
  }

  private static Refusal problem(JsonNode problem) {
    return new Refusal(
        "The source was not added: %s %s"
            .formatted(
                problem.path("what").asString("nobody knows why."),
                problem.path("whatToDo").asString("")));
  }

  /** Whose certificate is accepted; empty = the authorities of the system vouch for it. */
  private Map<String, Object> trust(JsonNode certificate) {
    String shown = certificate.path("sha256").asString("");
    String compared = words().sha256();
    if (compared != null) {
      if (!compared.equals(shown)) {
        throw new Refusal(
            "This is not the certificate of --sha256, so nothing was sent to it. If it was renewed"
                + " on purpose, compare the fingerprint above and give that.");
      }
      return Map.of("sha256", shown);
    }
    if (certificate.path("trustedByAuthorities").asBoolean(false)) {
      console.line("The authorities of the server's system vouch for it.");
      return Map.of();
    }
    console.line(
        "No authority vouches for it. Compare the fingerprint with the one of vCenter: in the"
            + " vSphere Client under Administration, Certificates.");
    if (!terminal.isThere()) {
      throw new Refusal(
          "Nobody is here to confirm the certificate, so nothing was sent to it. When you have"
              + " compared it, add --sha256 with its fingerprint.");
    }
    String answer = terminal.answer("Type yes to trust this certificate and no other: ");
    if (answer == null || !answer.strip().toLowerCase(Locale.ROOT).equals("yes")) {
      throw new Refusal("The certificate was not confirmed; nothing was sent to it.");
    }
    return Map.of("sha256", shown);
  }

  private String user() {
    String user = words().user();
    if (user == null && terminal.isThere()) {
      user = terminal.answer("User, such as peerlens@vsphere.local: ");
    }
    if (user == null || user.isBlank()) {
      throw Refusal.usage("source add needs the account that vCenter is read as: --user USER.");
    }
    return user.strip();
  }

  private String password(String user) throws IOException {
    Path file = words().passwordFile();
    String password;
    if (file != null && !file.toString().equals("-")) {
      try {
        password = Files.readString(file).lines().findFirst().orElse(null);
      } catch (IOException e) {
        throw new Refusal("The file " + file + " with the password cannot be read.");
      }
    } else if (file == null && terminal.isThere()) {
      password = terminal.hidden("Password of " + user + ": ");
    } else {
      password = terminal.firstLine();
    }
    if (password == null || password.isEmpty()) {
      throw new Refusal(
          "There is no password. Enter it when it is asked for, or give --password-file FILE.");
    }
    return password;
  }

  /** Shows what an account may read. */
  private void show(JsonNode found) {
    if (!found.path("signedIn").asBoolean(false) || found.path("problem").isObject()) {
      throw problem(found.path("problem"));
    }
    List<String> counts = new ArrayList<>();
    found
        .path("counts")
        .properties()
        .forEach(count -> counts.add(count.getValue().asLong() + " " + count.getKey()));
    counts.sort(null);
    console.line(
        found.path("product").asString("It")
            + (counts.isEmpty() ? " shows no objects." : " shows " + String.join(", ", counts)));
    for (JsonNode right : found.path("rights")) {
      boolean has = right.path("found").asBoolean(false);
      console.line(
          "  %-8s %s%s"
              .formatted(
                  has ? "found" : "missing",
                  right.path("name").asString(""),
                  has ? "" : ". " + right.path("missing").asString("")));
    }
  }

  /** Lists all sources. */
  int list() throws InterruptedException {
    try {
      List<JsonNode> all = all("");
      if (all.isEmpty()) {
        console.line("There are no sources yet. Add one: peerlens source add vcenter https://HOST");
        return 0;
      }
      console.line(
          String.format(
              Locale.ROOT,
              "%-13s %-32s %-8s %9s %11s  %s",
              "kind",
              "name",
              "state",
              "newest",
              "samples/s",
              "node"));
      for (JsonNode one : all) {
        JsonNode rate = one.path("samplesPerSecond");
        console.line(
            String.format(
                    Locale.ROOT,
                    "%-13s %-32s %-8s %9s %11s  %s",
                    one.path("kind").asString(""),
                    one.path("name").asString(""),
                    one.path("state").asString(""),
                    age(one.path("lastDataAt")),
                    rate.isNumber() ? String.format(Locale.ROOT, "%,.1f", rate.asDouble()) : "-",
                    one.path("node").isString() ? one.path("node").stringValue() : "-")
                .stripTrailing());
        String reason = one.path("reason").asString("");
        if (!reason.isEmpty()) {
          console.line("              " + reason);
        }
      }
      return 0;
    } catch (IOException e) {
      throw new Refusal("The sources are not known: " + Commands.describe(e, url));
    }
  }

  private String age(JsonNode moment) {
    String text = moment.asString("");
    if (text.isEmpty()) {
      return "never";
    }
    Duration age =
        Duration.ofMillis(Math.max(0, clock.millis() - Instant.parse(text).toEpochMilli()));
    return Commands.words(age);
  }

  private List<JsonNode> all(String filter) throws IOException, InterruptedException {
    List<JsonNode> all = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page =
          api.get(
              "/sources?limit=200"
                  + filter
                  + (cursor.isEmpty()
                      ? ""
                      : "&cursor=" + URLEncoder.encode(cursor, StandardCharsets.UTF_8)));
      page.path("items").forEach(all::add);
      cursor = page.path("nextCursor").asString("");
    } while (!cursor.isEmpty());
    return all;
  }

  int pause() throws InterruptedException {
    return change("pause", "is paused: it is no longer read within 10 seconds.");
  }

  int resume() throws InterruptedException {
    return change("resume", "is read again.");
  }

  private int change(String what, String done) throws InterruptedException {
    try {
      JsonNode source = named();
      api.post("/sources/" + source.path("id").asString("") + "/" + what, null, 200);
      console.line("The source \"%s\" %s".formatted(source.path("name").asString(""), done));
      return 0;
    } catch (IOException e) {
      throw new Refusal("Nothing was changed: " + Commands.describe(e, url));
    }
  }

  int remove() throws InterruptedException {
    try {
      String path = "/sources/" + named().path("id").asString("");
      JsonNode source = api.get(path);
      api.delete(path, source.path("version").asLong());
      console.line(
          "The source \"%s\" is removed. Its objects and their values stay."
              .formatted(source.path("name").asString("")));
      return 0;
    } catch (IOException e) {
      throw new Refusal("Nothing was removed: " + Commands.describe(e, url));
    }
  }

  /** The source that the command names; upper and lower case are alike. */
  private JsonNode named() throws IOException, InterruptedException {
    String name = words().target();
    JsonNode found =
        all("&kind=vcenter").stream()
            .filter(one -> one.path("name").asString("").equalsIgnoreCase(name))
            .findFirst()
            .orElse(null);
    if (found == null) {
      throw new Refusal(
          "There is no source \"" + name + "\" that Peerlens reads. See: peerlens source list");
    }
    return found;
  }
}
