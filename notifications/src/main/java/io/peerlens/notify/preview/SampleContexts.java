package io.peerlens.notify.preview;

import io.peerlens.alerttemplates.Needs;
import io.peerlens.notify.definition.NotificationTemplates;
import io.peerlens.notify.render.Contexts;
import io.peerlens.notify.render.EventType;
import io.peerlens.notify.render.Receiver;
import io.peerlens.notify.render.Wanted;
import io.peerlens.web.ApiException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Contexts on which templates are tried: alerts of this installation, or a sample. */
final class SampleContexts {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String NOBODY = new UUID(0, 0).toString();

  private final Contexts contexts;
  private final InstantSource clock;

  SampleContexts(Contexts contexts, InstantSource clock) {
    this.contexts = contexts;
    this.clock = clock;
  }

  /** Receiver of a preview. */
  record To(String ruleId, String rule, String targetId, String target) {
    static final To NOBODY_YET = new To(NOBODY, "Preview", NOBODY, "Preview");
  }

  /**
   * A context.
   *
   * @param alert null = a sample
   * @param vars as the rule would give them
   */
  ObjectNode of(
      @Nullable UUID alert,
      EventType event,
      @Nullable Map<String, Object> vars,
      Needs needs,
      To to) {
    ObjectNode base =
        alert == null
            ? NotificationTemplates.sample(event.name())
            : contexts
                .preview(alert, event, wanted(needs), clock.instant())
                .orElseThrow(
                    () ->
                        ApiException.notFound("alert", alert)
                            .hint("GET /api/v1/alerts lists those that there are."));
    return new Receiver(
            to.ruleId(),
            to.rule(),
            to.targetId(),
            to.target(),
            vars(base, vars),
            null,
            event == EventType.NEW ? 0 : 1,
            externalIds(base))
        .in(base);
  }

  /** What the sample's receiver called its alert; of other alerts only a delivery could tell. */
  private static Map<String, String> externalIds(ObjectNode base) {
    Map<String, String> ids = new LinkedHashMap<>();
    base.path("alert")
        .path("externalIds")
        .properties()
        .forEach(id -> ids.put(id.getKey(), id.getValue().asString("")));
    return ids;
  }

  static Wanted wanted(Needs needs) {
    return new Wanted(needs.metrics().names(), needs.superMetrics().names());
  }

  private static Map<String, JsonNode> vars(ObjectNode base, @Nullable Map<String, Object> given) {
    Map<String, JsonNode> vars = new LinkedHashMap<>();
    base.path("vars").properties().forEach(var -> vars.put(var.getKey(), var.getValue()));
    if (given != null) {
      given.forEach((name, value) -> vars.put(name, JSON.valueToTree(value)));
    }
    return vars;
  }
}
