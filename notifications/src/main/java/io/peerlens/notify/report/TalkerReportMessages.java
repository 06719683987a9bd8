package io.peerlens.notify.report;

import io.peerlens.alerttemplates.Message;
import io.peerlens.api.model.TopTalkers;
import io.peerlens.notify.channel.TargetType;
import io.peerlens.notify.definition.NotificationTarget;
import io.peerlens.notify.definition.NotificationTemplates;
import io.peerlens.notify.dispatch.DirectMessages;
import io.peerlens.notify.render.EventType;
import io.peerlens.talker.TopTalkersCsv;
import io.peerlens.talker.report.TalkerReport;
import io.peerlens.talker.report.TalkerReportContext;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/**
 * Messages of reports, sent the way of all notifications: rendered once, queued, delivered, logged.
 */
public final class TalkerReportMessages {

  private static final String CHANGE = "scheduled";
  private static final TopTalkersCsv CSV = new TopTalkersCsv();

  private final DirectMessages messages;
  private final NotificationTemplates templates;
  private final String url;

  /**
   * @param url where people reach the pages; empty = links are left out
   */
  public TalkerReportMessages(
      DirectMessages messages, NotificationTemplates templates, String url) {
    this.messages = messages;
    this.templates = templates;
    this.url = url.replaceFirst("/+$", "");
  }

  /** Queues a report for a target, in the caller's transaction; empty = nothing is sent. */
  Optional<UUID> send(
      TalkerReport report, NotificationTarget target, Instant due, TopTalkers answer, Instant now) {
    ObjectNode context = new TalkerReportContext(report, answer, url).make(due, now);
    TargetType type = target.active().type();
    List<Message.TextFile> files =
        type == TargetType.EMAIL
            ? List.of(new Message.TextFile("report.csv", "text/csv", CSV.text(answer)))
            : List.of();
    return messages.send(
        target.id(), template(report, type), context, EventType.REPORT, CHANGE, files, now);
  }

  private String template(TalkerReport report, TargetType type) {
    return report.templates().stream()
        .filter(
            named ->
                templates
                    .find(named)
                    .filter(one -> one.template().targetType().equals(type.value()))
                    .isPresent())
        .findFirst()
        .orElse(type == TargetType.EMAIL ? "talker-report-email" : "talker-report-json");
  }
}
