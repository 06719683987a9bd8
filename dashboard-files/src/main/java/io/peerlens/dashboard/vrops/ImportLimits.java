package io.peerlens.dashboard.vrops;

/**
 * Limits on what a file from outside may cost.
 *
 * @param fileBytes size of the file itself
 * @param depth ZIPs within ZIPs
 * @param entries entries of all ZIPs together
 * @param entryBytes what one entry may unpack to
 * @param unpackedBytes what all entries together may unpack to
 * @param ratio how many times its packed size an entry may unpack to, once it is larger than {@link
 *     #RATIO_FROM}
 * @param dashboards dashboards of a file
 * @param views views of a file
 * @param problems parts that cannot be read and are named one by one
 * @param originalBytes what is kept of the originals, of the whole file
 */
public record ImportLimits(
    int fileBytes,
    int depth,
    int entries,
    int entryBytes,
    long unpackedBytes,
    int ratio,
    int dashboards,
    int views,
    int problems,
    int originalBytes) {

  /** Limits that every published export keeps by far. */
  public static final ImportLimits DEFAULT =
      new ImportLimits(64 << 20, 6, 20_000, 32 << 20, 256L << 20, 300, 500, 1000, 100, 8 << 20);

  /** Size up to which the ratio does not matter: small texts of one letter are no attack. */
  static final int RATIO_FROM = 1 << 20;

  /** Panels of a dashboard, as the format has it. */
  static final int PANELS = 100;

  /** Columns of a view or panel, as the format has it. */
  static final int COLUMNS = 60;

  /** Variables of a dashboard, as the format has it. */
  static final int VARIABLES = 30;

  /** Size of one original that is kept. */
  static final int ORIGINAL = 32 << 10;
}
