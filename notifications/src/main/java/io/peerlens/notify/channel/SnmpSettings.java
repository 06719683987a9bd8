package io.peerlens.notify.channel;

import io.peerlens.notify.secret.SecretRef;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an SNMP target.
 *
 * @param host receiver
 * @param port 162 as a rule
 * @param credentials of version 2c or 3
 * @param inform whether the receiver has to confirm; traps are sent once and never answered
 * @param timeout of an attempt in all
 */
public record SnmpSettings(
    String host, int port, Credentials credentials, boolean inform, Duration timeout)
    implements TargetSettings {

  /** Credentials; their type is the version of SNMP. */
  public sealed interface Credentials {
    /** SNMP v2c: a community, which travels in clear. */
    record Community(SecretRef community) implements Credentials {}

    /** SNMP v3 with authentication and privacy. */
    record User(
        String name,
        AuthProtocol authProtocol,
        SecretRef authPassword,
        PrivProtocol privProtocol,
        SecretRef privPassword,
        @Nullable String context)
        implements Credentials {}
  }

  /** Authentication of v3 (RFC 7860). MD5 and SHA-1 are not offered. */
  public enum AuthProtocol {
    SHA_224("SHA-224"),
    SHA_256("SHA-256"),
    SHA_384("SHA-384"),
    SHA_512("SHA-512");

    private final String value;

    AuthProtocol(String value) {
      this.value = value;
    }

    /** As definitions write it. */
    public String value() {
      return value;
    }
  }

  /** Privacy of v3. DES and 3DES are not offered. */
  public enum PrivProtocol {
    AES_128("AES-128"),
    AES_192("AES-192"),
    AES_256("AES-256");

    private final String value;

    PrivProtocol(String value) {
      this.value = value;
    }

    /** As definitions write it. */
    public String value() {
      return value;
    }
  }

  @Override
  public TargetType type() {
    return TargetType.SNMP;
  }

  @Override
  public Set<String> secrets() {
    return switch (credentials) {
      case Credentials.Community(SecretRef community) -> Set.of(community.name());
      case Credentials.User user ->
          new TreeSet<>(java.util.List.of(user.authPassword().name(), user.privPassword().name()));
    };
  }
}
