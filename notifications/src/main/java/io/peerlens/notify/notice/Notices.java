package io.peerlens.notify.notice;

import io.peerlens.notify.relay.ForeignAlertStore;
import io.peerlens.notify.relay.ForeignAlertStore.Report;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Notices about the installation, raised while something is wrong and cleared by their keys.
 * Notices go through the same rules as alerts.
 */
final class Notices {

  /** What rules name as their source. */
  static final String SOURCE = "notices";

  private final NoticeQueries queries;
  private final ForeignAlertStore alerts;

  Notices(NoticeQueries queries, ForeignAlertStore alerts) {
    this.queries = queries;
    this.alerts = alerts;
  }

  /** Looks once. */
  void look(Instant now) {
    Set<String> present = new HashSet<>();
    for (Notice notice : queries.present(now)) {
      present.add(notice.key());
      // Figures change all the time; only what kind of trouble it is, and how bad, is news.
      alerts.report(
          SOURCE,
          Report.now(
              notice.key(), true, notice.kind() + " " + notice.criticality(), context(notice)),
          now);
    }
    for (String key : alerts.open(SOURCE)) {
      if (!present.contains(key) && queries.knows(key)) {
        alerts.end(SOURCE, key, now);
      }
    }
  }

  private static ObjectNode context(Notice notice) {
    ObjectNode context = JsonMapper.shared().createObjectNode();
    ObjectNode alert = context.putObject("alert");
    alert.put("name", notice.name());
    alert.put("definitionId", notice.kind());
    alert.put("definitionDescription", "Peerlens reports a problem of its own.");
    alert.put("controlState", "OPEN");
    alert.put("criticality", notice.criticality());
    alert.put("type", "APPLICATION");
    alert.put("subType", "AVAILABILITY");
    alert.put("impact", "HEALTH");
    alert.put("info", notice.words());
    alert.put("explanation", notice.words());
    alert.putArray("symptoms").addObject().put("message", notice.words());
    alert.putArray("recommendations");
    alert.put("notificationCount", 0);
    alert.putObject("externalIds");
    if (notice.subject() == null) {
      context.putNull("object");
    } else {
      ObjectNode object = context.putObject("object");
      object.put("id", notice.subject());
      object.put("name", notice.subjectName());
      object.put("kind", notice.subjectKind());
      object.put("kindName", "Notification target");
      object.put("adapterKind", "Peerlens");
      object.putObject("properties");
      object.putObject("tags");
      object.putObject("metrics");
      object.putObject("superMetrics");
      object.putArray("parents");
      object.putObject("ancestors");
    }
    return context;
  }
}
