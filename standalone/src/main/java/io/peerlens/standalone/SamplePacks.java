package io.peerlens.standalone;

import io.peerlens.standalone.sample.SampleGroups;
import io.peerlens.standalone.sample.SampleNetworks;
import java.io.IOException;
import java.util.List;

/**
 * Super metrics, rules, groups of peers and networks for the sample datacentre, so that there is
 * something to see on the first visit: packs that work with what it reports, and its tiers. They
 * are installed through the API like by anybody else, and only where there never was a super
 * metric, so that what was deleted stays deleted.
 */
final class SamplePacks {

  private static final List<String> SUPER_METRICS = List.of("vm-basics", "cluster-capacity");
  private static final List<String> RULES = List.of("vm-basics", "learned-bounds");

  private SamplePacks() {}

  /**
   * What was installed.
   *
   * @param rules thresholds and alert definitions
   * @param groups of peers
   */
  record Installed(int superMetrics, int rules, int groups) {}

  /** Installs the packs if this is the first time. */
  static Installed install(ApiClient api) throws IOException, InterruptedException {
    if (api.superMetrics("limit=1") + api.superMetrics("limit=1&state=deleted") > 0) {
      return new Installed(0, 0, 0);
    }
    // First of all, since flows keep the names that were known when they came.
    api.defineNetworks(SampleNetworks.file());
    int superMetrics = 0;
    for (String pack : SUPER_METRICS) {
      superMetrics += api.installPack(pack);
    }
    int rules = 0;
    for (String pack : RULES) {
      rules += api.installRulePack(pack);
    }
    return new Installed(superMetrics, rules, api.importRules(SampleGroups.rulesFile()));
  }
}
