package io.peerlens.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.standalone.Https.HttpsAddress;
import io.peerlens.support.TestCertificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpsTest {

  private static final Instant NOW = Instant.now();
  private static final HttpsAddress ADDRESS = new HttpsAddress("192.0.2.7", 8443);

  @TempDir Path parent;
  private DataDirectory data;

  @BeforeEach
  void open() {
    data = DataDirectory.open(parent.resolve("data"));
  }

  @AfterEach
  void close() {
    data.close();
  }

  private Https prepare(Instant now) throws InterruptedException {
    return Https.prepare(data, ADDRESS, now);
  }

  @Test
  void aCertificateIsMadeOnceForTheNamesOfThisMachine() throws Exception {
    List<String> lines = prepare(NOW).lines(NOW);
    String made = Files.readString(data.httpsFile());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.httpsFile())))
        .isEqualTo("rw-------");
    assertThat(Files.readString(data.httpsCertificateFile()))
        .isNotEmpty()
        .doesNotContain("PRIVATE")
        .isEqualTo(made.substring(0, made.indexOf("-----BEGIN PRIVATE")));
    X509Certificate certificate;
    try (var in = Files.newInputStream(data.httpsCertificateFile())) {
      certificate =
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
    assertThat(certificate.getSubjectAlternativeNames())
        .extracting(name -> (Object) name.get(1))
        .contains("localhost", "127.0.0.1", "192.0.2.7");
    assertThat(certificate.getNotAfter().toInstant())
        .isBetween(NOW.plus(Duration.ofDays(820)), NOW.plus(Duration.ofDays(826)));
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst())
        .matches(
            "It speaks https at https://192.0.2.7:8443, certificate SHA-256 ([0-9A-F]{2}:){31}[0-9A-F]{2}");
    try (var files = Files.list(data.root())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.endsWith(".tmp"));
    }

    assertThat(prepare(NOW.plus(Duration.ofDays(700))).lines(NOW)).isEqualTo(lines);
    assertThat(Files.readString(data.httpsFile())).isEqualTo(made);
    assertThat(prepare(NOW.plus(Duration.ofDays(800))).lines(NOW))
        .as("made anew before it ends")
        .isNotEqualTo(lines);
  }

  @Test
  void aCertificateOfYoursIsKeptEvenWhenItHasEnded() throws Exception {
    TestCertificates yours = TestCertificates.make(parent, "CN=pl.example.net", "");
    Files.writeString(data.httpsFile(), yours.keyPem());
    Instant later = NOW.plus(Duration.ofDays(60));
    List<String> lines = prepare(later).lines(later);
    assertThat(Files.readString(data.httpsFile())).isEqualTo(yours.keyPem());
    assertThat(Files.readString(data.httpsCertificateFile())).isEqualTo(yours.certificatePem());
    assertThat(lines.getFirst().replace(":", "").toLowerCase()).endsWith(yours.sha256());
    assertThat(lines.get(1)).contains("has ended at").contains(data.httpsFile().toString());
  }

  @Test
  void aFileThatHoldsNoCertificateWithItsKeyIsRefused() throws Exception {
    TestCertificates yours = TestCertificates.make(parent, "CN=pl.example.net", "");
    for (String wrong :
        List.of(
            "", yours.certificatePem(), yours.keyPem().replaceAll("(?s)-----BEGIN CERT.*", ""))) {
      Files.writeString(data.httpsFile(), wrong);
      assertThatThrownBy(() -> prepare(NOW))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("must hold a certificate and its private key in PEM");
    }
    Files.writeString(
        data.httpsFile(), yours.keyPem().replaceAll("(BEGIN CERTIFICATE-----\\s)\\w+", "$1AAAA"));
    assertThatThrownBy(() -> prepare(NOW))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("cannot be read");
    assertThat(data.httpsFile()).as("it is not ours to delete").exists();
  }
}
