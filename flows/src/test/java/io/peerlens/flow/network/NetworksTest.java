package io.peerlens.flow.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.flow.decode.Flow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class NetworksTest {

  private static Network network(String name, @Nullable Boolean internal, String... cidrs) {
    return new Network(
        name, List.of(cidrs).stream().map(Cidr::parse).toList(), internal, null, null, null);
  }

  private static Networks networks(Network... named) {
    return Networks.of(List.of(named), Networks.DEFAULT_INTERNAL);
  }

  private static String name(Networks networks, String address) {
    Addresses a = Flow.address(address);
    Network found = networks.network(networks.find(a.high(), a.low()));
    return found == null ? "-" : found.name();
  }

  private static boolean internal(Networks networks, String address, boolean owned) {
    Addresses a = Flow.address(address);
    return networks.internal(networks.find(a.high(), a.low()), owned);
  }

  @Test
  void theLongestPrefixWins() {
    Networks networks =
        networks(
            network("all", null, "10.0.0.0/8", "fd00::/8"),
            network("web", null, "10.77.2.0/24", "fd00:77:2::/64"),
            network("gateway", null, "10.77.2.1"),
            network("next", null, "10.77.3.0/24"));

    assertThat(name(networks, "10.77.2.13")).isEqualTo("web");
    assertThat(name(networks, "10.77.2.1")).isEqualTo("gateway");
    assertThat(name(networks, "10.77.2.0")).isEqualTo("web");
    assertThat(name(networks, "10.77.2.255")).isEqualTo("web");
    assertThat(name(networks, "10.77.3.0")).isEqualTo("next");
    assertThat(name(networks, "10.77.4.0")).isEqualTo("all");
    assertThat(name(networks, "10.255.255.255")).isEqualTo("all");
    assertThat(name(networks, "11.0.0.0")).isEqualTo("-");
    assertThat(name(networks, "9.255.255.255")).isEqualTo("-");
    assertThat(name(networks, "fd00:77:2::9")).isEqualTo("web");
    assertThat(name(networks, "fd00:77:2:1::9")).isEqualTo("all");
    assertThat(name(networks, "fc00::")).isEqualTo("-");
  }

  @Test
  void withoutNetworksPrivateAddressesAreInternal() {
    Networks networks = Networks.unnamed();
    for (String inside :
        List.of(
            "10.0.0.0",
            "10.255.255.255",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "100.64.0.1",
            "169.254.1.1",
            "fd00::1",
            "fe80::1")) {
      assertThat(internal(networks, inside, false)).as(inside).isTrue();
    }
    for (String outside : List.of("8.8.8.8", "172.32.0.0", "100.128.0.0", "2001:db8::1", "::1")) {
      assertThat(internal(networks, outside, false)).as(outside).isFalse();
    }
  }

  @Test
  void aNetworkSaysWhetherItIsInternalAndElseTheRangesDo() {
    Networks networks =
        networks(
            network("ours", true, "198.51.100.0/24"),
            network("partner", false, "10.99.0.0/16"),
            network("lab", null, "10.99.5.0/24"),
            network("named only", null, "10.1.0.0/16", "203.0.113.0/24"));

    assertThat(internal(networks, "198.51.100.7", false)).isTrue();
    assertThat(internal(networks, "10.99.1.1", false)).isFalse();
    assertThat(internal(networks, "10.99.5.1", false)).isFalse(); // as the network around it
    assertThat(internal(networks, "10.1.0.1", false)).isTrue();
    assertThat(internal(networks, "203.0.113.1", false)).isFalse();
  }

  @Test
  void anAddressOfAnObjectIsInternalUnlessANetworkSaysOtherwise() {
    Networks networks = networks(network("partner", false, "203.0.113.0/24"));
    assertThat(internal(networks, "198.51.100.7", true)).isTrue();
    assertThat(internal(networks, "203.0.113.7", true)).isFalse();
  }

  @Test
  void aNetworkAsWideAsAnInternalRangeHasTheLastWord() {
    Networks networks = networks(network("not ours", false, "192.168.0.0/16"));
    assertThat(internal(networks, "192.168.1.1", false)).isFalse();
    assertThat(internal(networks, "10.0.0.1", false)).isTrue();
  }

  @Test
  void allOfIpv6DoesNotTakeInIpv4() {
    Networks networks = networks(network("six", true, "::/0"));
    assertThat(name(networks, "2001:db8::1")).isEqualTo("six");
    assertThat(name(networks, "8.8.8.8")).isEqualTo("-");
    assertThat(internal(networks, "8.8.8.8", false)).isFalse();
    assertThat(internal(networks, "10.0.0.1", false)).isTrue();
    Networks both = networks(network("six", null, "::/0"), network("four", null, "0.0.0.0/0"));
    assertThat(name(both, "8.8.8.8")).isEqualTo("four");
    assertThat(name(both, "255.255.255.255")).isEqualTo("four");
    assertThat(name(both, "::fffe:ffff:ffff")).isEqualTo("six");
    assertThat(name(both, "::1:0:0:0")).isEqualTo("six");
    assertThat(name(both, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")).isEqualTo("six");
  }

  @Test
  void aRangeCanHaveOneNameOnly() {
    assertThatThrownBy(
            () -> networks(network("a", null, "10.1.0.0/16"), network("b", null, "10.1.0.0/16")))
        .hasMessage(
            "10.1.0.0/16 is in network 'a' and again in 'b': a range can have one name only");
  }

  @RepeatedTest(value = 30, name = "seed {currentRepetition}")
  void lookUpsAgreeWithAPlainSearch(RepetitionInfo seed) {
    SplittableRandom random = new SplittableRandom(seed.getCurrentRepetition());
    List<Network> named = new ArrayList<>();
    Set<Cidr> taken = new HashSet<>();
    for (int i = 0; i < 60; i++) {
      Cidr cidr = cidr(random);
      if (taken.add(cidr)) {
        Boolean internal = random.nextBoolean() ? null : random.nextBoolean();
        named.add(new Network("n" + i, List.of(cidr), internal, null, null, null));
      }
    }
    Networks networks = Networks.of(named, Networks.DEFAULT_INTERNAL);
    for (int i = 0; i < 2_000; i++) {
      Addresses a = address(random, named);
      Network best =
          named.stream()
              .filter(n -> covers(n.cidrs().getFirst(), a))
              .max(Comparator.comparingInt(n -> n.cidrs().getFirst().length()))
              .orElse(null);
      int span = networks.find(a.high(), a.low());
      assertThat(networks.network(span)).isSameAs(best);

      int said = -1;
      boolean internal = false;
      for (Cidr range : Networks.DEFAULT_INTERNAL) {
        if (covers(range, a) && range.length() > said) {
          said = range.length();
          internal = true;
        }
      }
      for (Network n : named) {
        Boolean itSays = n.internal();
        Cidr range = n.cidrs().getFirst();
        if (itSays != null && covers(range, a) && range.length() >= said) {
          said = range.length();
          internal = itSays;
        }
      }
      assertThat(networks.internal(span, false))
          .as(Addresses.text(a.high(), a.low()))
          .isEqualTo(internal);
    }
  }

  private static boolean covers(Cidr cidr, Addresses a) {
    return Addresses.isV4(a.high(), a.low())
            == (Addresses.isV4(cidr.high(), cidr.low()) && cidr.length() >= 96)
        && cidr.contains(a.high(), a.low());
  }

  private static Cidr cidr(SplittableRandom random) {
    int length = random.nextInt(33);
    boolean v4 = random.nextBoolean();
    if (!v4) {
      length = random.nextInt(129);
    }
    String text =
        v4
            ? "%d.%d.%d.%d"
                .formatted(
                    random.nextInt(9, 12),
                    random.nextInt(3),
                    random.nextInt(3),
                    random.nextInt(256))
            : "fd%02x:%x::%x".formatted(random.nextInt(3), random.nextInt(3), random.nextInt(9));
    try {
      return Cidr.parse(text + "/" + length);
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      return Cidr.parse(message.replaceFirst(".*write (\\S+) for the range.*", "$1"));
    }
  }

  /** An address in or at the edge of a network. */
  private static Addresses address(SplittableRandom random, List<Network> named) {
    Cidr cidr = named.get(random.nextInt(named.size())).cidrs().getFirst();
    long low =
        switch (random.nextInt(4)) {
          case 0 -> cidr.low();
          case 1 -> cidr.lastLow();
          case 2 -> cidr.low() - 1;
          default -> cidr.lastLow() + 1;
        };
    return Flow.address(Addresses.text(cidr.high(), low));
  }
}
