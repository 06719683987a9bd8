package io.peerlens.benchmarks.learned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublishedTest {

  private static final String HEADER = "timestamp,value,anomaly_score,label\n";
  private static final Labelled SERIES =
      new Labelled(
          "NAB",
          "things/thing.csv",
          false,
          new long[] {0, 300, 600},
          new double[][] {{7, 8, 9}},
          new int[0][],
          1);

  @TempDir Path root;

  private Path file;

  @BeforeEach
  void makeTheFolders() throws IOException {
    file = root.resolve("numenta/things/numenta_thing.csv.gz");
    Files.createDirectories(file.getParent());
  }

  private Published detector() throws IOException {
    return Published.all(root).getFirst();
  }

  private void write(String text) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private void assertThatReadingSays(String text, String message) throws IOException {
    write(text);
    Published detector = detector();
    assertThatThrownBy(() -> detector.scores(SERIES))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("numenta_thing.csv.gz")
        .hasMessageContaining(message);
  }

  @Test
  void scoresAreReadFromTheirColumnWhereverItIs() throws IOException {
    write(
        """
        timestamp,value,raw_score,anomaly_score
        1970-01-01 00:00:00,7,1,0.5
        1970-01-01 00:05:00,8,1,0
        1970-01-01 00:10:00,9,1,1e-3
        """);
    assertThat(detector().name()).isEqualTo("HTM");
    assertThat(detector().has(SERIES)).isTrue();
    assertThat(detector().scores(SERIES)).containsExactly(0.5, 0, 0.001);
  }

  @Test
  void aSeriesWithoutResultsIsKnown() throws IOException {
    assertThat(detector().has(SERIES)).isFalse();
  }

  @Test
  void aCorpusWithoutResultsHasNoDetectors() throws IOException {
    assertThat(Published.all(root.resolve("none"))).isEmpty();
  }

  @Test
  void aFileWithoutTheColumnSaysWhichIsMissing() throws IOException {
    assertThatReadingSays("timestamp,value\n1970-01-01 00:00:00,7\n", "anomaly_score");
  }

  @Test
  void tooFewAndTooManyRowsAreTold() throws IOException {
    assertThatReadingSays(
        HEADER + "1970-01-01 00:00:00,7,0,0\n", "1 rows, but the series has 3 rows");
    String all =
        HEADER
            + "1970-01-01 00:00:00,7,0,0\n"
            + "1970-01-01 00:05:00,7,0,0\n"
            + "1970-01-01 00:10:00,7,0,0\n";
    assertThatReadingSays(
        all + "1970-01-01 00:15:00,7,0,0\n", "line 5: the series has only 3 rows");
  }

  @Test
  void aRowOfAnotherTimeIsTold() throws IOException {
    assertThatReadingSays(
        HEADER + "1970-01-01 00:05:00,7,0,0\n", "line 2: the time 1970-01-01 00:05:00 is not");
    assertThatReadingSays(HEADER + "yesterday,7,0,0\n", "line 2: not a time: yesterday");
  }

  @Test
  void whatIsNoNumberIsTold() throws IOException {
    assertThatReadingSays(
        HEADER + "1970-01-01 00:00:00,7,high,0\n", "line 2: anomaly_score is not a number: high");
    assertThatReadingSays(
        HEADER + "1970-01-01 00:00:00,7,NaN,0\n", "line 2: anomaly_score is not a number: NaN");
    assertThatReadingSays(HEADER + "1970-01-01 00:00:00,7\n", "line 2: 2 cells instead of 4");
  }

  @Test
  void aFileThatIsNotCompressedIsTold() throws IOException {
    Files.writeString(file, HEADER);
    Published detector = detector();
    assertThatThrownBy(() -> detector.scores(SERIES))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("numenta_thing.csv.gz");
  }
}
