package io.peerlens.samples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Space of the file system that a directory lies on.
 *
 * @param directory that was asked for
 * @param total bytes of the file system
 * @param free bytes that this process may still write
 */
public record DiskSpace(Path directory, long total, long free) {

  private static final double MEBIBYTE = 1 << 20;

  /**
   * Asks the system now.
   *
   * @throws UncheckedIOException if the directory is not there or cannot be asked
   */
  public static DiskSpace of(Path directory) {
    try {
      FileStore store = Files.getFileStore(directory);
      return new DiskSpace(directory, store.getTotalSpace(), store.getUsableSpace());
    } catch (IOException e) {
      throw new UncheckedIOException("The disk of " + directory + " cannot be looked at", e);
    }
  }

  /** Share that is free, 0 to 100; 100 where the system gives no size. */
  public double percentFree() {
    return total <= 0 ? 100 : 100.0 * free / total;
  }

  /** Free space in words, such as {@code 412 MiB of 10240 MiB}. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%.0f MiB of %.0f MiB", free / MEBIBYTE, total / MEBIBYTE);
  }
}
