package io.peerlens.standalone.size;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table that grows with time.
 *
 * @param days that it is kept
 * @param chunkDays length of its chunks on TimescaleDB; 0 = it has none anywhere
 * @param rowsPerDay new rows
 * @param row bytes of a row with its index
 * @param packed bytes of a row in the columnstore; null = it does not go there
 * @param packedAfterDays age at which chunks are compressed
 * @param costs unit costs behind it
 */
public record Level(
    String name,
    double days,
    double chunkDays,
    double rowsPerDay,
    Range row,
    @Nullable Range packed,
    double packedAfterDays,
    List<Cost> costs) {

  /** Kinds of database that differ in disk. */
  public enum Engine {
    /** Rows are deleted one by one, and their space is used again later. */
    PLAIN,
    /** Whole chunks are dropped, so data live up to a chunk longer. */
    TIMESCALE,
    /** Chunks of samples are compressed when they are old enough; the community edition only. */
    COLUMNSTORE
  }

  /** Bytes of the rows that are kept, and nothing else. */
  public Range rows() {
    return row.times(rowsPerDay * days);
  }

  /** The same if all of them were in the columnstore; rows where it has no place there. */
  public Range packedRows() {
    return packed == null ? rows() : packed.times(rowsPerDay * days);
  }

  /** Bytes of chunks of the columnstore that are not old enough to be packed. */
  public Range fresh() {
    return packed == null ? Range.of(0) : row.times(rowsPerDay * freshDays());
  }

  private double held() {
    return days == 0 ? 0 : days + chunkDays;
  }

  /** A chunk is packed as a whole when its end is old enough. */
  private double freshDays() {
    return Math.min(held(), packedAfterDays + chunkDays);
  }

  /** Bytes on disk, with what the database holds beyond the kept rows. */
  public Range disk(Engine engine) {
    return switch (engine) {
      case PLAIN -> chunkDays == 0 ? rows() : rows().times(Cost.PLAIN_SPACE.range());
      case TIMESCALE -> row.times(rowsPerDay * held());
      case COLUMNSTORE ->
          packed == null
              ? row.times(rowsPerDay * held())
              : fresh().plus(packed.times(rowsPerDay * (held() - freshDays())));
    };
  }
}
