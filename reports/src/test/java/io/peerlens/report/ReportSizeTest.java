package io.peerlens.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelColumn;
import io.peerlens.api.model.PanelColumnType;
import io.peerlens.api.model.PanelObjects;
import io.peerlens.api.model.PanelRow;
import io.peerlens.api.model.PanelState;
import io.peerlens.api.model.ReportFile;
import io.peerlens.api.model.ReportPanel;
import io.peerlens.api.model.ReportPart;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.junit.jupiter.api.Test;

/** A run of very many rows. */
class ReportSizeTest {

  private static final int ROWS = 10_000;
  private static final int COLUMNS = 10;

  private static ReportPanel large() {
    PanelAnswer answer =
        new PanelAnswer(
            "table", 0L, 1L, null, null, 1L, null, new PanelObjects(ROWS, ROWS, ROWS), List.of());
    answer.setColumns(
        IntStream.range(0, COLUMNS)
            .mapToObj(c -> new PanelColumn("c" + c, "C" + c, PanelColumnType.NUMBER, "%", "1h"))
            .toList());
    List<PanelRow> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      double value = i + 0.125;
      rows.add(
          new PanelRow(
              new ObjectRef(
                  new UUID(3, i), "VMWARE", "VirtualMachine", "machine-%05d".formatted(i)),
              null,
              Collections.nCopies(COLUMNS, value),
              Arrays.asList(new PanelState[COLUMNS])));
    }
    answer.setRows(rows);
    ReportPanel panel = new ReportPanel("all", "All", "table");
    panel.setAnswer(answer);
    return panel;
  }

  @Test
  void aRunOfTenThousandRowsIsBoundedInTimeAndMemory() throws Exception {
    ReportPanel panel = large();
    Instant now = Instant.EPOCH;
    ReportPart part = new ReportPart("", Map.of(), List.of(), now, now, List.of(panel));
    Report report =
        new Report(
            new UUID(1, 1),
            "Large",
            "",
            "kim",
            new UUID(1, 2),
            null,
            null,
            Map.of(),
            null,
            null,
            null,
            List.of(),
            Set.of(ReportFile.values()),
            1);
    long start = System.nanoTime();
    long before = allocated();

    byte[] pdf = ReportFiles.pdf(report, part, null);
    byte[] png = ReportFiles.png(panel, ZoneOffset.UTC).orElseThrow();
    byte[] csv = ReportFiles.csv(panel);
    RunData.Packed kept = RunData.pack(List.of(part));

    assertThat(System.nanoTime() - start).as("nanoseconds").isLessThan(60_000_000_000L);
    assertThat(allocated() - before).as("bytes taken on the way").isLessThan(4_000_000_000L);
    assertThat(pdf.length).isLessThan(10_000_000);
    assertThat(png.length).isLessThan(3_000_000);
    try (PDDocument document = Loader.loadPDF(pdf)) {
      assertThat(document.getNumberOfPages()).isEqualTo(50);
    }
    assertThat(new String(csv, StandardCharsets.UTF_8).lines()).hasSize(ROWS + 1);
    assertThat(kept.bytes().length).isLessThan(2_000_000);
    assertThat(RunData.unpack(kept.bytes()).getFirst().getPanels().getFirst().getAnswer().getRows())
        .hasSize(ROWS);
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }
}
