package io.peerlens.vcenter.performance;

import io.peerlens.vcenter.vim.PerfBlock;
import io.peerlens.vcenter.vim.PerfCounter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writer of samples in line protocol: {@code vcenter_vm_cpu,vcenter=vc-1,moid=vm-42,instance=0
 * usage_average=12.5 1700000000000000000}, one line for each group, instance and moment. Percents
 * are told as percents; vCenter has hundredths. {@link Figures} are lines like others. Not
 * thread-safe.
 */
public final class PerfLines {

  private record Field(String group, byte[] name, boolean percent) {}

  private record Place(String group, String instance) {}

  /** A series of the block, with the field that it fills. */
  private record Filled(Field field, long[] values) {}

  private final byte[] vcenter;
  private final Map<Integer, Field> fields = new HashMap<>();
  private byte[] buffer = new byte[64 * 1024];
  private int length;
  private long samples;

  /**
   * @param vcenter what the vCenter is called in ids
   * @param counters all that may come
   */
  public PerfLines(String vcenter, Collection<PerfCounter> counters) {
    this.vcenter = escaped(vcenter);
    counters.forEach(this::add);
    FigureComputer.counters().forEach(this::add);
  }

  private void add(PerfCounter counter) {
    String key = Samples.key(counter);
    fields.put(
        counter.id(),
        new Field(
            counter.group(),
            escaped(key.substring(counter.group().length() + 1)),
            counter.unit().equals("percent")));
  }

  /**
   * Lines of a block.
   *
   * @param measurement such as {@code vm}
   * @param intervalSeconds times are cut to whole intervals, as Telegraf does, so that both tell of
   *     one moment as one row
   * @param after samples up to this, in milliseconds since 1970, are left out: they were told
   * @return the lines; empty when there is nothing new
   */
  public byte[] of(PerfBlock block, String measurement, int intervalSeconds, long after) {
    length = 0;
    samples = 0;
    long interval = intervalSeconds * 1000L;
    byte[] moid = escaped(block.entity().value());
    Map<Place, List<Filled>> places = places(block);
    places.forEach(
        (place, series) -> {
          byte[] head = head(measurement, place, moid);
          for (int i = 0; i < block.times().length; i++) {
            long time = Math.floorDiv(block.times()[i], interval) * interval;
            if (block.times()[i] != Long.MIN_VALUE && time > after) {
              line(head, series, i, time);
            }
          }
        });
    return Arrays.copyOf(buffer, length);
  }

  private Map<Place, List<Filled>> places(PerfBlock block) {
    Map<Place, List<Filled>> places = new LinkedHashMap<>();
    for (PerfBlock.Series series : block.series()) {
      Field field = fields.get(series.counter());
      if (field != null) {
        places
            .computeIfAbsent(new Place(field.group, series.instance()), p -> new ArrayList<>())
            .add(new Filled(field, series.values()));
      }
    }
    return places;
  }

  /** Number of values in the lines written last. */
  public long samples() {
    return samples;
  }

  /** Newest time of a block, cut to whole intervals; {@code Long.MIN_VALUE} when it has none. */
  public static long newest(PerfBlock block, int intervalSeconds) {
    long interval = intervalSeconds * 1000L;
    long newest = Long.MIN_VALUE;
    for (long time : block.times()) {
      newest = Math.max(newest, time);
    }
    return newest == Long.MIN_VALUE ? newest : Math.floorDiv(newest, interval) * interval;
  }

  private byte[] head(String measurement, Place place, byte[] moid) {
    StringBuilder head = new StringBuilder("vcenter_").append(measurement).append('_');
    head.append(new String(escaped(place.group), StandardCharsets.UTF_8)).append(",vcenter=");
    head.append(new String(vcenter, StandardCharsets.UTF_8)).append(",moid=");
    head.append(new String(moid, StandardCharsets.UTF_8));
    if (!place.instance.isEmpty()) {
      head.append(",instance=").append(new String(escaped(place.instance), StandardCharsets.UTF_8));
    }
    return head.append(' ').toString().getBytes(StandardCharsets.UTF_8);
  }

  private void line(byte[] head, List<Filled> series, int at, long timeMillis) {
    int before = length;
    bytes(head);
    boolean any = false;
    for (Filled filled : series) {
      if (at >= filled.values.length || filled.values[at] < 0) {
        continue; // vCenter has no value for that moment
      }
      if (any) {
        character(',');
      }
      any = true;
      samples++;
      bytes(filled.field.name);
      character('=');
      if (filled.field.percent) {
        hundredths(filled.values[at]);
      } else {
        number(filled.values[at]);
      }
    }
    if (!any) {
      length = before;
      return;
    }
    character(' ');
    number(timeMillis);
    bytes(NANOS);
  }

  private static final byte[] NANOS = "000000\n".getBytes(StandardCharsets.US_ASCII);

  private void hundredths(long value) {
    number(value / 100);
    int rest = (int) (value % 100);
    if (rest != 0) {
      character('.');
      character((char) ('0' + rest / 10));
      if (rest % 10 != 0) {
        character((char) ('0' + rest % 10));
      }
    }
  }

  private void number(long value) {
    room(20);
    if (value < 10) {
      buffer[length++] = (byte) ('0' + value);
      return;
    }
    int digits = 0;
    for (long left = value; left > 0; left /= 10) {
      digits++;
    }
    int end = length + digits;
    length = end;
    for (long left = value; left > 0; left /= 10) {
      buffer[--end] = (byte) ('0' + left % 10);
    }
  }

  private void character(char c) {
    room(1);
    buffer[length++] = (byte) c;
  }

  private void bytes(byte[] bytes) {
    room(bytes.length);
    System.arraycopy(bytes, 0, buffer, length, bytes.length);
    length += bytes.length;
  }

  private void room(int needed) {
    if (length + needed > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + needed));
    }
  }

  /** As line protocol wants names and tags. */
  private static byte[] escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ',' || c == '=' || c == ' ') {
        escaped.append('\\');
      }
      escaped.append(c < ' ' ? '_' : c);
    }
    if (text.endsWith("\\")) {
      escaped.append('_'); // a backslash at the end would escape what follows
    }
    return escaped.toString().getBytes(StandardCharsets.UTF_8);
  }
}
