package io.peerlens.dashboard.vrops;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Entries of a ZIP in memory. Each is unpacked on its own, found by the directory at the end or, if
 * that is lost, by the mark before each entry; so a damaged entry does not hide the others. Nothing
 * is written to disk, and names are only text.
 */
final class Archive {

  private static final int LOCAL = 0x04034b50;
  private static final int CENTRAL = 0x02014b50;
  private static final int END = 0x06054b50;
  private static final int END_BYTES = 22;
  private static final int ENCRYPTED = 1;
  private static final int STORED = 0;
  private static final int DEFLATED = 8;

  /** How much of an entry is unpacked to see what it is. */
  private static final int BEGINNING = 512;

  /** An entry of a ZIP. */
  sealed interface Entry {

    /** The name of the entry, which is untrusted text. */
    String name();

    /** An entry with its content. */
    record Content(String name, byte[] bytes) implements Entry {}

    /** An entry that could not be unpacked, with the reason and what to do. */
    record Unread(String name, String text) implements Entry {}
  }

  /** A file went beyond a limit, and reading ends. */
  static final class TooMuchException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final String text;

    TooMuchException(String text) {
      super(text);
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  /** What may still be read of a file, over all its ZIPs. */
  static final class Budget {
    private final ImportLimits limits;
    private int entries;
    private long bytes;

    Budget(ImportLimits limits) {
      this.limits = limits;
    }

    private void entry() {
      if (++entries > limits.entries()) {
        throw new TooMuchException(
            String.format(
                Locale.ROOT,
                "the ZIP has more than %,d entries; the rest is not read. Import it in parts",
                limits.entries()));
      }
    }

    private void unpacked(int more) {
      bytes += more;
      if (bytes > limits.unpackedBytes()) {
        throw new TooMuchException(
            String.format(
                Locale.ROOT,
                "the ZIP unpacks to more than %,d bytes; the rest is not read. Import it in parts",
                limits.unpackedBytes()));
      }
    }
  }

  private record Header(
      String name, int flags, int method, long crc, long packed, long size, int data) {}

  private final byte[] zip;
  private final Budget budget;

  Archive(byte[] zip, Budget budget) {
    this.zip = zip;
    this.budget = budget;
  }

  static boolean isZip(byte[] bytes) {
    return bytes.length >= 4
        && bytes[0] == 'P'
        && bytes[1] == 'K'
        && (bytes[2] == 3 && bytes[3] == 4 || bytes[2] == 5 && bytes[3] == 6);
  }

  /**
   * Unpacks the entries that are wanted.
   *
   * @param wanted decides by the name and the first bytes of an entry
   */
  List<Entry> entries(BiPredicate<String, byte[]> wanted) {
    List<Entry> entries = new ArrayList<>();
    List<Header> directory = directory();
    if (directory.isEmpty()) {
      scan(wanted, entries);
    }
    for (Header header : directory) {
      budget.entry();
      if (!header.name().endsWith("/")) {
        read(header, wanted, entries);
      }
    }
    return entries;
  }

  /** The directory at the end; empty = there is none that can be used. */
  private List<Header> directory() {
    List<Header> headers = new ArrayList<>();
    int end = -1;
    for (int i = zip.length - END_BYTES; i >= Math.max(0, zip.length - END_BYTES - 65_535); i--) {
      if (number(i) == END) {
        end = i;
        break;
      }
    }
    if (end < 0) {
      return headers;
    }
    long size = number(end + 12) & 0xffffffffL;
    long offset = number(end + 16) & 0xffffffffL;
    long start = end - size;
    if (start < 0 || start > end) {
      return headers;
    }
    // Something may stand before the ZIP; then all offsets are short by its length.
    long before = start - offset;
    int at = (int) start;
    while (at + 46 <= zip.length && number(at) == CENTRAL) {
      int nameBytes = half(at + 28);
      int next = at + 46 + nameBytes + half(at + 30) + half(at + 32);
      long local = (number(at + 42) & 0xffffffffL) + before;
      if (next > zip.length) {
        break;
      }
      String name = name(at + 46, nameBytes);
      int data =
          local < 0 || local + 30 > zip.length || number((int) local) != LOCAL
              ? -1
              : (int) local + 30 + half((int) local + 26) + half((int) local + 28);
      headers.add(
          new Header(
              name,
              half(at + 8),
              half(at + 10),
              number(at + 16) & 0xffffffffL,
              number(at + 20) & 0xffffffffL,
              number(at + 24) & 0xffffffffL,
              data));
      at = next;
      if (headers.size() > budget.limits.entries()) {
        break;
      }
    }
    return headers;
  }

  /** Reads entries by the marks before them, where the directory is lost. */
  private void scan(BiPredicate<String, byte[]> wanted, List<Entry> entries) {
    int at = 0;
    while (at + 30 <= zip.length) {
      if (number(at) != LOCAL) {
        at++;
        continue;
      }
      budget.entry();
      int nameBytes = half(at + 26);
      int data = at + 30 + nameBytes + half(at + 28);
      if (data > zip.length) {
        break;
      }
      boolean sizesFollow = (half(at + 6) & 8) != 0;
      Header header =
          new Header(
              name(at + 30, nameBytes),
              half(at + 6),
              half(at + 8),
              sizesFollow ? -1 : number(at + 14) & 0xffffffffL,
              sizesFollow ? -1 : number(at + 18) & 0xffffffffL,
              sizesFollow ? -1 : number(at + 22) & 0xffffffffL,
              data);
      int read = header.name().endsWith("/") ? 0 : read(header, wanted, entries);
      at = Math.max(data + read, at + 4);
    }
  }

  /** Reads one entry and says how many packed bytes it took. */
  private int read(Header header, BiPredicate<String, byte[]> wanted, List<Entry> entries) {
    String name = header.name();
    if (header.data() < 0 || header.data() > zip.length) {
      entries.add(unread(name, "its beginning is damaged. Export it again"));
      return 0;
    }
    if ((header.flags() & ENCRYPTED) != 0) {
      entries.add(unread(name, "it has a password. Pack it again without one"));
      return 0;
    }
    if (header.method() == STORED) {
      long most = zip.length - (long) header.data();
      if (header.packed() < 0 || header.packed() > most) {
        entries.add(unread(name, "it is cut off. Export it again"));
        return 0;
      }
      int size = (int) header.packed();
      byte[] bytes = new byte[Math.min(size, BEGINNING)];
      System.arraycopy(zip, header.data(), bytes, 0, bytes.length);
      if (!wanted.test(name, bytes)) {
        return size;
      }
      if (size > budget.limits.entryBytes()) {
        entries.add(tooLarge(name));
        return size;
      }
      budget.unpacked(size);
      bytes = new byte[size];
      System.arraycopy(zip, header.data(), bytes, 0, size);
      finish(header, bytes, entries);
      return size;
    }
    if (header.method() != DEFLATED) {
      entries.add(
          unread(
              name, "it is packed by method " + header.method() + ". Pack it again as usual ZIP"));
      return 0;
    }
    return inflate(header, wanted, entries);
  }

  private int inflate(Header header, BiPredicate<String, byte[]> wanted, List<Entry> entries) {
    String name = header.name();
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(zip, header.data(), zip.length - header.data());
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      byte[] piece = new byte[BEGINNING];
      boolean isWanted = false;
      while (!inflater.finished()) {
        int length = inflater.inflate(piece);
        if (length == 0 && !inflater.finished()) {
          entries.add(unread(name, "it is cut off. Export it again"));
          return read(inflater);
        }
        budget.unpacked(length);
        out.write(piece, 0, length);
        if (!isWanted) {
          isWanted = wanted.test(name, out.toByteArray());
          if (!isWanted) {
            return Math.max(0, (int) Math.max(header.packed(), read(inflater)));
          }
          piece = new byte[1 << 14];
        }
        if (out.size() > budget.limits.entryBytes()) {
          entries.add(tooLarge(name));
          return read(inflater);
        }
        if (out.size() > ImportLimits.RATIO_FROM
            && out.size() / budget.limits.ratio() > read(inflater)) {
          entries.add(
              unread(
                  name,
                  String.format(
                      Locale.ROOT,
                      "it unpacks to more than %,d times its size, as no export does",
                      budget.limits.ratio())));
          return read(inflater);
        }
      }
      finish(header, out.toByteArray(), entries);
      return read(inflater);
    } catch (DataFormatException e) {
      entries.add(unread(name, "it is damaged. Export it again"));
      return 0;
    } finally {
      inflater.end();
    }
  }

  private static void finish(Header header, byte[] bytes, List<Entry> entries) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    if (header.crc() >= 0 && header.crc() != crc.getValue()) {
      entries.add(
          unread(
              header.name(), "it is damaged: its check sum is another. Export or copy it again"));
    } else {
      entries.add(new Entry.Content(header.name(), bytes));
    }
  }

  private static int read(Inflater inflater) {
    return (int) inflater.getBytesRead();
  }

  private static Entry unread(String name, String text) {
    return new Entry.Unread(name, text);
  }

  private Entry tooLarge(String name) {
    return unread(
        name,
        String.format(
            Locale.ROOT,
            "unpacked it has more than %,d bytes. Import it in parts",
            budget.limits.entryBytes()));
  }

  /** A name of an entry. Most packers write UTF-8, whether they say so or not. */
  private String name(int at, int length) {
    int most = Math.max(0, Math.min(length, zip.length - at));
    String name = new String(zip, at, most, StandardCharsets.UTF_8);
    return name.indexOf('\ufffd') < 0
        ? name
        : new String(zip, at, most, StandardCharsets.ISO_8859_1);
  }

  private int half(int at) {
    return at < 0 || at + 2 > zip.length ? 0 : zip[at] & 0xff | (zip[at + 1] & 0xff) << 8;
  }

  private int number(int at) {
    return at < 0 || at + 4 > zip.length ? 0 : half(at) | half(at + 2) << 16;
  }
}
