package io.peerlens.notify.channel;

import io.peerlens.notify.secret.SecretRef;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a webhook target.
 *
 * @param url what the message's path is appended to
 * @param auth how we prove who we are
 * @param clientKey secret that holds a private key and its certificates as PEM, for mutual TLS;
 *     null = none
 * @param tls whom we trust
 * @param proxy null = straight
 * @param signing how receivers can tell that the message is ours
 * @param headers sent with every message
 * @param timeout of an attempt in all
 */
public record WebhookSettings(
    SecretText url,
    Auth auth,
    @Nullable SecretRef clientKey,
    Tls tls,
    @Nullable Proxy proxy,
    Signing signing,
    List<Header> headers,
    Duration timeout)
    implements TargetSettings {

  public WebhookSettings {
    headers = List.copyOf(headers);
  }

  /** Authentication to the receiver. */
  public sealed interface Auth {
    /** Not at all, or by the client certificate alone. */
    record None() implements Auth {}

    /** Basic authentication. */
    record Basic(String username, SecretRef password) implements Auth {}

    /** {@code Authorization: Bearer ...}. */
    record Bearer(SecretRef token) implements Auth {}

    /** A header of the receiver's choice that holds a key. */
    record ApiKey(String header, SecretRef key) implements Auth {}

    /**
     * OAuth 2 client credentials: a token is asked for, kept until it expires, and asked for once
     * more when the receiver refuses it.
     */
    record OAuth2(
        SecretText tokenUrl, String clientId, SecretRef clientSecret, @Nullable String scope)
        implements Auth {}
  }

  /**
   * Trust in the receiver's certificate.
   *
   * @param caBundle certificates as PEM that take the place of the JDK's; null = the JDK's
   * @param pins SHA-256 of the receiver's own certificate, 64 hex digits; when there are some, one
   *     must match, and without a bundle that is all that is asked, so that self-signed appliances
   *     can be reached safely
   * @param verifyHost whether the certificate must be made out to the host's name
   */
  public record Tls(@Nullable String caBundle, List<String> pins, boolean verifyHost) {
    /** The JDK's certificates, and the host's name is checked. */
    public static final Tls DEFAULT = new Tls(null, List.of(), true);

    public Tls {
      pins = List.copyOf(pins);
    }
  }

  /**
   * A proxy.
   *
   * @param socks SOCKS5 instead of HTTP
   * @param credentials secret that holds {@code user:password}; null = none
   */
  public record Proxy(boolean socks, String host, int port, @Nullable SecretRef credentials) {}

  /**
   * Signature by which receivers can tell that a message is ours. All secrets sign, so that they
   * can be changed.
   */
  public sealed interface Signing {
    /** Not at all. */
    record None() implements Signing {}

    /** Standard Webhooks with HMAC-SHA256 ({@code v1}). */
    record StandardHmac(List<SecretRef> secrets) implements Signing {}

    /** Standard Webhooks with ed25519 ({@code v1a}). */
    record StandardEd25519(List<SecretRef> secrets) implements Signing {}

    /**
     * HMAC-SHA256 in a header.
     *
     * @param prefix before each signature, for instance {@code sha256=}
     * @param base64 instead of hex
     * @param timestampHeader gets the time in epoch seconds, and {@code time:body} is signed; null
     *     = the body alone is signed
     */
    record Hmac(
        List<SecretRef> secrets,
        String header,
        String prefix,
        boolean base64,
        @Nullable String timestampHeader)
        implements Signing {}
  }

  /** A header that is sent with every message. */
  public record Header(String name, SecretText value) {

    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");

    /** What a request has anyway, or what decides where it ends; nobody else may set these. */
    private static final Set<String> RESERVED =
        Set.of(
            "host",
            "content-length",
            "transfer-encoding",
            "connection",
            "keep-alive",
            "proxy-connection",
            "proxy-authorization",
            "te",
            "trailer",
            "upgrade",
            "expect",
            "http2-settings");

    /** Whether a text can be the name of a header. */
    public static boolean isName(String text) {
      return NAME.matcher(text).matches();
    }

    /** Whether only Peerlens itself sets this header. */
    public static boolean isReserved(String name) {
      return RESERVED.contains(name.toLowerCase(Locale.ROOT));
    }
  }

  @Override
  public TargetType type() {
    return TargetType.WEBHOOK;
  }

  @Override
  public Set<String> secrets() {
    Set<String> names = new TreeSet<>(url.secrets());
    switch (auth) {
      case Auth.None() -> {}
      case Auth.Basic(String username, SecretRef password) -> names.add(password.name());
      case Auth.Bearer(SecretRef token) -> names.add(token.name());
      case Auth.ApiKey(String header, SecretRef key) -> names.add(key.name());
      case Auth.OAuth2(SecretText tokenUrl, String id, SecretRef secret, String scope) -> {
        names.addAll(tokenUrl.secrets());
        names.add(secret.name());
      }
    }
    if (clientKey != null) {
      names.add(clientKey.name());
    }
    if (proxy != null && proxy.credentials() != null) {
      names.add(proxy.credentials().name());
    }
    switch (signing) {
      case Signing.None() -> {}
      case Signing.StandardHmac(List<SecretRef> secrets) ->
          secrets.forEach(s -> names.add(s.name()));
      case Signing.StandardEd25519(List<SecretRef> secrets) ->
          secrets.forEach(s -> names.add(s.name()));
      case Signing.Hmac hmac -> hmac.secrets().forEach(s -> names.add(s.name()));
    }
    headers.forEach(header -> names.addAll(header.value().secrets()));
    return names;
  }
}
