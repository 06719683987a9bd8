package io.peerlens.report;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.alerttemplates.Message;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelNote;
import io.peerlens.api.model.ReportFile;
import io.peerlens.api.model.ReportPanel;
import io.peerlens.api.model.ReportPart;
import io.peerlens.api.model.ReportRunState;
import io.peerlens.api.model.RuleRef;
import io.peerlens.api.model.TalkerReportDelivery;
import io.peerlens.notify.channel.TargetType;
import io.peerlens.notify.definition.NotificationTarget;
import io.peerlens.notify.render.EventType;
import io.peerlens.report.ReportRunStore.Result;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.HtmlUtils;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Messages of reports, one for each part and target, sent the way of all notifications: made once,
 * queued, delivered, logged. What has no room in a mail is a link.
 */
final class ReportMessages {

  /** Bytes of all files of a mail, below what mails may have after encoding. */
  static final int MOST_BYTES = 1_300_000;

  /** Characters of the body for a web hook; a longer one has links in the place of answers. */
  static final int MOST_BODY = 1_000_000;

  /** Queue of messages. */
  @FunctionalInterface
  interface Queue {
    /**
     * Puts a message in; in the caller's transaction.
     *
     * @param name of what it is about
     * @return its entry in the delivery log; empty = the target is disabled
     */
    Optional<UUID> put(UUID target, String name, Message message, Instant now);
  }

  private final Queue queue;
  private final Function<UUID, Optional<NotificationTarget>> targets;
  private final String url;

  /**
   * @param url where people reach the pages; empty = links are left out
   */
  ReportMessages(Queue queue, Function<UUID, Optional<NotificationTarget>> targets, String url) {
    this.queue = queue;
    this.targets = targets;
    this.url = url.replaceFirst("/+$", "");
  }

  /** Queues a run for all targets of a report, in the caller's transaction. */
  List<TalkerReportDelivery> send(
      Report report, UUID run, Instant due, Result result, Instant now) {
    List<TalkerReportDelivery> sent = new ArrayList<>();
    if (result.state() != ReportRunState.DONE) {
      return sent;
    }
    for (UUID id : report.targets()) {
      NotificationTarget target = targets.apply(id).orElse(null);
      for (int part = 0; part < result.parts().size(); part++) {
        TalkerReportDelivery one =
            new TalkerReportDelivery(new RuleRef(id, target == null ? "" : target.name()));
        sent.add(one);
        if (target == null) {
          one.setReason("The target is gone.");
        } else if (!target.enabled()) {
          one.setReason("The target is switched off.");
        } else {
          Message message =
              target.active().type() == TargetType.EMAIL
                  ? mail(report, run, result, part)
                  : request(report, run, due, result, part);
          queue
              .put(id, ReportFiles.title(report, result.parts().get(part)), message, now)
              .ifPresentOrElse(
                  one::setDelivery, () -> one.setReason("The target is switched off."));
        }
      }
    }
    return sent;
  }

  /** Marks of secrets are no letters of names. */
  private static String clean(String text) {
    return text.replaceAll("[\\uE000\\uE001]", "");
  }

  private static String html(String text) {
    return HtmlUtils.htmlEscape(clean(text), "UTF-8");
  }

  /** Where a file of a run is; null = nobody said where people reach the pages. */
  private @Nullable String link(Report report, UUID run, String file) {
    return url.isEmpty()
        ? null
        : "%s/api/v1/reports/%s/runs/%s/%s".formatted(url, report.id(), run, file);
  }

  // ----------------------------------------------------------------------------------------- mails

  /** What a mail may still carry. */
  private static final class Room {
    private final List<Message.Attachment> attachments = new ArrayList<>();
    private int left = MOST_BYTES;

    boolean takes(String name, String type, byte[] bytes, @Nullable String contentId) {
      if (bytes.length > left) {
        return false;
      }
      left -= bytes.length;
      attachments.add(
          new Message.Attachment(name, type, Base64.getEncoder().encodeToString(bytes), contentId));
      return true;
    }
  }

  Message.Mail mail(Report report, UUID run, Result result, int number) {
    ReportPart part = result.parts().get(number);
    ZoneId zone = ReportRuns.zone(report);
    String title = ReportFiles.title(report, part);
    Room room = new Room();
    List<String> leftOut = new ArrayList<>();
    String pdfLink = link(report, run, "pdf?part=" + (number + 1));
    boolean carriesPdf =
        !report.files().contains(ReportFile.PDF)
            || room.takes(
                ReportFiles.fileName(title, "pdf"),
                "application/pdf",
                ReportFiles.pdf(report, part, result.reason()),
                null);
    if (!carriesPdf) {
      leftOut.add("The PDF is too large for a mail.");
    }
    StringBuilder html = new StringBuilder();
    StringBuilder text = new StringBuilder();
    head(report, part, result, title, zone, html, text);
    int shown = 0;
    for (ReportPanel panel : part.getPanels()) {
      String name = panel.getTitle().isEmpty() ? panel.getName() : panel.getTitle();
      text.append('\n').append(clean(name)).append('\n').append(words(panel)).append('\n');
      byte[] png = ReportFiles.png(panel, zone).orElse(null);
      String cid = "panel-" + ++shown;
      if (png != null && room.takes(cid + ".png", "image/png", png, cid)) {
        html.append(
            "<tr><td style=\"padding:8px 16px\"><img src=\"cid:%s\" alt=\"%s\" width=\"540\" style=\"max-width:100%%;height:auto\"></td></tr>%n"
                .formatted(cid, html(name + ": " + words(panel))));
      } else {
        html.append(
            "<tr><td style=\"padding:8px 16px\"><strong>%s</strong><br>%s The picture is too large for a mail.</td></tr>%n"
                .formatted(html(name), html(words(panel))));
      }
    }
    if (report.files().contains(ReportFile.CSV)) {
      for (ReportPanel panel : part.getPanels()) {
        PanelAnswer answer = panel.getAnswer();
        if (answer != null
            && PanelCsv.hasRows(answer)
            && !room.takes(
                ReportFiles.fileName(panel.getName(), "csv"),
                "text/csv; charset=utf-8",
                ReportFiles.csv(panel),
                null)) {
          leftOut.add("The CSV of %s is too large for a mail.".formatted(panel.getName()));
        }
      }
    }
    for (String line : leftOut) {
      text.append('\n').append(line).append('\n');
      html.append("<tr><td style=\"padding:4px 16px\">").append(html(line)).append("</td></tr>\n");
    }
    if (pdfLink != null) {
      text.append('\n').append("As it is kept: ").append(pdfLink).append('\n');
      html.append(
          "<tr><td style=\"padding:8px 16px 16px\"><a href=\"%s\" style=\"color:#006583\">Open the PDF that is kept</a></td></tr>%n"
              .formatted(html(pdfLink)));
    }
    text.append("\n--\nSent by a report of Peerlens.\n");
    html.append(
        "</table><p style=\"max-width:600px;margin:8px auto;color:#5c5c57;font-size:12px\">Sent by a report of Peerlens.</p></body></html>");
    return new Message.Mail(
            "[Peerlens] " + clean(title), text.toString(), html.toString(), List.of(), false)
        .carrying(room.attachments);
  }

  private static void head(
      Report report,
      ReportPart part,
      Result result,
      String title,
      ZoneId zone,
      StringBuilder html,
      StringBuilder text) {
    List<String> lines = new ArrayList<>(List.of(ReportFiles.range(part, zone)));
    lines.addAll(part.getWords());
    if (!report.description().isBlank()) {
      lines.add(report.description());
    }
    if (result.reason() != null) {
      lines.add(result.reason());
    }
    text.append(clean(title)).append("\n\n");
    html.append(
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>%s</title></head>
        <body style="margin:0;padding:16px;background:#f5f5f2;color:#171b1e;font:14px/1.5 system-ui,sans-serif">
        <table role="presentation" width="100%%" style="max-width:600px;margin:0 auto;background:#fff;border-top:4px solid #006583;border-collapse:collapse">
        <tr><td style="padding:16px 16px 4px"><div style="font-size:18px;font-weight:600">%s</div>
        """
            .formatted(html(title), html(title)));
    for (String line : lines) {
      text.append(clean(line)).append('\n');
      html.append("<div style=\"color:#4b5563\">").append(html(line)).append("</div>\n");
    }
    html.append("</td></tr>\n");
  }

  /** What a panel says in words, for those who do not see its picture. */
  private static String words(ReportPanel panel) {
    PanelAnswer answer = panel.getAnswer();
    if (answer == null) {
      return requireNonNullElse(panel.getReason(), "");
    }
    if (answer.getEmpty() != null) {
      return answer.getEmpty().getTitle() + ". " + answer.getEmpty().getText();
    }
    List<String> words = new ArrayList<>();
    if (answer.getRows() != null) {
      words.add("%,d rows.".formatted(answer.getRows().size()));
    } else if (answer.getRecords() != null) {
      words.add("%,d rows.".formatted(answer.getRecords().size()));
    } else if (answer.getSeries() != null) {
      words.add("%,d series.".formatted(answer.getSeries().size()));
    } else if (answer.getAlerts() != null) {
      words.add("%,d alerts.".formatted(answer.getAlerts().size()));
    } else if (answer.getOutliers() != null) {
      words.add("%,d outliers.".formatted(answer.getOutliers().getEvents().size()));
    } else if (answer.getTalkers() != null) {
      words.add("%,d talkers.".formatted(answer.getTalkers().getItems().size()));
    } else if (answer.getImpact() != null) {
      words.add("%,d changes.".formatted(answer.getImpact().getChanges().size()));
    } else if (answer.getCapacity() != null) {
      words.add("%,d forecasts.".formatted(answer.getCapacity().size()));
    }
    for (PanelNote note : answer.getNotes()) {
      words.add(note.getText() + ".");
    }
    return words.isEmpty() ? "See the picture." : clean(String.join(" ", words));
  }

  // ------------------------------------------------------------------------------------- web hooks

  Message.Http request(Report report, UUID run, Instant due, Result result, int number) {
    ReportPart part = result.parts().get(number);
    String body = body(report, run, due, result, part, number, true);
    if (body.length() > MOST_BODY) {
      body = body(report, run, due, result, part, number, false);
    }
    return new Message.Http("POST", "", List.of(), "application/json", body);
  }

  private String body(
      Report report,
      UUID run,
      Instant due,
      Result result,
      ReportPart part,
      int number,
      boolean whole) {
    JsonMapper json = JsonMapper.shared();
    ObjectNode body = json.createObjectNode();
    body.put("event", EventType.REPORT.name());
    body.put("summary", ReportFiles.title(report, part));
    ObjectNode of = body.putObject("report");
    of.put("id", report.id().toString());
    of.put("name", report.name());
    of.put("description", report.description());
    of.put("run", run.toString());
    of.put("dueAt", due.toString());
    of.put("note", result.reason());
    of.put("pdf", link(report, run, "pdf?part=" + (number + 1)));
    body.put("label", part.getLabel());
    body.set("variables", json.valueToTree(part.getVariables()));
    body.put("from", part.getFrom().toString());
    body.put("to", part.getTo().toString());
    ArrayNode panels = body.putArray("panels");
    for (ReportPanel panel : part.getPanels()) {
      ObjectNode one = panels.addObject();
      one.put("name", panel.getName());
      one.put("title", panel.getTitle());
      one.put("type", panel.getType());
      one.put("reason", panel.getReason());
      String name = java.net.URLEncoder.encode(panel.getName(), StandardCharsets.UTF_8);
      one.put("csv", link(report, run, "csv?part=%d&panel=%s".formatted(number + 1, name)));
      if (whole && panel.getAnswer() != null) {
        one.set("answer", json.readTree(RunData.json(panel.getAnswer())));
      }
    }
    body.put("leftOut", whole ? null : "The answers are too large for a message: see the links.");
    return clean(body.toString());
  }
}
