package io.peerlens.flow.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.flow.minute.MinuteRows;
import io.peerlens.ingest.flow.FlowMetric;
import io.peerlens.ingest.flow.FlowPart;
import io.peerlens.ingest.flow.ServiceName;
import io.peerlens.ingest.flow.TrafficType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlowMetricTest {

  /** Endpoints 1 to 12 belong to objects 101 to 106, two each, which run on hosts 201 to 203. */
  private static final FlowEnds ENDS =
      new FlowEnds() {
        @Override
        public boolean internal(int endpoint) {
          return endpoint <= 20;
        }

        @Override
        public int talker(TalkerDimension dimension, int endpoint) {
          boolean owned = endpoint <= 12;
          return switch (dimension) {
            case PAIR -> owned ? 2 * object(endpoint) : 2 * endpoint + 1;
            case HOST -> owned ? 201 + object(endpoint) % 3 : NO_TALKER;
            default -> throw new IllegalArgumentException(dimension.toString());
          };
        }

        private int object(int endpoint) {
          return 101 + (endpoint - 1) / 2;
        }
      };

  private static final FlowPart WEB =
      new FlowPart(null, List.of(service("443/tcp"), service("444")));
  private static final FlowPart DNS = new FlowPart(TrafficType.EAST_WEST, List.of(service("udp")));

  private static ServiceName service(String text) {
    return ServiceName.parse(text).orElseThrow();
  }

  private static FlowMetricSums sums(MinuteRows rows) {
    FlowMetricSums sums =
        new FlowMetricSums(ENDS, Map.of(WEB, new int[] {101, 201, 999}, DNS, new int[] {101, 102}));
    // Nearly everything is folded, which the sums must not see.
    new FlowRollup(1, ENDS).bucket(rows, RandomTraffic.FIRST, RandomTraffic.MINUTES, true, sums);
    return sums;
  }

  /** What an object sent or received, by the definition. */
  private static long plainly(FlowSums all, int object, FlowPart part, FlowMetric metric) {
    long sum = 0;
    for (int row = 0; row < all.size(); row++) {
      int end = metric.received() ? all.dst(row) : all.src(row);
      boolean its =
          ENDS.talker(TalkerDimension.PAIR, end) == 2 * object
              || ENDS.talker(TalkerDimension.HOST, end) == object;
      TrafficType type = TrafficType.of(ENDS.internal(all.src(row)), ENDS.internal(all.dst(row)));
      int port = all.port(row);
      boolean service =
          part.equals(WEB)
              ? port == 443 && all.protocol(row) == 6 || port == 444
              : !part.equals(DNS) || all.protocol(row) == 17;
      if (its && service && (part.type() == null || part.type() == type)) {
        sum += all.get(row, metric.measure());
      }
    }
    return sum;
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void everyMetricIsTheSumOfItsTraffic(long seed) {
    RandomTraffic traffic = new RandomTraffic(seed);
    MinuteRows rows = traffic.rows(2_000, RandomTraffic.FIRST);
    FlowMetricSums sums = sums(rows);
    FlowSums all =
        new FlowRollup(1_000_000, ENDS)
            .bucket(rows, RandomTraffic.FIRST, RandomTraffic.MINUTES, true, null);
    int[] objects = sums.objects();
    Arrays.sort(objects);
    assertThat(objects).containsExactly(101, 102, 103, 104, 105, 106, 201, 202, 203);
    for (int object : objects) {
      List<FlowPart> parts = new ArrayList<>(FlowPart.STANDARD);
      parts.addAll(sums.asked(object));
      for (FlowPart part : parts) {
        for (FlowMetric metric : FlowMetric.values()) {
          double expected = plainly(all, object, part, metric) / (metric.rate() ? 300.0 : 1);
          assertThat(sums.value(object, part, metric, 300))
              .as("%d %s", object, metric.key(part))
              .isEqualTo(expected);
        }
      }
    }
    assertThat(sums.value(101, WEB, FlowMetric.BYTES_RX, 300)).isPositive();
    assertThat(sums.value(101, DNS, FlowMetric.BYTES_TX, 300)).isPositive();
    assertThat(sums.value(201, WEB, FlowMetric.SESSIONS_RX, 300)).isPositive();
  }

  @Test
  void theOrderOfRowsChangesNothing() {
    RandomTraffic traffic = new RandomTraffic(4);
    MinuteRows rows = traffic.rows(1_000, RandomTraffic.FIRST);
    FlowMetricSums one = sums(rows);
    FlowMetricSums other = sums(traffic.shuffled(rows));
    for (int object : one.objects()) {
      for (FlowMetric metric : FlowMetric.values()) {
        assertThat(other.value(object, FlowPart.EAST_WEST, metric, 300))
            .isEqualTo(one.value(object, FlowPart.EAST_WEST, metric, 300));
      }
    }
  }

  @Test
  void anObjectWithoutTrafficHasNone() {
    FlowMetricSums sums = sums(new MinuteRows());
    assertThat(sums.objects()).isEmpty();
    assertThat(sums.talked(101)).isFalse();
    assertThat(sums.asked(101)).containsExactlyInAnyOrder(WEB, DNS);
    assertThat(sums.value(101, WEB, FlowMetric.BYTES_RX_RATE, 300)).isZero();
    assertThat(sums.value(5_000, FlowPart.ALL, FlowMetric.BYTES_RX_RATE, 300)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "net:flow|bytesRx_rate",
    "net:flow:eastWest|sessionsTx_summation",
    "net:flow:northSouth:443/tcp|dropsRx_rate",
    "net:flow:icmp+53+80/tcp+443/tcp+443/udp|bytesTx_summation"
  })
  void aKeyNamesItsPartOfTheTraffic(String key) {
    FlowMetric.Of found = FlowMetric.parse(key);
    assertThat(found).isNotNull();
    assertThat(found.key()).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "net|bytesRx_rate",
        "net:vmnic0|bytesRx_rate",
        "net:flows|bytesRx_rate",
        "net:flow:|bytesRx_rate",
        "net:flow:external|bytesRx_rate",
        "net:flow|usage_average",
        "cpu:flow|bytesRx_rate",
        "net:flow:443/tcp+80/tcp|bytesRx_rate", // not in order
        "net:flow:80/tcp+80/tcp|bytesRx_rate",
        "net:flow:0443/tcp|bytesRx_rate",
        "net:flow:80/TCP|bytesRx_rate",
        "net:flow:eastWest:80/tcp:81/tcp|bytesRx_rate",
      })
  void otherKeysAreNoFlowMetrics(String key) {
    assertThat(FlowMetric.parse(key)).isNull();
  }

  @Test
  void servicesMayBeWrittenInAnyOrder() {
    FlowMetric.Of read = FlowMetric.read("net:flow:443/TCP+80/tcp+0443/tcp|bytesRx_rate");
    assertThat(read).isNotNull();
    assertThat(read.key()).isEqualTo("net:flow:80/tcp+443/tcp|bytesRx_rate");
  }

  @Test
  void aPortOfAnyProtocolIsOneOfProtocolsThatHavePorts() {
    ServiceName dns = service("53");
    assertThat(dns.matches(53, 17)).isTrue();
    assertThat(dns.matches(53, 6)).isTrue();
    assertThat(dns.matches(53, 1)).isFalse(); // ICMP, of which it is type and code
    assertThat(service("icmp").matches(53, 1)).isTrue();
    assertThat(service("53/udp").matches(53, 6)).isFalse();
  }

  @Test
  void partsAreBounded() {
    List<ServiceName> services =
        new ArrayList<>(IntStream.range(0, 21).mapToObj(i -> service(100 + i + "/tcp")).toList());
    assertThatThrownBy(() -> new FlowPart(null, services)).hasMessageContaining("at most 20");
    services.removeLast();
    Collections.reverse(services);
    String key = FlowMetric.BYTES_RX.key(new FlowPart(null, services));
    assertThat(key).startsWith("net:flow:100/tcp+101/tcp+").hasSizeLessThan(200);
    assertThat(FlowMetric.parse(key)).isNotNull();
    assertThatThrownBy(() -> new FlowPart(TrafficType.EXTERNAL, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
