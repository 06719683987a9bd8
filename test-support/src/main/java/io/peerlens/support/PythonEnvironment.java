package io.peerlens.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.springframework.util.FileSystemUtils;

/**
 * A Python with packages of the Python Package Index, for programs that tests hold ours against. It
 * is made once and kept in {@code ~/.cache/peerlens-test} (or below {@code XDG_CACHE_HOME}), by the
 * packages and the version of Python.
 */
public final class PythonEnvironment {

  private static final Duration LONGEST = Duration.ofMinutes(5);

  private PythonEnvironment() {}

  /**
   * The interpreter that has the packages of a file of requirements, or the end of this test, see
   * {@link Missing}.
   */
  public static Path with(Path requirements) {
    Path python = Programs.need("python3", "the Debian packages python3 and python3-venv");
    try {
      String version = Programs.run(Map.of(), List.of(python.toString(), "-VV")).output();
      Path cache = cache();
      Path folder = cache.resolve("python-" + key(version + Files.readString(requirements)));
      Path interpreter = folder.resolve("bin").resolve("python");
      Path complete = folder.resolve("complete");
      if (Files.exists(complete)) {
        return interpreter;
      }
      Files.createDirectories(cache);
      // Several builds may run on one machine.
      try (FileChannel channel =
              FileChannel.open(
                  cache.resolve("python.lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        if (!Files.exists(complete)) {
          make(python, folder, interpreter, requirements);
          Files.createFile(complete);
        }
      }
      return interpreter;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void make(Path python, Path folder, Path interpreter, Path requirements)
      throws IOException {
    FileSystemUtils.deleteRecursively(folder); // of a build that was ended
    Programs.Result made =
        Programs.run(
            Map.of(), List.of(python.toString(), "-m", "venv", folder.toString()), LONGEST);
    if (made.exitCode() != 0) {
      throw Missing.tool("Python's module venv", "the Debian package python3-venv");
    }
    Programs.Result installed =
        Programs.run(
            Map.of(),
            List.of(
                interpreter.toString(),
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--no-input",
                "--retries=1",
                "--timeout=20",
                "--requirement",
                requirements.toString()),
            LONGEST);
    if (installed.exitCode() != 0) {
      String reason =
          installed
              .output()
              .lines()
              .filter(line -> !line.isBlank())
              .reduce((first, last) -> last)
              .orElse("pip does not say why not");
      // On a build machine too: an index that does not answer is no fault of what is tested.
      throw new Missing("What " + requirements.getFileName() + " lists", "pip says: " + reason);
    }
  }

  private static Path cache() {
    String given = System.getenv("XDG_CACHE_HOME");
    Path base =
        given == null || given.isBlank()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(given);
    return base.resolve("peerlens-test");
  }

  private static String key(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
