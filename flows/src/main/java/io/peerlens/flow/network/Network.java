package io.peerlens.flow.network;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A network that the user has given a name.
 *
 * @param name what pages and reports call it; unique among the networks
 * @param cidrs its ranges, at least one
 * @param internal whether its traffic is the user's own; null = as the internal ranges say
 * @param vlan 1..4094; null = not said
 * @param site where it is; null = not said
 * @param description for people; null = none
 */
public record Network(
    String name,
    List<Cidr> cidrs,
    @Nullable Boolean internal,
    @Nullable Integer vlan,
    @Nullable String site,
    @Nullable String description) {

  public Network {
    cidrs = List.copyOf(cidrs);
  }
}
