package io.peerlens.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.samples.DiskSpace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskGuardTest {

  private static final long TOTAL = 10L << 30;

  @TempDir Path data;

  private double free = 50;
  private boolean brokerAnswers = true;
  private final List<Boolean> told = new ArrayList<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private DiskGuard guard() {
    return new DiskGuard(
        data,
        () -> new DiskSpace(data, TOTAL, Math.round(TOTAL * free / 100)),
        refuse -> {
          if (!brokerAnswers) {
            throw new IllegalStateException("the broker does not answer");
          }
          told.add(refuse);
        },
        new Console(new PrintStream(out, true, StandardCharsets.UTF_8), false));
  }

  @Test
  void belowTheSecondLimitRecordsAreRefusedAndTheReserveFreedUntilThereIsSpace()
      throws IOException {
    try (DiskGuard guard = guard()) {
      guard.look();
      assertThat(data.resolve("reserve")).hasSize(DiskGuard.RESERVE_BYTES);
      assertThat(told).as("what a run before may have left").containsExactly(false);

      for (double percent : new double[] {4, 2}) {
        free = percent;
        guard.look();
        assertThat(guard.isRefusing()).isFalse();
      }
      free = 1.9;
      guard.look();
      assertThat(guard.isRefusing()).isTrue();
      assertThat(data.resolve("reserve")).doesNotExist();
      for (double percent : new double[] {0, 3, 6.9}) {
        free = percent;
        guard.look();
        assertThat(guard.isRefusing()).isTrue();
      }
      assertThat(told).containsExactly(false, true);
      assertThat(out.toString(StandardCharsets.UTF_8))
          .contains("The disk is nearly full: " + data + " has 195 MiB of 10240 MiB free.");

      free = 7.1;
      guard.look();
      assertThat(guard.isRefusing()).isFalse();
      assertThat(data.resolve("reserve")).as("it would be too near again").doesNotExist();
      free = 20;
      guard.look();
      assertThat(data.resolve("reserve")).exists();
      assertThat(told).containsExactly(false, true, false);
    }
  }

  @Test
  void theBrokerIsConfiguredAgainUntilItAnswers() throws IOException {
    try (DiskGuard guard = guard()) {
      guard.look();
      brokerAnswers = false;
      free = 1;
      assertThatThrownBy(guard::look).hasMessageContaining("does not answer");
      assertThat(guard.isRefusing()).as("the sample stops at once").isTrue();
      brokerAnswers = true;
      guard.look();
      guard.look();
      assertThat(told).containsExactly(false, true);
    }
  }

  @Test
  void aFullDiskIsReported() {
    assertThat(DiskGuard.full(data)).startsWith("Disk full: " + data + " has ");
    assertThat(DiskGuard.isFull(data)).isFalse();
  }
}
