package io.peerlens.notify.channel;

import io.peerlens.alerttemplates.Message;
import io.peerlens.notify.channel.WebhookSettings.Auth;
import io.peerlens.notify.secret.SecretException;
import io.peerlens.notify.secret.SecretValues;
import io.peerlens.notify.secret.UsedSecrets;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.jspecify.annotations.Nullable;

/** Webhook channel: messages as HTTP requests. */
public final class WebhookChannel implements Channel, AutoCloseable {

  private final SecretValues secrets;
  private final InstantSource clock;
  private final WebhookClients clients;
  private final AddressGuard guard;
  private final OAuthTokens tokens;

  /** A channel; close it to end its connections. */
  public WebhookChannel(SecretValues secrets, AddressGuard guard, InstantSource clock) {
    this.secrets = secrets;
    this.clock = clock;
    this.guard = guard;
    this.clients = new WebhookClients(guard);
    this.tokens = new OAuthTokens(clock);
  }

  @Override
  public TargetType type() {
    return TargetType.WEBHOOK;
  }

  @Override
  public Exchange send(Message message, ActiveTarget target, Attempt attempt) {
    long began = System.nanoTime();
    WebhookSettings settings = (WebhookSettings) target.settings();
    if (!(message instanceof Message.Http http)) {
      return new Exchange(
          new Sent("HTTP " + settings.url().shown(), List.of(), ""),
          null,
          since(began),
          new Verdict.Refused(
              "The template makes no HTTP request, and the target \""
                  + target.name()
                  + "\" takes nothing else"));
    }
    UsedSecrets used = new UsedSecrets(secrets);
    WebhookRequest request = new WebhookRequest(http, settings, attempt);
    Outcome outcome = send(http, target, request, used, began);
    Answer answer = outcome.response() == null ? null : answer(outcome.response(), used);
    return new Exchange(outcome.sent(), answer, since(began), outcome.verdict());
  }

  private record Outcome(Sent sent, WebhookClient.@Nullable Response response, Verdict verdict) {}

  private Outcome send(
      Message.Http message,
      ActiveTarget target,
      WebhookRequest request,
      UsedSecrets used,
      long began) {
    Sent sent = request.shown();
    try {
      String refused = null;
      while (true) {
        String token = token(target, used, refused, began);
        WebhookRequest.Ready ready = request.ready(used, token);
        sent = ready.sent();
        WebhookClient.Response response =
            exchange(
                target,
                used,
                message.method().toUpperCase(java.util.Locale.ROOT),
                ready.uri(),
                ready.headers(),
                ready.body(),
                began);
        if (response.status() == 401 && !token.isEmpty() && refused == null) {
          refused = token; // it may have been taken back before its time
          continue;
        }
        String retryAfter =
            response.headers().stream()
                .filter(header -> header.name().equalsIgnoreCase("Retry-After"))
                .map(HeaderLine::value)
                .findFirst()
                .orElse("");
        return new Outcome(
            sent,
            response,
            HttpVerdicts.of(message, response.status(), retryAfter, clock.instant()));
      }
    } catch (SecretException e) {
      return new Outcome(sent, null, new Verdict.Unauthorized(used.redact(e)));
    } catch (RequestException e) {
      return new Outcome(sent, null, new Verdict.Refused(used.redact(e)));
    } catch (OAuthTokens.TokenException e) {
      String reason = used.redact(e);
      return new Outcome(
          sent,
          null,
          e.mayPass() ? new Verdict.Retry(null, reason, false) : new Verdict.Unauthorized(reason));
    } catch (IOException e) {
      return new Outcome(sent, null, failed(e, used));
    }
  }

  /** Empty when the target does not use OAuth 2. */
  private String token(ActiveTarget target, UsedSecrets used, @Nullable String refused, long began)
      throws OAuthTokens.TokenException, IOException {
    WebhookSettings settings = (WebhookSettings) target.settings();
    if (!(settings.auth() instanceof Auth.OAuth2 oauth)) {
      return "";
    }
    return tokens.token(
        target.id(),
        oauth,
        used,
        refused,
        (method, uri, headers, body) -> exchange(target, used, method, uri, headers, body, began));
  }

  private WebhookClient.Response exchange(
      ActiveTarget target,
      UsedSecrets used,
      String method,
      URI uri,
      List<HeaderLine> headers,
      byte[] body,
      long began)
      throws IOException {
    Duration left = target.timeout().minus(since(began));
    if (left.isNegative() || left.isZero()) {
      throw new SocketTimeoutException("no answer within " + target.timeout().toSeconds() + " s");
    }
    boolean inClear = "http".equals(uri.getScheme());
    if (((WebhookSettings) target.settings()).proxy() != null) {
      checkBehindProxy(uri, inClear);
    }
    boolean empty = body.length == 0 && (method.equals("GET") || method.equals("DELETE"));
    return clients
        .client(target, inClear, used)
        .send(method, uri, headers, empty ? null : body, left);
  }

  /**
   * A proxy looks names up itself; what it may reach is the business of whoever runs it. What can
   * be known here is checked all the same.
   */
  private void checkBehindProxy(URI uri, boolean inClear) throws IOException {
    int port = uri.getPort() >= 0 ? uri.getPort() : inClear ? 80 : 443;
    try {
      GuardedDns.check(guard, uri.getHost(), port, inClear);
    } catch (GuardedDns.Refused e) {
      throw e;
    } catch (UnknownHostException e) {
      if (inClear) {
        throw new GuardedDns.Refused(
            "http without TLS is sent only where the administrator allows it, and "
                + uri.getHost()
                + " is not known here");
      }
    }
  }

  static Verdict failed(IOException e, UsedSecrets used) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof GuardedDns.Refused) {
        return new Verdict.Refused(used.redact(cause));
      }
    }
    String why = used.redact(e);
    return switch (e) {
      case TlsContexts.TlsException tls -> new Verdict.Unauthorized(why);
      case UnknownHostException unknown ->
          new Verdict.Retry(null, "The host is not known: " + why, false);
      case SSLException tls -> new Verdict.Retry(null, "TLS: " + why);
      case SocketTimeoutException timeout ->
          new Verdict.Retry(null, "The receiver took too long: " + why);
      case NoHttpResponseException none ->
          new Verdict.Retry(null, "The receiver closed the connection without an answer");
      case ConnectException refused ->
          new Verdict.Retry(null, "The receiver cannot be reached: " + why, false);
      default -> new Verdict.Retry(null, "The connection failed: " + why);
    };
  }

  private static Answer answer(WebhookClient.Response response, UsedSecrets used) {
    return new Answer(
        response.status(),
        (response.status() + " " + used.redact(response.reason())).strip(),
        response.headers().stream()
            .map(header -> new HeaderLine(header.name(), used.redact(header.value())))
            .toList(),
        used.redact(response.body()),
        response.truncated());
  }

  private static Duration since(long began) {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  @Override
  public void close() {
    clients.close();
  }
}
