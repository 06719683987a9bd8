package io.peerlens.source.vcenter;

import io.peerlens.vcenter.inventory.Inventory;
import io.peerlens.vcenter.inventory.UnreferencedDisks;
import io.peerlens.vcenter.vim.DatastoreSearch;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.VimClient;
import io.peerlens.vcenter.vim.VimException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reading of the files of datastores, once a day each and a few at a time: vCenter has a host go
 * through all folders, which may take minutes. What goes wrong with a datastore is told of it, and
 * it is tried again after an hour. Outlives sessions, so that a new one does not begin anew. Not
 * thread-safe.
 */
final class DatastoreFileReading {

  /** Searches at a time: a thousand datastores a day would need one every 86 seconds. */
  static final int AT_ONCE = 4;

  /** Files of one datastore; VMFS has fewer than 131,000 (VMware's configuration maximums). */
  static final int MOST_FILES = 1_000_000;

  private static final Duration EVERY = Duration.ofDays(1);
  private static final Duration AFTER_TROUBLE = Duration.ofHours(1);
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final Duration LOOK = Duration.ofSeconds(10);

  /** Disks, and the configurations of machines beside which one may lie. */
  private static final List<String> PATTERNS = List.of("*.vmdk", "*.vmx", "*.vmtx");

  private final Map<Moref, UnreferencedDisks> found = new HashMap<>();
  private final Map<Moref, Instant> next = new HashMap<>();
  private final Map<Moref, Running> running = new LinkedHashMap<>();
  private @Nullable VimClient session;
  private Instant look = Instant.MIN;

  private record Running(DatastoreSearch search, Instant since) {}

  /**
   * Takes what searches found, and begins others that are due. Does nothing for some seconds after
   * it was done.
   *
   * @param all with the machines as they are now
   * @return whether anything is known anew
   */
  boolean round(VimClient client, Instant now, Inventory all) {
    if (now.isBefore(look)) {
      return false;
    }
    look = now.plus(LOOK);
    if (session != client) {
      running.clear();
      session = client;
    }
    Map<Moref, String> datastores = all.datastores();
    boolean news = found.keySet().retainAll(datastores.keySet());
    next.keySet().retainAll(datastores.keySet());
    Iterator<Map.Entry<Moref, Running>> each = running.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<Moref, Running> one = each.next();
      Moref datastore = one.getKey();
      UnreferencedDisks told;
      try {
        told = look(one.getValue(), datastore, now, all);
      } catch (VimException e) {
        told = UnreferencedDisks.failed(words(e));
      }
      if (told != null) {
        each.remove();
        if (datastores.containsKey(datastore)) {
          keep(datastore, told, now);
          news = true;
        }
      }
    }
    List<Moref> due =
        datastores.keySet().stream()
            .filter(datastore -> !running.containsKey(datastore))
            .filter(datastore -> !now.isBefore(next.getOrDefault(datastore, Instant.MIN)))
            .sorted(Comparator.comparing(datastore -> next.getOrDefault(datastore, Instant.MIN)))
            .limit(AT_ONCE - running.size())
            .toList();
    for (Moref datastore : due) {
      try {
        String name = String.valueOf(datastores.get(datastore));
        running.put(
            datastore, new Running(DatastoreSearch.start(client, datastore, name, PATTERNS), now));
      } catch (VimException e) {
        keep(datastore, UnreferencedDisks.failed(words(e)), now);
        news = true;
      }
    }
    return news;
  }

  /** What is known of all datastores that were asked for. */
  Map<Moref, UnreferencedDisks> found() {
    return found;
  }

  private static @Nullable UnreferencedDisks look(
      Running one, Moref datastore, Instant now, Inventory all) throws VimException {
    switch (one.search().state()) {
      case FOUND -> {
        UnreferencedDisks.Listing listing = new UnreferencedDisks.Listing();
        try {
          one.search().files(MOST_FILES, listing::add);
        } catch (DatastoreSearch.TooManyException e) {
          return UnreferencedDisks.failed(
              "It has more than %,d files of disks and machines, which is more than is read."
                  .formatted(MOST_FILES));
        }
        return listing.without(all.ownersOn(datastore), now);
      }
      case FAILED -> {
        String why = one.search().trouble();
        return UnreferencedDisks.failed(
            "vCenter could not list its files" + (why.isEmpty() ? "." : ": " + why));
      }
      case RUNNING -> {
        if (now.isBefore(one.since().plus(LONGEST))) {
          return null;
        }
        one.search().cancel();
        return UnreferencedDisks.failed(
            "vCenter did not list its files within %d minutes.".formatted(LONGEST.toMinutes()));
      }
    }
    throw new IllegalStateException();
  }

  private void keep(Moref datastore, UnreferencedDisks told, Instant now) {
    UnreferencedDisks before = found.get(datastore);
    found.put(datastore, before == null ? told : told.or(before));
    next.put(datastore, now.plus(told.listedAt() == null ? AFTER_TROUBLE : EVERY));
  }

  private static String words(VimException trouble) {
    return trouble instanceof VimException.Fault fault && fault.type().equals("NoPermission")
        ? "The account may not browse this datastore: it lacks the privilege Datastore.Browse."
        : "vCenter did not list its files: " + trouble.getMessage();
  }
}
