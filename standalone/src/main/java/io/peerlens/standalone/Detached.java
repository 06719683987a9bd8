package io.peerlens.standalone;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Starts the server as a process that outlives this one and its terminal, and shows its progress
 * until the pages answer.
 */
final class Detached {

  private Detached() {}

  /**
   * Starts it; returns when it is ready.
   *
   * @return 0, or the exit code of the server when it gave up
   */
  static int start(Options options, Console console) throws InterruptedException {
    // Refuse here what can be refused, before another process is started for it.
    Ports.require(options);
    try {
      Path output;
      // Looked at and let go again before the server, which takes it for good, can ask for it.
      try (DataDirectory data = DataDirectory.open(options.data())) {
        output = data.consoleFile();
        Files.writeString(output, "");
      }
      Process process =
          new ProcessBuilder(command(options))
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
              .start();
      return follow(process, output, console);
    } catch (IOException e) {
      throw new Refusal("The server process could not be started: " + e.getMessage());
    }
  }

  private static List<String> command(Options options) {
    List<String> command = new ArrayList<>(List.of("nohup"));
    command.add(
        ProcessHandle.current()
            .info()
            .command()
            .orElse(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    String cache = System.getProperty("peerlens.cache");
    if (cache != null) {
      command.addAll(
          List.of(
              "-XX:+AutoCreateSharedArchive",
              "-XX:SharedArchiveFile=" + cache,
              "-Xlog:cds=off",
              "-Xlog:cds+dynamic=off"));
    }
    String classPath = System.getProperty("java.class.path");
    if (classPath.toLowerCase(Locale.ROOT).endsWith(".jar")
        && !classPath.contains(System.getProperty("path.separator"))) {
      command.addAll(List.of("-jar", classPath));
    } else {
      command.addAll(List.of("-cp", classPath, Standalone.class.getName()));
    }
    command.add("start");
    command.addAll(List.of("--data", options.data().toString()));
    command.addAll(List.of("--port", Integer.toString(options.port())));
    if (options.https() != null) {
      command.addAll(List.of("--https", options.https().toString()));
    }
    command.addAll(List.of("--kafka-port", Integer.toString(options.kafkaPort())));
    if (options.database() != null) {
      command.addAll(List.of("--database", options.database()));
    }
    if (options.kafka() != null) {
      command.addAll(List.of("--kafka", options.kafka()));
    }
    if (!options.sample()) {
      command.add("--no-sample");
    }
    return command;
  }

  private static int follow(Process process, Path output, Console console)
      throws IOException, InterruptedException {
    try (RandomAccessFile file = new RandomAccessFile(output.toFile(), "r")) {
      StringBuilder line = new StringBuilder();
      boolean ready = false;
      while (true) {
        boolean alive = process.isAlive();
        byte[] bytes = new byte[(int) (file.length() - file.getFilePointer())];
        file.readFully(bytes);
        line.append(new String(bytes, StandardCharsets.UTF_8));
        for (int end = line.indexOf("\n"); end >= 0; end = line.indexOf("\n")) {
          String text = line.substring(0, end);
          line.delete(0, end + 1);
          if (text.startsWith("nohup:")) {
            continue;
          }
          if (text.startsWith(StandaloneServer.STOP_HINT)) {
            return 0;
          }
          console.line(text);
          ready |= text.startsWith(StandaloneServer.READY);
        }
        if (!alive) {
          if (!line.isEmpty()) {
            console.line(line.toString());
          }
          return ready ? 1 : Math.max(1, process.exitValue());
        }
        Thread.sleep(100);
      }
    }
  }
}
