package io.peerlens.benchmarks;

import io.peerlens.ingest.RecordDecoder;
import io.peerlens.ingest.SampleBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Kafka records in, a batch in columns out: all of the decoder's work in steady state, when every
 * series is known. One operation is one line of Telegraf's inputs.vsphere.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class DecoderBenchmark {

  /** Objects of which there are lines: 300 as captured, and what fills no cache. */
  @Param({"300", "30000"})
  int virtualMachines;

  private final SampleBatch batch = new SampleBatch();
  private final RecordDecoder decoder = Workload.decoder();
  private List<List<ConsumerRecord<byte[], byte[]>>> rounds = List.of();
  private int next;

  @Setup(Level.Trial)
  public void decodeOnce() throws IOException {
    rounds = Workload.rounds(virtualMachines);
    for (int i = 0; i < 2; i++) {
      for (List<ConsumerRecord<byte[], byte[]>> records : rounds) {
        Workload.decode(decoder, records, batch);
      }
    }
    System.out.printf(
        "%.3f values and %.1f bytes a line, %d series%n",
        rounds.stream()
            .flatMap(List::stream)
            .mapToInt(r -> VsphereLines.values(new String(r.value(), StandardCharsets.UTF_8)))
            .average()
            .orElse(0),
        rounds.stream().flatMap(List::stream).mapToInt(r -> r.value().length).average().orElse(0),
        decoder.seriesCount());
  }

  @Benchmark
  @OperationsPerInvocation(Workload.LINES)
  public SampleBatch decode() {
    batch.clear();
    decoder.decode(rounds.get(next), Map.of(), batch);
    next = (next + 1) % rounds.size();
    return batch;
  }
}
