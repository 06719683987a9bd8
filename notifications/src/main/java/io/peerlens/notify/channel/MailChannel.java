package io.peerlens.notify.channel;

import io.peerlens.alerttemplates.Message;
import io.peerlens.notify.channel.WebhookSettings.Auth;
import io.peerlens.notify.secret.SecretException;
import io.peerlens.notify.secret.SecretValues;
import io.peerlens.notify.secret.UsedSecrets;
import jakarta.mail.Address;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPAddressSucceededException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;
import org.eclipse.angus.mail.smtp.SMTPTransport;
import org.eclipse.angus.mail.util.MailConnectException;
import org.jspecify.annotations.Nullable;

/** Mail channel (SMTP), one connection for each message. */
public final class MailChannel implements Channel {

  /** Bytes of a mail at most. */
  static final int MAX_BYTES = 2 * 1024 * 1024;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final int REMEMBERED = 10_000;

  private final SecretValues secrets;
  private final AddressGuard guard;
  private final TokenClient tokens;
  private final SSLSocketFactory tls;

  /**
   * Who has got a delivery already. When a server takes a mail for some and wants another try for
   * the others, the next attempt goes to the others alone. After a restart everybody gets it again,
   * with the same Message-ID.
   */
  private final Map<UUID, Set<Address>> reached =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<UUID, Set<Address>> eldest) {
              return size() > REMEMBERED;
            }
          });

  /** A channel that trusts whom the JDK trusts. */
  public MailChannel(SecretValues secrets, AddressGuard guard, TokenClient tokens) {
    this(secrets, guard, tokens, usual());
  }

  MailChannel(SecretValues secrets, AddressGuard guard, TokenClient tokens, SSLSocketFactory tls) {
    this.secrets = secrets;
    this.guard = guard;
    this.tokens = tokens;
    this.tls = tls;
  }

  private static SSLSocketFactory usual() {
    try {
      return SSLContext.getDefault().getSocketFactory();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("TLS does not work here", e);
    }
  }

  @Override
  public TargetType type() {
    return TargetType.EMAIL;
  }

  @Override
  public Exchange send(Message message, ActiveTarget target, Attempt attempt) {
    long began = System.nanoTime();
    EmailSettings settings = (EmailSettings) target.settings();
    String line =
        "SMTP %s:%d %s"
            .formatted(
                settings.host(),
                settings.port(),
                settings.security().name().toLowerCase(Locale.ROOT));
    if (!(message instanceof Message.Mail given)) {
      return new Exchange(
          new Sent(line, List.of(), ""),
          null,
          since(began),
          new Verdict.Refused(
              "The template makes no mail, and the target \""
                  + target.name()
                  + "\" takes nothing else"));
    }
    MailMessage mail = new MailMessage(given, settings, attempt);
    Sent sent = new Sent(line, mail.headers(), mail.text());
    UsedSecrets used = new UsedSecrets(secrets);
    Outcome outcome = authorized(mail, target.id(), settings, attempt, used);
    return new Exchange(sent, outcome.answer(), since(began), outcome.verdict());
  }

  private record Outcome(@Nullable Answer answer, Verdict verdict) {
    static Outcome refused(String reason) {
      return new Outcome(null, new Verdict.Refused(reason));
    }

    static Outcome retry(String reason) {
      return new Outcome(null, new Verdict.Retry(null, reason));
    }
  }

  /** A token that is refused may have been taken back before its time: there is another try. */
  private Outcome authorized(
      MailMessage mail, UUID target, EmailSettings settings, Attempt attempt, UsedSecrets used) {
    Auth.OAuth2 oauth2 = settings.oauth2();
    if (oauth2 == null) {
      return send(mail, settings, null, attempt, used);
    }
    String refused = null;
    while (true) {
      TokenClient.Token token = tokens.token(target, oauth2, used, refused, settings.timeout());
      if (token.failure() != null) {
        return new Outcome(null, token.failure());
      }
      Outcome outcome = send(mail, settings, token.value(), attempt, used);
      if (refused != null || !(outcome.verdict() instanceof Verdict.Unauthorized)) {
        return outcome;
      }
      refused = token.value();
    }
  }

  private Outcome send(
      MailMessage mail,
      EmailSettings settings,
      @Nullable String token,
      Attempt attempt,
      UsedSecrets used) {
    AddressGuard.Destination destination;
    try {
      destination = guard.resolve(settings.host(), settings.port());
    } catch (EgressRefusedException e) {
      return Outcome.refused(used.redact(e));
    } catch (UnknownHostException e) {
      return Outcome.retry("The host is not known: " + settings.host());
    }
    if (settings.security() == EmailSettings.Security.NONE && !destination.inClear()) {
      return Outcome.refused(
          "Mail without TLS is sent only where the administrator allows it, and not to "
              + settings.host()
              + ": use starttls or tls, or peerlens.notify.egress.allow");
    }
    String password;
    try {
      password = settings.password() == null ? token : used.value(settings.password().name());
    } catch (SecretException e) {
      return new Outcome(null, new Verdict.Unauthorized(used.redact(e)));
    }
    SSLSocketFactory trusting;
    try {
      trusting = trusting(settings);
    } catch (TlsContexts.TlsException e) {
      return Outcome.refused("caBundle: " + used.redact(e));
    }
    try (GuardedSockets sockets =
            new GuardedSockets(
                trusting, settings.security() == EmailSettings.Security.TLS, destination);
        Deadline deadline = Deadline.after(settings.timeout(), sockets::close)) {
      Session session = Session.getInstance(properties(settings, sockets));
      List<InternetAddress> recipients;
      MimeMessage mime;
      try {
        recipients = mail.recipients();
        mime = mail.mime(session);
        if (size(mime) > MAX_BYTES) {
          return Outcome.refused("The mail is larger than %,d bytes".formatted(MAX_BYTES));
        }
      } catch (AddressException e) {
        return Outcome.refused("No mail can be made: " + used.redact(e));
      } catch (MessagingException | IOException | UncheckedIOException e) {
        return Outcome.refused("No mail can be made: " + used.redact(e));
      }
      recipients.removeAll(reached.getOrDefault(attempt.deliveryId(), Set.of()));
      if (recipients.isEmpty()) {
        return new Outcome(null, new Verdict.Delivered());
      }
      Outcome outcome = transmit(session, mime, recipients, settings, password, attempt, used);
      if (deadline.passed() && outcome.answer() == null) {
        return Outcome.retry(
            "The server took too long: more than " + settings.timeout().toSeconds() + " s");
      }
      return outcome;
    }
  }

  private SSLSocketFactory trusting(EmailSettings settings) throws TlsContexts.TlsException {
    String bundle = settings.caBundle();
    return bundle == null
        ? tls
        : TlsContexts.context(new WebhookSettings.Tls(bundle, List.of(), true), null)
            .getSocketFactory();
  }

  private Outcome transmit(
      Session session,
      MimeMessage mime,
      List<InternetAddress> recipients,
      EmailSettings settings,
      @Nullable String password,
      Attempt attempt,
      UsedSecrets used) {
    SMTPTransport transport = null;
    try {
      transport = (SMTPTransport) session.getTransport("smtp");
      transport.connect(settings.host(), settings.port(), settings.username(), password);
      transport.sendMessage(mime, recipients.toArray(Address[]::new));
      reached.remove(attempt.deliveryId());
      return new Outcome(
          answer(transport.getLastReturnCode(), transport.getLastServerResponse(), "", used),
          new Verdict.Delivered());
    } catch (AuthenticationFailedException e) {
      String reason = "The server does not accept our name and password: " + used.redact(e);
      return strip(String.valueOf(e.getMessage())).startsWith("4")
          ? Outcome.retry(reason)
          : new Outcome(null, new Verdict.Unauthorized(reason));
    } catch (SendFailedException e) {
      return partly(e, attempt, used);
    } catch (MailConnectException e) {
      return Outcome.retry("The server cannot be reached: " + used.redact(words(e)));
    } catch (MessagingException e) {
      return failed(e, used);
    } finally {
      close(transport);
    }
  }

  /** What goes wrong while saying good-bye changes nothing. */
  private static void close(@Nullable SMTPTransport transport) {
    if (transport != null) {
      try {
        transport.close();
      } catch (MessagingException e) {
        // The sockets are closed in any case.
      }
    }
  }

  /** The server has answered, and not with yes alone. */
  private Outcome partly(SendFailedException failure, Attempt attempt, UsedSecrets used) {
    Set<Address> now = new HashSet<>();
    List<String> words = new ArrayList<>();
    boolean again = false;
    int code = 0;
    String response = "";
    for (Exception e = failure; e != null; e = next(e)) {
      switch (e) {
        case SMTPAddressSucceededException fine -> now.add(fine.getAddress());
        case SMTPAddressFailedException refused -> {
          again |= refused.getReturnCode() < 500;
          code = refused.getReturnCode();
          response = String.valueOf(refused.getMessage());
          words.add(refused.getAddress() + ": " + strip(response));
        }
        case SMTPSenderFailedException sender -> {
          again |= sender.getReturnCode() < 500;
          code = sender.getReturnCode();
          response = String.valueOf(sender.getMessage());
          words.add("sender " + sender.getAddress() + ": " + strip(response));
        }
        case SMTPSendFailedException whole when whole.getReturnCode() >= 400 -> {
          again |= whole.getReturnCode() < 500;
          code = whole.getReturnCode();
          response = String.valueOf(whole.getMessage());
          words.add(strip(response));
        }
        default -> {}
      }
    }
    if (failure.getValidSentAddresses() != null) {
      now.addAll(List.of(failure.getValidSentAddresses()));
    }
    String all =
        used.redact(
            words.isEmpty()
                ? strip(String.valueOf(failure.getMessage()))
                : String.join("; ", words));
    Answer answer = code == 0 ? null : answer(code, response, all, used);
    if (again) {
      reached.computeIfAbsent(attempt.deliveryId(), id -> new HashSet<>()).addAll(now);
      return new Outcome(
          answer, new Verdict.Retry(null, "The server asks for another try: " + all));
    }
    boolean somebody = !now.isEmpty() || reached.remove(attempt.deliveryId()) != null;
    return new Outcome(
        answer,
        somebody
            ? new Verdict.Delivered()
            : new Verdict.Refused("The server does not take the mail: " + all));
  }

  private static @Nullable Exception next(Exception e) {
    return e instanceof MessagingException m ? m.getNextException() : null;
  }

  private static Outcome failed(MessagingException e, UsedSecrets used) {
    String text = used.redact(words(e));
    return text.matches("(?s)5\\d\\d[ -].*")
        ? new Outcome(
            answer(Integer.parseInt(text.substring(0, 3)), text, text, used),
            new Verdict.Refused("The server answered " + text))
        : Outcome.retry("The connection failed: " + text);
  }

  /** With the reason behind it, which the mail library keeps apart. */
  private static String words(MessagingException e) {
    String words = strip(String.valueOf(e.getMessage()));
    Exception next = e.getNextException();
    if (next == null) {
      return words;
    }
    String why =
        next.getMessage() == null ? next.getClass().getSimpleName() : strip(next.getMessage());
    return words.contains(why) ? words : words + " (" + why + ")";
  }

  private static Answer answer(int code, @Nullable String response, String body, UsedSecrets used) {
    String line = used.redact(strip(response == null ? "" : response));
    return new Answer(code, line.lines().findFirst().orElse(""), List.of(), body, false);
  }

  private static String strip(String text) {
    return text.strip();
  }

  private static int size(MimeMessage mime) throws IOException, MessagingException {
    int[] size = {0};
    mime.writeTo(
        new java.io.OutputStream() {
          @Override
          public void write(int b) {
            size[0]++;
          }

          @Override
          public void write(byte[] bytes, int offset, int length) {
            size[0] += length;
          }
        });
    return size[0];
  }

  private static Properties properties(EmailSettings settings, GuardedSockets sockets) {
    String timeout = Long.toString(settings.timeout().toMillis());
    Properties p = new Properties();
    p.put("mail.smtp.auth", Boolean.toString(settings.username() != null));
    if (settings.oauth2() != null) {
      p.put("mail.smtp.auth.mechanisms", "XOAUTH2");
    }
    p.put(
        "mail.smtp.connectiontimeout",
        Long.toString(Math.min(CONNECT_TIMEOUT.toMillis(), settings.timeout().toMillis())));
    p.put("mail.smtp.timeout", timeout);
    p.put("mail.smtp.writetimeout", timeout);
    p.put("mail.smtp.sendpartial", "true");
    p.put("mail.smtp.reportsuccess", "false");
    p.put("mail.smtp.quitwait", "false");
    p.put("mail.mime.address.strict", "true");
    p.put("mail.smtp.socketFactory", sockets.connecting());
    p.put("mail.smtp.ssl.socketFactory", sockets.changing());
    // Without this a connection that fails is tried again past the guard.
    p.put("mail.smtp.socketFactory.fallback", "false");
    p.put("mail.smtp.ssl.checkserveridentity", "true");
    p.put("mail.smtp.ssl.protocols", "TLSv1.3 TLSv1.2");
    if (settings.security() == EmailSettings.Security.STARTTLS) {
      p.put("mail.smtp.starttls.enable", "true");
      p.put("mail.smtp.starttls.required", "true");
    }
    return p;
  }

  private static Duration since(long began) {
    return Duration.ofNanos(System.nanoTime() - began);
  }
}
