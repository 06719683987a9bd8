package io.peerlens.benchmarks.accuracy;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/** A corpus of the form of the public one, whose groups have a wave in common. */
record MadeUp(Path root) {

  private static final int DAY = 288;

  /**
   * A group of VMs, the number of which a group is told by in its values: 1000 a step of net rx.
   */
  void bitbrains(String name, int number, int vms, int days, int everyBuckets) {
    write(
        "bitbrains-rnd",
        name,
        out -> {
          Random random = new Random(number);
          out.write("vm,ts,cores,cap,cpu,memcap,mem,read,write,rx,tx\n");
          for (int vm = 0; vm < vms; vm++) {
            for (int b = 0; b < days * DAY; b += everyBuckets) {
              double x = 30 + vm + 10 * Math.sin(2 * Math.PI * b / DAY) + random.nextGaussian();
              out.write(
                  "%d,%d,1,1,%.3f,1,1,%.3f,1,%d,%.3f\n"
                      .formatted(vm, 300L * b, x, 10 * x, 1000 * number + vm, 20 * x));
            }
          }
        });
  }

  /** A day of slices, the members of each of which are at a level of their own: 10, 20, ... */
  void planetlab(String name, int number, int slices, int members) {
    write(
        "planetlab",
        name,
        out -> {
          Random random = new Random(number);
          out.write("node,slice\n");
          for (int slice = 1; slice <= slices; slice++) {
            for (int m = 0; m < members; m++) {
              StringBuilder line = new StringBuilder("node" + m + ",slice" + slice);
              for (int b = 0; b < DAY; b++) {
                line.append(',').append(10 * slice + random.nextInt(3));
              }
              out.write(line.append('\n').toString());
            }
          }
        });
  }

  private interface Lines {
    void to(Writer out) throws IOException;
  }

  private void write(String folder, String name, Lines lines) {
    try {
      Path file = Files.createDirectories(root.resolve(folder)).resolve(name + ".csv.gz");
      try (Writer out =
          new OutputStreamWriter(
              new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8)) {
        lines.to(out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
