package io.peerlens.event;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Captures of events of a simulated vCenter; a test that needs one is skipped where it is not. */
public final class EventCaptures {

  private static final Path EVENTS =
      Path.of(System.getProperty("peerlens.corpus", "../../shared/corpus"), "otlp", "events")
          .toAbsolutePath()
          .normalize();

  private EventCaptures() {}

  /** The lines of a compressed capture. */
  public static List<String> lines(String name) {
    return new String(read(name), StandardCharsets.UTF_8).lines().toList();
  }

  /** A capture as it is. */
  public static byte[] read(String name) {
    Path file = EVENTS.resolve(name);
    assumeTrue(Files.exists(file), "Skipped, the capture is not here");
    try (InputStream in = Files.newInputStream(file);
        InputStream plain = name.endsWith(".gz") ? new GZIPInputStream(in) : in) {
      return plain.readAllBytes();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
