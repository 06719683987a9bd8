package io.peerlens.flow.network;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lookup of the named network that an address lies in, and of whether it is internal. The longest
 * prefix wins, for the name and, together with the internal ranges, for internal or not: a network
 * that says neither is what the next wider network or range says. Immutable; looking up allocates
 * nothing.
 *
 * <p>Prefixes lie inside each other or apart, so all addresses can be cut once into spans with one
 * answer each; a look-up is a binary search over their first addresses, for both families alike.
 * Ranges of IPv6 such as {@code ::/0} do not take in IPv4, although IPv4 is written inside IPv6
 * here.
 */
public final class Networks {

  /** Private, shared, link-local and unique local addresses: internal when nothing else is said. */
  public static final List<Cidr> DEFAULT_INTERNAL =
      Stream.of(
              "10.0.0.0/8",
              "172.16.0.0/12",
              "192.168.0.0/16",
              "100.64.0.0/10",
              "169.254.0.0/16",
              "fc00::/7",
              "fe80::/10")
          .map(Cidr::parse)
          .toList();

  private static final Cidr ALL = new Cidr(0, 0, 0);
  private static final Cidr ALL_V4 = Cidr.parse("0.0.0.0/0");
  private static final Networks UNNAMED = of(List.of(), DEFAULT_INTERNAL);

  private enum Side {
    INTERNAL,
    EXTERNAL,
    UNSAID
  }

  private final List<Network> networks;
  private final long[] high; // first address of each span
  private final long[] low;
  private final int[] network; // index, or -1
  private final Side[] side;

  private Networks(List<Network> networks, Spans spans) {
    this.networks = networks;
    int size = spans.size;
    high = Arrays.copyOf(spans.high, size);
    low = Arrays.copyOf(spans.low, size);
    network = Arrays.copyOf(spans.network, size);
    side = Arrays.copyOf(spans.side, size);
  }

  /** No named networks, and the usual internal ranges. */
  public static Networks unnamed() {
    return UNNAMED;
  }

  /**
   * Makes the table.
   *
   * @param internalRanges internal unless a network says otherwise for the same or a longer prefix
   * @throws IllegalArgumentException when two networks have the same prefix
   */
  public static Networks of(List<Network> networks, List<Cidr> internalRanges) {
    List<Prefix> prefixes = new ArrayList<>();
    prefixes.add(new Prefix(ALL, 0, -1, Side.UNSAID));
    prefixes.add(new Prefix(ALL_V4, 0, -1, Side.UNSAID));
    for (Cidr range : internalRanges) {
      prefixes.add(new Prefix(range, 1, Prefix.AS_AROUND, Side.INTERNAL));
    }
    Map<Cidr, Network> taken = new HashMap<>();
    for (int i = 0; i < networks.size(); i++) {
      Network named = networks.get(i);
      Boolean internal = named.internal();
      Side said = internal == null ? null : internal ? Side.INTERNAL : Side.EXTERNAL;
      for (Cidr cidr : named.cidrs()) {
        Network other = taken.putIfAbsent(cidr, named);
        if (other != null) {
          throw new IllegalArgumentException(
              "%s is in network '%s' and again in '%s': a range can have one name only"
                  .formatted(cidr, other.name(), named.name()));
        }
        prefixes.add(new Prefix(cidr, 2, i, said));
      }
    }
    prefixes.sort(Prefix.OUTER_FIRST);
    return new Networks(List.copyOf(networks), spans(prefixes));
  }

  /**
   * A prefix and what it says.
   *
   * @param rank of equal prefixes the one with the higher rank has the last word
   * @param network index, -1 = none, or {@link #AS_AROUND}
   * @param side null = as the prefix around it
   */
  private record Prefix(Cidr cidr, int rank, int network, @Nullable Side side) {

    static final int AS_AROUND = -2;

    static final Comparator<Prefix> OUTER_FIRST =
        Comparator.comparing(Prefix::cidr).thenComparingInt(Prefix::rank);

    /** Rules that hold inside this prefix. */
    Prefix inside(Prefix around) {
      return new Prefix(
          cidr,
          rank,
          network == AS_AROUND ? around.network : network,
          side == null ? around.side : side);
    }
  }

  /** Spans in the order of their addresses; neighbours that say the same are one. */
  private static final class Spans {
    int size;
    long[] high = new long[64];
    long[] low = new long[64];
    int[] network = new int[64];
    Side[] side = new Side[64];

    void begin(long firstHigh, long firstLow, int itsNetwork, Side itsSide) {
      if (size > 0 && high[size - 1] == firstHigh && low[size - 1] == firstLow) {
        size--;
      }
      if (size > 0 && network[size - 1] == itsNetwork && side[size - 1] == itsSide) {
        return;
      }
      if (size == high.length) {
        high = Arrays.copyOf(high, size * 2);
        low = Arrays.copyOf(low, size * 2);
        network = Arrays.copyOf(network, size * 2);
        side = Arrays.copyOf(side, size * 2);
      }
      high[size] = firstHigh;
      low[size] = firstLow;
      network[size] = itsNetwork;
      side[size] = itsSide;
      size++;
    }

    void begin(long firstHigh, long firstLow, Prefix inside) {
      Side itsSide = inside.side;
      begin(firstHigh, firstLow, inside.network, itsSide == null ? Side.UNSAID : itsSide);
    }
  }

  /** The first prefix holds all addresses. */
  private static Spans spans(List<Prefix> outerFirst) {
    Spans spans = new Spans();
    Deque<Prefix> around = new ArrayDeque<>();
    for (Prefix prefix : outerFirst) {
      close(around, prefix.cidr, spans);
      Prefix outer = around.peek();
      Prefix inside = outer == null ? prefix : prefix.inside(outer);
      around.push(inside);
      spans.begin(prefix.cidr.high(), prefix.cidr.low(), inside);
    }
    close(around, null, spans);
    return spans;
  }

  /** Ends the prefixes that do not reach as far as the next one; null = there is none. */
  private static void close(Deque<Prefix> around, @Nullable Cidr next, Spans spans) {
    while (true) {
      Prefix inner = around.peek();
      if (inner == null || (next != null && inner.cidr.contains(next.high(), next.low()))) {
        return;
      }
      around.pop();
      long lastHigh = inner.cidr.lastHigh();
      long lastLow = inner.cidr.lastLow();
      Prefix outer = around.peek();
      if (outer != null && (lastHigh != -1 || lastLow != -1)) {
        spans.begin(lastLow == -1 ? lastHigh + 1 : lastHigh, lastLow + 1, outer);
      }
    }
  }

  /** The span of an address, for {@link #network} and {@link #internal}. */
  public int find(long addressHigh, long addressLow) {
    int from = 0;
    int to = high.length - 1;
    while (from < to) {
      int middle = (from + to + 1) >>> 1;
      int c = Long.compareUnsigned(high[middle], addressHigh);
      if (c < 0 || (c == 0 && Long.compareUnsigned(low[middle], addressLow) <= 0)) {
        from = middle;
      } else {
        to = middle - 1;
      }
    }
    return from;
  }

  /** The named network of a span; null = none. */
  public @Nullable Network network(int span) {
    int index = network[span];
    return index < 0 ? null : networks.get(index);
  }

  /**
   * Whether addresses of a span are internal.
   *
   * @param owned whether a known object has the address: that makes it internal unless a network
   *     says that it is not
   */
  public boolean internal(int span, boolean owned) {
    return side[span] == Side.INTERNAL || (owned && side[span] == Side.UNSAID);
  }

  /** All named networks, in the order of the file. */
  public List<Network> networks() {
    return networks;
  }
}
