package io.peerlens.notify.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.peerlens.support.Properties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class KeyRingTest {

  @TempDir private Path folder;

  private static String key(int fill) {
    byte[] bytes = new byte[32];
    java.util.Arrays.fill(bytes, (byte) fill);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static KeyRing ring(String keys) {
    return new KeyRing(new SecretProperties(null, keys));
  }

  @Test
  void withoutAKeyNothingCanBeSealed() {
    SecretProperties defaults = Properties.defaults(SecretProperties.class);
    assertThat(defaults).isEqualTo(new SecretProperties(null, null));
    assertThat(new KeyRing(defaults).current()).isEmpty();
  }

  @Test
  void everyKeyIsMappedAndNoneIsShown() {
    assertThat(
            Properties.with(
                SecretProperties.class, Map.of("peerlens.secrets.key-file", "/etc/peerlens.key")))
        .isEqualTo(new SecretProperties(Path.of("/etc/peerlens.key"), null));
    SecretProperties given =
        Properties.with(SecretProperties.class, Map.of("peerlens.secrets.key", key(1)));
    assertThat(given).isEqualTo(new SecretProperties(null, key(1)));
    assertThat(given.toString()).doesNotContain(key(1));
    assertThatThrownBy(() -> new SecretProperties(Path.of("x"), key(1)))
        .hasMessageContaining("peerlens.secrets.key-file")
        .hasMessageNotContaining(key(1));
  }

  @Test
  void theFirstKeySealsAndAllOpen() {
    KeyRing old = ring(key(1));
    EncryptedSecret sealed = EncryptedSecret.seal("n", "väl", old.current().orElseThrow());
    KeyRing both = ring(key(2) + "," + key(1));
    assertThat(both.current().orElseThrow().id()).isNotEqualTo(sealed.keyId());
    assertThat(sealed.open("n", both.find(sealed.keyId()).orElseThrow())).isEqualTo("väl");
    assertThat(ring(key(2)).find(sealed.keyId())).isEmpty();
  }

  @Test
  void aSecretIsBoundToItsNameAndWhole() {
    KeyRing.Key key = ring(key(1)).current().orElseThrow();
    EncryptedSecret sealed = EncryptedSecret.seal("name", "value", key);
    assertThat(new String(sealed.bytes(), java.nio.charset.StandardCharsets.ISO_8859_1))
        .doesNotContain("value");
    assertThatThrownBy(() -> sealed.open("other", key)).isInstanceOf(SecretException.class);
    byte[] changed = sealed.bytes().clone();
    changed[0] ^= 1;
    assertThatThrownBy(
            () -> new EncryptedSecret(sealed.keyId(), sealed.nonce(), changed).open("name", key))
        .isInstanceOf(SecretException.class);
    assertThat(EncryptedSecret.seal("name", "value", key).nonce()).isNotEqualTo(sealed.nonce());
  }

  @Test
  void aFileIsReadAgainWhenItChanges() throws IOException {
    Path file = folder.resolve("key");
    Files.writeString(file, KeyRing.newKeyText(""));
    KeyRing ring = new KeyRing(new SecretProperties(file, null));
    String first = ring.current().orElseThrow().id();
    Files.writeString(file, KeyRing.newKeyText(Files.readString(file)));
    String second = ring.current().orElseThrow().id();
    assertThat(second).isNotEqualTo(first);
    assertThat(ring.find(first)).isPresent();
    Files.writeString(file, KeyRing.firstKeyText(Files.readString(file)));
    assertThat(ring.current().orElseThrow().id()).isEqualTo(second);
    assertThat(ring.find(first)).isEmpty();
    // Half written, or gone: what was read before holds.
    Files.writeString(file, "nonsense");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1));
    assertThat(ring.current().orElseThrow().id()).isEqualTo(second);
    Files.delete(file);
    assertThat(ring.current().orElseThrow().id()).isEqualTo(second);
  }

  @Test
  void anErrorInTheKeyFileIsReportedOnce() throws IOException {
    Path file = folder.resolve("read-by-all");
    Files.writeString(file, KeyRing.newKeyText(""));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(KeyRing.class);
    logger.addAppender(log);
    log.start();
    try {
      KeyRing ring = new KeyRing(new SecretProperties(file, null));
      assertThat(log.list).hasSize(1);
      assertThat(log.list.getFirst().getFormattedMessage()).contains("chmod 600");
      Files.writeString(file, "nonsense");
      for (int i = 0; i < 3; i++) {
        assertThat(ring.current()).isPresent();
      }
      assertThat(log.list).hasSize(2);
      assertThat(log.list.getLast().getLevel()).isEqualTo(Level.ERROR);
      assertThat(log.list.getLast().getFormattedMessage())
          .contains("next start", "no key")
          .doesNotContain("nonsense");
      Files.writeString(file, KeyRing.newKeyText(""));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      assertThat(ring.current()).isPresent();
      assertThat(log.list).hasSize(2);
    } finally {
      logger.detachAppender(log);
    }
  }

  @Test
  void damagedKeysAreNamedButNotShown() throws IOException {
    for (String bad : List.of("c2hvcnQ=", key(1).substring(2), "geheim!", key(1) + ",x")) {
      assertThatThrownBy(() -> ring(bad))
          .hasMessageContaining("peerlens.secrets.key")
          .hasMessageNotContaining(bad);
    }
    Path empty = Files.writeString(folder.resolve("empty"), "# nothing\n");
    assertThatThrownBy(() -> new KeyRing(new SecretProperties(empty, null)))
        .hasMessageContaining("holds no key");
    assertThatThrownBy(() -> new KeyRing(new SecretProperties(folder.resolve("gone"), null)))
        .hasMessageContaining("cannot be read");
  }

  @Test
  void usedSecretsForgetNothingAndShowNothing() {
    UsedSecrets used = new UsedSecrets(name -> "p4ss'word");
    assertThat(used.redact("p4ss'word")).isEqualTo("p4ss'word");
    used.value("a");
    assertThat(used.redact("x p4ss'word y p4ss&#39;word z")).isEqualTo("x secret a y secret a z");
    assertThat(used.toString()).doesNotContain("p4ss");
  }
}
