package io.peerlens.supermetrics.file;

import io.peerlens.supermetrics.file.ImportFile.ContentMarker;
import io.peerlens.supermetrics.file.ImportFile.Enablement;
import io.peerlens.supermetrics.file.ImportFile.Found;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reader of super metrics from a file: the JSON that Super Metrics &gt; Export writes, the ZIP of
 * content management, a management pack ({@code .pak}), or any ZIP that has such documents in it,
 * in whatever folder and under whatever name. What a document is shows its content, never its name.
 *
 * <p>Files come from strangers. Everything that they can make large is bounded by {@link
 * FileLimits}; nothing is written to disk and no name out of a ZIP is used as a path.
 *
 * <p>A reader can be used again and by several threads.
 */
public final class ImportReader {

  private static final byte[] LOCAL_FILE = {'P', 'K', 3, 4};
  private static final byte[] END_OF_ZIP = {'P', 'K', 5, 6};

  /** A ZIP's last record, and the comment of at most 65,535 bytes behind it. */
  private static final int END_OF_ZIP_BYTES = 22 + 65_535;

  private static final Pattern MARKER = Pattern.compile("(?:.*/)?([0-9]{19})L\\.v1");
  private static final int MARKER_BYTES = 200;

  private final FileLimits limits;
  private final DocumentReader documents;

  /** A reader with the usual limits. */
  public ImportReader() {
    this(FileLimits.DEFAULT);
  }

  /** A reader with limits of the caller's. */
  public ImportReader(FileLimits limits) {
    this.limits = limits;
    this.documents = new DocumentReader(limits);
  }

  /**
   * Reads a file. A part that is wrong becomes a problem, and the rest is read.
   *
   * @param name what to call the file in messages, usually its name
   * @param content the file
   * @throws UnreadableFileException if the file is neither JSON nor ZIP, is broken or too large
   */
  public ImportFile read(String name, byte[] content) {
    String file = DocumentReader.shortened(name);
    if (content.length > limits.fileBytes()) {
      throw unreadable(
          file,
          String.format(
              Locale.ROOT,
              "the file has %,d bytes, %,d are allowed; import it in parts",
              content.length,
              limits.fileBytes()));
    }
    Reading reading = new Reading();
    if (startsWith(content, LOCAL_FILE) || startsWith(content, END_OF_ZIP)) {
      try {
        reading.zip(file, content, 0);
      } catch (TooMuchException e) {
        throw unreadable(file, e.getMessage());
      }
    } else {
      DocumentReader.Contents contents = documents.read(file, content);
      reading.superMetrics.addAll(contents.superMetrics());
      reading.problems.addAll(contents.problems());
    }
    return reading.result(file);
  }

  /** Content and cost of a file so far. */
  private final class Reading {

    private final List<Found> superMetrics = new ArrayList<>();
    private final List<Enablement> enablements = new ArrayList<>();
    private final Problems problems = new Problems(limits);
    private final List<String> leftAlone = new ArrayList<>();
    private final PolicyReader policies = new PolicyReader();
    private @Nullable ContentMarker marker;
    private int entries;
    private long inflated;
    private long tokens;

    /**
     * Reads the entries of a ZIP.
     *
     * @param depth how many ZIPs this one lies in; a broken one inside another is only a problem
     */
    void zip(String path, byte[] content, int depth) {
      try (ZipInputStream zip =
          new ZipInputStream(new ByteArrayInputStream(content), StandardCharsets.ISO_8859_1)) {
        if (!hasEnd(content)) {
          throw new ZipException("its end is missing");
        }
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
          if (++entries > limits.zipEntries()) {
            throw new TooMuchException(
                String.format(
                    Locale.ROOT,
                    "the ZIP has more than %,d entries; import it in parts",
                    limits.zipEntries()));
          }
          String entryPath = path + "!/" + DocumentReader.shortened(nameOf(entry));
          if (entry.isDirectory()) {
            skip(zip);
          } else {
            entry(entryPath, zip, depth);
          }
        }
      } catch (IOException | IllegalArgumentException e) {
        // IllegalArgumentException: a name is marked as UTF-8 and is not.
        String text =
            "the ZIP cannot be read: "
                + (e instanceof EOFException ? "it is cut off" : String.valueOf(e.getMessage()))
                + ". Export or pack it again, without a password";
        if (depth == 0) {
          throw unreadable(path, text);
        }
        problems.add(new Place(path, null, 0, 0), text);
      }
    }

    private void entry(String path, InputStream in, int depth) throws IOException {
      Kind kind = Kind.OTHER;
      byte[] start = inflate(in, 64);
      if (start.length > 0) {
        kind = Kind.of(start);
      }
      Matcher name = MARKER.matcher(path);
      if (kind == Kind.OTHER && name.matches()) {
        byte[] owner = join(start, inflate(in, MARKER_BYTES - start.length));
        marker =
            new ContentMarker(
                name.group(1),
                DocumentReader.shortened(new String(owner, StandardCharsets.UTF_8).strip()));
        skip(in);
        return;
      }
      if (kind == Kind.OTHER || (kind == Kind.ZIP && depth >= limits.zipsInside())) {
        leftAlone.add(path);
        skip(in);
        return;
      }
      byte[] rest = inflate(in, limits.documentBytes() - start.length + 1);
      if (start.length + rest.length > limits.documentBytes()) {
        problems.add(
            new Place(path, null, 0, 0),
            String.format(
                Locale.ROOT,
                "not read: unpacked it has more than %,d bytes; import it in parts",
                limits.documentBytes()));
        skip(in);
        return;
      }
      byte[] content = join(start, rest);
      switch (kind) {
        case JSON -> json(path, content);
        case XML -> xml(path, content);
        case ZIP -> zip(path, content, depth + 1);
        case OTHER -> throw new IllegalStateException("left alone above");
      }
    }

    private void json(String path, byte[] content) {
      DocumentReader.Contents contents;
      try {
        contents = documents.read(path, content);
      } catch (UnreadableFileException e) {
        if (!contains(content, "\"formula\"")) {
          leftAlone.add(path);
          return;
        }
        problems.add(e.problem().place(), e.problem().text());
        return;
      }
      if (!contents.meant()) {
        leftAlone.add(path);
        return;
      }
      if (superMetrics.size() + contents.superMetrics().size() > limits.superMetrics()) {
        throw new TooMuchException(
            String.format(
                Locale.ROOT,
                "the ZIP has more than %,d super metrics; import it in parts",
                limits.superMetrics()));
      }
      superMetrics.addAll(contents.superMetrics());
      problems.addAll(contents.problems());
      tokens += contents.tokens();
      if (tokens > limits.tokens()) {
        throw new TooMuchException(
            String.format(
                Locale.ROOT,
                "the documents of the ZIP have more than %,d names, values and brackets; import it"
                    + " in parts",
                limits.tokens()));
      }
    }

    private void xml(String path, byte[] content) {
      if (!contains(content, "<SuperMetrics")) {
        leftAlone.add(path);
        return;
      }
      Problems wrong = new Problems(limits);
      List<Enablement> found = policies.read(path, content, limits, wrong);
      if (found.isEmpty() && wrong.count() == 0) {
        leftAlone.add(path);
        return;
      }
      if (enablements.size() + found.size() > limits.superMetrics()) {
        throw new TooMuchException(
            String.format(
                Locale.ROOT,
                "the policies of the ZIP have more than %,d entries; import it in parts",
                limits.superMetrics()));
      }
      enablements.addAll(found);
      problems.addAll(wrong);
    }

    /** At most so many bytes of an entry, counted against what a ZIP may unpack to. */
    private byte[] inflate(InputStream in, int most) throws IOException {
      long left = limits.inflatedBytes() - inflated;
      byte[] bytes = in.readNBytes((int) Math.min(Math.max(0, most), left + 1));
      inflated += bytes.length;
      if (inflated > limits.inflatedBytes()) {
        throw new TooMuchException(
            String.format(
                Locale.ROOT,
                "the ZIP unpacks to more than %,d bytes; import the documents in it one by one",
                limits.inflatedBytes()));
      }
      return bytes;
    }

    /** Reads to the end of an entry, in pieces: getNextEntry would do so without counting. */
    private void skip(InputStream in) throws IOException {
      while (inflate(in, 1 << 16).length > 0) {
        // counted in inflate
      }
    }

    private ImportFile result(String file) {
      return new ImportFile(
          file, superMetrics, enablements, problems.kept(), problems.count(), leftAlone, marker);
    }
  }

  /** Kind of a document in a ZIP. */
  private enum Kind {
    JSON,
    XML,
    ZIP,
    OTHER;

    static Kind of(byte[] start) {
      if (startsWith(start, LOCAL_FILE)) {
        return ZIP;
      }
      // The bytes of a mark or of a wide encoding are no letters, and are passed over.
      for (byte b : start) {
        if (b == '{') {
          return JSON;
        }
        if (b == '<') {
          return XML;
        }
        if (b > ' ') {
          return OTHER;
        }
      }
      return OTHER;
    }
  }

  /**
   * The name of an entry. Packers that do not mark names as UTF-8 mostly use it all the same, so
   * what is read as Latin is looked at again.
   */
  private static String nameOf(ZipEntry entry) {
    String name = entry.getName();
    if (name.chars().anyMatch(c -> c > 0xff)) {
      return name;
    }
    String again = new String(name.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    return again.indexOf('\ufffd') < 0 ? again : name;
  }

  /** Whether a document that one cannot read speaks of a thing. */
  private static boolean contains(byte[] document, String ascii) {
    return new String(document, StandardCharsets.ISO_8859_1).contains(ascii);
  }

  private static boolean hasEnd(byte[] content) {
    int first = Math.max(0, content.length - END_OF_ZIP_BYTES);
    for (int i = content.length - END_OF_ZIP.length; i >= first; i--) {
      if (content[i] == 'P'
          && content[i + 1] == 'K'
          && content[i + 2] == END_OF_ZIP[2]
          && content[i + 3] == END_OF_ZIP[3]) {
        return true;
      }
    }
    return false;
  }

  private static boolean startsWith(byte[] content, byte[] start) {
    if (content.length < start.length) {
      return false;
    }
    for (int i = 0; i < start.length; i++) {
      if (content[i] != start[i]) {
        return false;
      }
    }
    return true;
  }

  private static byte[] join(byte[] a, byte[] b) {
    byte[] joined = new byte[a.length + b.length];
    System.arraycopy(a, 0, joined, 0, a.length);
    System.arraycopy(b, 0, joined, a.length, b.length);
    return joined;
  }

  private static UnreadableFileException unreadable(String file, String text) {
    return new UnreadableFileException(new Problem(new Place(file, null, 0, 0), text));
  }

  /** A file is beyond its limits, wherever in it that shows. */
  private static final class TooMuchException extends RuntimeException {

    private static final long serialVersionUID = 1;
    private final String text;

    TooMuchException(String text) {
      super(text);
      this.text = text;
    }

    @Override
    public String getMessage() {
      return text;
    }
  }
}
