package io.peerlens.flow;

import io.peerlens.flow.network.Cidr;
import io.peerlens.flow.network.Network;
import io.peerlens.flow.network.Networks;
import io.peerlens.flow.network.NetworksFile;
import io.peerlens.scope.ScopeReader;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Versions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes of the named networks, checked first. */
final class NetworkService {

  private static final String WHAT = "definition of networks";
  private static final Duration LATELY = Duration.ofDays(1);

  private final NetworkStore store;
  private final SeenAddressQueries seen;
  private final List<Cidr> internalRanges;
  private final InstantSource clock;

  NetworkService(
      NetworkStore store, SeenAddressQueries seen, List<Cidr> internalRanges, InstantSource clock) {
    this.store = store;
    this.seen = seen;
    this.internalRanges = internalRanges;
    this.clock = clock;
  }

  /** Prefixes that are internal unless a network says otherwise. */
  List<Cidr> internalRanges() {
    return internalRanges;
  }

  /**
   * Puts a definition in force.
   *
   * @param ifMatch ETag of the version that the author saw; null when there was none
   */
  void put(String text, NetworksFile.Format format, @Nullable String ifMatch, String author) {
    ScopeReader.storable("body", text);
    NetworkStore.Version newest = store.newest();
    if (newest.number() > 0 || ifMatch != null) {
      Versions.check(WHAT, ifMatch, newest.number(), author(newest));
    }
    try {
      if (store.save(text, format, newest.number(), author, clock.instant()).isEmpty()) {
        // Somebody was faster by a moment.
        NetworkStore.Version other = store.newest();
        Versions.check(WHAT, Versions.tag(newest.number()), other.number(), author(other));
      }
    } catch (NetworksFile.NetworksException e) {
      throw mistakes(e.problems());
    }
  }

  private static String author(NetworkStore.Version version) {
    return version.number() == 0 ? "nobody" : version.changedBy();
  }

  private static ApiException mistakes(List<NetworksFile.Problem> problems) {
    NetworksFile.Problem first = problems.getFirst();
    ApiException problem =
        ApiException.of(
            ErrorCode.INVALID_BODY, "Line " + first.line() + ": " + first.message() + ".");
    for (NetworksFile.Problem one : problems) {
      problem = problem.field("line " + one.line(), one.message());
    }
    return problem.hint(
        "POST the file to /api/v1/networks/preview until it has no errors; GET"
            + " /api/v1/networks/content returns the stored file, or an example.");
  }

  /** Puts an earlier definition in force again. */
  void restore(long version, @Nullable String ifMatch, String author) {
    NetworkStore.Version earlier =
        store
            .find(version)
            .orElseThrow(
                () ->
                    ApiException.notFound("version", version)
                        .hint("GET /api/v1/networks/history lists those that there are."));
    NetworkStore.Version newest = store.newest();
    Versions.check(WHAT, ifMatch, newest.number(), author(newest));
    put(earlier.text(), earlier.format(), ifMatch, author);
  }

  /**
   * Definition of networks, read and checked, and nothing stored.
   *
   * @param problems what is wrong; empty = it can be stored
   * @param networks empty when something is wrong
   */
  record Preview(
      List<NetworksFile.Problem> problems,
      List<Network> networks,
      SeenAddressQueries.Difference difference) {}

  /** Reads a definition and stores nothing; what is wrong changes nothing. */
  Preview preview(String text, NetworksFile.Format format) {
    List<NetworksFile.Problem> problems = List.of();
    List<Network> networks = List.of();
    Networks before = Networks.of(store.newest().networks(), internalRanges);
    Networks after = before;
    try {
      networks = NetworksFile.parse(text, format);
      after = Networks.of(networks, internalRanges);
    } catch (NetworksFile.NetworksException e) {
      problems = e.problems();
    }
    return new Preview(
        problems, networks, seen.compare(before, after, clock.instant().minus(LATELY)));
  }
}
