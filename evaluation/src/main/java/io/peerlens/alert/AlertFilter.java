package io.peerlens.alert;

import io.peerlens.api.model.AlertControlState;
import io.peerlens.api.model.AlertOpenness;
import io.peerlens.api.model.Impact;
import io.peerlens.api.model.Severity;
import io.peerlens.web.ApiException;
import io.peerlens.web.Moments;
import io.peerlens.web.PageQueries;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Filter of alerts, as the contract has it; null and empty lists do not filter.
 *
 * @param openness null = open ones; with a window, any
 * @param ancestor the object and everything below it
 * @param owners {@code nobody} = none
 * @param silenced null = whether silenced or not
 * @param incident number of the incident that they are in; {@code none} = no open one
 * @param words free text; every word must occur
 */
record AlertFilter(
    @Nullable AlertOpenness openness,
    @Nullable List<Severity> severities,
    @Nullable List<AlertControlState> controlStates,
    @Nullable List<Impact> impacts,
    @Nullable List<UUID> definitions,
    @Nullable List<UUID> objects,
    @Nullable UUID ancestor,
    @Nullable List<String> adapterKinds,
    @Nullable List<String> objectKinds,
    @Nullable List<String> owners,
    @Nullable Boolean flapping,
    @Nullable Silenced silenced,
    @Nullable String incident,
    @Nullable String words,
    Window window) {

  private static final String NOBODY = "nobody";

  /**
   * Alerts that silences in force cover, or all others. Its text holds no ids, so that a cursor
   * goes on although an alert has opened meanwhile.
   *
   * @param wanted whether those are asked for that are covered
   * @param alerts those that are covered
   */
  record Silenced(boolean wanted, Set<UUID> alerts) {

    Silenced {
      alerts = Set.copyOf(alerts);
    }

    @Override
    public String toString() {
      return "silenced " + wanted;
    }
  }

  /**
   * A stretch of time in which alerts were open.
   *
   * @param from null = from the beginning on
   * @param to null = until now
   */
  record Window(@Nullable Instant from, @Nullable Instant to) {

    private static final Duration LONGEST = Duration.ofDays(40);

    static Window of(@Nullable String from, @Nullable String to) {
      Instant begin = from == null ? null : Moments.parameter("from", from);
      Instant end = to == null ? null : Moments.parameter("to", to);
      if (begin != null && end != null && !begin.isBefore(end)) {
        throw ApiException.invalidParameter("to", "is not after from");
      }
      return new Window(begin, end);
    }

    /** With both ends, for counting hour by hour; where none is given, the last day. */
    Window closed(Instant now) {
      Instant end = Objects.requireNonNullElse(to, now);
      Instant begin = Objects.requireNonNullElse(from, end.minus(1, ChronoUnit.DAYS));
      if (Duration.between(begin, end).compareTo(LONGEST) > 0) {
        throw ApiException.invalidParameter(
            "from", "the window is longer than " + LONGEST.toDays() + " days");
      }
      return new Window(begin, end);
    }

    boolean isBounded() {
      return from != null || to != null;
    }
  }

  PageQueries.Where where() {
    List<String> all = new ArrayList<>();
    Map<String, Object> parameters = new HashMap<>();
    AlertOpenness usual = window.isBounded() ? AlertOpenness.ANY : AlertOpenness.OPEN;
    switch (Objects.requireNonNullElse(openness, usual)) {
      case OPEN -> all.add("a.status <> 'canceled'");
      case CANCELED -> all.add("a.status = 'canceled'");
      case ANY -> {}
    }
    any(
        all,
        parameters,
        "a.severity",
        "severities",
        severities,
        one -> one.ordinal() + 1,
        Integer[]::new);
    any(
        all,
        parameters,
        "a.control_state",
        "controlStates",
        controlStates,
        AlertControlState::getValue,
        String[]::new);
    any(all, parameters, "a.impact", "impacts", impacts, Impact::getValue, String[]::new);
    any(all, parameters, "a.definition_id", "definitions", definitions, id -> id, UUID[]::new);
    any(all, parameters, "o.uuid", "objects", objects, id -> id, UUID[]::new);
    if (ancestor != null) {
      all.add(BELOW);
      parameters.put("ancestor", ancestor);
    }
    any(
        all,
        parameters,
        "lower(o.adapter_kind)",
        "adapterKinds",
        adapterKinds,
        AlertFilter::lower,
        String[]::new);
    any(
        all,
        parameters,
        "lower(o.object_kind)",
        "objectKinds",
        objectKinds,
        AlertFilter::lower,
        String[]::new);
    String owner =
        owners != null && owners.contains(NOBODY)
            ? "coalesce(a.owner, '" + NOBODY + "')"
            : "a.owner";
    any(all, parameters, owner, "owners", owners, name -> name, String[]::new);
    if (flapping != null) {
      all.add("a.flapping = :flapping");
      parameters.put("flapping", flapping);
    }
    if (silenced != null) {
      all.add(silenced.wanted() ? "a.id = any (:silenced)" : "a.id <> all (:silenced)");
      parameters.put("silenced", silenced.alerts().toArray(UUID[]::new));
    }
    if ("none".equals(incident)) {
      all.add(
          "not exists (select from incident_alert m where m.alert_id = a.id and m.left_at is null)");
    } else if (incident != null) {
      all.add(IN_INCIDENT);
      parameters.put("incident", Long.valueOf(incident));
    }
    if (words != null) {
      String[] each = words.strip().split("\\s+");
      for (int i = 0; i < each.length; i++) {
        all.add(WORD.formatted(i));
        parameters.put("like" + i, "%" + each[i].replaceAll("([\\\\%_])", "\\\\$1") + "%");
        parameters.put("word" + i, lower(each[i]).replaceFirst("^a-", ""));
      }
    }
    if (window.from() != null) {
      all.add("(a.canceled_at is null or a.canceled_at > :from)");
      parameters.put("from", window.from().atOffset(ZoneOffset.UTC));
    }
    if (window.to() != null) {
      all.add("a.opened_at < :to");
      parameters.put("to", window.to().atOffset(ZoneOffset.UTC));
    }
    return new PageQueries.Where(all.isEmpty() ? "true" : String.join(" and ", all), parameters);
  }

  private static final String IN_INCIDENT =
      """
      a.id in (
        select m.alert_id from incident_alert m join incident i on i.id = m.incident_id
        where i.number = :incident and (m.left_at is null or m.reason = 'closed'))
      """;

  private static final String BELOW =
      """
      a.object_id in (
        with recursive below(id) as (
          select id from object where uuid = :ancestor
          union
          select r.child_id from below b join relation r on r.parent_id = b.id)
        select id from below)
      """;

  private static final String WORD =
      """
      (a.definition_name ilike :like%1$d or o.name ilike :like%1$d or a.owner ilike :like%1$d or a.number::text = :word%1$d)
      """;

  private static <T, V> void any(
      List<String> all,
      Map<String, Object> parameters,
      String column,
      String name,
      @Nullable List<T> wanted,
      Function<T, V> stored,
      IntFunction<V[]> array) {
    if (wanted != null && !wanted.isEmpty()) {
      all.add(column + " = any (:" + name + ")");
      parameters.put(name, wanted.stream().map(stored).toArray(array));
    }
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
