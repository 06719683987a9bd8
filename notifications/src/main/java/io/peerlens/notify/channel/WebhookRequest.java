package io.peerlens.notify.channel;

import io.peerlens.alerttemplates.Message;
import io.peerlens.alerttemplates.SecretMarks;
import io.peerlens.alerttemplates.SecretMarks.Escape;
import io.peerlens.notify.channel.WebhookSettings.Auth;
import io.peerlens.notify.secret.SecretValues;
import io.peerlens.notify.secret.UsedSecrets;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * HTTP request of a message and a target, made twice at the same time: as it is sent, and as it is
 * shown, with secrets as names.
 */
final class WebhookRequest {

  private static final Set<String> METHODS = Set.of("POST", "PUT", "PATCH", "DELETE", "GET");

  private final Message.Http message;
  private final WebhookSettings settings;
  private final Attempt attempt;

  WebhookRequest(Message.Http message, WebhookSettings settings, Attempt attempt) {
    this.message = message;
    this.settings = settings;
    this.attempt = attempt;
  }

  /** A header in both forms. */
  private record Both(String name, String marked, String shown) {}

  /**
   * Ready to be sent.
   *
   * @param headers with the values of secrets
   */
  record Ready(URI uri, List<HeaderLine> headers, byte[] body, Sent sent) {
    @Override
    public String toString() {
      return "Ready[" + sent.line() + "]";
    }
  }

  /** As it is shown before any secret is looked up, for attempts that fail this early. */
  Sent shown() {
    List<HeaderLine> headers = new ArrayList<>();
    for (Both header : headers("")) {
      headers.add(new HeaderLine(header.name(), header.shown()));
    }
    return new Sent(line(), headers, SecretMarks.show(message.body()));
  }

  /**
   * Puts secrets in and signs.
   *
   * @param bearer the token of OAuth 2; empty unless the target uses it
   * @throws RequestException if no proper request comes of it
   * @throws io.peerlens.notify.secret.SecretException if a secret cannot be had
   */
  Ready ready(UsedSecrets secrets, String bearer) throws RequestException {
    String method = message.method().toUpperCase(Locale.ROOT);
    if (!METHODS.contains(method)) {
      throw new RequestException("The method " + message.method() + " is not allowed");
    }
    URI uri = uri(secrets);
    List<HeaderLine> headers = new ArrayList<>();
    List<HeaderLine> shown = new ArrayList<>();
    for (Both header : headers(bearer)) {
      headers.add(
          new HeaderLine(
              header.name(),
              line(SecretMarks.resolve(header.marked(), Escape.NONE, secrets::value))));
      shown.add(new HeaderLine(header.name(), header.shown()));
    }
    byte[] body =
        SecretMarks.resolve(message.body(), message.escape(), secrets::value)
            .getBytes(StandardCharsets.UTF_8);
    if (settings.auth() instanceof Auth.Basic(var user, var password)) {
      String pair = user + ":" + secrets.value(password.name());
      String basic = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
      secrets.remember(password.name(), basic);
      headers.add(new HeaderLine("Authorization", "Basic " + basic));
      shown.add(
          new HeaderLine(
              "Authorization",
              "Basic " + user + ":" + SecretMarks.show(SecretMarks.mark(password.name()))));
    }
    for (HeaderLine signature : Signatures.headers(settings.signing(), attempt, body, secrets)) {
      headers.add(signature);
      shown.add(signature);
    }
    Sent sent = new Sent(line(), shown, SecretMarks.show(message.body()));
    return new Ready(uri, headers, body, sent);
  }

  private String line() {
    String url;
    try {
      url = join(settings.url().shown(), SecretMarks.show(message.path()));
    } catch (RequestException e) {
      url = settings.url().shown();
    }
    return message.method().toUpperCase(Locale.ROOT) + " " + line(url);
  }

  private URI uri(SecretValues secrets) throws RequestException {
    String base = settings.url().resolve(secrets::value).strip();
    URI start = parse(base, "The target's URL, with its secrets, is no URL");
    if (!"https".equals(start.getScheme()) && !"http".equals(start.getScheme())) {
      throw new RequestException("The target's URL starts neither with https:// nor with http://");
    }
    if (start.getHost() == null || start.getRawUserInfo() != null) {
      throw new RequestException(
          "The target's URL must have a host that is a name or an address, and no user name");
    }
    String path = SecretMarks.resolve(message.path(), Escape.FORM, secrets::value);
    if (pathOf(path)
        .toLowerCase(Locale.ROOT)
        .replace("%2e", ".")
        .matches(".*(^|/)\\.\\.?(/|$).*")) {
      throw new RequestException("The path of the message leads upwards (..)");
    }
    URI uri = parse(join(base, path), "The path of the message makes no URL");
    // Whatever the path says, the request goes where the target says.
    if (!start.getHost().equals(uri.getHost())
        || start.getPort() != uri.getPort()
        || !start.getScheme().equals(uri.getScheme())
        || uri.getRawUserInfo() != null) {
      throw new RequestException("The path of the message changes the host");
    }
    return uri;
  }

  /** Never with the text in the message: it may hold secrets. */
  private static URI parse(String text, String problem) throws RequestException {
    try {
      return URI.create(text);
    } catch (IllegalArgumentException e) {
      throw new RequestException(problem);
    }
  }

  private static String pathOf(String path) {
    int query = path.indexOf('?');
    return query < 0 ? path : path.substring(0, query);
  }

  /** Appends path and query of a message to the URL of a target, which may have both already. */
  static String join(String base, String path) throws RequestException {
    if (path.isEmpty()) {
      return base;
    }
    if (path.contains("#")) {
      throw new RequestException("The path of the message has a fragment (#)");
    }
    int at = base.indexOf('?');
    String start = at < 0 ? base : base.substring(0, at);
    String query = at < 0 ? "" : base.substring(at + 1);
    String more = pathOf(path);
    if (path.indexOf('?') >= 0) {
      String added = path.substring(path.indexOf('?') + 1);
      query = query.isEmpty() ? added : added.isEmpty() ? query : query + "&" + added;
    }
    if (!more.isEmpty()) {
      String stripped = start.endsWith("/") ? start.substring(0, start.length() - 1) : start;
      start = stripped + (more.startsWith("/") ? "" : "/") + more;
    }
    return query.isEmpty() ? start : start + "?" + query;
  }

  /**
   * All headers but those that are made of the body or of a whole credential. What authenticates
   * wins over the template, the template over the target.
   */
  private List<Both> headers(String bearer) {
    List<Both> headers = new ArrayList<>();
    put(headers, "Content-Type", message.contentType());
    for (WebhookSettings.Header header : settings.headers()) {
      put(headers, header.name(), header.value().marked());
    }
    for (Message.Header header : message.headers()) {
      put(headers, header.name(), header.value());
    }
    put(headers, "webhook-id", attempt.deliveryId().toString());
    put(headers, "Idempotency-Key", attempt.deliveryId().toString());
    switch (settings.auth()) {
      case Auth.None() -> {}
      case Auth.Basic basic -> remove(headers, "Authorization");
      case Auth.Bearer(var token) ->
          put(headers, "Authorization", "Bearer " + SecretMarks.mark(token.name()));
      case Auth.ApiKey(var name, var key) -> put(headers, name, SecretMarks.mark(key.name()));
      case Auth.OAuth2 oauth -> {
        remove(headers, "Authorization");
        headers.add(new Both("Authorization", "Bearer " + bearer, "Bearer (token of OAuth 2)"));
      }
    }
    switch (settings.signing()) {
      case WebhookSettings.Signing.None() -> {}
      case WebhookSettings.Signing.Hmac hmac -> {
        remove(headers, hmac.header());
        if (hmac.timestampHeader() != null) {
          remove(headers, hmac.timestampHeader());
        }
      }
      default -> {
        remove(headers, "webhook-timestamp");
        remove(headers, "webhook-signature");
      }
    }
    return headers;
  }

  private static void remove(List<Both> headers, String name) {
    headers.removeIf(header -> header.name().equalsIgnoreCase(name));
  }

  /** Takes the place of a header of the same name; what must not be set is left out. */
  private static void put(List<Both> headers, String name, String marked) {
    if (!WebhookSettings.Header.isName(name) || WebhookSettings.Header.isReserved(name)) {
      return;
    }
    remove(headers, name);
    headers.add(new Both(name, marked, line(SecretMarks.show(marked))));
  }

  /** One line: whatever could end a header becomes a blank. */
  private static String line(String text) {
    return text.replaceAll("[\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029]+", " ").strip();
  }
}
