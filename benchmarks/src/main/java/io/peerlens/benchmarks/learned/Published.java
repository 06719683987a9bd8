package io.peerlens.benchmarks.learned;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Scores of a detector as the Numenta anomaly benchmark has published them: a file for each series,
 * {@code FOLDER/CATEGORY/DETECTOR_FILE.csv.gz}, with a row for each row of the series. Its column
 * {@code anomaly_score} is the detector's score of the row, from 0 to 1; what it was for learning
 * counts as little as for all others.
 *
 * @param name what the report calls the detector
 * @param folder its result files
 */
record Published(String name, Path folder) {

  /** Names under which the detectors are known, where the folder has another. */
  private static final Map<String, String> NAMES =
      Map.of(
          "contextOSE", "CAD OSE",
          "numenta", "HTM",
          "htmjava", "HTM Java",
          "knncad", "KNN-CAD",
          "numentaTM", "Numenta TM",
          "earthgeckoSkyline", "earthgecko Skyline",
          "randomCutForest", "random cut forest",
          "windowedGaussian", "windowed Gaussian");

  private static final String SCORE = "anomaly_score";
  private static final String WEIGHT = "S(t)_standard";

  /**
   * The detectors whose results lie in a folder, by name.
   *
   * @param root with a folder for each detector; where there is none, there are no detectors
   */
  static List<Published> all(Path root) throws IOException {
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(root)) {
      return folders
          .filter(Files::isDirectory)
          .sorted()
          .map(
              f -> {
                String folder = f.getFileName().toString();
                return new Published(NAMES.getOrDefault(folder, folder), f);
              })
          .toList();
    }
  }

  /** Whether there are results for a series. */
  boolean has(Labelled series) {
    return Files.exists(file(series));
  }

  private Path file(Labelled series) {
    int slash = series.name().indexOf('/');
    return folder.resolve(
        series.name().substring(0, slash + 1)
            + folder.getFileName()
            + "_"
            + series.name().substring(slash + 1)
            + ".gz");
  }

  /**
   * Reads the scores of a series.
   *
   * @throws IOException if there are none, or if the file has not one row with a number for each
   *     row of the series; the message names the file and the line
   */
  double[] scores(Labelled series) throws IOException {
    return column(series, SCORE).orElseThrow();
  }

  /**
   * Reads what NAB has stored as the weight of each row as a detection, of the standard profile;
   * nothing if the file has no such column.
   *
   * @throws IOException as {@link #scores}
   */
  Optional<double[]> weights(Labelled series) throws IOException {
    return column(series, WEIGHT);
  }

  private Optional<double[]> column(Labelled series, String name) throws IOException {
    Path file = file(series);
    try {
      return read(file, series, name);
    } catch (ZipException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  private static Optional<double[]> read(Path file, Labelled series, String name)
      throws IOException {
    double[] scores = new double[series.rows()];
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file), 1 << 16),
                StandardCharsets.UTF_8))) {
      String header = in.readLine();
      List<String> columns = header == null ? List.of() : Arrays.asList(header.split(",", -1));
      if (!columns.contains(SCORE) || !columns.getFirst().equals("timestamp")) {
        throw new IOException(
            file + ": the first line has to name the columns timestamp, first, and " + SCORE);
      }
      int column = columns.indexOf(name);
      if (column < 0) {
        return Optional.empty();
      }
      int row = 0;
      for (String line = in.readLine(); line != null; line = in.readLine(), row++) {
        String[] cells = line.split(",", -1);
        String where = file + ", line " + (row + 2) + ": ";
        if (row == scores.length) {
          throw new IOException(where + "the series has only " + scores.length + " rows");
        }
        if (cells.length != columns.size()) {
          throw new IOException(where + cells.length + " cells instead of " + columns.size());
        }
        if (seconds(cells[0], where) != series.seconds()[row]) {
          throw new IOException(where + "the time " + cells[0] + " is not that of the series' row");
        }
        scores[row] = number(cells[column], where + name);
      }
      if (row < scores.length) {
        throw new IOException(
            file + ": " + row + " rows, but the series has " + scores.length + " rows");
      }
    }
    return Optional.of(scores);
  }

  private static long seconds(String cell, String where) throws IOException {
    try {
      return Sets.seconds(cell);
    } catch (DateTimeParseException e) {
      throw new IOException(where + "not a time: " + cell, e);
    }
  }

  private static double number(String cell, String where) throws IOException {
    double score;
    try {
      score = Double.parseDouble(cell);
    } catch (NumberFormatException e) {
      throw new IOException(where + " is not a number: " + cell, e);
    }
    if (Double.isNaN(score)) {
      throw new IOException(where + " is not a number: " + cell);
    }
    return score;
  }
}
