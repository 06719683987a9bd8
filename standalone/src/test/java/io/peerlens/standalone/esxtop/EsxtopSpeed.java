package io.peerlens.standalone.esxtop;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Random;

/**
 * Measurement of {@link EsxtopReader} on output of a large host, for docs/performance.md: columns
 * and seconds as arguments.
 */
final class EsxtopSpeed {

  private EsxtopSpeed() {}

  public static void main(String[] arguments) throws InterruptedException {
    int columns = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 60_000;
    int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10;
    FakeDirectory directory = new FakeDirectory().host("vc.example.net/host-1", "esx1");
    for (int i = 0; i < 2_000; i++) {
      directory.machine("vc.example.net/host-1", "vc.example.net/vm-1" + i, "vm-" + i);
    }
    EsxtopText text = EsxtopText.ofHost("esx1", columns);
    long[] sent = new long[2];
    EsxtopReader reader =
        new EsxtopReader(
            "measured",
            directory,
            EsxtopChoice.NONE,
            false,
            0,
            sample -> {
              for (EsxtopSample.Record record : sample.records()) {
                sent[0]++;
                sent[1] += record.value().length;
              }
            },
            System.out::println);
    byte[] header = text.header().getBytes(UTF_8);
    byte[] line = text.line("11/25/2026 12:00:00", new Random(1)).getBytes(UTF_8);
    long begin = System.nanoTime();
    reader.accept(header, 0, header.length);
    report("header of %,d bytes: %,d ms", header.length, (System.nanoTime() - begin) / 1_000_000);
    for (int i = 0; i < 100; i++) {
      reader.accept(line, 0, line.length);
    }
    sent[0] = 0;
    sent[1] = 0;
    long lines = 0;
    long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    begin = System.nanoTime();
    while (System.nanoTime() - begin < seconds * 1_000_000_000L) {
      reader.accept(line, 0, line.length);
      lines++;
    }
    double took = (System.nanoTime() - begin) / 1e9;
    cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu;
    report(
        "%,d columns, lines of %,d bytes: %.0f lines/s, %.1f M cells/s, CPU %.2f ms a line, %,d records and %,d bytes a line",
        text.columns(),
        line.length,
        lines / took,
        lines / took * text.columns() / 1e6,
        cpu / 1e6 / lines,
        sent[0] / lines,
        sent[1] / lines);
    System.gc();
    long used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    report("heap after it: %,d MB", used >> 20);
    reader.summarize();
  }

  private static void report(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
