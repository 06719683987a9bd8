package io.peerlens.notify.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PeerlensMibTest {

  static final Path MIB = Path.of("..", "docs", "PEERLENS-MIB.txt").toAbsolutePath().normalize();
  static final Path BASE = Path.of("src", "test", "resources", "mibs").toAbsolutePath();

  @Test
  void smilintReportsNoErrors() {
    Path smilint = Programs.need("smilint", "Debian package smitools");
    Programs.Result result =
        Programs.run(
            Map.of("SMIPATH", BASE.toString()),
            List.of(smilint.toString(), "-s", "-l", "6", MIB.toString()));
    assertThat(result.output()).isEmpty();
    assertThat(result.exitCode()).isZero();
  }

  /** What smilint would find in a module with a mistake, so that its silence means something. */
  @Test
  void smilintReportsAnErrorInABrokenMib() throws IOException {
    Path smilint = Programs.need("smilint", "Debian package smitools");
    Path broken = Files.createTempFile("broken", ".txt");
    try {
      Files.writeString(
          broken,
          Files.readString(MIB).replaceFirst("peerlensSource OBJECT-TYPE", "x OBJECT-TYPE"));
      assertThat(
              Programs.run(
                      Map.of("SMIPATH", BASE.toString()),
                      List.of(smilint.toString(), "-s", "-l", "6", broken.toString()))
                  .output())
          .contains("peerlensSource");
    } finally {
      Files.delete(broken);
    }
  }

  /** The template and the module are two lists of the same numbers. */
  @Test
  void theTemplateSendsWhatTheModuleNames() throws IOException {
    Path template = Path.of("..", "alert-templates", "templates", "snmp-peerlens", "template.yaml");
    assertThat(template).exists();
    TreeSet<Integer> sent = new TreeSet<>();
    Matcher oids =
        Pattern.compile("1\\.3\\.6\\.1\\.4\\.1\\.32473\\.1\\.1\\.(\\d+)\\.0")
            .matcher(Files.readString(template));
    while (oids.find()) {
      sent.add(Integer.valueOf(oids.group(1)));
    }
    TreeSet<Integer> named = new TreeSet<>();
    Matcher objects =
        Pattern.compile("::= \\{ peerlensAlertObjects (\\d+) }").matcher(Files.readString(MIB));
    while (objects.find()) {
      named.add(Integer.valueOf(objects.group(1)));
    }
    assertThat(sent).isEqualTo(named).hasSize(23);
  }
}
