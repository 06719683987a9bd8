package io.peerlens.run.read;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A file of a result, in a folder or an archive. */
final class ResultFile {

  /** Opens the file. */
  interface Opener {
    InputStream open() throws IOException;
  }

  /** Bytes that may still be read in all, whatever the archive says of its sizes. */
  static final class Budget {
    private long left;

    Budget(long left) {
      this.left = left;
    }

    private void take(long bytes) {
      left -= bytes;
      if (left < 0) {
        throw new UnreadableException(
            0,
            "The files are more than %,d bytes in all".formatted(ResultFiles.MOST_BYTES),
            "Import them in parts.");
      }
    }

    boolean isSpent() {
      return left < 0;
    }
  }

  private final String path;
  private final Opener opener;
  private final Budget budget;

  /**
   * @param path with {@code /}, relative to what is read
   */
  ResultFile(String path, Opener opener, Budget budget) {
    this.path = Texts.shown(path, 1_024);
    this.opener = opener;
    this.budget = budget;
  }

  String path() {
    return path;
  }

  /** Empty = the top. */
  String folder() {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }

  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The path without {@code .json} and the like. */
  String nameWithoutEnding() {
    int dot = path.lastIndexOf('.');
    return dot > path.lastIndexOf('/') + 1 ? path.substring(0, dot) : path;
  }

  /** The bytes, no more of them than are allowed. */
  InputStream open() throws IOException {
    return new FilterInputStream(opener.open()) {
      private long read;

      @Override
      public int read() throws IOException {
        int one = super.read();
        if (one >= 0) {
          count(1);
        }
        return one;
      }

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        int bytes = super.read(into, offset, length);
        if (bytes > 0) {
          count(bytes);
        }
        return bytes;
      }

      @Override
      public long skip(long bytes) throws IOException {
        long skipped = super.skip(bytes);
        count(skipped);
        return skipped;
      }

      private void count(long bytes) {
        budget.take(bytes);
        read += bytes;
        if (read > ResultFiles.MOST_BYTES_OF_A_FILE) {
          throw new UnreadableException(
              0,
              "The file is larger than %,d bytes".formatted(ResultFiles.MOST_BYTES_OF_A_FILE),
              "Use a longer interval of the tool's log, or leave the file out.");
        }
      }
    };
  }
}
