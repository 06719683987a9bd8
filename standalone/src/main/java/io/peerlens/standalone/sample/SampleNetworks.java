package io.peerlens.standalone.sample;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The networks of the sample datacentre: one for each tier, one for the hosts, one for people. */
public final class SampleNetworks {

  private static final int FIRST_VLAN = 100;

  private SampleNetworks() {}

  /** The definition, YAML. */
  public static byte[] file() {
    StringBuilder text =
        new StringBuilder(
            "# Networks of the sample datacentre: the longest prefix wins.\nnetworks:\n");
    network(text, "management", "10.10.0.0/16", 10, "Hosts and switches");
    network(
        text, FlowRecords.OFFICE, FlowRecords.OFFICE_NETWORK + ".0/24", 30, "Desks in the office");
    for (Tier tier : Tier.ALL) {
      network(
          text,
          tier.app() + "-" + tier.tier(),
          Inventory.network(tier) + ".0/24",
          FIRST_VLAN + Tier.ALL.indexOf(tier),
          "Machines of the tier %s of %s".formatted(tier.tier(), tier.app()));
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void network(
      StringBuilder text, String name, String range, int vlan, String description) {
    text.append(
        String.format(
            Locale.ROOT,
            """
              - name: %s
                cidrs: [%s]
                internal: true
                vlan: %d
                description: %s
            """,
            name,
            range,
            vlan,
            description));
  }
}
