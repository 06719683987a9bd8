package io.peerlens.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.ingest.IngestGuards;
import io.peerlens.ingest.RecordDecoder;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.TimePrecision;
import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.node.Role;
import io.peerlens.store.TimescaleSampleStore;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.SettableClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Objects that go silent and come back, stored by what stores samples. */
class SilenceHistoryIT {

  private static final Instant START =
      Instant.now().truncatedTo(ChronoUnit.MINUTES).minus(2, ChronoUnit.HOURS);
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);
  private static final InventoryProperties USUAL =
      new InventoryProperties(3, Duration.ofMinutes(5), Duration.ofMinutes(15));

  private final SettableClock clock = new SettableClock(START);
  private SampleData data;
  private LivenessHistory history;
  private RecordDecoder decoder;
  private TimescaleSampleStore store;
  private long offset;

  @BeforeEach
  void create() {
    data = SampleData.create();
    history = new LivenessHistory(data.jdbc(), USUAL);
    decoder =
        new RecordDecoder(
            Mappings.shipped(),
            new InventoryCatalog(data.dataSource()),
            () -> IngestGuards.DEFAULT,
            TimePrecision.NS,
            clock);
    store = new TimescaleSampleStore(data.dataSource(), "node", Duration.ofMinutes(10), clock);
  }

  @AfterEach
  void drop() {
    data.close();
  }

  /** A sample of a host at a moment, in minutes from the start, that comes in then. */
  private void sample(String host, int minute) {
    Instant at = START.plus(minute, ChronoUnit.MINUTES);
    clock.set(at);
    String line = "app,host=%s f=1 %d".formatted(host, at.getEpochSecond() * 1_000_000_000L);
    SampleBatch batch = new SampleBatch();
    decoder.decode(
        List.of(
            new ConsumerRecord<>(
                PARTITION.topic(),
                PARTITION.partition(),
                offset,
                new byte[0],
                line.getBytes(StandardCharsets.UTF_8))),
        Map.of(PARTITION, offset++),
        batch);
    assertThat(batch.deadLetters()).isEmpty();
    store.write(batch);
  }

  private int note(int minute, Instant noticing) {
    return history.note(START.plus(minute, ChronoUnit.MINUTES), noticing);
  }

  private List<String> noted() {
    return data.jdbc()
        .sql(
            """
            select o.name || ' ' || (extract(epoch from c.time) - :start)::int / 60
              || ' ' || c.old_value || ' to ' || c.new_value
            from object_change c join object o on o.id = c.object_id
            where c.kind = 'reporting' order by c.time, o.name, c.id
            """)
        .param("start", START.getEpochSecond())
        .query(String.class)
        .list();
  }

  @Test
  void goingSilentAndComingBackAreNotedOnceAtTheTimesOfTheSamples() {
    for (int minute = 0; minute <= 10; minute++) {
      sample("a", minute);
      sample("b", minute);
    }
    assertThat(note(11, Instant.MIN)).isZero();
    sample("b", 11);
    sample("b", 14);
    assertThat(note(14, Instant.MIN)).as("silent after five minutes at the earliest").isZero();
    assertThat(note(15, Instant.MIN)).isEqualTo(1);
    assertThat(note(16, Instant.MIN)).as("noted once").isZero();
    assertThat(noted()).containsExactly("a 10 reporting to silent");

    // Two samples before anybody looks: the first of them counts.
    sample("a", 40);
    sample("a", 41);
    sample("b", 41);
    assertThat(note(41, Instant.MIN)).isEqualTo(1);
    assertThat(note(42, Instant.MIN)).isZero();
    assertThat(noted()).containsExactly("a 10 reporting to silent", "a 40 silent to reporting");

    // It has an interval of half an hour now, so it is waited for longer, then told again.
    assertThat(note(60, Instant.MIN)).as("b, whose gap was 27 minutes, is waited for").isZero();
    assertThat(note(41 + 90, Instant.MIN)).isEqualTo(2);
    assertThat(noted()).hasSize(4).contains("a 41 reporting to silent");
  }

  @Test
  void aPauseOfIngestMakesNoObjectSilentUntilItHasReadLongEnough() {
    sample("a", 0);
    sample("a", 1);
    assertThat(note(30, Instant.MAX)).as("it does not listen now").isZero();
    Instant restarted = START.plus(28, ChronoUnit.MINUTES);
    assertThat(note(30, restarted)).as("it has listened for two minutes").isZero();
    sample("a", 31);
    assertThat(note(33, restarted)).isZero();
    assertThat(noted()).isEmpty();

    sample("b", 31);
    sample("b", 32);
    Instant again = START.plus(50, ChronoUnit.MINUTES);
    assertThat(note(54, again)).isZero();
    assertThat(note(55, again)).isEqualTo(1);
    assertThat(noted()).containsExactly("b 32 reporting to silent");
  }

  @Test
  void thousandsAreNotedInOneRun() {
    data.sql(
        """
        insert into object (uuid, adapter_kind, object_kind, external_id, name, attributes_time, first_seen)
        select gen_random_uuid(), 'TEST', 'Machine', 'm-' || i, 'm-' || i, now(), now() - interval '1 day'
        from generate_series(1, 2500) i
        """);
    data.sql(
        """
        insert into object_liveness (object_id, last_seen, gap_s, gap_before_s, delay_s)
        select id, now() - interval '1 hour', 60, 60, 1 from object
        """);
    assertThat(history.note(Instant.now(), Instant.MIN)).isEqualTo(2_500);
    assertThat(noted()).hasSize(2_500);
    assertThat(history.note(Instant.now(), Instant.MIN)).isZero();
  }

  @Test
  void theApiShowsItAndTheEvaluatorNotesIt() {
    sample("a", 0);
    sample("a", 1);
    UUID id =
        data.jdbc().sql("select uuid from object where name = 'a'").query(UUID.class).single();
    try (PeerlensServer server =
        PeerlensServer.start(data.database(), Set.of(Role.EVALUATOR, Role.API))) {
      String path = "/changes?object=" + id + "&kind=reporting&from=" + START;
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                JsonNode changes = server.admin().get(path).json();
                assertThat(changes.path("total").asInt()).isEqualTo(1);
                JsonNode change = changes.path("items").get(0);
                assertThat(change.path("kind").asString()).isEqualTo("reporting");
                assertThat(Instant.parse(change.path("time").asString()))
                    .isEqualTo(START.plus(1, ChronoUnit.MINUTES));
                assertThat(change.path("before").asString()).isEqualTo("reporting");
                assertThat(change.path("after").asString()).isEqualTo("silent");
                assertThat(change.path("key").isNull()).isTrue();
              });
      JsonNode ofObject =
          server.admin().get("/objects/" + id + "/changes?from=" + START).json().path("items");
      assertThat(ofObject.findValuesAsString("kind")).contains("reporting");
    }
  }
}
