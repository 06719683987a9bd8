package io.peerlens.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell script, run in a tree of its own with programs that only say how they were called. */
class LauncherTest {

  @TempDir Path tree;

  private Path launcher;
  private Path bin;

  @BeforeEach
  void copyLauncher() throws IOException {
    launcher = tree.resolve("with space").resolve("peerlens");
    Files.createDirectories(launcher.getParent());
    Files.copy(Path.of("..", "peerlens").toAbsolutePath().normalize(), launcher);
    bin = Files.createDirectory(tree.resolve("bin"));
    for (String tool :
        List.of(
            "dirname",
            "uname",
            "sed",
            "head",
            "find",
            "readlink",
            "cat",
            "mkdir",
            "tee",
            "tail",
            "grep")) {
      for (String folder : List.of("/usr/bin", "/bin")) {
        if (Files.exists(Path.of(folder, tool)) && !Files.exists(bin.resolve(tool))) {
          Files.createSymbolicLink(bin.resolve(tool), Path.of(folder, tool));
        }
      }
    }
  }

  @Test
  void theLauncherIsAValidPosixScript() throws Exception {
    assertThat(run(Map.of(), "sh", "-n", launcher.toString()).exit()).isZero();
  }

  @Test
  void aMissingJdkIsReportedWithWhatToInstall() throws Exception {
    Outcome outcome = launch(Map.of());
    assertThat(outcome.exit()).isEqualTo(1);
    assertThat(outcome.text())
        .contains("needs a JDK 25")
        .contains("openjdk-25-jdk")
        .contains("JAVA_HOME");
  }

  @Test
  void anOldJdkIsIgnored() throws Exception {
    Path jdk = jdk("17.0.9");
    assertThat(launch(Map.of("JAVA_HOME", jdk.toString())).text()).contains("needs a JDK 25");
  }

  @Test
  void aMissingMavenIsReportedWithWhatToInstall() throws Exception {
    Outcome outcome = launch(Map.of("JAVA_HOME", jdk("25.0.1").toString()));
    assertThat(outcome.exit()).isEqualTo(1);
    assertThat(outcome.text()).contains("Maven is missing").contains("apt install maven");
  }

  @Test
  void anOldMavenIsNamed() throws Exception {
    script(bin.resolve("mvn"), "echo 'Apache Maven 3.6.3 (abc)'");
    Outcome outcome = launch(Map.of("JAVA_HOME", jdk("25.0.1").toString()));
    assertThat(outcome.exit()).isEqualTo(1);
    assertThat(outcome.text()).contains("needs Maven 3.8 or newer").contains("is 3.6");
  }

  @Test
  void theLauncherBuildsAMissingJarAndStarts() throws Exception {
    Path target = launcher.resolveSibling("standalone").resolve("target");
    script(
        bin.resolve("mvn"),
        """
        case $1 in
          -version) echo 'Apache Maven 3.9.9 (abc)' ;;
          *) echo "[INFO] Building Peerlens ingest 0.1.0                              [4/7]"; echo "mvn $*"
             echo > '%1$s/peerlens-standalone-1.jar'; echo > '%1$s/built'; printf '\\033[0m' ;;
        esac
        """
            .formatted(target));
    Outcome outcome =
        launch(Map.of("JAVA_HOME", jdk("25.0.1").toString()), "status", "--data", "a b");
    assertThat(outcome.exit()).isZero();
    assertThat(outcome.text()).contains("  [4/7] Peerlens ingest 0.1.0\n").doesNotContain("[INFO]");
    assertThat(target.resolve("build.log"))
        .content()
        .contains("mvn -B -ntp package -Dmaven.test.skip");
    assertThat(outcome.text()).contains("[-jar]\n[" + target.resolve("peerlens-standalone-1.jar"));
    assertThat(outcome.text()).endsWith("[status]\n[--data]\n[a b]\n");
  }

  @Test
  void aFailedBuildShowsItsErrorsAndWhereTheRestIs() throws Exception {
    script(
        bin.resolve("mvn"),
        """
        case $1 in
          -version) echo 'Apache Maven 3.9.9 (abc)' ;;
          *) echo '[INFO] chatter'; echo '[ERROR] no route to the repository'; exit 1 ;;
        esac
        """);
    Outcome outcome = launch(Map.of("JAVA_HOME", jdk("25.0.1").toString()));
    assertThat(outcome.exit()).isEqualTo(1);
    assertThat(outcome.text())
        .contains("[ERROR] no route to the repository")
        .contains("The build failed")
        .contains("build.log")
        .doesNotContain("chatter");
  }

  @Test
  void theLauncherDoesNotRebuildAnUpToDateJar() throws Exception {
    Path target = built();
    Outcome outcome = launch(Map.of("JAVA_HOME", jdk("25.0.1").toString()));
    assertThat(outcome.exit()).isZero();
    assertThat(outcome.text()).contains("[-XX:SharedArchiveFile=" + target.resolve("classes.jsa"));
  }

  @Test
  void theLauncherRebuildsWhenASourceIsNewer() throws Exception {
    Path target = built();
    Path source = launcher.resolveSibling("service").resolve("src/main/java/A.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, "");
    Files.setLastModifiedTime(
        target.resolve("built"), java.nio.file.attribute.FileTime.fromMillis(1_000));
    assertThat(launch(Map.of("JAVA_HOME", jdk("25.0.1").toString())).text())
        .contains("Maven is missing");
  }

  @Test
  void aDetachedStartLeavesTheClassCacheToTheServer() throws Exception {
    built();
    Outcome outcome = launch(Map.of("JAVA_HOME", jdk("25.0.1").toString()), "start", "--detach");
    assertThat(outcome.text()).contains("[-Dpeerlens.cache=").doesNotContain("AutoCreate");
  }

  @Test
  void theExitCodeIsThatOfTheCommand() throws Exception {
    built();
    Path jdk = jdk("25.0.1");
    script(
        jdk.resolve("bin/java"),
        "[ \"$1\" = -version ] && echo 'x version \"25\"' && exit\nexit 3");
    assertThat(launch(Map.of("JAVA_HOME", jdk.toString()), "status").exit()).isEqualTo(3);
  }

  private Path built() throws IOException {
    Path target = launcher.resolveSibling("standalone").resolve("target");
    Files.createDirectories(target);
    Files.writeString(target.resolve("peerlens-standalone-1.jar"), "");
    Files.writeString(target.resolve("built"), "");
    return target;
  }

  private Path jdk(String version) throws IOException {
    Path home = tree.resolve("jdk-" + version);
    Files.createDirectories(home.resolve("bin"));
    script(home.resolve("bin/javac"), "exit 0");
    script(
        home.resolve("bin/java"),
        """
        if [ "$1" = -version ]; then echo 'openjdk version "%s" 2025-09-16' >&2; exit; fi
        for word; do echo "[$word]"; done
        """
            .formatted(version));
    return home;
  }

  private static void script(Path file, String body) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private record Outcome(int exit, String text) {}

  private Outcome launch(Map<String, String> environment, String... words) throws Exception {
    List<String> command =
        java.util.stream.Stream.concat(
                java.util.stream.Stream.of("/bin/sh", launcher.toString()),
                java.util.Arrays.stream(words))
            .toList();
    return run(environment, command.toArray(String[]::new));
  }

  private Outcome run(Map<String, String> environment, String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    if (!command[0].equals("sh")) {
      builder.environment().clear();
      builder.environment().put("PATH", bin.toString());
      builder.environment().put("HOME", tree.toString());
      builder.environment().put("PEERLENS_JDK_FOLDERS", "");
      builder.environment().putAll(environment);
    }
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Outcome(process.waitFor(), text);
  }
}
