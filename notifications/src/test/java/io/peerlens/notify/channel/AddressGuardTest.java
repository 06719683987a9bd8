package io.peerlens.notify.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {

  private static final HostResolver NOBODY =
      name -> {
        throw new AssertionError("looked up " + name);
      };

  private static AddressGuard guard(HostResolver resolver, String... allow) {
    return new AddressGuard(new EgressProperties(List.of(allow), List.of(), List.of()), resolver);
  }

  private static HostResolver answers(String... addresses) {
    return name -> List.of(addresses).stream().map(InetAddress::ofLiteral).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "8.8.8.8",
        "1.1.1.1",
        "172.15.255.255",
        "172.32.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "192.0.1.1",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "2606:4700::1111",
        "[2606:4700::1111]",
        "2a00:1450:4001:80b::200e"
      })
  void globalAddressesAreAllowed(String address) throws Exception {
    AddressGuard.Destination destination = guard(NOBODY).resolve(address, 443);
    assertThat(destination.addresses()).hasSize(1);
    assertThat(destination.inClear()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.255.255.254",
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.127.255.255",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "192.0.0.1",
        "192.0.2.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.9",
        "192.88.99.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "[::1]",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:7f00:1",
        "::127.0.0.1",
        "::ffff:0:127.0.0.1",
        "64:ff9b::127.0.0.1",
        "64:ff9b::8.8.8.8",
        "64:ff9b:1::10.0.0.1",
        "2002:7f00:1::",
        "2002:a00:1::1",
        "2002:808:808::",
        "2001:0:5ef5:79fd::1",
        "2a00::5efe:10.0.0.1",
        "2a00::200:5efe:127.0.0.1",
        "2001:db8::1",
        "3fff::1",
        "2001:2::1",
        "2001:10::1",
        "100::1",
        "fc00::1",
        "fd00:ec2::254",
        "fd20:ce::254",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "ff02::1",
        "5f00::1"
      })
  void everythingElseIsRefused(String address) {
    assertThatThrownBy(() -> guard(NOBODY).resolve(address, 443))
        .isInstanceOf(EgressRefusedException.class)
        .hasMessageContaining("peerlens.notify.egress.allow");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2130706433",
        "017700000001",
        "0x7f000001",
        "0x7F.0.0.1",
        "0177.0.0.1",
        "127.1",
        "127.0.1",
        "127.0.0.01",
        "00127.0.0.1",
        "127.0.0.256",
        "1.2.3.4.5",
        "127.0.0.0x1",
        "example.0x1",
        "example.7",
        "0x",
        "fe80::1%eth0",
        "fe80::1%1",
        "[fe80::1%25eth0]",
        "[::1",
        "::g",
        "1:2",
        "",
        ".",
        "a..b",
        "a b",
        "a@b",
        "a/b",
        "-a.example",
        "exa%6dple.com",
        "a\u0000b"
      })
  void oddFormsOfHostsAreRefusedBeforeAnyLookUp(String host) {
    assertThatThrownBy(() -> guard(NOBODY, "127.0.0.0/8", "::/0").resolve(host, 443))
        .isInstanceOf(EgressRefusedException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "１２７.0.0.1, 127.0.0.1", // full-width digits
    "127。0。0。1, 127.0.0.1", // full stops of other scripts
    "127.0.0.1., 127.0.0.1"
  })
  void unusualNotationsOfAddressesAreCheckedAsAddresses(String host, String address) {
    assertThatThrownBy(() -> guard(NOBODY).resolve(host, 443))
        .isInstanceOf(EgressRefusedException.class)
        .hasMessageContaining(address);
  }

  @Test
  void oneBadAddressAmongGoodOnesIsEnoughToRefuse() {
    assertThatThrownBy(
            () ->
                guard(answers("8.8.8.8", "2606:4700::1111", "10.0.0.5")).resolve("h.example", 443))
        .isInstanceOf(EgressRefusedException.class)
        .hasMessageContaining("10.0.0.5");
  }

  @Test
  void aNameIsLookedUpOnceAndItsAddressesAreGiven() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    // A name server that lies the second time.
    AddressGuard guard =
        guard(
            name ->
                List.of(
                    InetAddress.ofLiteral(asked.incrementAndGet() == 1 ? "8.8.8.8" : "127.0.0.1")));
    assertThat(guard.resolve("rebind.example", 443).addresses())
        .containsExactly(InetAddress.ofLiteral("8.8.8.8"));
    assertThat(asked).hasValue(1);
    assertThatThrownBy(() -> guard.resolve("rebind.example", 443))
        .isInstanceOf(EgressRefusedException.class);
  }

  @Test
  void theAdministratorCanAllowNetworksAndNames() throws Exception {
    AddressGuard guard =
        guard(answers("10.1.2.3"), "10.1.0.0/16", "fc00::/7", "*.corp.example", "relay");
    assertThat(guard.resolve("10.1.2.3", 80).inClear()).isTrue();
    assertThat(guard.resolve("fd12::5", 80).inClear()).isTrue();
    assertThat(guard.resolve("Relay", 25).inClear()).isTrue();
    assertThat(guard.resolve("mail.corp.example", 25).name()).isEqualTo("mail.corp.example");
    assertThatThrownBy(() -> guard.resolve("10.2.0.1", 80))
        .isInstanceOf(EgressRefusedException.class);
    assertThatThrownBy(
            () -> guard(answers("192.168.0.1"), "*.corp.example").resolve("notcorp.example", 80))
        .isInstanceOf(EgressRefusedException.class);
    assertThat(guard(answers("10.1.2.3"), "10.0.0.0/8").resolve("whatever.example", 80).inClear())
        .isTrue();
  }

  @Test
  void anAllowedNameDoesNotLeadToSpecialAddresses() {
    for (String address :
        List.of("169.254.1.1", "169.254.169.254", "224.0.0.1", "0.0.0.0", "fe80::1")) {
      assertThatThrownBy(() -> guard(answers(address), "relay").resolve("relay", 25))
          .as(address)
          .isInstanceOf(EgressRefusedException.class);
    }
  }

  @Test
  void metadataServicesAreAllowedOnlyByTheirExactAddress() throws Exception {
    assertThatThrownBy(() -> guard(NOBODY, "100.64.0.0/10").resolve("100.100.100.200", 80))
        .isInstanceOf(EgressRefusedException.class)
        .hasMessageContaining("metadata");
    assertThatThrownBy(() -> guard(NOBODY, "0.0.0.0/0").resolve("169.254.169.254", 80))
        .isInstanceOf(EgressRefusedException.class);
    assertThat(guard(NOBODY, "169.254.169.254").resolve("169.254.169.254", 80).addresses())
        .hasSize(1);
  }

  @Test
  void aGatewayThatIsAllowedDoesNotLeadToPrivateAddresses() throws Exception {
    AddressGuard guard = guard(NOBODY, "64:ff9b::/96");
    assertThat(guard.resolve("64:ff9b::8.8.8.8", 443).addresses()).hasSize(1);
    assertThatThrownBy(() -> guard.resolve("64:ff9b::10.0.0.1", 443))
        .isInstanceOf(EgressRefusedException.class);
    assertThatThrownBy(() -> guard.resolve("64:ff9b::169.254.169.254", 443))
        .isInstanceOf(EgressRefusedException.class);
  }

  @Test
  void aDeniedAddressStaysDeniedWhateverIsAllowed() throws Exception {
    AddressGuard guard =
        new AddressGuard(
            new EgressProperties(
                List.of("10.0.0.0/8", "*.example"),
                List.of("10.9.0.0/16", "bad.example", "8.8.4.4"),
                List.of()),
            answers("10.1.1.1"));
    assertThat(guard.resolve("good.example", 443).addresses()).hasSize(1);
    for (String host : List.of("10.9.1.1", "bad.example", "BAD.example.", "8.8.4.4")) {
      assertThatThrownBy(() -> guard.resolve(host, 443))
          .as(host)
          .isInstanceOf(EgressRefusedException.class)
          .hasMessageContaining("peerlens.notify.egress.deny");
    }
  }

  @Test
  void portsCanBeLimited() throws Exception {
    AddressGuard guard =
        new AddressGuard(
            new EgressProperties(List.of(), List.of(), List.of("443", "8000-8100")), NOBODY);
    assertThat(guard.resolve("8.8.8.8", 8050).addresses()).hasSize(1);
    assertThatThrownBy(() -> guard.resolve("8.8.8.8", 22))
        .isInstanceOf(EgressRefusedException.class)
        .hasMessageContaining("Port 22");
  }

  @Test
  void anUnknownNameIsNotARefusal() {
    assertThatThrownBy(
            () ->
                guard(
                        name -> {
                          throw new UnknownHostException(name);
                        })
                    .resolve("gone.example", 443))
        .isInstanceOf(UnknownHostException.class);
  }
}
