package io.peerlens.flow;

import io.peerlens.flow.network.AddressBook;
import io.peerlens.flow.network.Cidr;
import io.peerlens.flow.network.Networks;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Addresses and networks with which flows are resolved, read again when the inventory or the
 * networks have changed. All consumers of a process share one; thread-safe.
 */
final class FlowLookups {

  private static final Logger log = LoggerFactory.getLogger(FlowLookups.class);

  /** Addresses and networks that belong together. */
  record Current(AddressBook addresses, Networks networks) {}

  private final AddressQueries addresses;
  private final NetworkStore networks;
  private final List<Cidr> internalRanges;
  private final Duration refresh;
  private final Duration lately;
  private final InstantSource clock;

  private Current current;
  private long lookedAt;
  private boolean read;
  private long inventoryVersion;
  private long networksVersion;

  /**
   * @param refresh how often changes are looked for
   * @param lately how far back flows are taken in
   */
  FlowLookups(
      AddressQueries addresses,
      NetworkStore networks,
      List<Cidr> internalRanges,
      Duration refresh,
      Duration lately,
      InstantSource clock) {
    this.addresses = addresses;
    this.networks = networks;
    this.internalRanges = internalRanges;
    this.refresh = refresh;
    this.lately = lately;
    this.clock = clock;
    current = new Current(AddressBook.empty(), Networks.of(List.of(), internalRanges));
  }

  /** Addresses and networks of the last look; asks the database at most once in a while. */
  synchronized Current current() {
    long now = clock.millis();
    if (read && now >= lookedAt && now - lookedAt < refresh.toMillis()) {
      return current;
    }
    long newInventory = addresses.version();
    long newNetworks = networks.newestNumber();
    boolean addressesChanged = !read || newInventory != inventoryVersion;
    boolean networksChanged = !read || newNetworks != networksVersion;
    if (addressesChanged || networksChanged) {
      NetworkStore.Version version = networksChanged ? networks.newest() : null;
      Networks named =
          version == null ? current.networks : Networks.of(version.networks(), internalRanges);
      AddressBook book =
          addressesChanged ? addresses.read(clock.instant(), lately) : current.addresses;
      if (version != null && version.number() != 0) {
        log.info("Flows use version {} of the named networks", version.number());
      }
      if (book.conflictCount() > 0 && book.conflictCount() != current.addresses.conflictCount()) {
        log.warn(
            "{} times two objects say that they have one address, for instance: {}",
            book.conflictCount(),
            book.conflicts().getFirst());
      }
      current = new Current(book, named);
      inventoryVersion = newInventory;
      networksVersion = version == null ? newNetworks : version.number();
    }
    read = true;
    lookedAt = now;
    return current;
  }
}
