package io.peerlens.run.read;

import static io.peerlens.run.read.Results.read;
import static io.peerlens.run.read.Results.resource;
import static io.peerlens.run.read.Results.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.run.Run;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFilesTest {

  @TempDir Path folder;

  private static String fio(String name) {
    try {
      return Files.readString(resource("fio/" + name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void toolsAreToldByContentAndFilesThatAreBrokenStopNoOthers() throws IOException {
    write(folder, "a/no-ending", fio("grouped.json"));
    write(folder, "b/vdbench.json", fio("lat.json").substring(0, 9_000));
    write(folder, "c/empty.json", "");
    write(folder, "c/notes.txt", "what we did\n");
    Files.write(folder.resolve("c/photo.csv"), new byte[] {(byte) 0xFF, (byte) 0xD8, 0, 1, 2, 3});
    write(folder, "d/no-jobs.json", "{\n\"fio version\" : \"fio-3.1\", \"jobs\" : [] }\n");
    write(folder, "e/strange.json", "{\n\"fio version\" : [1], \"jobs\" : [1, {\"read\": 3}] }\n");
    write(folder, "f/two.json", fio("two-jobs.json"));
    ResultFiles.Result result = read(folder);
    assertThat(result.runs()).extracting(Run::name).contains("a/no-ending", "f/two");
    assertThat(result.problems())
        .extracting(Problem::file)
        .contains("b/vdbench.json", "c/empty.json", "d/no-jobs.json");
    assertThat(result.problems()).allSatisfy(one -> assertThat(one.remedy()).isNotBlank());
    assertThat(result.others()).contains("c/notes.txt", "c/photo.csv");
  }

  @Test
  void warningsOfFioMayStandAroundItsJson() throws IOException {
    String text = "fio: {warning} of something\nnote\n" + fio("grouped.json") + "fio: done\n";
    assertThat(read(write(folder, "a.json", text)).runs()).hasSize(1);
  }

  @Test
  void aBrokenDocumentSaysItsLine() throws IOException {
    write(folder, "a.json", "note\n\n{\n\"fio version\" : \"fio-3.1\",\n\"jobs\" : oops\n}\n");
    assertThat(read(folder).problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.line()).isEqualTo(5);
              assertThat(problem.what()).startsWith("Not JSON");
            });
  }

  @Test
  void nestingIsBounded() throws IOException {
    String deep = "[".repeat(100_000) + "]".repeat(100_000);
    write(folder, "a.json", "{\n\"fio version\" : \"fio-3.1\", \"jobs\" : " + deep + "}\n");
    assertThat(read(folder).problems()).hasSize(1);
  }

  @Test
  void aZipIsReadWithoutUnpacking() throws IOException {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("x/grouped.json", fio("grouped.json"));
    files.put("../../evil.json", fio("lat.json"));
    files.put("/etc/evil.json", fio("lat.json"));
    files.put("x/inner.zip", "PK\u0003\u0004");
    byte[] zip = Results.zip(files);
    ResultFiles.Result result = ResultFiles.readZip(new ByteArrayInputStream(zip), "r.zip");
    assertThat(result.runs()).extracting(Run::name).containsExactly("x/grouped");
    assertThat(result.problems())
        .extracting(Problem::what)
        .filteredOn(one -> one.contains("leads out"))
        .hasSize(2);
    assertThat(result.problems())
        .extracting(Problem::what)
        .anyMatch(one -> one.contains("not opened"));

    Path file = folder.resolve("r.zip");
    Files.write(file, zip);
    assertThat(read(file).runs()).hasSize(1);
  }

  @Test
  void aZipThatIsNoneIsAProblem() throws IOException {
    InputStream text = new ByteArrayInputStream("no zip".getBytes(StandardCharsets.UTF_8));
    assertThat(ResultFiles.readZip(text, "r.zip").problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.what()).contains("cannot be opened"));
  }

  @Test
  void aZipBombEndsAtTheBound() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("bomb_iops.1.log"));
      byte[] line = "1, 1, 0, 0\n".getBytes(StandardCharsets.UTF_8);
      zip.write(line);
      byte[] zeros = new byte[1 << 20];
      for (int i = 0; i < 64; i++) {
        zip.write(zeros);
      }
      zip.closeEntry();
      zip.putNextEntry(new ZipEntry("x.json"));
      zip.write(fio("grouped.json").getBytes(StandardCharsets.UTF_8));
      zip.closeEntry();
    }
    assertThat(bytes.size()).isLessThan(200_000);
    ResultFiles.Result result =
        ResultFiles.readZip(new ByteArrayInputStream(bytes.toByteArray()), "bomb.zip");
    assertThat(result.problems())
        .anySatisfy(problem -> assertThat(problem.what()).contains("longer than"));
    assertThat(result.runs()).extracting(Run::name).contains("x");
  }

  @Test
  void aStreamWithoutEndIsCutOff() throws IOException {
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return 1;
          }

          @Override
          public int read(byte[] into, int offset, int length) {
            return length;
          }
        };
    assertThat(ResultFiles.readZip(endless, "r.zip").problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.what()).contains("larger than 268,435,456"));
  }

  @Test
  void whatNoReaderKnowsIsSaid() throws IOException {
    write(folder, "README.md", "We ran IOBlazer.\n");
    ResultFiles.Result result = read(folder);
    assertThat(result.others()).containsExactly("README.md");
    assertThat(result.problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.remedy()).contains("mapping"));
  }

  @Test
  void encodingsAreTold() throws IOException {
    for (var charset : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
      Files.write(folder.resolve(charset.name() + ".json"), fio("grouped.json").getBytes(charset));
    }
    byte[] latin =
        fio("grouped.json")
            .replace("\"writer\"", "\"Schreiber ü\"")
            .getBytes(StandardCharsets.ISO_8859_1);
    Files.write(folder.resolve("latin.json"), latin);
    ResultFiles.Result result = read(folder);
    assertThat(result.problems()).isEmpty();
    assertThat(result.runs()).hasSize(3);
  }

  @Test
  void aLineWithoutEndIsBounded() throws IOException {
    write(folder, "x_lat.1.log", "1, 1, 0, 0\n" + "7".repeat(3_000_000));
    assertThat(read(folder).problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.line()).isEqualTo(2));
  }

  @Test
  void linksAreNotFollowed() throws IOException {
    Path outside = write(folder, "outside/grouped.json", fio("grouped.json"));
    Path inside = Files.createDirectories(folder.resolve("inside"));
    Files.createSymbolicLink(inside.resolve("link.json"), outside);
    assertThat(read(inside).runs()).isEmpty();
  }
}
