package io.peerlens.standalone.esxtop;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writer of batch output in the form of esxtop, for tests. */
public final class EsxtopText {

  private final List<String> columns = new ArrayList<>();

  /**
   * Output of a host with these columns.
   *
   * @param columns without the host, as {@code Memory\Free MBytes}
   */
  public EsxtopText(String host, String... columns) {
    for (String column : columns) {
      this.columns.add("\\\\" + host + "\\" + column);
    }
  }

  /** A busy host: machines with eight processors, devices, paths and processes. */
  static EsxtopText ofHost(String host, int atLeastColumns) {
    List<String> columns = new ArrayList<>(List.of("Memory\\Free MBytes", "Memory\\Kernel State"));
    List<ColumnTable.Section> sections = ColumnTable.shipped().sections();
    for (int i = 0; columns.size() < atLeastColumns; i++) {
      for (ColumnTable.Section section : sections) {
        for (String instance : instances(section.instances(), i)) {
          section
              .columns()
              .keySet()
              .forEach(
                  counter ->
                      columns.add(section.objects().getFirst() + "(" + instance + ")\\" + counter));
        }
      }
      for (int p = 0; p < 40; p++) { // what is not sent is most of a real file
        columns.add("Physical Disk Per-Device-Per-World(naa.6" + i + "-" + p + ")\\Commands/sec");
      }
    }
    return new EsxtopText(host, columns.toArray(String[]::new));
  }

  private static List<String> instances(InstanceForm form, int i) {
    String vm = "vm-" + i;
    int group = 1000 + i;
    return switch (form) {
      case NONE, WHOLE -> List.of();
      case PCPU -> i < 64 ? List.of(Integer.toString(i)) : List.of();
      case ADAPTER -> i < 8 ? List.of("vmhba" + i) : List.of();
      case DEVICE -> List.of("naa.6000" + group);
      case PATH -> Stream.of(0, 1, 2, 3).map(p -> "vmhba%d:C0:T%d:L%d".formatted(p, p, i)).toList();
      case MACHINE -> List.of(group + ":" + vm, (90_000 + i) + ":hostd." + i);
      case VCPU ->
          Stream.iterate(0, cpu -> cpu < 8, cpu -> cpu + 1)
              .map(cpu -> "%d:%s:%d:vmx-vcpu-%d:%s".formatted(group, vm, group * 10 + cpu, cpu, vm))
              .toList();
      case DISK -> List.of(vm + ":scsi0:0", vm + ":scsi0:1");
      case UPLINK -> i < 8 ? List.of("vSwitch0:335:vmnic" + i) : List.of();
      case VMKERNEL -> i < 4 ? List.of("vSwitch0:336:vmk" + i) : List.of();
      case PORT -> List.of("DvsPortset-0:" + (50_000 + i) + ":" + vm + ".eth0");
    };
  }

  int columns() {
    return columns.size();
  }

  public String header() {
    return header("(UTC)(0)");
  }

  String header(String zone) {
    return Stream.concat(Stream.of("(PDH-CSV 4.0) " + zone), columns.stream())
        .map(column -> '"' + column + '"')
        .collect(Collectors.joining(",", "", "\n"));
  }

  public String line(String time, Object... values) {
    return Stream.concat(Stream.of(time), Stream.of(values))
        .map(value -> "\"" + value + '"')
        .collect(Collectors.joining(",", "", "\n"));
  }

  /** A line with a number in each cell. */
  String line(String time, Random random) {
    StringBuilder line = new StringBuilder(columns.size() * 9).append('"').append(time).append('"');
    for (int i = 0; i < columns.size(); i++) {
      line.append(",\"").append(random.nextInt(1000)).append('.').append(10 + random.nextInt(90));
      line.append('"');
    }
    return line.append('\n').toString();
  }
}
