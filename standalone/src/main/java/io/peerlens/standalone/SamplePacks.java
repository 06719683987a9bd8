package io.peerlens.standalone;

import io.peerlens.standalone.sample.SampleGroups;
import io.peerlens.standalone.sample.SampleNetworks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Super metrics, rules, groups of peers, networks and dashboards for the sample datacentre, so that
 * there is something to see on the first visit: packs that work with what it reports, and its
 * tiers. They are installed through the API like by anybody else, and only where there never was a
 * super metric, so that what was deleted stays deleted. A file says that it was begun, so that a
 * start that was cut off is made up for by the next.
 */
final class SamplePacks {

  private static final List<String> SUPER_METRICS = List.of("vm-basics", "cluster-capacity");
  private static final List<String> RULES =
      List.of("vm-basics", "learned-bounds", "benchmark-drift");

  private static final List<String> DASHBOARDS =
      List.of("vsphere", "vsan", "network", "outliers", "ingest");

  private SamplePacks() {}

  /**
   * Definitions that were installed.
   *
   * @param rules thresholds and alert definitions
   * @param groups of peers
   */
  record Installed(int superMetrics, int rules, int groups) {}

  /**
   * Installs the packs if this is the first time. What a busy service does not answer is asked
   * again for some minutes; to ask twice changes nothing.
   *
   * @param begun a file that is there while it is not finished
   * @param pause between two attempts
   * @param waiting told what is waited for, once
   * @throws IOException when the service refuses something, or has not answered for long
   */
  static Installed install(ApiClient api, Path begun, Duration pause, Consumer<String> waiting)
      throws IOException, InterruptedException {
    Patience patience = new Patience(pause, waiting);
    if (!Files.exists(begun)) {
      if (patience.ask(() -> api.superMetrics("limit=1")) > 0
          || patience.ask(() -> api.superMetrics("limit=1&state=deleted")) > 0) {
        return new Installed(0, 0, 0);
      }
      Files.createFile(begun);
    }
    // First of all, since flows keep the names that were known when they came.
    patience.ask(
        () -> {
          try {
            api.defineNetworks(SampleNetworks.file());
          } catch (ApiClient.ApiFailure e) {
            if (e.status() != 428) { // there are some: an attempt that was not answered made them
              throw e;
            }
          }
          return 0;
        });
    int superMetrics = 0;
    for (String pack : SUPER_METRICS) {
      superMetrics += patience.ask(() -> api.installPack(pack));
    }
    int rules = 0;
    for (String pack : RULES) {
      rules += patience.ask(() -> api.installRulePack(pack));
    }
    int groups = patience.ask(() -> api.importRules(SampleGroups.rulesFile()));
    for (String pack : DASHBOARDS) {
      patience.ask(() -> api.installDashboardPack(pack));
    }
    Files.delete(begun);
    return new Installed(superMetrics, rules, groups);
  }

  /** Request to the service. */
  private interface Request<T> {
    T send() throws IOException, InterruptedException;
  }

  /** Retry of a request that the service was too busy to answer. */
  private static final class Patience {
    private static final int ATTEMPTS = 40;

    private final Duration pause;
    private final Consumer<String> waiting;
    private int failed;

    Patience(Duration pause, Consumer<String> waiting) {
      this.pause = pause;
      this.waiting = waiting;
    }

    <T> T ask(Request<T> request) throws IOException, InterruptedException {
      while (true) {
        try {
          return request.send();
        } catch (IOException e) {
          if (!isBusy(e) || ++failed == ATTEMPTS) {
            throw e;
          }
          if (failed == 1) {
            waiting.accept(String.valueOf(e.getMessage()));
          }
          Thread.sleep(pause);
        }
      }
    }

    private static boolean isBusy(IOException e) {
      return !(e instanceof ApiClient.ApiFailure failure)
          || failure.status() == 429
          || failure.status() >= 500;
    }
  }
}
