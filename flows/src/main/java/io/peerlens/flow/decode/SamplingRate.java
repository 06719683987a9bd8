package io.peerlens.flow.decode;

import io.peerlens.ingest.RejectReason;
import org.jspecify.annotations.Nullable;

/** Sampling rate of the record that is being read: so many of so many packets are counted. */
final class SamplingRate {

  /** A rate of one in more packets than this is taken for a mistake. */
  private static final long MAX_SAMPLING = 1L << 32;

  /** And a sample of more packets than this. */
  private static final long MAX_SAMPLE = 1L << 24;

  private final FlowFields fields;
  long population = 1;
  long sampled = 1;

  SamplingRate(FlowFields fields) {
    this.fields = fields;
  }

  /** Sets the rate of goflow2, which is one in so many packets. */
  void readGoflow2() {
    sampled = 1;
    population = Math.max(1, fields.whole(Field.SAMPLING, 1, MAX_SAMPLING));
  }

  /** The record's own rate, else what the exporter said, else every packet. */
  void read(FlowVersion version, Exporters.@Nullable Exporter exporter) {
    if (!read(version)) {
      if (exporter != null && exporter.population() > 0) {
        population = exporter.population();
        sampled = exporter.sampled();
      }
    }
  }

  /** Sets the rate from what the record says of it; false when it says nothing. */
  boolean read(FlowVersion version) {
    sampled = 1;
    population = 1;
    if (fields.has(Field.SAMPLE_POPULATION) && fields.has(Field.SAMPLE_SIZE)) {
      sampled = Math.max(1, fields.whole(Field.SAMPLE_SIZE, 1, MAX_SAMPLE));
      population = fields.whole(Field.SAMPLE_POPULATION, 1, MAX_SAMPLING);
    } else if (fields.has(Field.SAMPLED_PACKETS)) {
      if (fields.has(Field.SKIPPED_PACKETS)) {
        sampled = Math.max(1, fields.whole(Field.SAMPLED_PACKETS, 1, MAX_SAMPLE));
        population = sampled + fields.whole(Field.SKIPPED_PACKETS, 0, MAX_SAMPLING);
      } else {
        // Without a space, exporters mean one in so many.
        population = fields.whole(Field.SAMPLED_PACKETS, 1, MAX_SAMPLING);
      }
    } else if (fields.has(Field.SAMPLING)) {
      population = fields.whole(Field.SAMPLING, 1, MAX_SAMPLING);
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

  /**
   * A volume as it was before sampling; refuses the record when it is more than a flow can have.
   */
  long scaled(long value) {
    if (population == 1 || value == 0) {
      return value;
    }
    if ((double) value * population / sampled > FlowRows.MAX_VOLUME) {
      fields.refuse(
          RejectReason.NUMBER,
          "%d at one in %d packets is more than a flow can have: correct the exporter's sampling rate"
              .formatted(value, population / sampled));
      return 0;
    }
    // The remainder is less than 2^24, the population not more than 2^33.
    return value / sampled * population + value % sampled * population / sampled;
  }
}
