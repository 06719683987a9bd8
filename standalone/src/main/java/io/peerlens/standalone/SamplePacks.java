package io.peerlens.standalone;

import java.io.IOException;
import java.util.List;

/**
 * Super metrics for the sample datacentre, so that there is something to see on the first visit:
 * packs that compute from what it reports. They are installed through the API like by anybody else,
 * and only where there never was a super metric, so that what was deleted stays deleted.
 */
final class SamplePacks {

  private static final List<String> PACKS = List.of("vm-basics", "cluster-capacity");

  private SamplePacks() {}

  /**
   * Installs the packs if this is the first time.
   *
   * @return how many super metrics were installed
   */
  static int install(ApiClient api) throws IOException, InterruptedException {
    if (api.superMetrics("limit=1") + api.superMetrics("limit=1&state=deleted") > 0) {
      return 0;
    }
    int installed = 0;
    for (String pack : PACKS) {
      installed += api.installPack(pack);
    }
    return installed;
  }
}
