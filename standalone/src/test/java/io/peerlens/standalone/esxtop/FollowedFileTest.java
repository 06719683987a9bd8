package io.peerlens.standalone.esxtop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FollowedFileTest {

  private static final EsxtopText TEXT = new EsxtopText("esx1", "Memory\\Free MBytes");

  @TempDir Path directory;
  private Path file;
  private final AtomicBoolean goesOn = new AtomicBoolean(true);
  private final List<Long> times = new CopyOnWriteArrayList<>();
  private Thread thread;

  @BeforeEach
  void follow() {
    file = directory.resolve("esx1.csv");
    EsxtopReader reader =
        new EsxtopReader(
            "esx1.csv",
            new FakeDirectory().host("vc/host-1", "esx1"),
            EsxtopChoice.NONE,
            true,
            0,
            sample -> times.add(sample.timeMs() / 1000 % 60),
            note -> {});
    thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    new FollowedFile(file).read(reader, goesOn::get);
                  } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
  }

  @AfterEach
  void stop() throws InterruptedException {
    goesOn.set(false);
    thread.join(Duration.ofSeconds(10));
  }

  @Test
  void aFileIsReadAsItGrowsFromTheMomentItIsThere() throws IOException {
    write(TEXT.header() + line(1));
    awaitTimes(1);
    write(line(2).substring(0, 10));
    write(line(2).substring(10));
    awaitTimes(1, 2);
  }

  @Test
  void aFileThatIsReplacedIsReadToItsEndAndThenTheNewOne() throws IOException {
    write(TEXT.header() + line(1));
    awaitTimes(1);
    try (var old = Files.newOutputStream(file, StandardOpenOption.APPEND)) {
      Files.move(file, directory.resolve("esx1.csv.1"));
      old.write(line(2).getBytes(UTF_8));
    }
    write(TEXT.header() + line(3));
    awaitTimes(1, 2, 3);
  }

  @Test
  void aFileThatIsEmptiedIsReadFromItsBeginningUnderTheSameHeader() throws IOException {
    write(TEXT.header() + line(1) + line(2));
    awaitTimes(1, 2);
    Files.writeString(file, line(3), StandardOpenOption.TRUNCATE_EXISTING);
    awaitTimes(1, 2, 3);
  }

  private void write(String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static String line(int second) {
    return TEXT.line("11/25/2026 12:00:0" + second, second);
  }

  private void awaitTimes(long... expected) {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThat(times)
                    .containsExactlyElementsOf(java.util.Arrays.stream(expected).boxed().toList()));
  }
}
