package io.peerlens.support;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A program of the test class path in a JVM of its own, which can be killed with SIGKILL. */
public final class ChildJvm implements AutoCloseable {

  private final List<String> command;
  private final File log;
  private @Nullable Process process;

  /**
   * @param log gets what the program prints
   */
  public ChildJvm(Path log, List<String> jvmOptions, Class<?> main, List<String> arguments) {
    this.log = log.toFile();
    List<String> all = new ArrayList<>();
    all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    all.addAll(jvmOptions);
    all.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    all.addAll(arguments);
    this.command = all;
  }

  /** Starts the program; does not wait until it is ready. */
  public void start() throws IOException {
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
            .start();
  }

  /** SIGKILL; returns when it is gone. */
  public void kill() {
    Process killed = Objects.requireNonNull(process);
    killed.destroyForcibly();
    try {
      if (!killed.waitFor(10, TimeUnit.SECONDS)) {
        throw new IllegalStateException("Process " + killed.pid() + " outlives SIGKILL");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether it runs. */
  public boolean isRunning() {
    return process != null && process.isAlive();
  }

  @Override
  public void close() {
    if (isRunning()) {
      kill();
    }
  }
}
