package io.peerlens.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChunkLengthsTest {

  private static final List<Duration> LENGTHS =
      IntStream.of(1, 2, 4, 6, 12, 24).mapToObj(Duration::ofHours).toList();
  private static final double GIB = 1L << 30;

  private static long hours(double rowsADay, double memoryGib, int now) {
    return ChunkLengths.choose(LENGTHS, rowsADay / 86_400, memoryGib * GIB, Duration.ofHours(now))
        .toHours();
  }

  @Test
  void aSmallInstallationHasTheUsualLength() {
    assertThat(hours(200_000, 0.125, 24)).isEqualTo(24);
    assertThat(hours(15e6, 0.125, 24)).isEqualTo(24);
  }

  @Test
  void theIndexOfTheNewestChunkFitsIntoAQuarterOfTheMemory() {
    // 16 GiB: 126 million rows.
    assertThat(hours(100e6, 16, 24)).isEqualTo(24);
    assertThat(hours(350e6, 16, 24)).isEqualTo(6);
    assertThat(hours(7.2e9, 16, 24)).isEqualTo(1);
    assertThat(hours(7.2e9, 128, 24)).isEqualTo(2);
  }

  @Test
  void itDoesNotGoToAndFro() {
    // 125 million of 126 in a day: stays, and is not gone back to.
    assertThat(hours(125e6, 16, 24)).isEqualTo(24);
    assertThat(hours(125e6, 16, 12)).isEqualTo(12);
    assertThat(hours(70e6, 16, 12)).isEqualTo(24);
  }

  @Test
  void whatIsSetIsWithinReason() {
    assertThatThrownBy(() -> new ChunkProperties(Duration.ofMinutes(1), null, null))
        .hasMessage("peerlens.chunks.raw is PT1M: give 1h to 7d");
    assertThatThrownBy(() -> new ChunkProperties(null, null, Duration.ofDays(91)))
        .hasMessageContaining("peerlens.chunks.one-hour");
    assertThat(new ChunkProperties(null, Duration.ofDays(1), null).of(Level.FIVE_MINUTES))
        .isEqualTo(Duration.ofDays(1));
  }
}
