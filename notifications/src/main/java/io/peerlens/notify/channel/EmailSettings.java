package io.peerlens.notify.channel;

import io.peerlens.notify.secret.SecretRef;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a mail target.
 *
 * @param host the SMTP server
 * @param username null = no authentication
 * @param password of the user; null = none
 * @param oauth2 where the token comes from that takes the place of a password (XOAUTH2); null =
 *     none
 * @param from sender, as {@code ops@example.com} or {@code Operations <ops@example.com>}
 * @param allowedDomains when not empty, all recipients must be in one of them or below
 * @param caBundle certificates as PEM that take the place of the JDK's; null = the JDK's
 * @param timeout of an attempt in all
 */
public record EmailSettings(
    String host,
    int port,
    Security security,
    @Nullable String username,
    @Nullable SecretRef password,
    WebhookSettings.Auth.@Nullable OAuth2 oauth2,
    String from,
    List<String> to,
    List<String> cc,
    List<String> bcc,
    @Nullable String replyTo,
    List<String> allowedDomains,
    @Nullable String caBundle,
    Duration timeout)
    implements TargetSettings {

  /** Protection of the connection to the mail server. */
  public enum Security {
    /** Begins in clear and must change to TLS before anything else is said. */
    STARTTLS,
    /** TLS from the first byte. */
    TLS,
    /** In clear. */
    NONE
  }

  public EmailSettings {
    to = List.copyOf(to);
    cc = List.copyOf(cc);
    bcc = List.copyOf(bcc);
    allowedDomains = List.copyOf(allowedDomains);
  }

  @Override
  public TargetType type() {
    return TargetType.EMAIL;
  }

  @Override
  public Set<String> secrets() {
    Set<String> names = new TreeSet<>();
    if (password != null) {
      names.add(password.name());
    }
    if (oauth2 != null) {
      names.addAll(oauth2.tokenUrl().secrets());
      names.add(oauth2.clientSecret().name());
    }
    return names;
  }
}
