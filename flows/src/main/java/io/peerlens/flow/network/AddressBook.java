package io.peerlens.flow.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Address book: which object has an address at a time. An object may have several addresses; an
 * address may move from one object to another. Immutable; looking up allocates nothing.
 *
 * <p>Open addressing over the address. A slot holds the newest entry of the address; older ones
 * stand before it, in the order of time and without overlap, so the usual question, about now, is
 * answered by the first entry that is looked at.
 */
public final class AddressBook {

  /** No entry. */
  public static final int NONE = -1;

  /** Conflicts beyond this many are counted only. */
  static final int MAX_CONFLICTS = 1_000;

  /**
   * Kind of object. An address of a VM is often told again by an agent inside it: that is one
   * machine seen in two ways, so the kind that stands first here wins, and it is no conflict.
   */
  public enum Kind {
    VM,
    HOST,
    OTHER
  }

  /**
   * Two objects of one kind said to have the same address at the same time.
   *
   * @param winner object id of the one that the address is taken to belong to: the one that got it
   *     later, or of two that got it at the same time the one with the greater id
   * @param loser object id of the other
   * @param fromMillis start of the overlap, milliseconds since 1970
   * @param toMillis its end, exclusive
   */
  public record Conflict(
      long high, long low, int winner, int loser, long fromMillis, long toMillis) {

    /** {@code 10.77.2.13 belongs to objects 4 and 7 at one time}. */
    @Override
    public String toString() {
      return "%s belongs to objects %d and %d at one time; taken for %d"
          .formatted(
              Addresses.text(high, low), Math.min(winner, loser), Math.max(winner, loser), winner);
    }
  }

  private static final AddressBook EMPTY = new Builder().build();

  // An entry is five words of one array, so that a look-up reads memory once or twice.
  private static final int HIGH = 0;
  private static final int LOW = 1;
  private static final int FROM = 2;
  private static final int TO = 3;
  private static final int OWNER = 4; // object id above, kind below
  private static final int WORDS = 5;
  private static final Kind[] KINDS = Kind.values();

  private final long[] words;
  private final int[] slots; // newest entry of the address + 1, 0 = free
  private final int addresses;
  private final List<Conflict> conflicts;
  private final long conflictCount;

  private AddressBook(List<Claim> entries, List<Conflict> conflicts, long conflictCount) {
    int size = entries.size();
    words = new long[size * WORDS];
    slots = new int[Math.max(16, Integer.highestOneBit(size) * 4)];
    int mask = slots.length - 1;
    int distinct = 0;
    for (int i = 0; i < size; i++) {
      Claim entry = entries.get(i);
      int at = i * WORDS;
      words[at + HIGH] = entry.high;
      words[at + LOW] = entry.low;
      words[at + FROM] = entry.from;
      words[at + TO] = entry.to;
      words[at + OWNER] = (long) entry.objectId << 32 | entry.kind.ordinal();
      if (i + 1 < size && entry.sameAddress(entries.get(i + 1))) {
        continue;
      }
      distinct++;
      int slot = Mix.of(entry.high, entry.low) & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = i + 1;
    }
    addresses = distinct;
    this.conflicts = List.copyOf(conflicts);
    this.conflictCount = conflictCount;
  }

  /** A book without addresses. */
  public static AddressBook empty() {
    return EMPTY;
  }

  /**
   * Who has an address.
   *
   * @param timeMillis milliseconds since 1970
   * @return an entry for {@link #objectId} and {@link #kind}, or {@link #NONE}
   */
  public int find(long high, long low, long timeMillis) {
    int mask = slots.length - 1;
    int slot = Mix.of(high, low) & mask;
    for (int found; (found = slots[slot]) != 0; slot = (slot + 1) & mask) {
      int at = (found - 1) * WORDS;
      if (words[at + LOW] != low || words[at + HIGH] != high) {
        continue;
      }
      do {
        if (timeMillis >= words[at + FROM]) {
          return timeMillis < words[at + TO] ? at / WORDS : NONE;
        }
        at -= WORDS;
      } while (at >= 0 && words[at + LOW] == low && words[at + HIGH] == high);
      return NONE;
    }
    return NONE;
  }

  /** The object of an entry. */
  public int objectId(int entry) {
    return (int) (words[entry * WORDS + OWNER] >> 32);
  }

  /** Kind of the object of an entry. */
  public Kind kind(int entry) {
    return KINDS[(int) words[entry * WORDS + OWNER]];
  }

  /** Number of different addresses. */
  public int addresses() {
    return addresses;
  }

  /** The first {@value #MAX_CONFLICTS} conflicts, by address: each pair of objects once. */
  public List<Conflict> conflicts() {
    return conflicts;
  }

  /** Number of all conflicts. */
  public long conflictCount() {
    return conflictCount;
  }

  /** Somebody's claim to an address: from, inclusive, to, exclusive, milliseconds since 1970. */
  private record Claim(long high, long low, int objectId, Kind kind, long from, long to) {

    boolean sameAddress(Claim other) {
      return high == other.high && low == other.low;
    }

    boolean sameOwner(Claim other) {
      return objectId == other.objectId && kind == other.kind;
    }
  }

  /** Builder of an address book; the order of the calls does not matter. Not thread-safe. */
  public static final class Builder {

    private static final Comparator<Claim> BY_ADDRESS =
        ((Comparator<Claim>) (a, b) -> Long.compareUnsigned(a.high, b.high))
            .thenComparing((a, b) -> Long.compareUnsigned(a.low, b.low))
            .thenComparingLong(Claim::from);

    private static final Comparator<Claim> BY_PRECEDENCE =
        Comparator.comparing(Claim::kind)
            .thenComparing(Comparator.comparingLong(Claim::from).reversed())
            .thenComparing(Comparator.comparingInt(Claim::objectId).reversed());

    private final List<Claim> claims = new ArrayList<>();

    /**
     * Notes an address of an object. Addresses that name no machine (unspecified, loopback,
     * multicast, broadcast) are left out: guest tools report them too.
     *
     * @param fromMillis since when, milliseconds since 1970; {@code Long.MIN_VALUE} = always
     * @param toMillis until when, exclusive; {@code Long.MAX_VALUE} = still
     * @throws IllegalArgumentException when the end is not after the start
     */
    public Builder add(
        long high, long low, int objectId, Kind kind, long fromMillis, long toMillis) {
      if (toMillis <= fromMillis) {
        throw new IllegalArgumentException(
            "%s of object %d ends at %d, not after its start at %d"
                .formatted(Addresses.text(high, low), objectId, toMillis, fromMillis));
      }
      if (namesAMachine(high, low)) {
        claims.add(new Claim(high, low, objectId, kind, fromMillis, toMillis));
      }
      return this;
    }

    /** Notes an address that an object has always had and still has. */
    public Builder add(long high, long low, int objectId, Kind kind) {
      return add(high, low, objectId, kind, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    static boolean namesAMachine(long high, long low) {
      if (Addresses.isV4(high, low)) {
        int first = (int) (low >>> 24) & 255;
        return first != 0 && first != 127 && first < 224 || first >= 240 && (int) low != -1;
      }
      boolean unspecifiedOrLoopback = high == 0 && (low == 0 || low == 1);
      return !unspecifiedOrLoopback && high >>> 56 != 0xFF;
    }

    /** The book of everything noted so far. */
    public AddressBook build() {
      claims.sort(BY_ADDRESS);
      List<Claim> entries = new ArrayList<>(claims.size());
      List<Conflict> conflicts = new ArrayList<>();
      long conflictCount = 0;
      for (int i = 0; i < claims.size(); ) {
        int next = i + 1;
        while (next < claims.size() && claims.get(next).sameAddress(claims.get(i))) {
          next++;
        }
        if (next == i + 1) {
          entries.add(claims.get(i));
        } else {
          List<Conflict> found = new ArrayList<>();
          settle(claims.subList(i, next), entries, found);
          conflictCount += found.size();
          for (Conflict conflict : found) {
            if (conflicts.size() < MAX_CONFLICTS) {
              conflicts.add(conflict);
            }
          }
        }
        i = next;
      }
      return new AddressBook(entries, conflicts, conflictCount);
    }

    /** Cuts the time of one address into spans that belong to one object each. */
    private static void settle(
        List<Claim> ofOneAddress, List<Claim> entries, List<Conflict> conflicts) {
      long[] cuts = new long[ofOneAddress.size() * 2];
      for (int i = 0; i < ofOneAddress.size(); i++) {
        cuts[2 * i] = ofOneAddress.get(i).from;
        cuts[2 * i + 1] = ofOneAddress.get(i).to;
      }
      Arrays.sort(cuts);
      PriorityQueue<Claim> open = new PriorityQueue<>(BY_PRECEDENCE);
      Map<Long, Conflict> byPair = new LinkedHashMap<>();
      int first = entries.size();
      int next = 0;
      for (int i = 0; i + 1 < cuts.length; i++) {
        long at = cuts[i];
        long until = cuts[i + 1];
        if (until == at) {
          continue;
        }
        while (next < ofOneAddress.size() && ofOneAddress.get(next).from <= at) {
          open.add(ofOneAddress.get(next++));
        }
        open.removeIf(claim -> claim.to <= at);
        Claim winner = open.peek();
        if (winner == null) {
          continue;
        }
        int last = entries.size() - 1;
        Claim before = last >= first ? entries.get(last) : null;
        boolean continues = before != null && before.to == at && before.sameOwner(winner);
        Claim span =
            new Claim(
                winner.high,
                winner.low,
                winner.objectId,
                winner.kind,
                continues && before != null ? before.from : at,
                until);
        if (continues) {
          entries.set(last, span);
        } else {
          entries.add(span);
        }
        for (Claim other : open) {
          if (other.kind == winner.kind && other.objectId != winner.objectId) {
            byPair.merge(
                (long) winner.objectId << 32 | other.objectId & 0xFFFFFFFFL,
                new Conflict(winner.high, winner.low, winner.objectId, other.objectId, at, until),
                (old, now) ->
                    new Conflict(
                        old.high, old.low, old.winner, old.loser, old.fromMillis, now.toMillis));
          }
        }
      }
      conflicts.addAll(byPair.values());
      Collections.sort(
          conflicts, Comparator.comparingInt(Conflict::winner).thenComparingInt(Conflict::loser));
    }
  }
}
