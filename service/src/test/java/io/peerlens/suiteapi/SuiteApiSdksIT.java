package io.peerlens.suiteapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.Programs;
import io.peerlens.support.PythonEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The vendor's SDKs for Python against the service, over https. Their programs are in {@code
 * src/test/python/suite-api}, say each thing that is not as it was sent, and end with what they
 * did. Needs Python 3 with its module venv, and packages of the Python Package Index.
 */
class SuiteApiSdksIT {

  private static final Path PROGRAMS = Path.of("src", "test", "python", "suite-api");
  private static final Duration LONGEST = Duration.ofMinutes(3);

  @TempDir static Path folder;

  private static Path python;
  private static SuiteApiWorld world;

  @BeforeAll
  static void start() {
    python = PythonEnvironment.with(PROGRAMS.resolve("requirements.txt"));
    world = new SuiteApiWorld(folder);
  }

  @AfterAll
  static void stop() {
    if (world != null) {
      world.close();
    }
  }

  private static String run(String program) throws IOException {
    Path given = folder.resolve(program + ".json");
    Files.writeString(given, world.forPrograms().toString());
    Programs.Result result =
        Programs.run(
            Map.of("PYTHONDONTWRITEBYTECODE", "1"),
            List.of(python.toString(), PROGRAMS.resolve(program).toString(), given.toString()),
            LONGEST);
    assertThat(result.exitCode()).as(result.output()).isZero();
    return result.output();
  }

  @Test
  void theGeneratedSdkReadsBackWhatWasSentWithEveryOperationThatPeerlensServes()
      throws IOException {
    assertThat(run("generated_sdk.py"))
        .containsPattern("(?m)^[1-9]\\d+ operations, [1-9]\\d\\d+ checks$");
  }

  @Test
  void theIntegrationSdkFindsCreatesPushesAndReleasesItsToken() throws IOException {
    assertThat(run("integration_sdk.py")).containsPattern("(?m)^[1-9]\\d+ checks$");
  }
}
