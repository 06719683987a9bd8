package io.peerlens.benchmarks;

import io.peerlens.ingest.RecordDecoder;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.store.CopyEncoder;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A batch in columns in, the bytes of a binary COPY out, up to the socket but without it. One
 * operation is one row; with 30,000 machines nearly every line is a row of its own.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class CopyBenchmark {

  /** Rows of every batch; a little below the lines, since some lines share a row. */
  private static final int ROWS = 16_000;

  private static final int MACHINES = 30_000;

  private final CopyEncoder encoder = new CopyEncoder();
  private final Counter out = new Counter();
  private final List<SampleBatch> batches = new ArrayList<>();
  private final int[] rows = IntStream.range(0, ROWS).toArray();
  private int next;

  @Setup(Level.Trial)
  public void decode() throws IOException {
    RecordDecoder decoder = Workload.decoder();
    for (List<ConsumerRecord<byte[], byte[]>> records : Workload.rounds(MACHINES)) {
      SampleBatch batch = new SampleBatch();
      Workload.decode(decoder, records, batch);
      if (batch.rows() < ROWS) {
        throw new IllegalStateException("A batch has only " + batch.rows() + " rows");
      }
      batches.add(batch);
    }
    out.bytes = 0;
    encoder.write(batches.getFirst(), rows, ROWS, out);
    SampleBatch first = batches.getFirst();
    System.out.printf(
        "%.3f values and %.1f bytes of COPY a row, %.3f lines a row%n",
        (double) first.points() / first.rows(),
        (double) out.bytes / ROWS,
        (double) Workload.LINES / first.rows());
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public long encode() throws IOException {
    encoder.write(batches.get(next), rows, ROWS, out);
    next = (next + 1) % batches.size();
    return out.bytes;
  }

  /** Counts bytes and drops them. */
  private static final class Counter extends OutputStream {
    private long bytes;

    @Override
    public void write(int b) {
      bytes++;
    }

    @Override
    public void write(byte[] b, int offset, int length) {
      bytes += length;
    }
  }
}
