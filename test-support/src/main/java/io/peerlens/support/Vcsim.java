package io.peerlens.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The vCenter simulator of govmomi on a port of the loopback interface, and {@code govc}, the
 * command line that changes things in it. {@code .ci/run} installs both.
 */
public final class Vcsim implements AutoCloseable {

  /** The account that it knows. */
  public static final String USERNAME = "reader";

  /** Its password, with characters that XML and headers need escaped. */
  public static final String PASSWORD = "p<a&s>s\"w'rd 1";

  private static final String VERSION = "v0.46.3";
  private static final Pattern LISTENING = Pattern.compile("@127\\.0\\.0\\.1:(\\d+)/sdk");

  private final Process process;
  private final Path log;
  private final Path govc;
  private final int port;

  private Vcsim(Process process, Path log, Path govc, int port) {
    this.process = process;
    this.log = log;
    this.govc = govc;
    this.port = port;
  }

  /**
   * Starts one and waits until it is ready; where it is not installed, this test is skipped and
   * says so.
   *
   * @param folder for its log, such as a temporary one
   * @param arguments such as {@code -vm 10}
   */
  public static Vcsim startOrSkip(Path folder, String... arguments) {
    return startOrSkip(folder, 0, arguments);
  }

  /**
   * Starts one on a port.
   *
   * @param port 0 = any that is free
   */
  public static Vcsim startOrSkip(Path folder, int port, String... arguments) {
    Path vcsim = Programs.need("vcsim", "go install github.com/vmware/govmomi/vcsim@" + VERSION);
    Path govc = Programs.need("govc", "go install github.com/vmware/govmomi/govc@" + VERSION);
    try {
      Path log = Files.createTempFile(folder, "vcsim", ".log");
      List<String> command =
          new ArrayList<>(
              List.of(
                  vcsim.toString(),
                  "-l",
                  "127.0.0.1:" + port,
                  "-username",
                  USERNAME,
                  "-password",
                  PASSWORD));
      command.addAll(List.of(arguments));
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        return await()
            .atMost(Duration.ofMinutes(2))
            .until(() -> ready(process, log, govc), Objects::nonNull);
      } catch (RuntimeException e) {
        process.destroyForcibly();
        throw new IllegalStateException("vcsim does not start: " + Files.readString(log), e);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Null = not yet. */
  private static @Nullable Vcsim ready(Process process, Path log, Path govc) throws IOException {
    if (!process.isAlive()) {
      throw new IllegalStateException("It ended with " + process.exitValue());
    }
    Matcher listening = LISTENING.matcher(Files.readString(log));
    if (!listening.find()) {
      return null;
    }
    Vcsim started = new Vcsim(process, log, govc, Integer.parseInt(listening.group(1)));
    return started.run("about").exitCode() == 0 ? started : null;
  }

  /** Address, without account. */
  public URI address() {
    return URI.create("https://127.0.0.1:" + port);
  }

  /** Port of the loopback interface. */
  public int port() {
    return port;
  }

  /** Process id, for those who stop and continue it. */
  public long pid() {
    return process.pid();
  }

  /**
   * Runs govc against it and returns its output.
   *
   * @throws AssertionError when it fails
   */
  public String govc(String... arguments) {
    Programs.Result result = run(arguments);
    assertThat(result.exitCode())
        .as("govc %s: %s", String.join(" ", arguments), result.output())
        .isZero();
    return result.output();
  }

  /** Runs govc against it and returns whether it succeeded. */
  public boolean tryGovc(String... arguments) {
    return run(arguments).exitCode() == 0;
  }

  /** Runs govc with {@code -json} and reads its output. */
  public JsonNode govcJson(String command, String... arguments) {
    List<String> all = new ArrayList<>(List.of(command, "-json"));
    all.addAll(List.of(arguments));
    return JsonMapper.shared().readTree(govc(all.toArray(String[]::new)));
  }

  private Programs.Result run(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(govc.toString());
    command.addAll(List.of(arguments));
    return Programs.run(
        Map.of(
            "GOVC_URL",
            address() + "/sdk",
            "GOVC_USERNAME",
            USERNAME,
            "GOVC_PASSWORD",
            PASSWORD,
            "GOVC_INSECURE",
            "1",
            "GOVC_PERSIST_SESSION",
            "false"),
        command);
  }

  /** What it wrote so far, for messages of failed tests. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends it. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        process.waitFor(5, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
