package io.peerlens.source.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.KafkaConnection;
import io.peerlens.source.LeaseLostException;
import io.peerlens.source.Part;
import io.peerlens.source.RoundReport;
import io.peerlens.source.SourceError;
import io.peerlens.source.Topic;
import io.peerlens.source.collect.FakeCollectors.Fake;
import io.peerlens.source.definition.TestSources;
import io.peerlens.support.SampleData;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Nodes that share sources, in a tenth of the usual times. */
class LeaseKeeperIT {

  private static final LeaseTiming TENTH =
      new LeaseTiming(
          Duration.ofMillis(100),
          Duration.ofMillis(500),
          Duration.ofSeconds(2),
          Duration.ofMillis(300),
          Duration.ofSeconds(1),
          Duration.ofMillis(500),
          Duration.ofSeconds(30));

  /** A node that is killed must have been replaced after so long, which is a tenth of 30 s. */
  private static final Duration TAKEOVER = Duration.ofSeconds(3);

  private static final String PASSWORD = "Pw-31c9f0aa";

  private final SampleData data = SampleData.create();
  private final TestSources sources = TestSources.on(data.dataSource());
  private final FakeCollectors collectors = new FakeCollectors();
  private final List<Node> nodes = new ArrayList<>();

  /** The database as one node reaches it, until it is cut off. */
  private static final class Cable extends DelegatingDataSource {
    private volatile boolean cut;

    private Cable(DataSource database) {
      super(database);
    }

    @Override
    public Connection getConnection() throws SQLException {
      if (cut) {
        throw new SQLException("cut off");
      }
      return super.getConnection();
    }
  }

  private record Node(String name, LeaseKeeper keeper, Cable cable) {
    /** No renewals, no farewell: to the others it looks as if it were killed. */
    void kill() {
      cable.cut = true;
    }
  }

  private Node node(String name) {
    Cable cable = new Cable(data.dataSource());
    TestSources mine = TestSources.on(cable);
    JdbcClient jdbc = JdbcClient.create(cable);
    UUID holder = UUID.randomUUID();
    LeaseKeeper keeper =
        new LeaseKeeper(
            new LeaseStore(jdbc, holder, name, TENTH.lease()),
            mine.store(),
            mine.pauses(),
            List.of(collectors.of(name)),
            new HeldSource.Parts(
                new JournalStore(
                    jdbc, new TransactionTemplate(new JdbcTransactionManager(cable)), holder),
                new KafkaOutlets(
                    new KafkaConnection("127.0.0.1:1", Map.of()), Map.of(Topic.METRICS, "none")),
                secret -> PASSWORD,
                TENTH,
                name,
                InstantSource.system()),
            Duration.ofDays(7));
    Node node = new Node(name, keeper, cable);
    nodes.add(node);
    keeper.start();
    return node;
  }

  private List<UUID> add(int count) {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(sources.add("vc" + ids.size()));
    }
    return ids;
  }

  private Fake reader(UUID source) {
    return Objects.requireNonNull(collectors.of(source), "nobody reads it");
  }

  private void awaitReaders(String node, int count) {
    await(node + " reads " + count).atMost(TAKEOVER).until(() -> collectors.on(node) == count);
  }

  @AfterEach
  void close() {
    nodes.forEach(node -> node.keeper().stop());
    data.close();
  }

  @Test
  void aNodeThatIsAloneReadsAllAndSharesThemWithThoseThatCome() {
    add(6);
    node("a");
    awaitReaders("a", 6);
    node("b");
    await().atMost(Duration.ofSeconds(10)).until(() -> collectors.on("b") == 3);
    awaitReaders("a", 3);
    node("c");
    await().atMost(Duration.ofSeconds(10)).until(() -> collectors.on("c") == 2);
    awaitReaders("a", 2);
    awaitReaders("b", 2);
    assertThat(collectors.overlaps).isEmpty();
  }

  @Test
  void threeNodesShareTwoSourcesWithoutTossingThemToAndFro() throws Exception {
    List<UUID> ids = add(2);
    node("a");
    node("b");
    node("c");
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> ids.stream().allMatch(id -> collectors.of(id) != null));
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> List.of("a", "b", "c").stream().allMatch(n -> collectors.on(n) <= 1));
    int starts = collectors.all.size();
    await()
        .during(Duration.ofSeconds(2))
        .atMost(Duration.ofSeconds(10))
        .until(() -> collectors.all.size() == starts);
  }

  @Test
  void aSourceOfAKilledNodeIsReadByAnotherOneAndTheKilledOneCanNoteNothingMore() {
    UUID id = add(1).getFirst();
    Node a = node("a");
    await().atMost(TAKEOVER).until(() -> collectors.of(id) != null);
    Fake old = reader(id);
    old.journal.position("events", "17");
    node("b");
    long killed = System.nanoTime();
    a.kill();
    await().atMost(TAKEOVER).until(() -> collectors.on("b") == 1);
    assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(TAKEOVER);
    assertThat(collectors.overlaps).isEmpty();
    assertThat(old.closed).isTrue();
    assertThat(old.journal.held()).isFalse();
    assertThatThrownBy(() -> old.journal.position("events", "18"))
        .isInstanceOf(LeaseLostException.class);
    assertThat(reader(id).journal.position("events")).contains("17");
    assertThat(reader(id).journal.held()).isTrue();
  }

  @Test
  void theDatabaseRefusesAJournalWhoseLeaseAnotherNodeHasTaken() {
    UUID id = add(1).getFirst();
    node("a");
    await().atMost(TAKEOVER).until(() -> collectors.of(id) != null);
    Fake old = reader(id);
    sources
        .jdbc()
        .sql(
            "update source_lease set holder = :other, node = 'other', lease_until = now() + interval '1 hour'")
        .param("other", UUID.randomUUID())
        .update();
    assertThatThrownBy(() -> old.journal.report(round(null)))
        .isInstanceOf(LeaseLostException.class);
    assertThat(old.journal.held()).isFalse();
    await().atMost(TAKEOVER).until(() -> old.closed);
    assertThat(count("source_state")).isZero();
  }

  @Test
  void aNodeThatStopsGivesItsSourcesBackAtOnce() {
    List<UUID> ids = add(4);
    Node a = node("a");
    awaitReaders("a", 4);
    node("b");
    await().atMost(Duration.ofSeconds(10)).until(() -> collectors.on("b") == 2);
    a.keeper().stop();
    assertThat(collectors.on("a")).isZero();
    assertThat(
            sources
                .jdbc()
                .sql("select count(*) from source_lease where node = 'a'")
                .query(Long.class)
                .single())
        .isZero();
    await()
        .atMost(TENTH.lease())
        .until(() -> ids.stream().allMatch(id -> collectors.of(id) != null));
    assertThat(collectors.overlaps).isEmpty();
  }

  @Test
  void aChangedSourceGetsANewCollectorAndAPausedOrRemovedOneNone() {
    List<UUID> ids = add(2);
    UUID id = ids.getFirst();
    node("a");
    awaitReaders("a", 2);
    Fake old = reader(id);
    Fake other = reader(ids.getLast());

    sources.change(id);
    await().atMost(Duration.ofSeconds(1)).until(() -> old.closed && collectors.of(id) != null);
    assertThat(reader(id).source.version()).isEqualTo(2);
    assertThat(old.journal.held()).isFalse();

    sources.pauses().pause(id, Instant.now(), "test");
    await().atMost(Duration.ofSeconds(1)).until(() -> collectors.of(id) == null);
    await().atMost(TAKEOVER).until(() -> count("source_lease") == 1);
    sources.pauses().resume(id);
    await().atMost(Duration.ofSeconds(1)).until(() -> collectors.of(id) != null);

    sources.remove(id);
    await().atMost(Duration.ofSeconds(1)).until(() -> collectors.of(id) == null);
    assertThat(other.closed).isFalse();
  }

  @Test
  void aCollectorThatFailsIsStartedAgainItsErrorIsToldAndTheOthersGoOn() {
    List<UUID> ids = add(2);
    UUID bad = ids.getFirst();
    collectors.onStart =
        source -> {
          if (source.id().equals(bad) && collectors.all.size() < 3) {
            throw new IllegalStateException("no answer to " + source.password().get());
          }
        };
    node("a");
    await().atMost(TAKEOVER).until(() -> count("source_error") == 1);
    assertThat(error()).contains("collector-failed", "no answer to secret the-password");
    assertThat(error()).doesNotContain(PASSWORD);
    await().atMost(TAKEOVER).until(() -> collectors.of(ids.getLast()) != null);
    Fake good = reader(ids.getLast());

    collectors.onStart = source -> {};
    await().atMost(Duration.ofSeconds(5)).until(() -> collectors.of(bad) != null);
    Fake started = reader(bad);
    started.failure = new OutOfMemoryError("not really");
    await().atMost(TAKEOVER).until(() -> started.closed);
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> collectors.of(bad) != null && reader(bad) != started);
    reader(bad).journal.report(round(null));
    assertThat(sources.jdbc().sql("select part from source_state").query(String.class).list())
        .containsExactly("performance");
    assertThat(good.closed).isFalse();
    assertThat(collectors.overlaps).isEmpty();
  }

  @Test
  void errorsInARowAreOneEntryAndIntervalsAreRemembered() {
    UUID id = add(1).getFirst();
    node("a");
    await().atMost(TAKEOVER).until(() -> collectors.of(id) != null);
    Instant begin = Instant.parse("2026-11-24T10:00:00Z");
    SourceError error = new SourceError("unreachable", "No answer from x to " + PASSWORD, "a", "b");
    for (int i = 0; i < 8; i++) {
      reader(id)
          .journal
          .report(
              new RoundReport(
                  Part.PERFORMANCE,
                  begin.plusSeconds(20L * i),
                  Duration.ofMillis(1500),
                  7,
                  700,
                  i == 2 || i == 3 || i == 5 ? error : null));
    }
    assertThat(
            sources
                .jdbc()
                .sql("select count from source_error order by id")
                .query(Long.class)
                .list())
        .containsExactly(2L, 1L);
    assertThat(error()).doesNotContain(PASSWORD);
    Map<String, Object> state =
        sources
            .jdbc()
            .sql(
                "select failures, error, failing_since, intervals::text, objects, samples, took_ms from source_state")
            .query()
            .singleRow();
    assertThat(state)
        .containsEntry("failures", 0L)
        .containsEntry("error", null)
        .containsEntry("failing_since", null)
        .containsEntry("intervals", "{20000,20000,20000,20000,20000}")
        .containsEntry("objects", 7L)
        .containsEntry("samples", 700L)
        .containsEntry("took_ms", 1500L);
  }

  @Test
  void aCollectorThatDoesNotEndKeepsNobodyWaitingForLong() {
    List<UUID> ids = add(1);
    UUID id = ids.getFirst();
    collectors.onStart =
        source -> {
          if (source.version() == 1) {
            while (true) {
              try {
                Thread.sleep(60_000);
              } catch (InterruptedException e) {
                // it does not listen
              }
              if (nodes.isEmpty()) {
                return;
              }
            }
          }
        };
    node("a");
    await().atMost(TAKEOVER).until(() -> count("source_lease") == 1);
    sources.pauses().pause(id, Instant.now(), "test");
    await().atMost(Duration.ofSeconds(5)).until(() -> count("source_lease") == 0);
    sources.change(id);
    sources.pauses().resume(id);
    await().atMost(TAKEOVER).until(() -> collectors.of(id) != null);
  }

  @Test
  void theUsualTimesHandASourceOverWithinThirtySeconds() {
    LeaseTiming usual = LeaseTiming.USUAL;
    assertThat(usual.lease().plus(usual.renew()).plus(usual.look()))
        .isLessThan(Duration.ofSeconds(30));
    assertThat(usual.renew().multipliedBy(3))
        .as("two renewals may fail")
        .isLessThan(usual.lease().minus(usual.reserve()));
  }

  private static RoundReport round(SourceError error) {
    return new RoundReport(
        Part.PERFORMANCE, Instant.parse("2026-11-24T10:00:00Z"), Duration.ZERO, 1, 1, error);
  }

  private long count(String table) {
    return sources.jdbc().sql("select count(*) from " + table).query(Long.class).single();
  }

  private String error() {
    return sources
        .jdbc()
        .sql("select string_agg(error::text, ',') from source_error")
        .query(String.class)
        .single();
  }
}
