package io.peerlens.notify.channel;

import io.peerlens.notify.channel.WebhookSettings.Auth;
import io.peerlens.notify.secret.UsedSecrets;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Cache of OAuth 2 access tokens (client credentials), kept until shortly before their end. */
final class OAuthTokens {

  /** When the server does not say how long a token is good for. */
  private static final Duration USUAL_LIFE = Duration.ofMinutes(5);

  private static final Duration MARGIN = Duration.ofSeconds(30);
  private static final int MOST = 500;

  private final InstantSource clock;
  private final JsonMapper json = JsonMapper.shared();
  private final Map<UUID, Slot> slots = new LinkedHashMap<>(16, 0.75f, true);

  OAuthTokens(InstantSource clock) {
    this.clock = clock;
  }

  /** Token of one target; its lock keeps many messages from asking for a token each. */
  private static final class Slot {
    @Nullable Token token;
  }

  /** A token and what it was made of. */
  private record Token(String value, Instant until, Auth.OAuth2 settings, String clientSecret) {
    @Override
    public String toString() {
      return "Token";
    }
  }

  /** No token came. */
  static final class TokenException extends Exception {
    private final boolean mayPass;

    TokenException(String message, boolean mayPass) {
      super(message);
      this.mayPass = mayPass;
    }

    /** Whether it may work later, without anybody doing something. */
    boolean mayPass() {
      return mayPass;
    }
  }

  /** Sender of requests to the token's URL. */
  @FunctionalInterface
  interface Sender {
    WebhookClient.Response send(String method, URI uri, List<HeaderLine> headers, byte[] body)
        throws IOException;
  }

  /**
   * The token of a target, kept or new.
   *
   * @param refused a token that the receiver has refused, which must not be given again; null =
   *     none
   * @throws TokenException if the server gives none
   * @throws IOException if the server does not answer
   */
  String token(
      UUID target,
      Auth.OAuth2 settings,
      UsedSecrets secrets,
      @Nullable String refused,
      Sender sender)
      throws TokenException, IOException {
    String clientSecret = secrets.value(settings.clientSecret().name());
    Slot slot;
    synchronized (slots) {
      slot = slots.computeIfAbsent(target, id -> new Slot());
      if (slots.size() > MOST) {
        slots.remove(slots.keySet().iterator().next());
      }
    }
    synchronized (slot) {
      Token known = slot.token;
      if (known == null
          || known.value().equals(refused)
          || !known.settings().equals(settings)
          || !known.clientSecret().equals(clientSecret)
          || !clock.instant().isBefore(known.until())) {
        slot.token = null;
        known = ask(settings, clientSecret, secrets, sender);
        slot.token = known;
      }
      secrets.remember("token", known.value());
      return known.value();
    }
  }

  private Token ask(Auth.OAuth2 settings, String clientSecret, UsedSecrets secrets, Sender sender)
      throws TokenException, IOException {
    URI uri;
    try {
      uri = URI.create(settings.tokenUrl().resolve(secrets::value).strip());
    } catch (IllegalArgumentException e) {
      throw new TokenException("The URL for tokens is no URL", false);
    }
    if (uri.getHost() == null || uri.getRawUserInfo() != null) {
      throw new TokenException("The URL for tokens must have a host and no user name", false);
    }
    String pair = encode(settings.clientId()) + ":" + encode(clientSecret);
    String basic = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII));
    secrets.remember(settings.clientSecret().name(), basic);
    List<HeaderLine> headers =
        new ArrayList<>(
            List.of(
                new HeaderLine("Content-Type", "application/x-www-form-urlencoded"),
                new HeaderLine("Accept", "application/json"),
                new HeaderLine("Authorization", "Basic " + basic)));
    String body =
        "grant_type=client_credentials"
            + (settings.scope() == null ? "" : "&scope=" + encode(settings.scope()));
    Instant asked = clock.instant();
    WebhookClient.Response response =
        sender.send("POST", uri, headers, body.getBytes(StandardCharsets.US_ASCII));
    int status = response.status();
    if (status != 200) {
      throw new TokenException(
          "The server for tokens answered " + status + error(response.body(), secrets),
          status >= 500 || status == 429 || status == 408);
    }
    JsonNode answer;
    try {
      answer = json.readTree(response.body());
    } catch (JacksonException e) {
      throw new TokenException("The server for tokens answered something that is no JSON", false);
    }
    String token = answer.path("access_token").asString("");
    if (token.isBlank() || token.chars().anyMatch(c -> c <= ' ' || c > 0x7e)) {
      throw new TokenException("The server for tokens gave none (access_token)", false);
    }
    JsonNode expires = answer.path("expires_in");
    Duration life =
        expires.isNumber() || expires.isString()
            ? Duration.ofSeconds(Math.max(0, Math.min(expires.asLong(300), 86_400)))
            : USUAL_LIFE;
    Duration margin = life.compareTo(MARGIN.multipliedBy(4)) > 0 ? MARGIN : life.dividedBy(4);
    return new Token(token, asked.plus(life.minus(margin)), settings, clientSecret);
  }

  /** What RFC 6749 lets a server say, when it says it. */
  private String error(String body, UsedSecrets secrets) {
    try {
      JsonNode answer = json.readTree(body);
      String error = answer.path("error").asString("");
      String description = answer.path("error_description").asString("");
      String words = error + (description.isEmpty() ? "" : " (" + description + ")");
      return words.isBlank()
          ? ""
          : ": " + secrets.redact(words.length() > 300 ? words.substring(0, 300) : words);
    } catch (JacksonException e) {
      return "";
    }
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
