package io.peerlens.notify.relay;

import static io.peerlens.notify.relay.ForeignContext.LONG;
import static io.peerlens.notify.relay.ForeignContext.SHORT;
import static io.peerlens.notify.relay.ForeignContext.clean;

import io.peerlens.notify.relay.ForeignAlertStore.Report;
import io.peerlens.notify.relay.RelayBody.Read;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Alert of vRealize Operations: the fields of the REST plug-in, or of a webhook whose template
 * names its members like those, or like the variables of templates. Upper and lower case, and what
 * is neither letter nor digit, do not matter: {@code alertId}, {@code ALERT_ID} and {@code
 * alert-id} are one.
 */
final class VropsAlert {

  /** Of what the button Test sends. */
  private static final String SAMPLE = "sample-adapter-type";

  private static final Set<String> OVER =
      Set.of("CANCELED", "CANCELLED", "INACTIVE", "CLOSED", "RESOLVED", "CLEARED");

  private static final Set<String> CONTROL_STATES =
      Set.of("OPEN", "ASSIGNED", "SUSPENDED", "SUPPRESSED");

  private static final Set<String> IMPACTS = Set.of("HEALTH", "RISK", "EFFICIENCY");

  private static final Map<String, String> KIND_WORDS =
      Map.of("Host", "HostSystem", "Cluster", "ClusterComputeResource");

  private final Map<String, String> fields;

  private VropsAlert(Map<String, String> fields) {
    this.fields = fields;
  }

  /** The members of a JSON object as texts. */
  static Map<String, String> fields(ObjectNode root) {
    JsonNode alert = root.get("alert");
    ObjectNode from = root.size() == 1 && alert instanceof ObjectNode inner ? inner : root;
    Map<String, String> fields = new HashMap<>();
    from.properties()
        .forEach(
            entry -> {
              String text = ForeignContext.text(entry.getValue(), LONG);
              if (text != null) {
                fields.put(entry.getKey(), text);
              }
            });
    return fields;
  }

  /**
   * Reads an alert.
   *
   * @param id of the path; null = there is none
   */
  static Read read(Map<String, String> given, @Nullable String id, Instant now) {
    Map<String, String> fields = new HashMap<>();
    given.forEach(
        (name, value) -> {
          String text = clean(value, LONG);
          if (!text.isEmpty()) {
            fields.putIfAbsent(plain(name), text);
          }
        });
    VropsAlert alert = new VropsAlert(fields);
    if (SAMPLE.equalsIgnoreCase(alert.text("adapterKind"))) {
      return Read.TEST;
    }
    return new Read(List.of(alert.report(alert.key(id), now)), null);
  }

  private String key(@Nullable String path) {
    String own = text("alertId", "id");
    String key = path == null ? own : clean(path, SHORT);
    if (key == null || key.isEmpty()) {
      throw ApiException.invalidField("alertId", "is missing, and the path has no id either")
          .hint("Send to /relay/NAME/ALERT-ID, or give alertId in the body.");
    }
    if (own != null && path != null && !own.equalsIgnoreCase(key)) {
      throw ApiException.invalidField("alertId", "is not the id of the path")
          .hint("Send each alert to the path that ends with its own id.");
    }
    if (text("alertName", "alertDefinition", "status", "alertStatus", "criticality", "info") == null
        && text("alertCriticality", "resourceName", "symptoms", "startDate") == null) {
      throw ApiException.of(ErrorCode.INVALID_BODY, "Nothing in the body is known of alerts.")
          .field("alertName", "is missing, as are status, criticality, resourceName and info")
          .hint(
              "Name the members like the fields of the REST plug-in, or like the variables of"
                  + " templates: ALERT_DEFINITION, ALERT_STATUS, ALERT_CRITICALITY,"
                  + " RESOURCE_NAME.");
    }
    return key;
  }

  private Report report(String key, Instant now) {
    ObjectNode context = ForeignContext.blank();
    ObjectNode alert = (ObjectNode) context.path("alert");
    alert.put("id", key);
    String name =
        text("alertName", "alertDefinition", "alertDefinitionName", "definitionName", "name");
    String info = text("info", "symptoms", "message", "alertMessage", "alertInfo");
    alert.put("name", name == null ? named(info) : clean(name, SHORT));
    alert.put("definitionId", text("alertDefinitionId", "definitionId"));
    alert.put(
        "definitionDescription",
        text("alertDefinitionDescription", "definitionDescription", "description"));
    String control = enumWord(text("controlState", "alertControlState"));
    alert.put("controlState", CONTROL_STATES.contains(control) ? control : "OPEN");
    alert.put("criticality", criticality());
    alert.put("type", bare(text("type", "alertType"), "ALERT_TYPE_"));
    alert.put("subType", bare(text("subType", "alertSubtype"), "ALERT_SUBTYPE_"));
    Double health = badge("health", "objectHealthState", "healthState");
    Double risk = badge("risk", "objectRiskState", "riskState");
    Double efficiency = badge("efficiency", "objectEfficiencyState", "efficiencyState");
    alert.put("impact", impact(health, risk, efficiency));
    alert.put("health", health);
    alert.put("risk", risk);
    alert.put("efficiency", efficiency);
    alert.put("info", info);
    alert.put("explanation", info);
    alert.put("url", text("linkToAlert", "alertUrl", "url", "link", "moreInfo"));
    lines((ArrayNode) alert.path("symptoms"), info, "message");
    lines(
        (ArrayNode) alert.path("recommendations"),
        text("alertRecommendations", "recommendations"),
        null);
    String attribute = text("attributeKeyId");
    if (attribute != null && attribute.matches("-?[0-9]{1,9}")) {
      alert.put("attributeKeyId", Integer.parseInt(attribute));
    }
    alert.put("owner", text("owner", "alertOwner", "assignedUser"));
    ForeignContext.object(
        context,
        text("resourceId", "objectId"),
        text("resourceName", "objectName", "affectedResourceName"),
        kind(text("resourceKind", "objectKind", "objectType", "resourceKindType")),
        adapterKind(text("adapterKind", "adapterType")),
        Map.of(),
        Map.of());

    Instant started = moment(now, "startDate", "createTime", "startTime", "alertGenerateTime");
    Instant updated = moment(now, "updateDate", "updateTime", "alertUpdateTime");
    Instant canceled = moment(now, "cancelDate", "cancelTime", "alertCancelTime");
    String status = enumWord(text("status", "alertStatus"));
    boolean open = status.isEmpty() ? canceled == null : !OVER.contains(status);
    String digest = ForeignContext.digest(context);
    if (started != null) {
      alert.put("startTime", started.toEpochMilli());
    }
    Instant at = !open && canceled != null ? canceled : updated != null ? updated : started;
    return new Report(key, open, digest, started, at, null, context);
  }

  private static String named(@Nullable String info) {
    if (info == null) {
      return "Alert of vRealize Operations";
    }
    return clean(info.lines().findFirst().orElse(info), 200);
  }

  /** Both spellings of INFO are in use, and templates give the word alone. */
  private String criticality() {
    String word = enumWord(text("criticality", "alertCriticality", "severity"));
    return switch (word.replaceFirst("^ALERT_CRITICALITY_(LEVEL_)?", "")) {
      case "1" -> "INFORMATION";
      case "2" -> "WARNING";
      case "3" -> "IMMEDIATE";
      case "4" -> "CRITICAL";
      case String plain -> ForeignContext.criticality(plain);
    };
  }

  private static @Nullable String bare(@Nullable String value, String prefix) {
    if (value == null) {
      return null;
    }
    String word = enumWord(value).replaceFirst("^" + prefix, "").replaceFirst("_PROBLEM$", "");
    return word.isEmpty() ? null : clean(word, 100);
  }

  /** {@code Not acknowledged} is {@code NOT_ACKNOWLEDGED}. */
  private static String enumWord(@Nullable String text) {
    return text == null ? "" : text.strip().toUpperCase(Locale.ROOT).replaceAll("[\\s-]+", "_");
  }

  /** {@code Virtual Machine}, as templates give it, is {@code VirtualMachine}. */
  private static @Nullable String kind(@Nullable String text) {
    if (text == null) {
      return null;
    }
    String word = clean(text, 200).replace(" ", "");
    return KIND_WORDS.getOrDefault(word, word);
  }

  private static @Nullable String adapterKind(@Nullable String text) {
    if (text == null) {
      return null;
    }
    String word = clean(text, 200);
    return word.equalsIgnoreCase("vCenter")
            || word.equalsIgnoreCase("vCenter Adapter")
            || word.equalsIgnoreCase("VMware vSphere")
        ? "VMWARE"
        : word;
  }

  private @Nullable Double badge(String... names) {
    String text = text(names);
    if (text == null) {
      return null;
    }
    Double of =
        switch (text.toUpperCase(Locale.ROOT)) {
          case "GREEN", "GOOD" -> 1.0;
          case "YELLOW", "WARNING" -> 2.0;
          case "ORANGE", "IMMEDIATE" -> 3.0;
          case "RED", "CRITICAL" -> 4.0;
          default -> null;
        };
    if (of == null && text.matches("[0-9]{1,3}([.,][0-9]{1,6})?")) {
      of = Double.valueOf(text.replace(',', '.'));
    }
    return of;
  }

  /** As it is said; else what is worst about the object. */
  private String impact(
      @Nullable Double health, @Nullable Double risk, @Nullable Double efficiency) {
    String said = enumWord(text("alertImpact", "impact"));
    if (IMPACTS.contains(said)) {
      return said;
    }
    double h = health == null ? 1 : health;
    double r = risk == null ? 1 : risk;
    double e = efficiency == null ? 1 : efficiency;
    return h >= r && h >= e ? "HEALTH" : r >= e ? "RISK" : "EFFICIENCY";
  }

  private static void lines(ArrayNode into, @Nullable String text, @Nullable String member) {
    if (text == null) {
      return;
    }
    for (String line : text.lines().map(String::strip).filter(one -> !one.isEmpty()).toList()) {
      if (into.size() == 50) {
        break;
      }
      if (member == null) {
        into.add(line);
      } else {
        into.addObject().put(member, line);
      }
    }
  }

  private @Nullable Instant moment(Instant now, String... names) {
    return ForeignContext.notAfter(ForeignContext.moment(text(names)), now);
  }

  private @Nullable String text(String... names) {
    for (String name : names) {
      String value = fields.get(plain(name));
      if (value != null && !value.equals("null") && !value.startsWith("${")) {
        return value;
      }
    }
    return null;
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }
}
