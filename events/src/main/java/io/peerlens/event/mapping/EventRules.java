package io.peerlens.event.mapping;

import io.peerlens.event.decode.Event;
import io.peerlens.event.decode.EventReader.EventException;
import io.peerlens.event.decode.Texts;
import io.peerlens.event.mapping.Happening.Alarm;
import io.peerlens.event.mapping.Happening.Change;
import io.peerlens.event.mapping.Happening.Nothing;
import io.peerlens.event.mapping.Happening.Subject;
import io.peerlens.impact.ToldChangeStore.Teller;
import io.peerlens.ingest.RejectReason;
import io.peerlens.notify.relay.VCenterAlarm;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Rules that say what events mean, of all mapping files in force. The shipped file is part of the
 * jar; a file of the same name in the override directory takes its place, and files with other
 * names are tried first. Thread-safe.
 */
public final class EventRules {

  /** The file in the jar. */
  public static final String SHIPPED = "events-vsphere.yaml";

  private static final int LONGEST_TITLE = 200;
  private static final int LONGEST_SORT = 60;
  private static final int LONGEST_NOTE = 4_000;

  /** Members that name the object of an event, in the order in which they are looked at. */
  private static final List<String> SUBJECTS =
      List.of("vm", "host", "ds", "dvs", "net", "computeResource", "datacenter");

  private static final YAMLMapper YAML =
      YAMLMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private record Compiled(
      @Nullable Pattern events,
      @Nullable Pattern tasks,
      boolean drop,
      String sort,
      List<EventText> title,
      @Nullable List<String> object,
      List<EventText> tells) {}

  private final List<Compiled> rules;

  private EventRules(List<Compiled> rules) {
    this.rules = rules;
  }

  /** A mapping file that cannot be used; the message says where and why. */
  public static final class MistakeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MistakeException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The shipped rules alone. */
  public static EventRules shipped() {
    return load(null);
  }

  /**
   * The shipped rules and those of a directory.
   *
   * @param directory holds files named {@code *.yaml} or {@code *.yml}; null or absent = none
   * @throws MistakeException naming the file and the place of the first mistake
   */
  public static EventRules load(@Nullable Path directory) {
    Map<String, String> files = new LinkedHashMap<>();
    if (directory != null && Files.isDirectory(directory)) {
      try (Stream<Path> list = Files.list(directory)) {
        for (Path file : list.filter(EventRules::isMapping).sorted().toList()) {
          files.put(file.getFileName().toString(), Files.readString(file));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot read mapping files in " + directory, e);
      }
    }
    String own = files.remove(SHIPPED);
    files.put(SHIPPED, own == null ? resource() : own); // the last one
    List<Compiled> rules = new ArrayList<>();
    files.forEach(
        (file, yaml) -> {
          List<EventMappingFile.Rule> parsed = parse(file, yaml).rules();
          for (int i = 0; i < parsed.size(); i++) {
            try {
              rules.add(compile(parsed.get(i)));
            } catch (IllegalArgumentException e) {
              throw new MistakeException(
                  "%s, rule %d: %s".formatted(file, i + 1, e.getMessage()), e);
            }
          }
        });
    return new EventRules(List.copyOf(rules));
  }

  private static boolean isMapping(Path file) {
    String name = file.getFileName().toString();
    return !name.startsWith(".") && (name.endsWith(".yaml") || name.endsWith(".yml"));
  }

  private static EventMappingFile parse(String file, String yaml) {
    try {
      return YAML.readValue(yaml, EventMappingFile.class);
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      throw new MistakeException(
          "%s%s: %s"
              .formatted(
                  file,
                  at == null
                      ? ""
                      : ", line %d, column %d".formatted(at.getLineNr(), at.getColumnNr()),
                  e.getOriginalMessage()),
          e);
    }
  }

  private static Compiled compile(EventMappingFile.Rule rule) {
    boolean drop = Boolean.TRUE.equals(rule.drop());
    if ((rule.events() == null) == (rule.tasks() == null)) {
      throw new IllegalArgumentException("give either events or tasks");
    }
    String sort = rule.sort();
    if (!drop && (sort == null || sort.isBlank() || sort.length() > LONGEST_SORT)) {
      throw new IllegalArgumentException(
          "give sort, a word of at most %d characters, or drop: true".formatted(LONGEST_SORT));
    }
    return new Compiled(
        patterns(rule.events()),
        patterns(rule.tasks()),
        drop,
        sort == null ? "" : sort,
        texts(rule.title()),
        rule.object() == null ? null : List.copyOf(rule.object()),
        texts(rule.tells()));
  }

  private static @Nullable Pattern patterns(@Nullable List<String> patterns) {
    return patterns == null
        ? null
        : Pattern.compile(
            patterns.stream()
                .map(
                    one ->
                        Stream.of(one.split("\\*", -1))
                            .map(Pattern::quote)
                            .collect(Collectors.joining(".*")))
                .collect(Collectors.joining("|")));
  }

  private static List<EventText> texts(@Nullable List<String> texts) {
    return texts == null ? List.of() : texts.stream().map(EventText::parse).toList();
  }

  private static String resource() {
    try (InputStream in = EventRules.class.getResourceAsStream("/events/" + SHIPPED)) {
      if (in == null) {
        throw new IllegalStateException("Shipped mapping file missing: " + SHIPPED);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What an event means.
   *
   * @throws EventException when it matters but does not say which it is, or of what
   */
  public Happening read(Event event) {
    ObjectNode data = event.data();
    return switch (event.name()) {
      case Event.ALARM -> alarmState(event);
      case "AlarmStatusChangedEvent" -> alarmEvent(event);
      case Event.TASK -> task(event, data, null);
      case "TaskEvent" ->
          data.get("info") instanceof ObjectNode info
              ? task(event, info, event.time())
              : Nothing.IT;
      default -> happened(event);
    };
  }

  /** Whether events of a class are changes. */
  public boolean isOfChange(String event) {
    return ofEvent(event) != null;
  }

  /** Whether tasks with a description id are changes. */
  public boolean isTaskOfChange(String descriptionId) {
    return ofTask(descriptionId) != null;
  }

  /** The first rule that fits; null = there is none, or it drops them. */
  private @Nullable Compiled ofEvent(String name) {
    for (Compiled one : rules) {
      if (one.events != null && one.events.matcher(name).matches()) {
        return one.drop ? null : one;
      }
    }
    return null;
  }

  private @Nullable Compiled ofTask(@Nullable String id) {
    for (Compiled one : rules) {
      if (one.tasks != null && id != null && one.tasks.matcher(id).matches()) {
        return one.drop ? null : one;
      }
    }
    return null;
  }

  private Happening happened(Event event) {
    Compiled rule = ofEvent(event.name());
    if (rule == null) {
      return Nothing.IT;
    }
    ObjectNode data = event.data();
    String message = message(data);
    String changes = ConfigurationWords.of(data);
    Function<String, @Nullable String> values =
        path ->
            switch (path) {
              case "message" -> blankIsNull(message);
              case "changes" -> changes;
              case "user" -> author(data);
              case "class" -> event.name();
              default -> value(data, path);
            };
    String title = title(rule, values, message.isEmpty() ? event.name() : message);
    String note =
        Stream.of(message, changes == null ? "" : changes)
            .filter(text -> !text.isEmpty() && !title.equals(text))
            .collect(Collectors.joining("\n"));
    return new Change(
        key(event, event.key(), moment(data, "createdTime")),
        Teller.EVENT,
        chain(data, "chainId"),
        subject(event, data, rule.object == null ? SUBJECTS : rule.object),
        event.time(),
        null,
        rule.sort,
        title,
        author(data),
        blankIsNull(Texts.clean(note, LONGEST_NOTE)),
        tells(rule, values));
  }

  /**
   * @param told when an event told of the task, which does so as it is queued; null = none did
   */
  private Happening task(Event event, ObjectNode task, @Nullable Instant told) {
    String id = value(task, "descriptionId");
    Compiled rule = ofTask(id);
    String state = String.valueOf(value(task, "state")).toLowerCase(Locale.ROOT);
    if (rule == null || told == null && state.equals("queued")) {
      return Nothing.IT;
    }
    String author = value(task, "reason.userName");
    String by = author == null ? author(event.data()) : author;
    String name = value(task, "name");
    Function<String, @Nullable String> values =
        path ->
            switch (path) {
              case "user" -> by;
              case "class" -> id;
              default -> value(task, path);
            };
    String title = title(rule, values, name == null ? String.valueOf(id) : name);
    String error = firstValue(task, "error.localizedMessage", "error.fault.localizedMessage");
    boolean failed = state.equals("error");
    String words =
        failed
            ? title + " failed" + (error == null ? "" : ": " + error)
            : told == null && state.equals("running") ? title + ", running" : title;
    Instant start = moment(task, "startTime");
    Instant queued = moment(task, "queueTime");
    Instant time =
        start != null ? start : told != null ? told : queued != null ? queued : event.time();
    Instant end = moment(task, "completeTime");
    return new Change(
        key(event, valueOr(task, "key", event.key()), queued),
        failed ? Teller.FAILED : Teller.TASK,
        told == null ? chain(task, "eventChainId") : chain(event.data(), "chainId"),
        subject(event, task, rule.object == null ? List.of("entity") : rule.object),
        time,
        end != null && end.isBefore(time) ? time : end,
        rule.sort,
        Texts.clean(words, LONGEST_TITLE),
        by,
        blankIsNull(
            Texts.clean(
                Stream.of(name, error)
                    .filter(text -> text != null)
                    .collect(Collectors.joining(": ")),
                LONGEST_NOTE)),
        tells(rule, values));
  }

  private static String title(
      Compiled rule, Function<String, @Nullable String> values, String otherwise) {
    return Texts.clean(
        rule.title.stream()
            .map(text -> text.fill(values))
            .filter(text -> text != null)
            .findFirst()
            .orElse(otherwise),
        LONGEST_TITLE);
  }

  private static List<String> tells(Compiled rule, Function<String, @Nullable String> values) {
    return rule.tells.stream()
        .map(text -> text.fill(values))
        .filter(text -> text != null)
        .map(text -> Texts.clean(text, 1_000))
        .toList();
  }

  private Happening alarmState(Event event) {
    ObjectNode data = event.data();
    return alarm(
        event,
        value(data, "entityName"),
        value(data, "alarmName"),
        value(data, "overallStatus"),
        data.path("acknowledged").asBoolean(false),
        value(data, "acknowledgedByUser"));
  }

  private Happening alarmEvent(Event event) {
    ObjectNode data = event.data();
    return alarm(
        event,
        value(data, "entity.name"),
        value(data, "alarm.name"),
        value(data, "to"),
        false,
        null);
  }

  private Happening alarm(
      Event event,
      @Nullable String name,
      @Nullable String title,
      @Nullable String status,
      boolean acknowledged,
      @Nullable String by) {
    Subject entity = subject(event, event.data(), List.of("entity"));
    Subject alarm = subject(event, event.data(), List.of("alarm"));
    VCenterAlarm.Status colour;
    try {
      colour = VCenterAlarm.Status.valueOf(String.valueOf(status).toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new EventException(
          RejectReason.EVENT,
          "the alarm has the status \"%s\": give green, yellow, red or gray".formatted(status));
    }
    return new Alarm(
        entity,
        name == null ? entity.moid() : Texts.clean(name, 500),
        alarm.moid(),
        title == null ? alarm.moid() : title,
        colour,
        acknowledged,
        by,
        event.time());
  }

  /**
   * What an event is known by: a vCenter that is restored from a backup gives its keys again, so
   * the moment belongs to it.
   *
   * @param begin when the event or task was made, as vCenter says; null = it does not
   */
  private static String key(Event event, String key, @Nullable Instant begin) {
    if (key.isEmpty()) {
      throw new EventException(
          RejectReason.EVENT,
          "the %s has no key, so it could not be told from others: give key, or id of the CloudEvent"
              .formatted(event.name()));
    }
    return begin == null ? key : key + "/" + begin.getEpochSecond();
  }

  /** The first of some members that names an object. */
  private static Subject subject(Event event, ObjectNode data, List<String> members) {
    for (String member : members) {
      Subject found = reference(data.get(member));
      if (found != null) {
        return found;
      }
    }
    String[] named = data.path("object").asString("").split(":", 2); // of govc events -l
    if (named.length == 2 && !named[0].isBlank() && !named[1].isBlank()) {
      return new Subject(named[0], named[1]);
    }
    throw new EventException(
        RejectReason.EVENT,
        "the %s names no object with type and value in %s; of govc, name two paths at least, then it tells the object"
            .formatted(event.name(), String.join(", ", members)));
  }

  /** A reference is an object with type and value, or a member of an argument that is one. */
  private static @Nullable Subject reference(@Nullable JsonNode node) {
    if (!(node instanceof ObjectNode object)) {
      return null;
    }
    String type = value(object, "type");
    String moid = value(object, "value");
    if (type != null && moid != null) {
      return new Subject(type, moid);
    }
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      if (member.getValue() instanceof ObjectNode inner) {
        String innerType = value(inner, "type");
        String innerMoid = value(inner, "value");
        if (innerType != null && innerMoid != null) {
          return new Subject(innerType, innerMoid);
        }
      }
    }
    return null;
  }

  private static String message(ObjectNode data) {
    return valueOr(data, "fullFormattedMessage", valueOr(data, "message", ""));
  }

  private static @Nullable String author(ObjectNode data) {
    return value(data, "userName");
  }

  /** Chains have numbers above 0. */
  private static @Nullable Long chain(ObjectNode data, String member) {
    long chain = data.path(member).asLong(0);
    return chain > 0 ? chain : null;
  }

  private static @Nullable Instant moment(ObjectNode data, String member) {
    String text = value(data, member);
    if (text == null) {
      return null;
    }
    try {
      Instant moment = OffsetDateTime.parse(text).toInstant();
      return moment.isAfter(Instant.EPOCH) ? moment.truncatedTo(ChronoUnit.MICROS) : null;
    } catch (DateTimeException e) {
      throw new EventException(
          RejectReason.TIMESTAMP,
          "%s is \"%s\": give it as 2026-11-22T20:02:22.652Z"
              .formatted(member, Texts.clean(text, 60)));
    }
  }

  private static @Nullable String firstValue(ObjectNode data, String... paths) {
    for (String path : paths) {
      String value = value(data, path);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  private static String valueOr(ObjectNode data, String path, String otherwise) {
    String value = value(data, path);
    return value == null ? otherwise : value;
  }

  /** The text at a path, {@code host.name}; null = there is none. */
  private static @Nullable String value(ObjectNode data, String path) {
    JsonNode node = data;
    for (String member : path.split("\\.")) {
      node = node.path(member);
    }
    return node.isValueNode() ? blankIsNull(Texts.clean(node.asString(""), 2_000)) : null;
  }

  private static @Nullable String blankIsNull(String text) {
    return text.isBlank() ? null : text;
  }
}
