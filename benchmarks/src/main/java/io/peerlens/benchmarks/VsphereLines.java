package io.peerlens.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Lines as Telegraf's inputs.vsphere writes them: one captured round of one VM and one host, made
 * into many. Names, moids and values differ as they do in a capture; the order of the fields is the
 * captured one.
 */
final class VsphereLines {

  private VsphereLines() {}

  /**
   * One round of samples.
   *
   * @param virtualMachines with one host for each 12 of them
   * @param timeNanos of all lines
   */
  static List<String> round(int virtualMachines, long timeNanos) throws IOException {
    List<String> captured;
    try (InputStream in = VsphereLines.class.getResourceAsStream("/vsphere-round.lp")) {
      if (in == null) {
        throw new IllegalStateException("vsphere-round.lp is missing");
      }
      captured = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
    List<String> lines = new ArrayList<>();
    for (int vm = 0; vm < virtualMachines; vm++) {
      for (String line : captured) {
        boolean isVm = line.startsWith("vsphere_vm_");
        if (isVm || vm % 12 == 0) {
          lines.add(
              line.replace("{vm}", "%04d".formatted(vm))
                      .replace("{host}", Integer.toString(vm / 12))
                      .replace("{cluster}", Integer.toString(vm / 120))
                  + ' '
                  + timeNanos);
        }
      }
    }
    return lines;
  }

  /** Numeric fields of a line. */
  static int values(String line) {
    String fields = line.substring(line.indexOf(' ') + 1);
    return (int) fields.chars().filter(c -> c == '=').count()
        - (fields.contains("memorySizeMB=") ? 1 : 0);
  }
}
