package io.peerlens.support;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Programs of the system that tests hold ours against, where they are installed. */
public final class Programs {

  private Programs() {}

  /** Output and exit code of a program. */
  public record Result(int exitCode, String output) {}

  /** Where a program is; looks in the places for services too, and where Go installs programs. */
  public static Optional<Path> find(String name) {
    String path =
        System.getenv().getOrDefault("PATH", "")
            + ":/usr/sbin:/usr/local/sbin:/sbin:"
            + Path.of(System.getProperty("user.home"), "go", "bin");
    return Pattern.compile(File.pathSeparator)
        .splitAsStream(path)
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * The program, or the end of this test, see {@link Missing}.
   *
   * @param where to get it, for instance the name of a Debian package
   */
  public static Path need(String name, String where) {
    return find(name).orElseThrow(() -> Missing.tool(name, where));
  }

  private static final Duration LONGEST = Duration.ofMinutes(1);

  /** Runs a program to its end; one that takes longer than a minute is ended. */
  public static Result run(Map<String, String> environment, List<String> command) {
    return run(environment, command, LONGEST);
  }

  /** Runs a program to its end, at the longest for some time. */
  public static Result run(
      Map<String, String> environment, List<String> command, Duration longest) {
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(environment);
      Process process = builder.start();
      process.getOutputStream().close();
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  if (!process.waitFor(longest)) {
                    process.destroyForcibly();
                  }
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Result(process.waitFor(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
