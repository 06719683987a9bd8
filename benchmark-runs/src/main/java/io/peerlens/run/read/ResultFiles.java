package io.peerlens.run.read;

import io.peerlens.run.Run;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * Reads what benchmarks wrote: a folder, a ZIP of one, or a single file. Which tool wrote what is
 * told by the files' content. A file that cannot be read is a problem in the list and does not stop
 * the others; files that are of no benchmark are named.
 *
 * <p>Nothing is unpacked to disk. However large the files say they are, no more than {@value
 * #MOST_BYTES} bytes are read in all; of a file they are read line by line or document by document.
 */
public final class ResultFiles {

  /** Bytes of a ZIP. */
  public static final long MOST_PACKED_BYTES = 256L << 20;

  /** Bytes of all files, unpacked; files are read twice, first their beginnings. */
  public static final long MOST_BYTES = 4L << 30;

  /** Bytes of one file, unpacked. */
  public static final long MOST_BYTES_OF_A_FILE = 1L << 30;

  /** Files in a folder or ZIP. */
  public static final int MOST_FILES = 50_000;

  private static final int DEEPEST = 24;
  private static final int LONGEST_NAME = 1_024;

  /**
   * What was read.
   *
   * @param runs in the order of their files
   * @param problems what could not be read
   * @param others files that no reader knows
   */
  public record Result(List<Run> runs, List<Problem> problems, List<String> others) {}

  private ResultFiles() {}

  /**
   * Reads a folder, a ZIP or a single file.
   *
   * @throws IOException the path cannot be read at all
   */
  public static Result read(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return readFolder(path);
    }
    Findings findings = new Findings();
    try (InputStream in = Files.newInputStream(path)) {
      byte[] head = in.readNBytes(4);
      boolean zip =
          head.length == 4 && head[0] == 'P' && head[1] == 'K' && head[2] < 8 && head[3] < 9;
      if (zip) {
        return readZip(path, name(path));
      }
    }
    ResultFile.Budget budget = new ResultFile.Budget(MOST_BYTES);
    ResultFile file = new ResultFile(name(path), () -> Files.newInputStream(path), budget);
    new ResultFolder(findings, budget).read(List.of(file));
    return findings.result();
  }

  /**
   * Reads a ZIP from a stream, through a file in the system's temporary folder.
   *
   * @param name of the ZIP, which names an HCIBench folder that was packed without itself
   * @throws IOException the stream breaks off
   */
  public static Result readZip(InputStream zip, String name) throws IOException {
    Path file = Files.createTempFile("benchmark-runs", ".zip");
    try {
      try (var out = Files.newOutputStream(file)) {
        byte[] buffer = new byte[1 << 16];
        long copied = 0;
        int length = zip.read(buffer);
        while (length >= 0) {
          copied += length;
          if (copied > MOST_PACKED_BYTES) {
            return tooLarge(name);
          }
          out.write(buffer, 0, length);
          length = zip.read(buffer);
        }
      }
      return readZip(file, name);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static String name(Path path) {
    Path name = path.toAbsolutePath().normalize().getFileName();
    return name == null ? "" : name.toString();
  }

  private static Result tooLarge(String name) {
    Findings findings = new Findings();
    findings.problem(
        name,
        0,
        "The ZIP is larger than %,d bytes".formatted(MOST_PACKED_BYTES),
        "Leave out what is no result, or import it in parts.");
    return findings.result();
  }

  private static Result readFolder(Path folder) throws IOException {
    Findings findings = new Findings();
    ResultFile.Budget budget = new ResultFile.Budget(MOST_BYTES);
    List<ResultFile> files = new ArrayList<>();
    String root = name(folder);
    try (Stream<Path> paths = Files.walk(folder, DEEPEST)) {
      List<Path> all =
          paths
              .filter(one -> Files.isRegularFile(one, LinkOption.NOFOLLOW_LINKS))
              .limit(MOST_FILES + 1L)
              .sorted()
              .toList();
      for (Path one : all) {
        String relative = folder.relativize(one).toString().replace('\\', '/');
        String path = HciBenchFolder.isNamed(root) ? root + "/" + relative : relative;
        files.add(new ResultFile(path, () -> Files.newInputStream(one), budget));
      }
    } catch (UncheckedIOException e) {
      throw new IOException(e.getMessage(), e);
    }
    readAll(files, findings, budget, root);
    return findings.result();
  }

  private static void readAll(
      List<ResultFile> files, Findings findings, ResultFile.Budget budget, String name) {
    List<ResultFile> some = files;
    if (files.size() > MOST_FILES) {
      findings.problem(
          name,
          0,
          "There are more than %,d files".formatted(MOST_FILES),
          "The rest is left out; import it in parts.");
      some = files.subList(0, MOST_FILES);
    }
    new ResultFolder(findings, budget).read(some);
  }

  private static Result readZip(Path file, String name) throws IOException {
    if (Files.size(file) > MOST_PACKED_BYTES) {
      return tooLarge(name);
    }
    Findings findings = new Findings();
    try {
      readZip(file, name, StandardCharsets.UTF_8, findings);
    } catch (ZipException e) {
      try {
        // Names in a ZIP that are not UTF-8 are of some code page.
        readZip(file, name, StandardCharsets.ISO_8859_1, findings);
      } catch (ZipException broken) {
        findings.problem(
            name, 0, "The ZIP cannot be opened: " + broken.getMessage(), "Pack it anew.");
      }
    }
    return findings.result();
  }

  private static void readZip(Path file, String name, Charset names, Findings findings)
      throws IOException {
    ResultFile.Budget budget = new ResultFile.Budget(MOST_BYTES);
    String root = name.replaceFirst("(?i)\\.zip$", "");
    try (ZipFile zip = new ZipFile(file.toFile(), names)) {
      List<ResultFile> files = new ArrayList<>();
      Enumeration<? extends ZipEntry> entries = zip.entries();
      while (entries.hasMoreElements() && files.size() <= MOST_FILES) {
        ZipEntry entry = entries.nextElement();
        if (entry.isDirectory()) {
          continue;
        }
        String path = entry.getName().replace('\\', '/');
        if (leadsOut(path)) {
          findings.problem(
              Texts.shown(path, 200),
              0,
              "The name of the file leads out of the ZIP",
              "It is left out; pack the folder anew with relative names.");
          continue;
        }
        boolean top = HciBenchFolder.isNamed(root) && !path.startsWith(root);
        files.add(
            new ResultFile(
                top ? root + "/" + path : path, () -> zip.getInputStream(entry), budget));
      }
      files.sort(Comparator.comparing(ResultFile::path));
      readAll(files, findings, budget, name);
    }
  }

  private static boolean leadsOut(String path) {
    if (path.startsWith("/") || path.matches("[A-Za-z]:.*") || path.length() > LONGEST_NAME) {
      return true;
    }
    String[] parts = path.split("/", -1);
    if (parts.length > DEEPEST || path.indexOf('\0') >= 0) {
      return true;
    }
    for (String part : parts) {
      if (part.equals("..")) {
        return true;
      }
    }
    return false;
  }
}
