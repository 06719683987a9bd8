package io.peerlens.alert;

import io.peerlens.api.model.AlertControlState;
import io.peerlens.api.model.AlertOpenness;
import io.peerlens.api.model.Impact;
import io.peerlens.api.model.Severity;
import io.peerlens.web.ApiException;
import io.peerlens.web.Moments;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which alerts are asked for; empty lists and null do not filter.
 *
 * @param ancestor the object and everything below it
 * @param owners {@code nobody} = none
 * @param from only those that were open at or after it
 * @param to only those that opened before it
 */
record AlertFilter(
    AlertOpenness openness,
    List<Severity> severities,
    List<AlertControlState> controlStates,
    List<Impact> impacts,
    List<UUID> definitions,
    List<UUID> objects,
    @Nullable UUID ancestor,
    List<String> adapterKinds,
    List<String> objectKinds,
    List<String> owners,
    @Nullable Boolean flapping,
    List<String> words,
    @Nullable Instant from,
    @Nullable Instant to) {

  private static final String NOBODY = "nobody";

  /** A condition on {@code alert a join object o}, in SQL. */
  record Where(String sql, Map<String, Object> parameters) {}

  static AlertFilter of(
      @Nullable AlertOpenness status,
      @Nullable List<Severity> severity,
      @Nullable List<AlertControlState> controlState,
      @Nullable List<Impact> impact,
      @Nullable List<UUID> definition,
      @Nullable List<UUID> object,
      @Nullable UUID ancestor,
      @Nullable List<String> adapterKind,
      @Nullable List<String> objectKind,
      @Nullable List<String> owner,
      @Nullable Boolean flapping,
      @Nullable String q,
      @Nullable String from,
      @Nullable String to) {
    Instant begin = from == null ? null : Moments.parameter("from", from);
    Instant end = to == null ? null : Moments.parameter("to", to);
    if (begin != null && end != null && !begin.isBefore(end)) {
      throw ApiException.invalidParameter("to", "is not after from");
    }
    boolean window = begin != null || end != null;
    return new AlertFilter(
        status != null ? status : window ? AlertOpenness.ANY : AlertOpenness.OPEN,
        list(severity),
        list(controlState),
        list(impact),
        list(definition),
        list(object),
        ancestor,
        list(adapterKind),
        list(objectKind),
        list(owner),
        flapping,
        q == null ? List.of() : Arrays.stream(q.strip().split("\\s+")).toList(),
        begin,
        end);
  }

  private static <T> List<T> list(@Nullable List<T> given) {
    return given == null ? List.of() : List.copyOf(given);
  }

  /** The same with a window. */
  AlertFilter within(Instant begin, Instant end) {
    return new AlertFilter(
        openness,
        severities,
        controlStates,
        impacts,
        definitions,
        objects,
        ancestor,
        adapterKinds,
        objectKinds,
        owners,
        flapping,
        words,
        begin,
        end);
  }

  Where where() {
    List<String> all = new ArrayList<>();
    Map<String, Object> parameters = new HashMap<>();
    switch (openness) {
      case OPEN -> all.add("a.status <> 'canceled'");
      case CANCELED -> all.add("a.status = 'canceled'");
      case ANY -> {}
    }
    if (!severities.isEmpty()) {
      all.add("a.severity = any (:severities)");
      parameters.put(
          "severities", severities.stream().map(one -> one.ordinal() + 1).toArray(Integer[]::new));
    }
    any(all, parameters, "a.control_state", "controlStates", labels(controlStates));
    any(all, parameters, "a.impact", "impacts", labels(impacts));
    if (!definitions.isEmpty()) {
      all.add("a.definition_id = any (:definitions)");
      parameters.put("definitions", definitions.toArray(UUID[]::new));
    }
    if (!objects.isEmpty()) {
      all.add("o.uuid = any (:objects)");
      parameters.put("objects", objects.toArray(UUID[]::new));
    }
    if (ancestor != null) {
      all.add(BELOW);
      parameters.put("ancestor", ancestor);
    }
    any(all, parameters, "lower(o.adapter_kind)", "adapterKinds", lower(adapterKinds));
    any(all, parameters, "lower(o.object_kind)", "objectKinds", lower(objectKinds));
    if (!owners.isEmpty()) {
      all.add(
          owners.contains(NOBODY)
              ? "(a.owner is null or a.owner = any (:owners))"
              : "a.owner = any (:owners)");
      parameters.put("owners", owners.toArray(String[]::new));
    }
    if (flapping != null) {
      all.add("a.flapping = :flapping");
      parameters.put("flapping", flapping);
    }
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      all.add(WORD.formatted(i));
      parameters.put("like" + i, "%" + word.replaceAll("([\\\\%_])", "\\\\$1") + "%");
      parameters.put("word" + i, word.toLowerCase(Locale.ROOT).replaceFirst("^a-", ""));
    }
    if (from != null) {
      all.add("(a.canceled_at is null or a.canceled_at > :from)");
      parameters.put("from", from.atOffset(ZoneOffset.UTC));
    }
    if (to != null) {
      all.add("a.opened_at < :to");
      parameters.put("to", to.atOffset(ZoneOffset.UTC));
    }
    return new Where(all.isEmpty() ? "true" : String.join(" and ", all), parameters);
  }

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

  private static void any(
      List<String> all,
      Map<String, Object> parameters,
      String column,
      String name,
      String[] values) {
    if (values.length > 0) {
      all.add(column + " = any (:" + name + ")");
      parameters.put(name, values);
    }
  }

  private static String[] labels(List<? extends Enum<?>> values) {
    return values.stream()
        .map(value -> value.name().toLowerCase(Locale.ROOT))
        .toArray(String[]::new);
  }

  private static String[] lower(List<String> values) {
    return values.stream().map(value -> value.toLowerCase(Locale.ROOT)).toArray(String[]::new);
  }
}
