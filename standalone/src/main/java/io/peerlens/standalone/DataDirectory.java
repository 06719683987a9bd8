package io.peerlens.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The directory that holds everything of one standalone instance. Its format has a number; while an
 * instance runs it holds a lock that ends with the process, however that ends.
 */
final class DataDirectory implements AutoCloseable {

  static final int FORMAT = 1;

  /**
   * What this JVM holds. The operating system drops a process's lock as soon as the process closes
   * any handle of the file, so a directory that is held here must not be probed through the file.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path root;
  private final @Nullable FileLock lock;

  private DataDirectory(Path root, @Nullable FileLock lock) {
    this.root = root;
    this.lock = lock;
  }

  /**
   * The directory as it is, to look at; nothing is created or locked.
   *
   * @throws Refusal when it belongs to another user
   */
  static DataDirectory look(Path path) {
    Path root = path.toAbsolutePath().normalize();
    if (Files.isDirectory(root) && !(Files.isReadable(root) && Files.isExecutable(root))) {
      throw new Refusal(
          "The data directory "
              + root
              + " cannot be read by "
              + System.getProperty("user.name")
              + ". Use it as the user who started Peerlens.");
    }
    return new DataDirectory(root, null);
  }

  /**
   * Takes possession of the directory and creates it when it does not exist.
   *
   * @throws Refusal when it cannot be written, holds something else, was written by a newer version
   *     or belongs to a running instance
   */
  static DataDirectory open(Path path) {
    Path root = path.toAbsolutePath().normalize();
    try {
      if (Files.exists(root) && !Files.isDirectory(root)) {
        throw new Refusal(root + " is a file. Name a directory with --data DIR.");
      }
      boolean fresh = !Files.exists(root) || isEmpty(root);
      Files.createDirectories(root);
      if (!Files.isWritable(root)) {
        throw notWritable(root);
      }
      if (fresh) {
        restrict(root, "rwx------");
        Files.writeString(root.resolve("version"), FORMAT + "\n");
      }
      checkFormat(root);
      FileLock lock = null;
      if (HELD.add(root)) {
        FileChannel channel =
            FileChannel.open(
                root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        lock = channel.tryLock();
        if (lock == null) {
          channel.close();
          HELD.remove(root);
        }
      }
      if (lock == null) {
        String who =
            look(root)
                .running()
                .map(run -> " (process " + run.pid() + ", " + run.url() + ")")
                .orElse("");
        throw new Refusal(
            "Another Peerlens is running on "
                + root
                + who
                + ". Stop it with 'peerlens stop --data "
                + path
                + "', or choose another directory with --data DIR.");
      }
      Files.createDirectories(root.resolve("logs"));
      return new DataDirectory(root, lock);
    } catch (java.nio.file.AccessDeniedException e) {
      throw notWritable(root);
    } catch (IOException e) {
      throw new Refusal("The data directory " + root + " cannot be used: " + e.getMessage());
    }
  }

  private static Refusal notWritable(Path root) {
    return new Refusal(
        "The data directory "
            + root
            + " cannot be written by "
            + System.getProperty("user.name")
            + ". Change its permissions or choose another with --data DIR.");
  }

  private static void checkFormat(Path root) throws IOException {
    String text;
    try {
      text = Files.readString(root.resolve("version")).strip();
    } catch (NoSuchFileException e) {
      throw new Refusal(
          root
              + " holds files that Peerlens did not make (there is no file 'version'). Choose an"
              + " empty or new directory with --data DIR.");
    }
    if (!text.equals(Integer.toString(FORMAT))) {
      throw new Refusal(
          "The data directory "
              + root
              + " has format "
              + text
              + "; this version of Peerlens reads format "
              + FORMAT
              + ". Use the version that made it, or choose another directory with --data DIR.");
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      return !entries.iterator().hasNext();
    }
  }

  Path root() {
    return root;
  }

  Path logFile() {
    return root.resolve("logs").resolve("peerlens.log");
  }

  Path consoleFile() {
    return root.resolve("logs").resolve("console.log");
  }

  Path adminTokenFile() {
    return root.resolve("admin-token");
  }

  /** What seals the secrets of notifications; the database alone is of no use to a thief. */
  Path secretsKeyFile() {
    return root.resolve("secrets.key");
  }

  /** Certificate and key of https; see {@link Https}. */
  Path httpsFile() {
    return root.resolve("https.pem");
  }

  /** Certificate of https without its key, for programs that have to trust it. */
  Path httpsCertificateFile() {
    return root.resolve("https-certificate.pem");
  }

  /** A running instance, as it says of itself. */
  record Run(long pid, String url, String kafka, long startedEpochMs) {}

  /** Says that this instance is up, for the launcher's other commands. */
  void announce(Run run) {
    Properties properties = new Properties();
    properties.setProperty("pid", Long.toString(run.pid()));
    properties.setProperty("url", run.url());
    properties.setProperty("kafka", run.kafka());
    properties.setProperty("started", Long.toString(run.startedEpochMs()));
    StringBuilder text = new StringBuilder();
    properties.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    writeAtomically(root.resolve("run"), text.toString());
  }

  void withdraw() {
    try {
      Files.deleteIfExists(root.resolve("run"));
    } catch (IOException e) {
      // A stale file is recognised by the lock that nobody holds.
    }
  }

  /**
   * The instance that runs on this directory, if one does. A file left by a killed one does not
   * count: its lock is gone.
   */
  Optional<Run> running() {
    Properties properties = new Properties();
    try (var reader = Files.newBufferedReader(root.resolve("run"))) {
      properties.load(reader);
      long pid = Long.parseLong(properties.getProperty("pid", ""));
      Run run =
          new Run(
              pid,
              properties.getProperty("url", ""),
              properties.getProperty("kafka", ""),
              Long.parseLong(properties.getProperty("started", "")));
      return isLocked() ? Optional.of(run) : Optional.empty();
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Whether a process holds this directory, this one included. */
  boolean isLocked() {
    if (HELD.contains(root)) {
      return true;
    }
    try (FileChannel channel = FileChannel.open(root.resolve("lock"), StandardOpenOption.WRITE)) {
      FileLock attempt = channel.tryLock();
      if (attempt == null) {
        return true;
      }
      attempt.release();
      return false;
    } catch (IOException e) {
      return false;
    }
  }

  /** Writes a file that only its owner may read. */
  void writeSecret(Path file, String text) {
    writeAtomically(file, text);
  }

  private static void writeAtomically(Path file, String text) {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      Files.deleteIfExists(temporary);
      if (isPosix(file)) {
        Files.createFile(
            temporary,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
      Files.writeString(temporary, text);
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + file, e);
    }
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static void restrict(Path path, String permissions) throws IOException {
    if (isPosix(path)) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }
  }

  @Override
  public void close() {
    if (lock != null) {
      try {
        lock.acquiredBy().close();
      } catch (IOException e) {
        // The lock ends with the process.
      }
      HELD.remove(root);
    }
  }
}
