package io.peerlens;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * An installation whose database has run a migration does not start any more when its file is
 * another one.
 */
class MigrationsTest {

  private static final Path MIGRATIONS = Path.of("../platform/src/main/resources/db/migration");
  private static final Path KNOWN = Path.of("src/test/resources/migrations.sha256");
  private static final Path NEW = Path.of("target/migrations.sha256");

  @Test
  void migrationsThatWereMergedStayAsTheyAre() throws Exception {
    List<String> now = sums();
    Files.write(NEW, now);
    assertThat(now)
        .as(
            "%s: mend a migration that others may have run by another one; a new one is added to the list, whose new text is service/%s",
            KNOWN, NEW)
        .containsExactlyElementsOf(Files.readAllLines(KNOWN));
  }

  private static List<String> sums() throws IOException, NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    List<String> sums = new ArrayList<>();
    try (Stream<Path> files = Files.list(MIGRATIONS)) {
      for (Path file : files.sorted().toList()) {
        String sum = HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
        sums.add(sum + "  " + file.getFileName());
      }
    }
    return sums;
  }
}
