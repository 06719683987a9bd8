package io.peerlens.outlier.event;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static java.util.Objects.requireNonNullElse;
import static java.util.stream.Collectors.toSet;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OutlierCloseReason;
import io.peerlens.api.model.OutlierDirection;
import io.peerlens.api.model.OutlierEvent;
import io.peerlens.api.model.OutlierEventPage;
import io.peerlens.api.model.OutlierEventSort;
import io.peerlens.api.model.OutlierEventStatus;
import io.peerlens.api.model.OutlierEventStep;
import io.peerlens.api.model.OutlierEventStepKind;
import io.peerlens.api.model.OutlierEventStepPage;
import io.peerlens.api.model.OutlierEvidence;
import io.peerlens.api.model.OutlierExplanation;
import io.peerlens.api.model.RuleRef;
import io.peerlens.api.model.Severity;
import io.peerlens.database.Rows;
import io.peerlens.outlier.judge.OutlierEventStore;
import io.peerlens.web.Page;
import io.peerlens.web.PageQueries;
import io.peerlens.web.PageQueries.Order;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** Outlier events for the API. */
public final class OutlierEventQueries {

  /** The alert that an event raised was open at some moment that the event was. */
  private static final String SELECT =
      """
      select e.*, o.uuid, o.adapter_kind, o.object_kind, o.name,
        (select a.id from alert a
        where a.definition_id = e.group_id and a.object_id = e.object_id
          and a.opened_at >= e.opened_at - interval '1 day' and (a.canceled_at is null or a.canceled_at >= e.opened_at)
          and (e.closed_at is null or a.opened_at <= e.closed_at + interval '1 hour')
        order by a.opened_at limit 1) as alert_id
      """;

  private static final String FROM =
      " from outlier_event e left join object o on o.id = e.object_id where ";

  private static final PageQueries PAGES = new PageQueries(SELECT, FROM, "e.number");

  private static final String HISTORY =
      """
      select id, at, event, by, score, value, metric, unit, note, explanation from outlier_event_history
      where event_id = :id and id < :before order by id desc limit :limit
      """;

  private final JdbcClient jdbc;

  OutlierEventQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  private static Order order(OutlierEventSort sort) {
    boolean down = sort.getValue().startsWith("-");
    return switch (sort) {
      case OPENED_AT, OPENED_AT_DESC -> new Order("e.opened_at", "timestamptz", down);
      case UPDATED_AT, UPDATED_AT_DESC -> new Order("e.updated_at", "timestamptz", down);
      case SEVERITY_DESC -> new Order("e.severity", "int", true);
      case SCORE_DESC -> new Order("coalesce(abs(e.peak_score), 0)", "float8", true);
      case NUMBER, NUMBER_DESC -> new Order("e.number", "bigint", down);
      case OBJECT, OBJECT_DESC ->
          new Order("lower(coalesce(o.name, '')) collate \"C\"", "text", down);
      case GROUP, GROUP_DESC -> new Order("lower(e.group_name) collate \"C\"", "text", down);
    };
  }

  /** One page of events. */
  OutlierEventPage find(
      OutlierEventFilter filter, OutlierEventSort sort, int limit, @Nullable String cursor) {
    Page<OutlierEvent> page =
        PAGES.page(
            jdbc,
            filter.where(),
            order(sort),
            filter + " " + sort,
            limit,
            cursor,
            OutlierEventQueries::event,
            OutlierEvent::getNumber);
    return page.as(OutlierEventPage::new);
  }

  /**
   * Events of some objects in a window: those that are or were open at its end, the highest scores
   * first, then those that ended within it, the newest first.
   *
   * @param objects null = of all, and of whole groups
   */
  public OutlierEventPage during(
      @Nullable Collection<UUID> objects, Instant from, Instant to, int limit) {
    OutlierEventFilter whole = OutlierEventFilter.during(objects, from, to);
    OutlierEventPage open =
        find(OutlierEventFilter.during(objects, to, to), OutlierEventSort.SCORE_DESC, limit, null);
    Set<UUID> known = open.getItems().stream().map(OutlierEvent::getId).collect(toSet());
    int more = known.size() + limit;
    OutlierEventPage all = find(whole, OutlierEventSort.OPENED_AT_DESC, more, null);
    List<OutlierEvent> items =
        Stream.concat(
                open.getItems().stream(),
                all.getItems().stream().filter(event -> !known.contains(event.getId())))
            .limit(limit)
            .toList();
    return new OutlierEventPage(items, null, all.getTotal());
  }

  /** One event. */
  Optional<OutlierEvent> one(UUID id) {
    return byId(List.of(id)).stream().findFirst();
  }

  /** Events with these ids, in no order; those that do not exist are left out. */
  List<OutlierEvent> byId(Collection<UUID> ids) {
    return jdbc.sql(SELECT + FROM + "e.id = any (:ids)")
        .param("ids", ids.toArray(UUID[]::new))
        .query((row, number) -> event(row))
        .list();
  }

  /** What happened to an event, newest first. */
  OutlierEventStepPage history(UUID id, int limit, @Nullable String cursor) {
    String scope = "outlier event history " + id;
    long total =
        jdbc.sql("select count(*) from outlier_event_history where event_id = :id")
            .param("id", id)
            .query(Long.class)
            .single();
    long before = Page.before(scope, cursor);
    record Found(long id, OutlierEventStep step) {}
    List<Found> steps =
        jdbc.sql(HISTORY)
            .param("id", id)
            .param("before", before)
            .param("limit", limit + 1)
            .query(
                (row, number) ->
                    new Found(
                        row.getLong("id"),
                        new OutlierEventStep(
                            instant(row, "at"),
                            OutlierEventStepKind.fromValue(row.getString("event")),
                            row.getString("by"),
                            Rows.number(row, "score"),
                            Rows.number(row, "value"),
                            row.getString("metric"),
                            row.getString("unit"),
                            row.getString("note"),
                            row.getString("explanation"))))
            .list();
    return Page.newestFirst(steps, Found::id, scope, limit, total)
        .map(Found::step)
        .as(OutlierEventStepPage::new);
  }

  private static OutlierEvent event(ResultSet row) throws SQLException {
    UUID uuid = row.getObject("uuid", UUID.class);
    ObjectRef object = uuid == null ? null : GroupEventQueries.object(row);
    OutlierExplanation explanation =
        JsonMapper.shared().readValue(row.getString("explanation"), OutlierExplanation.class);
    explanation.setSubject(object);
    explanation.setMoments(requireNonNullElse(explanation.getMoments(), List.of()));
    String reason = row.getString("close_reason");
    String side = row.getString("side");
    return new OutlierEvent(
            row.getObject("id", UUID.class),
            row.getLong("number"),
            new RuleRef(row.getObject("group_id", UUID.class), row.getString("group_name")),
            OutlierEventStatus.fromValue(row.getString("status")),
            instantOrNull(row, "archived_at"),
            row.getString("archived_by"),
            instant(row, "opened_at"),
            instant(row, "since"),
            instant(row, "last_bucket"),
            instant(row, "updated_at"),
            instantOrNull(row, "closed_at"),
            Severity.values()[row.getInt("severity") - 1],
            OutlierEvidence.fromValue(row.getString("evidence")),
            Rows.number(row, "score"),
            Rows.number(row, "peak_score"),
            instant(row, "peak_at"),
            row.getInt("violations"),
            row.getInt("of"),
            row.getInt("judged"),
            row.getInt("members"),
            JsonMapper.shared().readValue(row.getString("metrics"), OutlierEventStore.METRICS),
            JsonMapper.shared()
                .readValue(row.getString("properties"), OutlierEventStore.PROPERTIES),
            row.getInt("flaps"),
            row.getObject("alert_id", UUID.class),
            explanation,
            row.getInt("note_count"))
        .object(object)
        .side(side == null ? null : OutlierDirection.fromValue(side))
        .closeReason(reason == null ? null : OutlierCloseReason.fromValue(reason));
  }
}
