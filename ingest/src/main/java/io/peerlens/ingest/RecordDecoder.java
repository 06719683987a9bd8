package io.peerlens.ingest;

import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectReport;
import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.ingest.otlp.OtlpJson;
import io.peerlens.ingest.protobuf.Malformed;
import io.peerlens.ingest.protobuf.ProtoReader;
import io.peerlens.ingest.sender.Sender;
import io.peerlens.ingest.sender.SenderCounters;
import io.peerlens.ingest.sender.SenderTally;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;

/**
 * Decoder of Kafka records into rows of a {@link SampleBatch}.
 *
 * <p>Most lines belong to series and fields that were met before and go straight into the batch.
 * Lines that meet something new wait until the whole of the poll was read; then the catalog is
 * asked once for everything new, and they are read again. A line that cannot be stored becomes a
 * dead letter and costs its neighbours nothing.
 *
 * <p>Not thread-safe: one decoder for each consumer. When a batch is given up, the decoder must be
 * too, since it counted on that batch being stored.
 */
public final class RecordDecoder {

  /** Rounds in which new series, then their new fields, become known; the last one is final. */
  private static final int ROUNDS = 3;

  /**
   * What waits for the catalog: a line, an element of JSON, or a resource of OpenTelemetry.
   *
   * @param line number of it in the record; of a resource, how many points are before it
   * @param message the message that the resource is a part of
   */
  private record Waiting(
      ConsumerRecord<byte[], byte[]> record,
      int from,
      int to,
      int line,
      @Nullable JsonNode element,
      byte @Nullable [] message) {}

  /** Beyond this many bad lines in a record, the others share one dead letter. */
  private static final int MAX_LETTERS = 100;

  /** When so many lines wait for the catalog it is asked, so that they do not fill the memory. */
  private static final int MAX_WAITING = 10_000;

  /**
   * Header of records that our own collectors write: the id of the source. They are told apart by
   * it from what others send.
   */
  public static final String SOURCE_HEADER = "peerlens-source";

  /**
   * Header with the unit of the timestamps of a record in line protocol: {@code ns}, {@code us},
   * {@code ms}, {@code s}, {@code m} or {@code h}. It has precedence over the setting.
   */
  public static final String PRECISION_HEADER = "precision";

  private static final byte[] NOTHING = {};

  /** How the payloads of several dead letters become one that can be read again. */
  private enum Letters {
    LINES("", "\n", ""),
    JSON("[", ",", "]"),
    /** Messages of protobuf one behind the other are one. */
    POINTS("", "", "");

    final byte[] begin;
    final byte[] between;
    final byte[] end;

    Letters(String begin, String between, String end) {
      this.begin = begin.getBytes(StandardCharsets.US_ASCII);
      this.between = between.getBytes(StandardCharsets.US_ASCII);
      this.end = end.getBytes(StandardCharsets.US_ASCII);
    }
  }

  private static final Pattern ESCAPED = Pattern.compile("\\\\([\"\\\\])");

  private final Registry registry;
  private final LineDecoder lines;
  private final JsonDecoder json;
  private final OtlpDecoder otlp;
  private final Points points = new Points();
  private final Reading reading = new Reading();
  private final ProtoReader probe = new ProtoReader();
  private final Supplier<IngestGuards> guards;
  private final InstantSource clock;

  private List<Waiting> waiting = new ArrayList<>();
  private SampleBatch batch = new SampleBatch();
  private Limits limits = new Limits(IngestGuards.DEFAULT, 0, Long.MAX_VALUE);
  private long nowMicros;

  // Who sent the record that is being read.
  private @Nullable ConsumerRecord<byte[], byte[]> sentRecord;
  private @Nullable Sender sentBySource;

  // Bad lines of the record that is being read.
  private Letters form = Letters.LINES;
  private int letters;
  private int moreLetters;
  private @Nullable DeadLetter firstOfMore;
  private final ByteArrayOutputStream more = new ByteArrayOutputStream();

  /**
   * @param guards asked for each batch, so that they can be changed while running
   * @param precision of timestamps in line protocol
   */
  public RecordDecoder(
      Mappings mappings,
      Catalog catalog,
      Supplier<IngestGuards> guards,
      TimePrecision precision,
      InstantSource clock) {
    this.registry = new Registry(catalog);
    this.lines = new LineDecoder(mappings, registry, precision);
    this.json = new JsonDecoder(mappings, registry);
    this.otlp = new OtlpDecoder(mappings, registry);
    this.guards = guards;
    this.clock = clock;
  }

  /**
   * Adds records to a batch.
   *
   * @param records in the order of their partitions
   * @param positions offset that the store holds for each partition before this batch
   */
  public void decode(
      Iterable<ConsumerRecord<byte[], byte[]>> records,
      Map<TopicPartition, Long> positions,
      SampleBatch into) {
    batch = into;
    Instant now = clock.instant();
    limits = Limits.at(guards.get(), now);
    nowMicros = now.toEpochMilli() * 1_000;
    waiting.clear();
    registry.beginBatch();
    otlp.beginBatch(limits, nowMicros);
    TopicPartition partition = null;
    for (ConsumerRecord<byte[], byte[]> record : records) {
      if (partition == null
          || partition.partition() != record.partition()
          || !partition.topic().equals(record.topic())) {
        partition = new TopicPartition(record.topic(), record.partition());
      }
      byte[] value = record.value();
      batch.took(
          partition,
          positions.getOrDefault(partition, 0L),
          record.offset() + 1,
          value == null ? 0 : value.length);
      if (value != null) {
        decodeAlone(record, value);
        if (waiting.size() > MAX_WAITING) {
          settle(now);
        }
      }
    }
    settle(now);
  }

  /** Reads a record; when that fails, all of it is one dead letter. */
  private void decodeAlone(ConsumerRecord<byte[], byte[]> record, byte[] value) {
    int lettersBefore = batch.deadLetters().size();
    int waitingBefore = waiting.size();
    letters = 0;
    reading.record = record;
    reading.value = value;
    DeadLetter fault = DecoderFault.guard(record, 1, reading);
    if (fault != null) {
      forgetMore();
      batch.keepLetters(lettersBefore);
      waiting.subList(waitingBefore, waiting.size()).clear();
      batch.reject(fault);
    }
  }

  /** Reading of a record: one for all of them, for a lambda each would be garbage. */
  private final class Reading implements Runnable {
    private @Nullable ConsumerRecord<byte[], byte[]> record;
    private byte[] value = NOTHING;

    @Override
    public void run() {
      decode(Objects.requireNonNull(record), value);
      rejectMore();
    }
  }

  /** Asks the catalog for all that is new, and reads again the lines that waited for it. */
  private void settle(Instant now) {
    letters = Integer.MIN_VALUE; // what is refused from here on was well-formed: one letter each
    for (int round = 1; round < ROUNDS && !waiting.isEmpty(); round++) {
      registry.settle(limits.guards(), now.toEpochMilli());
      List<Waiting> again = waiting;
      waiting = new ArrayList<>();
      otlp.beginRound();
      boolean settled = round == ROUNDS - 1;
      ConsumerRecord<byte[], byte[]> failed = null;
      for (Waiting line : again) {
        if (line.record == failed) {
          continue; // all of it is in a dead letter
        }
        DeadLetter fault =
            DecoderFault.guard(line.record, line.line, () -> decodeAgain(line, settled));
        if (fault != null) {
          failed = line.record;
          batch.reject(fault);
        }
      }
    }
    registry.settle(limits.guards(), now.toEpochMilli());
    waiting.clear();
    otlp.beginRound();
  }

  /** Number of series known, for the statistics. */
  public int seriesCount() {
    return registry.seriesCount();
  }

  private void decode(ConsumerRecord<byte[], byte[]> record, byte[] value) {
    if (RecordSize.isCut(record)) {
      reject(record, 1, RejectReason.OVERSIZED, RecordSize.cut(record), value);
      return;
    }
    if (value.length > limits.guards().maxRecordBytes()) {
      reject(
          record,
          1,
          RejectReason.OVERSIZED,
          "%,d bytes are more than the guard maxRecordBytes of %,d: send smaller records or raise it"
              .formatted(value.length, limits.guards().maxRecordBytes()),
          value);
      return;
    }
    String signal = RecordFormat.otherSignal(record.headers());
    if (signal != null) {
      rejectSignal(record, signal, value);
      return;
    }
    switch (RecordFormat.of(record.headers(), value, probe)) {
      case LINES -> decodeLines(record, value);
      case JSON -> decodeJson(record, value);
      case OTLP -> decodePoints(record, value, value);
      case OTHER_PROTOBUF ->
          reject(
              record,
              1,
              RejectReason.PROTOBUF,
              "the header content-type names a protobuf message that is not read here: send metrics of OpenTelemetry as application/x-protobuf",
              value);
    }
  }

  private void decodeLines(ConsumerRecord<byte[], byte[]> record, byte[] value) {
    form = Letters.LINES;
    int from = 0;
    int line = 1;
    lines.beginRecord(precision(record));
    while (from < value.length) {
      decodeLine(record, value, from, line, false);
      from = lines.next();
      line++;
    }
  }

  private void rejectSignal(ConsumerRecord<byte[], byte[]> record, String signal, byte[] value) {
    reject(
        record,
        1,
        RejectReason.SYNTAX,
        "%s of OpenTelemetry: only metrics are read from this topic; give the exporter another topic for them"
            .formatted(signal.length() <= 40 ? signal : "an unknown signal"),
        value);
  }

  /**
   * Reads metrics of OpenTelemetry.
   *
   * @param message in protobuf
   */
  private void decodePoints(ConsumerRecord<byte[], byte[]> record, byte[] value, byte[] message) {
    form = Letters.POINTS;
    points.record = record;
    try {
      otlp.message(message, defaultTime(record), points);
    } catch (Malformed e) {
      reject(
          record,
          1,
          RejectReason.PROTOBUF,
          "no metrics of OpenTelemetry: %s; send them with encoding otlp_proto or otlp_json"
              .formatted(e.getMessage()),
          value);
    }
  }

  /** What becomes of points. */
  private final class Points implements OtlpDecoder.Out {
    private @Nullable ConsumerRecord<byte[], byte[]> record;

    @Override
    public SampleBatch batch() {
      return batch;
    }

    @Override
    public SenderTally tally() {
      return sent(Objects.requireNonNull(record), Sender.OTLP);
    }

    @Override
    public void seen(ObjectState object, long timeMicros) {
      RecordDecoder.this.seen(object, timeMicros);
    }

    @Override
    public void reject(int number, RejectReason reason, String detail, byte[] payload) {
      RecordDecoder.this.reject(Objects.requireNonNull(record), number, reason, detail, payload);
    }

    @Override
    public void waits(byte[] message, int from, int to, int number) {
      waiting.add(new Waiting(Objects.requireNonNull(record), from, to, number, null, message));
    }
  }

  /** Null when the record says nothing that is known. */
  private static @Nullable TimePrecision precision(ConsumerRecord<byte[], byte[]> record) {
    Header header = record.headers().lastHeader(PRECISION_HEADER);
    return header == null || header.value() == null
        ? null
        : TimePrecision.named(new String(header.value(), StandardCharsets.ISO_8859_1));
  }

  private void decodeAgain(Waiting line, boolean settled) {
    if (line.message != null) {
      points.record = line.record;
      otlp.resource(
          line.message, line.from, line.to, line.line, defaultTime(line.record), settled, points);
    } else if (line.element != null) {
      decodeElement(line.record, line.element, line.line, settled);
    } else {
      lines.beginRecord(precision(line.record));
      decodeLine(line.record, line.record.value(), line.from, line.line, settled);
    }
  }

  /** Time of a sample that has none, in microseconds. */
  private long defaultTime(ConsumerRecord<byte[], byte[]> record) {
    long millis = record.timestamp();
    return millis < 0 ? nowMicros : Math.min(millis, Long.MAX_VALUE / 1_000) * 1_000;
  }

  private void decodeLine(
      ConsumerRecord<byte[], byte[]> record, byte[] value, int from, int number, boolean settled) {
    Line.Outcome outcome =
        lines.read(value, from, value.length, defaultTime(record), settled, limits);
    Line line = lines.line();
    switch (outcome) {
      case READ -> store(line, value, record, null);
      case EMPTY -> {}
      case TEXT_ONLY -> batch.passOver();
      case DEFERRED -> waiting.add(new Waiting(record, from, 0, number, null, null));
      case REJECTED -> {
        reject(
            record,
            number,
            reasonOf(line),
            line.detail,
            Arrays.copyOfRange(value, from, lines.lineEnd()));
      }
    }
  }

  private void decodeJson(ConsumerRecord<byte[], byte[]> record, byte[] value) {
    form = Letters.JSON;
    List<JsonNode> elements;
    try {
      elements = JsonDecoder.elements(value);
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      reject(
          record,
          1,
          RejectReason.JSON,
          at == null
              ? e.getOriginalMessage()
              : "%s, line %d, column %d"
                  .formatted(e.getOriginalMessage(), at.getLineNr(), at.getColumnNr()),
          value);
      return;
    }
    if (elements.size() == 1 && decodeOtlpJson(record, value, elements.getFirst())) {
      return;
    }
    int number = 1;
    for (JsonNode element : elements) {
      decodeElement(record, element, number++, false);
    }
  }

  /** Reads JSON of OpenTelemetry; says whether it was that. */
  private boolean decodeOtlpJson(
      ConsumerRecord<byte[], byte[]> record, byte[] value, JsonNode root) {
    String signal = OtlpJson.otherSignal(root);
    if (signal != null) {
      rejectSignal(record, signal, value);
      return true;
    }
    if (!OtlpJson.isMetrics(root)) {
      return false;
    }
    try {
      decodePoints(record, value, OtlpJson.toProtobuf(root));
    } catch (OtlpJson.WrongForm e) {
      reject(record, 1, RejectReason.JSON, String.valueOf(e.getMessage()), value);
    }
    return true;
  }

  private void decodeElement(
      ConsumerRecord<byte[], byte[]> record, JsonNode element, int number, boolean settled) {
    JsonDecoder.Element read = json.read(element, defaultTime(record), settled, limits);
    switch (read.outcome()) {
      case READ -> {
        JsonDecoder.News news = read.news();
        if (news != null) {
          registry.tell(news.object(), news.report(), news.timeMicros());
          if (!news.report().gone()) {
            seen(news.object(), news.timeMicros());
          }
          if (read.lines().isEmpty()) {
            SenderTally tally = sent(record, Sender.JSON);
            tally.add(1, news.timeMicros());
            tally.object(news.object().id);
          }
        }
        if (read.lines().isEmpty()) {
          batch.described();
        }
        read.lines().forEach(line -> store(line, NOTHING, record, Sender.JSON));
      }
      case EMPTY -> {}
      case TEXT_ONLY -> batch.passOver();
      case DEFERRED -> waiting.add(new Waiting(record, 0, 0, number, element, null));
      case REJECTED ->
          reject(
              record,
              number,
              reasonOf(read.rejection()),
              read.rejection().detail,
              JsonDecoder.bytes(element));
    }
  }

  private static RejectReason reasonOf(Line line) {
    return line.reason == null ? RejectReason.SYNTAX : line.reason;
  }

  /** A line is complete: its values go into the batch, what it says of its object to the store. */
  private void store(
      Line line, byte[] buffer, ConsumerRecord<byte[], byte[]> record, @Nullable Sender sender) {
    Series series = Objects.requireNonNull(line.series);
    SetState set = series.set;
    ObjectState object = set.object;
    long micros = line.timeMicros;
    SenderTally tally = sent(record, sender == null ? series.sender : sender);
    tally.add(1, micros);
    long window = nowMicros / (SenderCounters.WINDOW_MILLIS * 1_000);
    if (series.toldInWindow != window) {
      series.toldInWindow = window;
      tally.object(object.id);
      if (!series.plugin.isEmpty()) {
        tally.plugin(series.plugin);
      }
    }
    if (line.count > 0) {
      int row = batch.row(set.id, micros, series.fields.group.width());
      for (int i = 0; i < line.count; i++) {
        FieldSlot slot = line.slots[i];
        double value = line.values[i];
        batch.put(row, slot.position, value);
        if (slot.counter != FieldSlot.NONE) {
          double rate = set.rate(slot, value, micros);
          if (!Double.isNaN(rate)) {
            batch.put(row, slot.ratePosition, rate);
          }
        }
      }
    }
    if (series.isToBeCompared(micros)) {
      registry.tell(object, series.report, micros);
      series.compared(micros);
    }
    for (int i = 0; i < line.properties; i++) {
      property(line, i, series, object, buffer);
    }
    seen(object, micros);
  }

  /** The tally of whoever sent a record: a source of our own, if it says so, or else another. */
  private SenderTally sent(ConsumerRecord<byte[], byte[]> record, Sender other) {
    if (record != sentRecord) {
      sentRecord = record;
      Header header = record.headers().lastHeader(SOURCE_HEADER);
      sentBySource = header == null || header.value() == null ? null : source(header.value());
    }
    return batch.of(sentBySource == null ? other : sentBySource, nowMicros / 1_000);
  }

  /** Null when it is no id. */
  private static @Nullable Sender source(byte[] id) {
    try {
      return new Sender(
          Sender.Kind.SOURCE,
          UUID.fromString(new String(id, StandardCharsets.ISO_8859_1)).toString());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private void seen(ObjectState object, long micros) {
    if (object.isNotedAt(micros)) {
      batch.seen(object.id, micros);
    }
  }

  private void property(Line line, int i, Series series, ObjectState object, byte[] buffer) {
    FieldSlot slot = line.propertySlots[i];
    if (line.timeMicros < object.description.linesMicros()) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(buffer, line.propertyFrom[i], line.propertyTo[i]);
    String text = unescaped(new String(bytes, StandardCharsets.UTF_8).replace("\0", ""));
    String property = slot.textProperty == null ? slot.numberProperty : slot.textProperty;
    if (property != null && text.length() <= limits.maxNameLength()) {
      registry.tell(
          object,
          ObjectReport.ofLine(
              new ObjectAttributes(
                  "",
                  null,
                  Map.of(property, PropertyText.of(text, slot.multiply)),
                  Map.of(),
                  Set.of())),
          line.timeMicros);
      series.compared(line.timeMicros);
    }
    series.propertyApplied(slot, bytes);
  }

  /** In a quoted text a backslash stands before a quote or a backslash, or for itself. */
  private static String unescaped(String text) {
    return text.indexOf('\\') < 0 ? text : ESCAPED.matcher(text).replaceAll("$1");
  }

  private void reject(
      ConsumerRecord<byte[], byte[]> record,
      int line,
      RejectReason reason,
      String detail,
      byte[] payload) {
    DeadLetter letter =
        new DeadLetter(
            record.topic(),
            record.partition(),
            record.offset(),
            line,
            record.timestamp(),
            reason,
            detail,
            payload);
    if (++letters <= MAX_LETTERS) {
      batch.reject(letter);
      return;
    }
    if (firstOfMore == null) {
      firstOfMore = letter;
      more.writeBytes(form.begin);
    } else {
      more.writeBytes(form.between);
    }
    moreLetters++;
    more.writeBytes(payload);
  }

  /** A record of nothing but garbage must not make a million dead letters. */
  private void rejectMore() {
    DeadLetter first = firstOfMore;
    if (first != null) {
      more.writeBytes(form.end);
      batch.reject(
          new DeadLetter(
              first.topic(),
              first.partition(),
              first.offset(),
              first.line(),
              first.timestamp(),
              first.reason(),
              "%d more of this record; the first one: %s".formatted(moreLetters, first.detail()),
              more.toByteArray()));
      forgetMore();
    }
  }

  private void forgetMore() {
    firstOfMore = null;
    moreLetters = 0;
    more.reset();
  }
}
