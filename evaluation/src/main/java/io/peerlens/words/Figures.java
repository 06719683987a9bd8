package io.peerlens.words;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Figures in sentences, written as the pages write them. */
public final class Figures {

  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm 'UTC'", Locale.ROOT);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMM HH:mm 'UTC'", Locale.ENGLISH);

  private record Rung(double from, String unit) {}

  private record Unit(List<Rung> ladder, double base) {}

  private static final List<Rung> BITS =
      List.of(
          new Rung(1, "bit/s"),
          new Rung(1e3, "kbit/s"),
          new Rung(1e6, "Mbit/s"),
          new Rung(1e9, "Gbit/s"),
          new Rung(1e12, "Tbit/s"));
  private static final List<Rung> BYTES = binary("");
  private static final List<Rung> BYTE_RATE = binary("/s");
  private static final List<Rung> HERTZ =
      List.of(new Rung(1e6, "MHz"), new Rung(1e9, "GHz"), new Rung(1e12, "THz"));
  private static final List<Rung> TIME =
      List.of(
          new Rung(1e-6, "µs"),
          new Rung(1e-3, "ms"),
          new Rung(1, "s"),
          new Rung(3600, "h"),
          new Rung(86400, "d"));
  private static final double K = 1024;

  /** As collectors name them. */
  private static final Map<String, Unit> UNITS =
      Map.ofEntries(
          Map.entry("percent", new Unit(List.of(new Rung(1, "%")), 1)),
          Map.entry("number", new Unit(List.of(new Rung(1, "")), 1)),
          Map.entry("num", new Unit(List.of(new Rung(1, "")), 1)),
          Map.entry("count", new Unit(List.of(new Rung(1, "")), 1)),
          Map.entry("b", new Unit(BYTES, 1)),
          Map.entry("byte", new Unit(BYTES, 1)),
          Map.entry("bytes", new Unit(BYTES, 1)),
          Map.entry("kb", new Unit(BYTES, K)),
          Map.entry("kib", new Unit(BYTES, K)),
          Map.entry("kilobytes", new Unit(BYTES, K)),
          Map.entry("mb", new Unit(BYTES, K * K)),
          Map.entry("mib", new Unit(BYTES, K * K)),
          Map.entry("gb", new Unit(BYTES, K * K * K)),
          Map.entry("gib", new Unit(BYTES, K * K * K)),
          Map.entry("bps", new Unit(BYTE_RATE, 1)),
          Map.entry("b/s", new Unit(BYTE_RATE, 1)),
          Map.entry("bytes/s", new Unit(BYTE_RATE, 1)),
          Map.entry("kbps", new Unit(BYTE_RATE, K)),
          Map.entry("kb/s", new Unit(BYTE_RATE, K)),
          Map.entry("kib/s", new Unit(BYTE_RATE, K)),
          Map.entry("mbps", new Unit(BYTE_RATE, K * K)),
          Map.entry("mib/s", new Unit(BYTE_RATE, K * K)),
          Map.entry("bit/s", new Unit(BITS, 1)),
          Map.entry("hz", new Unit(HERTZ, 1)),
          Map.entry("mhz", new Unit(HERTZ, 1e6)),
          Map.entry("ghz", new Unit(HERTZ, 1e9)),
          Map.entry("us", new Unit(TIME, 1e-6)),
          Map.entry("ms", new Unit(TIME, 1e-3)),
          Map.entry("millisecond", new Unit(TIME, 1e-3)),
          Map.entry("s", new Unit(TIME, 1)),
          Map.entry("second", new Unit(TIME, 1)),
          Map.entry("seconds", new Unit(TIME, 1)));

  private Figures() {}

  private static List<Rung> binary(String suffix) {
    return List.of(
        new Rung(1, "B" + suffix),
        new Rung(K, "KiB" + suffix),
        new Rung(K * K, "MiB" + suffix),
        new Rung(K * K * K, "GiB" + suffix),
        new Rung(K * K * K * K, "TiB" + suffix));
  }

  /** A figure of at most 4 significant digits: 0.4231, 41.3, 9876, 41,306. */
  public static String number(double value) {
    double size = Math.abs(value);
    if (size >= 1000) {
      BigDecimal whole = new BigDecimal(value).setScale(0, RoundingMode.HALF_UP);
      return size >= 9999.5
          ? String.format(Locale.ROOT, "%,d", whole.toBigInteger())
          : whole.toPlainString();
    }
    if (size == 0) {
      return "0";
    }
    int places = (int) Math.min(6, Math.max(0, 3 - Math.floor(Math.log10(size))));
    BigDecimal rounded =
        new BigDecimal(value).setScale(places, RoundingMode.HALF_UP).stripTrailingZeros();
    return rounded.signum() == 0 ? "0" : rounded.toPlainString();
  }

  /**
   * Scale and unit in which values are written.
   *
   * @param factor that a value is to be multiplied by
   * @param unit empty = none
   */
  public record Scale(double factor, String unit) {}

  /**
   * The size in which a value reads best.
   *
   * @param unit as the collector names it; null = none
   * @param network whether rates of bytes are written in bits
   */
  public static Scale scale(double value, @Nullable String unit, boolean network) {
    String name = unit == null ? "" : unit;
    Unit known = UNITS.get(name.toLowerCase(Locale.ROOT));
    if (known == null) {
      return new Scale(1, name);
    }
    boolean inBits = network && known.ladder() == BYTE_RATE;
    List<Rung> ladder = inBits ? BITS : known.ladder();
    double factor = known.base() * (inBits ? 8 : 1);
    Rung rung = ladder.getFirst();
    for (Rung one : ladder) {
      rung = Math.abs(value * factor) >= one.from() ? one : rung;
    }
    if (value == 0) {
      rung = new Rung(known.base(), zero(ladder, known.base()));
    }
    return new Scale(factor / rung.from(), rung.unit());
  }

  /**
   * A value with its unit, in the size that reads best: 412 Mbit/s.
   *
   * @param unit as the collector names it; null = none
   * @param network whether rates of bytes are written in bits
   */
  public static String withUnit(double value, @Nullable String unit, boolean network) {
    Scale scale = scale(value, unit, network);
    String figure = number(value * scale.factor());
    return scale.unit().isEmpty() ? figure : figure + " " + scale.unit();
  }

  /**
   * A value beside a limit, with more decimals where rounding would make the two alike: 95.005 %
   * beside 95 %.
   *
   * @param unit as the collector names it; null = none
   * @param network whether rates of bytes are written in bits
   */
  public static String apart(double value, double limit, @Nullable String unit, boolean network) {
    String usual = withUnit(value, unit, network);
    if (value == limit || !usual.equals(withUnit(limit, unit, network))) {
      return usual;
    }
    Scale scale = scale(value, unit, network);
    for (int places = 1; places <= 6; places++) {
      BigDecimal one = rounded(value * scale.factor(), places);
      if (one.compareTo(rounded(limit * scale.factor(), places)) != 0) {
        return one.toPlainString() + (scale.unit().isEmpty() ? "" : " " + scale.unit());
      }
    }
    return usual;
  }

  private static BigDecimal rounded(double value, int places) {
    return new BigDecimal(value).setScale(places, RoundingMode.HALF_UP);
  }

  /** Nothing is told in the unit that it is measured in. */
  private static String zero(List<Rung> ladder, double base) {
    return ladder.stream()
        .filter(rung -> rung.from() >= base)
        .findFirst()
        .orElse(ladder.getLast())
        .unit();
  }

  /** A moment for people: the clock time, with the date where it is not today. */
  public static String time(Instant moment, Instant now) {
    LocalDate day = moment.atOffset(ZoneOffset.UTC).toLocalDate();
    boolean today = day.equals(now.atOffset(ZoneOffset.UTC).toLocalDate());
    return (today ? CLOCK : DAY).format(moment.atOffset(ZoneOffset.UTC));
  }

  /** A duration in its one or two largest units: 95 s, 15 min, 2 h 5 min, 3 d. */
  public static String duration(double seconds) {
    long whole = Math.round(seconds);
    if (whole < 120) {
      return whole + " s";
    }
    long minutes = whole / 60;
    if (minutes < 60) {
      return minutes + " min";
    }
    if (minutes < 48 * 60) {
      long rest = minutes % 60;
      return minutes / 60 + " h" + (rest == 0 ? "" : " " + rest + " min");
    }
    return minutes / (24 * 60) + " d";
  }
}
