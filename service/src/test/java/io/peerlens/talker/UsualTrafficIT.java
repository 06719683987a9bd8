package io.peerlens.talker;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.FlowFilter;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.Talker;
import io.peerlens.api.model.TalkerMeasure;
import io.peerlens.flow.rank.TalkerDirection;
import io.peerlens.ingest.flow.FlowMetric;
import io.peerlens.ingest.flow.ServiceName;
import io.peerlens.ingest.flow.TrafficType;
import io.peerlens.node.Role;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** From hours of flow metrics to the most that is usual for talkers. */
class UsualTrafficIT {

  private static final String KIND = "VirtualMachine";
  private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.HOURS);
  private static final Instant DAY = NOW.truncatedTo(ChronoUnit.DAYS);
  private static final Talker BUSY = talker(KIND, "busy");
  private static final Talker YOUNG = talker(KIND, "young");

  private static final SampleData data = SampleData.create();
  private static PeerlensServer server;
  private static UsualTraffic usual;

  @BeforeAll
  static void fill() {
    int net = data.group("VMWARE", KIND, "net", FlowMetric.names());
    int busy = data.set(data.object("VMWARE", KIND, "busy"), net, "flow");
    hours(busy, Duration.ofDays(40));
    hours(data.set(data.object("VMWARE", KIND, "young"), net, "flow"), Duration.ofDays(3));
    data.sql("update level_state set rolled_until = '2100-01-01T00:00:00Z' where level = '1h'");
    server = PeerlensServer.start(data.database(), Set.of(Role.API));
    usual = server.context().getBean(UsualTraffic.class);
  }

  @AfterAll
  static void close() {
    server.close();
    data.close();
  }

  /**
   * 1,000 to 1,024 bytes a second received, half of it sent, and ten times as much at 3 o'clock.
   */
  private static void hours(int set, Duration past) {
    data.jdbc()
        .sql(
            """
            insert into sample_1h (time, set_id, samples, avg)
            select h, ?, 12, array[v, v / 2]
            from (select h, (1000 + extract(epoch from h)::bigint / 3600 * 7 % 25)
                    * case extract(hour from h at time zone 'UTC') when 3 then 10 else 1 end as v
                  from generate_series(?::timestamptz, ?::timestamptz, '1 hour') h) x
            """)
        .params(set, SampleData.time(NOW.minus(past)), SampleData.time(NOW))
        .update();
  }

  private static Talker talker(String kind, String name) {
    return new Talker(name, name, new FlowFilter())
        .object(new ObjectRef(SampleData.uuid(kind, name), "VMWARE", kind, name));
  }

  private static FlowCondition condition(
      @Nullable TrafficType type, List<ServiceName> services, TalkerDirection direction) {
    return new FlowCondition(type, services, FlowEndFilter.ANY, FlowEndFilter.ANY, direction);
  }

  private static double most(
      Talker talker, TalkerDirection direction, TalkerMeasure measure, int fromHour, int toHour) {
    return usual
        .most(
            List.of(talker),
            condition(null, List.of(), direction),
            measure,
            DAY.plus(Duration.ofHours(fromHour)),
            DAY.plus(Duration.ofHours(toHour)))[0];
  }

  @Test
  void theMaximumOfAnHourIsItsUpperBoundTheWholeTime() {
    double received = most(BUSY, TalkerDirection.RECEIVED, TalkerMeasure.BYTES, -24 + 10, -24 + 11);
    assertThat(received).isBetween(1024 * 3600.0, 1250 * 3600.0);
    assertThat(most(BUSY, TalkerDirection.SENT, TalkerMeasure.BYTES, -14, -13))
        .isBetween(512 * 3600.0, 625 * 3600.0);
    assertThat(most(BUSY, TalkerDirection.BOTH, TalkerMeasure.RATE, -14, -13))
        .isBetween(1536 * 3600.0, 1875 * 3600.0);
  }

  @Test
  void hoursWithMoreUsualTrafficAllowMore() {
    double night = most(BUSY, TalkerDirection.RECEIVED, TalkerMeasure.BYTES, -21, -20);
    assertThat(night).isGreaterThan(10_000 * 3600.0);
    double both = most(BUSY, TalkerDirection.RECEIVED, TalkerMeasure.BYTES, -21, -19);
    double after = most(BUSY, TalkerDirection.RECEIVED, TalkerMeasure.BYTES, -20, -19);
    assertThat(both).isEqualTo(night + after);
  }

  @Test
  void trafficWithoutLearnedBoundsIsUnknown() {
    assertThat(most(YOUNG, TalkerDirection.BOTH, TalkerMeasure.BYTES, -14, -13)).isNaN();
    assertThat(most(talker(KIND, "nobody"), TalkerDirection.BOTH, TalkerMeasure.BYTES, -14, -13))
        .isNaN();
    assertThat(most(BUSY, TalkerDirection.BOTH, TalkerMeasure.SESSIONS, -14, -13)).isNaN();
    assertThat(most(BUSY, TalkerDirection.BOTH, TalkerMeasure.PEAK, -14, -13)).isNaN();
    assertThat(most(BUSY, TalkerDirection.BOTH, TalkerMeasure.BYTES, -73, -14)).isNaN();
    // Nothing of this traffic was stored, and nothing is learned of parts by service.
    assertThat(
            usual.most(
                List.of(BUSY),
                condition(TrafficType.EAST_WEST, List.of(), TalkerDirection.BOTH),
                TalkerMeasure.BYTES,
                DAY.minusSeconds(7200),
                DAY))
        .containsExactly(Double.NaN);
    assertThat(
            usual.most(
                List.of(BUSY),
                condition(
                    null,
                    List.of(ServiceName.parse("443/tcp").orElseThrow()),
                    TalkerDirection.BOTH),
                TalkerMeasure.BYTES,
                DAY.minusSeconds(7200),
                DAY))
        .containsExactly(Double.NaN);
  }
}
