package io.peerlens.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.support.Properties;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.Status;

class DiskWatchTest {

  private final IngestPause pause = new IngestPause();
  private double free = 50;
  private final DiskWatch watch =
      new DiskWatch(
          () -> new DiskSpace(Path.of("/data"), 1_000, Math.round(free * 10)),
          new DiskProperties(Path.of("/data"), 5),
          pause);

  @Test
  void ingestPausesBelowTheLimitAndResumesOnlyWellAboveIt() {
    assertPaused(50, false);
    assertPaused(5, false);
    assertPaused(4.9, true);
    assertPaused(0, true);
    assertPaused(5.1, true);
    assertPaused(7, true);
    assertPaused(7.1, false);
    assertPaused(5.1, false);
  }

  private void assertPaused(double percent, boolean paused) {
    free = percent;
    watch.look();
    assertThat(pause.get().isEmpty()).as("%s %% free", percent).isEqualTo(!paused);
    assertThat(watch.health().getStatus()).isEqualTo(paused ? Status.DOWN : Status.UP);
  }

  @Test
  void theReasonNamesTheDirectoryAndStaysTheSame() {
    free = 4;
    watch.look();
    String reason = pause.get();
    assertThat(reason)
        .isEqualTo(
            "less than 5 % of the disk of /data is free; make space, ingest resumes by itself above"
                + " 7 %");
    free = 3;
    watch.look();
    assertThat(pause.get()).isEqualTo(reason);
    assertThat(watch.health().getDetails())
        .containsEntry("path", "/data")
        .containsEntry("free", 30L);
  }

  @Test
  void theDiskOfTheDirectoryIsWatched(@TempDir Path directory) {
    DiskSpace space = DiskSpace.of(directory);
    assertThat(space.total()).isPositive();
    assertThat(space.free()).isBetween(1L, space.total());
    assertThatThrownBy(() -> DiskSpace.of(directory.resolve("none"))).hasMessageContaining("none");
  }

  @Test
  void settings() {
    assertThat(Properties.defaults(DiskProperties.class)).isEqualTo(new DiskProperties(null, 5));
    assertThat(
            Properties.with(
                DiskProperties.class,
                Map.of("peerlens.disk.directory", "/data", "peerlens.disk.pause-below", "2.5")))
        .isEqualTo(new DiskProperties(Path.of("/data"), 2.5));
    assertThatThrownBy(() -> new DiskProperties(null, 51))
        .hasMessageContaining("peerlens.disk.pause-below");
    assertThatThrownBy(() -> new DiskProperties(null, Double.NaN))
        .hasMessageContaining("peerlens.disk.pause-below");
  }
}
