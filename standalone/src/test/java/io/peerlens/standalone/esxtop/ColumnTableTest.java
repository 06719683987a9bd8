package io.peerlens.standalone.esxtop;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.mapping.FieldUse;
import io.peerlens.ingest.mapping.FieldUses;
import io.peerlens.ingest.mapping.MappedSeries;
import io.peerlens.ingest.mapping.Mappings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ColumnTableTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "esxtop.md");

  @Test
  void everyColumnIsInTheDocument() throws IOException {
    List<String> lines = Files.readAllLines(DOCUMENT);
    List<String> missing = new ArrayList<>();
    for (ColumnTable.Section section : ColumnTable.shipped().sections()) {
      section
          .columns()
          .forEach(
              (counter, column) -> {
                String key = key(section, column);
                if (lines.stream()
                    .noneMatch(line -> line.contains("`" + counter + "`") && line.contains(key))) {
                  missing.add(counter + " as " + key);
                }
              });
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void theLinesBelongToTheObjectsThatVCenterReportsAndHaveItsUnits() {
    Mappings mappings = Mappings.shipped();
    MappedSeries vm = mappings.map("esxtop_vm_mem", Map.of("id", "vc/vm-1"));
    assertThat(vm.key().object()).isEqualTo(new ObjectKey("VMWARE", "VirtualMachine", "vc/vm-1"));
    assertThat(vm.attributes().name()).isEmpty();
    assertThat(unit(vm, "numaLocal_latest")).isEqualTo("KB");
    assertThat(unit(vm, "numaLocality_latest")).isEqualTo("%");
    MappedSeries cpu = mappings.map("esxtop_vm_cpu", Map.of("id", "vc/vm-1", "instance", "0"));
    assertThat(cpu.key().instance()).isEqualTo("0");
    assertThat(unit(cpu, "ready_summation")).isEqualTo("ms");
    MappedSeries device =
        mappings.map("esxtop_host_esxtop|path", Map.of("id", "vc/host-1", "instance", "vmhba1:C0"));
    assertThat(device.key().object().objectKind()).isEqualTo("HostSystem");
    assertThat(device.key().group()).isEqualTo("esxtop|path");
    assertThat(unit(device, "deviceLatency_average")).isEqualTo("ms");
  }

  private static String unit(MappedSeries series, String field) {
    FieldUses uses = Objects.requireNonNull(series.fields());
    return uses.number(field) instanceof FieldUse.Value value ? String.valueOf(value.unit()) : "";
  }

  private static String key(ColumnTable.Section section, ColumnTable.Column column) {
    String group = column.group() == null ? section.group() : column.group();
    return "`" + (group + "|" + column.metric()).replace("|", "\\|") + "`";
  }
}
