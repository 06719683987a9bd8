package io.peerlens.notify.relay;

import static io.peerlens.notify.relay.ForeignContext.LONG;
import static io.peerlens.notify.relay.ForeignContext.SHORT;
import static io.peerlens.notify.relay.ForeignContext.clean;
import static io.peerlens.notify.relay.ForeignContext.text;

import io.peerlens.notify.relay.ForeignAlertStore.Report;
import io.peerlens.notify.relay.NotificationRelay.Labels;
import io.peerlens.notify.relay.RelayBody.Read;
import io.peerlens.web.ApiException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Webhook of Alertmanager, version 4, or of what speaks like it. A body is about a group; here
 * every alert of it stands for itself, known by its fingerprint, which is the same as long as its
 * labels are.
 */
final class AlertmanagerAlerts {

  private static final Set<String> VERSIONS = Set.of("4", "1"); // Grafana calls the same 1
  private static final int MOST_ALERTS = 5_000;
  private static final int MOST_LABELS = 200;

  /**
   * A repetition says when an alert began, not of when it is, so one that is late cannot be told
   * from one that goes on but by how soon it comes after the end.
   */
  static final Duration LATE = Duration.ofMinutes(1);

  private AlertmanagerAlerts() {}

  static Read read(ObjectNode root, Labels labels, Instant now) {
    String version = text(root.get("version"), SHORT);
    if (version != null && !VERSIONS.contains(version)) {
      throw ApiException.invalidField("version", "is %s, not 4".formatted(clean(version, 20)))
          .hint("Use a webhook of Alertmanager 0.16 or later.");
    }
    if (!(root.get("alerts") instanceof ArrayNode alerts)) {
      throw ApiException.invalidField("alerts", "is no list")
          .hint("Each alert of the group is an item of it.");
    }
    if (alerts.size() > MOST_ALERTS) {
      throw ApiException.invalidField(
              "alerts", "has %,d items, more than %,d".formatted(alerts.size(), MOST_ALERTS))
          .hint("Group by more labels, so that a group has fewer alerts.");
    }
    String from = text(root.get("externalURL"), LONG);
    List<Report> reports = new ArrayList<>();
    for (int i = 0; i < alerts.size(); i++) {
      reports.add(report("alerts[" + i + "]", alerts.get(i), from, labels, now));
    }
    int truncated = root.path("truncatedAlerts").asInt(0);
    return new Read(
        reports,
        truncated > 0
            ? "The sender left out %,d alerts of a group: raise max_alerts of its webhook."
                .formatted(truncated)
            : null);
  }

  private static Report report(
      String path, JsonNode given, @Nullable String from, Labels labels, Instant now) {
    if (!(given.get("labels") instanceof ObjectNode)) {
      throw ApiException.invalidField(path + ".labels", "is missing, or no object")
          .hint("Each alert has labels, such as {\"alertname\": \"HostDown\"}.");
    }
    Map<String, String> of = texts(path + ".labels", given.get("labels"), 1_000);
    Map<String, String> annotations = texts(path + ".annotations", given.get("annotations"), LONG);
    boolean open =
        switch (given.path("status").asString("").toLowerCase(Locale.ROOT)) {
          case "firing", "alerting" -> true;
          case "resolved", "normal", "ok" -> false;
          default ->
              throw ApiException.invalidField(path + ".status", "is neither firing nor resolved")
                  .hint("Give firing or resolved.");
        };
    String fingerprint = text(given.get("fingerprint"), 200);
    String key =
        fingerprint == null
            ? ForeignAlertStore.id("labels", of.toString()).toString()
            : fingerprint;

    ObjectNode context = ForeignContext.blank();
    ObjectNode alert = (ObjectNode) context.path("alert");
    String name = of.getOrDefault("alertname", annotations.getOrDefault("summary", ""));
    alert.put("name", name.isEmpty() ? "Alert of Alertmanager" : clean(name, SHORT));
    alert.put("definitionId", of.get("alertname"));
    String word = of.getOrDefault(labels.severity(), "");
    String mapped = labels.severities().get(word.toLowerCase(Locale.ROOT));
    alert.put("criticality", mapped == null ? ForeignContext.criticality(word) : mapped);
    alert.put("type", "APPLICATION");
    alert.putNull("subType");
    alert.put("impact", "HEALTH");
    String info =
        first(annotations, "summary", "message", "description")
            .orElseGet(() -> alert.path("name").asString(""));
    alert.put("info", info);
    alert.put("explanation", first(annotations, "description", "message").orElse(info));
    String url = text(given.get("generatorURL"), LONG);
    alert.put("url", url == null ? from : url);
    ((ArrayNode) alert.path("symptoms")).addObject().put("message", info);
    first(annotations, "runbook_url", "runbook")
        .ifPresent(runbook -> ((ArrayNode) alert.path("recommendations")).add(runbook));
    Map<String, String> properties = new TreeMap<>();
    annotations.forEach((annotation, value) -> properties.put("annotations|" + annotation, value));
    ForeignContext.object(
        context, null, objectName(of, labels), labels.objectKind(), null, of, properties);
    String digest = ForeignContext.digest(context);

    Instant started =
        ForeignContext.notAfter(ForeignContext.moment(text(given.get("startsAt"), SHORT)), now);
    Instant ended =
        ForeignContext.notAfter(ForeignContext.moment(text(given.get("endsAt"), SHORT)), now);
    if (started != null) {
      alert.put("startTime", started.toEpochMilli());
    }
    return new Report(key, open, digest, started, open ? started : ended, LATE, context);
  }

  private static Map<String, String> texts(String path, @Nullable JsonNode node, int most) {
    Map<String, String> texts = new TreeMap<>();
    if (node instanceof ObjectNode object) {
      if (object.size() > MOST_LABELS) {
        throw ApiException.invalidField(
            path, "has %,d members, more than %,d".formatted(object.size(), MOST_LABELS));
      }
      object
          .properties()
          .forEach(
              entry -> {
                String value = text(entry.getValue(), most);
                if (value != null) {
                  texts.put(clean(entry.getKey(), SHORT), value);
                }
              });
    }
    return texts;
  }

  private static Optional<String> first(Map<String, String> of, String... names) {
    return Stream.of(names).map(of::get).filter(Objects::nonNull).findFirst();
  }

  /** The label that names the object, without a port: {@code esx-a-05:9100}. */
  private static @Nullable String objectName(Map<String, String> of, Labels labels) {
    for (String label : labels.object()) {
      String value = of.get(label);
      if (value != null) {
        return clean(value.replaceFirst("^(\\[.*]|[^:]*):[0-9]{1,5}$", "$1"), SHORT);
      }
    }
    return null;
  }
}
