package io.peerlens.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.standalone.esxtop.EsxtopChoice;
import io.peerlens.standalone.size.Estate;
import io.peerlens.standalone.size.Kept;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {

  @Test
  void noWordsMeanStartWithItsDefaults() {
    Options options = parse();
    assertThat(options.command()).isEqualTo(Options.Command.START);
    assertThat(options.data()).isEqualTo(Path.of("data"));
    assertThat(options.port()).isEqualTo(8080);
    assertThat(options.kafkaPort()).isEqualTo(9092);
    assertThat(options.sample()).isTrue();
    assertThat(options.detach()).isFalse();
    assertThat(options.database()).isNull();
    assertThat(options.kafka()).isNull();
  }

  @Test
  void optionsOfStartAreTakenWithAndWithoutEqualsSign() {
    Options options =
        parse(
            "start",
            "--detach",
            "--no-sample",
            "--port=9000",
            "--kafka-port",
            "9001",
            "--data",
            "d",
            "--database",
            "jdbc:postgresql://db/p",
            "--kafka",
            "k:9092");
    assertThat(options.detach()).isTrue();
    assertThat(options.sample()).isFalse();
    assertThat(options.port()).isEqualTo(9000);
    assertThat(options.kafkaPort()).isEqualTo(9001);
    assertThat(options.data()).isEqualTo(Path.of("d"));
    assertThat(options.database()).isEqualTo("jdbc:postgresql://db/p");
    assertThat(options.kafka()).isEqualTo("k:9092");
  }

  @Test
  void aDatabaseMayHaveSeveralHosts() {
    String url = "jdbc:postgresql://a:5432,[fd00::2]:5433/p?targetServerType=primary";
    assertThat(parse("--database", url).database()).isEqualTo(url);
    assertThat(parse("--database=" + url).database()).isEqualTo(url);
    assertThat(ExternalDatabase.hosts(url)).isEqualTo(2);
    assertThat(ExternalDatabase.hosts("jdbc:postgresql://a/p")).isEqualTo(1);
    assertThat(ExternalDatabase.hosts("jdbc:postgresql:p")).isEqualTo(1);
  }

  @Test
  void httpsIsSpokenOnThisMachineAloneUnlessAnAddressIsGiven() {
    assertThat(parse().https()).isNull();
    assertThat(parse("--https", "8443").https()).hasToString("127.0.0.1:8443");
    assertThat(parse("--https=0.0.0.0:8443").https()).hasToString("0.0.0.0:8443");
    assertThat(parse("--https", "[::]:8443").https()).hasToString("[::]:8443");
    assertThat(parse("--https", "[::]:8443").https().url()).isEqualTo("https://localhost:8443");
    assertThat(parse("--https", "pl.example.net:443").https().url())
        .isEqualTo("https://pl.example.net:443");
  }

  @Test
  void startNeedsNoWordBeforeItsOptions() {
    assertThat(parse("--port", "9000").port()).isEqualTo(9000);
  }

  @Test
  void replayOfEsxtopTakesWhoseSamplesTheyAreAndFollowsOneFile() {
    Options options =
        parse("replay", "esx1.csv", "--follow", "--host", "esx1.lab", "--vcenter=vc", "--create");
    assertThat(options.follow()).isTrue();
    assertThat(options.esxtop()).isEqualTo(new EsxtopChoice("esx1.lab", "vc", true));
    assertThat(parse("replay", "-").files()).containsExactly(Path.of("-"));
    assertThat(parse("replay", "a.csv").esxtop()).isEqualTo(EsxtopChoice.NONE);
    for (List<String> words :
        List.of(
            List.of("replay", "--follow", "a.csv", "b.csv"),
            List.of("replay", "--follow", "--shift", "a.csv"),
            List.of("replay", "--follow", "--speed", "2", "a.csv"))) {
      assertThatThrownBy(() -> Options.parse(words))
          .hasMessageContaining("--follow takes one file, and neither --shift nor --speed");
    }
  }

  @Test
  void replayTakesFilesAndAfterTwoDashesAnyName() {
    Options options = parse("replay", "a.lp", "--shift", "--speed", "60", "--", "-b.lp");
    assertThat(options.files()).isEqualTo(List.of(Path.of("a.lp"), Path.of("-b.lp")));
    assertThat(options.shift()).isTrue();
    assertThat(options.speed()).isEqualTo(60);
  }

  @Test
  void tokenCreateTakesRoleAndServer() {
    Options options = parse("token", "create", "--role", "viewer", "--url", "http://h:8080/");
    assertThat(options.command()).isEqualTo(Options.Command.TOKEN_CREATE);
    assertThat(options.role()).isEqualTo("viewer");
    assertThat(options.url()).isEqualTo(URI.create("http://h:8080"));
  }

  @Test
  void secretsRotateTakesServerOrData() {
    assertThat(parse("secrets", "rotate").command()).isEqualTo(Options.Command.SECRETS_ROTATE);
    assertThat(parse("secrets", "rotate", "--url", "http://h:8080").url())
        .isEqualTo(URI.create("http://h:8080"));
  }

  @Test
  void sourceAddTakesAddressAccountAndFingerprint() {
    Options options =
        parse(
            "source",
            "add",
            "vcenter",
            "https://vc",
            "--user=reader",
            "--name",
            "lab",
            "--sha256",
            "ab".repeat(32),
            "--password-file",
            "p");
    assertThat(options.command()).isEqualTo(Options.Command.SOURCE_ADD);
    assertThat(options.source())
        .isEqualTo(
            new Options.SourceWords(
                "https://vc", "lab", "reader", "AB:".repeat(31) + "AB", Path.of("p")));
  }

  @Test
  void sizeTakesWhatAnInstallationIsToHold() {
    Options options =
        parse("size", "--objects", "10", "--metrics=1k", "--interval", "20s", "--explain");
    assertThat(options.command()).isEqualTo(Options.Command.SIZE);
    assertThat(options.size().estate())
        .isEqualTo(new Estate(10, 1_000, 20, 0, Estate.USUAL_SET, Kept.SHIPPED));
    assertThat(options.size().explain()).isTrue();
  }

  @Test
  void otherCommandsOfSourcesTakeTheirName() {
    Options options = parse("source", "remove", "my lab", "--url", "http://h:8080");
    assertThat(options.command()).isEqualTo(Options.Command.SOURCE_REMOVE);
    assertThat(options.source())
        .isEqualTo(new Options.SourceWords("my lab", null, null, null, null));
    assertThat(parse("source", "list").source()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          secrets                           | secrets knows one thing: secrets rotate
          fly                               | There is no command 'fly'
          start --port 0                    | --port is '0'; it must be a number from 1 to 65535
          start --port many                 | --port is 'many'
          start --port                      | --port needs a value
          start --detach=yes                | --detach takes no value
          start --port 9092                 | --port and --kafka-port are both 9092
          start --https x:y                 | --https is 'y'; it must be a number from 1 to 65535
          start --https ::1:8443            | --https is '::1:8443'; it must be PORT, HOST:PORT or [IPV6]:PORT
          start --https 8080                | --https names port 8080, which --port or --kafka-port has already
          start --database mysql:x          | --database is 'mysql:x'; it must look like jdbc:postgresql:
          start --shift                     | '--shift' is not an option of start
          start now                         | 'now' is not understood here
          stop --url http://h:1             | --url names a server elsewhere
          status --url h                    | --url is 'h'; it must look like http://HOST:8080
          replay                            | replay needs at least one file
          replay a.lp --speed 0             | --speed is '0'; it must be a number above 0
          token                             | token knows one thing
          token create                      | token create needs --role
          source                            | source knows: add vcenter ADDRESS, list, pause NAME
          source add                        | source add knows one kind
          source add vcenter                | source add needs a kind and an address
          source add vcenter h --password x | A password is no argument
          source add vcenter h --sha256 ab  | --sha256 is 'ab'; it must be a SHA-256 fingerprint
          source pause                      | source pause needs the name of a source
          source pause a b                  | 'b' is not understood here
          source list a                     | 'a' is not understood here
          source list --user u              | '--user' is not an option of source list
          size --data d                     | '--data' is not an option of size
          size --url http://h:1             | '--url' is not an option of size
          size --objects x                  | --objects is 'x'; it must be a whole number
          size --explain=yes                | --explain takes no value
          size 5                            | '5' is not understood here
          token create --role king          | --role is 'king'; it must be viewer, operator, admin or ingest
          """)
  void wrongWordsAreNamed(String words, String message) {
    assertThatThrownBy(() -> parse(words.split(" ")))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(message)
        .extracting(e -> ((Refusal) e).exitCode())
        .isEqualTo(2);
  }

  private static Options parse(String... words) {
    return Options.parse(List.of(words));
  }
}
