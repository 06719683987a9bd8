package io.peerlens.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.peerlens.event.decode.EventDecoder;
import io.peerlens.event.mapping.EventRules;
import io.peerlens.notify.relay.VCenterAlarm;
import io.peerlens.support.SampleData;
import io.peerlens.support.SettableClock;
import io.peerlens.support.TestKafka;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Events through a real broker into a real database. */
@Timeout(180)
class EventConsumerIT {

  private static final Instant NOW = Instant.parse("2026-11-22T21:00:00Z");
  private static final String VC = "127.0.0.1:18990";

  private final String topic = "events-" + UUID.randomUUID();
  private final SampleData data = SampleData.create();
  private final JdbcClient jdbc = data.jdbc();
  private final SettableClock clock = new SettableClock(NOW);
  private final List<Running> running = new ArrayList<>();
  private EventProperties properties = properties(10_000, 60_000);

  private EventProperties properties(int maxUnknown, int maxChangesPerMinute) {
    return new EventProperties(
        true,
        topic,
        topic,
        50,
        null,
        List.of(),
        "",
        Duration.ofHours(24),
        maxUnknown,
        maxChangesPerMinute,
        Duration.ofMinutes(10),
        Duration.ofDays(400),
        4 << 20);
  }

  /** A consumer on a thread of its own. */
  private final class Running {
    private final EventConsumer consumer;
    private final Thread thread;

    Running() {
      EventCounters counters = new EventCounters(new SimpleMeterRegistry());
      consumer =
          new EventConsumer(
              new EventConsumer.Settings(properties, TestKafka.shared().bootstrap(), Map.of()),
              store(),
              intake(),
              () -> "",
              counters,
              clock);
      thread = Thread.ofPlatform().start(consumer);
    }

    void close() {
      consumer.close();
      try {
        thread.join(20_000);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private EventStore store() {
    return new EventStore(data.dataSource(), properties, "node", clock);
  }

  private EventIntake intake() {
    return new EventIntake(
        new EventDecoder(properties::guards, clock),
        EventRules.shipped(),
        properties.maxChangesPerMinute());
  }

  @BeforeEach
  void makeTopic() {
    TestKafka.shared().createTopic(topic, 2);
  }

  @AfterEach
  void close() {
    running.forEach(Running::close);
    data.close();
  }

  private void start() {
    running.add(new Running());
  }

  private int object(String kind, String moid, String name) {
    int id = data.object("VMWARE", kind, name);
    jdbc.sql("update object set external_id = ? where id = ?").params(VC + "/" + moid, id).update();
    return id;
  }

  private void send(List<String> records) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, TestKafka.shared().bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      int partition = 0;
      for (String record : records) {
        var unused =
            producer.send(
                new ProducerRecord<>(topic, partition++ % 2, null, record.getBytes(UTF_8)));
      }
      producer.flush();
    }
  }

  /** All of one partition, so in this order. */
  private void tell(String... records) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, TestKafka.shared().bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (String record : records) {
        var unused = producer.send(new ProducerRecord<>(topic, 0, null, record.getBytes(UTF_8)));
      }
      producer.flush();
    }
  }

  private long read() {
    return jdbc.sql("select coalesce(sum(next_offset), 0) from kafka_offset where topic = ?")
        .param(topic)
        .query(Long.class)
        .single();
  }

  private void awaitRead(long records) {
    await("all records stored")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50))
        .ignoreExceptions() // of connections that are broken on purpose
        .until(() -> read() == records);
  }

  private List<String> changes() {
    return jdbc.sql(
            """
            select o.name || ' | ' || c.time || ' | ' || coalesce(r.until::text, '-') || ' | ' || c.key || ' | ' || c.new_value || ' | ' || r.author
            from object_change c join object o on o.id = c.object_id join recorded_change r on r.change_id = c.id
            where c.kind = 'recorded' order by c.time, c.id
            """)
        .query(String.class)
        .list();
  }

  private long count(String sql) {
    return jdbc.sql(sql).query(Long.class).single();
  }

  private static String event(String name, long key, String time, String moid, String members) {
    return """
        {"specversion":"1.0","type":"com.vmware.vsphere.%s.v0","source":"%s","id":"%d","data":
        {"_typeName":"%s","key":%d,"chainId":%d,"createdTime":"2026-11-22T%sZ","userName":"ada",
         "vm":{"name":"web1","vm":{"type":"VirtualMachine","value":"%s"}},
         "host":{"name":"esx-2","host":{"type":"HostSystem","value":"host-2"}},"fullFormattedMessage":"%s of %s"%s}}"""
        .formatted(
            name,
            VC,
            key,
            name,
            key,
            key,
            time,
            moid,
            name,
            moid,
            members.isEmpty() ? "" : "," + members);
  }

  private static String vMotion(long key, String time) {
    return event("VmMigratedEvent", key, time, "vm-1", "\"sourceHost\":{\"name\":\"esx-1\"}");
  }

  private static String task(String key, String id, String state, String start, String end) {
    return """
        {"specversion":"1.0","type":"com.vmware.vsphere.TaskInfo.v0","source":"%s","id":"%s","data":
        {"key":"%s","descriptionId":"%s","name":"Some_Task","entity":{"type":"VirtualMachine","value":"vm-1"},"entityName":"web1",
         "state":"%s","reason":{"userName":"ada"},"queueTime":"2026-11-22T%sZ","startTime":"2026-11-22T%sZ"%s}}"""
        .formatted(
            VC,
            key + state,
            key,
            id,
            state,
            start,
            start,
            end.isEmpty() ? "" : ",\"completeTime\":\"2026-11-22T" + end + "Z\"");
  }

  @Test
  void whatANodeHadNotCommittedWhenItWasKilledIsStoredOnceByAnotherOne() throws SQLException {
    object("VirtualMachine", "vm-1", "web1");
    start();
    tell(vMotion(11, "18:01:30"));
    awaitRead(1);
    // It has moved the offsets, and waits for its turn to record the change.
    try (Connection other = connection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("select pg_advisory_xact_lock(7401)");
      tell(vMotion(12, "19:01:30"), alarm("red", "19:02:00", false));
      await("in the middle of its transaction")
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  count("select count(*) from pg_locks where locktype = 'advisory' and not granted")
                      == 1);
      statement.execute(
          "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and not granted");
      start();
      running.removeFirst().close();
      assertThat(changes()).hasSize(1);
      other.rollback();
    }
    awaitRead(3);
    assertThat(changes()).hasSize(2);
    assertThat(alertEvents()).hasSize(1);
    assertThat(count("select count(*) from dead_letter")).isZero();
  }

  private Connection connection() throws SQLException {
    return DriverManager.getConnection(
        data.database().jdbcUrl(), data.database().user(), data.database().password());
  }

  private void breakConnections() {
    try (Connection connection = connection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theCaptureIsRecordedOnceHoweverOftenItIsSentAndReadThroughBrokenConnections() {
    List<String> records = EventCaptures.lines("cloudevents-vi.jsonl.gz");
    for (int i = 0; i < 200; i++) {
      object("VirtualMachine", "vm-" + i, "vm" + i);
    }
    object("DistributedVirtualSwitch", "dvs-8", "DVS0");
    object("DistributedVirtualSwitch", "dvs-21", "DVS1");
    start();
    send(records);
    // Connections that break in the middle of transactions, as when a node is killed.
    for (int i = 0; i < 5; i++) {
      breakConnections();
      send(records.subList(i * 30, i * 30 + 30));
    }
    awaitRead(records.size() + 150);
    List<String> once = changes();
    assertThat(count("select count(*) from change_source"))
        .isEqualTo(count("select count(distinct source_id) from change_source"));
    long recorded = once.size() + count("select count(*) from event_waiting");
    assertThat(recorded).as("power, lifecycle, network, migration, configuration").isEqualTo(75);
    assertThat(once)
        .anyMatch(change -> change.contains("configuration | numCPUs: 4, memoryMB: 8192 | ri"));

    running.removeFirst().close();
    send(records);
    start();
    send(EventCaptures.lines("cloudevents-go.jsonl.gz"));
    awaitRead(records.size() * 2 + 150 + 185);
    assertThat(changes()).isEqualTo(once);
    assertThat(count("select count(*) from dead_letter")).isZero();
  }

  @Test
  void anEventAndItsTaskAreOneChangeWhicheverComesFirst() {
    object("VirtualMachine", "vm-1", "web1");
    start();
    String relocate = "VirtualMachine.relocate";
    tell(
        task("task-1", relocate, "running", "18:00:00", ""),
        vMotion(11, "18:01:30"),
        task("task-1", relocate, "success", "18:00:00", "18:01:31"),
        // A second one soon after, of which the event comes first.
        vMotion(12, "18:04:00"),
        task("task-2", relocate, "success", "18:03:00", "18:04:01"),
        // One that failed made no event; the next one did.
        task("task-3", relocate, "error", "18:06:00", "18:06:10"),
        task("task-4", relocate, "success", "18:07:00", "18:08:00"),
        vMotion(13, "18:08:00"));
    awaitRead(8);
    List<String> expected =
        List.of(
            "web1 | 2026-11-22 18:00:00+00 | 2026-11-22 18:01:31+00 | migration | vMotion from esx-1 to esx-2 | ada",
            "web1 | 2026-11-22 18:03:00+00 | 2026-11-22 18:04:01+00 | migration | vMotion from esx-1 to esx-2 | ada",
            "web1 | 2026-11-22 18:06:00+00 | 2026-11-22 18:06:10+00 | migration | Relocate failed | ada",
            "web1 | 2026-11-22 18:07:00+00 | 2026-11-22 18:08:00+00 | migration | vMotion from esx-1 to esx-2 | ada");
    assertThat(changes()).isEqualTo(expected);
    tell(
        vMotion(13, "18:08:00"),
        vMotion(11, "18:01:30"),
        task("task-1", relocate, "running", "18:00:00", ""),
        task("task-2", relocate, "success", "18:03:00", "18:04:01"));
    awaitRead(12);
    assertThat(changes()).isEqualTo(expected);
  }

  @Test
  void eventsOfAnUnknownObjectWaitUntilItIsKnownOrTooLong() {
    start();
    tell(
        event("VmCreatedEvent", 21, "20:00:00", "vm-1", ""),
        event("VmCreatedEvent", 22, "20:00:01", "vm-2", ""),
        event("VmCreatedEvent", 21, "20:00:00", "vm-1", ""));
    awaitRead(3);
    assertThat(changes()).isEmpty();
    assertThat(count("select count(*) from event_waiting")).isEqualTo(2);

    EventStore store = store();
    clock.set(NOW.plusSeconds(20));
    assertThat(store.retry(intake()::again).recorded()).isZero();
    object("VirtualMachine", "vm-1", "web1");
    clock.set(NOW.plusSeconds(60));
    assertThat(store.retry(intake()::again).recorded()).isEqualTo(1);
    assertThat(changes())
        .containsExactly(
            "web1 | 2026-11-22 20:00:00+00 | - | lifecycle | VmCreatedEvent of vm-1 | ada");
    assertThat(count("select count(*) from event_waiting")).isEqualTo(1);

    clock.set(NOW.plus(Duration.ofHours(25)));
    assertThat(store.retry(intake()::again).letters()).hasSize(1);
    assertThat(count("select count(*) from event_waiting")).isZero();
    assertThat(
            jdbc.sql("select reason || ': ' || detail from dead_letter")
                .query(String.class)
                .single())
        .contains("unknown-object: VirtualMachine vm-2 of " + VC, "peerlens.events.vcenters");
    assertThat(count("select sum(count) from ingest_rejected where input = 'events'")).isEqualTo(1);
  }

  @Test
  void whatIsBeyondTheGuardsGoesToTheDeadLetters() {
    object("VirtualMachine", "vm-1", "web1");
    properties = properties(1, 4);
    start();
    tell(
        event("VmCreatedEvent", 31, "20:00:00", "vm-7", ""),
        event("VmCreatedEvent", 32, "20:00:00", "vm-8", ""),
        "no JSON at all",
        event("VmPoweredOffEvent", 33, "20:00:00", "vm-1", ""),
        event("VmPoweredOnEvent", 34, "20:10:00", "vm-1", ""),
        event("VmPoweredOffEvent", 35, "20:20:00", "vm-1", ""));
    awaitRead(6);
    assertThat(changes()).hasSize(2);
    assertThat(
            jdbc.sql("select reason from dead_letter order by \"offset\"")
                .query(String.class)
                .list())
        .containsExactly("unknown-object", "json", "too-many");
  }

  @Test
  void onlyTheRecordThatTheStoreRefusesIsADeadLetter() {
    object("VirtualMachine", "vm-1", "web1");
    // Whatever the database may have against a change one day.
    jdbc.sql("alter table recorded_change add constraint no_bob check (author <> 'bob')").update();
    List<String> records = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      String off =
          event("VmResettingEvent", 100 + i, "1%d:%02d:00".formatted(i / 60, i % 60), "vm-1", "");
      records.add(i == 17 || i == 44 ? off.replace("\"ada\"", "\"bob\"") : off);
    }
    tell(records.toArray(String[]::new));
    start();
    awaitRead(60);
    assertThat(changes()).hasSize(58);
    assertThat(
            jdbc.sql("select \"offset\" from dead_letter where reason = 'store' order by 1")
                .query(Long.class)
                .list())
        .containsExactly(17L, 44L);
  }

  private static String alarm(String status, String time, boolean acknowledged) {
    return """
        {"specversion":"1.0","type":"com.vmware.vsphere.AlarmState.v0","source":"%s","id":"host-2/alarm-4/%s","data":
        {"entity":{"type":"HostSystem","value":"host-2"},"entityName":"esx-2.example","alarm":{"type":"Alarm","value":"alarm-4"},
         "alarmName":"Host memory","overallStatus":"%s","time":"2026-11-22T%sZ","acknowledged":%s%s}}"""
        .formatted(
            VC,
            time,
            status,
            time,
            acknowledged,
            acknowledged ? ",\"acknowledgedByUser\":\"ada\"" : "");
  }

  private List<String> alertEvents() {
    return jdbc.sql(
            """
            select event || ' ' || change || ' ' || (context -> 'alert' ->> 'criticality') || ' ' || (context -> 'alert' ->> 'controlState')
              || ' ' || (context -> 'object' ->> 'name') || ' ' || (context -> 'alert' ->> 'startTime')
            from notification_event where source = ? order by id
            """)
        .param(VCenterAlarm.SOURCE)
        .query(String.class)
        .list();
  }

  @Test
  void anAlarmIsAnAlertFromItsBeginningToItsEnd() {
    object("HostSystem", "host-2", "esx-2");
    start();
    String status =
        """
        {"specversion":"1.0","type":"com.vmware.vsphere.AlarmStatusChangedEvent.v0","source":"%s","id":"55","data":
        {"key":55,"createdTime":"2026-11-22T18:05:00Z","from":"yellow","to":"red","alarm":{"name":"Host memory","alarm":{"type":"Alarm","value":"alarm-4"}},
         "entity":{"name":"esx-2.example","entity":{"type":"HostSystem","value":"host-2"}}}}"""
            .formatted(VC);
    String[] life = {
      alarm("yellow", "18:00:00", false),
      status,
      alarm("red", "18:05:00", false),
      alarm("red", "18:05:00", true),
      alarm("green", "18:30:00", false),
      alarm("yellow", "19:00:00", false)
    };
    tell(life);
    awaitRead(life.length);
    long first = Instant.parse("2026-11-22T18:00:00Z").toEpochMilli();
    long second = Instant.parse("2026-11-22T19:00:00Z").toEpochMilli();
    List<String> expected =
        List.of(
            "NEW opened WARNING OPEN esx-2 " + first,
            "UPDATE severity CRITICAL OPEN esx-2 " + first,
            "UPDATE update CRITICAL ASSIGNED esx-2 " + first,
            "CANCEL canceled WARNING OPEN esx-2 " + first,
            "NEW reopened WARNING OPEN esx-2 " + second);
    assertThat(alertEvents()).isEqualTo(expected);
    tell(life);
    awaitRead(life.length * 2L);
    assertThat(alertEvents()).as("told again").isEqualTo(expected);
    assertThat(
            jdbc.sql("select context -> 'object' ->> 'id' from foreign_alert where open")
                .query(String.class)
                .single())
        .isEqualTo(
            jdbc.sql("select uuid::text from object where name = 'esx-2'")
                .query(String.class)
                .single());
  }
}
