package io.peerlens.talker.report;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.OtherTalkers;
import io.peerlens.api.model.TalkerChange;
import io.peerlens.api.model.TalkerMeasure;
import io.peerlens.api.model.TopTalker;
import io.peerlens.api.model.TopTalkers;
import io.peerlens.web.Durations;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Notification context of a report that was due, as templates see it. */
public final class TalkerReportContext {

  private static final int MOST_ITEMS = 100;
  private static final int IN_SUMMARY = 3;
  private static final int BAR = 16;
  private static final int NAME = 34;
  private static final String LINE = "%4s  %-34s %12s %8s %10s  %s";

  private static final DateTimeFormatter PERIOD =
      DateTimeFormatter.ofPattern("d MMM uuuu HH:mm", Locale.ENGLISH);

  private final TalkerReport report;
  private final TopTalkers answer;
  private final ZoneId zone;
  private final @Nullable String url;
  private final double largest;
  private final List<TopTalker> over;

  /**
   * @param url where people reach the pages, without a slash at its end; empty = links are left out
   */
  public TalkerReportContext(TalkerReport report, TopTalkers answer, String url) {
    this.report = report;
    this.answer = answer;
    TalkerReportSchedule schedule = report.schedule();
    this.zone = schedule == null ? ZoneOffset.UTC : schedule.zone();
    this.url = url.isEmpty() ? null : url + page(report.id());
    this.largest = answer.getItems().stream().mapToDouble(TopTalker::getValue).max().orElse(0);
    this.over = Shares.over(report, answer);
  }

  /** The page of a report, relative to the root of the pages. */
  static String page(UUID report) {
    return "/top-talkers/reports/" + report;
  }

  /** The context; who receives it is added while it is sent. */
  public ObjectNode make(Instant due, Instant now) {
    ObjectNode context = JsonMapper.shared().createObjectNode();
    context.put("source", "peerlens");
    context.put("now", now.toEpochMilli());
    context.set("alert", alert(context.objectNode(), due));
    context.putNull("object");
    context.set("report", report(context.objectNode(), due));
    return context;
  }

  /** So that templates made for alerts have something to say. */
  private ObjectNode alert(ObjectNode alert, Instant due) {
    TalkerReport.Limit limit = report.limit();
    alert.put("id", report.id().toString());
    alert.put("name", report.name());
    alert.put("definitionId", report.id().toString());
    alert.put("definitionDescription", text(report.description()));
    alert.put("status", "ACTIVE");
    alert.put("controlState", "OPEN");
    alert.put(
        "criticality", over.isEmpty() || limit == null ? "INFORMATION" : limit.severity().name());
    alert.put("type", "APPLICATION");
    alert.put("subType", "CAPACITY");
    alert.put("impact", limit == null ? "EFFICIENCY" : limit.impact().name());
    alert.put("startTime", due.toEpochMilli());
    alert.put("updateTime", due.toEpochMilli());
    alert.putNull("cancelTime");
    alert.put("info", summary());
    alert.putNull("explanation");
    alert.put("url", url);
    alert.putArray("symptoms");
    alert.putArray("recommendations");
    alert.put("notificationCount", 0);
    alert.putObject("externalIds");
    return alert;
  }

  private ObjectNode report(ObjectNode node, Instant due) {
    TalkerReport.Limit limit = report.limit();
    String unit = answer.getUnit();
    node.put("id", report.id().toString());
    node.put("name", report.name());
    node.put("description", text(report.description()));
    node.put("url", url);
    node.put("question", TalkerWords.question(report.query()));
    node.put("period", period());
    node.put("dueAt", due.toEpochMilli());
    node.put("from", answer.getFrom());
    node.put("to", answer.getTo());
    node.put("window", Durations.print(report.window()));
    node.put("by", answer.getBy().getValue());
    node.put("measure", answer.getMeasure().getValue());
    node.put("direction", answer.getDirection().getValue());
    node.put("unit", unit);
    node.put("total", answer.getTotal());
    node.put("totalText", TalkerWords.value(answer.getTotal(), unit));
    node.put("unassigned", answer.getUnassigned());
    node.put("unassignedText", TalkerWords.value(answer.getUnassigned(), unit));
    node.put("mayMiss", answer.getMayMiss());
    node.put("shareAbove", limit == null ? null : limit.share());
    node.put("shareAboveText", limit == null ? null : TalkerWords.percent(limit.share()));
    ArrayNode names = node.putArray("over");
    over.forEach(one -> names.add(one.getTalker().getName()));
    node.put("summary", summary());
    node.put(
        "head", line("", titled(TalkerWords.of(answer.getBy())), "Value", "Share", "Change", ""));
    ArrayNode items = node.putArray("items");
    answer.getItems().stream().limit(MOST_ITEMS).forEach(one -> item(items.addObject(), one));
    node.put("more", answer.getItems().size() - items.size());
    others(node, answer.getOthers());
    return node;
  }

  private String period() {
    return PERIOD.format(Instant.ofEpochMilli(answer.getFrom()).atZone(zone))
        + " to "
        + PERIOD.format(Instant.ofEpochMilli(answer.getTo()).atZone(zone))
        + ", "
        + (zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId());
  }

  private String summary() {
    if (answer.getItems().isEmpty()) {
      return "No traffic.";
    }
    StringBuilder summary = new StringBuilder();
    answer.getItems().stream()
        .limit(IN_SUMMARY)
        .forEach(
            one ->
                summary
                    .append(summary.isEmpty() ? "" : ", ")
                    .append(one.getTalker().getName())
                    .append(' ')
                    .append(TalkerWords.value(one.getValue(), answer.getUnit()))
                    .append(" (")
                    .append(TalkerWords.percent(one.getShare()))
                    .append(')'));
    return summary.append('.').toString();
  }

  private void item(ObjectNode item, TopTalker one) {
    String value = TalkerWords.value(one.getValue(), answer.getUnit());
    String share = TalkerWords.percent(one.getShare());
    double part = largest > 0 ? one.getValue() / largest : 0;
    String bar = "█".repeat((int) Math.clamp(Math.round(part * BAR), 1, BAR));
    item.put("rank", one.getRank());
    item.put("key", one.getTalker().getKey());
    item.put("name", one.getTalker().getName());
    var object = one.getTalker().getObject();
    item.put("object", object == null ? null : object.getId().toString());
    item.put("kind", object == null ? null : object.getObjectKind());
    item.put("value", one.getValue());
    item.put("valueText", value);
    item.put("share", one.getShare());
    item.put("shareText", share);
    item.put("change", change(one.getBefore()));
    item.put("changeText", TalkerWords.change(one.getBefore()));
    item.put("weekAgo", change(one.getWeekAgo()));
    item.put("weekAgoText", TalkerWords.change(one.getWeekAgo()));
    item.put("meanRate", one.getMeanRate());
    item.put("meanRateText", TalkerWords.value(one.getMeanRate(), "bit/s"));
    item.put("peakMinuteRate", one.getPeakMinuteRate());
    item.put("peakMinuteRateText", TalkerWords.value(one.getPeakMinuteRate(), "bit/s"));
    item.put("bar", bar);
    item.put("width", (int) Math.clamp(Math.round(part * 100), 1, 100));
    item.put("over", over.contains(one));
    item.put(
        "line",
        line(
            String.valueOf(one.getRank()),
            one.getTalker().getName(),
            value,
            share,
            TalkerWords.change(one.getBefore()),
            bar));
  }

  private static @Nullable Double change(@Nullable TalkerChange change) {
    return change == null ? null : change.getChange();
  }

  private void others(ObjectNode node, OtherTalkers others) {
    if (others.getTalkers() == 0) {
      node.putNull("others");
      return;
    }
    Double value = others.getValue();
    Double share = others.getShare();
    node.putObject("others")
        .put("talkers", others.getTalkers())
        .put("value", value)
        .put(
            "valueText",
            value == null || answer.getMeasure() == TalkerMeasure.PEAK
                ? null
                : TalkerWords.value(value, answer.getUnit()))
        .put("share", share)
        .put("shareText", share == null ? null : TalkerWords.percent(share));
  }

  private static String line(
      String rank, String name, String value, String share, String change, String bar) {
    String plain = name.replaceAll("[\\p{Cntrl}\\u2028\\u2029]+", " ");
    String cut = plain.length() <= NAME ? plain : plain.substring(0, NAME - 1) + "…";
    return LINE.formatted(rank, cut, value, share, change, bar).stripTrailing();
  }

  private static @Nullable String text(String text) {
    return requireNonNullElse(text, "").isEmpty() ? null : text;
  }

  private static String titled(String words) {
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }
}
