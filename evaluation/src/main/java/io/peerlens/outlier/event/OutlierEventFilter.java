package io.peerlens.outlier.event;

import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.OutlierEventStatus;
import io.peerlens.api.model.Severity;
import io.peerlens.web.PageQueries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Filter of outlier events. As a text it is the scope of cursors, so equal filters must be equal
 * texts. Empty lists and null do not filter.
 */
record OutlierEventFilter(
    List<OutlierEventStatus> statuses,
    @Nullable Boolean archived,
    List<Severity> severities,
    List<UUID> groups,
    List<UUID> objects,
    @Nullable UUID ancestor,
    List<String> words,
    @Nullable Instant from,
    @Nullable Instant to) {

  private static final String BELOW =
      """
      e.object_id in (
        with recursive below(id) as (
          select id from object where uuid = :ancestor
          union
          select r.child_id from below b join relation r on r.parent_id = b.id)
        select id from below)
      """;

  private static final String WORD =
      "(e.group_name ilike :like%1$d or o.name ilike :like%1$d or e.number::text = :word%1$d)";

  /**
   * What was open at any time of a window.
   *
   * @param objects null = of all, and of whole groups
   */
  static OutlierEventFilter during(@Nullable Collection<UUID> objects, Instant from, Instant to) {
    return new OutlierEventFilter(
        List.of(),
        null,
        List.of(),
        List.of(),
        objects == null ? List.of() : List.copyOf(objects),
        null,
        List.of(),
        from,
        to);
  }

  PageQueries.Where where() {
    List<String> all = new ArrayList<>();
    Map<String, Object> parameters = new HashMap<>();
    if (!statuses.isEmpty()) {
      all.add("e.status = any (:statuses)");
      parameters.put(
          "statuses", statuses.stream().map(OutlierEventStatus::getValue).toArray(String[]::new));
    }
    if (archived != null) {
      all.add("e.archived_at is " + (archived ? "not null" : "null"));
    }
    if (!severities.isEmpty()) {
      all.add("e.severity = any (:severities)");
      parameters.put(
          "severities",
          severities.stream().map(severity -> severity.ordinal() + 1).toArray(Integer[]::new));
    }
    if (!groups.isEmpty()) {
      all.add("e.group_id = any (:groups)");
      parameters.put("groups", groups.toArray(UUID[]::new));
    }
    if (!objects.isEmpty()) {
      all.add("o.uuid = any (:objects)");
      parameters.put("objects", objects.toArray(UUID[]::new));
    }
    if (ancestor != null) {
      all.add(BELOW);
      parameters.put("ancestor", ancestor);
    }
    for (int i = 0; i < words.size(); i++) {
      all.add(WORD.formatted(i));
      parameters.put("like" + i, "%" + words.get(i).replaceAll("([\\\\%_])", "\\\\$1") + "%");
      parameters.put("word" + i, words.get(i).toLowerCase(Locale.ROOT).replaceFirst("^o-", ""));
    }
    if (from != null) {
      all.add("(e.closed_at is null or e.closed_at > :from)");
      parameters.put("from", utc(from));
    }
    if (to != null) {
      all.add("e.since < :to");
      parameters.put("to", utc(to));
    }
    return new PageQueries.Where(all.isEmpty() ? "true" : String.join(" and ", all), parameters);
  }
}
