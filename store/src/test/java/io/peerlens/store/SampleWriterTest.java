package io.peerlens.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class SampleWriterTest {

  private static boolean isClash(String message, String state) {
    return SampleWriter.isClash(new SQLException(message, state));
  }

  @Test
  void aRowThatExistsAndNodesInEachOthersWayAreClashes() {
    assertThat(isClash("duplicate key value violates unique constraint \"a\"", "23505")).isTrue();
    assertThat(isClash("deadlock detected", "40P01")).isTrue();
    assertThat(isClash("could not serialize access", "40001")).isTrue();
    assertThat(isClash("null value in column", "23502")).isFalse();
    assertThat(SampleWriter.isClash(new SQLException((String) null, (String) null))).isFalse();
  }

  @Test
  void aClashInAShardIsKnownByItsMessage() {
    assertThat(
            isClash(
                "ERROR: duplicate key value violates unique constraint \"sample_set_time_102008\"",
                "XX000"))
        .isTrue();
    assertThat(
            isClash(
                "canceling the transaction since it was involved in a distributed deadlock",
                "XX000"))
        .isTrue();
    assertThat(isClash("could not read block 7", "XX000")).isFalse();
  }
}
