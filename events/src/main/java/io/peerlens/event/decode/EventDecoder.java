package io.peerlens.event.decode;

import io.peerlens.event.decode.EventReader.EventException;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.DecoderFault;
import io.peerlens.ingest.RecordSize;
import io.peerlens.ingest.RejectReason;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decoder of events. A record holds JSON: one object, an array, or several values one after the
 * other, each of which is
 *
 * <ul>
 *   <li>a CloudEvent, whose data is an event, a task or the state of an alarm,
 *   <li>such data alone, as the VI JSON API and govmomi write them,
 *   <li>what {@code govc events -json -l} or {@code govc tasks -json} write.
 * </ul>
 *
 * The attributes of a CloudEvent may stand in headers instead. Names of members may begin with
 * either a small or a capital letter. Thread-safe.
 */
public final class EventDecoder {

  private static final int DEEPEST = 64;
  private static final int MOST_LETTERS = 100;

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEEPEST)
                          .maxNumberLength(100)
                          .maxNameLength(1_000)
                          .build())
                  .build())
          .build();

  private static final String FORMS =
      "send CloudEvents whose data is an event of a vCenter in JSON, or such events alone; docs/events.md shows each form";

  /** What stands around the class of an event in the type of a CloudEvent. */
  private static final Pattern AROUND_CLASS =
      Pattern.compile("^(?:com\\.)?vmware\\.vsphere\\.|\\.v[0-9]+$");

  private static final String OLD_TYPE = "com.vmware/event";

  /** Classes whose objects say in a member what event they are. */
  private static final Set<String> OPEN_CLASSES = Set.of("EventEx", "ExtendedEvent");

  private static final List<String> ATTRIBUTES =
      List.of("specversion", "id", "source", "type", "time", "subject");

  private final Supplier<EventGuards> guards;
  private final InstantSource clock;

  public EventDecoder(Supplier<EventGuards> guards, InstantSource clock) {
    this.guards = guards;
    this.clock = clock;
  }

  /** Hands all that a record says to a reader. */
  public void decode(ConsumerRecord<byte[], byte[]> record, EventReader reader) {
    byte[] value = record.value();
    if (value == null) {
      return;
    }
    if (RecordSize.isCut(record)) {
      reader.reject(letter(record, 1, RejectReason.OVERSIZED, RecordSize.cut(record), value));
      return;
    }
    int most = guards.get().maxRecordBytes();
    if (value.length > most) {
      reader.reject(
          letter(
              record,
              1,
              RejectReason.OVERSIZED,
              "%,d bytes are more than peerlens.events.max-record-bytes of %,d: send fewer events in a record, or raise it"
                  .formatted(value.length, most),
              value));
      return;
    }
    Collected collected = new Collected();
    DeadLetter fault = DecoderFault.guard(record, 1, () -> read(record, value, collected));
    if (fault != null) {
      reader.reject(fault);
      return;
    }
    collected.forward(record, reader);
  }

  /** All of one record, so that a mistake of ours while reading it leaves nothing behind. */
  private static final class Collected {
    private final List<Event> events = new ArrayList<>();
    private final List<DeadLetter> letters = new ArrayList<>();
    private int more;

    void reject(DeadLetter letter) {
      if (letters.size() < MOST_LETTERS) {
        letters.add(letter);
      } else {
        more++;
      }
    }

    void forward(ConsumerRecord<byte[], byte[]> record, EventReader reader) {
      for (Event event : events) {
        try {
          reader.take(event);
        } catch (EventException e) {
          reject(
              letter(
                  record,
                  event.line(),
                  e.reason(),
                  String.valueOf(e.getMessage()),
                  event.payload()));
        }
      }
      if (more > 0) {
        DeadLetter last = letters.removeLast();
        letters.add(
            new DeadLetter(
                last.topic(),
                last.partition(),
                last.offset(),
                last.line(),
                last.timestamp(),
                last.reason(),
                "%s; so are %,d more of this record".formatted(last.detail(), more),
                last.payload()));
      }
      letters.forEach(reader::reject);
    }
  }

  private void read(ConsumerRecord<byte[], byte[]> record, byte[] value, Collected into) {
    ObjectNode envelope = envelope(record);
    int line = 0;
    int good = 0;
    try (JsonParser parser = JSON.createParser(value)) {
      while (parser.nextToken() != null) {
        if (parser.currentToken() == JsonToken.START_ARRAY) {
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            line = one(record, parser.readValueAsTree(), envelope, line, into);
          }
        } else {
          line = one(record, parser.readValueAsTree(), envelope, line, into);
        }
        good = (int) Math.min(value.length, parser.currentLocation().getByteOffset());
      }
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      into.reject(
          letter(
              record,
              line + 1,
              RejectReason.JSON,
              "%s: %s; %s".formatted(place(at), e.getOriginalMessage(), FORMS),
              // What was read of an array that breaks off is sent again with it, which changes
              // nothing.
              Arrays.copyOfRange(value, good, value.length)));
      return;
    }
    if (line == 0) {
      into.reject(letter(record, 1, RejectReason.JSON, "the record is empty; " + FORMS, value));
    }
  }

  private static String place(@Nullable TokenStreamLocation at) {
    return at == null || at.getLineNr() < 0
        ? "no JSON"
        : "no JSON at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
  }

  /** Attributes of a CloudEvent that stand in headers; null = there are none. */
  private static @Nullable ObjectNode envelope(ConsumerRecord<byte[], byte[]> record) {
    ObjectNode envelope = null;
    for (String attribute : ATTRIBUTES) {
      Header header = record.headers().lastHeader("ce_" + attribute);
      if (header != null && header.value() != null) {
        envelope = envelope == null ? JSON.createObjectNode() : envelope;
        envelope.put(attribute, new String(header.value(), StandardCharsets.UTF_8));
      }
    }
    return envelope != null && envelope.has("type") ? envelope : null;
  }

  /** Reads a value of a record; gives how many there were. */
  private int one(
      ConsumerRecord<byte[], byte[]> record,
      JsonNode value,
      @Nullable ObjectNode envelope,
      int before,
      Collected into) {
    if (envelope == null
        && value instanceof ObjectNode object
        && object.size() == 1
        && object.get("tasks") instanceof ArrayNode tasks) {
      int line = before;
      for (JsonNode task : tasks) { // of govc tasks
        line = one(record, task, null, line, into);
      }
      return line;
    }
    int line = before + 1;
    JsonNode whole = value;
    try {
      if (envelope != null && !isCloudEvent(value)) {
        ObjectNode made = envelope.deepCopy();
        made.set("data", value);
        whole = made;
      }
      if (!(whole instanceof ObjectNode object)) {
        throw new EventException(
            RejectReason.JSON,
            "the value is not a JSON object but %s; %s".formatted(what(value), FORMS));
      }
      byte[] payload = JSON.writeValueAsBytes(object);
      Event event =
          isCloudEvent(object)
              ? ofCloudEvent(object, record, line, payload)
              : plain("", "", "", null, (ObjectNode) lowered(object), record, line, payload);
      check(event);
      into.events.add(event);
    } catch (EventException e) {
      into.reject(
          letter(
              record,
              line,
              e.reason(),
              String.valueOf(e.getMessage()),
              JSON.writeValueAsBytes(whole)));
    }
    return line;
  }

  private static String what(JsonNode value) {
    return value.getNodeType().name().toLowerCase(Locale.ROOT);
  }

  private static boolean isCloudEvent(JsonNode value) {
    return value.has("specversion") && value.has("type");
  }

  private static Event ofCloudEvent(
      ObjectNode event, ConsumerRecord<byte[], byte[]> record, int line, byte[] payload) {
    String type = text(event, "type");
    String name = AROUND_CLASS.matcher(type).replaceAll("");
    if (type.equals(OLD_TYPE)) {
      name = text(event, "subject");
    }
    return plain(
        text(event, "source"),
        text(event, "id"),
        name,
        moment(text(event, "time"), "time"),
        data(event),
        record,
        line,
        payload);
  }

  private static ObjectNode data(ObjectNode event) {
    String contentType = text(event, "datacontenttype");
    JsonNode data = event.get("data");
    try {
      if (event.get("data_base64") instanceof JsonNode encoded && encoded.isString()) {
        data = JSON.readTree(Base64.getDecoder().decode(encoded.asString("")));
      } else if (data != null && data.isString() && !contentType.contains("xml")) {
        data = JSON.readTree(data.asString(""));
      }
    } catch (JacksonException | IllegalArgumentException e) {
      throw new EventException(
          RejectReason.JSON, "data of the CloudEvent is no JSON: " + e.getMessage());
    }
    if (!(data instanceof ObjectNode)) {
      throw new EventException(
          RejectReason.EVENT,
          contentType.contains("xml")
              ? "data of the CloudEvent is XML: set payloadEncoding of the VSphereSource to application/json"
              : "data of the CloudEvent is missing, or no JSON object: " + FORMS);
    }
    return (ObjectNode) lowered(data);
  }

  private static Event plain(
      String source,
      String id,
      String type,
      @Nullable Instant at,
      ObjectNode data,
      ConsumerRecord<byte[], byte[]> record,
      int line,
      byte[] payload) {
    String name = type.isEmpty() ? text(data, "_typeName") : type;
    if (name.isEmpty() && data.has("descriptionId") && data.has("entity")) {
      name = Event.TASK; // of govc tasks, and of Go's own JSON
    }
    if (name.isEmpty()) {
      name = text(data, "type"); // of govc events -l
    }
    if (OPEN_CLASSES.contains(name)) {
      String open = text(data, "eventTypeId");
      name = open.isEmpty() ? name : open;
    }
    if (name.isEmpty()) {
      throw new EventException(
          RejectReason.EVENT,
          data.has("category") && data.has("message")
              ? "the event has no type: call govc events with -l, and with two paths at least, so that it tells type and object"
              : "the event does not say its class: give _typeName, or a CloudEvent with type com.vmware.vsphere.CLASS.v0");
    }
    Instant time = time(name, data);
    time = time == null ? at : time;
    if (time == null) {
      if (record.timestamp() < 0) {
        throw new EventException(
            RejectReason.TIMESTAMP, "neither createdTime nor time of the CloudEvent is given");
      }
      time = Instant.ofEpochMilli(record.timestamp());
    }
    String key = text(data, "key");
    return new Event(source, key.isEmpty() ? id : key, name, micros(time), data, line, payload);
  }

  private static @Nullable Instant time(String name, ObjectNode data) {
    if (name.equals(Event.TASK)) {
      for (String member : List.of("startTime", "queueTime")) {
        Instant time = moment(text(data, member), member);
        if (time != null) {
          return time;
        }
      }
      return null;
    }
    return name.equals(Event.ALARM)
        ? moment(text(data, "time"), "data.time")
        : moment(text(data, "createdTime"), "createdTime");
  }

  private void check(Event event) {
    Instant now = clock.instant();
    Duration maxFuture = guards.get().maxFuture();
    Duration maxAge = guards.get().maxAge();
    if (event.time().isAfter(now.plus(maxFuture))) {
      throw new EventException(
          RejectReason.FUTURE,
          "%s is %s ahead of the clock, more than peerlens.events.max-future of %s: check the vCenter's clock"
              .formatted(
                  event.time(),
                  Duration.between(now, event.time()).truncatedTo(ChronoUnit.SECONDS),
                  maxFuture));
    }
    if (event.time().isBefore(now.minus(maxAge))) {
      throw new EventException(
          RejectReason.TOO_OLD,
          "%s is longer ago than peerlens.events.max-age of %s".formatted(event.time(), maxAge));
    }
  }

  /** The same with names of members that begin with a small letter: Go writes capitals. */
  private static JsonNode lowered(JsonNode node) {
    return switch (node) {
      case ObjectNode object -> {
        ObjectNode lowered = JSON.createObjectNode();
        object
            .properties()
            .forEach(member -> lowered.set(lowered(member.getKey()), lowered(member.getValue())));
        yield lowered;
      }
      case ArrayNode array -> {
        ArrayNode lowered = JSON.createArrayNode();
        array.forEach(element -> lowered.add(lowered(element)));
        yield lowered;
      }
      default -> node;
    };
  }

  private static String lowered(String name) {
    return name.isEmpty() || !Character.isUpperCase(name.charAt(0))
        ? name
        : Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  /** A member that is one value, as text; empty = there is none. */
  static String text(JsonNode node, String member) {
    JsonNode value = node.get(member);
    return value == null || !value.isValueNode() ? "" : Texts.clean(value.asString(""), 2_000);
  }

  private static @Nullable Instant moment(String text, String member) {
    if (text.isEmpty()) {
      return null;
    }
    try {
      Instant moment = OffsetDateTime.parse(text).toInstant();
      return moment.isAfter(Instant.EPOCH) ? moment : null; // Go writes no time as the year 1
    } catch (DateTimeException e) {
      throw new EventException(
          RejectReason.TIMESTAMP,
          "%s is \"%s\": give it as 2026-11-22T20:02:22.652Z"
              .formatted(member, text.length() > 60 ? text.substring(0, 60) + "..." : text));
    }
  }

  /** As the database holds it, so that what is told again is equal. */
  private static Instant micros(Instant time) {
    return time.truncatedTo(ChronoUnit.MICROS);
  }

  private static DeadLetter letter(
      ConsumerRecord<byte[], byte[]> record,
      int line,
      RejectReason reason,
      String detail,
      byte[] payload) {
    return new DeadLetter(
        record.topic(),
        record.partition(),
        record.offset(),
        line,
        record.timestamp(),
        reason,
        detail,
        payload);
  }
}
