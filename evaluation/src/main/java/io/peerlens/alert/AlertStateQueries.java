package io.peerlens.alert;

import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** State of alerts, read when a shard is taken over: alerts, those that wait, and orphans. */
final class AlertStateQueries {

  private static final String OF_DEFINITIONS =
      """
      select %s from alert where definition_id = any (:ids) and (canceled_at is null or canceled_at >= :from)
      """
          .formatted(AlertRows.COLUMNS);

  private static final String PENDING =
      "select definition_id, object_id, cycles, last_tick from alert_pending where definition_id = any (:ids)";

  /** Two parts, each with an index. */
  private static final String ASKED =
      """
      select id, suspended_until from alert where suspended_until is not null and status <> 'canceled'
      union all
      select id, null from alert where cancel_by is not null and status <> 'canceled'
      """;

  private static final String GONE =
      "select object_id from object_liveness where last_seen < :before";

  private static final String REMOVED = "select id from object where removed_at is not null";

  private final JdbcClient jdbc;
  private final OrphanQueries orphans;

  AlertStateQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
    this.orphans = new OrphanQueries(jdbc);
  }

  /**
   * State with which a shard starts.
   *
   * @param retired of definitions that raise nothing any more: why
   */
  record Loaded(List<AlertState> alerts, List<Pending> pending, Map<UUID, CancelReason> retired) {}

  /**
   * Reads the alerts of definitions.
   *
   * @param elsewhere what raises alerts in other shards or cannot be evaluated now, if alerts that
   *     nothing raises any more are wanted too; null = they are not
   * @param canceledFrom alerts that were canceled before are left out
   */
  Loaded load(
      Collection<UUID> definitions, @Nullable Collection<UUID> elsewhere, Instant canceledFrom) {
    UUID[] ids = definitions.toArray(UUID[]::new);
    List<AlertState> alerts =
        jdbc.sql(OF_DEFINITIONS)
            .param("ids", ids)
            .param("from", utc(canceledFrom))
            .query(AlertRows::state)
            .list();
    List<Pending> pending = jdbc.sql(PENDING).param("ids", ids).query(AlertRows::pending).list();
    Map<AlertKey, AlertState> newest = new HashMap<>();
    alerts.forEach(alert -> newest.merge(alert.key(), alert, AlertStateQueries::later));
    Map<UUID, CancelReason> retired = new HashMap<>();
    List<Pending> waiting = new ArrayList<>(pending);
    if (elsewhere != null) {
      Set<UUID> all = new HashSet<>(definitions);
      all.addAll(elsewhere);
      UUID[] others = all.toArray(UUID[]::new);
      orphans.alerts(others).forEach(alert -> newest.put(alert.key(), alert));
      waiting.addAll(orphans.pending(others));
      retired.putAll(orphans.reasons(others));
    }
    return new Loaded(List.copyOf(newest.values()), waiting, retired);
  }

  private static AlertState later(AlertState one, AlertState other) {
    if (one.isOpen() != other.isOpen()) {
      return one.isOpen() ? one : other;
    }
    return one.openedAt().isAfter(other.openedAt()) ? one : other;
  }

  /**
   * What people want of open alerts and ticks do.
   *
   * @param suspended until when alerts are suspended
   * @param unwanted alerts that are to be canceled
   */
  record Asked(Map<UUID, Instant> suspended, Set<UUID> unwanted) {
    static final Asked NOTHING = new Asked(Map.of(), Set.of());
  }

  /** What people want of open alerts. */
  Asked asked() {
    Map<UUID, Instant> until = new HashMap<>();
    Set<UUID> unwanted = new HashSet<>();
    jdbc.sql(ASKED)
        .query(
            row -> {
              UUID id = row.getObject(1, UUID.class);
              Instant moment = instantOrNull(row, "suspended_until");
              if (moment == null) {
                unwanted.add(id);
              } else {
                until.put(id, moment);
              }
            });
    return new Asked(until, unwanted);
  }

  /** Objects that their source removed. */
  Set<Integer> removed() {
    return Set.copyOf(jdbc.sql(REMOVED).query(Integer.class).list());
  }

  /** Objects of which nothing was heard since a moment. */
  Set<Integer> gone(Instant before) {
    return Set.copyOf(jdbc.sql(GONE).param("before", utc(before)).query(Integer.class).list());
  }
}
