package io.peerlens.event;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;
import static java.util.Objects.requireNonNull;

import io.peerlens.event.Happened.Origin;
import io.peerlens.event.mapping.Happening.Alarm;
import io.peerlens.event.mapping.Happening.Change;
import io.peerlens.event.mapping.Happening.Nothing;
import io.peerlens.event.mapping.Happening.Subject;
import io.peerlens.impact.ToldChangeStore;
import io.peerlens.impact.ToldChangeStore.Told;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.RejectReason;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.SampleSink;
import io.peerlens.notify.relay.ForeignAlertStore;
import io.peerlens.notify.relay.VCenterAlarm;
import io.peerlens.store.DeadLetterWriter;
import io.peerlens.store.KafkaOffsets;
import io.peerlens.store.Refusals;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Store of events, exactly once: recorded changes, alerts, events that wait for their object, dead
 * letters and Kafka's offsets are one transaction. Besides, each event is known by what its vCenter
 * calls it, so that the same event in another record changes nothing.
 *
 * <p>Thread-safe.
 */
final class EventStore {

  private static final String ADAPTER = "VMWARE";

  /** An event that is larger does not wait. */
  private static final int LARGEST_WAITING = 256 << 10;

  private static final Duration SOONEST = Duration.ofSeconds(15);
  private static final Duration LATEST = Duration.ofMinutes(15);

  private static final String OBJECTS =
      """
      select id, uuid, object_kind, external_id, name from object
      where adapter_kind = :adapter and object_kind = any (:kinds) and external_id = any (:ids)
      """;

  private static final String VCENTERS =
      """
      select distinct left(external_id, length(external_id) - strpos(reverse(external_id), '/')) from object
      where adapter_kind = :adapter and object_kind = 'HostSystem' and strpos(external_id, '/') > 0 limit 2
      """;

  private static final String WAITING = "select count(*) from event_waiting";

  private static final String WAIT =
      """
      insert into event_waiting (source, source_id, topic, partition, "offset", line, record_time, object, payload, received_at, next_try_at)
      values (:source, :key, :topic, :partition, :offset, :line, :recordTime, :object, :payload, :now, :next)
      on conflict (source, source_id) do nothing
      """;

  private static final String DUE =
      """
      select source, source_id from event_waiting where next_try_at <= :now order by next_try_at, source, source_id limit 1000
      """;

  private static final String TAKE =
      """
      select topic, partition, "offset", line, record_time, object, payload, received_at from event_waiting
      where source = :source and source_id = :key for update skip locked
      """;

  private static final String LATER =
      "update event_waiting set next_try_at = :next where source = :source and source_id = :key";

  private static final String GONE =
      "delete from event_waiting where source = :source and source_id = :key";

  private final DataSource dataSource;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final ToldChangeStore told;
  private final ForeignAlertStore alerts;
  private final KafkaOffsets offsets;
  private final DeadLetterWriter deadLetters;
  private final EventProperties properties;
  private final VCenters vcenters;
  private final InstantSource clock;

  /**
   * @param node name of this process, kept with the offsets
   */
  EventStore(DataSource dataSource, EventProperties properties, String node, InstantSource clock) {
    JdbcTransactionManager transactions = new JdbcTransactionManager(dataSource);
    this.dataSource = dataSource;
    this.jdbc = JdbcClient.create(dataSource);
    this.transaction = new TransactionTemplate(transactions);
    this.told = new ToldChangeStore(jdbc);
    this.alerts = new ForeignAlertStore(jdbc, transactions);
    this.offsets = new KafkaOffsets(node, clock);
    this.deadLetters = new DeadLetterWriter(node, DeadLetterWriter.Input.EVENTS, clock);
    this.properties = properties;
    this.vcenters = properties.names();
    this.clock = clock;
  }

  /**
   * What became of events.
   *
   * @param waiting how many wait for their object from now on
   * @param letters all that went to the dead letters
   */
  record Stored(
      long recorded, long merged, long known, long waiting, long alarms, List<DeadLetter> letters) {

    Stored {
      letters = List.copyOf(letters);
    }
  }

  /** Count of what becomes of events. */
  private static final class Tally {
    private long recorded;
    private long merged;
    private long known;
    private long waiting;
    private long alarms;
    private final List<DeadLetter> letters = new ArrayList<>();

    /** How many events wait, these included; negative = not asked for yet. */
    private long waitingInAll = -1;

    Stored stored() {
      return new Stored(recorded, merged, known, waiting, alarms, letters);
    }
  }

  private record Known(int id, UUID uuid, String kind, String name) {}

  /**
   * Stores events and moves the offsets past them. When it throws, nothing of that is stored.
   *
   * @param letters of what could not be decoded
   * @throws SampleSink.FencedException when another node has moved on one of the partitions
   * @throws SampleSink.RefusedException when the database refuses what is to be stored, whoever
   *     tries
   */
  Stored commit(
      Map<TopicPartition, SampleBatch.Range> ranges,
      List<Happened> events,
      List<DeadLetter> letters) {
    return inTransaction(
        connection -> {
          offsets.move(connection, ranges);
          Tally tally = new Tally();
          tally.letters.addAll(letters);
          if (!events.isEmpty()) {
            told.lock();
            Subjects objects = objects(events);
            for (Happened event : events) {
              if (!store(event, objects, tally)) {
                await(event, objects, tally);
              }
            }
          }
          deadLetters.write(connection, tally.letters);
          return tally.stored();
        });
  }

  /** Objects that events are about, by external id. */
  private record Subjects(@Nullable String only, Map<String, List<Known>> known) {}

  private Subjects objects(List<Happened> events) {
    String only = events.stream().anyMatch(event -> event.source().isBlank()) ? only() : null;
    Set<String> kinds = new TreeSet<>();
    Set<String> ids = new TreeSet<>();
    for (Happened event : events) {
      Subject subject = subject(event);
      if (subject != null) {
        kinds.addAll(kinds(subject));
        for (String vcenter : vcenters.named(event.source(), only).candidates()) {
          ids.add(vcenter + "/" + subject.moid());
        }
      }
    }
    Map<String, List<Known>> known = new HashMap<>();
    jdbc.sql(OBJECTS)
        .param("adapter", ADAPTER)
        .param("kinds", kinds.toArray(String[]::new))
        .param("ids", ids.toArray(String[]::new))
        .query(
            row -> {
              known
                  .computeIfAbsent(row.getString("external_id"), id -> new ArrayList<>())
                  .add(
                      new Known(
                          row.getInt("id"),
                          row.getObject("uuid", UUID.class),
                          row.getString("object_kind"),
                          row.getString("name")));
            });
    return new Subjects(only, known);
  }

  private @Nullable String only() {
    List<String> known =
        jdbc.sql(VCENTERS)
            .param("adapter", ADAPTER)
            .query((row, number) -> row.getString(1))
            .list();
    return known.size() == 1 ? known.getFirst() : null;
  }

  private static @Nullable Subject subject(Happened event) {
    return switch (event.what()) {
      case Change change -> change.subject();
      case Alarm alarm -> alarm.subject();
      case Nothing nothing -> null;
    };
  }

  /** Kinds by which an object may be known: a vCenter has two names for its switches. */
  private static List<String> kinds(Subject subject) {
    return switch (subject.type()) {
      case "DistributedVirtualSwitch", "VmwareDistributedVirtualSwitch" ->
          List.of("VmwareDistributedVirtualSwitch", "DistributedVirtualSwitch");
      default -> List.of(subject.type());
    };
  }

  private @Nullable Known find(Happened event, Subject subject, Subjects objects) {
    List<String> kinds = kinds(subject);
    for (String vcenter : vcenters.named(event.source(), objects.only()).candidates()) {
      for (Known known : objects.known().getOrDefault(vcenter + "/" + subject.moid(), List.of())) {
        if (kinds.contains(known.kind())) {
          return known;
        }
      }
    }
    return null;
  }

  private String name(Happened event, Subjects objects) {
    return vcenters.named(event.source(), objects.only()).name();
  }

  /** Stores an event; false = its object is not known. */
  private boolean store(Happened event, Subjects objects, Tally tally) {
    switch (event.what()) {
      case Change change -> {
        Known object = find(event, change.subject(), objects);
        if (object == null) {
          return false;
        }
        switch (told.tell(told(change, object, name(event, objects)))) {
          case RECORDED -> tally.recorded++;
          case MERGED, COMPLETED -> tally.merged++;
          case KNOWN -> tally.known++;
        }
      }
      case Alarm alarm -> {
        alarm(alarm, find(event, alarm.subject(), objects), name(event, objects));
        tally.alarms++;
      }
      case Nothing nothing -> {}
    }
    return true;
  }

  private static Told told(Change change, Known object, String source) {
    return new Told(
        object.id(),
        source,
        change.key(),
        change.teller(),
        change.chain(),
        change.time(),
        change.until(),
        change.sort(),
        change.title(),
        change.author(),
        change.note(),
        change.tells());
  }

  private void alarm(Alarm alarm, @Nullable Known object, String vcenter) {
    VCenterAlarm told =
        new VCenterAlarm(
            vcenter,
            alarm.subject().moid(),
            object == null ? null : object.uuid(),
            object == null ? alarm.name() : object.name(),
            object == null ? alarm.subject().type() : object.kind(),
            alarm.alarm(),
            alarm.title(),
            alarm.status(),
            alarm.acknowledged(),
            alarm.acknowledgedBy(),
            alarm.time());
    Optional<Instant> began = alerts.began(VCenterAlarm.SOURCE, told.key());
    alerts.report(VCenterAlarm.SOURCE, told.report(began.orElse(null)), clock.instant());
  }

  /** Keeps an event until its object is known. */
  private void await(Happened event, Subjects objects, Tally tally) {
    Change change = (Change) event.what();
    Origin origin = event.origin();
    String about = about(event, change.subject());
    String why =
        origin.payload().length > LARGEST_WAITING
            ? "it has more than %,d bytes".formatted(LARGEST_WAITING)
            : waitingInAll(tally) >= properties.maxUnknown()
                ? "as many as peerlens.events.max-unknown (%,d) wait already"
                    .formatted(properties.maxUnknown())
                : null;
    if (why != null) {
      tally.letters.add(
          origin.letter(
              RejectReason.UNKNOWN_OBJECT,
              "%s is not known, and the event does not wait for it, as %s".formatted(about, why)));
      return;
    }
    Instant now = clock.instant();
    int kept =
        jdbc.sql(WAIT)
            .param("source", name(event, objects))
            .param("key", change.key())
            .param("topic", origin.topic())
            .param("partition", origin.partition())
            .param("offset", origin.offset())
            .param("line", origin.line())
            .param(
                "recordTime",
                origin.timestamp() < 0 ? null : utc(Instant.ofEpochMilli(origin.timestamp())),
                Types.TIMESTAMP_WITH_TIMEZONE)
            .param("object", about)
            .param("payload", origin.payload())
            .param("now", utc(now))
            .param("next", utc(now.plus(SOONEST)))
            .update();
    tally.waiting += kept;
    tally.waitingInAll += kept;
  }

  /** Counted once in a transaction: whoever adds to them holds the lock of told changes. */
  private long waitingInAll(Tally tally) {
    if (tally.waitingInAll < 0) {
      tally.waitingInAll = jdbc.sql(WAITING).query(Long.class).single();
    }
    return tally.waitingInAll;
  }

  private static String about(Happened event, Subject subject) {
    return event.source().isBlank() ? subject.toString() : subject + " of " + event.source();
  }

  private record Waiting(String source, String key) {}

  private record Kept(Origin origin, String object, Instant receivedAt) {}

  /**
   * Tries events whose objects were not known. What waited too long goes to the dead letters.
   *
   * @param reader reads a kept event anew; null = it means nothing any more
   * @return what became of them; those that go on waiting do not count
   */
  Stored retry(Function<Origin, @Nullable Happened> reader) {
    List<Waiting> due =
        inTransaction(
            connection ->
                jdbc.sql(DUE)
                    .param("now", utc(clock.instant()))
                    .query(
                        (row, number) ->
                            new Waiting(row.getString("source"), row.getString("source_id")))
                    .list());
    Tally tally = new Tally();
    for (Waiting waiting : due) {
      try {
        retry(waiting, reader, tally);
      } catch (SampleSink.RefusedException e) {
        giveUp(waiting, e, tally);
      }
    }
    return tally.stored();
  }

  private void retry(Waiting waiting, Function<Origin, @Nullable Happened> reader, Tally tally) {
    Tally one =
        inTransaction(
            connection -> {
              told.lock();
              Tally made = new Tally();
              Kept kept = take(waiting);
              if (kept == null) {
                return made;
              }
              Happened event = reader.apply(kept.origin());
              Instant now = clock.instant();
              if (event != null && !store(event, objects(List.of(event)), made)) {
                Instant end = kept.receivedAt().plus(properties.keepUnknown());
                if (now.isBefore(end)) {
                  later(waiting, next(kept.receivedAt(), now, end));
                  return made;
                }
                made.letters.add(
                    kept.origin()
                        .letter(
                            RejectReason.UNKNOWN_OBJECT,
                            "%s has not become known for %s: check that a collector reports it, and peerlens.events.vcenters where the vCenter has another name there"
                                .formatted(kept.object(), properties.keepUnknown())));
                deadLetters.write(connection, made.letters);
              }
              gone(waiting);
              return made;
            });
    tally.recorded += one.recorded;
    tally.merged += one.merged;
    tally.known += one.known;
    tally.alarms += one.alarms;
    tally.letters.addAll(one.letters);
  }

  private @Nullable Kept take(Waiting waiting) {
    return jdbc.sql(TAKE)
        .param("source", waiting.source())
        .param("key", waiting.key())
        .query(
            (row, number) -> {
              Instant time = instantOrNull(row, "record_time");
              return new Kept(
                  new Origin(
                      row.getString("topic"),
                      row.getInt("partition"),
                      row.getLong("offset"),
                      row.getInt("line"),
                      time == null ? -1 : time.toEpochMilli(),
                      row.getBytes("payload")),
                  row.getString("object"),
                  instant(row, "received_at"));
            })
        .optional()
        .orElse(null);
  }

  /** The longer it waits, the more seldom it is tried. */
  private static Instant next(Instant received, Instant now, Instant end) {
    Duration pause = Duration.between(received, now).dividedBy(10);
    pause = pause.compareTo(SOONEST) < 0 ? SOONEST : pause;
    pause = pause.compareTo(LATEST) > 0 ? LATEST : pause;
    Instant next = now.plus(pause);
    return next.isAfter(end) ? end : next;
  }

  private void later(Waiting waiting, Instant next) {
    jdbc.sql(LATER)
        .param("next", utc(next))
        .param("source", waiting.source())
        .param("key", waiting.key())
        .update();
  }

  private void gone(Waiting waiting) {
    jdbc.sql(GONE).param("source", waiting.source()).param("key", waiting.key()).update();
  }

  private void giveUp(Waiting waiting, SampleSink.RefusedException why, Tally tally) {
    List<DeadLetter> letters =
        inTransaction(
            connection -> {
              Kept kept = take(waiting);
              if (kept == null) {
                return List.of();
              }
              List<DeadLetter> made =
                  List.of(
                      kept.origin().letter(RejectReason.STORE, String.valueOf(why.getMessage())));
              deadLetters.write(connection, made);
              gone(waiting);
              return made;
            });
    tally.letters.addAll(letters);
  }

  /** The offset to read next, for each partition that has one; absent = never read. */
  Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions) {
    return inTransaction(connection -> offsets.positions(connection, partitions));
  }

  /** When something of each partition was stored last; one that was never read is absent. */
  Map<TopicPartition, Instant> storedAt(Collection<TopicPartition> partitions) {
    return inTransaction(connection -> offsets.movedAt(connection, partitions));
  }

  private interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  private <T> T inTransaction(Work<T> work) {
    try {
      return requireNonNull(
          transaction.execute(
              status -> {
                try {
                  return work.run(DataSourceUtils.getConnection(dataSource));
                } catch (SQLException e) {
                  throw failure(e, e);
                }
              }));
    } catch (DataAccessException | TransactionException e) {
      throw failure(e, cause(e));
    }
  }

  private static @Nullable SQLException cause(Throwable e) {
    for (Throwable one = e; one != null; one = one.getCause()) {
      if (one instanceof SQLException sql) {
        return sql;
      }
    }
    return null;
  }

  /** Classifies an error by whether another try can help. */
  private static RuntimeException failure(Exception e, @Nullable SQLException sql) {
    if (sql == null) {
      return new SampleSink.UnavailableException(String.valueOf(e.getMessage()), e);
    }
    String message = sql.getMessage() + " (SQLSTATE " + sql.getSQLState() + ")";
    return Refusals.isOfData(sql)
        ? new SampleSink.RefusedException(message, e)
        : new SampleSink.UnavailableException(message, e);
  }
}
