package io.peerlens.standalone;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The PostgreSQL programs for this machine, unpacked once from the class path into a folder named
 * by their checksum, so that a new version never mixes with an old one.
 *
 * @param home holds bin, lib and share
 */
record PostgresBinaries(Path home) {

  /**
   * Unpacks what is not there yet.
   *
   * @throws Refusal when this build holds no PostgreSQL for this machine
   */
  static PostgresBinaries unpackInto(Path directory) throws IOException {
    String resource = resourceName();
    URL url = PostgresBinaries.class.getResource("/" + resource);
    if (url == null) {
      throw new Refusal(
          "This build holds no PostgreSQL for this machine ("
              + resource
              + "). Build it here with 'mvn package', or use a database elsewhere: --database"
              + " jdbc:postgresql://HOST:5432/peerlens.");
    }
    Path home = directory.resolve("postgres-" + checksum(url));
    if (!Files.isDirectory(home)) {
      Files.createDirectories(directory);
      removeOthers(directory);
      Path temporary = Files.createTempDirectory(directory, "unpacking-");
      unpack(url, temporary);
      publish(temporary);
      Files.move(temporary, home, StandardCopyOption.ATOMIC_MOVE);
    }
    return new PostgresBinaries(home);
  }

  String program(String name) {
    return home.resolve("bin").resolve(name).toString();
  }

  static String resourceName() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String system = os.startsWith("mac") ? "darwin" : os.startsWith("linux") ? "linux" : os;
    String machine =
        switch (arch) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "arm_64";
          default -> arch;
        };
    boolean musl =
        system.equals("linux") && Files.exists(Path.of("/lib/ld-musl-" + muslName(machine)));
    return "postgres-" + system + "-" + machine + (musl ? "-alpine_linux" : "") + ".txz";
  }

  private static String muslName(String machine) {
    return (machine.equals("arm_64") ? "aarch64" : machine) + ".so.1";
  }

  private static String checksum(URL url) throws IOException {
    try (InputStream in = url.openStream();
        DigestInputStream digest =
            new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
      digest.transferTo(java.io.OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(digest.getMessageDigest().digest(), 0, 6);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  private static void unpack(URL url, Path target) throws IOException {
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(url.openStream())))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path path = target.resolve(entry.getName()).normalize();
        if (!path.startsWith(target)) {
          throw new IOException("The archive names a file outside itself: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(path);
          continue;
        }
        Files.createDirectories(path.getParent());
        if (entry.isSymbolicLink()) {
          Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else if (entry.isLink()) {
          Files.createLink(path, target.resolve(entry.getLinkName()));
        } else {
          Files.copy(tar, path);
          if ((entry.getMode() & 0100) != 0) {
            Files.setPosixFilePermissions(path, READ_AND_EXECUTE);
          }
        }
      }
    }
  }

  private static final Set<PosixFilePermission> READ_AND_EXECUTE =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE,
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_EXECUTE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_EXECUTE);

  /** A temporary directory is private, but the server may have to run as another user. */
  private static void publish(Path directory) throws IOException {
    Files.setPosixFilePermissions(directory, READ_AND_EXECUTE);
  }

  private static void removeOthers(Path directory) throws IOException {
    try (Stream<Path> old = Files.list(directory)) {
      for (Path path : old.toList()) {
        try (Stream<Path> tree = Files.walk(path)) {
          for (Path file : tree.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(file);
          }
        }
      }
    }
  }
}
