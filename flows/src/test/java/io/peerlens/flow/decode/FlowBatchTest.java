package io.peerlens.flow.decode;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FlowBatchTest {

  @Test
  void aBatchGrowsAndKeepsItsRows() {
    FlowBatch batch = new FlowBatch();
    for (int i = 0; i < 5_000; i++) {
      int row = batch.add(i, batch.observer(0, i % 300, i % 2, FlowVersion.IPFIX));
      batch.traffic(row, 10L * i, i, i % 3 == 0);
    }
    assertThat(batch.size()).isEqualTo(5_000);
    assertThat(batch.observers()).hasSize(300);
    for (int i = 0; i < 5_000; i++) {
      assertThat(batch.receivedMillis(i)).isEqualTo(i);
      assertThat(batch.bytes(i)).isEqualTo(10L * i);
      assertThat(batch.dropped(i)).isEqualTo(i % 3 == 0);
      assertThat(batch.observers().get(batch.observer(i)))
          .isEqualTo(new Observer(0, i % 300, i % 2, FlowVersion.IPFIX));
    }
  }

  @Test
  void aRowOfTheNextUseHoldsNothingOfTheOneBefore() {
    FlowBatch batch = new FlowBatch();
    int row = batch.add(5, batch.observer(0, 1, 0, FlowVersion.IPFIX));
    batch.times(row, 1, 2);
    batch.source(row, 3, 4, 5);
    batch.destination(row, 6, 7, 8);
    batch.traffic(row, 9, 10, true);
    batch.protocol(row, 1, 2, 3);
    batch.interfaces(row, 11, 12, FlowBatch.EGRESS);
    batch.clear();
    assertThat(batch.size()).isZero();
    row = batch.add(7, batch.observer(0, 1, 0, FlowVersion.IPFIX));
    assertThat(
            new long[] {
              batch.startMillis(row), batch.endMillis(row), batch.srcHigh(row), batch.srcLow(row),
              batch.srcPort(row), batch.dstHigh(row), batch.dstLow(row), batch.dstPort(row),
              batch.bytes(row), batch.packets(row), batch.protocol(row), batch.tcpFlags(row),
              batch.icmp(row), batch.inIf(row), batch.outIf(row), batch.direction(row)
            })
        .containsExactly(7, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 0, 0, 0);
    assertThat(batch.dropped(row)).isFalse();
  }

  @Test
  void manyObserversAreForgottenWithTheBatch() {
    FlowBatch batch = new FlowBatch();
    for (int i = 0; i < 20_000; i++) {
      assertThat(batch.observer(0, i, 0, FlowVersion.IPFIX)).isEqualTo(i);
    }
    batch.clear();
    assertThat(batch.observers()).isEmpty();
    assertThat(batch.observer(0, 19_999, 0, FlowVersion.IPFIX)).isZero();
  }
}
