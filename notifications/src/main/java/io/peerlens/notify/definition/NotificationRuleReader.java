package io.peerlens.notify.definition;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.NotificationChange;
import io.peerlens.api.model.NotificationGrouping;
import io.peerlens.api.model.NotificationResend;
import io.peerlens.api.model.NotificationRuleEdit;
import io.peerlens.api.model.NotificationSeverities;
import io.peerlens.api.model.NotificationWindow;
import io.peerlens.api.model.NotificationWindows;
import io.peerlens.api.model.ObjectKindRef;
import io.peerlens.api.model.Severity;
import io.peerlens.api.model.Weekday;
import io.peerlens.notify.definition.NotificationRule.Criteria;
import io.peerlens.notify.definition.NotificationRule.Grouping;
import io.peerlens.notify.definition.NotificationRule.Resend;
import io.peerlens.notify.definition.Windows.Window;
import io.peerlens.scope.Scope;
import io.peerlens.scope.ScopeReader;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Notification rules of the API, of files and of the database as records. Whatever makes no sense
 * is refused with the field that is to blame.
 */
final class NotificationRuleReader {

  /** Of updates; the rest is for those who ask for it. */
  static final List<NotificationChange> USUAL_CHANGES =
      List.of(NotificationChange.SEVERITY, NotificationChange.RESEND, NotificationChange.UPDATE);

  private static final Duration SHORTEST_RESEND = Duration.ofMinutes(1);
  private static final int LONGEST_TEXT = 4_000;

  private NotificationRuleReader() {}

  /**
   * Reads a rule; its condition is only taken over.
   *
   * @param path of the rule in the body, with a point at its end, or empty
   */
  static NotificationRule read(UUID id, String path, NotificationRuleEdit wanted) {
    if (wanted.getName().isBlank()) {
      throw ApiException.invalidField(path + "name", "is blank");
    }
    if (wanted.getDescription() != null) {
      ScopeReader.storable(path + "description", wanted.getDescription());
    }
    return new NotificationRule(
        id,
        ScopeReader.storable(path + "name", wanted.getName()),
        !Boolean.FALSE.equals(wanted.getEnabled()),
        requireNonNullElse(wanted.getOrder(), 100),
        !Boolean.FALSE.equals(wanted.getContinue()),
        criteria(path, wanted),
        windows(path + "windows.", wanted.getWindows()),
        ScopeReader.storable(path + "template", wanted.getTemplate()),
        targets(path + "targets", wanted.getTargets()),
        vars(path + "vars", wanted.getVars()),
        wanted.getDelay() == null ? Duration.ZERO : Durations.parse(wanted.getDelay()),
        resend(path + "resend.every", wanted.getResend()),
        group(path + "group.by", wanted.getGroup()));
  }

  /** What of updates a rule tells. */
  static List<NotificationChange> changes(NotificationRuleEdit wanted) {
    List<NotificationChange> given = wanted.getChanges();
    return given == null || given.isEmpty() ? USUAL_CHANGES : given;
  }

  private static Criteria criteria(String path, NotificationRuleEdit wanted) {
    Scope scope =
        wanted.getScope() == null
            ? Scope.ALL
            : ScopeReader.scope(path + "scope", wanted.getScope());
    return new Criteria(
        scope.equals(Scope.ALL) ? null : scope,
        words(wanted.getEvents(), event -> event.getValue()),
        words(changes(wanted), change -> change.getValue()),
        severities(path + "severities", wanted.getSeverities()),
        texts(path + "types", wanted.getTypes()),
        texts(path + "subTypes", wanted.getSubTypes()),
        words(wanted.getImpacts(), Enum::name),
        words(wanted.getDefinitions(), UUID::toString),
        words(wanted.getControlStates(), Enum::name),
        kinds(path + "objectKinds", wanted.getObjectKinds()),
        texts(path + "sources", wanted.getSources()),
        wanted.getWhen() == null ? null : ScopeReader.storable(path + "when", wanted.getWhen()),
        requireNonNullElse(wanted.getSampling(), 100) / 100.0);
  }

  private static <T> Set<String> words(@Nullable List<T> given, Function<T, String> word) {
    return given == null ? Set.of() : given.stream().map(word).collect(Collectors.toSet());
  }

  private static Set<String> texts(String path, @Nullable List<String> given) {
    Set<String> texts = new LinkedHashSet<>();
    if (given != null) {
      for (int i = 0; i < given.size(); i++) {
        texts.add(ScopeReader.storable(path + "[" + i + "]", given.get(i)));
      }
    }
    return texts;
  }

  private static Set<ObjectKind> kinds(String path, @Nullable List<ObjectKindRef> given) {
    Set<ObjectKind> kinds = new LinkedHashSet<>();
    if (given != null) {
      for (int i = 0; i < given.size(); i++) {
        kinds.add(ScopeReader.kind(path + "[" + i + "]", given.get(i)));
      }
    }
    return kinds;
  }

  private static Set<String> severities(String path, @Nullable NotificationSeverities wanted) {
    if (wanted == null) {
      return Set.of();
    }
    Severity least = wanted.getAtLeast();
    List<Severity> any = wanted.getAnyOf();
    if ((least == null) == (any == null)) {
      throw ApiException.invalidField(
              path, least == null ? "has neither atLeast nor anyOf" : "has atLeast and anyOf")
          .hint("Give {\"atLeast\": \"warning\"} or {\"anyOf\": [\"critical\"]}.");
    }
    return least == null
        ? words(any, Enum::name)
        : Arrays.stream(Severity.values())
            .filter(severity -> severity.compareTo(least) >= 0)
            .map(Enum::name)
            .collect(Collectors.toSet());
  }

  private static List<UUID> targets(String path, List<UUID> wanted) {
    Set<UUID> seen = new HashSet<>();
    for (int i = 0; i < wanted.size(); i++) {
      if (!seen.add(wanted.get(i))) {
        throw ApiException.invalidField(path + "[" + i + "]", wanted.get(i) + " is named twice");
      }
    }
    return wanted;
  }

  private static Map<String, JsonNode> vars(String path, @Nullable Map<String, Object> wanted) {
    Map<String, JsonNode> vars = new LinkedHashMap<>();
    if (wanted != null) {
      wanted.forEach((name, value) -> vars.put(name, var(path + "." + name, value)));
    }
    return vars;
  }

  private static JsonNode var(String path, @Nullable Object value) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return switch (value) {
      case String text -> {
        if (text.length() > LONGEST_TEXT) {
          throw ApiException.invalidField(
              path, "is longer than %,d characters".formatted(LONGEST_TEXT));
        }
        yield nodes.stringNode(ScopeReader.storable(path, text));
      }
      case Boolean flag -> nodes.booleanNode(flag);
      case Integer number -> nodes.numberNode(number);
      case Long number -> nodes.numberNode(number);
      case Double number when Double.isFinite(number) -> nodes.numberNode(number);
      case null, default -> throw ApiException.invalidField(path, "is no text, number or boolean");
    };
  }

  private static @Nullable Resend resend(String path, @Nullable NotificationResend wanted) {
    if (wanted == null) {
      return null;
    }
    Duration every = Durations.parse(wanted.getEvery());
    if (every.compareTo(SHORTEST_RESEND) < 0) {
      throw ApiException.invalidField(path, wanted.getEvery() + " is shorter than 1m");
    }
    return new Resend(every, requireNonNullElse(wanted.getMax(), 0));
  }

  private static @Nullable Grouping group(String path, @Nullable NotificationGrouping wanted) {
    if (wanted == null) {
      return null;
    }
    for (int i = 0; i < wanted.getBy().size(); i++) {
      Paths.names(path + "[" + i + "]", wanted.getBy().get(i));
    }
    return new Grouping(
        wanted.getBy(),
        Durations.parse(requireNonNullElse(wanted.getWait(), "30s")),
        Durations.parse(requireNonNullElse(wanted.getInterval(), "5m")));
  }

  private static Windows windows(String path, @Nullable NotificationWindows wanted) {
    return wanted == null
        ? Windows.ALWAYS
        : new Windows(
            windows(path + "active", wanted.getActive()), windows(path + "mute", wanted.getMute()));
  }

  private static List<Window> windows(String path, @Nullable List<NotificationWindow> wanted) {
    List<Window> windows = new ArrayList<>();
    if (wanted != null) {
      for (NotificationWindow one : wanted) {
        String to = one.getTo();
        windows.add(
            new Window(
                one.getDays().stream().map(NotificationRuleReader::day).collect(Collectors.toSet()),
                LocalTime.parse(one.getFrom()),
                to.equals("24:00") ? LocalTime.MIDNIGHT : LocalTime.parse(to),
                zone(path + "[" + windows.size() + "].zone", one.getZone())));
      }
    }
    return windows;
  }

  private static DayOfWeek day(Weekday day) {
    return DayOfWeek.of(day.ordinal() + 1);
  }

  private static ZoneId zone(String path, String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw ApiException.invalidField(path, "\"" + name + "\" is no time zone")
          .hint("Give a name of the tz database, such as Europe/Berlin or UTC.");
    }
  }
}
