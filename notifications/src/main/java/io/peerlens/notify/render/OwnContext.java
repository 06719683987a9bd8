package io.peerlens.notify.render;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Context of an alert of this installation: the document that templates, rules and conditions see,
 * with members in the order in which they are written. Moments are milliseconds since 1970.
 *
 * @param object null = it is gone
 * @param incident null = it is in none
 */
record OwnContext(
    String event,
    String change,
    String source,
    long now,
    Alert alert,
    @Nullable Subject object,
    @Nullable Incident incident) {

  /** The order of components is that of the document. */
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY).build();

  /** The document; members without a value are null. */
  ObjectNode tree() {
    return JSON.valueToTree(this);
  }

  /**
   * The alert.
   *
   * @param cancelTime null = it is open, as with duration (milliseconds) and cancelReason
   * @param url null = it is not known where people reach the pages
   * @param health of its object, from 1 (good) to 4, as with risk and efficiency
   * @param by who took the step in its history
   * @param notificationCount the receiver's; see {@link Receiver}, as with externalIds
   */
  record Alert(
      String id,
      long number,
      String name,
      String title,
      String definitionId,
      @Nullable String definitionDescription,
      String status,
      String controlState,
      String criticality,
      String type,
      String subType,
      String impact,
      long since,
      long startTime,
      long updateTime,
      @Nullable Long cancelTime,
      @Nullable Long duration,
      @Nullable String cancelReason,
      @Nullable String info,
      @Nullable String explanation,
      @Nullable String url,
      List<Symptom> symptoms,
      List<String> recommendations,
      int health,
      int risk,
      int efficiency,
      @Nullable String owner,
      @Nullable String by,
      @Nullable String note,
      int notificationCount,
      Map<String, String> externalIds) {}

  /**
   * A symptom.
   *
   * @param bound the end that was crossed; null = none
   * @param lower of a range; null = there is no range
   * @param lastValue the newest value of an alert that is over
   */
  record Symptom(
      String message,
      @Nullable String metric,
      @Nullable Double value,
      @Nullable Double bound,
      @Nullable Double lower,
      @Nullable Double upper,
      @Nullable Double lastValue,
      @Nullable String objectName) {}

  /**
   * The object of the alert.
   *
   * @param metrics newest values of those that templates ask for, where there are any
   * @param superMetrics the same, by name
   * @param ancestors the nearest of each kind, by kind
   */
  record Subject(
      String id,
      String name,
      String kind,
      String kindName,
      String adapterKind,
      @Nullable String adapterInstance,
      JsonNode properties,
      JsonNode tags,
      Map<String, Double> metrics,
      Map<String, Double> superMetrics,
      List<Parent> parents,
      Map<String, Ancestor> ancestors) {

    ObjectNode tree() {
      return JSON.valueToTree(this);
    }
  }

  record Parent(String kind, String name, String id) {}

  record Ancestor(String id, String name, JsonNode tags, JsonNode properties) {}

  /** The incident that the alert is in. */
  record Incident(
      String id,
      long number,
      String name,
      String title,
      String status,
      String criticality,
      long since,
      @Nullable String owner,
      int alertCount,
      int objectCount,
      String confidence,
      @Nullable Cause cause,
      String sentence,
      @Nullable String url) {}

  record Cause(String alertId, String name, @Nullable String object) {}
}
