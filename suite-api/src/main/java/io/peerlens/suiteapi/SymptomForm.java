package io.peerlens.suiteapi;

import io.peerlens.api.model.Bound;
import io.peerlens.api.model.BoundType;
import io.peerlens.api.model.ConditionOperator;
import io.peerlens.api.model.ConditionType;
import io.peerlens.api.model.LearnedSensitivity;
import io.peerlens.api.model.ObjectKindRef;
import io.peerlens.api.model.Severity;
import io.peerlens.api.model.Threshold;
import io.peerlens.api.model.ThresholdCondition;
import io.peerlens.api.model.ThresholdEdit;
import io.peerlens.api.model.ThresholdLevel;
import io.peerlens.api.model.ThresholdTrigger;
import io.peerlens.suiteapi.ResourceKindQueries.Kind;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Symptom definitions, as which thresholds are written for the vendor's clients, and thresholds
 * that are read from what these write. A threshold may say more than a symptom definition can: of
 * several levels the worst is shown, and of a range its upper end.
 */
final class SymptomForm {

  private static final List<String> SEVERITIES =
      List.of("INFORMATION", "WARNING", "IMMEDIATE", "CRITICAL");

  private static final List<String> TYPES =
      List.of(
          "CONDITION_HT",
          "CONDITION_HT_SUPER",
          "CONDITION_DT",
          "CONDITION_DT_SUPER",
          "CONDITION_PROPERTY_NUMERIC",
          "CONDITION_PROPERTY_STRING");

  /** They tell of single events, and thresholds of values that go on. */
  private static final List<String> EVENTS =
      List.of(
          "CONDITION_FAULT", "CONDITION_MESSAGE_EVENT", "CONDITION_METRIC_EVENT", "CONDITION_LOG");

  private static final String SUPER_METRIC = "Super Metric|";

  /** The operator of a metric that nobody reports any more. */
  private static final String ABSENT = "NOT_EXISTS";

  private static final Map<String, ConditionOperator> NUMBERS =
      words(
          "EQ", ConditionOperator.EQ,
          "NOT_EQ", ConditionOperator.NE,
          "LT", ConditionOperator.LT,
          "GT", ConditionOperator.GT,
          "LT_EQ", ConditionOperator.LE,
          "GT_EQ", ConditionOperator.GE);

  private static final Map<String, ConditionOperator> TEXTS =
      words(
          "EQ", ConditionOperator.EQ,
          "NOT_EQ", ConditionOperator.NE,
          "CONTAINS", ConditionOperator.CONTAINS,
          "NOT_CONTAINS", ConditionOperator.NOT_CONTAINS,
          "STARTS_WITH", ConditionOperator.STARTS_WITH,
          "NOT_STARTS_WITH", ConditionOperator.NOT_STARTS_WITH,
          "ENDS_WITH", ConditionOperator.ENDS_WITH,
          "NOT_ENDS_WITH", ConditionOperator.NOT_ENDS_WITH,
          "REGEX", ConditionOperator.MATCHES,
          "NOT_REGEX", ConditionOperator.NOT_MATCHES);

  private static final Map<String, ConditionOperator> USUAL =
      words(
          "DT_ABOVE", ConditionOperator.GT,
          "DT_BELOW", ConditionOperator.LT,
          "DT_ABNORMAL", ConditionOperator.OUTSIDE);

  private SymptomForm() {}

  private static Map<String, ConditionOperator> words(Object... pairs) {
    Map<String, ConditionOperator> words = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      words.put((String) pairs[i], (ConditionOperator) pairs[i + 1]);
    }
    return words;
  }

  // -------------------------------------------------------------------------------------- writing

  static Definition of(Threshold one) {
    String adapterKind = one.getObjectKind().getAdapterKind();
    String resourceKind = one.getObjectKind().getObjectKind();
    ThresholdCondition condition = one.getCondition();
    return new Definition(
        one.getId().toString(),
        one.getName(),
        adapterKind,
        resourceKind,
        Json.object(
            "id",
            one.getId().toString(),
            "name",
            one.getName(),
            "adapterKindKey",
            adapterKind,
            "resourceKindKey",
            resourceKind,
            "waitCycles",
            waitCycles(one.getTrigger()),
            "cancelCycles",
            cancelCycles(one.getTrigger()),
            "state",
            Json.object(
                "severity",
                shown(condition).getSeverity().getValue().toUpperCase(Locale.ROOT),
                "condition",
                condition(condition))));
  }

  private static int waitCycles(ThresholdTrigger trigger) {
    return Objects.requireNonNullElse(trigger.getViolations(), 1);
  }

  private static int cancelCycles(ThresholdTrigger trigger) {
    return Objects.requireNonNullElse(trigger.getClearAfter(), 1);
  }

  private static ThresholdLevel shown(ThresholdCondition condition) {
    return Collections.max(
        condition.getLevels(), Comparator.comparing(ThresholdLevel::getSeverity));
  }

  private static Map<String, Object> condition(ThresholdCondition condition) {
    ThresholdLevel level = shown(condition);
    ConditionOperator operator = condition.getOperator();
    String key = condition.getKey();
    boolean instanced = Boolean.TRUE.equals(condition.getInstances());
    boolean ofSuperMetric = key.startsWith(SUPER_METRIC);
    if (condition.getType() == ConditionType.NO_DATA) {
      return Json.object(
          "type",
          "CONDITION_HT",
          "key",
          key,
          "operator",
          ABSENT,
          "value",
          level.getAfter(),
          "valueType",
          "STRING",
          "instanced",
          instanced,
          "thresholdType",
          "STATIC");
    }
    if (level.getText() != null) {
      return Json.object(
          "type",
          "CONDITION_PROPERTY_STRING",
          "key",
          key,
          "operator",
          word(TEXTS, operator),
          "stringValue",
          level.getText(),
          "instanced",
          instanced,
          "thresholdType",
          "STATIC");
    }
    Bound bound =
        level.getUpper() != null ? level.getUpper() : Objects.requireNonNull(level.getBound());
    if (bound.getType() == BoundType.LEARNED) {
      return Json.object(
          "type",
          ofSuperMetric ? "CONDITION_DT_SUPER" : "CONDITION_DT",
          "key",
          key,
          "operator",
          word(USUAL, operator),
          "instanced",
          instanced);
    }
    String word =
        operator == ConditionOperator.OUTSIDE
            ? "GT"
            : operator == ConditionOperator.INSIDE ? "LT_EQ" : word(NUMBERS, operator);
    BigDecimal value = number(bound.getValue());
    String target = bound.getKey();
    String kind =
        target == null ? "STATIC" : bound.getType() == BoundType.PROPERTY ? "PROPERTY" : "STATKEY";
    if (condition.getType() == ConditionType.PROPERTY) {
      return Json.object(
          "type",
          "CONDITION_PROPERTY_NUMERIC",
          "key",
          key,
          "operator",
          word,
          "value",
          value,
          "instanced",
          instanced,
          "thresholdType",
          kind,
          "targetKey",
          target);
    }
    if (ofSuperMetric && target == null) {
      return Json.object(
          "type",
          "CONDITION_HT_SUPER",
          "key",
          key,
          "operator",
          word,
          "value",
          value,
          "instanced",
          instanced);
    }
    return Json.object(
        "type",
        "CONDITION_HT",
        "key",
        key,
        "operator",
        word,
        "value",
        value == null ? null : value.toPlainString(),
        "valueType",
        "NUMERIC",
        "instanced",
        instanced,
        "thresholdType",
        kind,
        "targetKey",
        target);
  }

  /** A number as people write it, without zeros at its end. */
  private static @Nullable BigDecimal number(@Nullable Double value) {
    return value == null
        ? null
        : new BigDecimal(BigDecimal.valueOf(value).stripTrailingZeros().toPlainString());
  }

  private static String word(
      Map<String, ConditionOperator> words, @Nullable ConditionOperator operator) {
    return words.entrySet().stream()
        .filter(entry -> entry.getValue() == operator)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("Nothing stands for " + operator));
  }

  // -------------------------------------------------------------------------------------- reading

  /** A threshold to be created. It raises no alerts by itself; alert definitions do. */
  static ThresholdEdit read(Given body, Kind kind) {
    ThresholdEdit wanted = new ThresholdEdit(body.need("name"), ref(kind), condition(body));
    List<String> id = body.texts("id");
    if (!id.isEmpty()) {
      wanted.setId(Given.uuid("id", id.getFirst()));
    }
    ThresholdTrigger trigger = new ThresholdTrigger();
    cycles(body, trigger);
    wanted.setTrigger(trigger);
    return wanted;
  }

  /** A threshold with what a client changes of it. What clients cannot see of it stays. */
  static ThresholdEdit changed(Threshold before, Given body, Kind kind) {
    ThresholdCondition wanted = condition(body);
    ThresholdCondition old = before.getCondition();
    boolean same =
        condition(old).equals(condition(wanted))
            && shown(old).getSeverity() == shown(wanted).getSeverity();
    if (!same && !isWhole(before)) {
      throw SuiteException.invalid(
          "state",
          "cannot be changed here, since the threshold says more than a symptom definition can"
              + " (levels, a range, clearing levels, deviations or overrides). Change it on the"
              + " pages, or by PUT /api/v1/thresholds/"
              + before.getId());
    }
    ThresholdEdit edit = copy(before);
    edit.setName(body.need("name"));
    edit.setObjectKind(ref(kind));
    edit.setCondition(same ? old : wanted);
    cycles(body, edit.getTrigger());
    return edit;
  }

  /** A threshold as it is, for the caller to change something of it. */
  static ThresholdEdit copy(Threshold before) {
    ThresholdEdit edit =
        new ThresholdEdit(before.getName(), before.getObjectKind(), before.getCondition());
    edit.setId(before.getId());
    edit.setDescription(before.getDescription());
    edit.setEnabled(before.getEnabled());
    edit.setScope(before.getScope());
    edit.setOverrides(before.getOverrides());
    edit.setAlert(before.getAlert());
    edit.setTags(before.getTags());
    edit.setOwner(before.getOwner());
    edit.setInterval(before.getInterval());
    edit.setTrigger(before.getTrigger());
    return edit;
  }

  private static ObjectKindRef ref(Kind kind) {
    return new ObjectKindRef(kind.adapterKind(), kind.objectKind());
  }

  private static void cycles(Given body, @Nullable ThresholdTrigger given) {
    ThresholdTrigger trigger = Objects.requireNonNull(given);
    int wait = (int) body.whole("waitCycles", waitCycles(trigger), 1, 60);
    Integer of = trigger.getOf();
    if (of != null && of < wait) {
      trigger.setOf(null);
    }
    trigger.setViolations(wait);
    trigger.setClearAfter((int) body.whole("cancelCycles", cancelCycles(trigger), 1, 1000));
  }

  /** Whether the form of a threshold says all that its condition does. */
  private static boolean isWhole(Threshold one) {
    List<ThresholdLevel> levels = one.getCondition().getLevels();
    ThresholdLevel level = levels.getFirst();
    Bound bound = level.getBound();
    return levels.size() == 1
        && one.getOverrides().isEmpty()
        && level.getUpper() == null
        && level.getClear() == null
        && level.getClearUpper() == null
        && (bound == null
            || isNothing(bound.getFactor(), 1)
                && isNothing(bound.getOffset(), 0)
                && isNothing(bound.getMinimumDeviation(), 0)
                && isNothing(bound.getMinimumRelativeDeviation(), 0)
                && (bound.getSensitivity() == null
                    || bound.getSensitivity() == LearnedSensitivity.MEDIUM));
  }

  private static boolean isNothing(@Nullable Double value, double usual) {
    return value == null || value == usual;
  }

  private static ThresholdCondition condition(Given body) {
    if (!body.has("state")) {
      throw SuiteException.invalid("state", "is missing");
    }
    Given state = body.in("state");
    if (!state.has("condition")) {
      throw SuiteException.invalid("state.condition", "is missing");
    }
    Given given = state.in("condition");
    String type = given.need("type").strip().toUpperCase(Locale.ROOT);
    if (EVENTS.contains(type)) {
      throw SuiteException.invalid(
          "state.condition.type",
          type
              + " tells of an event, and Peerlens judges metrics and properties. Write a condition"
              + " on one of them; events reach the history of objects by the topic of events");
    }
    if (!TYPES.contains(type)) {
      throw SuiteException.invalid(
          "state.condition.type", "\"" + type + "\" is none of " + String.join(", ", TYPES));
    }
    ThresholdLevel level =
        new ThresholdLevel(
            Severity.valueOf(word(state, "severity", SEVERITIES, "a symptom has one of ")));
    String key = given.need("key");
    ConditionType of =
        type.startsWith("CONDITION_PROPERTY") ? ConditionType.PROPERTY : ConditionType.METRIC;
    ConditionOperator operator = null;
    if (type.endsWith("_SUPER") && !key.startsWith(SUPER_METRIC)) {
      throw SuiteException.invalid(
          "state.condition.key", "is no key of a super metric, such as Super Metric|sm_UUID");
    }
    if (type.startsWith("CONDITION_DT")) {
      operator = operator(given, USUAL);
      level.setBound(new Bound(BoundType.LEARNED));
    } else if (type.equals("CONDITION_PROPERTY_STRING")) {
      operator = operator(given, TEXTS);
      isStatic(given, "a text is compared with a text only; give stringValue");
      String text = given.text("stringValue", "value");
      if (text == null) {
        throw SuiteException.invalid("state.condition.stringValue", "is missing");
      }
      level.setText(text);
    } else if (type.equals("CONDITION_HT") && ABSENT.equalsIgnoreCase(given.text("operator"))) {
      of = ConditionType.NO_DATA;
      level.setAfter(after(given));
    } else {
      operator = operator(given, NUMBERS);
      level.setBound(bound(given));
    }
    ThresholdCondition condition = new ThresholdCondition(of, key, List.of(level));
    condition.setInstances(given.flag("instanced", false));
    condition.setOperator(operator);
    return condition;
  }

  private static String word(Given given, String name, List<String> known, String meaning) {
    String word = given.need(name).strip().toUpperCase(Locale.ROOT);
    if (!known.contains(word)) {
      throw SuiteException.invalid(
          given.place() + name,
          "\"" + word + "\" is not known here: " + meaning + String.join(", ", known));
    }
    return word;
  }

  private static ConditionOperator operator(Given given, Map<String, ConditionOperator> known) {
    String word =
        word(given, "operator", List.copyOf(known.keySet()), "a condition of this type has ");
    return Objects.requireNonNull(known.get(word));
  }

  private static void isStatic(Given given, String otherwise) {
    String type = given.word("thresholdType", "STATIC", List.of("STATIC", "STATKEY", "PROPERTY"));
    if (!type.equals("STATIC")) {
      throw SuiteException.invalid(given.place() + "thresholdType", type + ": " + otherwise);
    }
  }

  private static String after(Given given) {
    String after = given.need("value").strip();
    if (!after.matches("[1-9][0-9]{0,7}[smhd]")) {
      throw SuiteException.invalid(
          given.place() + "value",
          "\""
              + after
              + "\" does not say for how long there was no value: write a whole number and s, m, h"
              + " or d, such as 15m");
    }
    return after;
  }

  private static Bound bound(Given given) {
    if (given.text("settingValue") != null) {
      throw SuiteException.invalid(
          given.place() + "settingValue",
          "is not known here: there are no policies. Give the number as value");
    }
    String type = given.word("thresholdType", "STATIC", List.of("STATIC", "STATKEY", "PROPERTY"));
    if (!type.equals("STATIC")) {
      Bound bound = new Bound(type.equals("PROPERTY") ? BoundType.PROPERTY : BoundType.METRIC);
      bound.setKey(given.need("targetKey"));
      return bound;
    }
    if (given.word("valueType", "NUMERIC", List.of("NUMERIC", "STRING")).equals("STRING")) {
      throw SuiteException.invalid(
          given.place() + "valueType",
          "STRING does not go with a metric, whose values are numbers. For texts write a condition"
              + " of the type CONDITION_PROPERTY_STRING");
    }
    given.need("value");
    Bound bound = new Bound(BoundType.NUMBER);
    bound.setValue(given.decimal("value"));
    return bound;
  }

  /** The vendor's path of a field of a threshold. */
  static String path(String field) {
    if (field.startsWith("condition.levels")) {
      return field.endsWith(".key")
          ? "state.condition.targetKey"
          : field.endsWith(".text")
              ? "state.condition.stringValue"
              : field.endsWith(".severity") ? "state.severity" : "state.condition.value";
    }
    return switch (field) {
      case "condition.instances" -> "state.condition.instanced";
      case "trigger.violations", "trigger.of" -> "waitCycles";
      case "trigger.clearAfter" -> "cancelCycles";
      case "objectKind.adapterKind" -> "adapterKindKey";
      case "objectKind.objectKind" -> "resourceKindKey";
      default -> field.startsWith("condition.") ? "state." + field : field;
    };
  }
}
