package io.peerlens.intake;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Body of a request, uncompressed, within limits of size, memory and time. */
final class Body {

  private static final int FIRST = 64 << 10;

  private Body() {}

  /**
   * Reads it to its end.
   *
   * @param encoding {@code Content-Encoding}; null = none
   * @param most bytes after uncompressing
   * @param longest how long it may take to arrive
   * @param share pays for what is read, twice, since what is made of it is as large
   */
  static byte[] read(
      InputStream in,
      @Nullable String encoding,
      int most,
      Duration longest,
      IntakeMemory.Share share)
      throws Refusal, IOException {
    long deadline = System.nanoTime() + longest.toNanos();
    try (InputStream plain = uncompressed(in, encoding)) {
      share.take(2L * FIRST);
      byte[] bytes = new byte[FIRST];
      int length = 0;
      while (true) {
        if (length == bytes.length) {
          if (length > most) {
            throw tooLarge(most);
          }
          int larger = Math.min(2 * length, most + 1);
          share.take(2L * (larger - length));
          bytes = Arrays.copyOf(bytes, larger);
        }
        int n = plain.read(bytes, length, bytes.length - length);
        if (n < 0) {
          break;
        }
        length += n;
        if (System.nanoTime() > deadline) {
          throw Refusal.of(
              408,
              "The body did not arrive within %d s. Send less at once."
                  .formatted(longest.toSeconds()));
        }
      }
      if (length > most) {
        throw tooLarge(most);
      }
      return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    } catch (ZipException e) {
      throw Refusal.bad(
          "The body is not the %s that Content-Encoding says: %s"
              .formatted(encoding, e.getMessage()));
    } catch (EOFException e) {
      throw Refusal.bad("The body ends too early: " + e.getMessage());
    }
  }

  private static Refusal tooLarge(int most) {
    return Refusal.tooLarge(
        "The body is longer than %,d bytes uncompressed. Send less at once, or raise peerlens.intake.max-body-size."
            .formatted(most));
  }

  private static InputStream uncompressed(InputStream in, @Nullable String encoding)
      throws Refusal, IOException {
    String name = encoding == null ? "identity" : encoding.strip().toLowerCase(Locale.ROOT);
    return switch (name) {
      case "", "identity" -> in;
      case "gzip", "x-gzip" -> new GZIPInputStream(in, FIRST);
      case "deflate", "zlib" -> new InflaterInputStream(in);
      default ->
          throw Refusal.of(
              415,
              "Content-Encoding '%s' is not known here; use gzip, deflate or none."
                  .formatted(shown(name)));
    };
  }

  /** A word of the sender, short and without anything that is not ASCII. */
  static String shown(String word) {
    String plain = word.replaceAll("[^\\x20-\\x7e]", "?");
    return plain.length() <= 80 ? plain : plain.substring(0, 80) + "...";
  }
}
