package io.peerlens.benchmarks;

import io.peerlens.flow.decode.FlowBatch;
import io.peerlens.flow.decode.FlowVersion;
import io.peerlens.flow.decode.Observer;
import io.peerlens.flow.minute.EndpointRequest;
import io.peerlens.flow.minute.Endpoints;
import io.peerlens.flow.minute.FlowMinutes;
import io.peerlens.flow.minute.MinuteRows;
import io.peerlens.flow.network.AddressBook;
import io.peerlens.flow.network.AddressBook.Kind;
import io.peerlens.flow.network.Addresses;
import io.peerlens.flow.network.Networks;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
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
 * Decoded flow records in, sums by minute out: addresses resolved to endpoints of 30,000 virtual
 * machines with two addresses each, long flows spread, keys added up. One operation is one record;
 * every 50 batches the sums are taken away, as the store does every few seconds.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class FlowMinutesBenchmark {

  static final int RECORDS = 10_000;
  private static final int BATCHES = 50;
  private static final int MACHINES = 30_000;
  private static final long NOW = 1_795_219_080_000L;

  /** Different senders, receivers and services. */
  @Param({"10000", "1000000"})
  int keys;

  private final List<FlowBatch> batches = new ArrayList<>();
  private final FlowMinutes minutes = new FlowMinutes(new Numbers(), 2_000_000, 1_000_000);
  private int next;

  /** Ids in the order of the questions. */
  private static final class Numbers implements Endpoints {
    private int last;

    @Override
    public void find(EndpointRequest request) {
      for (int i = 0; i < request.size(); i++) {
        request.answer(i, ++last);
      }
    }

    @Override
    public int observer(Observer observer) {
      return (int) observer.domain();
    }
  }

  private static long address(int machine) {
    return Addresses.v4Low(10 << 24 | machine);
  }

  @Setup(Level.Trial)
  public void makeRecords() {
    AddressBook.Builder book = new AddressBook.Builder();
    for (int vm = 0; vm < MACHINES; vm++) {
      book.add(Addresses.V4_HIGH, address(vm), vm, Kind.VM);
      book.add(0xFD00L << 48, vm + 2, vm, Kind.VM);
    }
    minutes.use(book.build(), Networks.unnamed());
    SplittableRandom random = new SplittableRandom(7);
    int[] server = random.ints(keys / 2, 0, MACHINES).toArray();
    int[] client = random.ints(keys / 2, 0, MACHINES * 2).toArray(); // half of them are no VMs
    int[] ports = {80, 443, 5432, 8080, 53, 2049, 3260, 9092};
    for (int b = 0; b < BATCHES; b++) {
      FlowBatch batch = new FlowBatch();
      for (int i = 0; i < RECORDS; i++) {
        int pair = random.nextInt(keys / 2);
        int port = ports[pair & 7];
        int row =
            batch.add(
                NOW, batch.observer(new Observer(0, 1, random.nextInt(4), FlowVersion.IPFIX)));
        long start = NOW - random.nextLong(60_000);
        batch.times(row, start, start + (i % 10 == 0 ? random.nextLong(60_000) : 200));
        boolean request = random.nextBoolean();
        int from = request ? client[pair] : server[pair];
        int to = request ? server[pair] : client[pair];
        int own = 32_768 + random.nextInt(28_000);
        batch.source(row, Addresses.V4_HIGH, address(from), request ? own : port);
        batch.destination(row, Addresses.V4_HIGH, address(to), request ? port : own);
        batch.traffic(row, random.nextLong(1 << 20), random.nextLong(1 << 10), false);
        batch.protocol(row, 6, 27, FlowBatch.UNKNOWN);
      }
      batches.add(batch);
    }
    for (FlowBatch batch : batches) {
      minutes.add(batch, 0);
    }
    System.out.printf("%,d rows from %,d records%n", minutes.rows().size(), BATCHES * RECORDS);
  }

  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public MinuteRows add() {
    if (next == 0) {
      minutes.clear();
    }
    if (minutes.add(batches.get(next), 0) != RECORDS) {
      throw new IllegalStateException("The rows are full");
    }
    next = (next + 1) % BATCHES;
    return minutes.rows();
  }
}
