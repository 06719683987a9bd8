package io.peerlens.standalone.esxtop;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A file that grows. When another file takes its name, the old one is read to its end first; when
 * it becomes shorter, it is read from its beginning; while there is none, it is waited for.
 */
public final class FollowedFile {

  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Path path;

  public FollowedFile(Path path) {
    this.path = path;
  }

  /**
   * Gives everything to a reader, until told to stop.
   *
   * @throws IOException when the file is there and cannot be read
   */
  public void read(EsxtopReader reader, BooleanSupplier goesOn)
      throws IOException, InterruptedException {
    byte[] buffer = new byte[64 << 10];
    while (goesOn.getAsBoolean()) {
      Object key = key();
      if (key == null) {
        Thread.sleep(PAUSE);
        continue;
      }
      try (InputStream in = Files.newInputStream(path)) {
        long position = 0;
        while (goesOn.getAsBoolean()) {
          boolean replaced = !Objects.equals(key, key());
          boolean shortened = !replaced && Files.size(path) < position;
          int n = in.read(buffer);
          if (n > 0) {
            position += n;
            reader.accept(buffer, 0, n);
          } else if (replaced || shortened) {
            break;
          } else {
            Thread.sleep(PAUSE);
          }
        }
      } catch (java.nio.file.NoSuchFileException e) {
        // Gone between two looks: another one may come.
      }
      if (goesOn.getAsBoolean()) {
        reader.end();
        reader.summarize();
      }
    }
  }

  /** What tells this file from another one of the same name; null = there is none. */
  private @Nullable Object key() throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      return attributes.fileKey() == null ? attributes.creationTime() : attributes.fileKey();
    } catch (java.nio.file.NoSuchFileException e) {
      return null;
    }
  }
}
