package io.peerlens.benchmarks;

import io.peerlens.ingest.RecordDecoder;
import io.peerlens.ingest.SampleBatch;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Heap of a series in an ingest process: of its decoder and of the catalog that the {@link
 * Workload} has in memory. Arguments: numbers of virtual machines.
 */
public final class SeriesMemory {

  private SeriesMemory() {}

  /** Prints the bytes of a series for each number of machines. */
  public static void main(String[] args) throws IOException {
    for (String machines : args) {
      List<List<ConsumerRecord<byte[], byte[]>>> rounds =
          Workload.rounds(Integer.parseInt(machines));
      long before = used();
      RecordDecoder decoder = Workload.decoder();
      for (List<ConsumerRecord<byte[], byte[]>> records : rounds) {
        Workload.decode(decoder, records, new SampleBatch());
      }
      long bytes = used() - before;
      // Asked for after the memory, so the decoder is alive until then.
      int series = decoder.seriesCount();
      System.out.printf("%,d series: %,d bytes each%n", series, bytes / series);
    }
  }

  private static long used() {
    ManagementFactory.getMemoryMXBean().gc();
    ManagementFactory.getMemoryMXBean().gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
