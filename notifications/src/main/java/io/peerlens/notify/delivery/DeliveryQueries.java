package io.peerlens.notify.delivery;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.AlertNotificationTrace;
import io.peerlens.api.model.AlertNotifications;
import io.peerlens.api.model.Delivery;
import io.peerlens.api.model.DeliveryAttempt;
import io.peerlens.api.model.DeliveryDetail;
import io.peerlens.api.model.DeliveryEvent;
import io.peerlens.api.model.DeliveryLastAttempt;
import io.peerlens.api.model.DeliveryPage;
import io.peerlens.api.model.DeliveryStatus;
import io.peerlens.api.model.NotificationAnswer;
import io.peerlens.api.model.NotificationCheck;
import io.peerlens.api.model.NotificationDecision;
import io.peerlens.api.model.NotificationHeader;
import io.peerlens.api.model.NotificationSent;
import io.peerlens.api.model.NotificationStanding;
import io.peerlens.api.model.NotificationVerdict;
import io.peerlens.api.model.RuleRef;
import io.peerlens.api.model.TargetState;
import io.peerlens.api.model.TargetStateList;
import io.peerlens.web.Page;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Delivery log, for the API: deliveries, their attempts, and why there are none. */
final class DeliveryQueries {

  private static final int MOST_TRACES = 500;
  private static final int MOST_DELIVERIES = 200;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final String COLUMNS =
      """
      d.id, d.number, d.target_id, d.target_name, d.rule_id, d.rule_name, d.subject_id, d.alert_number, d.alert_name,
      d.object_name, d.criticality, d.event, d.change, d.sequence, d.template, d.template_version, d.template_hash, d.status,
      d.attempts, d.reached, d.reason, d.created_at, d.due_at, d.expires_at, d.ended_at
      """;

  private static final String SELECT = "with d as (select " + COLUMNS + " from delivery d where ";

  /** The last attempt is looked up for those only that are shown. */
  private static final String LAST_ATTEMPT =
      """
      )
      select d.*, l.at, l.took_ms, l.verdict, l.answer_status
      from d left join lateral (
        select a.at, a.took_ms, a.verdict, nullif((a.answer ->> 'status')::int, 0) as answer_status
        from delivery_attempt a where a.delivery_id = d.id order by a.number desc limit 1) l on true
      order by d.number desc
      """;

  /** As arrays, so that both parts use their indexes. */
  private static final String OF_ALERT =
      """
      (d.subject_id = :alert
        or d.id = any (array(select m.delivery_id from delivery_member m where m.alert_id = :alert)))
      """;

  private static final String OF_OBJECT =
      """
      (d.subject_id = any (array(
          select a.id from alert a join object o on o.id = a.object_id where o.uuid = :object))
        or d.id = any (array(
          select m.delivery_id from delivery_member m join alert a on a.id = m.alert_id
          join object o on o.id = a.object_id where o.uuid = :object)))
      """;

  private static final String MESSAGE =
      "select message::text from delivery where id = :id and message is not null";

  private static final String MEMBERS =
      "select alert_id from delivery_member where delivery_id = :id order by alert_id";

  private static final String ATTEMPTS =
      """
      select number, at, node, took_ms, verdict, reason, sent::text as sent, answer::text as answer
      from delivery_attempt where delivery_id = :id order by number
      """;

  private static final String TRACES =
      """
      select at, event, change, rule_id, rule_name, matched, words, checks::text as checks, targets::text as targets
      from notification_trace where alert_id = :alert order by id desc limit :limit
      """;

  private static final String STANDINGS =
      """
      select target_id, rule_id, rule_name, phase, due, notified from notification_state
      where alert_id = :alert order by rule_name, target_id
      """;

  private static final String KNOWN =
      """
      select exists (select from alert where id = :alert) or exists (select from foreign_alert where id = :alert)
        or exists (select from notification_trace where alert_id = :alert)
      """;

  private static final String STATES =
      """
      with waiting as (
        select target_id, count(*) as waiting, min(created_at) as oldest
        from delivery where status in ('waiting', 'retry', 'sending') group by target_id),
      dead as (
        select target_id, count(*) as dead from delivery where status = 'dead' and ended_at > :since group by target_id)
      select coalesce(l.target_id, w.target_id, x.target_id) as target, l.*, coalesce(w.waiting, 0) as waiting, w.oldest,
        coalesce(x.dead, 0) as dead
      from target_line l
      full join waiting w on w.target_id = l.target_id
      full join dead x on x.target_id = coalesce(l.target_id, w.target_id)
      order by 1
      """;

  private final JdbcClient jdbc;

  DeliveryQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Filter of deliveries; null and an empty list are no condition. */
  record Filter(
      @Nullable UUID target,
      @Nullable UUID rule,
      @Nullable String template,
      @Nullable UUID alert,
      @Nullable UUID object,
      List<DeliveryEvent> event,
      List<DeliveryStatus> status,
      @Nullable String error,
      @Nullable Instant from,
      @Nullable Instant to) {

    /** SQL of the condition; its parameters are put into the map. */
    String where(Map<String, Object> parameters) {
      List<String> all = new ArrayList<>();
      if (target != null) {
        all.add("d.target_id = :target");
        parameters.put("target", target);
      }
      if (rule != null) {
        all.add("d.rule_id = :rule");
        parameters.put("rule", rule);
      }
      if (template != null) {
        all.add("d.template = :template");
        parameters.put("template", template);
      }
      if (alert != null) {
        all.add(OF_ALERT);
        parameters.put("alert", alert);
      }
      if (object != null) {
        all.add(OF_OBJECT);
        parameters.put("object", object);
      }
      if (!event.isEmpty()) {
        all.add("d.event = any (:event)");
        parameters.put("event", event.stream().map(DeliveryEvent::getValue).toArray(String[]::new));
      }
      if (error != null) {
        all.add("d.reason is not null and position(lower(:error) in lower(d.reason)) > 0");
        parameters.put("error", error);
      }
      if (!status.isEmpty()) {
        all.add("d.status = any (:status)");
        parameters.put(
            "status", status.stream().map(DeliveryStatus::getValue).toArray(String[]::new));
      }
      if (from != null) {
        all.add("d.created_at >= :from");
        parameters.put("from", utc(from));
      }
      if (to != null) {
        all.add("d.created_at < :to");
        parameters.put("to", utc(to));
      }
      return all.isEmpty() ? "true" : String.join(" and ", all);
    }
  }

  /** One page, newest first. */
  DeliveryPage page(Filter filter, int limit, @Nullable String cursor) {
    String scope = "deliveries " + filter;
    Map<String, Object> parameters = new HashMap<>();
    String where = filter.where(parameters);
    parameters.put("before", Page.before(scope, cursor));
    parameters.put("limit", limit + 1);
    List<Delivery> found =
        jdbc.sql(
                SELECT
                    + where
                    + " and d.number < :before order by d.number desc limit :limit"
                    + LAST_ATTEMPT)
            .params(parameters)
            .query((row, number) -> delivery(row))
            .list();
    Page<Delivery> page = Page.newestFirst(found, Delivery::getNumber, scope, limit, 0);
    return new DeliveryPage(page.items(), page.nextCursor());
  }

  /** One delivery without what was sent. */
  Optional<Delivery> one(UUID id) {
    return jdbc.sql(SELECT + "d.id = :id" + LAST_ATTEMPT)
        .param("id", id)
        .query((row, number) -> delivery(row))
        .optional();
  }

  /** One delivery with what was sent and what came back. */
  Optional<DeliveryDetail> detail(UUID id) {
    return one(id).map(this::detail);
  }

  private DeliveryDetail detail(Delivery delivery) {
    UUID id = delivery.getId();
    Map<String, Object> message =
        jdbc.sql(MESSAGE)
            .param("id", id)
            .query(String.class)
            .optional()
            .map(text -> JSON.readValue(text, new TypeReference<Map<String, Object>>() {}))
            .orElse(Map.of());
    List<DeliveryAttempt> attempts = new ArrayList<>();
    jdbc.sql(ATTEMPTS)
        .param("id", id)
        .query(
            row -> {
              String body = attempts.isEmpty() ? "" : attempts.getFirst().getSent().getBody();
              attempts.add(attempt(row, body));
            });
    return new DeliveryDetail(
        delivery,
        message,
        jdbc.sql(MEMBERS)
            .param("id", id)
            .query((row, number) -> row.getObject(1, UUID.class))
            .list(),
        attempts);
  }

  private static DeliveryAttempt attempt(ResultSet row, String body) throws SQLException {
    JsonNode sent = JSON.readTree(row.getString("sent"));
    String answer = row.getString("answer");
    DeliveryAttempt attempt =
        new DeliveryAttempt(
            row.getInt("number"),
            instant(row, "at"),
            row.getString("node"),
            row.getDouble("took_ms"),
            verdict(row.getString("verdict")),
            row.getString("reason"),
            new NotificationSent(
                sent.path("line").asString(""),
                headers(sent.path("headers")),
                sent.path("body").asString(body)),
            answer == null ? null : answer(JSON.readTree(answer)));
    return attempt;
  }

  private static NotificationVerdict verdict(String stored) {
    return stored.equals("delivered-unconfirmed")
        ? NotificationVerdict.UNCONFIRMED
        : NotificationVerdict.fromValue(stored);
  }

  private static NotificationAnswer answer(JsonNode answer) {
    return new NotificationAnswer(
        answer.path("status").asInt(0),
        headers(answer.path("headers")),
        answer.path("body").asString(""));
  }

  private static List<NotificationHeader> headers(JsonNode headers) {
    List<NotificationHeader> all = new ArrayList<>();
    headers.forEach(
        header ->
            all.add(
                new NotificationHeader(
                    header.path("name").asString(""), header.path("value").asString(""))));
    return all;
  }

  /** Whether anything is known of an alert. */
  boolean isKnown(UUID alert) {
    return jdbc.sql(KNOWN).param("alert", alert).query(Boolean.class).single();
  }

  /** Why somebody was, or was not, notified of an alert. */
  AlertNotifications of(UUID alert) {
    return new AlertNotifications(
        jdbc.sql(STANDINGS).param("alert", alert).query((row, number) -> standing(row)).list(),
        jdbc.sql(TRACES)
            .param("alert", alert)
            .param("limit", MOST_TRACES)
            .query((row, number) -> trace(row))
            .list(),
        jdbc.sql(SELECT + OF_ALERT + " order by d.number desc limit :limit" + LAST_ATTEMPT)
            .param("alert", alert)
            .param("limit", MOST_DELIVERIES)
            .query((row, number) -> delivery(row))
            .list());
  }

  private static NotificationStanding standing(ResultSet row) throws SQLException {
    return new NotificationStanding(
        row.getObject("target_id", UUID.class),
        new RuleRef(row.getObject("rule_id", UUID.class), row.getString("rule_name")),
        NotificationStanding.PhaseEnum.fromValue(row.getString("phase")),
        instantOrNull(row, "due"),
        row.getInt("notified"));
  }

  private static AlertNotificationTrace trace(ResultSet row) throws SQLException {
    List<NotificationCheck> checks = new ArrayList<>();
    for (JsonNode check : JSON.readTree(row.getString("checks"))) {
      checks.add(
          new NotificationCheck(
              check.path("field").asString(""),
              check.path("met").asBoolean(false),
              check.path("words").asString("")));
    }
    List<NotificationDecision> decisions = new ArrayList<>();
    for (JsonNode target : JSON.readTree(row.getString("targets"))) {
      String delivery = target.path("delivery").asString(null);
      decisions.add(
          new NotificationDecision(
              UUID.fromString(target.path("id").asString("")),
              target.path("name").asString(""),
              NotificationDecision.OutcomeEnum.fromValue(target.path("outcome").asString("")),
              target.path("words").asString(""),
              delivery == null ? null : UUID.fromString(delivery)));
    }
    return new AlertNotificationTrace(
        instant(row, "at"),
        AlertNotificationTrace.EventEnum.fromValue(row.getString("event")),
        row.getString("change"),
        new RuleRef(row.getObject("rule_id", UUID.class), row.getString("rule_name")),
        row.getBoolean("matched"),
        row.getString("words"),
        checks,
        decisions);
  }

  /** How targets do. */
  TargetStateList states(Instant now) {
    return new TargetStateList(
        jdbc.sql(STATES)
            .param("since", utc(now.minus(Duration.ofDays(1))))
            .query(
                (row, number) ->
                    new TargetState(
                        row.getObject("target", UUID.class),
                        row.getLong("waiting"),
                        instantOrNull(row, "oldest"),
                        row.getLong("dead"),
                        TargetState.BreakerEnum.fromValue(
                            Objects.requireNonNullElse(row.getString("breaker"), "closed")),
                        instantOrNull(row, "last_success"),
                        instantOrNull(row, "last_failure"),
                        row.getString("failure"),
                        instantOrNull(row, "failing_since"),
                        row.getLong("failures"),
                        instantOrNull(row, "paused_until"),
                        instantOrNull(row, "stopped_at"),
                        row.getString("stopped_reason")))
            .list());
  }

  private static @Nullable DeliveryLastAttempt lastAttempt(ResultSet row) throws SQLException {
    String verdict = row.getString("verdict");
    if (verdict == null) {
      return null;
    }
    int status = row.getInt("answer_status");
    return new DeliveryLastAttempt(
        instant(row, "at"),
        row.getDouble("took_ms"),
        verdict(verdict),
        row.wasNull() ? null : status);
  }

  private static Delivery delivery(ResultSet row) throws SQLException {
    String status = row.getString("status");
    boolean waits = status.equals("waiting") || status.equals("retry");
    UUID rule = row.getObject("rule_id", UUID.class);
    long alertNumber = row.getLong("alert_number");
    Long number = row.wasNull() ? null : alertNumber;
    String criticality = row.getString("criticality");
    String severity = criticality == null ? null : criticality.toLowerCase(Locale.ROOT);
    return new Delivery(
        row.getObject("id", UUID.class),
        row.getLong("number"),
        instant(row, "created_at"),
        DeliveryStatus.fromValue(status),
        DeliveryEvent.fromValue(row.getString("event")),
        row.getString("change"),
        row.getObject("subject_id", UUID.class),
        number,
        row.getString("alert_name"),
        row.getString("object_name"),
        severity,
        new RuleRef(row.getObject("target_id", UUID.class), row.getString("target_name")),
        rule == null ? null : new RuleRef(rule, row.getString("rule_name")),
        row.getString("template"),
        row.getString("template_version"),
        row.getString("template_hash"),
        row.getInt("sequence"),
        row.getInt("attempts"),
        lastAttempt(row),
        row.getBoolean("reached"),
        waits ? instant(row, "due_at") : null,
        instant(row, "expires_at"),
        instantOrNull(row, "ended_at"),
        row.getString("reason"));
  }
}
