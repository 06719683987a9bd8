package io.peerlens.flow.minute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.flow.decode.Flow;
import io.peerlens.flow.decode.FlowBatch;
import io.peerlens.flow.decode.Observer;
import io.peerlens.flow.network.AddressBook;
import io.peerlens.flow.network.AddressBook.Kind;
import io.peerlens.flow.network.Addresses;
import io.peerlens.flow.network.Cidr;
import io.peerlens.flow.network.Network;
import io.peerlens.flow.network.Networks;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class FlowMinutesTest {

  private static final int MINUTE0 = (int) (Flow.T0 / 60_000);

  private final InMemoryEndpoints endpoints = new InMemoryEndpoints();
  private final FlowMinutes minutes = new FlowMinutes(endpoints, 100_000, 100_000);

  /** Adds flows and tells the rows as text, sorted. */
  private List<String> sums(Flow... flows) {
    FlowBatch batch = Flow.batch(flows);
    assertThat(minutes.add(batch, 0)).isEqualTo(batch.size());
    MinuteRows rows = minutes.rows();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      texts.add(key(rows, i) + " " + Arrays.toString(values(rows, i)));
    }
    Collections.sort(texts);
    return texts;
  }

  /** {@code +0 o0 10.77.1.11 > 10.77.2.13 80/6 to}: minute, observer, ends, port and protocol. */
  private String key(MinuteRows rows, int i) {
    return "+%d o%d%s %s > %s %d/%d %s"
        .formatted(
            rows.minute(i) - MINUTE0,
            rows.observer(i),
            rows.egress(i) ? "e" : "",
            endpoints.name(rows.src(i)),
            endpoints.name(rows.dst(i)),
            rows.port(i),
            rows.protocol(i),
            rows.towardsService(i) ? "to" : "from");
  }

  /** Bytes, packets, flows, sessions, resets, drops. */
  private static long[] values(MinuteRows rows, int i) {
    return new long[] {
      rows.bytes(i), rows.packets(i), rows.flows(i), rows.sessions(i), rows.resets(i), rows.drops(i)
    };
  }

  @Test
  void recordsOfOneServiceAreAddedUpWhateverThePortOfTheClient() {
    assertThat(
            sums(
                Flow.from("10.77.1.11", 40_001, "10.77.2.13", 80).traffic(500, 5),
                Flow.from("10.77.1.11", 40_002, "10.77.2.13", 80).traffic(700, 7),
                Flow.from("10.77.2.13", 80, "10.77.1.11", 40_002).traffic(90_000, 60)))
        .containsExactly(
            "+0 o0 10.77.1.11 > 10.77.2.13 80/6 to [1200, 12, 2, 2, 0, 0]",
            "+0 o0 10.77.2.13 > 10.77.1.11 80/6 from [90000, 60, 1, 0, 0, 0]");
  }

  @Test
  void sessionsNeedASynOrNoFlagsAtAllAndOnlyRecordsTowardsTheServiceHaveThem() {
    assertThat(
            sums(
                Flow.from("10.0.0.1", 40_001, "10.0.0.2", 80).flags(2 | 16),
                Flow.from("10.0.0.1", 40_001, "10.0.0.2", 80).flags(16),
                Flow.from("10.0.0.1", 40_001, "10.0.0.2", 80).flags(FlowBatch.UNKNOWN),
                Flow.from("10.0.0.2", 80, "10.0.0.1", 40_001).flags(2 | 16),
                Flow.from("10.0.0.1", 40_001, "10.0.0.3", 53).protocol(17).flags(0),
                Flow.from("10.0.0.1", 0, "10.0.0.3", 0).protocol(1).icmp(8, 0).flags(0),
                Flow.from("10.0.0.3", 0, "10.0.0.1", 0).protocol(1).icmp(0, 0).flags(0)))
        .containsExactly(
            "+0 o0 10.0.0.1 > 10.0.0.2 80/6 to [3000, 30, 3, 2, 0, 0]",
            "+0 o0 10.0.0.1 > 10.0.0.3 2048/1 to [1000, 10, 1, 1, 0, 0]",
            "+0 o0 10.0.0.1 > 10.0.0.3 53/17 to [1000, 10, 1, 1, 0, 0]",
            "+0 o0 10.0.0.2 > 10.0.0.1 80/6 from [1000, 10, 1, 0, 0, 0]",
            "+0 o0 10.0.0.3 > 10.0.0.1 0/1 from [1000, 10, 1, 0, 0, 0]");
  }

  @Test
  void resetsAreCountedInBothDirectionsAndForTcpOnly() {
    assertThat(
            sums(
                Flow.from("10.0.0.1", 40_001, "10.0.0.2", 80).flags(2 | 4),
                Flow.from("10.0.0.2", 80, "10.0.0.1", 40_001).flags(4 | 16),
                Flow.from("10.0.0.1", 40_001, "10.0.0.2", 53).protocol(17).flags(4)))
        .containsExactly(
            "+0 o0 10.0.0.1 > 10.0.0.2 53/17 to [1000, 10, 1, 1, 0, 0]",
            "+0 o0 10.0.0.1 > 10.0.0.2 80/6 to [1000, 10, 1, 1, 1, 0]",
            "+0 o0 10.0.0.2 > 10.0.0.1 80/6 from [1000, 10, 1, 0, 1, 0]");
  }

  @Test
  void droppedPacketsCountAsDropsAndNotAsTraffic() {
    assertThat(
            sums(
                Flow.from("10.0.0.1", 40_001, "10.0.0.2", 80).traffic(500, 5).dropped(),
                Flow.from("10.0.0.1", 40_001, "10.0.0.2", 80).traffic(700, 7)))
        .containsExactly("+0 o0 10.0.0.1 > 10.0.0.2 80/6 to [700, 7, 2, 1, 0, 5]");
  }

  @Test
  void aLongFlowIsSpreadOverItsMinutesInProportion() {
    assertThat(
            sums(
                Flow.from("10.0.0.1", 40_001, "10.0.0.2", 80)
                    .traffic(100_003, 11)
                    .lasting(45_000, 145_000)
                    .flags(2 | 4)))
        .containsExactly(
            "+0 o0 10.0.0.1 > 10.0.0.2 80/6 to [15000, 1, 1, 1, 1, 0]",
            "+1 o0 10.0.0.1 > 10.0.0.2 80/6 to [60002, 7, 0, 0, 0, 0]",
            "+2 o0 10.0.0.1 > 10.0.0.2 80/6 to [25001, 3, 0, 0, 0, 0]");
  }

  @Test
  void aFlowThatEndsWithTheMinuteLeavesNothingInTheNext() {
    assertThat(sums(Flow.from("10.0.0.1", 40_001, "10.0.0.2", 80).lasting(0, 60_000)))
        .containsExactly("+0 o0 10.0.0.1 > 10.0.0.2 80/6 to [1000, 10, 1, 1, 0, 0]");
  }

  @Test
  void aMinuteOfALongFlowThatGetsNothingHasNoRow() {
    assertThat(
            sums(
                Flow.from("10.0.0.1", 40_001, "10.0.0.2", 80)
                    .traffic(1, 1)
                    .lasting(30_000, 600_000)))
        .containsExactly(
            "+0 o0 10.0.0.1 > 10.0.0.2 80/6 to [0, 0, 1, 1, 0, 0]",
            "+9 o0 10.0.0.1 > 10.0.0.2 80/6 to [1, 1, 0, 0, 0, 0]");
  }

  @Test
  void droppedPacketsAreSpreadToo() {
    assertThat(
            sums(
                Flow.from("10.0.0.1", 40_001, "10.0.0.2", 80)
                    .traffic(600, 6)
                    .lasting(0, 120_000)
                    .dropped()))
        .containsExactly(
            "+0 o0 10.0.0.1 > 10.0.0.2 80/6 to [0, 0, 1, 0, 0, 3]",
            "+1 o0 10.0.0.1 > 10.0.0.2 80/6 to [0, 0, 0, 0, 0, 3]");
  }

  @Test
  void aFlowOfManyDaysHasABoundedNumberOfRowsAndLosesNothing() {
    long week = 7L * 24 * 3600 * 1000;
    sums(
        Flow.from("10.0.0.1", 40_001, "10.0.0.2", 80)
            .traffic(Long.MAX_VALUE / 4, 123_457)
            .lasting(-week, 0));
    MinuteRows rows = minutes.rows();
    assertThat(rows.size()).isEqualTo(FlowMinutes.MOST_MINUTES);
    long bytes = 0;
    long packets = 0;
    int newest = 0;
    for (int i = 0; i < rows.size(); i++) {
      bytes += rows.bytes(i);
      packets += rows.packets(i);
      newest = Math.max(newest, rows.minute(i));
    }
    assertThat(bytes).isEqualTo(Long.MAX_VALUE / 4);
    assertThat(packets).isEqualTo(123_457);
    assertThat(newest).isEqualTo(MINUTE0 - 7);
  }

  @Test
  void aFlowThatClaimsYearsIsPutIntoItsLastMonth() {
    sums(Flow.from("10.0.0.1", 40_001, "10.0.0.2", 80).lasting(-Flow.T0, 0).traffic(1L << 40, 1));
    MinuteRows rows = minutes.rows();
    long bytes = 0;
    for (int i = 0; i < rows.size(); i++) {
      bytes += rows.bytes(i);
      assertThat(rows.minute(i)).isGreaterThanOrEqualTo(MINUTE0 - 31 * 24 * 60);
    }
    assertThat(bytes).isEqualTo(1L << 40);
  }

  @Test
  void partsAreExact() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 100_000; i++) {
      long total = random.nextLong(1L << random.nextInt(1, 63));
      long whole = 1 + random.nextLong(FlowMinutes.LONGEST_MILLIS);
      long time = random.nextLong(whole + 1);
      assertThat(BigInteger.valueOf(FlowMinutes.part(total, time, whole)))
          .isEqualTo(
              BigInteger.valueOf(total)
                  .multiply(BigInteger.valueOf(time))
                  .divide(BigInteger.valueOf(whole)));
    }
  }

  @Test
  void observersAndDirectionsAreKeptApart() {
    assertThat(
            sums(
                new Flow().seenBy(Flow.ROUTER, FlowBatch.INGRESS),
                new Flow().seenBy(Flow.ROUTER, FlowBatch.EGRESS),
                new Flow().seenBy(Flow.ROUTER, FlowBatch.NO_DIRECTION),
                new Flow().seenBy(Flow.SWITCH, FlowBatch.INGRESS)))
        .containsExactly(
            "+0 o0 10.77.1.11 > 10.77.2.13 80/6 to [2000, 20, 2, 2, 0, 0]",
            "+0 o0e 10.77.1.11 > 10.77.2.13 80/6 to [1000, 10, 1, 1, 0, 0]",
            "+0 o1 10.77.1.11 > 10.77.2.13 80/6 to [1000, 10, 1, 1, 0, 0]");
    assertThat(endpoints.observerOf(1)).isEqualTo(Flow.SWITCH);
  }

  @Test
  void anAddressBelongsToTheObjectThatHadItWhenTheRecordEnded() {
    Addresses web = Flow.address("10.77.2.13");
    AddressBook book =
        new AddressBook.Builder()
            .add(web.high(), web.low(), 3, Kind.VM, Long.MIN_VALUE, Flow.T0 + 1_000)
            .add(web.high(), web.low(), 4, Kind.VM, Flow.T0 + 1_000, Long.MAX_VALUE)
            .build();
    minutes.use(book, Networks.unnamed());
    assertThat(
            sums(
                new Flow().lasting(0, 999),
                new Flow().lasting(0, 1_000),
                Flow.from("8.8.8.8", 443, "10.77.1.11", 50_000)))
        .containsExactly(
            "+0 o0 10.77.1.11 > 10.77.2.13 of 3 80/6 to [1000, 10, 1, 1, 0, 0]",
            "+0 o0 10.77.1.11 > 10.77.2.13 of 4 80/6 to [1000, 10, 1, 1, 0, 0]",
            "+0 o0 8.8.8.8 > 10.77.1.11 443/6 from [1000, 10, 1, 0, 0, 0]");
  }

  @Test
  void endpointsAreAskedForOncePerBatchAndOnlyWhenTheyAreNew() {
    Network web = new Network("web", List.of(Cidr.parse("10.77.2.0/24")), null, 20, null, null);
    minutes.use(AddressBook.empty(), Networks.of(List.of(web), Networks.DEFAULT_INTERNAL));
    sums(new Flow(), new Flow(), Flow.from("8.8.8.8", 443, "10.77.1.11", 50_000));
    assertThat(endpoints.questions).isEqualTo(1);
    assertThat(endpoints.all())
        .containsExactly(
            new InMemoryEndpoints.Endpoint("10.77.1.11", EndpointRequest.NO_OBJECT, "", true),
            new InMemoryEndpoints.Endpoint("10.77.2.13", EndpointRequest.NO_OBJECT, "web", true),
            new InMemoryEndpoints.Endpoint("8.8.8.8", EndpointRequest.NO_OBJECT, "", false));
    sums(new Flow());
    assertThat(endpoints.questions).isEqualTo(1);
    sums(Flow.from("10.77.1.11", 40_000, "10.77.2.14", 80));
    assertThat(endpoints.questions).isEqualTo(2);
    assertThat(endpoints.asked).isEqualTo(4);
    minutes.use(AddressBook.empty(), Networks.unnamed());
    sums(new Flow());
    assertThat(endpoints.asked).as("networks have changed").isEqualTo(6);
  }

  @Test
  void endpointsBeyondTheLimitAreForgottenAndAskedForAgain() {
    FlowMinutes few = new FlowMinutes(endpoints, 100_000, 3);
    FlowBatch batch = Flow.batch(new Flow(), Flow.from("10.0.0.1", 1, "10.0.0.2", 2));
    few.add(batch, 0);
    assertThat(endpoints.asked).isEqualTo(4);
    few.add(batch, 0);
    assertThat(endpoints.asked).isEqualTo(8);
    assertThat(few.rows().size()).isEqualTo(2);
    assertThat(few.rows().flows(0)).isEqualTo(2);
  }

  @Test
  void nothingIsAddedWhenTheStoreCannotAnswer() {
    endpoints.broken = true;
    FlowBatch batch = Flow.batch(new Flow());
    assertThatThrownBy(() -> minutes.add(batch, 0)).hasMessage("The database is away");
    assertThat(minutes.rows().size()).isZero();
    endpoints.broken = false;
    assertThat(sums(new Flow()))
        .containsExactly("+0 o0 10.77.1.11 > 10.77.2.13 80/6 to [1000, 10, 1, 1, 0, 0]");
  }

  @Test
  void anEndpointWithoutAnAnswerIsAnError() {
    FlowMinutes lazy =
        new FlowMinutes(
            new Endpoints() {
              @Override
              public void find(EndpointRequest request) {
                request.answer(0, 1);
              }

              @Override
              public int observer(Observer observer) {
                return 0;
              }
            },
            100_000,
            100_000);
    assertThatThrownBy(() -> lazy.add(Flow.batch(new Flow()), 0))
        .hasMessage("Endpoint 10.77.2.13 got no id");
  }

  @Test
  void addingStopsWhenTheRowsAreFullAndContinuesAfterwards() {
    FlowMinutes small = new FlowMinutes(endpoints, FlowMinutes.MOST_MINUTES, 100_000);
    FlowBatch batch = new FlowBatch();
    for (int i = 0; i < 4_000; i++) {
      Flow.from("10.0.0.1", 40_000, "10.1." + i / 200 + "." + i % 200, 80).addTo(batch);
    }
    Flow.from("10.0.0.1", 40_000, "10.1.0.0", 80).lasting(-86_400_000L, 0).addTo(batch);
    long flows = 0;
    int parts = 0;
    for (int at = 0; at < batch.size(); parts++) {
      int next = small.add(batch, at);
      assertThat(next).isGreaterThan(at);
      assertThat(small.rows().size()).isBetween(1, FlowMinutes.MOST_MINUTES);
      for (int i = 0; i < small.rows().size(); i++) {
        flows += small.rows().flows(i);
      }
      small.clear();
      at = next;
    }
    assertThat(flows).isEqualTo(4_001);
    assertThat(parts).isEqualTo(4);
    assertThatThrownBy(() -> new FlowMinutes(endpoints, 100, 100))
        .hasMessage("maxRows must be at least 1440, so that any one record fits, not 100");
  }

  @RepeatedTest(value = 20, name = "seed {currentRepetition}")
  void theOrderOfRecordsAndTheirBatchesDoNotMatter(RepetitionInfo seed) {
    SplittableRandom random = new SplittableRandom(seed.getCurrentRepetition());
    List<Flow> flows = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      flows.add(randomFlow(random));
    }
    Addresses moving = Flow.address("10.0.0.3");
    AddressBook book =
        new AddressBook.Builder()
            .add(moving.high(), moving.low(), 1, Kind.VM, Long.MIN_VALUE, Flow.T0 + 100_000)
            .add(moving.high(), moving.low(), 2, Kind.VM, Flow.T0 + 100_000, Long.MAX_VALUE)
            .build();

    Map<String, long[]> once = sumsInBatches(flows, book, flows.size(), 1_000_000, 1_000_000);
    assertThat(once.size()).isGreaterThan(200);
    long[] total = new long[6];
    once.values().forEach(v -> addTo(total, v));
    assertThat(total[0])
        .isEqualTo(flows.stream().filter(f -> !f.dropped).mapToLong(f -> f.bytes).sum());
    assertThat(total[1])
        .isEqualTo(flows.stream().filter(f -> !f.dropped).mapToLong(f -> f.packets).sum());
    assertThat(total[2]).isEqualTo(flows.size());
    assertThat(total[5])
        .isEqualTo(flows.stream().filter(f -> f.dropped).mapToLong(f -> f.packets).sum());

    List<Flow> shuffled = new ArrayList<>(flows);
    Collections.shuffle(shuffled, new Random(seed.getCurrentRepetition()));
    int batch = 1 + random.nextInt(500);
    Map<String, long[]> parts =
        sumsInBatches(shuffled, book, batch, FlowMinutes.MOST_MINUTES + random.nextInt(500), 10);
    assertThat(parts.keySet()).isEqualTo(once.keySet());
    once.forEach((key, sums) -> assertThat(parts.get(key)).as(key).isEqualTo(sums));
  }

  private static Flow randomFlow(SplittableRandom random) {
    boolean answer = random.nextBoolean();
    String client = "10.0.0." + random.nextInt(5);
    String server = (random.nextBoolean() ? "10.0.1." : "fd00::") + random.nextInt(5);
    int port = random.nextInt(3) * 1000 + 80;
    int own = 40_000 + random.nextInt(1000);
    Flow flow =
        answer ? Flow.from(server, port, client, own) : Flow.from(client, own, server, port);
    long from = random.nextLong(600_000);
    long took = random.nextInt(4) == 0 ? random.nextLong(400_000) : random.nextLong(2_000);
    flow.lasting(from, from + took)
        .traffic(random.nextLong(1 << 20), random.nextLong(1 << 10))
        .protocol(random.nextInt(4) == 0 ? 17 : 6)
        .flags(random.nextInt(-1, 32))
        .seenBy(random.nextBoolean() ? Flow.ROUTER : Flow.SWITCH, random.nextInt(3));
    return random.nextInt(20) == 0 ? flow.dropped() : flow;
  }

  private Map<String, long[]> sumsInBatches(
      List<Flow> flows, AddressBook book, int size, int maxRows, int maxEndpoints) {
    FlowMinutes sums = new FlowMinutes(endpoints, maxRows, maxEndpoints);
    sums.use(book, Networks.unnamed());
    Map<String, long[]> all = new TreeMap<>();
    FlowBatch batch = new FlowBatch();
    for (int from = 0; from < flows.size(); from += size) {
      batch.clear();
      flows.subList(from, Math.min(from + size, flows.size())).forEach(f -> f.addTo(batch));
      for (int at = 0; (at = sums.add(batch, at)) < batch.size(); ) {
        take(sums, all);
      }
    }
    take(sums, all);
    return all;
  }

  private void take(FlowMinutes sums, Map<String, long[]> all) {
    MinuteRows rows = sums.rows();
    for (int i = 0; i < rows.size(); i++) {
      addTo(all.computeIfAbsent(key(rows, i), k -> new long[6]), values(rows, i));
    }
    sums.clear();
  }

  private static void addTo(long[] sum, long[] more) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += more[i];
    }
  }
}
