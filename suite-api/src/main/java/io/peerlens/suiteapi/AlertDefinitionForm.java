package io.peerlens.suiteapi;

import io.peerlens.api.model.AlertCondition;
import io.peerlens.api.model.AlertConditionType;
import io.peerlens.api.model.AlertDefinition;
import io.peerlens.api.model.AlertDefinitionEdit;
import io.peerlens.api.model.AlertDefinitionSeverity;
import io.peerlens.api.model.ConditionTarget;
import io.peerlens.api.model.Impact;
import io.peerlens.api.model.ObjectKindRef;
import io.peerlens.api.model.Population;
import io.peerlens.api.model.PopulationType;
import io.peerlens.suiteapi.ResourceKindQueries.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Alert definitions as the vendor's clients write them. A set of symptoms is a condition of
 * thresholds, and a composite one of sets. On other objects a set says of each symptom on how many
 * of them it is, which is what our conditions can say, too.
 */
final class AlertDefinitionForm {

  private static final List<String> SEVERITIES =
      List.of("INFORMATION", "WARNING", "IMMEDIATE", "CRITICAL", "AUTO");
  private static final List<String> RELATIONS =
      List.of("SELF", "CHILD", "PARENT", "DESCENDANT", "ANCESTOR");
  private static final List<String> AGGREGATIONS = List.of("ANY", "ALL", "COUNT", "PERCENT");
  private static final List<String> OPERATORS = List.of("AND", "OR");
  private static final List<String> SETS = List.of("SYMPTOM_SET", "SYMPTOM_SET_COMPOSITE");
  private static final String SET_PATH = "states[0].base-symptom-set";

  private static final int DEEPEST = 2;

  /** Numbers of the vendor's types of alerts, and their names. */
  private static final Map<Integer, String> TYPES =
      Map.of(
          15, "Application",
          16, "Virtualization/Hypervisor",
          17, "Hardware",
          18, "Storage",
          19, "Network");

  private static final Map<Integer, String> SUB_TYPES =
      Map.of(
          18,
          "Availability",
          19,
          "Performance",
          20,
          "Capacity",
          21,
          "Compliance",
          22,
          "Configuration");

  private static final int USUAL_TYPE = 15;
  private static final int USUAL_SUB_TYPE = 19;

  private final Set<UUID> thresholds;
  private final Map<String, String> recommendations;

  /**
   * Reader of alert definitions.
   *
   * @param thresholds all that there are
   * @param recommendations all that there are, by id
   */
  AlertDefinitionForm(Set<UUID> thresholds, Map<String, String> recommendations) {
    this.thresholds = thresholds;
    this.recommendations = recommendations;
  }

  // -------------------------------------------------------------------------------------- writing

  static Definition of(AlertDefinition one) {
    return of(
        one.getId().toString(),
        one.getName(),
        one.getDescription(),
        one.getObjectKind(),
        one.getWaitCycles(),
        one.getCancelCycles(),
        one.getType(),
        one.getSubType(),
        one.getSeverity().getValue(),
        form(one.getCondition()),
        one.getImpact().getValue(),
        one.getRecommendations());
  }

  static Definition of(
      String id,
      String name,
      @Nullable String description,
      ObjectKindRef kind,
      int waitCycles,
      int cancelCycles,
      @Nullable String type,
      @Nullable String subType,
      String severity,
      Object symptoms,
      String impact,
      List<String> recommendations) {
    Map<String, Integer> priorities = new LinkedHashMap<>();
    for (String text : recommendations) {
      priorities.put(recommendationId(text), priorities.size() + 1);
    }
    return new Definition(
        id,
        name,
        kind.getAdapterKind(),
        kind.getObjectKind(),
        Json.object(
            "id",
            id,
            "name",
            name,
            "description",
            description == null ? "" : description,
            "adapterKindKey",
            kind.getAdapterKind(),
            "resourceKindKey",
            kind.getObjectKind(),
            "waitCycles",
            waitCycles,
            "cancelCycles",
            cancelCycles,
            "type",
            type(type),
            "subType",
            subType(subType),
            "states",
            List.of(
                Json.object(
                    "severity",
                    severity.toUpperCase(Locale.ROOT),
                    "base-symptom-set",
                    symptoms,
                    "impact",
                    Json.object("impactType", "BADGE", "detail", impact),
                    "recommendationPriorityMap",
                    priorities))));
  }

  static String recommendationId(String text) {
    return "Recommendation-" + UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The vendor's number of a type of alerts. */
  static int type(@Nullable String text) {
    return number(TYPES, text, USUAL_TYPE);
  }

  /** The vendor's number of a subtype of alerts. */
  static int subType(@Nullable String text) {
    return number(SUB_TYPES, text, USUAL_SUB_TYPE);
  }

  /** All types of alerts, each with all subtypes, as the vendor lists them. */
  static Object types() {
    List<Object> subTypes = named(SUB_TYPES, Map.of());
    return Json.object("alertTypes", named(TYPES, Map.of("subTypes", subTypes)));
  }

  private static List<Object> named(Map<Integer, String> names, Map<String, Object> more) {
    List<Object> all = new ArrayList<>();
    for (Map.Entry<Integer, String> one : new TreeMap<>(names).entrySet()) {
      Map<String, Object> each = new LinkedHashMap<>();
      each.put("id", one.getKey());
      each.put("name", one.getValue());
      each.putAll(more);
      all.add(each);
    }
    return all;
  }

  private static int number(Map<Integer, String> names, @Nullable String text, int otherwise) {
    if (text == null) {
      return otherwise;
    }
    for (Map.Entry<Integer, String> one : names.entrySet()) {
      if (one.getValue().equalsIgnoreCase(text)) {
        return one.getKey();
      }
    }
    return text.matches("\\d{1,6}") ? Integer.parseInt(text) : otherwise;
  }

  /** A set of symptoms on the object itself, any of which is enough. */
  static Map<String, Object> setOf(List<String> ids) {
    return set(new Place("SELF", "ANY", null, null), "OR", ids);
  }

  private static Map<String, Object> set(Place place, String operator, List<String> ids) {
    ObjectKindRef kind = place.kind();
    return Json.object(
        "type",
        "SYMPTOM_SET",
        "relation",
        place.relation(),
        "aggregation",
        place.aggregation(),
        "populationOperator",
        place.value() == null ? null : "GT_EQ",
        "value",
        place.value(),
        "symptomSetOperator",
        operator,
        "symptomDefinitionIds",
        ids,
        "adapterKindKey",
        kind == null ? null : kind.getAdapterKind(),
        "resourceKindKey",
        kind == null ? null : kind.getObjectKind());
  }

  /** On which objects a set is, and on how many of them. */
  private record Place(
      String relation, String aggregation, @Nullable Double value, @Nullable ObjectKindRef kind) {

    boolean ofMany() {
      return !relation.equals("SELF");
    }

    boolean isCounted() {
      return aggregation.equals("COUNT") || aggregation.equals("PERCENT");
    }

    /** Where the opposite of a symptom is: not on any is on none, not on all is on some not. */
    Place ofOpposite() {
      return !ofMany() || isCounted()
          ? this
          : new Place(relation, aggregation.equals("ANY") ? "ALL" : "ANY", value, kind);
    }
  }

  /** A symptom or its opposite. */
  private record Literal(String id, Place place) {}

  static Map<String, Object> form(AlertCondition condition) {
    return form(condition, false);
  }

  private static Map<String, Object> form(AlertCondition condition, boolean negated) {
    Literal one = literal(condition, negated);
    if (one != null) {
      return set(one.place(), "OR", List.of(one.id()));
    }
    List<AlertCondition> inner = inner(condition);
    if (condition.getType() == AlertConditionType.NOT) {
      return form(inner.getFirst(), !negated);
    }
    String operator = (condition.getType() == AlertConditionType.ANY) == negated ? "AND" : "OR";
    List<Literal> literals = new ArrayList<>();
    for (AlertCondition part : inner) {
      Literal literal = literal(part, negated);
      if (literal != null) {
        literals.add(literal);
      }
    }
    if (literals.size() == inner.size() && fit(literals, operator)) {
      return set(
          literals.getFirst().place(), operator, literals.stream().map(Literal::id).toList());
    }
    return Json.object(
        "type",
        "SYMPTOM_SET_COMPOSITE",
        "operator",
        operator,
        "symptom-sets",
        inner.stream().map(part -> form(part, negated)).toList());
  }

  private static List<AlertCondition> inner(AlertCondition condition) {
    return condition.getConditions() == null ? List.of() : condition.getConditions();
  }

  /** A condition that is one symptom, or its opposite; null = it is more. */
  private static @Nullable Literal literal(AlertCondition condition, boolean negated) {
    if (condition.getType() == AlertConditionType.NOT) {
      return literal(inner(condition).getFirst(), !negated);
    }
    if (condition.getType() != AlertConditionType.THRESHOLD) {
      return null;
    }
    Population population = condition.getPopulation();
    Place place =
        new Place(
            condition.getOn() == null
                ? "SELF"
                : condition.getOn().getValue().toUpperCase(Locale.ROOT),
            population == null ? "ANY" : population.getType().getValue().toUpperCase(Locale.ROOT),
            population == null ? null : population.getValue(),
            condition.getObjectKind());
    return negated
        ? new Literal("!" + condition.getThreshold(), place.ofOpposite())
        : new Literal(String.valueOf(condition.getThreshold()), place);
  }

  /** Whether symptoms make one set: all in the same place, which says the same of all together. */
  private static boolean fit(List<Literal> literals, String operator) {
    Place place = literals.getFirst().place();
    return literals.stream().allMatch(one -> one.place().equals(place))
        && (literals.size() == 1 || isOfEach(place, operator));
  }

  /**
   * Whether a set of several symptoms says something of each: some object has one of them when one
   * of them is on some object, and all objects have all of them when each is on all.
   */
  private static boolean isOfEach(Place place, String operator) {
    return !place.ofMany()
        || !place.isCounted() && place.aggregation().equals("ANY") == operator.equals("OR");
  }

  // -------------------------------------------------------------------------------------- reading

  /**
   * Reads an alert definition.
   *
   * @param before what it was; null = it is to be created. What clients cannot see of it stays
   */
  AlertDefinitionEdit read(Given body, Kind kind, @Nullable AlertDefinition before) {
    List<Given> states = body.list("states");
    if (states.size() != 1) {
      throw SuiteException.invalid(
          "states",
          states.isEmpty()
              ? "is missing"
              : "has "
                  + states.size()
                  + " elements, and an alert definition has one here: write one definition for"
                  + " each severity, or the severity AUTO, which is that of the worst symptom");
    }
    Given state = states.getFirst();
    AlertDefinitionEdit edit =
        new AlertDefinitionEdit(
            body.need("name"),
            new ObjectKindRef(kind.adapterKind(), kind.objectKind()),
            impact(state.in("impact")),
            condition(state, before));
    edit.setSeverity(AlertDefinitionSeverity.valueOf(state.word("severity", "AUTO", SEVERITIES)));
    edit.setRecommendations(texts(state));
    edit.setWaitCycles((int) body.whole("waitCycles", 1, 1, 100));
    edit.setCancelCycles((int) body.whole("cancelCycles", 1, 1, 100));
    edit.setDescription(body.text("description"));
    edit.setType(named(TYPES, body.whole("type")));
    edit.setSubType(named(SUB_TYPES, body.whole("subType")));
    if (before != null) {
      keep(edit, before, body);
    }
    return edit;
  }

  private static void keep(AlertDefinitionEdit edit, AlertDefinition before, Given body) {
    edit.setEnabled(before.getEnabled());
    edit.setScope(before.getScope());
    edit.setTags(before.getTags());
    edit.setOwner(before.getOwner());
    edit.setInterval(before.getInterval());
    if (body.node("description") == null) {
      edit.setDescription(before.getDescription());
    }
    Long type = body.whole("type");
    if (type == null || type == type(before.getType())) {
      edit.setType(before.getType());
    }
    Long subType = body.whole("subType");
    if (subType == null || subType == subType(before.getSubType())) {
      edit.setSubType(before.getSubType());
    }
    if (body.node("waitCycles") == null) {
      edit.setWaitCycles(before.getWaitCycles());
    }
    if (body.node("cancelCycles") == null) {
      edit.setCancelCycles(before.getCancelCycles());
    }
  }

  /** An alert definition as it is, for the caller to change something of it. */
  static AlertDefinitionEdit copy(AlertDefinition before) {
    AlertDefinitionEdit edit =
        new AlertDefinitionEdit(
            before.getName(), before.getObjectKind(), before.getImpact(), before.getCondition());
    edit.setDescription(before.getDescription());
    edit.setEnabled(before.getEnabled());
    edit.setScope(before.getScope());
    edit.setSeverity(before.getSeverity());
    edit.setWaitCycles(before.getWaitCycles());
    edit.setCancelCycles(before.getCancelCycles());
    edit.setRecommendations(before.getRecommendations());
    edit.setType(before.getType());
    edit.setSubType(before.getSubType());
    edit.setTags(before.getTags());
    edit.setOwner(before.getOwner());
    edit.setInterval(before.getInterval());
    return edit;
  }

  private static @Nullable String named(Map<Integer, String> names, @Nullable Long number) {
    if (number == null) {
      return null;
    }
    String name = names.get(number.intValue());
    return name == null ? String.valueOf(number) : name;
  }

  private static Impact impact(Given given) {
    String detail = given.need("detail").strip().toUpperCase(Locale.ROOT);
    for (Impact one : Impact.values()) {
      if (one.name().equals(detail)) {
        return one;
      }
    }
    throw SuiteException.invalid(
        given.place() + "detail", "\"" + detail + "\" is none of health, risk, efficiency");
  }

  /** Recommendations in the order of their priorities. */
  private List<String> texts(Given state) {
    JsonNode given = state.node("recommendationPriorityMap");
    Map<String, Integer> priorities = new LinkedHashMap<>();
    if (given != null && given.isObject()) {
      given
          .properties()
          .forEach(entry -> priorities.put(entry.getKey(), entry.getValue().asInt(0)));
    }
    List<String> texts = new ArrayList<>();
    priorities.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
        .forEach(
            entry -> {
              String text = recommendations.get(entry.getKey());
              if (text == null) {
                throw SuiteException.invalid(
                    state.place() + "recommendationPriorityMap",
                    "names the recommendation "
                        + entry.getKey()
                        + ", which does not exist. Recommendations are texts of definitions: write"
                        + " them on the pages or by /api/v1/alert-definitions");
              }
              texts.add(text);
            });
    return texts;
  }

  private AlertCondition condition(Given state, @Nullable AlertDefinition before) {
    if (!state.has("base-symptom-set")) {
      throw SuiteException.invalid(state.place() + "base-symptom-set", "is missing");
    }
    AlertCondition wanted = condition(state.in("base-symptom-set"), 1);
    if (before == null) {
      return wanted;
    }
    if (form(before.getCondition()).equals(form(wanted))) {
      return before.getCondition();
    }
    if (hasMinimum(before.getCondition())) {
      throw SuiteException.invalid(
          SET_PATH,
          "cannot be changed here, since the condition asks for least severities of symptoms, which"
              + " this form does not show. Change it on the pages, or by PUT"
              + " /api/v1/alert-definitions/"
              + before.getId());
    }
    return wanted;
  }

  private static boolean hasMinimum(AlertCondition condition) {
    return condition.getMinimumSeverity() != null
        || inner(condition).stream().anyMatch(AlertDefinitionForm::hasMinimum);
  }

  private AlertCondition condition(Given set, int depth) {
    String type =
        set.word("type", set.has("symptom-sets") ? SETS.getLast() : SETS.getFirst(), SETS);
    if (type.equals(SETS.getFirst())) {
      return ofSet(set);
    }
    if (depth > DEEPEST) {
      throw SuiteException.invalid(
          set.place() + "type", "is nested more than " + DEEPEST + " levels deep");
    }
    List<Given> sets = set.list("symptom-sets");
    if (sets.isEmpty()) {
      throw SuiteException.invalid(set.place() + "symptom-sets", "is missing");
    }
    return combined(
        set.word("operator", "AND", OPERATORS),
        sets.stream().map(one -> condition(one, depth + 1)).toList());
  }

  private static AlertCondition combined(String operator, List<AlertCondition> parts) {
    AlertCondition condition =
        new AlertCondition(
            operator.equals("AND") ? AlertConditionType.ALL : AlertConditionType.ANY);
    condition.setConditions(parts);
    return condition;
  }

  private AlertCondition ofSet(Given set) {
    if (set.has("alertConditions")) {
      throw SuiteException.invalid(
          set.place() + "alertConditions",
          "is not known here: write a symptom definition of each condition, and name its id in"
              + " symptomDefinitionIds");
    }
    Place place = place(set);
    String operator = set.word("symptomSetOperator", "OR", OPERATORS);
    List<String> ids = set.texts("symptomDefinitionIds");
    if (ids.isEmpty()) {
      throw SuiteException.invalid(set.place() + "symptomDefinitionIds", "is missing");
    }
    if (ids.size() > 1 && !isOfEach(place, operator)) {
      throw SuiteException.invalid(
          set.place() + "symptomSetOperator",
          operator
              + " of several symptoms on "
              + place.aggregation()
              + " of other objects cannot be said here, since each symptom is looked for by"
              + " itself: ANY goes with OR, ALL with AND, COUNT and PERCENT with one symptom");
    }
    List<AlertCondition> parts = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      parts.add(ofSymptom(set.place() + "symptomDefinitionIds[" + i + "]", ids.get(i), place));
    }
    return combined(operator, parts);
  }

  private Place place(Given set) {
    String relation = set.word("relation", "SELF", RELATIONS);
    boolean self = relation.equals("SELF");
    String aggregation = set.word("aggregation", "ANY", AGGREGATIONS);
    Place place = new Place(relation, self ? "ANY" : aggregation, null, null);
    if (self) {
      return place;
    }
    String operator = set.text("populationOperator");
    if (place.isCounted() && operator != null && !operator.equalsIgnoreCase("GT_EQ")) {
      throw SuiteException.invalid(
          set.place() + "populationOperator",
          "\"" + operator + "\" is not known here: at least so many have the symptom, GT_EQ");
    }
    if (place.isCounted() && set.decimal("value") == null) {
      throw SuiteException.invalid(set.place() + "value", "is missing");
    }
    String adapterKind = set.text("adapterKindKey");
    String resourceKind = set.text("resourceKindKey");
    return new Place(
        relation,
        aggregation,
        place.isCounted() ? set.decimal("value") : null,
        adapterKind == null || resourceKind == null
            ? null
            : new ObjectKindRef(adapterKind, resourceKind));
  }

  private AlertCondition ofSymptom(String path, String given, Place place) {
    boolean negated = given.startsWith("!");
    if (negated && place.ofMany() && place.isCounted()) {
      throw SuiteException.invalid(
          path,
          "cannot be negated: that so many objects do not have a symptom cannot be said here. ANY"
              + " and ALL can");
    }
    UUID id = Given.uuid(path, negated ? given.substring(1) : given);
    if (!thresholds.contains(id)) {
      throw SuiteException.invalid(
          path, "names the symptom definition " + id + ", which does not exist");
    }
    Place on = negated ? place.ofOpposite() : place;
    AlertCondition condition = new AlertCondition(AlertConditionType.THRESHOLD);
    condition.setThreshold(id);
    if (place.ofMany()) {
      condition.setOn(ConditionTarget.valueOf(on.relation()));
      Population population = new Population(PopulationType.valueOf(on.aggregation()));
      population.setValue(on.value());
      condition.setPopulation(population);
      condition.setObjectKind(on.kind());
    }
    if (!negated) {
      return condition;
    }
    AlertCondition not = new AlertCondition(AlertConditionType.NOT);
    not.setConditions(List.of(condition));
    return not;
  }

  /** The vendor's path of a field of an alert definition. */
  static String path(String field) {
    if (field.startsWith("condition")) {
      return SET_PATH;
    }
    return switch (field) {
      case "severity" -> "states[0].severity";
      case "impact" -> "states[0].impact.detail";
      case "objectKind.adapterKind" -> "adapterKindKey";
      case "objectKind.objectKind" -> "resourceKindKey";
      default -> field;
    };
  }
}
