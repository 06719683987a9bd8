package io.peerlens.notify.channel;

import io.peerlens.notify.channel.WebhookSettings.Auth;
import io.peerlens.notify.secret.SecretException;
import io.peerlens.notify.secret.UsedSecrets;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Tokens of OAuth 2 for channels that speak no HTTP otherwise. Thread-safe. */
public final class TokenClient implements AutoCloseable {

  private final WebhookClients clients;
  private final OAuthTokens tokens;

  public TokenClient(AddressGuard guard, InstantSource clock) {
    clients = new WebhookClients(guard);
    tokens = new OAuthTokens(clock);
  }

  /**
   * A token, or why there is none.
   *
   * @param value empty = there is none
   * @param failure null = there is one
   */
  public record Token(String value, @Nullable Verdict failure) {
    @Override
    public String toString() {
      return "Token";
    }
  }

  /**
   * The token of a target, kept or new.
   *
   * @param refused a token that was refused and must not be given again; null = none
   * @param limit for asking
   */
  public Token token(
      UUID target,
      Auth.OAuth2 settings,
      UsedSecrets used,
      @Nullable String refused,
      Duration limit) {
    WebhookSettings http =
        new WebhookSettings(
            settings.tokenUrl(),
            new Auth.None(),
            null,
            WebhookSettings.Tls.DEFAULT,
            null,
            new WebhookSettings.Signing.None(),
            List.of(),
            limit);
    ActiveTarget server = new ActiveTarget(target, "tokens", http, SendLimits.DEFAULT);
    try {
      return new Token(
          tokens.token(
              target,
              settings,
              used,
              refused,
              (method, uri, headers, body) ->
                  clients
                      .client(server, "http".equals(uri.getScheme()), used)
                      .send(method, uri, headers, body, limit)),
          null);
    } catch (SecretException e) {
      return new Token("", new Verdict.Unauthorized(used.redact(e)));
    } catch (OAuthTokens.TokenException e) {
      String reason = used.redact(e);
      return new Token(
          "",
          e.mayPass() ? new Verdict.Retry(null, reason, false) : new Verdict.Unauthorized(reason));
    } catch (IOException e) {
      return new Token("", WebhookChannel.failed(e, used));
    }
  }

  @Override
  public void close() {
    clients.close();
  }
}
