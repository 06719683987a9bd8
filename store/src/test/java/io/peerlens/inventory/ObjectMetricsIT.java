package io.peerlens.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.ObjectMetric;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Which metrics an object has, from raw samples and from roll-ups. */
class ObjectMetricsIT {

  private static final Instant NOW = Instant.parse("2026-05-04T12:30:00Z");
  private static final Instant ROLLED_UNTIL = Instant.parse("2026-05-04T11:00:00Z");
  private static final double NONE = Double.NaN;

  private static SampleData data = SampleData.create();
  private static final InstantSource CLOCK = InstantSource.fixed(NOW);
  private static ObjectMetricQueries queries = new ObjectMetricQueries(data.jdbc(), CLOCK);
  private static int object;
  private static int gone;

  @BeforeAll
  static void fill() {
    JdbcClient jdbc = data.jdbc();
    jdbc.sql("update level_state set rolled_until = ? where level = '1h'")
        .param(SampleData.time(ROLLED_UNTIL))
        .update();
    object = data.object("TEST", "Sensor", "one");
    int group =
        data.group(
            "TEST",
            "Sensor",
            "rare",
            List.of("often", "never", "today", "weekly", "long-ago", "just-now", "yearly"));
    int set = data.set(object, group, "");
    data.sample(NOW, set, 1);
    data.sample(NOW.minus(Duration.ofMinutes(20)), set, 1, NONE, NONE, NONE, NONE, 5);
    Instant morning = NOW.minus(Duration.ofHours(5)); // 07:30
    data.sample(morning, set, NONE, NONE, 2);
    data.sample(morning.plusSeconds(60), set, NONE, NONE, 3);
    data.sample(morning.plusSeconds(120), set, 1);
    hour(set, morning.minus(Duration.ofMinutes(30)), 1, NONE, 2.5);
    hour(set, ROLLED_UNTIL.minus(Duration.ofDays(7)), 1, NONE, NONE, 4);
    hour(set, ROLLED_UNTIL.minus(Duration.ofDays(29)), 1, NONE, NONE, NONE, 4);
    hour(set, ROLLED_UNTIL.minus(Duration.ofDays(31)), 1, NONE, NONE, NONE, NONE, NONE, 6);

    gone = data.object("TEST", "Sensor", "gone");
    int old = data.set(gone, group, "probe");
    hour(old, ROLLED_UNTIL.minus(Duration.ofDays(60)), 1);
    hour(old, ROLLED_UNTIL.minus(Duration.ofDays(70)), NONE, NONE, 3);
    hour(old, ROLLED_UNTIL.minus(Duration.ofDays(95)), NONE, NONE, NONE, 3);
  }

  @AfterAll
  static void close() {
    data.close();
  }

  @Test
  void rareMetricsAreKnownFromTheHoursOfThirtyDays() {
    assertThat(queries.metrics(object, null, false))
        .extracting(ObjectMetric::getMetric)
        .containsExactly("just-now", "long-ago", "often", "today", "weekly");
  }

  @Test
  void newestValuesAreThoseOfRawSamplesOfADay() {
    assertThat(queries.metrics(object, "rare", true))
        .extracting(m -> m.getMetric() + " " + m.getNewestTime() + " " + m.getNewestValue())
        .containsExactly(
            "just-now 2026-05-04T12:10:00Z 5.0",
            "long-ago null null",
            "often 2026-05-04T12:30:00Z 1.0",
            "today 2026-05-04T07:31:00Z 3.0",
            "weekly null null");
  }

  @Test
  void anObjectWhoseSamplesAreTooOldToBeKeptHasItsHours() {
    assertThat(queries.metrics(gone, null, true))
        .extracting(m -> m.getKey() + " " + m.getNewestTime() + " " + m.getNewestValue())
        .containsExactly("rare:probe|often null null", "rare:probe|today null null");
  }

  @Test
  void withoutRollUpsADayOfSamplesIsSearched() {
    int fresh = data.object("TEST", "Sensor", "fresh");
    int group = data.group("TEST", "Sensor", "fresh", List.of("a", "b", "c"));
    int set = data.set(fresh, group, "");
    data.sample(NOW, set, 1);
    data.sample(NOW.minus(Duration.ofHours(23)), set, NONE, 2);
    data.sample(NOW.minus(Duration.ofHours(25)), set, NONE, NONE, 3);
    String rolledUntil = "update level_state set rolled_until = ? where level = '1h'";
    data.sql("update level_state set rolled_until = null where level = '1h'");
    try {
      assertThat(queries.metrics(fresh, null, false))
          .extracting(ObjectMetric::getMetric)
          .containsExactly("a", "b");
    } finally {
      data.jdbc().sql(rolledUntil).param(SampleData.time(ROLLED_UNTIL)).update();
    }
  }

  @Test
  void aGroupCanBeAskedFor() {
    assertThat(queries.metrics(object, "no-such-group", false)).isEmpty();
  }

  private static void hour(int set, Instant begin, double... avg) {
    data.jdbc()
        .sql(
            """
            insert into sample_1h (time, set_id, samples, avg)
            select ?, ?, 1, array(select nullif(v, 'NaN') from unnest(?::float8[]) with ordinality as u(v, i) order by i)
            """)
        .params(SampleData.time(begin), set, avg)
        .update();
  }
}
