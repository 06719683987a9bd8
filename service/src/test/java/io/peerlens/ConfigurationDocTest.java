package io.peerlens;

import static io.peerlens.ingest.RejectReason.FUTURE;
import static io.peerlens.ingest.RejectReason.NEW_METRICS;
import static io.peerlens.ingest.RejectReason.NEW_OBJECTS;
import static io.peerlens.ingest.RejectReason.NEW_SETS;
import static io.peerlens.ingest.RejectReason.OVERSIZED;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.ObjectsApi;
import io.peerlens.ingest.IngestGuards;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Keeps docs/configuration.md equal to the settings that exist. When it differs, the new text lies
 * in target/configuration.md: look at it and copy it.
 */
class ConfigurationDocTest {

  private static final Path DOC = Path.of("..", "docs", "configuration.md");
  private static final Path NEW = Path.of("target", "configuration.md");

  /** What the keys of others in application.yml are for; prefixes stand for all keys below. */
  private static final Map<String, String> MEANINGS =
      Map.ofEntries(
          Map.entry("spring.application.name", "Name in logs."),
          Map.entry("spring.datasource.url", "JDBC URL of the database; it must be PostgreSQL."),
          Map.entry("spring.datasource.username", "Database user; it must own the database."),
          Map.entry("spring.datasource.password", "Its password."),
          Map.entry(
              "spring.datasource.hikari.maximum-pool-size",
              "Connections to the database at most of a node, for ticks, upkeep and all else that has none of `peerlens.connections`; more than `db-scheduler.threads`."),
          Map.entry(
              "spring.datasource.hikari.minimum-idle",
              "Of these, how many are kept open when nothing uses them."),
          Map.entry(
              "spring.datasource.hikari.connection-timeout",
              "How long a request waits for a connection before it is answered with 503; in ms."),
          Map.entry("spring.datasource.hikari.auto-commit", "Leave as it is."),
          Map.entry(
              "spring.datasource.hikari.data-source-properties.connectTimeout",
              "How long the driver waits for each host of the URL, in seconds; all hosts must fit into `connection-timeout`. A value in the URL wins."),
          Map.entry(
              "spring.datasource.hikari.data-source-properties.tcpKeepAlive",
              "Whether the operating system checks connections that wait for an answer. A value in the URL wins."),
          Map.entry("spring.threads.virtual.enabled", "Requests are served on virtual threads."),
          Map.entry("spring.main.banner-mode", "No banner at the start."),
          Map.entry("spring.jackson", "How JSON is read and written; leave as it is."),
          Map.entry("spring.mvc.problemdetails.enabled", "Leave as it is: errors are ours."),
          Map.entry(
              "spring.mvc.formcontent.filter.enabled",
              "Must stay off: it would read whole bodies before the caller is authenticated."),
          Map.entry(
              "spring.servlet.multipart.enabled", "Must stay off: multipart is not supported."),
          Map.entry(
              "spring.web.resources.static-locations",
              "Where the pages are; for work on them, name the folder of their sources."),
          Map.entry("server.port", "Port of the pages and the API."),
          Map.entry("server.max-http-request-header-size", "Longest headers of a request."),
          Map.entry("server.compression.enabled", "Whether answers are compressed with gzip."),
          Map.entry("server.compression.mime-types", "What is compressed."),
          Map.entry("server.compression.min-response-size", "Shorter answers are not compressed."),
          Map.entry(
              "server.shutdown",
              "`graceful` lets requests end; `immediate` does not wait for them."),
          Map.entry("management", "Health check and metrics; see docs/operations.md."),
          Map.entry(
              "db-scheduler.threads",
              "How many ticks, roll-ups, retentions and other jobs run at once on a node. Maintenance jobs may take minutes, and ticks must not wait for them, so prefer more threads to fewer."),
          Map.entry("db-scheduler", "Scheduling of roll-ups, retention and other jobs."),
          Map.entry("logging.level", "How much is logged, by package."));

  @Test
  void docsConfigurationListsEverySetting() throws IOException {
    String text = text();
    Files.createDirectories(Objects.requireNonNull(NEW.getParent()));
    Files.writeString(NEW, text);
    assertThat(Files.exists(DOC) ? Files.readString(DOC) : "")
        .as("docs/configuration.md; the new text is service/target/configuration.md")
        .isEqualTo(text);
  }

  private static String text() throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        # Configuration

        Generated from the source by `ConfigurationDocTest`; do not edit.

        Every key can be set by environment, by a file or on the command line. `peerlens.web.max-body-size` is
        `PEERLENS_WEB_MAXBODYSIZE` in the environment and `--peerlens.web.max-body-size=10MB` on the command line; a file named
        `application.yml` in the working directory or in `./config` is read at the start. Durations are written `30s`, `10m`, `12h`,
        `7d`; sizes `16KB`, `1MB`. An invalid value prevents the service from starting, and the message names the key.

        ## Peerlens

        | key | default | meaning |
        |---|---|---|
        """);
    for (Setting setting : settings()) {
      text.append(
          "| `%s`%s | %s | %s |\n"
              .formatted(
                  setting.name(),
                  "<br>`" + environment(setting.name()) + "`",
                  setting.value().isEmpty() ? "" : "`" + setting.value().replace("|", "\\|") + "`",
                  setting.meaning()));
    }
    text.append(
        """

        ## Spring Boot

        Keys of Spring Boot that Peerlens sets. `PEERLENS_DATABASE`, `PEERLENS_DATABASE_USER` and `PEERLENS_DATABASE_PASSWORD` in the
        environment set the database in short. All other keys of Spring Boot can be set too, for instance `server.address`,
        `server.ssl.*` for https, and `server.forward-headers-strategy=native` behind a proxy.

        | key | value | meaning |
        |---|---|---|
        """);
    applicationYaml()
        .forEach(
            (key, value) ->
                text.append("| `%s` | `%s` | %s |\n".formatted(key, value, meaning(key))));
    text.append(
        """

        ## Guards

        These limits keep one broken producer from harming everything else. They are set for all nodes at once, on the page Settings or with
        `PUT /api/v1/settings/ingest-guards`, and take effect within a minute. Input beyond them goes to the dead letters, with a reason
        that says what to do, and can be replayed. `GET /api/v1/ingest/status` shows the state of each guard and what it refused.

        | guard | default | dead letter's reason | meaning |
        |---|---|---|---|
        """);
    Map<String, String> meanings = guardMeanings();
    IngestGuards guards = IngestGuards.DEFAULT;
    Map<String, Object> defaults = new LinkedHashMap<>();
    defaults.put("newObjectsPerMinute", guards.newObjectsPerMinute() + " | `" + NEW_OBJECTS.code());
    defaults.put(
        "newMetricNamesPerMinute", guards.newMetricsPerMinute() + " | `" + NEW_METRICS.code());
    defaults.put("newSetsPerMinute", guards.newSetsPerMinute() + " | `" + NEW_SETS.code());
    defaults.put("maxFuture", guards.maxFuture().toMinutes() + "m | `" + FUTURE.code());
    defaults.put("maxRecordBytes", guards.maxRecordBytes() + " | `" + OVERSIZED.code());
    assertThat(defaults.keySet()).isEqualTo(meanings.keySet());
    defaults.forEach(
        (name, value) ->
            text.append("| `%s` | %s` | %s |\n".formatted(name, value, meanings.get(name))));
    return text.toString();
  }

  /** What the contract says of each guard. */
  private static Map<String, String> guardMeanings() throws IOException {
    try (InputStream in = ObjectsApi.class.getResourceAsStream("openapi.yaml")) {
      JsonNode properties =
          YAMLMapper.shared()
              .readTree(Objects.requireNonNull(in))
              .at("/components/schemas/IngestGuardSettings/properties");
      Map<String, String> meanings = new LinkedHashMap<>();
      properties.forEachEntry(
          (name, schema) ->
              meanings.put(
                  name, schema.path("description").asString().strip().replaceAll("\\s+", " ")));
      return meanings;
    }
  }

  private record Setting(String name, String value, String meaning) {}

  private static List<Setting> settings() throws IOException {
    List<Setting> settings = new ArrayList<>();
    // One of each module, and of libraries.
    for (URL url :
        Collections.list(
            Application.class
                .getClassLoader()
                .getResources("META-INF/spring-configuration-metadata.json"))) {
      try (InputStream in = url.openStream()) {
        for (JsonNode property : JsonMapper.shared().readTree(in).path("properties")) {
          String name = property.path("name").asString();
          if (!name.startsWith("peerlens.")) {
            continue;
          }
          String description = property.path("description").asString("");
          assertThat(description).as("Javadoc of " + name).isNotEmpty();
          settings.add(
              new Setting(
                  name,
                  value(property.path("defaultValue")),
                  (Character.toUpperCase(description.charAt(0)) + description.substring(1) + ".")
                      .replace("..", ".")
                      .replaceAll("\\{@code ([^}]*)}", "`$1`")
                      .replaceAll("\\s+", " ")
                      .replace("|", "\\|")));
        }
      }
    }
    assertThat(settings).hasSizeGreaterThan(100);
    settings.sort((a, b) -> a.name().compareTo(b.name()));
    return settings;
  }

  private static String value(JsonNode value) {
    return value.isArray()
        ? value.valueStream().map(JsonNode::asString).collect(Collectors.joining(","))
        : value.isMissingNode() ? "" : value.asString();
  }

  private static String environment(String name) {
    return name.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
  }

  private static Map<String, String> applicationYaml() throws IOException {
    try (InputStream in = Application.class.getResourceAsStream("/application.yml")) {
      Map<String, String> flat = new TreeMap<>();
      flatten("", new Yaml().load(in), flat);
      return flat;
    }
  }

  private static void flatten(String prefix, Object node, Map<String, String> flat) {
    if (node instanceof Map<?, ?> map) {
      map.forEach(
          (key, value) ->
              flatten(
                  prefix.isEmpty() ? String.valueOf(key) : prefix + "." + key,
                  Objects.requireNonNull(value),
                  flat));
    } else if (!prefix.startsWith("peerlens.")) {
      flat.put(
          prefix,
          String.valueOf(node).replace(",", ", ").replaceAll("\\$\\{[A-Z_]+:([^}]*)}", "$1"));
    }
  }

  private static String meaning(String key) {
    for (String prefix = key; !prefix.isEmpty(); ) {
      String meaning = MEANINGS.get(prefix);
      if (meaning != null) {
        return meaning;
      }
      int dot = prefix.lastIndexOf('.');
      prefix = dot < 0 ? "" : prefix.substring(0, dot);
    }
    throw new AssertionError("ConfigurationDocTest has no meaning for " + key);
  }
}
