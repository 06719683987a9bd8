package io.peerlens.flow.decode;

import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.DecoderFault;
import io.peerlens.ingest.RecordSize;
import io.peerlens.ingest.RejectReason;
import io.peerlens.ingest.bytes.Bytes;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Decoder of flow records: turns the values of Kafka records into rows of a {@link FlowBatch}. This
 * class finds the records and their form; what their fields mean is said by {@link Goflow2Fields}
 * and {@link TelegrafFields}.
 *
 * <p>Four forms are read, told apart by their first bytes:
 *
 * <ul>
 *   <li>goflow2's JSON (NetFlow v5 and v9, IPFIX, sFlow), one object a line; several glued together
 *       are read, too
 *   <li>goflow2's {@code bin} format: messages with their length before them, see {@link
 *       ProtobufFlows}
 *   <li>Telegraf's netflow input in line protocol
 *   <li>the same in Telegraf's JSON, alone or in batches
 * </ul>
 *
 * <p>In text a record ends with its line, whatever is open; so a damaged one costs its neighbours
 * nothing. Time is linear in the length of the value for any input.
 *
 * <p>What Telegraf's exporters say of themselves ({@code netflow_options}) is kept in {@link
 * Exporters}. Telegraf's own statistics ({@code internal_*}) and records of what is no IP traffic
 * (sFlow samples of ARP, interface counters) are passed over and counted.
 *
 * <p>Not thread-safe: one decoder for each consumer.
 */
public final class FlowDecoder {

  private final Supplier<FlowGuards> guards;
  private final InstantSource clock;

  private final FlowFields fields = new FlowFields();
  private final FlowTimes times = new FlowTimes(fields);
  private final SamplingRate rate = new SamplingRate(fields);
  private final FlowRows rows = new FlowRows(fields, times, rate);
  private final Goflow2Fields goflow2 = new Goflow2Fields(fields, times, rate, rows);
  private final TelegrafFields telegraf;
  private final JsonFlows json = new JsonFlows();
  private final LineFlows lines = new LineFlows();
  private final ProtobufFlows protobuf = new ProtobufFlows();

  private Rejects rejects = (number, reason, detail, from, to) -> {};
  private int number;

  /** Whether an array of objects was met in what is being read. */
  private boolean inArray;

  private long internalLines;

  /**
   * @param guards asked for each value, so that they can be changed while running
   * @param exporters shared by all decoders
   */
  public FlowDecoder(Supplier<FlowGuards> guards, Exporters exporters, InstantSource clock) {
    this.guards = guards;
    this.clock = clock;
    telegraf = new TelegrafFields(exporters, fields, times, rate, rows);
  }

  /**
   * Adds the flows of a Kafka record to a batch. When reading it fails by a mistake of ours, all of
   * it is one dead letter and nothing of it a flow.
   *
   * @param letters take what could not be read
   */
  public void decode(
      ConsumerRecord<byte[], byte[]> record, FlowBatch batch, FlowDeadLetters letters) {
    letters.begin(record);
    byte[] value = record.value();
    if (value == null) {
      return;
    }
    if (RecordSize.isCut(record)) {
      letters.reject(1, RejectReason.OVERSIZED, RecordSize.cut(record), 0, value.length);
      return;
    }
    int before = batch.size();
    DeadLetter fault =
        DecoderFault.guard(
            record, 1, () -> decode(value, 0, value.length, record.timestamp(), batch, letters));
    if (fault != null) {
      batch.truncate(before);
      letters.replace(fault);
    }
  }

  /**
   * Adds the flows of {@code value[from, to)} to a batch.
   *
   * @param recordTimeMillis Kafka's timestamp, for records that do not say when they were received;
   *     negative = there is none, then it is now
   * @param rejects told of what could not be read; the value itself is not kept
   */
  public void decode(
      byte[] value, int from, int to, long recordTimeMillis, FlowBatch batch, Rejects rejects) {
    rows.batch = batch;
    this.rejects = rejects;
    FlowGuards limits = guards.get();
    times.begin(clock.millis(), recordTimeMillis, limits);
    number = 0;
    if (to - from > limits.maxRecordBytes()) {
      rejects.reject(
          1,
          RejectReason.OVERSIZED,
          "%,d bytes are more than the guard maxRecordBytes of %,d: send smaller records or raise it"
              .formatted(to - from, limits.maxRecordBytes()),
          from,
          to);
      return;
    }
    if (isProtobuf(value, from, to)) {
      decodeProtobuf(value, from, to);
      return;
    }
    int at = from;
    while (at < to) {
      int end = Bytes.indexOf(value, at, to, (byte) '\n');
      decodeLine(value, at, end);
      at = end + 1;
    }
  }

  /** Whether a value is read as protobuf, not as text. */
  static boolean isProtobuf(byte[] value, int from, int to) {
    return ProtobufFlows.matches(value, from, to);
  }

  /**
   * Records that are no flows.
   *
   * @param internalLines of Telegraf's own statistics
   * @param optionRecords of {@code netflow_options}, which tell of sampling
   * @param otherTraffic without addresses, or of events without traffic
   */
  public record PassedOver(long internalLines, long optionRecords, long otherTraffic) {}

  /** Takes the counts of what was passed over since the last call. */
  public PassedOver passedOver() {
    PassedOver passed =
        new PassedOver(
            internalLines,
            telegraf.takeOptionRecords(),
            goflow2.takeOtherTraffic() + telegraf.takeOtherTraffic());
    internalLines = 0;
    return passed;
  }

  private void decodeLine(byte[] b, int from, int to) {
    int at = from;
    while (at < to && (b[at] == ' ' || b[at] == '\t' || b[at] == '\r')) {
      at++;
    }
    if (at == to || b[at] == '#') {
      return;
    }
    if (b[at] == '{' || b[at] == '[') {
      decodeJson(b, at, to);
    } else {
      number++;
      decodeInflux(b, at, to);
    }
  }

  private void decodeInflux(byte[] b, int from, int to) {
    if (lines.begin(b, from, to)) {
      if (FlowFields.startsWith(b, lines.nameFrom, lines.nameTo, "internal_")) {
        internalLines++;
        return;
      }
      if (lines.read(fields.record)) {
        if (!telegraf.add(b, lines.nameFrom, lines.nameTo)) {
          reject(from, to);
        }
        return;
      }
    }
    rejects.reject(
        number,
        RejectReason.SYNTAX,
        lines.problem + where(from, lines.at) + ", in the line protocol of Telegraf",
        from,
        to);
  }

  /** One line: an object, several glued together, or an array of them. */
  private void decodeJson(byte[] b, int from, int to) {
    json.begin(b, from, to, fields.record);
    while (json.skipBlanks()) {
      int start = json.at;
      int before = rows.batch.size();
      number++;
      inArray = false;
      byte c = b[start];
      if (c == '{' ? object(b, start) : c == '[' && elements(b)) {
        continue;
      }
      if (c != '{' && c != '[') {
        json.problem = "expected a {";
      }
      rows.batch.truncate(before); // of an array, all is stored or nothing
      int end = inArray ? to : nextObject(b, start, to);
      rejects.reject(number, RejectReason.JSON, json.problem + where(start, json.at), start, end);
      json.at = end;
    }
  }

  /** After what cannot be read: where the next object of the line begins, or the line's end. */
  private int nextObject(byte[] b, int start, int to) {
    if (b[start] != '{') {
      return Bytes.indexOf(b, start, to, (byte) '{');
    }
    if (json.at > start && json.at < to && b[json.at] == '{' && b[json.at - 1] != ':') {
      return json.at; // the object before it was cut off
    }
    for (int i = json.at; i < to; i++) {
      i = Bytes.indexOf(b, i, to, (byte) '}');
      if (i + 1 < to && b[i + 1] == '{') {
        return i + 1;
      }
    }
    return to;
  }

  /** Reads and stores one object; false when it is no JSON. */
  private boolean object(byte[] b, int start) {
    return switch (json.read()) {
      case ERROR -> false;
      case BATCH -> elements(b) && endOfBatch(b);
      case RECORD -> {
        storeObject(b, start);
        yield true;
      }
    };
  }

  private boolean endOfBatch(byte[] b) {
    if (!json.skipBlanks() || b[json.at] != '}') {
      json.problem = "expected a } after the array of metrics";
      return false;
    }
    json.at++;
    return true;
  }

  /** Makes a row of what was read, or refuses it. */
  private void storeObject(byte[] b, int start) {
    if (json.telegraf && FlowFields.startsWith(b, json.nameFrom, json.nameTo, "internal_")) {
      internalLines++;
    } else if (!(json.telegraf
        ? telegraf.add(b, json.nameFrom, json.nameTo)
        : goflow2.addObject())) {
      reject(start, json.at);
    }
  }

  /** The array that begins here; false when it is no JSON. */
  private boolean elements(byte[] b) {
    inArray = true;
    json.at++;
    if (json.skipBlanks() && b[json.at] == ']') {
      json.at++;
      return true;
    }
    while (true) {
      if (!json.skipBlanks() || b[json.at] != '{') {
        json.problem = "expected a {";
        return false;
      }
      int start = json.at;
      JsonFlows.Found found = json.read();
      if (found != JsonFlows.Found.RECORD) {
        if (found == JsonFlows.Found.BATCH) {
          json.problem = "found a batch within a batch";
        }
        return false;
      }
      storeObject(b, start);
      if (!json.skipBlanks() || (b[json.at] != ',' && b[json.at] != ']')) {
        json.problem = "expected a , or ]";
        return false;
      }
      if (b[json.at++] == ']') {
        return true;
      }
      number++;
    }
  }

  private void decodeProtobuf(byte[] b, int from, int to) {
    protobuf.begin(b, from, to);
    while (protobuf.hasNext()) {
      int start = protobuf.at;
      number++;
      int length = protobuf.length();
      if (length < 0) {
        rejects.reject(
            number, RejectReason.PROTOBUF, protobuf.problem + where(start, protobuf.at), start, to);
        return;
      }
      int end = protobuf.at + length;
      if (!protobuf.read(fields.record, end)) {
        rejects.reject(
            number,
            RejectReason.PROTOBUF,
            protobuf.problem
                + where(start, protobuf.at)
                + ": expected goflow2's FlowMessage after its length",
            start,
            end);
      } else if (!goflow2.addMessage()) {
        reject(start, end);
      }
      protobuf.at = end;
    }
  }

  private void reject(int from, int to) {
    rejects.reject(
        number,
        fields.refusal == null ? RejectReason.JSON : fields.refusal,
        fields.refusalDetail,
        from,
        to);
  }

  private static String where(int start, int position) {
    return ", at byte " + (position - start + 1);
  }
}
