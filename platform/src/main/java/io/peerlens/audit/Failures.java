package io.peerlens.audit;

import io.peerlens.audit.AuditRecord.Subject;
import io.peerlens.audit.AuditRecord.Who;
import io.peerlens.audit.AuditStore.Token;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Aggregation of failed requests for the audit log, so that a flood of them fills neither memory
 * nor the database. The first failure of a caller at an operation is written within a second; those
 * that follow within {@link #WINDOW} become one entry with their count. Beyond {@value
 * #MOST_CALLERS} callers in a window, all others count as one. Thread-safe.
 */
final class Failures implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Failures.class);

  static final Duration WINDOW = Duration.ofMinutes(5);
  static final int MOST_CALLERS = 200;

  /** Operations of one caller that are told apart, and secrets that are looked up. */
  private static final int MOST_DETAILS = 20;

  private static final int MOST_UNSENT = 2_000;

  private final AuditStore store;
  private final InstantSource clock;
  private final Map<Key, Tally> tallies = new LinkedHashMap<>();
  private final List<UUID> closed = new ArrayList<>();
  private final ScheduledExecutorService writer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofVirtual().name("audit-failures").factory());

  // Only the writer uses these.
  private List<AuditRecord> unsent = new ArrayList<>();
  private List<UUID> unclosed = new ArrayList<>();
  private boolean troubled;

  private record Key(
      String who,
      String operation,
      @Nullable String error,
      @Nullable String id,
      @Nullable String hash) {}

  private static final class Tally {
    private final AuditRecord first;
    private Instant end;
    private boolean isWritten;
    private int more;
    private @Nullable Instant moreFrom;
    private Instant last;
    private final Map<String, Integer> asked = new LinkedHashMap<>();
    private final Map<String, byte[]> hashes = new LinkedHashMap<>();

    private Tally(AuditRecord first, Instant end) {
      this.first = first;
      this.end = end;
      this.last = first.at();
    }
  }

  Failures(AuditStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Writes what was collected every second, until it is closed. */
  Failures start() {
    writer.scheduleWithFixedDelay(this::flush, 1, 1, TimeUnit.SECONDS);
    return this;
  }

  /**
   * Takes a failed request.
   *
   * @param open note of the operation that began; null = none
   * @param asked operation that credentials were not accepted for; null = not that
   * @param hash of the secret that was tried; null = none
   */
  synchronized void add(
      AuditRecord failed, @Nullable UUID open, @Nullable String asked, byte @Nullable [] hash) {
    if (open != null) {
      closed.add(open);
    }
    String secret = hash == null ? null : HexFormat.of().formatHex(hash);
    Key own = key(failed, secret);
    boolean room = tallies.containsKey(own) || tallies.size() < MOST_CALLERS;
    AuditRecord taken = room ? failed : folded(failed);
    Key key = room ? own : key(taken, null);
    Tally tally = tallies.get(key);
    if (tally == null) {
      tally = new Tally(taken, failed.at().plus(WINDOW));
      tallies.put(key, tally);
    } else {
      tally.more++;
      tally.last = failed.at();
      if (tally.moreFrom == null) {
        tally.moreFrom = failed.at();
      }
    }
    if (asked != null && (tally.asked.containsKey(asked) || tally.asked.size() < MOST_DETAILS)) {
      tally.asked.merge(asked, 1, Integer::sum);
    }
    if (hash != null && secret != null && tally.hashes.size() < MOST_DETAILS) {
      tally.hashes.put(secret, hash);
    }
  }

  /** Stands for all who have no room: by their token, or as others; whatever it was about. */
  private static AuditRecord folded(AuditRecord failed) {
    Who who = failed.who();
    return new AuditRecord(
        failed.at(),
        null,
        1,
        new Who(who.tokenId(), who.tokenName(), who.role(), null, "others", null, null),
        failed.operation(),
        new Subject(failed.subject().kind(), null, null, Set.of(), null, null),
        failed.result(),
        Map.of());
  }

  private static Key key(AuditRecord failed, @Nullable String secret) {
    UUID token = failed.who().tokenId();
    String network = network(Objects.requireNonNullElse(failed.who().address(), ""));
    return new Key(
        token == null ? network : token + " " + network,
        failed.operation(),
        failed.result().error(),
        failed.subject().id(),
        secret);
  }

  /** One IPv6 customer has a whole /64. */
  private static String network(String address) {
    if (!address.contains(":")) {
      return address;
    }
    try {
      return InetAddress.ofLiteral(address) instanceof Inet6Address v6
          ? HexFormat.of().formatHex(Arrays.copyOf(v6.getAddress(), 8))
          : address;
    } catch (IllegalArgumentException e) {
      return address;
    }
  }

  private record Due(AuditRecord entry, Map<String, Integer> asked, Map<String, byte[]> hashes) {}

  private synchronized List<Due> due(Instant now, boolean all) {
    List<Due> due = new ArrayList<>();
    tallies
        .values()
        .removeIf(
            tally -> {
              if (!tally.isWritten) {
                tally.isWritten = true;
                due.add(take(tally, tally.first));
              }
              if (!all && now.isBefore(tally.end)) {
                return false;
              }
              if (tally.more == 0) {
                return true;
              }
              due.add(
                  take(
                      tally,
                      tally.first.repeated(
                          Objects.requireNonNull(tally.moreFrom),
                          tally.last,
                          tally.more,
                          Map.of())));
              tally.more = 0;
              tally.moreFrom = null;
              tally.end = now.plus(WINDOW);
              return false;
            });
    return due;
  }

  /** What was collected beside an entry goes with it. */
  private static Due take(Tally tally, AuditRecord entry) {
    Due due = new Due(entry, Map.copyOf(tally.asked), Map.copyOf(tally.hashes));
    tally.asked.clear();
    tally.hashes.clear();
    return due;
  }

  private synchronized List<UUID> takeClosed() {
    List<UUID> taken = List.copyOf(closed);
    closed.clear();
    return taken;
  }

  private void flush() {
    flush(false);
  }

  /** Writes what is due; what cannot be written now is tried again. */
  void flush(boolean all) {
    try {
      unclosed.addAll(takeClosed());
      for (Due due : due(clock.instant(), all)) {
        unsent.add(due.asked().isEmpty() && due.hashes().isEmpty() ? due.entry() : explained(due));
      }
      if (unsent.isEmpty() && unclosed.isEmpty()) {
        return;
      }
      store.close(unclosed, unsent);
      unsent = new ArrayList<>();
      unclosed = new ArrayList<>();
      troubled = false;
    } catch (RuntimeException e) {
      if (!troubled) {
        log.error("Failed requests cannot be added to the audit log; it is tried again", e);
      }
      troubled = true;
      if (unsent.size() > MOST_UNSENT) {
        log.error("{} entries of failed requests are lost to the audit log", unsent.size());
        unsent = new ArrayList<>();
      }
    }
  }

  /** Says which tokens were tried: those that have expired or were revoked are known. */
  private AuditRecord explained(Due due) {
    AuditRecord entry = due.entry();
    Map<String, Object> details = new LinkedHashMap<>(entry.details());
    if (!due.asked().isEmpty()) {
      details.put("asked", due.asked());
    }
    Who who = entry.who();
    if (!due.hashes().isEmpty()) {
      List<Token> known;
      try {
        known = store.tokens(due.hashes().values());
      } catch (RuntimeException e) {
        known = List.of(); // the entry matters more
      }
      Set<String> unknown = new LinkedHashSet<>(due.hashes().keySet());
      List<Map<String, String>> tokens = new ArrayList<>();
      for (Token token : known) {
        unknown.remove(token.hash());
        boolean expired = token.expiresAt() != null && !token.expiresAt().isAfter(entry.at());
        tokens.add(
            Map.of(
                "id",
                token.id().toString(),
                "name",
                Descriptions.clip(token.name()),
                "state",
                token.revokedAt() != null ? "revoked" : expired ? "expired" : "valid"));
      }
      if (!tokens.isEmpty()) {
        details.put("tokens", tokens);
      }
      if (!unknown.isEmpty()) {
        details.put("unknownTokens", unknown.size());
      }
      if (known.size() == 1 && unknown.isEmpty()) {
        Token only = known.getFirst();
        who = who.with(only.id(), Descriptions.clip(only.name()), only.role());
      }
    }
    return new AuditRecord(
        entry.at(),
        entry.until(),
        entry.count(),
        who,
        entry.operation(),
        entry.subject(),
        entry.result(),
        details);
  }

  /** Writes the rest, those too whose window is not over. */
  @Override
  public void close() {
    writer.shutdown();
    try {
      if (!writer.awaitTermination(10, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    flush(true);
  }
}
