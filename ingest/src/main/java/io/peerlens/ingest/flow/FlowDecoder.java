package io.peerlens.ingest.flow;

import io.peerlens.ingest.Bytes;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.DecoderFault;
import io.peerlens.ingest.RecordSize;
import io.peerlens.ingest.RejectReason;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Turns the values of Kafka records into rows of a {@link FlowBatch}.
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

  /** More bytes or packets in one record are taken for a mistake; sums have to fit 63 bits. */
  private static final long MAX_VOLUME = 1L << 53;

  private static final long MAX_UNSIGNED_32 = 0xFFFF_FFFFL;

  /** A rate of one in more packets than this is taken for a mistake. */
  private static final long MAX_SAMPLING = 1L << 32;

  /** And a sample of more packets than this. */
  private static final long MAX_SAMPLE = 1L << 24;

  // Where a volume may stand, best first.
  private static final int[] BYTES = {
    Field.BYTES, Field.OUT_BYTES, Field.TOTAL_BYTES, Field.INITIATOR_BYTES
  };
  private static final int[] PACKETS = {
    Field.PACKETS, Field.OUT_PACKETS, Field.TOTAL_PACKETS, Field.INITIATOR_PACKETS
  };
  private static final int[] REVERSE_BYTES = {
    Field.REVERSE_BYTES, Field.REVERSE_TOTAL_BYTES, Field.RESPONDER_BYTES
  };
  private static final int[] REVERSE_PACKETS = {
    Field.REVERSE_PACKETS, Field.REVERSE_TOTAL_PACKETS, Field.RESPONDER_PACKETS
  };

  /** Of sFlow's one packet; what Telegraf calls in_bytes there are counters of an interface. */
  private static final int[] LENGTHS = {
    Field.FRAME_LENGTH, Field.IP_LENGTH, Field.IPV4_LENGTH, Field.IPV6_LENGTH, Field.ETHERNET_LENGTH
  };

  private static final long NOT_SAID = Long.MIN_VALUE;

  /** Seconds from 1900, where NTP begins, to 1970. */
  private static final long NTP_OFFSET_SECONDS = 2_208_988_800L;

  private final Supplier<FlowGuards> guards;
  private final InstantSource clock;
  private final Exporters exporters;

  private final FlowRecord record = new FlowRecord();
  private final JsonFlows json = new JsonFlows();
  private final LineFlows lines = new LineFlows();
  private final ProtobufFlows protobuf = new ProtobufFlows();
  private final Addresses addresses = new Addresses();
  private final Numbers numbers = new Numbers();

  private FlowBatch batch = new FlowBatch();
  private Rejects rejects = (number, reason, detail, from, to) -> {};
  private int number;

  /** Whether an array of objects was met in what is being read. */
  private boolean inArray;

  // What holds for one value.
  private long recordTimeMillis;
  private long oldestMillis;
  private long newestMillis;
  private FlowGuards limits = FlowGuards.DEFAULT;

  // Why the record that is being read is refused; null while nothing is wrong.
  private @Nullable RejectReason refusal;
  private String refusalDetail = "";

  // Rate and duration of the record that is being read.
  private long population = 1;
  private long sampled = 1;
  private long startMillis;
  private long endMillis;

  private long internalLines;
  private long optionRecords;
  private long otherTraffic;

  /**
   * @param guards asked for each value, so that they can be changed while running
   * @param exporters shared by all decoders
   */
  public FlowDecoder(Supplier<FlowGuards> guards, Exporters exporters, InstantSource clock) {
    this.guards = guards;
    this.exporters = exporters;
    this.clock = clock;
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
    long now = clock.millis();
    this.batch = batch;
    this.rejects = rejects;
    this.recordTimeMillis = recordTimeMillis < 0 ? now : recordTimeMillis;
    limits = guards.get();
    oldestMillis = now - limits.maxAge().toMillis();
    newestMillis = now + limits.maxFuture().toMillis();
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

  /** What was passed over since this was asked last. */
  public PassedOver passedOver() {
    PassedOver passed = new PassedOver(internalLines, optionRecords, otherTraffic);
    internalLines = 0;
    optionRecords = 0;
    otherTraffic = 0;
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
      if (startsWith(b, lines.nameFrom, lines.nameTo, "internal_")) {
        internalLines++;
        return;
      }
      if (lines.read(record)) {
        if (!telegraf(b, lines.nameFrom, lines.nameTo)) {
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
    json.begin(b, from, to, record);
    while (json.skipBlanks()) {
      int start = json.at;
      int rows = batch.size();
      number++;
      inArray = false;
      byte c = b[start];
      if (c == '{' ? object(b, start) : c == '[' && elements(b)) {
        continue;
      }
      if (c != '{' && c != '[') {
        json.problem = "expected a {";
      }
      batch.truncate(rows); // of an array, all is stored or nothing
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

  /** What was read becomes a row, or is refused. */
  private void storeObject(byte[] b, int start) {
    if (json.telegraf && startsWith(b, json.nameFrom, json.nameTo, "internal_")) {
      internalLines++;
    } else if (!(json.telegraf ? telegraf(b, json.nameFrom, json.nameTo) : goflow2())) {
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
      if (!protobuf.read(record, end)) {
        rejects.reject(
            number,
            RejectReason.PROTOBUF,
            protobuf.problem
                + where(start, protobuf.at)
                + ": expected goflow2's FlowMessage after its length",
            start,
            end);
      } else if (!goflow2Message()) {
        reject(start, end);
      }
      protobuf.at = end;
    }
  }

  // From here on: what a record means. False = refused, and the reason is noted.

  private boolean goflow2() {
    refusal = null;
    if (!record.has(Field.SRC) && !record.has(Field.DST)) {
      return refuse(
          RejectReason.JSON,
          "neither src_addr nor dst_addr: expected a flow of goflow2, or 'fields', 'tags' and 'name'"
              + " of Telegraf");
    }
    return goflow2Message();
  }

  private boolean goflow2Message() {
    refusal = null;
    record.telegraf = false;
    if (isOtherTraffic()) {
      return true;
    }
    long received = nanos(Field.RECEIVED_NS);
    if (received == NOT_SAID) {
      received = recordTimeMillis;
    }
    startMillis = nanos(Field.START_NS);
    endMillis = nanos(Field.END_NS);
    sampled = 1;
    population = Math.max(1, whole(Field.SAMPLING, 1, MAX_SAMPLING));
    return store(
        received,
        whole(Field.BYTES, 0, MAX_VOLUME),
        whole(Field.PACKETS, 0, MAX_VOLUME),
        0,
        0,
        version());
  }

  private boolean telegraf(byte[] b, int nameFrom, int nameTo) {
    refusal = null;
    record.telegraf = true;
    if (equals(b, nameFrom, nameTo, "netflow_options")) {
      return options();
    }
    if (!equals(b, nameFrom, nameTo, "netflow")) {
      return refuse(
          RejectReason.NO_VALUE,
          "'%s' is no flow: expected netflow or netflow_options here, metrics belong into another topic"
              .formatted(FlowRecord.shown(b, nameFrom, nameTo)));
    }
    if (isOtherTraffic()) {
      return true;
    }
    FlowVersion version = version();
    boolean sflow = version == FlowVersion.SFLOW_5;
    int bytes = first(sflow ? LENGTHS : BYTES);
    int packets = first(PACKETS);
    if (!record.has(bytes) && !record.has(packets)) {
      if (record.has(Field.EVENT)) {
        otherTraffic++; // a firewall opened or refused a connection
        return true;
      }
      return refuse(
          RejectReason.NO_VALUE,
          "neither bytes nor packets: expected in_bytes, out_bytes or in_total_bytes in a flow");
    }
    long received = telegrafTime();
    if (refusal != null) {
      return false;
    }
    if (!address(Field.EXPORTER)) {
      return false;
    }
    Exporters.Exporter exporter = exporter(version);
    rate(version, exporter);
    times(received, exporter);
    return store(
        received,
        whole(bytes, 0, MAX_VOLUME),
        sflow ? 1 : whole(packets, 0, MAX_VOLUME),
        whole(first(REVERSE_BYTES), 0, MAX_VOLUME),
        whole(first(REVERSE_PACKETS), 0, MAX_VOLUME),
        version);
  }

  private boolean isOtherTraffic() {
    if (record.isSaid(Field.SRC) || record.isSaid(Field.DST)) {
      return false;
    }
    otherTraffic++;
    return true;
  }

  /** The address that is in {@link #addresses} is the exporter's. */
  private Exporters.@Nullable Exporter exporter(FlowVersion version) {
    long sampler = whole(Field.SAMPLER, 0, Long.MAX_VALUE);
    Exporters.Exporter known = exporters.find(addresses.high(), addresses.low(), version, sampler);
    return known == null && sampler != 0
        ? exporters.find(addresses.high(), addresses.low(), version, 0)
        : known;
  }

  private boolean options() {
    optionRecords++;
    long told = telegrafTime();
    if (refusal != null || !address(Field.EXPORTER)) {
      return false;
    }
    FlowVersion version = version();
    boolean saysRate = readRate(version);
    long start = whole(Field.SYSTEM_START_MS, Exporters.UNKNOWN, newestMillis);
    if (refusal != null) {
      return false;
    }
    if (start <= 0) {
      start = Exporters.UNKNOWN;
    }
    if (!saysRate && start == Exporters.UNKNOWN) {
      return true;
    }
    if (told > newestMillis) {
      return refuse(RejectReason.FUTURE, ahead("received", told));
    }
    long sampler = whole(Field.SAMPLER, 0, Long.MAX_VALUE);
    // What a sampler says also stands for records that name none.
    for (long id = 0; ; id = sampler) {
      exporters.tell(
          new Exporters.Exporter(
              addresses.high(),
              addresses.low(),
              version,
              id,
              saysRate ? population : 0,
              saysRate ? sampled : 0,
              start,
              told));
      if (id == sampler) {
        return refusal == null;
      }
    }
  }

  /** The record's own rate, else what the exporter said, else every packet. */
  private void rate(FlowVersion version, Exporters.@Nullable Exporter exporter) {
    if (!readRate(version)) {
      if (exporter != null && exporter.population() > 0) {
        population = exporter.population();
        sampled = exporter.sampled();
      }
    }
  }

  /** Sets the rate from what the record says of it; false when it says nothing. */
  private boolean readRate(FlowVersion version) {
    sampled = 1;
    population = 1;
    if (record.has(Field.SAMPLE_POPULATION) && record.has(Field.SAMPLE_SIZE)) {
      sampled = Math.max(1, whole(Field.SAMPLE_SIZE, 1, MAX_SAMPLE));
      population = whole(Field.SAMPLE_POPULATION, 1, MAX_SAMPLING);
    } else if (record.has(Field.SAMPLED_PACKETS)) {
      if (record.has(Field.SKIPPED_PACKETS)) {
        sampled = Math.max(1, whole(Field.SAMPLED_PACKETS, 1, MAX_SAMPLE));
        population = sampled + whole(Field.SKIPPED_PACKETS, 0, MAX_SAMPLING);
      } else {
        // Without a space, exporters mean one in so many.
        population = whole(Field.SAMPLED_PACKETS, 1, MAX_SAMPLING);
      }
    } else if (record.has(Field.SAMPLING)) {
      population = whole(Field.SAMPLING, 1, MAX_SAMPLING);
      if (version == FlowVersion.NETFLOW_V5) {
        population &= 0x3FFF; // above it stands how the packets are chosen
      }
    } else {
      return false;
    }
    if (population < sampled) {
      sampled = 1; // 0 stands for "not sampled"; less than every packet says nothing
      population = 1;
    }
    return true;
  }

  /** When the flow began and ended, by whatever the exporter says of it. */
  private void times(long received, Exporters.@Nullable Exporter exporter) {
    startMillis = time(Field.START_MS, 1);
    endMillis = time(Field.END_MS, 1);
    if (startMillis == NOT_SAID && endMillis == NOT_SAID) {
      startMillis = time(Field.START_S, 1_000);
      endMillis = time(Field.END_S, 1_000);
    }
    if (startMillis == NOT_SAID && endMillis == NOT_SAID) {
      startMillis = ntp(Field.START_NTP);
      endMillis = ntp(Field.END_NTP);
    }
    if (startMillis == NOT_SAID && endMillis == NOT_SAID) {
      startMillis = ago(Field.START_AGO_US, received);
      endMillis = ago(Field.END_AGO_US, received);
    }
    if (startMillis != NOT_SAID || endMillis != NOT_SAID) {
      return;
    }
    if (!record.has(Field.FIRST_SWITCHED) || !record.has(Field.LAST_SWITCHED)) {
      return;
    }
    long first = whole(Field.FIRST_SWITCHED, 0, MAX_UNSIGNED_32);
    long last = whole(Field.LAST_SWITCHED, 0, MAX_UNSIGNED_32);
    int duration = (int) (last - first); // both are counters of 32 bits that start over
    if (record.has(Field.UPTIME)) {
      endMillis = received - (int) (whole(Field.UPTIME, 0, MAX_UNSIGNED_32) - last);
    } else {
      long systemStart = whole(Field.SYSTEM_START_MS, Exporters.UNKNOWN, newestMillis);
      if (systemStart <= 0 && exporter != null) {
        systemStart = exporter.systemStartMillis();
      }
      if (systemStart <= 0) {
        return;
      }
      // The exporter may be up for longer than 32 bits hold: of all times that it can mean, the one
      // next to the receipt.
      endMillis = received - (int) (received - (systemStart + last));
    }
    startMillis = endMillis - Math.max(0, duration);
  }

  /** Checks what all forms have in common, and adds the row. */
  private boolean store(
      long received,
      long bytes,
      long packets,
      long reverseBytes,
      long reversePackets,
      FlowVersion version) {
    if (startMillis == NOT_SAID && endMillis == NOT_SAID) {
      startMillis = received;
      endMillis = received;
    } else if (startMillis == NOT_SAID) {
      startMillis = endMillis;
    } else if (endMillis == NOT_SAID) {
      endMillis = startMillis;
    }
    startMillis = Math.min(startMillis, endMillis); // exporters round both on their own
    int protocol = protocol();
    int srcPort = port(Field.SRC_PORT, Field.TRANSPORT_SRC_PORT);
    int dstPort = port(Field.DST_PORT, Field.TRANSPORT_DST_PORT);
    int icmp = FlowBatch.UNKNOWN;
    if (protocol == Protocols.ICMP || protocol == Protocols.ICMP6) {
      int type = (int) whole(Field.ICMP_TYPE, 0, 255);
      int code = (int) whole(Field.ICMP_CODE, 0, 255);
      icmp = type << 8 | code;
      if (icmp == 0) {
        icmp = dstPort; // where NetFlow keeps it
      }
      srcPort = 0;
      dstPort = 0;
    }
    int flags = protocol == Protocols.TCP ? tcpFlags(Field.TCP_FLAGS) : FlowBatch.UNKNOWN;
    long in = whole(Field.IN_IF, 0, MAX_UNSIGNED_32);
    long out = whole(Field.OUT_IF, 0, MAX_UNSIGNED_32);
    boolean dropped = isDropped();
    if (version == FlowVersion.SFLOW_5 && out >>> 30 != 0) {
      dropped |= out >>> 30 == 1; // sFlow's way to say that the packet went nowhere
      out = 0; // or to several interfaces
    }
    long domain = whole(Field.DOMAIN, 0, MAX_UNSIGNED_32);
    int direction = direction();
    bytes = scaled(bytes);
    packets = scaled(packets);
    reverseBytes = scaled(reverseBytes);
    reversePackets = scaled(reversePackets);
    if (refusal != null || !isInTime(received) || !address(Field.EXPORTER)) {
      return false;
    }
    long exporterHigh = addresses.high();
    long exporterLow = addresses.low();
    if (!address(Field.SRC)) {
      return false;
    }
    long srcHigh = addresses.high();
    long srcLow = addresses.low();
    if (!address(Field.DST)) {
      return false;
    }
    long dstHigh = addresses.high();
    long dstLow = addresses.low();
    int observer = batch.observer(exporterHigh, exporterLow, domain, version);

    int row = batch.add(received, observer);
    batch.times(row, startMillis, endMillis);
    batch.source(row, srcHigh, srcLow, srcPort);
    batch.destination(row, dstHigh, dstLow, dstPort);
    batch.traffic(row, bytes, packets, dropped);
    batch.protocol(row, protocol, flags, icmp);
    batch.interfaces(row, in, out, direction);
    if (reverseBytes > 0 || reversePackets > 0) {
      // The answers, in the same record: what went the other way.
      int back = batch.add(received, observer);
      batch.times(back, startMillis, endMillis);
      batch.source(back, dstHigh, dstLow, dstPort);
      batch.destination(back, srcHigh, srcLow, srcPort);
      batch.traffic(back, reverseBytes, reversePackets, dropped);
      batch.protocol(
          back,
          protocol,
          protocol == Protocols.TCP ? tcpFlags(Field.REVERSE_TCP_FLAGS) : FlowBatch.UNKNOWN,
          icmp);
      batch.interfaces(back, out, in, direction);
    }
    return true;
  }

  private boolean isInTime(long received) {
    long latest = Math.max(received, endMillis);
    if (latest > newestMillis) {
      return refuse(
          RejectReason.FUTURE, ahead(latest == endMillis ? "ends at" : "received", latest));
    }
    long earliest = Math.min(received, endMillis);
    if (earliest < oldestMillis) {
      return refuse(
          RejectReason.TOO_OLD,
          "the flow %s %s, more than %d hours ago: mend the exporter's clock, or raise the guard maxAge"
              .formatted(
                  earliest == endMillis ? "ends at" : "was received",
                  Instant.ofEpochMilli(earliest),
                  limits.maxAge().toHours()));
    }
    long longest = limits.maxDuration().toMillis();
    if (startMillis < endMillis - longest) {
      return refuse(
          RejectReason.TIMESTAMP,
          "the flow lasts from %s to %s, longer than %d hours: set the exporter's active timeout, mend its clock, or raise the guard maxDuration"
              .formatted(
                  shownInstant(startMillis),
                  shownInstant(endMillis),
                  limits.maxDuration().toHours()));
    }
    return true;
  }

  private String ahead(String what, long millis) {
    return "the flow %s %s, more than %d s ahead of the clock: mend the clock of the %s"
        .formatted(
            what.equals("received") ? "was received" : what,
            shownInstant(millis),
            limits.maxFuture().toSeconds(),
            what.equals("received") ? "collector" : "exporter");
  }

  private static String shownInstant(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  private FlowVersion version() {
    if (record.isText(Field.VERSION)) {
      return FlowVersion.of(
          Field.VERSIONS.find(record.buffer, record.from[Field.VERSION], record.to[Field.VERSION]));
    }
    return FlowVersion.of(record.isNumber(Field.VERSION) ? record.number[Field.VERSION] : 0);
  }

  private int protocol() {
    if (record.isText(Field.PROTOCOL)) {
      int found =
          Protocols.number(record.buffer, record.from[Field.PROTOCOL], record.to[Field.PROTOCOL]);
      if (found >= 0) {
        return found;
      }
    }
    return (int) whole(Field.PROTOCOL, Protocols.UNKNOWN, 255);
  }

  private int port(int field, int otherwise) {
    return (int) whole(record.has(field) ? field : otherwise, 0, 65_535);
  }

  private int tcpFlags(int field) {
    if (record.isText(field)) {
      int flags = 0;
      for (int i = record.from[field]; i < record.to[field]; i++) {
        int flag = "FSRPAUEC".indexOf(record.buffer[i]);
        if (flag >= 0) {
          flags |= 1 << flag;
        }
      }
      return flags == 0 ? FlowBatch.UNKNOWN : flags;
    }
    int flags = (int) whole(field, 0, 65_535);
    return flags == 0 ? FlowBatch.UNKNOWN : flags; // every segment has at least one
  }

  private boolean isDropped() {
    if (record.isText(Field.FORWARDING)) {
      return equals(
          record.buffer, record.from[Field.FORWARDING], record.to[Field.FORWARDING], "dropped");
    }
    return whole(Field.FORWARDING, 0, MAX_UNSIGNED_32) >>> 6 == 2;
  }

  private int direction() {
    if (record.isText(Field.DIRECTION)) {
      int direction =
          Field.DIRECTIONS.find(
              record.buffer, record.from[Field.DIRECTION], record.to[Field.DIRECTION]);
      return direction < 0 ? FlowBatch.NO_DIRECTION : direction;
    }
    if (!record.isNumber(Field.DIRECTION)) {
      return FlowBatch.NO_DIRECTION;
    }
    return switch ((int) whole(Field.DIRECTION, 2, MAX_UNSIGNED_32)) {
      case 0 -> FlowBatch.INGRESS;
      case 1 -> FlowBatch.EGRESS;
      default -> FlowBatch.NO_DIRECTION;
    };
  }

  private long scaled(long value) {
    if (population == 1 || value == 0) {
      return value;
    }
    if ((double) value * population / sampled > MAX_VOLUME) {
      refuse(
          RejectReason.NUMBER,
          "%d at one in %d packets is more than a flow can have: mend the exporter's sampling rate"
              .formatted(value, population / sampled));
      return 0;
    }
    // The remainder is less than 2^24, the population not more than 2^33.
    return value / sampled * population + value % sampled * population / sampled;
  }

  /** The first of these that the record has; the last one when it has none. */
  private int first(int[] fields) {
    for (int field : fields) {
      if (record.has(field)) {
        return field;
      }
    }
    return fields[fields.length - 1];
  }

  /**
   * A whole number from 0 to {@code max}; refuses the record when the field is anything else.
   *
   * @param absent what to answer when the field is missing
   */
  private long whole(int field, long absent, long max) {
    long value;
    boolean fits;
    if (record.isNumber(field)) {
      value = record.number[field];
      fits = !record.isHuge(field);
    } else if (record.isText(field)) {
      boolean isNumber =
          numbers.read(record.buffer, record.from[field], record.to[field])
              && numbers.end == record.to[field];
      value = isNumber ? numbers.value : -1;
      fits = isNumber && numbers.fits;
    } else {
      return absent;
    }
    if (!fits || value < 0 || value > max) {
      refuseField(
          field, RejectReason.NUMBER, "expected a whole number from 0 to %d".formatted(max));
      return 0;
    }
    return value;
  }

  /** Milliseconds of a time in units of so many milliseconds; 0 says nothing. */
  private long time(int field, long unitMillis) {
    long value = whole(field, 0, Long.MAX_VALUE / 1_000_000);
    return value == 0 ? NOT_SAID : value * unitMillis;
  }

  /** Milliseconds of a time in nanoseconds, or in words; 0 says nothing. */
  private long nanos(int field) {
    if (record.isText(field) && !record.isNetwork(field)) {
      String text =
          new String(
              record.buffer,
              record.from[field],
              record.to[field] - record.from[field],
              StandardCharsets.UTF_8);
      try {
        return Instant.parse(text).toEpochMilli();
      } catch (DateTimeException | ArithmeticException e) {
        refuseField(
            field,
            RejectReason.TIMESTAMP,
            "expected nanoseconds since 1970 or a time like 2026-11-20T23:58:43Z");
        return NOT_SAID;
      }
    }
    long value = whole(field, 0, Long.MAX_VALUE);
    return value == 0 ? NOT_SAID : value / 1_000_000;
  }

  private long ntp(int field) {
    if (!record.isNumber(field) || record.number[field] == 0) {
      return NOT_SAID;
    }
    long value = record.number[field];
    return ((value >>> 32) - NTP_OFFSET_SECONDS) * 1_000
        + (((value & MAX_UNSIGNED_32) * 1_000) >>> 32);
  }

  private long ago(int field, long received) {
    return record.has(field) ? received - whole(field, 0, MAX_UNSIGNED_32) / 1_000 : NOT_SAID;
  }

  /** Telegraf's timestamp in milliseconds; its unit is a setting, which the size of it tells. */
  private long telegrafTime() {
    if (!record.has(Field.TIMESTAMP)) {
      return recordTimeMillis;
    }
    long value = whole(Field.TIMESTAMP, 0, Long.MAX_VALUE);
    if (value < 100_000_000_000L) {
      return value * 1_000;
    }
    if (value < 100_000_000_000_000L) {
      return value;
    }
    return value < 100_000_000_000_000_000L ? value / 1_000 : value / 1_000_000;
  }

  /** Puts an address into {@link #addresses}; refuses the record when it is none. */
  private boolean address(int field) {
    boolean read =
        record.isText(field)
            && (record.isNetwork(field)
                ? addresses.fromNetwork(record.buffer, record.from[field], record.to[field])
                : addresses.parse(record.buffer, record.from[field], record.to[field]));
    return read
        || refuseField(
            field, RejectReason.ADDRESS, "expected an IPv4 or IPv6 address like 10.77.2.13");
  }

  private boolean refuseField(int field, RejectReason reason, String expected) {
    return refuse(
        reason,
        "%s is %s: %s".formatted(record.shownName(field), record.shownValue(field), expected));
  }

  private boolean refuse(RejectReason reason, String detail) {
    if (refusal == null) {
      refusal = reason;
      refusalDetail = detail;
    }
    return false;
  }

  private void reject(int from, int to) {
    rejects.reject(number, refusal == null ? RejectReason.JSON : refusal, refusalDetail, from, to);
  }

  private static String where(int start, int position) {
    return ", at byte " + (position - start + 1);
  }

  private static boolean equals(byte[] b, int from, int to, String text) {
    return to - from == text.length() && startsWith(b, from, to, text);
  }

  private static boolean startsWith(byte[] b, int from, int to, String text) {
    if (to - from < text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (b[from + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
