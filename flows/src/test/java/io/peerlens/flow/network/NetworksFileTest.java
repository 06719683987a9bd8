package io.peerlens.flow.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.flow.network.NetworksFile.Format;
import io.peerlens.flow.network.NetworksFile.NetworksException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworksFileTest {

  private static final Network WEB =
      new Network(
          "Web",
          List.of(Cidr.parse("10.77.2.0/24"), Cidr.parse("fd00:77:2::/64")),
          true,
          20,
          "Graz",
          "Web servers, \"old\"; see the wiki");
  private static final Network PARTNER =
      new Network("Partner: A # 1", List.of(Cidr.parse("0.0.0.0/0")), false, null, null, null);
  private static final Network NUMBER =
      new Network("0815", List.of(Cidr.parse("::1/128")), null, null, "C:\\x", null);

  private static void yamlFails(String text, String message) {
    assertThatThrownBy(() -> NetworksFile.parse(text, Format.YAML))
        .isInstanceOf(NetworksException.class)
        .hasMessage(message);
  }

  private static void csvFails(String text, String message) {
    assertThatThrownBy(() -> NetworksFile.parse(text, Format.CSV))
        .isInstanceOf(NetworksException.class)
        .hasMessage(message);
  }

  @Test
  void yamlIsRead() {
    String text =
        """
        # what we have
        networks:
          - name: Web
            cidrs: [10.77.2.0/24, "fd00:77:2::/64"]
            internal: true
            vlan: 20
            site: Graz
            description: 'Web servers, "old"; see the wiki'
          - name: "Partner: A # 1"
            cidrs: 0.0.0.0/0
            internal: no
          - name: 0815
            cidrs:
              - ::1
            site: C:\\x
        """;
    assertThat(NetworksFile.parse(text, Format.YAML)).containsExactly(WEB, PARTNER, NUMBER);
  }

  @Test
  void csvIsReadInAnyOrderOfColumns() {
    String text =
        "\uFEFFcidrs,name,internal,vlan,description,site\r\n"
            + "10.77.2.0/24 fd00:77:2::/64,Web,TRUE,20,\"Web servers, \"\"old\"\"; see the wiki\",Graz\r\n"
            + ",,,,,\r\n"
            + "0.0.0.0/0,Partner: A # 1,no\r\n"
            + "::1,0815,,,,C:\\x";
    assertThat(NetworksFile.parse(text, Format.CSV)).containsExactly(WEB, PARTNER, NUMBER);
  }

  @Test
  void csvWithSemicolonsIsRead() {
    assertThat(NetworksFile.parse("name;cidrs\nA;10.1.0.0/16, 10.2.0.0/16\n", Format.CSV))
        .containsExactly(
            new Network(
                "A",
                List.of(Cidr.parse("10.1.0.0/16"), Cidr.parse("10.2.0.0/16")),
                null,
                null,
                null,
                null));
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void aWrittenFileReadsBackUnchanged(Format format) {
    List<Network> networks = List.of(WEB, PARTNER, NUMBER);
    String text = NetworksText.text(networks, format);
    assertThat(NetworksFile.parse(text, format)).isEqualTo(networks);
    assertThat(NetworksText.text(NetworksFile.parse(text, format), format)).isEqualTo(text);
    assertThat(NetworksFile.parse(NetworksText.text(List.of(), format), format)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "# nothing\n", "networks:\n", "networks: []", "[]"})
  void anEmptyFileHasNoNetworks(String yaml) {
    assertThat(NetworksFile.parse(yaml, Format.YAML)).isEmpty();
    assertThat(NetworksFile.parse("", Format.CSV)).isEmpty();
  }

  @Test
  void everyErrorIsReportedWithItsLineAndAHint() {
    yamlFails(
        """
        networks:
          - name: Web
            cidrs:
              - 10.77.2.13/24
              - 10.77.2.300
              - 10.0.0.0/33
              - [10.0.0.0/8]
          - cidrs: 10.1.0.0/16
            vlans: 3
          - name: Lab
            internal: maybe
            vlan: 5000
          - name: Web
            cidrs: 10.1.0.0/16
        """,
        """
        line 4: '10.77.2.13/24' has bits set beyond its 24: write 10.77.2.0/24 for the range, or \
        10.77.2.13 for the one address
        line 5: '10.77.2.300' is not a range of addresses: write it like 10.0.0.0/8 or fd00::/8
        line 6: '10.0.0.0/33' has no length that can be: after the slash write a number from 0 to 32
        line 7: expected a range like 10.0.0.0/8
        line 8: a network has no name: add one
        line 9: unknown key 'vlans'; known here: [cidrs, description, internal, name, site, vlan]
        line 10: network 'Lab' has no ranges: add cidrs, for instance 10.0.0.0/24
        line 11: 'maybe' for internal: write true or false
        line 12: '5000' for vlan: write a number from 1 to 4094
        line 13: network 'Web' is also in line 2: put all its ranges into one entry
        line 14: 10.1.0.0/16 is already in network 'without a name' (line 8): a range can have one \
        name only""");
  }

  @Test
  void aRepeatedRangeIsAnErrorAndANestedOneIsNot() {
    csvFails(
        "name,cidrs\nA,10.1.0.0/16\nB,10.1.2.0/24\nC,10.1.0.0/16 10.3.0.0/16\n",
        "line 4: 10.1.0.0/16 is already in network 'A' (line 2): a range can have one name only");
  }

  @Test
  void invalidCsvIsRefused() {
    csvFails(
        "Web,10.0.0.0/8\n",
        """
        line 1: unknown key 'Web'; known here: [cidrs, description, internal, name, site, vlan]
        line 1: unknown key '10.0.0.0/8'; known here: [cidrs, description, internal, name, site, vlan]
        line 1: the first line must name the columns, at least name,cidrs: [name, cidrs, internal, \
        vlan, site, description]""");
    csvFails(
        "name,cidrs\nA,10.1.0.0/16,10.2.0.0/16\n",
        "line 2: 3 cells, but 2 columns: put a cell with a separator in it into \"quotes\"");
    csvFails(
        "name,cidrs\n\n\"A,10.1.0.0/16\n",
        "line 3: a quote is opened and not closed: add the closing \"");
    csvFails(
        "name,cidrs\n\"A\"x,10.1.0.0/16\n",
        "line 2: text behind a closing quote: write a quote inside quotes as \"\"");
    csvFails("name,name,cidrs\n", "line 1: column 'name' is there twice: keep one");
  }

  @Test
  void invalidYamlIsRefused() {
    yamlFails(
        "nets:\n  - name: A\n",
        "line 1: unknown key 'nets': the file has one key, networks, with a list below it");
    yamlFails(
        "just text", "line 1: expected a list of networks, each beginning with '- name: ...'");
    yamlFails(
        "- name: A\n  name: B\n  cidrs: 10.0.0.0/8\n",
        "line 2: 'name' is there twice in one network: keep one");
    yamlFails(
        "- A\n",
        "line 1: expected a network with the keys name, cidrs, internal, vlan, site, description");
    yamlFails(
        "- name: [A]\n  cidrs: 10.0.0.0/8\n",
        """
        line 1: 'name' must be one value, not a list or more keys
        line 1: a network has no name: add one""");
    assertThatThrownBy(() -> NetworksFile.parse("networks:\n  - name: \"A\n", Format.YAML))
        .isInstanceOf(NetworksException.class)
        .hasMessageStartingWith("line ")
        .hasMessageContaining("this is not YAML: ");
  }

  @Test
  void aFileFullOfErrorsIsNotReadToItsEnd() {
    String text =
        IntStream.range(0, 1000)
            .mapToObj(i -> "n" + i + ",nonsense")
            .collect(Collectors.joining("\n", "name,cidrs\n", ""));
    assertThatThrownBy(() -> NetworksFile.parse(text, Format.CSV))
        .isInstanceOfSatisfying(
            NetworksException.class,
            e -> assertThat(e.problems()).hasSize(NetworksFile.MAX_PROBLEMS));
  }

  @Test
  void namesAndTextsHaveTheirLimits() {
    csvFails(
        "name,cidrs\n" + "x".repeat(101) + ",10.0.0.0/8\n",
        "line 2: 'name' has 101 characters: at most 100 are allowed");
    csvFails(
        "name,cidrs\n\"a\nb\",10.0.0.0/8\n",
        "line 2: 'name' has a line break or control character: leave it out");
  }

  @RepeatedTest(value = 10, name = "seed {currentRepetition}")
  void brokenTextIsReadOrRefusedAndNothingElse(RepetitionInfo seed) {
    SplittableRandom random = new SplittableRandom(seed.getCurrentRepetition());
    String alphabet = "\n\r\t ,;:\"'-[]{}#&*!|>%@`~/.0x\\\u0000\uD800\u2028";
    for (Format format : Format.values()) {
      String whole = NetworksText.text(List.of(WEB, PARTNER, NUMBER), format);
      int refused = 0;
      for (int i = 0; i < 500; i++) {
        StringBuilder text = new StringBuilder(whole);
        for (int change = random.nextInt(1, 6); change > 0 && !text.isEmpty(); change--) {
          int at = random.nextInt(text.length());
          switch (random.nextInt(3)) {
            case 0 -> text.deleteCharAt(at);
            case 1 -> text.setLength(at);
            default -> text.insert(at, alphabet.charAt(random.nextInt(alphabet.length())));
          }
        }
        try {
          Networks.of(NetworksFile.parse(text.toString(), format), Networks.DEFAULT_INTERNAL);
        } catch (NetworksException e) {
          refused++;
          assertThat(e.problems()).isNotEmpty();
          assertThat(e.problems()).allSatisfy(p -> assertThat(p.line()).isPositive());
        }
      }
      assertThat(refused).isGreaterThan(50);
    }
  }
}
