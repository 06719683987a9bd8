package io.peerlens.flow.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {

  private final Addresses addresses = new Addresses();

  @ParameterizedTest
  @CsvSource({
    "10.77.2.13, 0, ffff0a4d020d, 10.77.2.13",
    "0.0.0.0, 0, ffff00000000, 0.0.0.0",
    "255.255.255.255, 0, ffffffffffff, 255.255.255.255",
    "::, 0, 0, ::",
    "::1, 0, 1, ::1",
    "fd00::1, fd00000000000000, 1, fd00::1",
    "FD00::ABCD, fd00000000000000, abcd, fd00::abcd",
    "1::, 1000000000000, 0, 1::",
    "2001:db8:0:1::1, 20010db800000001, 1, 2001:db8:0:1::1",
    "2001:db8:0:0:1:0:0:1, 20010db800000000, 1000000000001, 2001:db8::1:0:0:1",
    "1:2:3:4:5:6:7:8, 1000200030004, 5000600070008, 1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7::, 1000200030004, 5000600070000, 1:2:3:4:5:6:7:0",
    "::2:3:4:5:6:7:8, 200030004, 5000600070008, 0:2:3:4:5:6:7:8",
    "::ffff:10.77.2.13, 0, ffff0a4d020d, 10.77.2.13",
    "::ffff:a4d:20d, 0, ffff0a4d020d, 10.77.2.13",
    "64:ff9b::192.0.2.33, 64ff9b00000000, c0000221, 64:ff9b::c000:221",
    "::6568:c711:0:0:6568:c711, 6568c711, 6568c711, ::6568:c711:0:0:6568:c711"
  })
  void addressesAreReadAndWrittenAsRfc5952Says(String text, String high, String low, String shown) {
    assertThat(addresses.parse(text)).isTrue();
    assertThat(Long.toHexString(addresses.high())).isEqualTo(high);
    assertThat(Long.toHexString(addresses.low())).isEqualTo(low);
    assertThat(Addresses.text(addresses.high(), addresses.low())).isEqualTo(shown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "10.77.2",
        "10.77.2.",
        "10.77.2.256",
        "10.77.2.13.1",
        "10.77.2.013",
        "10.77.2.1e",
        "10..2.13",
        "0x0a.1.1.1",
        "-1.2.3.4",
        " 10.77.2.13",
        "10.77.2.13/32",
        ":",
        ":::",
        ":1::",
        "1:",
        "1::2::3",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4::5:6:7:8",
        "12345::",
        "g::",
        "fe80::1%eth0",
        "[::1]",
        "::ffff:10.77.2",
        "1:2:3:4:5:6:7:10.77.2.13",
        "::10.77.2.13:1",
        "localhost",
        "N/A"
      })
  void otherTextsAreNoAddresses(String text) {
    assertThat(addresses.parse("192.0.2.1")).isTrue();
    assertThat(addresses.parse(text)).isFalse();
    assertThat(Addresses.text(addresses.high(), addresses.low())).isEqualTo("192.0.2.1");
  }

  @Test
  @DisplayName("20,000 random addresses, seed 7, as the JDK reads and as we write them")
  void addressesAgreeWithTheJdk() throws UnknownHostException {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 20_000; i++) {
      byte[] network = new byte[random.nextBoolean() ? 4 : 16];
      for (int at = 0; at < network.length; at++) {
        // Many zeros, so that gaps of all lengths and places turn up.
        network[at] = (byte) (random.nextInt(3) > 0 ? 0 : random.nextInt(256));
      }
      InetAddress expected = InetAddress.getByAddress(network); // maps ::ffff: as we do
      assertThat(addresses.parse(expected.getHostAddress())).isTrue();
      long high = addresses.high();
      long low = addresses.low();
      assertThat(InetAddress.getByName(Addresses.text(high, low))).isEqualTo(expected);

      assertThat(addresses.fromNetwork(network, 0, network.length)).isTrue();
      assertThat(addresses.high()).isEqualTo(high);
      assertThat(addresses.low()).isEqualTo(low);
      if (network.length == 16 && !Addresses.isV4(high, low)) {
        assertThat(ByteBuffer.allocate(16).putLong(high).putLong(low).array()).isEqualTo(network);
      }

      byte[] shown = ("x" + Addresses.text(high, low) + "x").getBytes(StandardCharsets.UTF_8);
      assertThat(addresses.parse(shown, 1, shown.length - 1)).isTrue();
      assertThat(addresses.high()).isEqualTo(high);
      assertThat(addresses.low()).isEqualTo(low);
    }
  }

  @Test
  void anAddressFromTheNetworkHas4Or16Bytes() {
    for (int length = 0; length < 20; length++) {
      assertThat(addresses.fromNetwork(new byte[20], 0, length))
          .isEqualTo(length == 4 || length == 16);
    }
  }
}
