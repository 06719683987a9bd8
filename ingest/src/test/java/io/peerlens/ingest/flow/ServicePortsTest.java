package io.peerlens.ingest.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServicePortsTest {

  private static final int NO_ICMP = -1;

  @ParameterizedTest
  @CsvSource({
    // protocol, from, to, service, towards it
    "6, 49358, 80, 80, true",
    "6, 80, 49358, 80, false",
    "6, 40000, 8080, 8080, true",
    "6, 8080, 5000, 8080, false", // the known one, although the other is smaller
    "6, 30000, 20001, 20001, true", // none is known: the smaller one
    "6, 443, 8443, 443, false", // both are: the smaller one
    "6, 0, 40000, 40000, true", // 0 says nothing
    "17, 38333, 53, 53, true",
    "17, 5353, 60000, 5353, false",
    "6, 4789, 3000, 3000, true", // VXLAN is known for UDP, Grafana for TCP
    "17, 3000, 4789, 4789, true",
  })
  void theSideWithTheWellKnownPortIsTheService(
      int protocol, int from, int to, int service, boolean towards) {
    assertThat(ServicePorts.port(protocol, from, to, NO_ICMP)).isEqualTo(service);
    assertThat(ServicePorts.towardsService(protocol, from, to, NO_ICMP, true)).isEqualTo(towards);
    assertThat(ServicePorts.towardsService(protocol, from, to, NO_ICMP, false)).isEqualTo(towards);
  }

  @Test
  void bothDirectionsOfAConversationAgreeOnTheService() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 100_000; i++) {
      int protocol = random.nextBoolean() ? Protocols.TCP : Protocols.UDP;
      int a = random.nextInt(10) == 0 ? random.nextInt(2000) : random.nextInt(65_536);
      int b = random.nextInt(10) == 0 ? a : random.nextInt(65_536);
      boolean aFirst = random.nextBoolean();
      assertThat(ServicePorts.port(protocol, a, b, NO_ICMP))
          .isEqualTo(ServicePorts.port(protocol, b, a, NO_ICMP));
      assertThat(ServicePorts.towardsService(protocol, a, b, NO_ICMP, !aFirst))
          .as("%d to %d", a, b)
          .isNotEqualTo(ServicePorts.towardsService(protocol, b, a, NO_ICMP, aFirst));
    }
  }

  @Test
  void icmpHasItsTypeAndCodeForAPortAndRepliesComeFromTheService() {
    int echo = 8 * 256;
    assertThat(ServicePorts.port(Protocols.ICMP, 0, 0, echo)).isEqualTo(echo);
    assertThat(ServicePorts.towardsService(Protocols.ICMP, 0, 0, echo, false)).isTrue();
    assertThat(ServicePorts.towardsService(Protocols.ICMP, 0, 0, 0, true)).isFalse();
    assertThat(ServicePorts.towardsService(Protocols.ICMP6, 0, 0, 129 * 256, true)).isFalse();
    assertThat(ServicePorts.name(Protocols.ICMP, echo)).isEqualTo("echo");
    assertThat(ServicePorts.name(Protocols.ICMP6, 129 * 256)).isEqualTo("echo-reply");
  }

  @Test
  void protocolsWithoutPortsHaveNone() {
    assertThat(ServicePorts.port(47, 1234, 80, NO_ICMP)).isZero();
    assertThat(ServicePorts.towardsService(47, 1234, 80, NO_ICMP, true)).isTrue();
    assertThat(ServicePorts.towardsService(47, 1234, 80, NO_ICMP, false)).isFalse();
  }

  @Test
  void servicesHaveNamesByProtocol() {
    assertThat(ServicePorts.name(Protocols.TCP, 443)).isEqualTo("https");
    assertThat(ServicePorts.name(Protocols.TCP, 5432)).isEqualTo("postgresql");
    assertThat(ServicePorts.name(Protocols.UDP, 514)).isEqualTo("syslog");
    assertThat(ServicePorts.name(Protocols.TCP, 514)).isEqualTo("rsh");
    assertThat(ServicePorts.name(Protocols.UDP, 5432)).isNull();
    assertThat(ServicePorts.name(47, 0)).isNull();
  }

  @Test
  void noPortThatClientsGetIsTakenForAService() {
    for (int port = 32_768; port < 65_536; port++) {
      assertThat(ServicePorts.known(Protocols.TCP, port)).as("TCP %d", port).isFalse();
      assertThat(ServicePorts.known(Protocols.UDP, port)).as("UDP %d", port).isFalse();
    }
    assertThat(ServicePorts.known(Protocols.TCP, 0)).isFalse();
  }
}
