package io.peerlens.flow.decode;

import io.peerlens.ingest.RejectReason;

/** Dialect of goflow2: what the fields of its records mean. */
final class Goflow2Fields {

  private final FlowFields fields;
  private final FlowTimes times;
  private final SamplingRate rate;
  private final FlowRows rows;
  private long otherTraffic;

  Goflow2Fields(FlowFields fields, FlowTimes times, SamplingRate rate, FlowRows rows) {
    this.fields = fields;
    this.times = times;
    this.rate = rate;
    this.rows = rows;
  }

  /** Adds an object of JSON to the batch; false = it is refused. */
  boolean addObject() {
    fields.begin(false);
    if (!fields.has(Field.SRC) && !fields.has(Field.DST)) {
      return fields.refuse(
          RejectReason.JSON,
          "neither src_addr nor dst_addr: expected a flow of goflow2, or 'fields', 'tags' and 'name'"
              + " of Telegraf");
    }
    return addMessage();
  }

  /** Adds a record to the batch; false = it is refused. */
  boolean addMessage() {
    fields.begin(false);
    if (fields.hasNoEnds()) {
      otherTraffic++;
      return true;
    }
    times.readGoflow2();
    rate.readGoflow2();
    return rows.add(
        fields.whole(Field.BYTES, 0, FlowRows.MAX_VOLUME),
        fields.whole(Field.PACKETS, 0, FlowRows.MAX_VOLUME),
        0,
        0,
        fields.version());
  }

  /** Records without addresses since this was asked last. */
  long takeOtherTraffic() {
    long taken = otherTraffic;
    otherTraffic = 0;
    return taken;
  }
}
