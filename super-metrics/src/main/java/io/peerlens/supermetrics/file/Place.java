package io.peerlens.supermetrics.file;

import org.jspecify.annotations.Nullable;

/**
 * Position in a file.
 *
 * @param file name of the file as the caller gave it, then the names of the ZIP entries that lead
 *     to the document, with {@code !/} between them
 * @param member name of the member of the document, normally a uuid; {@code null} = the document as
 *     a whole
 * @param line line in the document, from 1; 0 = unknown
 * @param column column in the line, from 1; 0 = unknown
 */
public record Place(String file, @Nullable String member, int line, int column) {

  /** Reads as {@code content.zip!/supermetrics.json, line 3, column 4, 3f0c...}. */
  @Override
  public String toString() {
    return file
        + (line == 0 ? "" : ", line " + line)
        + (column == 0 ? "" : ", column " + column)
        + (member == null ? "" : ", " + member);
  }
}
