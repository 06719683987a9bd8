package io.peerlens.run.read;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Text of files. Encodings are told by a byte order mark, or by every second byte of the beginning
 * being zero, as PowerShell's redirection writes it; all else is taken as UTF-8, with a replacement
 * character for what is none.
 */
final class Texts {

  private Texts() {}

  static Reader reader(InputStream in) throws IOException {
    BufferedInputStream bytes = new BufferedInputStream(in, 1 << 16);
    bytes.mark(8);
    byte[] head = bytes.readNBytes(4);
    bytes.reset();
    Charset charset = StandardCharsets.UTF_8;
    int skip = 0;
    if (starts(head, 0xEF, 0xBB, 0xBF)) {
      skip = 3;
    } else if (starts(head, 0xFF, 0xFE)) {
      charset = StandardCharsets.UTF_16LE;
      skip = 2;
    } else if (starts(head, 0xFE, 0xFF)) {
      charset = StandardCharsets.UTF_16BE;
      skip = 2;
    } else if (head.length == 4 && head[1] == 0 && head[3] == 0 && head[0] != 0) {
      charset = StandardCharsets.UTF_16LE;
    } else if (head.length == 4 && head[0] == 0 && head[2] == 0 && head[1] != 0) {
      charset = StandardCharsets.UTF_16BE;
    }
    bytes.skipNBytes(skip);
    return new InputStreamReader(
        bytes,
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE));
  }

  private static boolean starts(byte[] head, int... with) {
    if (head.length < with.length) {
      return false;
    }
    for (int i = 0; i < with.length; i++) {
      if ((head[i] & 0xFF) != with[i]) {
        return false;
      }
    }
    return true;
  }

  /** At most so many characters of the beginning. */
  static String head(InputStream in, int most) throws IOException {
    try (Reader reader = reader(in)) {
      char[] text = new char[most];
      int length = 0;
      while (length < most) {
        int read = reader.read(text, length, most - length);
        if (read < 0) {
          break;
        }
        length += read;
      }
      return new String(text, 0, length);
    }
  }

  /** A text for one line, no longer than is sensible. */
  static String shown(String text, int most) {
    String plain = text.replaceAll("\\p{Cntrl}", "?");
    return plain.length() > most ? plain.substring(0, most) + "…" : plain;
  }
}
