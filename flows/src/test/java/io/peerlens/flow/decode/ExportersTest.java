package io.peerlens.flow.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.flow.decode.Exporters.Exporter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExportersTest {

  private final Exporters exporters = new Exporters();

  private static Exporter told(long address, long population, long start, long told) {
    return new Exporter(
        0, address, FlowVersion.IPFIX, 0, population, population == 0 ? 0 : 1, start, told);
  }

  @Test
  void theNewerOptionsCountInAnyOrderOfArrival() {
    exporters.tell(told(1, 100, Exporters.UNKNOWN, 2_000));
    exporters.tell(told(1, 10, Exporters.UNKNOWN, 1_000));
    assertThat(exporters.find(0, 1, FlowVersion.IPFIX, 0))
        .isEqualTo(told(1, 100, Exporters.UNKNOWN, 2_000));
    exporters.tell(told(1, 50, Exporters.UNKNOWN, 3_000));
    assertThat(exporters.find(0, 1, FlowVersion.IPFIX, 0))
        .isEqualTo(told(1, 50, Exporters.UNKNOWN, 3_000));
  }

  @Test
  void optionsThatOnlyAnOlderRecordHasStay() {
    exporters.tell(told(1, 100, Exporters.UNKNOWN, 1_000));
    exporters.tell(told(1, 0, 500, 2_000));
    assertThat(exporters.snapshot()).containsExactly(told(1, 100, 500, 2_000));
  }

  @Test
  void theRevisionChangesOnlyWithTheState() {
    exporters.tell(told(1, 100, 500, 1_000));
    long revision = exporters.revision();
    exporters.tell(told(1, 100, 500, 2_000));
    assertThat(exporters.revision()).isEqualTo(revision);
    exporters.tell(told(1, 10, 500, 3_000));
    assertThat(exporters.revision()).isGreaterThan(revision);
  }

  @Test
  void restoredOptionsDoNotReplaceNewerOnes() {
    exporters.tell(told(1, 100, 500, 2_000));
    exporters.restore(List.of(told(1, 10, 500, 1_000), told(2, 7, 500, 1_000)));
    assertThat(exporters.snapshot())
        .containsExactlyInAnyOrder(told(1, 100, 500, 2_000), told(2, 7, 500, 1_000));
  }

  @Test
  void ofMoreThanTenThousandTheOldestAreForgotten() {
    for (int i = 0; i < 10_010; i++) {
      exporters.tell(told(i, 10, 500, 1_000 + i));
    }
    assertThat(exporters.snapshot()).hasSize(10_000);
    assertThat(exporters.find(0, 9, FlowVersion.IPFIX, 0)).isNull();
    assertThat(exporters.find(0, 10, FlowVersion.IPFIX, 0)).isNotNull();
    assertThat(exporters.find(0, 10_009, FlowVersion.IPFIX, 0)).isNotNull();
  }
}
