package io.peerlens.flow.decode;

import io.peerlens.ingest.RejectReason;
import org.jspecify.annotations.Nullable;

/**
 * Dialect of Telegraf's netflow input: what the fields of its records mean. What exporters say of
 * themselves ({@code netflow_options}) is kept in {@link Exporters}.
 */
final class TelegrafFields {

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

  private final Exporters exporters;
  private final FlowFields fields;
  private final FlowTimes times;
  private final SamplingRate rate;
  private final FlowRows rows;
  private long optionRecords;
  private long otherTraffic;

  TelegrafFields(
      Exporters exporters, FlowFields fields, FlowTimes times, SamplingRate rate, FlowRows rows) {
    this.exporters = exporters;
    this.fields = fields;
    this.times = times;
    this.rate = rate;
    this.rows = rows;
  }

  /** Records of {@code netflow_options} since this was asked last. */
  long takeOptionRecords() {
    long taken = optionRecords;
    optionRecords = 0;
    return taken;
  }

  /** Records without addresses, or of events without traffic, since this was asked last. */
  long takeOtherTraffic() {
    long taken = otherTraffic;
    otherTraffic = 0;
    return taken;
  }

  /** Adds a record to the batch; false = it is refused. */
  boolean add(byte[] b, int nameFrom, int nameTo) {
    fields.begin(true);
    if (FlowFields.equals(b, nameFrom, nameTo, "netflow_options")) {
      return options();
    }
    if (!FlowFields.equals(b, nameFrom, nameTo, "netflow")) {
      return fields.refuse(
          RejectReason.NO_VALUE,
          "'%s' is no flow: expected netflow or netflow_options here, metrics belong into another topic"
              .formatted(FlowRecord.shown(b, nameFrom, nameTo)));
    }
    if (fields.hasNoEnds()) {
      otherTraffic++;
      return true;
    }
    FlowVersion version = fields.version();
    boolean sflow = version == FlowVersion.SFLOW_5;
    int bytes = fields.first(sflow ? LENGTHS : BYTES);
    int packets = fields.first(PACKETS);
    if (!fields.has(bytes) && !fields.has(packets)) {
      if (fields.has(Field.EVENT)) {
        otherTraffic++; // a firewall opened or refused a connection
        return true;
      }
      return fields.refuse(
          RejectReason.NO_VALUE,
          "neither bytes nor packets: expected in_bytes, out_bytes or in_total_bytes in a flow");
    }
    times.readTelegrafTime();
    if (fields.refusal != null || !fields.address(Field.EXPORTER)) {
      return false;
    }
    Exporters.Exporter exporter = exporter(version);
    rate.read(version, exporter);
    times.readTelegraf(exporter);
    return rows.add(
        fields.whole(bytes, 0, FlowRows.MAX_VOLUME),
        sflow ? 1 : fields.whole(packets, 0, FlowRows.MAX_VOLUME),
        fields.whole(fields.first(REVERSE_BYTES), 0, FlowRows.MAX_VOLUME),
        fields.whole(fields.first(REVERSE_PACKETS), 0, FlowRows.MAX_VOLUME),
        version);
  }

  /** The address that is in {@link FlowFields#addresses} is the exporter's. */
  private Exporters.@Nullable Exporter exporter(FlowVersion version) {
    long sampler = fields.whole(Field.SAMPLER, 0, Long.MAX_VALUE);
    Exporters.Exporter known =
        exporters.find(fields.addresses.high(), fields.addresses.low(), version, sampler);
    return known == null && sampler != 0
        ? exporters.find(fields.addresses.high(), fields.addresses.low(), version, 0)
        : known;
  }

  private boolean options() {
    optionRecords++;
    long told = times.readTelegrafTime();
    if (fields.refusal != null || !fields.address(Field.EXPORTER)) {
      return false;
    }
    FlowVersion version = fields.version();
    boolean saysRate = rate.read(version);
    long start = fields.whole(Field.SYSTEM_START_MS, Exporters.UNKNOWN, times.newestMillis());
    if (fields.refusal != null) {
      return false;
    }
    if (start <= 0) {
      start = Exporters.UNKNOWN;
    }
    if (!saysRate && start == Exporters.UNKNOWN) {
      return true;
    }
    if (!times.isNotAhead(told)) {
      return false;
    }
    long sampler = fields.whole(Field.SAMPLER, 0, Long.MAX_VALUE);
    // What a sampler says also stands for records that name none.
    for (long id = 0; ; id = sampler) {
      exporters.tell(
          new Exporters.Exporter(
              fields.addresses.high(),
              fields.addresses.low(),
              version,
              id,
              saysRate ? rate.population : 0,
              saysRate ? rate.sampled : 0,
              start,
              told));
      if (id == sampler) {
        return fields.refusal == null;
      }
    }
  }
}
