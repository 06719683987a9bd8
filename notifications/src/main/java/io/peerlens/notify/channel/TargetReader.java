package io.peerlens.notify.channel;

import io.peerlens.notify.channel.WebhookSettings.Auth;
import io.peerlens.notify.channel.WebhookSettings.Header;
import io.peerlens.notify.channel.WebhookSettings.Proxy;
import io.peerlens.notify.channel.WebhookSettings.Signing;
import io.peerlens.notify.channel.WebhookSettings.Tls;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads targets from their definitions. What it accepts, channels can work with. */
final class TargetReader {

  private static final Pattern DURATION = Pattern.compile("(\\d{1,6})([smhd])");
  private static final Pattern ADDRESS =
      Pattern.compile("[^\\s<>\\p{Cntrl}]+@[^\\s<>@\\p{Cntrl}]+");
  private static final Pattern DOMAIN =
      Pattern.compile("(?i)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

  private static final Duration MAX_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration MAX_AGE = Duration.ofDays(7);
  private static final int MAX_RECIPIENTS = 100;

  private TargetReader() {}

  static TargetInForce read(UUID id, JsonNode definition) {
    Part target = new Part("", definition);
    String name = target.text("name");
    String type = target.text("type");
    target.ignore("id", "description", "enabled", "heartbeat");
    TargetType known =
        TargetType.of(type)
            .orElseThrow(
                () -> target.wrong("type", "\"" + type + "\" is not webhook, email or snmp"));
    for (TargetType other : TargetType.values()) {
      if (other != known && target.has(other.value())) {
        throw target.wrong(other.value(), "does not go with type " + type);
      }
    }
    Part part = target.part(type);
    TargetSettings settings =
        switch (known) {
          case WEBHOOK -> webhook(part);
          case EMAIL -> email(part);
          case SNMP -> snmp(part);
        };
    part.end();
    Limits limits = target.has("limits") ? limits(target.part("limits")) : Limits.DEFAULT;
    target.end();
    return new TargetInForce(id, name, settings, limits);
  }

  private static Limits limits(Part part) {
    Duration maxAge = part.duration("maxAge", Limits.DEFAULT.maxAge(), MAX_AGE);
    Limits limits =
        new Limits(
            part.optionalInteger("perMinute", 1, 1_000_000),
            part.optionalInteger("burst", 1, 1_000_000),
            part.integer("connections", Limits.DEFAULT.connections(), 1, 100),
            maxAge,
            part.optionalInteger("digestAfter", 1, 1_000_000));
    if (limits.burst() != null && limits.perMinute() == null) {
      throw part.wrong("burst", "means nothing without perMinute");
    }
    part.end();
    return limits;
  }

  // Webhook ---------------------------------------------------------------------------------------

  private static WebhookSettings webhook(Part part) {
    SecretText url = part.url("url");
    SecretRef clientKey = null;
    Auth auth = new Auth.None();
    if (part.has("auth")) {
      Part given = part.part("auth");
      auth = auth(given);
      clientKey = given.optionalSecret("keyStore");
      if (given.is("type", "mutual-tls") && clientKey == null) {
        throw given.wrong(
            "keyStore", "is missing", "Name the secret that holds key and certificate as PEM.");
      }
      given.end();
    }
    Tls tls = part.has("tls") ? tls(part.part("tls")) : Tls.DEFAULT;
    Proxy proxy = part.has("proxy") ? proxy(part.part("proxy")) : null;
    Signing signing = part.has("signing") ? signing(part.part("signing")) : new Signing.None();
    List<Header> headers = new ArrayList<>();
    for (Part header : part.parts("headers", 50)) {
      headers.add(new Header(header.headerName("name"), header.headerText("value")));
      header.end();
    }
    return new WebhookSettings(
        url, auth, clientKey, tls, proxy, signing, headers, part.timeout(15));
  }

  private static Auth auth(Part part) {
    return switch (part.oneOf(
        "type", "none", "basic", "bearer", "api-key", "oauth2-client-credentials", "mutual-tls")) {
      case "basic" -> {
        String username = part.line("username");
        if (username.contains(":")) {
          throw part.wrong("username", "holds a colon, which Basic authentication cannot carry");
        }
        yield new Auth.Basic(username, part.secret("password"));
      }
      case "bearer" -> new Auth.Bearer(part.secret("token"));
      case "api-key" ->
          new Auth.ApiKey(
              part.has("header") ? part.headerName("header") : "X-API-Key", part.secret("token"));
      case "oauth2-client-credentials" -> oauth2(part);
      default -> new Auth.None();
    };
  }

  private static Auth.OAuth2 oauth2(Part part) {
    return new Auth.OAuth2(
        part.url("tokenUrl"),
        part.line("clientId"),
        part.secret("clientSecret"),
        part.optionalLine("scope"));
  }

  private static Tls tls(Part part) {
    String bundle = part.optionalText("caBundle");
    List<String> pins = new ArrayList<>();
    for (String pin : part.texts("pinSha256", 20)) {
      String hex = pin.replace(":", "").replace(" ", "").toLowerCase(Locale.ROOT);
      if (hex.length() != 64 || !hex.chars().allMatch(HexFormat::isHexDigit)) {
        throw part.wrong(
            "pinSha256[" + pins.size() + "]",
            "is not a SHA-256 of 64 hex digits",
            "openssl x509 -noout -fingerprint -sha256 prints it.");
      }
      pins.add(hex);
    }
    boolean verifyHost = part.bool("verifyHost", true);
    if (!verifyHost && bundle == null && pins.isEmpty()) {
      throw part.wrong(
          "verifyHost",
          "cannot be off when any public certificate would do",
          "Give caBundle or pinSha256 as well.");
    }
    part.end();
    return new Tls(bundle, pins, verifyHost);
  }

  private static Proxy proxy(Part part) {
    URI url = part.uri("url", part.line("url"), "http", "socks5");
    boolean socks = "socks5".equals(url.getScheme());
    if (url.getPath() != null && !url.getPath().isEmpty() && !url.getPath().equals("/")) {
      throw part.wrong("url", "has a path", "A proxy is http://HOST:PORT or socks5://HOST:PORT.");
    }
    SecretRef credentials = part.optionalSecret("secret");
    if (socks && credentials != null) {
      throw part.wrong(
          "secret", "does not go with socks5", "Use an HTTP proxy, or one that asks no name.");
    }
    part.end();
    int port = url.getPort() >= 0 ? url.getPort() : socks ? 1080 : 8080;
    return new Proxy(socks, url.getHost(), port, credentials);
  }

  private static Signing signing(Part part) {
    String type =
        part.oneOf("type", "none", "standard-webhooks", "standard-webhooks-ed25519", "hmac");
    if (type.equals("none")) {
      part.ignore("secrets", "header", "encoding", "timestampHeader", "prefix");
      part.end();
      return new Signing.None();
    }
    List<SecretRef> secrets = part.secrets("secrets");
    Signing signing =
        switch (type) {
          case "standard-webhooks" -> new Signing.StandardHmac(secrets);
          case "standard-webhooks-ed25519" -> new Signing.StandardEd25519(secrets);
          default -> {
            String header = part.has("header") ? part.headerName("header") : "X-Hub-Signature-256";
            String prefix = part.optionalText("prefix");
            if (prefix != null && !prefix.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
              throw part.wrong("prefix", "holds a blank or a character that a header cannot carry");
            }
            boolean base64 =
                part.has("encoding") && part.oneOf("encoding", "hex", "base64").equals("base64");
            yield new Signing.Hmac(
                secrets,
                header,
                prefix != null
                    ? prefix
                    : header.equalsIgnoreCase("X-Hub-Signature-256") ? "sha256=" : "",
                base64,
                part.has("timestampHeader") ? part.headerName("timestampHeader") : null);
          }
        };
    part.end();
    return signing;
  }

  // Mail ------------------------------------------------------------------------------------------

  private static EmailSettings email(Part part) {
    EmailSettings.Security security =
        !part.has("security")
            ? EmailSettings.Security.STARTTLS
            : switch (part.oneOf("security", "starttls", "tls", "none")) {
              case "tls" -> EmailSettings.Security.TLS;
              case "none" -> EmailSettings.Security.NONE;
              default -> EmailSettings.Security.STARTTLS;
            };
    int usual =
        switch (security) {
          case STARTTLS -> 587;
          case TLS -> 465;
          case NONE -> 25;
        };
    String username = part.optionalLine("username");
    SecretRef password = part.optionalSecret("password");
    Auth.OAuth2 oauth2 = null;
    if (part.has("oauth2")) {
      Part given = part.part("oauth2");
      oauth2 = oauth2(given);
      given.end();
      if (password != null) {
        throw part.wrong("oauth2", "stands beside password", "Give one of them.");
      }
      if (username == null) {
        throw part.wrong("username", "is missing", "XOAUTH2 says whose mailbox sends.");
      }
    } else if ((username == null) != (password == null)) {
      throw part.wrong(
          username == null ? "username" : "password", "is missing; give both or neither");
    }
    if (username != null && security == EmailSettings.Security.NONE) {
      throw part.wrong(
          "security", "is none, so the password would travel in clear", "Use starttls or tls.");
    }
    String caBundle = part.optionalText("caBundle");
    if (caBundle != null && security == EmailSettings.Security.NONE) {
      throw part.wrong("caBundle", "means nothing without TLS", "Use starttls or tls.");
    }
    List<String> domains = part.texts("allowedDomains", 100);
    for (int i = 0; i < domains.size(); i++) {
      if (!DOMAIN.matcher(domains.get(i)).matches()) {
        throw part.wrong("allowedDomains[" + i + "]", "is no domain, such as example.com");
      }
    }
    List<String> to = part.addresses("to", domains);
    List<String> cc = part.addresses("cc", domains);
    List<String> bcc = part.addresses("bcc", domains);
    int recipients = to.size() + cc.size() + bcc.size();
    if (recipients == 0) {
      throw part.wrong("to", "is empty");
    }
    if (recipients > MAX_RECIPIENTS) {
      throw part.wrong(
          "to",
          "with cc and bcc has more than " + MAX_RECIPIENTS + " addresses",
          "Use a list address.");
    }
    String from = part.line("from");
    part.address("from", from);
    String replyTo = part.optionalLine("replyTo");
    if (replyTo != null) {
      part.address("replyTo", replyTo);
    }
    return new EmailSettings(
        part.host("host"),
        part.integer("port", usual, 1, 65535),
        security,
        username,
        password,
        oauth2,
        from,
        to,
        cc,
        bcc,
        replyTo,
        domains,
        caBundle,
        part.timeout(30));
  }

  // SNMP ------------------------------------------------------------------------------------------

  private static SnmpSettings snmp(Part part) {
    String host = part.host("host");
    int port = part.integer("port", 162, 1, 65535);
    String version = part.oneOf("version", "v2c", "v3");
    SnmpSettings.Credentials credentials;
    if (version.equals("v2c")) {
      part.mustLack(
          "goes with v3 only",
          "user",
          "authProtocol",
          "authPassword",
          "privProtocol",
          "privPassword",
          "context");
      credentials = new SnmpSettings.Credentials.Community(part.secret("community"));
    } else {
      part.mustLack("goes with v2c only", "community");
      String user = part.line("user");
      if (user.length() > 32) {
        throw part.wrong("user", "is longer than 32 characters");
      }
      credentials =
          new SnmpSettings.Credentials.User(
              user,
              part.protocol(
                  "authProtocol",
                  SnmpSettings.AuthProtocol.values(),
                  SnmpSettings.AuthProtocol::value,
                  SnmpSettings.AuthProtocol.SHA_256),
              part.secret("authPassword"),
              part.protocol(
                  "privProtocol",
                  SnmpSettings.PrivProtocol.values(),
                  SnmpSettings.PrivProtocol::value,
                  SnmpSettings.PrivProtocol.AES_128),
              part.secret("privPassword"),
              part.optionalLine("context"));
    }
    boolean inform = part.bool("inform", false);
    return new SnmpSettings(host, port, credentials, inform, part.timeout(5));
  }

  // Fields ----------------------------------------------------------------------------------------

  /** A JSON object that knows its path and which of its fields were read. */
  private static final class Part {
    private final String path;
    private final JsonNode node;
    private final Set<String> read = new TreeSet<>();

    Part(String path, JsonNode node) {
      this.path = path;
      this.node = node;
      if (!node.isObject()) {
        throw new TargetException(path.isEmpty() ? "target" : path, "is not an object", null);
      }
    }

    private String path(String field) {
      return path.isEmpty() ? field : path + "." + field;
    }

    TargetException wrong(String field, String reason) {
      return new TargetException(path(field), reason, null);
    }

    TargetException wrong(String field, String reason, String hint) {
      return new TargetException(path(field), reason, hint);
    }

    boolean has(String field) {
      return node.hasNonNull(field);
    }

    void ignore(String... fields) {
      read.addAll(Arrays.asList(fields));
    }

    void mustLack(String reason, String... fields) {
      for (String field : fields) {
        if (has(field)) {
          throw wrong(field, reason);
        }
      }
    }

    /** Everything that was not asked for is a mistake. */
    void end() {
      for (String field : node.propertyNames()) {
        if (!read.contains(field) && has(field)) {
          throw wrong(
              field, "is not known here", "The fields here are " + String.join(", ", read) + ".");
        }
      }
    }

    private @Nullable JsonNode get(String field) {
      read.add(field);
      return has(field) ? node.get(field) : null;
    }

    private JsonNode required(String field) {
      JsonNode value = get(field);
      if (value == null) {
        throw wrong(field, "is missing");
      }
      return value;
    }

    Part part(String field) {
      return new Part(path(field), required(field));
    }

    private List<JsonNode> items(String field, int most) {
      JsonNode value = get(field);
      if (value == null) {
        return List.of();
      }
      if (!value.isArray()) {
        throw wrong(field, "is not a list");
      }
      if (value.size() > most) {
        throw wrong(field, "has more than " + most + " entries");
      }
      return value.valueStream().toList();
    }

    List<Part> parts(String field, int most) {
      List<Part> parts = new ArrayList<>();
      for (JsonNode item : items(field, most)) {
        parts.add(new Part(path(field) + "[" + parts.size() + "]", item));
      }
      return parts;
    }

    List<String> texts(String field, int most) {
      List<String> texts = new ArrayList<>();
      for (JsonNode item : items(field, most)) {
        String at = field + "[" + texts.size() + "]";
        if (!item.isString()) {
          throw wrong(at, "is not a text");
        }
        texts.add(line(at, item.asString()));
      }
      return texts;
    }

    String text(String field) {
      JsonNode value = required(field);
      if (!value.isString()) {
        throw wrong(field, "is not a text");
      }
      return value.asString();
    }

    @Nullable String optionalText(String field) {
      return get(field) == null ? null : text(field);
    }

    String line(String field) {
      return line(field, text(field));
    }

    @Nullable String optionalLine(String field) {
      return get(field) == null ? null : line(field);
    }

    private String line(String field, String text) {
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

    boolean is(String field, String value) {
      JsonNode given = get(field);
      return given != null && given.asString("").equals(value);
    }

    String oneOf(String field, String... values) {
      String value = text(field);
      if (!List.of(values).contains(value)) {
        throw wrong(field, "\"" + value + "\" is not one of " + String.join(", ", values));
      }
      return value;
    }

    <T> T protocol(String field, T[] values, Function<T, String> name, T usual) {
      if (!has(field)) {
        return usual;
      }
      String[] names = Arrays.stream(values).map(name).toArray(String[]::new);
      String value = text(field);
      int index = Arrays.asList(names).indexOf(value);
      if (index < 0) {
        throw wrong(
            field,
            "\"" + value + "\" is not one of " + String.join(", ", names),
            "MD5, SHA-1 and DES are not safe any more.");
      }
      return values[index];
    }

    boolean bool(String field, boolean usual) {
      JsonNode value = get(field);
      if (value == null) {
        return usual;
      }
      if (!value.isBoolean()) {
        throw wrong(field, "is not true or false");
      }
      return value.asBoolean();
    }

    @Nullable Integer optionalInteger(String field, int least, int most) {
      JsonNode value = get(field);
      if (value == null) {
        return null;
      }
      if (!value.isIntegralNumber() || !value.canConvertToInt()) {
        throw wrong(field, "is not a whole number");
      }
      if (value.asInt() < least || value.asInt() > most) {
        throw wrong(field, value.asInt() + " is not between " + least + " and " + most);
      }
      return value.asInt();
    }

    int integer(String field, int usual, int least, int most) {
      return Objects.requireNonNullElse(optionalInteger(field, least, most), usual);
    }

    Duration timeout(int usualSeconds) {
      return duration("timeout", Duration.ofSeconds(usualSeconds), MAX_TIMEOUT);
    }

    Duration duration(String field, Duration usual, Duration most) {
      if (get(field) == null) {
        return usual;
      }
      String text = text(field);
      var parts = DURATION.matcher(text);
      if (!parts.matches()) {
        throw wrong(field, "\"" + text + "\" is no duration, such as 20s or 24h");
      }
      long number = Long.parseLong(parts.group(1));
      Duration duration =
          switch (parts.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
          };
      if (duration.isZero() || duration.compareTo(most) > 0) {
        throw wrong(field, text + " is not between 1s and " + words(most));
      }
      return duration;
    }

    private static String words(Duration duration) {
      return duration.toDays() > 0 ? duration.toDays() + "d" : duration.toSeconds() + "s";
    }

    SecretRef secret(String field) {
      return secret(field, required(field));
    }

    @Nullable SecretRef optionalSecret(String field) {
      JsonNode value = get(field);
      return value == null ? null : secret(field, value);
    }

    /** One or more; the names stand alone or as {@code {secret: NAME}}. */
    List<SecretRef> secrets(String field) {
      List<SecretRef> secrets = new ArrayList<>();
      for (JsonNode item : items(field, 5)) {
        String at = field + "[" + secrets.size() + "]";
        secrets.add(item.isString() ? name(at, item.asString()) : secret(at, item));
      }
      if (secrets.isEmpty()) {
        throw wrong(field, "is empty", "Name the secret that signs.");
      }
      return secrets;
    }

    private SecretRef secret(String field, JsonNode value) {
      if (!value.isObject() || value.size() != 1 || !value.path("secret").isString()) {
        throw wrong(field, "is not {\"secret\": NAME}");
      }
      return name(field, value.path("secret").asString());
    }

    private SecretRef name(String field, String name) {
      if (!SecretRef.isName(name)) {
        throw wrong(
            field,
            "\"" + name + "\" is no name of a secret",
            "Names have 1 to 64 small letters, digits, dots, dashes and underscores.");
      }
      return new SecretRef(name);
    }

    private SecretText secretText(String field) {
      try {
        return new SecretText(line(field));
      } catch (IllegalArgumentException e) {
        throw wrong(field, Objects.requireNonNullElse(e.getMessage(), "names no secret"));
      }
    }

    /** A URL; one that is a secret as a whole is looked at when it is used. */
    SecretText url(String field) {
      SecretText text = secretText(field);
      if (!text.source().startsWith("${secret:")) {
        uri(field, text.resolve(name -> "x"), "https", "http");
      }
      return text;
    }

    URI uri(String field, String text, String... schemes) {
      URI uri;
      try {
        uri = URI.create(text);
      } catch (IllegalArgumentException e) {
        throw wrong(field, "is no URL");
      }
      if (uri.getScheme() == null || !List.of(schemes).contains(uri.getScheme())) {
        throw wrong(field, "does not begin with " + String.join(":// or ", schemes) + "://");
      }
      if (uri.getHost() == null) {
        throw wrong(
            field,
            "has no host, or one that is no name or address",
            "Write names with other letters in their xn-- form.");
      }
      if (uri.getRawUserInfo() != null) {
        throw wrong(field, "holds a user name", "Use auth; a password in a URL ends up in logs.");
      }
      if (uri.getRawFragment() != null) {
        throw wrong(field, "has a fragment (#), which is never sent");
      }
      return uri;
    }

    String headerName(String field) {
      String name = line(field);
      if (!Header.isName(name)) {
        throw wrong(field, "\"" + name + "\" is no name of a header");
      }
      if (Header.isReserved(name)) {
        throw wrong(field, name + " is set by Peerlens alone");
      }
      return name;
    }

    SecretText headerText(String field) {
      SecretText text = secretText(field);
      if (text.source().chars().anyMatch(c -> c > 0x7e)) {
        throw wrong(field, "holds a character that a header cannot carry");
      }
      return text;
    }

    String host(String field) {
      String host = line(field);
      if (host.chars().anyMatch(c -> c <= ' ' || "/@?#%\\".indexOf(c) >= 0)) {
        throw wrong(field, "\"" + host + "\" is no host name or address");
      }
      return host;
    }

    List<String> addresses(String field, List<String> domains) {
      List<String> addresses = texts(field, MAX_RECIPIENTS);
      for (int i = 0; i < addresses.size(); i++) {
        String at = field + "[" + i + "]";
        String domain = address(at, addresses.get(i));
        if (!domains.isEmpty()
            && domains.stream()
                .noneMatch(
                    d ->
                        domain.equalsIgnoreCase(d)
                            || domain
                                .toLowerCase(Locale.ROOT)
                                .endsWith("." + d.toLowerCase(Locale.ROOT)))) {
          throw wrong(at, domain + " is not among allowedDomains");
        }
      }
      return addresses;
    }

    /** Gives the domain. */
    String address(String field, String text) {
      String address = text;
      int open = text.indexOf('<');
      if (open >= 0 && text.endsWith(">")) {
        address = text.substring(open + 1, text.length() - 1);
      }
      if (!ADDRESS.matcher(address).matches() || address.contains(",") || address.contains(";")) {
        throw wrong(field, "\"" + text + "\" is no mail address, such as ops@example.com");
      }
      return address.substring(address.lastIndexOf('@') + 1);
    }
  }
}
