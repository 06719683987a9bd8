package io.peerlens.notify.secret;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Key that secrets are sealed with. All nodes need the same one; without it no secrets can be kept.
 *
 * @param key the key itself instead of a file, for instance by environment; several are separated
 *     by commas, the active one first
 * @param keyFile file with the key, 32 random bytes as base64; further lines hold earlier keys,
 *     which can still decrypt. The standalone edition creates one in its data folder. The file is
 *     read again when it changes
 */
@ConfigurationProperties("peerlens.secrets")
public record SecretProperties(@Nullable Path keyFile, @Nullable String key) {

  public SecretProperties {
    if (keyFile != null && key != null && !key.isBlank()) {
      throw new IllegalArgumentException(
          "peerlens.secrets.key-file and peerlens.secrets.key are both set: keep one of them");
    }
  }

  @Override
  public String toString() {
    return "SecretProperties[keyFile="
        + keyFile
        + ", key="
        + (key == null ? "none" : "redacted")
        + "]";
  }
}
