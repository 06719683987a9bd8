package io.peerlens.flow.decode;

import io.peerlens.flow.network.Addresses;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A decoder with what it gave, for tests. */
public final class FlowDecoding {

  /** Some minutes after the captures. */
  static final Instant NOW = Instant.parse("2026-11-21T00:30:00Z");

  /** What was refused; {@code payload} is what would be sent again. */
  record Reject(int number, String reason, String detail, String payload) {
    @Override
    public String toString() {
      return reason + ": " + detail;
    }
  }

  final Exporters exporters = new Exporters();
  public final FlowBatch batch = new FlowBatch();
  public final List<Reject> rejects = new ArrayList<>();
  FlowGuards guards = FlowGuards.DEFAULT;
  final FlowDecoder decoder = new FlowDecoder(() -> guards, exporters, InstantSource.fixed(NOW));

  public FlowDecoding decode(String value) {
    return decode(value.getBytes(StandardCharsets.UTF_8), NOW.toEpochMilli());
  }

  FlowDecoding decode(byte[] value, long recordTimeMillis) {
    // Not at the array's begin, so that places relative to it show.
    byte[] padded = new byte[value.length + 7];
    System.arraycopy(value, 0, padded, 3, value.length);
    decoder.decode(
        padded,
        3,
        3 + value.length,
        recordTimeMillis,
        batch,
        (number, reason, detail, from, to) ->
            rejects.add(
                new Reject(
                    number,
                    reason.code(),
                    detail,
                    new String(padded, from, to - from, StandardCharsets.ISO_8859_1))));
    return this;
  }

  /** A row in words, all columns of it. */
  String row(int row) {
    Observer observer = batch.observers().get(batch.observer(row));
    return row(
        Addresses.text(batch.srcHigh(row), batch.srcLow(row)),
        batch.srcPort(row),
        Addresses.text(batch.dstHigh(row), batch.dstLow(row)),
        batch.dstPort(row),
        batch.protocol(row),
        batch.bytes(row),
        batch.packets(row),
        batch.tcpFlags(row),
        batch.icmp(row),
        batch.dropped(row),
        batch.direction(row),
        batch.inIf(row),
        batch.outIf(row),
        Addresses.text(observer.addressHigh(), observer.addressLow()),
        observer.domain(),
        observer.version(),
        batch.receivedMillis(row),
        batch.startMillis(row),
        batch.endMillis(row));
  }

  static String row(@Nullable Object... columns) {
    StringBuilder text = new StringBuilder();
    for (Object column : columns) {
      text.append(text.isEmpty() ? "" : " ").append(column);
    }
    return text.toString();
  }

  List<String> rows() {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      rows.add(row(i));
    }
    return rows;
  }
}
