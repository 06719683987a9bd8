package io.peerlens.notify.notice;

import static io.peerlens.database.Times.utc;

import io.peerlens.definition.UnreadableDefinitions;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Health checks of the installation, from what its nodes write down. */
final class NoticeQueries {

  private static final String UNREADABLE = "definition-unreadable";
  private static final Duration RECENT = Duration.ofMinutes(5);
  private static final Duration NODE_ALIVE = Duration.ofSeconds(30);

  private static final String REJECTED =
      """
      select coalesce(sum(count), 0) as count, (array_agg(reason order by count desc))[1] as reason
      from ingest_rejected where minute > :from
      """;

  private static final String LAG =
      """
      select coalesce(sum(lag), 0) from (
        select distinct on (node) lag from ingest_rate where time > :from order by node, time desc) newest
      """;

  private static final String TROUBLE =
      """
      select node, trouble from ingest_node where trouble <> '' and updated_at > :alive
      union all
      select node || '/flows', trouble from flow_node where trouble <> '' and updated_at > :alive
      order by 1
      """;

  private static final String SILENT =
      """
      select o.adapter_kind, max(l.last_seen) as last_seen, count(*) as objects
      from object_liveness l join object o on o.id = l.object_id
      where (o.adapter_kind, o.object_kind) <> ('Peerlens', 'IpAddress') and o.removed_at is null
      group by o.adapter_kind
      having max(l.last_seen) < :silent and max(l.last_seen) > :forget
      order by o.adapter_kind
      """;

  private static final String SHARDS =
      "select shard, error from evaluation_shard where error is not null order by shard";

  private static final String TARGETS =
      """
      select t.id, t.name, l.failure, l.failing_since, l.stopped_at, l.stopped_reason, l.paused_until
      from target_line l join notification_target t on t.id = l.target_id
      where l.stopped_at is not null or l.paused_until > :now
        or l.failure is not null and l.failing_since < :failing
      order by t.name
      """;

  private final JdbcClient jdbc;
  private final NoticeProperties properties;
  private final List<UnreadableDefinitions> definitions;

  /**
   * @param definitions those that this node reads; others are not its business
   */
  NoticeQueries(
      JdbcClient jdbc, NoticeProperties properties, List<UnreadableDefinitions> definitions) {
    this.jdbc = jdbc;
    this.properties = properties;
    this.definitions = List.copyOf(definitions);
  }

  /**
   * Says whether this node knows if something is wrong; not with definitions that it never reads.
   */
  boolean knows(String key) {
    return !key.startsWith(UNREADABLE + "/")
        || definitions.stream().anyMatch(store -> key.startsWith(unreadable(store)));
  }

  private static String unreadable(UnreadableDefinitions store) {
    return UNREADABLE + "/" + store.table() + "/";
  }

  /** Name and id; silences have no name, and the id in its place. */
  private static String named(UnreadableDefinitions.Unreadable one) {
    return one.name().equals(one.id().toString())
        ? one.name()
        : "\"%s\" (%s)".formatted(one.name(), one.id());
  }

  private void unreadable(List<Notice> notices) {
    for (UnreadableDefinitions store : definitions) {
      for (UnreadableDefinitions.Unreadable one : store.unreadable()) {
        notices.add(
            Notice.of(
                unreadable(store) + one.id(),
                "A definition is not in effect",
                "IMMEDIATE",
                "The %s %s is stored, but cannot be read by this version. %s Store it again with PUT, or delete it."
                    .formatted(store.table().replace('_', ' '), named(one), one.reason())));
      }
    }
  }

  /** All that is wrong at a moment. */
  List<Notice> present(Instant now) {
    List<Notice> notices = new ArrayList<>();
    ingest(notices, now);
    silent(notices, now);
    jdbc.sql(SHARDS)
        .query(
            row -> {
              int shard = row.getInt("shard");
              notices.add(
                  Notice.of(
                      "evaluation/" + shard,
                      "Evaluation does not continue",
                      "CRITICAL",
                      "Shard " + shard + ": " + row.getString("error")));
            });
    targets(notices, now);
    unreadable(notices);
    return notices;
  }

  private void ingest(List<Notice> notices, Instant now) {
    jdbc.sql(REJECTED)
        .param("from", utc(now.minus(RECENT)))
        .query(
            row -> {
              long count = row.getLong("count");
              if (count >= properties.rejected()) {
                notices.add(
                    Notice.of(
                        "ingest-rejected",
                        "Input is rejected",
                        "WARNING",
                        String.format(
                            Locale.ROOT,
                            "%,d lines in the last five minutes, most of them: %s",
                            count,
                            row.getString("reason"))));
              }
            });
    long lag = jdbc.sql(LAG).param("from", utc(now.minus(RECENT))).query(Long.class).single();
    if (lag >= properties.lag()) {
      notices.add(
          Notice.of(
              "ingest-lag",
              "Ingest is behind",
              "WARNING",
              String.format(Locale.ROOT, "%,d records wait in Kafka", lag)));
    }
    jdbc.sql(TROUBLE)
        .param("alive", utc(now.minus(NODE_ALIVE)))
        .query(
            row -> {
              notices.add(
                  Notice.of(
                      "ingest-trouble/" + row.getString("node"),
                      "Ingest cannot store",
                      "IMMEDIATE",
                      row.getString("node") + ": " + row.getString("trouble")));
            });
  }

  private void silent(List<Notice> notices, Instant now) {
    jdbc.sql(SILENT)
        .param("silent", utc(now.minus(properties.silentAfter())))
        .param("forget", utc(now.minus(properties.forgetAfter())))
        .query(
            row -> {
              String kind = row.getString("adapter_kind");
              notices.add(
                  Notice.of(
                      "collector-silent/" + kind,
                      "A collector is silent",
                      "IMMEDIATE",
                      String.format(
                          Locale.ROOT,
                          "The %,d objects of %s have sent nothing since %s",
                          row.getLong("objects"),
                          kind,
                          row.getObject("last_seen", OffsetDateTime.class).toInstant())));
            });
  }

  private void targets(List<Notice> notices, Instant now) {
    jdbc.sql(TARGETS)
        .param("now", utc(now))
        .param("failing", utc(now.minus(properties.failingAfter())))
        .query(
            row -> {
              String name = row.getString("name");
              String stopped = row.getString("stopped_reason");
              boolean paused = row.getObject("paused_until") != null;
              String words =
                  stopped != null
                      ? "It is stopped: " + stopped
                      : (paused
                              ? "It is paused: "
                              : "Since "
                                  + since(row.getObject("failing_since", OffsetDateTime.class))
                                  + ": ")
                          + row.getString("failure");
              notices.add(
                  new Notice(
                      "target/" + row.getString("id"),
                      "target-failing",
                      "Notifications do not reach " + name,
                      "IMMEDIATE",
                      words,
                      row.getString("id"),
                      name,
                      "NotificationTarget"));
            });
  }

  private static String since(OffsetDateTime time) {
    return String.valueOf(time.toInstant());
  }
}
