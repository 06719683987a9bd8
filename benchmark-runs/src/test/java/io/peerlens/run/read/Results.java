package io.peerlens.run.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.run.Run;
import io.peerlens.run.Run.Figure;
import io.peerlens.run.Run.Series;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Results of benchmarks that tests read. */
final class Results {

  private Results() {}

  /** A file or folder among the tests' resources. */
  static Path resource(String name) {
    URL url = Results.class.getResource(name);
    assertThat(url).as(name).isNotNull();
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(e);
    }
  }

  static ResultFiles.Result read(Path path) {
    try {
      return ResultFiles.read(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path write(Path folder, String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  static byte[] zip(Map<String, String> files) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, String> one : files.entrySet()) {
        zip.putNextEntry(new ZipEntry(one.getKey()));
        zip.write(one.getValue().getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  static Run only(ResultFiles.Result result) {
    assertThat(result.problems()).isEmpty();
    assertThat(result.runs()).hasSize(1);
    return result.runs().getFirst();
  }

  static Figure figure(Run run, String name) {
    Figure figure = run.figure(name);
    assertThat(figure).as("%s of %s", name, run.name()).isNotNull();
    return figure;
  }

  static double value(Run run, String name) {
    return figure(run, name).value();
  }

  static Series series(Run run, String metric, String instance) {
    return run.series().stream()
        .filter(one -> one.metric().equals(metric) && one.instance().equals(instance))
        .findFirst()
        .orElseThrow(() -> new AssertionError("No series " + metric + " of " + instance));
  }
}
