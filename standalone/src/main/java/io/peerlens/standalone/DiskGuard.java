package io.peerlens.standalone;

import io.peerlens.samples.DiskSpace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guard of the disk under the data directory. The service pauses ingest when less than 5 % are
 * free; this is the second bound, at which the broker takes nothing more either, because Kafka ends
 * the process when it cannot write. A reserve file, which is removed at that bound, gives broker
 * and database room for the little that they write about themselves. All of it goes back by itself
 * when there is room again.
 */
final class DiskGuard implements AutoCloseable {

  /** Per cent free below which the broker takes nothing. */
  static final double REFUSE_BELOW = 2;

  /** Per cent free above which it takes records again, and there is room for the reserve. */
  static final double TAKE_ABOVE = 7;

  static final long RESERVE_BYTES = 32L << 20;

  /** Without so much neither database nor broker can start or go on. */
  private static final long LEAST_BYTES = 16L << 20;

  private static final Logger LOG = LoggerFactory.getLogger(DiskGuard.class);
  private static final int EVERY_MILLIS = 500;

  private final Path reserve;
  private final Supplier<DiskSpace> disk;
  private final Consumer<Boolean> refuse;
  private final Console console;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("disk-guard").factory());
  private volatile boolean refusing;
  private boolean told;
  private String trouble = "";

  /**
   * A guard that does not look yet.
   *
   * @param refuse receives whether the broker is to refuse records; called again until it succeeds
   */
  DiskGuard(Path data, Supplier<DiskSpace> disk, Consumer<Boolean> refuse, Console console) {
    this.reserve = reserve(data);
    this.disk = disk;
    this.refuse = refuse;
    this.console = console;
  }

  private static Path reserve(Path data) {
    return data.resolve("reserve");
  }

  /**
   * Gives up the reserve where the disk is full already, so that database and broker can start.
   *
   * @throws Refusal when that is not enough
   */
  static void prepare(Path data) throws IOException {
    if (isFull(data) || DiskSpace.of(data).percentFree() < REFUSE_BELOW) {
      Files.deleteIfExists(reserve(data));
    }
    if (isFull(data)) {
      throw new Refusal(full(data));
    }
  }

  /** Whether nothing can be written any more. */
  static boolean isFull(Path data) {
    return DiskSpace.of(data).free() < LEAST_BYTES;
  }

  /** What to tell somebody whose disk is full. */
  static String full(Path data) {
    return "Disk full: "
        + data
        + " has "
        + DiskSpace.of(data)
        + " free. Make space and start again; stored data are not lost.";
  }

  void start() {
    executor.scheduleWithFixedDelay(this::lookSafely, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Whether the broker is to take nothing now. */
  boolean isRefusing() {
    return refusing;
  }

  private void lookSafely() {
    try {
      look();
      trouble = "";
    } catch (RuntimeException | IOException e) { // an exception would end the schedule
      if (!String.valueOf(e.getMessage()).equals(trouble)) {
        LOG.warn("The disk could not be guarded, tried again", e);
      }
      trouble = String.valueOf(e.getMessage());
    }
  }

  /** Looks once. */
  void look() throws IOException {
    DiskSpace space = disk.get();
    boolean wanted = refusing;
    if (space.percentFree() < REFUSE_BELOW) {
      Files.deleteIfExists(reserve); // first, for what the rest may write
      wanted = true;
    } else if (space.percentFree() > TAKE_ABOVE) {
      wanted = false;
    }
    if (wanted != refusing || !told) {
      boolean news = wanted != refusing;
      refusing = wanted;
      told = false;
      if (news) {
        console.line(
            wanted
                ? String.format(
                    Locale.ROOT,
                    "The disk is nearly full: %s has %s free. Nothing new is taken until there is"
                        + " space; pages and API continue.",
                    space.directory(),
                    space)
                : "There is space on the disk of "
                    + space.directory()
                    + " again; samples are taken.");
      }
      refuse.accept(wanted);
      told = true;
    }
    if (!refusing && !Files.exists(reserve) && roomForReserve(space)) {
      write(reserve);
    }
  }

  private static boolean roomForReserve(DiskSpace space) {
    return new DiskSpace(space.directory(), space.total(), space.free() - RESERVE_BYTES)
            .percentFree()
        > TAKE_ABOVE;
  }

  /** Writes zeros, so that the blocks are taken; a file with a hole takes none. */
  private static void write(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer zeros = ByteBuffer.allocate(1 << 20);
      for (long written = 0; written < RESERVE_BYTES; written += zeros.capacity()) {
        zeros.clear();
        while (zeros.hasRemaining()) {
          channel.write(zeros);
        }
      }
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw new UncheckedIOException("The reserve " + file + " cannot be written", e);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
