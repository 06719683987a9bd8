package io.peerlens.supermetrics.file;

/**
 * FileLimits on reading a file. The largest published export has 111 super metrics in 120 KB and
 * its longest formula has 4,200 characters, so {@link #DEFAULT} is far from any honest file.
 *
 * @param fileBytes size of the file as it comes in
 * @param zipEntries entries of a ZIP, those of ZIPs inside it included
 * @param inflatedBytes what all entries of a ZIP may come to when unpacked
 * @param documentBytes what one JSON or XML document inside a ZIP may come to when unpacked
 * @param zipsInside how many ZIPs may lie inside each other, the file itself not counted
 * @param nesting how deep objects and arrays may lie in each other
 * @param superMetrics super metrics in one file
 * @param memberBytes size of one super metric in the file, unknown members included
 * @param nameLength characters of a name
 * @param formulaLength characters of a formula
 * @param tokens names, values and brackets of all JSON in the file; each takes up to some 100 bytes
 *     of memory
 * @param problems problems that are reported one by one; further ones are only counted
 */
public record FileLimits(
    int fileBytes,
    int zipEntries,
    long inflatedBytes,
    int documentBytes,
    int zipsInside,
    int nesting,
    int superMetrics,
    int memberBytes,
    int nameLength,
    int formulaLength,
    int tokens,
    int problems) {

  private static final int MIB = 1 << 20;

  /** FileLimits unless somebody says otherwise. */
  public static final FileLimits DEFAULT =
      new FileLimits(
          32 * MIB, 10_000, 64L * MIB, 16 * MIB, 2, 64, 10_000, MIB, 1_000, 65_536, 1_000_000,
          1_000);
}
