package io.peerlens.notify.channel;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.MailOAuth2;
import io.peerlens.api.model.MailSecurity;
import io.peerlens.api.model.NotificationAuth;
import io.peerlens.api.model.NotificationAuthType;
import io.peerlens.api.model.NotificationHeader;
import io.peerlens.api.model.NotificationLimits;
import io.peerlens.api.model.NotificationProxy;
import io.peerlens.api.model.NotificationSignatureEncoding;
import io.peerlens.api.model.NotificationSigning;
import io.peerlens.api.model.NotificationSigningType;
import io.peerlens.api.model.NotificationTargetEdit;
import io.peerlens.api.model.NotificationTargetType;
import io.peerlens.api.model.NotificationTls;
import io.peerlens.api.model.SnmpVersion;
import io.peerlens.notify.channel.WebhookSettings.Auth;
import io.peerlens.notify.channel.WebhookSettings.Header;
import io.peerlens.notify.channel.WebhookSettings.Proxy;
import io.peerlens.notify.channel.WebhookSettings.Signing;
import io.peerlens.notify.channel.WebhookSettings.Tls;
import io.peerlens.notify.secret.SecretRef;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a target, read from its definition, which is held against the contract already. What
 * it accepts, channels can work with.
 */
final class TargetReader {

  private static final Pattern ADDRESS =
      Pattern.compile("[^\\s<>\\p{Cntrl}]+@[^\\s<>@\\p{Cntrl}]+");
  private static final Pattern DOMAIN =
      Pattern.compile("(?i)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

  private static final Duration MAX_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration MAX_AGE = Duration.ofDays(7);
  private static final int MAX_RECIPIENTS = 100;

  private TargetReader() {}

  static ActiveTarget read(UUID id, String path, NotificationTargetEdit target) {
    NotificationTargetType type = target.getType();
    String other = "does not go with type " + type.getValue();
    only(type == NotificationTargetType.WEBHOOK, target.getWebhook(), path + "webhook", other);
    only(type == NotificationTargetType.EMAIL, target.getEmail(), path + "email", other);
    only(type == NotificationTargetType.SNMP, target.getSnmp(), path + "snmp", other);
    TargetSettings settings =
        switch (type) {
          case WEBHOOK ->
              webhook(path + "webhook", required(path + "webhook", target.getWebhook()));
          case EMAIL -> email(path + "email", required(path + "email", target.getEmail()));
          case SNMP -> snmp(path + "snmp", required(path + "snmp", target.getSnmp()));
        };
    NotificationLimits limits = target.getLimits();
    return new ActiveTarget(
        id,
        target.getName(),
        settings,
        limits == null ? SendLimits.DEFAULT : limits(path + "limits", limits));
  }

  private static SendLimits limits(String path, NotificationLimits given) {
    only(
        given.getPerMinute() != null,
        given.getBurst(),
        path + ".burst",
        "means nothing without perMinute");
    return new SendLimits(
        given.getPerMinute(),
        given.getBurst(),
        requireNonNullElse(given.getConnections(), SendLimits.DEFAULT.connections()),
        duration(path + ".maxAge", given.getMaxAge(), SendLimits.DEFAULT.maxAge(), MAX_AGE),
        given.getDigestAfter());
  }

  // Webhook ---------------------------------------------------------------------------------------

  private static WebhookSettings webhook(String path, io.peerlens.api.model.WebhookSettings given) {
    NotificationAuth auth = given.getAuth();
    NotificationTls tls = given.getTls();
    NotificationProxy proxy = given.getProxy();
    NotificationSigning signing = given.getSigning();
    List<Header> headers = new ArrayList<>();
    for (NotificationHeader header :
        requireNonNullElse(given.getHeaders(), List.<NotificationHeader>of())) {
      String at = path + ".headers[" + headers.size() + "]";
      headers.add(
          new Header(
              headerName(at + ".name", header.getName()),
              headerText(at + ".value", header.getValue())));
    }
    return new WebhookSettings(
        url(path + ".url", given.getUrl()),
        auth == null ? new Auth.None() : auth(path + ".auth", auth),
        auth == null ? null : clientKey(path + ".auth.keyStore", auth),
        tls == null ? Tls.DEFAULT : tls(path + ".tls", tls),
        proxy == null ? null : proxy(path + ".proxy", proxy),
        signing == null ? new Signing.None() : signing(path + ".signing", signing),
        headers,
        timeout(path, given.getTimeout(), 15));
  }

  private static Auth auth(String path, NotificationAuth auth) {
    NotificationAuthType type = auth.getType();
    boolean basic = type == NotificationAuthType.BASIC;
    boolean apiKey = type == NotificationAuthType.API_KEY;
    boolean oauth2 = type == NotificationAuthType.OAUTH2_CLIENT_CREDENTIALS;
    String other = "does not go with type " + type.getValue();
    only(basic, auth.getUsername(), path + ".username", other);
    only(basic, auth.getPassword(), path + ".password", other);
    only(apiKey || type == NotificationAuthType.BEARER, auth.getToken(), path + ".token", other);
    only(apiKey, auth.getHeader(), path + ".header", other);
    only(oauth2, auth.getTokenUrl(), path + ".tokenUrl", other);
    only(oauth2, auth.getClientId(), path + ".clientId", other);
    only(oauth2, auth.getClientSecret(), path + ".clientSecret", other);
    only(oauth2, auth.getScope(), path + ".scope", other);
    return switch (type) {
      case NONE, MUTUAL_TLS -> new Auth.None();
      case BASIC -> {
        String username = line(path + ".username", auth.getUsername());
        if (username.contains(":")) {
          throw wrong(path + ".username", "holds a colon, which Basic authentication cannot carry");
        }
        yield new Auth.Basic(username, secret(path + ".password", auth.getPassword()));
      }
      case BEARER -> new Auth.Bearer(secret(path + ".token", auth.getToken()));
      case API_KEY ->
          new Auth.ApiKey(
              headerName(path + ".header", requireNonNullElse(auth.getHeader(), "X-API-Key")),
              secret(path + ".token", auth.getToken()));
      case OAUTH2_CLIENT_CREDENTIALS ->
          oauth2(
              path,
              auth.getTokenUrl(),
              auth.getClientId(),
              auth.getClientSecret(),
              auth.getScope());
    };
  }

  private static Auth.OAuth2 oauth2(
      String path,
      @Nullable String tokenUrl,
      @Nullable String clientId,
      io.peerlens.api.model.@Nullable SecretRef clientSecret,
      @Nullable String scope) {
    return new Auth.OAuth2(
        url(path + ".tokenUrl", tokenUrl),
        line(path + ".clientId", clientId),
        secret(path + ".clientSecret", clientSecret),
        optionalLine(path + ".scope", scope));
  }

  private static @Nullable SecretRef clientKey(String field, NotificationAuth auth) {
    if (auth.getType() == NotificationAuthType.MUTUAL_TLS && auth.getKeyStore() == null) {
      throw wrong(field, "is missing")
          .hint("Name the secret that holds key and certificate as PEM.");
    }
    return optionalSecret(field, auth.getKeyStore());
  }

  private static Tls tls(String path, NotificationTls tls) {
    List<String> pins =
        requireNonNullElse(tls.getPinSha256(), List.<String>of()).stream()
            .map(pin -> pin.replace(":", "").toLowerCase(Locale.ROOT))
            .toList();
    boolean verifyHost = !Boolean.FALSE.equals(tls.getVerifyHost());
    if (!verifyHost && tls.getCaBundle() == null && pins.isEmpty()) {
      throw wrong(path + ".verifyHost", "cannot be off when any public certificate would do")
          .hint("Give caBundle or pinSha256 as well.");
    }
    return new Tls(tls.getCaBundle(), pins, verifyHost);
  }

  private static Proxy proxy(String path, NotificationProxy proxy) {
    URI url = uri(path + ".url", line(path + ".url", proxy.getUrl()), "http", "socks5");
    boolean socks = "socks5".equals(url.getScheme());
    if (url.getPath() != null && !url.getPath().isEmpty() && !url.getPath().equals("/")) {
      throw wrong(path + ".url", "has a path")
          .hint("A proxy is http://HOST:PORT or socks5://HOST:PORT.");
    }
    SecretRef credentials = optionalSecret(path + ".secret", proxy.getSecret());
    if (socks && credentials != null) {
      throw wrong(path + ".secret", "does not go with socks5")
          .hint("Use an HTTP proxy, or one that asks no name.");
    }
    int port = url.getPort() >= 0 ? url.getPort() : socks ? 1080 : 8080;
    return new Proxy(socks, url.getHost(), port, credentials);
  }

  private static Signing signing(String path, NotificationSigning signing) {
    NotificationSigningType type = signing.getType();
    if (type == NotificationSigningType.NONE) {
      return new Signing.None();
    }
    boolean hmac = type == NotificationSigningType.HMAC;
    String other = "does not go with type " + type.getValue();
    only(hmac, signing.getHeader(), path + ".header", other);
    only(hmac, signing.getPrefix(), path + ".prefix", other);
    only(hmac, signing.getEncoding(), path + ".encoding", other);
    only(hmac, signing.getTimestampHeader(), path + ".timestampHeader", other);
    List<SecretRef> secrets = new ArrayList<>();
    for (io.peerlens.api.model.SecretRef one :
        requireNonNullElse(signing.getSecrets(), List.<io.peerlens.api.model.SecretRef>of())) {
      secrets.add(secret(path + ".secrets[" + secrets.size() + "]", one));
    }
    if (secrets.isEmpty()) {
      throw wrong(path + ".secrets", "is empty").hint("Name the secret that signs.");
    }
    return switch (type) {
      case STANDARD_WEBHOOKS -> new Signing.StandardHmac(secrets);
      case STANDARD_WEBHOOKS_ED25519 -> new Signing.StandardEd25519(secrets);
      default -> hmac(path, signing, secrets);
    };
  }

  private static Signing hmac(String path, NotificationSigning signing, List<SecretRef> secrets) {
    String usual = "X-Hub-Signature-256";
    String header = headerName(path + ".header", requireNonNullElse(signing.getHeader(), usual));
    String prefix = signing.getPrefix();
    if (prefix != null && !prefix.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw wrong(path + ".prefix", "holds a blank or a character that a header cannot carry");
    }
    String timestamp = signing.getTimestampHeader();
    return new Signing.Hmac(
        secrets,
        header,
        prefix != null ? prefix : header.equalsIgnoreCase(usual) ? "sha256=" : "",
        signing.getEncoding() == NotificationSignatureEncoding.BASE64,
        timestamp == null ? null : headerName(path + ".timestampHeader", timestamp));
  }

  // Mail ------------------------------------------------------------------------------------------

  private static EmailSettings email(String path, io.peerlens.api.model.EmailSettings given) {
    EmailSettings.Security security =
        EmailSettings.Security.valueOf(
            requireNonNullElse(given.getSecurity(), MailSecurity.STARTTLS).name());
    boolean plain = security == EmailSettings.Security.NONE;
    String username = optionalLine(path + ".username", given.getUsername());
    SecretRef password = optionalSecret(path + ".password", given.getPassword());
    MailOAuth2 oauth2 = given.getOauth2();
    if (oauth2 != null) {
      if (password != null) {
        throw wrong(path + ".oauth2", "cannot be combined with password").hint("Give one of them.");
      }
      if (username == null) {
        throw wrong(path + ".username", "is missing").hint("XOAUTH2 says whose mailbox sends.");
      }
    } else if ((username == null) != (password == null)) {
      throw wrong(
          path + (username == null ? ".username" : ".password"),
          "is missing; give both or neither");
    }
    if (username != null && plain) {
      throw wrong(path + ".security", "is none, so the password would travel in clear")
          .hint("Use starttls or tls.");
    }
    if (given.getCaBundle() != null && plain) {
      throw wrong(path + ".caBundle", "means nothing without TLS").hint("Use starttls or tls.");
    }
    List<String> domains = lines(path + ".allowedDomains", given.getAllowedDomains());
    for (int i = 0; i < domains.size(); i++) {
      if (!DOMAIN.matcher(domains.get(i)).matches()) {
        throw wrong(path + ".allowedDomains[" + i + "]", "is no domain, such as example.com");
      }
    }
    List<String> to = addresses(path + ".to", given.getTo(), domains);
    List<String> cc = addresses(path + ".cc", given.getCc(), domains);
    List<String> bcc = addresses(path + ".bcc", given.getBcc(), domains);
    if (to.size() + cc.size() + bcc.size() > MAX_RECIPIENTS) {
      throw wrong(path + ".to", "with cc and bcc has more than " + MAX_RECIPIENTS + " addresses")
          .hint("Use a list address.");
    }
    String from = line(path + ".from", given.getFrom());
    domain(path + ".from", from);
    String replyTo = optionalLine(path + ".replyTo", given.getReplyTo());
    if (replyTo != null) {
      domain(path + ".replyTo", replyTo);
    }
    int usual =
        switch (security) {
          case STARTTLS -> 587;
          case TLS -> 465;
          case NONE -> 25;
        };
    return new EmailSettings(
        host(path + ".host", given.getHost()),
        requireNonNullElse(given.getPort(), usual),
        security,
        username,
        password,
        oauth2 == null
            ? null
            : oauth2(
                path + ".oauth2",
                oauth2.getTokenUrl(),
                oauth2.getClientId(),
                oauth2.getClientSecret(),
                oauth2.getScope()),
        from,
        to,
        cc,
        bcc,
        replyTo,
        domains,
        given.getCaBundle(),
        timeout(path, given.getTimeout(), 30));
  }

  private static List<String> addresses(
      String path, @Nullable List<String> given, List<String> domains) {
    List<String> addresses = lines(path, given);
    for (int i = 0; i < addresses.size(); i++) {
      String domain = domain(path + "[" + i + "]", addresses.get(i));
      String below = "." + domain.toLowerCase(Locale.ROOT);
      if (!domains.isEmpty()
          && domains.stream().noneMatch(d -> below.endsWith("." + d.toLowerCase(Locale.ROOT)))) {
        throw wrong(path + "[" + i + "]", domain + " is not among allowedDomains");
      }
    }
    return addresses;
  }

  /** The domain of a mail address, which may stand as {@code Name <address>}. */
  private static String domain(String field, String text) {
    int open = text.indexOf('<');
    String address =
        open >= 0 && text.endsWith(">") ? text.substring(open + 1, text.length() - 1) : text;
    if (!ADDRESS.matcher(address).matches() || address.contains(",") || address.contains(";")) {
      throw wrong(field, "\"" + text + "\" is no mail address, such as ops@example.com");
    }
    return address.substring(address.lastIndexOf('@') + 1);
  }

  // SNMP ------------------------------------------------------------------------------------------

  private static SnmpSettings snmp(String path, io.peerlens.api.model.SnmpSettings given) {
    boolean v3 = given.getVersion() == SnmpVersion.V3;
    only(v3, given.getUser(), path + ".user", "goes with v3 only");
    only(v3, given.getAuthProtocol(), path + ".authProtocol", "goes with v3 only");
    only(v3, given.getAuthPassword(), path + ".authPassword", "goes with v3 only");
    only(v3, given.getPrivProtocol(), path + ".privProtocol", "goes with v3 only");
    only(v3, given.getPrivPassword(), path + ".privPassword", "goes with v3 only");
    only(v3, given.getContext(), path + ".context", "goes with v3 only");
    only(!v3, given.getCommunity(), path + ".community", "goes with v2c only");
    return new SnmpSettings(
        host(path + ".host", given.getHost()),
        requireNonNullElse(given.getPort(), 162),
        v3
            ? user(path, given)
            : new SnmpSettings.Credentials.Community(
                secret(path + ".community", given.getCommunity())),
        Boolean.TRUE.equals(given.getInform()),
        timeout(path, given.getTimeout(), 5));
  }

  private static SnmpSettings.Credentials.User user(
      String path, io.peerlens.api.model.SnmpSettings given) {
    return new SnmpSettings.Credentials.User(
        line(path + ".user", given.getUser()),
        given.getAuthProtocol() == null
            ? SnmpSettings.AuthProtocol.SHA_256
            : SnmpSettings.AuthProtocol.valueOf(given.getAuthProtocol().name()),
        secret(path + ".authPassword", given.getAuthPassword()),
        given.getPrivProtocol() == null
            ? SnmpSettings.PrivProtocol.AES_128
            : SnmpSettings.PrivProtocol.valueOf(given.getPrivProtocol().name()),
        secret(path + ".privPassword", given.getPrivPassword()),
        optionalLine(path + ".context", given.getContext()));
  }

  // Fields ----------------------------------------------------------------------------------------

  private static ApiException wrong(String field, String reason) {
    return ApiException.invalidField(field, reason);
  }

  /** Refuses a field where it means nothing. */
  private static void only(boolean fits, @Nullable Object given, String field, String reason) {
    if (given != null && !fits) {
      throw wrong(field, reason);
    }
  }

  private static <T> T required(String field, @Nullable T value) {
    if (value == null) {
      throw wrong(field, "is missing");
    }
    return value;
  }

  private static String line(String field, @Nullable String given) {
    String text = required(field, given);
    if (text.isBlank()) {
      throw wrong(field, "is empty");
    }
    if (text.length() > 2000) {
      throw wrong(field, "is longer than 2000 characters");
    }
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw wrong(field, "holds a line break or another control character");
    }
    return text.strip();
  }

  private static @Nullable String optionalLine(String field, @Nullable String given) {
    return given == null ? null : line(field, given);
  }

  private static List<String> lines(String field, @Nullable List<String> given) {
    List<String> lines = new ArrayList<>();
    for (String one : requireNonNullElse(given, List.<String>of())) {
      lines.add(line(field + "[" + lines.size() + "]", one));
    }
    return lines;
  }

  private static Duration timeout(String path, @Nullable String given, int usualSeconds) {
    return duration(path + ".timeout", given, Duration.ofSeconds(usualSeconds), MAX_TIMEOUT);
  }

  private static Duration duration(
      String field, @Nullable String given, Duration usual, Duration most) {
    if (given == null) {
      return usual;
    }
    Duration duration = Durations.parse(given);
    if (duration.isZero() || duration.compareTo(most) > 0) {
      String limit = most.toDays() > 0 ? most.toDays() + "d" : most.toSeconds() + "s";
      throw wrong(field, given + " is not between 1s and " + limit);
    }
    return duration;
  }

  private static SecretRef secret(String field, io.peerlens.api.model.@Nullable SecretRef given) {
    String name = required(field, given).getSecret();
    if (name == null) {
      throw wrong(field, "is not {\"secret\": NAME}");
    }
    return new SecretRef(name);
  }

  private static @Nullable SecretRef optionalSecret(
      String field, io.peerlens.api.model.@Nullable SecretRef given) {
    return given == null ? null : secret(field, given);
  }

  private static SecretText secretText(String field, @Nullable String given) {
    try {
      return new SecretText(line(field, given));
    } catch (IllegalArgumentException e) {
      throw wrong(field, Objects.requireNonNullElse(e.getMessage(), "names no secret"));
    }
  }

  /** A URL; one that is a secret as a whole is looked at when it is used. */
  private static SecretText url(String field, @Nullable String given) {
    SecretText text = secretText(field, given);
    if (!text.source().startsWith("${secret:")) {
      uri(field, text.resolve(name -> "x"), "https", "http");
    }
    return text;
  }

  private static URI uri(String field, String text, String... schemes) {
    URI uri;
    try {
      uri = URI.create(text);
    } catch (IllegalArgumentException e) {
      throw wrong(field, "is no URL");
    }
    if (uri.getScheme() == null || !List.of(schemes).contains(uri.getScheme())) {
      throw wrong(field, "does not start with " + String.join(":// or ", schemes) + "://");
    }
    if (uri.getHost() == null) {
      throw wrong(field, "has no host, or one that is no name or address")
          .hint("Write names with other letters in their xn-- form.");
    }
    if (uri.getRawUserInfo() != null) {
      throw wrong(field, "holds a user name")
          .hint("Use auth; a password in a URL ends up in logs.");
    }
    if (uri.getRawFragment() != null) {
      throw wrong(field, "has a fragment (#), which is never sent");
    }
    return uri;
  }

  private static String headerName(String field, String given) {
    String name = line(field, given);
    if (!Header.isName(name)) {
      throw wrong(field, "\"" + name + "\" is no name of a header");
    }
    if (Header.isReserved(name)) {
      throw wrong(field, name + " is set by Peerlens alone");
    }
    return name;
  }

  private static SecretText headerText(String field, String given) {
    SecretText text = secretText(field, given);
    if (text.source().chars().anyMatch(c -> c > 0x7e)) {
      throw wrong(field, "holds a character that a header cannot carry");
    }
    return text;
  }

  private static String host(String field, String given) {
    String host = line(field, given);
    if (host.chars().anyMatch(c -> c <= ' ' || "/@?#%\\".indexOf(c) >= 0)) {
      throw wrong(field, "\"" + host + "\" is no host name or address");
    }
    return host;
  }
}
