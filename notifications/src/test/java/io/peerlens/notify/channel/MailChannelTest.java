package io.peerlens.notify.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.peerlens.alerttemplates.Message;
import io.peerlens.alerttemplates.SecretMarks;
import io.peerlens.api.model.NotificationTargetEdit;
import io.peerlens.definition.Definitions;
import io.peerlens.notify.secret.SecretException;
import io.peerlens.support.ScriptedSmtp;
import io.peerlens.support.TestCertificates;
import io.peerlens.support.WebhookReceiver;
import io.peerlens.support.WebhookReceiver.Reply;
import jakarta.mail.BodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class MailChannelTest {

  private static final UUID ALERT = UUID.fromString("3f0c9d36-5a0b-5a55-9c0e-0f6f3f8f2c11");
  private static final Map<String, String> SECRETS =
      Map.of("password", "correct horse", "wrong", "battery staple");
  private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', 1, 2, 3};

  private static TestCertificates certificate;
  private static GreenMail mails;

  private final ScriptedSmtp smtp = new ScriptedSmtp(certificate.context(certificate));
  private final MailChannel channel = channel("127.0.0.1", "*.example");

  private static MailChannel channel(String... allow) {
    AddressGuard guard = guard(allow);
    return new MailChannel(
        name -> {
          String value = SECRETS.get(name);
          if (value == null) {
            throw new SecretException("The secret " + name + " does not exist");
          }
          return value;
        },
        guard,
        new TokenClient(guard, InstantSource.system()),
        certificate.context(certificate).getSocketFactory());
  }

  private static AddressGuard guard(String... allow) {
    return new AddressGuard(
        new EgressProperties(List.of(allow), List.of(), List.of()),
        name ->
            name.endsWith(".example")
                ? List.of(InetAddress.ofLiteral("127.0.0.1"))
                : HostResolver.SYSTEM.resolve(name));
  }

  @BeforeAll
  static void start(@TempDir Path folder) {
    certificate = TestCertificates.make(folder, "CN=mx", "dns:mx.example,ip:127.0.0.1");
    mails = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    mails.start();
  }

  @AfterAll
  static void stop() {
    mails.stop();
  }

  @AfterEach
  void close() throws Exception {
    smtp.close();
    mails.purgeEmailFromAllMailboxes();
  }

  private static ActiveTarget target(String host, int port, String more) {
    return ActiveTarget.read(
        UUID.randomUUID(),
        "",
        Definitions.of(
            JsonMapper.shared()
                .readTree(
                    """
                    {'name': 'Mail', 'type': 'email', 'email': {'host': '%s', 'port': %d, 'from': 'Ops Österreich <ops@peerlens.example>', %s}}
                    """
                        .formatted(host, port, more)
                        .replace('\'', '"')),
            NotificationTargetEdit.class));
  }

  private static ActiveTarget plain(String more) {
    return target("127.0.0.1", mails.getSmtp().getPort(), "'security': 'none', " + more);
  }

  private static Attempt attempt(int sequence) {
    return new Attempt(
        UUID.randomUUID(), ALERT, sequence, 1, Instant.parse("2026-11-21T12:00:00Z"));
  }

  private static Message.Mail mail(String subject, String html) {
    return new Message.Mail(subject, "Text with ümläuts\n.\n..dots", html, List.of(), html != null);
  }

  private MimeMessage sent(Message message, ActiveTarget target, Attempt attempt) {
    Exchange exchange = channel.send(message, target, attempt);
    assertThat(exchange.verdict()).isEqualTo(new Verdict.Delivered());
    assertThat(Objects.requireNonNull(exchange.answer()).status()).isEqualTo(250);
    return mails.getReceivedMessages()[mails.getReceivedMessages().length - 1];
  }

  private static String header(MimeMessage mail, String name) throws Exception {
    String value = mail.getHeader(name, "\n");
    return value == null ? "" : value;
  }

  // What arrives ----------------------------------------------------------------------------------

  @Test
  void aMailHasTextHtmlAndTheChart() throws Exception {
    MimeMessage mail =
        sent(
            mail("CPU hoch 😀 auf web-17", "<p>Ärger</p><img alt='x' src='cid:chart'>")
                .with(
                    new Message.Picture(
                        Base64.getEncoder().encodeToString(PNG), "CPU of \"$1\" <b>")),
            plain(
                "'to': ['a@x.example', 'Be <b@x.example>'], 'cc': ['c@x.example'], 'bcc':"
                    + " ['d@x.example'], 'replyTo': 'noreply@x.example'"),
            attempt(1));
    assertThat(mail.getSubject()).isEqualTo("CPU hoch 😀 auf web-17");
    assertThat(mail.getFrom()[0].toString()).contains("ops@peerlens.example");
    assertThat(((jakarta.mail.internet.InternetAddress) mail.getFrom()[0]).getPersonal())
        .isEqualTo("Ops Österreich");
    assertThat(header(mail, "To")).isEqualTo("a@x.example, Be <b@x.example>");
    assertThat(header(mail, "Cc")).isEqualTo("c@x.example");
    assertThat(header(mail, "Bcc")).isEmpty();
    assertThat(header(mail, "Reply-To")).isEqualTo("noreply@x.example");
    assertThat(header(mail, "Auto-Submitted")).isEqualTo("auto-generated");
    assertThat(header(mail, "Precedence")).isEmpty();
    assertThat(mail.getSentDate().toInstant()).isEqualTo(Instant.parse("2026-11-21T12:00:00Z"));
    assertThat(mails.getReceivedMessages()).hasSize(4); // one for each recipient, d among them

    MimeMultipart alternative = (MimeMultipart) mail.getContent();
    assertThat(alternative.getContentType()).startsWith("multipart/alternative");
    assertThat(alternative.getBodyPart(0).getContent().toString().replace("\r\n", "\n"))
        .isEqualTo("Text with ümläuts\n.\n..dots");
    MimeMultipart related = (MimeMultipart) alternative.getBodyPart(1).getContent();
    assertThat(related.getContentType()).startsWith("multipart/related");
    assertThat(related.getBodyPart(0).getContent().toString())
        .isEqualTo("<p>Ärger</p><img alt=\"CPU of &quot;$1&quot; &lt;b&gt;\" src='cid:chart'>");
    BodyPart chart = related.getBodyPart(1);
    assertThat(chart.getContentType()).startsWith("image/png");
    assertThat(chart.getHeader("Content-ID")).containsExactly("<chart>");
    assertThat(chart.getInputStream().readAllBytes()).isEqualTo(PNG);
  }

  @Test
  void filesComeBesideWhatIsRead() throws Exception {
    MimeMessage mail =
        sent(
            mail("Report", "<p>Ärger</p>")
                .with(List.of(new Message.TextFile("report.csv", "text/csv", "a,b\r\nä,1\r\n"))),
            plain("'to': ['a@x.example']"),
            attempt(1));
    MimeMultipart mixed = (MimeMultipart) mail.getContent();
    assertThat(mixed.getContentType()).startsWith("multipart/mixed");
    MimeMultipart read = (MimeMultipart) mixed.getBodyPart(0).getContent();
    assertThat(read.getContentType()).startsWith("multipart/alternative");
    assertThat(read.getBodyPart(1).getContent().toString()).isEqualTo("<p>Ärger</p>");
    BodyPart file = mixed.getBodyPart(1);
    assertThat(file.getContentType()).startsWith("text/csv").contains("utf-8");
    assertThat(file.getFileName()).isEqualTo("report.csv");
    assertThat(file.getDisposition()).isEqualTo("attachment");
    assertThat(new String(file.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("a,b\r\nä,1\r\n");
  }

  @Test
  void withoutAChartNothingPointsToOne() throws Exception {
    Exchange exchange =
        channel("127.0.0.1")
            .send(
                mail("s", "<p>a<img src=\"cid:chart\" width=560>b</p>"),
                plain("'to': ['a@x.example']"),
                attempt(1));
    assertThat(exchange.verdict()).isEqualTo(new Verdict.Delivered());
    MimeMultipart alternative = (MimeMultipart) mails.getReceivedMessages()[0].getContent();
    assertThat(alternative.getBodyPart(1).getContent().toString()).isEqualTo("<p>ab</p>");

    MimeMessage late =
        sent(
            mail("s", "<p>a<img src=\"cid:chart\">b</p>")
                .with(new Message.Picture(null, "The chart is missing.")),
            plain("'to': ['a@x.example']"),
            attempt(1));
    assertThat(((MimeMultipart) late.getContent()).getBodyPart(1).getContent().toString())
        .as("it says that it is missing")
        .isEqualTo("<p>aThe chart is missing.b</p>");
  }

  @Test
  void mailsAboutAnAlertFormAThread() throws Exception {
    ActiveTarget target = plain("'to': ['a@x.example']");
    MimeMessage first = sent(mail("new", null), target, attempt(1));
    MimeMessage second = sent(mail("update", null), target, attempt(2));
    MimeMessage third = sent(mail("cancel", null), target, attempt(3));
    assertThat(header(first, "Message-ID")).isEqualTo("<" + ALERT + ".1@peerlens.example>");
    assertThat(header(first, "In-Reply-To")).isEmpty();
    assertThat(header(first, "References")).isEmpty();
    assertThat(header(second, "Message-ID")).isEqualTo("<" + ALERT + ".2@peerlens.example>");
    for (MimeMessage later : List.of(second, third)) {
      assertThat(header(later, "In-Reply-To")).isEqualTo(header(first, "Message-ID"));
      assertThat(header(later, "References")).isEqualTo(header(first, "Message-ID"));
    }
  }

  // Attacks ---------------------------------------------------------------------------------------

  @Test
  void neitherSubjectNorHeadersBecomeOtherHeaders() throws Exception {
    Message.Mail message =
        new Message.Mail(
            "vm\r\nBcc: evil@evil.example\r\n\r\nBody\u2028x " + "y".repeat(500),
            "text",
            "<p>h</p>",
            List.of(
                new Message.Header("X-Team", "ops\r\nX-Evil: 1 Österreich"),
                new Message.Header("X-Bad: 1\r\nX-Evil", "1"),
                new Message.Header("Bcc", "evil@evil.example"),
                new Message.Header("to", "evil@evil.example"),
                new Message.Header("From", "evil@evil.example"),
                new Message.Header("Message-ID", "<evil>"),
                new Message.Header("Content-Type", "text/evil"),
                new Message.Header("Precedence", "bulk")),
            false);
    Exchange exchange = channel.send(message, plain("'to': ['a@x.example']"), attempt(1));
    assertThat(exchange.verdict()).isEqualTo(new Verdict.Delivered());
    assertThat(mails.getReceivedMessages()).hasSize(1);
    MimeMessage mail = mails.getReceivedMessages()[0];
    assertThat(mail.getSubject()).startsWith("vm Bcc: evil@evil.example Body x yyy").endsWith("y…");
    assertThat(mail.getSubject()).hasSize(250);
    assertThat(header(mail, "X-Evil")).isEmpty();
    assertThat(header(mail, "To")).isEqualTo("a@x.example");
    assertThat(header(mail, "From")).contains("ops@peerlens.example");
    assertThat(header(mail, "Message-ID")).contains(ALERT.toString());
    assertThat(header(mail, "Precedence")).isEmpty();
    assertThat(jakarta.mail.internet.MimeUtility.decodeText(header(mail, "X-Team")))
        .isEqualTo("ops X-Evil: 1 Österreich");
    assertThat(exchange.sent().headers())
        .allSatisfy(line -> assertThat(line.value()).doesNotContain("\r", "\n"));
  }

  @Test
  void secretsStayNamesInMails() throws Exception {
    String mark = SecretMarks.mark("password");
    MimeMessage mail =
        sent(
            new Message.Mail("s " + mark, "t " + mark, null, List.of(), false),
            plain("'to': ['a@x.example']"),
            attempt(1));
    assertThat(mail.getSubject()).isEqualTo("s secret password");
    assertThat(mail.getContent().toString().strip()).isEqualTo("t secret password");
  }

  @Test
  void aMailThatIsTooLargeIsRefused() {
    assertThat(
            channel
                .send(
                    new Message.Mail("s", "x".repeat(3_000_000), null, List.of(), false),
                    plain("'to': ['a@x.example']"),
                    attempt(1))
                .verdict())
        .isInstanceOf(Verdict.Refused.class);
  }

  @Test
  void mailServersAreGuardedAsOthersAre() {
    MailChannel strict = channel();
    for (String host : List.of("127.0.0.1", "localhost", "mx.example", "2130706433")) {
      assertThat(
              strict
                  .send(
                      mail("s", null),
                      target(host, smtp.port(), "'to': ['a@x.example']"),
                      attempt(1))
                  .verdict())
          .as(host)
          .isInstanceOf(Verdict.Refused.class);
    }
    assertThat(smtp.connections()).isZero();
  }

  // Transport -------------------------------------------------------------------------------------

  @Test
  void starttlsIsDemandedAndTheNameIsChecked() {
    String to = "'to': ['a@x.example'], 'username': 'me', 'password': {'secret': 'password'}";
    Exchange exchange =
        channel.send(mail("s", null), target("mx.example", smtp.port(), to), attempt(1));
    assertThat(exchange.verdict()).isEqualTo(new Verdict.Delivered());
    assertThat(smtp.said()).contains("STARTTLS");
    assertThat(smtp.inClear()).noneMatch(line -> line.startsWith("AUTH"));
    assertThat(exchange.toString()).doesNotContain("correct horse");

    assertThat(
            channel
                .send(mail("s", null), target("other.example", smtp.port(), to), attempt(1))
                .verdict())
        .isInstanceOf(Verdict.Retry.class);
    smtp.offerNoTls();
    smtp.forget();
    assertThat(
            channel
                .send(mail("s", null), target("mx.example", smtp.port(), to), attempt(1))
                .verdict())
        .isInstanceOf(Verdict.Retry.class);
    assertThat(smtp.said()).noneMatch(line -> line.startsWith("AUTH") || line.startsWith("MAIL"));
  }

  @Test
  void aTokenTakesThePlaceOfAPassword() {
    try (WebhookReceiver tokens = WebhookReceiver.start()) {
      tokens.script(
          Reply.status(200)
              .body("application/json", "{\"access_token\": \"old\", \"expires_in\": 3600}"),
          Reply.status(200)
              .body("application/json", "{\"access_token\": \"new\", \"expires_in\": 3600}"));
      String oauth2 =
          "'to': ['a@x.example'], 'username': 'ops@x.example', 'oauth2': {'tokenUrl': '%s', 'clientId': 'me', 'clientSecret': {'secret': 'password'}, 'scope': 'mail.send'}"
              .formatted(tokens.url("/token"));
      ActiveTarget target = target("mx.example", smtp.port(), oauth2);

      Exchange exchange = channel.send(mail("s", null), target, attempt(1));
      assertThat(exchange.verdict()).isEqualTo(new Verdict.Delivered());
      assertThat(smtp.inClear()).noneMatch(line -> line.startsWith("AUTH"));
      assertThat(smtp.said()).contains("AUTH XOAUTH2 " + xoauth2("old"));
      assertThat(tokens.last().text()).isEqualTo("grant_type=client_credentials&scope=mail.send");
      assertThat(exchange.toString()).doesNotContain("old", "correct horse");

      channel.send(mail("s", null), target, attempt(2));
      assertThat(tokens.received()).as("a token is kept").hasSize(1);

      smtp.answer("AUTH XOAUTH2 " + xoauth2("old"), "535 5.7.8 expired");
      assertThat(channel.send(mail("s", null), target, attempt(3)).verdict())
          .as("one that was taken back is replaced once")
          .isEqualTo(new Verdict.Delivered());
      assertThat(tokens.received()).hasSize(2);
      assertThat(smtp.said()).contains("AUTH XOAUTH2 " + xoauth2("new"));

      tokens.script(Reply.status(401).body("application/json", "{\"error\": \"invalid_client\"}"));
      Verdict verdict =
          channel
              .send(
                  mail("s", null),
                  target("mx.example", smtp.port(), oauth2), // another target
                  attempt(4))
              .verdict();
      assertThat(verdict).isInstanceOf(Verdict.Unauthorized.class);
      assertThat(verdict.reason()).contains("401", "invalid_client");
    }
  }

  private static String xoauth2(String token) {
    return Base64.getEncoder()
        .encodeToString(
            ("user=ops@x.example\u0001auth=Bearer " + token + "\u0001\u0001")
                .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
  }

  @Test
  void aServerOfOnesOwnIsTrustedByItsBundleAlone() {
    AddressGuard guard = guard("*.example");
    MailChannel usual =
        new MailChannel(name -> "", guard, new TokenClient(guard, InstantSource.system()));
    String to = "'to': ['a@x.example']";
    String with = to + ", 'caBundle': '" + certificate.certificatePem().replace("\n", "\\n") + "'";
    try (ScriptedSmtp secure = ScriptedSmtp.tls(certificate.context(certificate))) {
      for (String start :
          List.of(
              smtp.port() + " 'security': 'starttls', ", secure.port() + " 'security': 'tls', ")) {
        int port = Integer.parseInt(start.substring(0, start.indexOf(' ')));
        String security = start.substring(start.indexOf(' '));
        Verdict without =
            usual
                .send(mail("s", null), target("mx.example", port, security + to), attempt(1))
                .verdict();
        assertThat(without).as(security).isInstanceOf(Verdict.Retry.class);
        assertThat(without.reason()).contains("certification path");
        assertThat(
                usual
                    .send(mail("s", null), target("mx.example", port, security + with), attempt(1))
                    .verdict())
            .as(security)
            .isEqualTo(new Verdict.Delivered());
        assertThat(
                usual
                    .send(
                        mail("s", null), target("other.example", port, security + with), attempt(1))
                    .verdict())
            .as("the name is checked all the same")
            .isInstanceOf(Verdict.Retry.class);
      }
    }
    Verdict nonsense =
        usual
            .send(
                mail("s", null),
                target("mx.example", smtp.port(), "'caBundle': 'nonsense', " + to),
                attempt(1))
            .verdict();
    assertThat(nonsense).isInstanceOf(Verdict.Refused.class);
    assertThat(nonsense.reason()).startsWith("caBundle: ");
  }

  @Test
  void implicitTlsIsSupported() {
    try (ScriptedSmtp secure = ScriptedSmtp.tls(certificate.context(certificate))) {
      assertThat(
              channel
                  .send(
                      mail("s", null),
                      target(
                          "mx.example", secure.port(), "'security': 'tls', 'to': ['a@x.example']"),
                      attempt(1))
                  .verdict())
          .isEqualTo(new Verdict.Delivered());
      assertThat(
              channel
                  .send(
                      mail("s", null),
                      target(
                          "other.example",
                          secure.port(),
                          "'security': 'tls', 'to': ['a@x.example']"),
                      attempt(1))
                  .verdict())
          .isInstanceOf(Verdict.Retry.class);
    }
  }

  @Test
  void aPasswordThatIsRefusedPausesTheTarget() {
    smtp.answer("AUTH", "535 5.7.8 no, correct horse is not it");
    Exchange exchange =
        channel.send(
            mail("s", null),
            target(
                "mx.example",
                smtp.port(),
                "'to': ['a@x.example'], 'username': 'me', 'password': {'secret': 'password'}"),
            attempt(1));
    assertThat(exchange.verdict()).isInstanceOf(Verdict.Unauthorized.class);
    assertThat(exchange.toString()).doesNotContain("correct horse");
    smtp.answer("AUTH", "454 4.7.0 later");
    assertThat(
            channel
                .send(
                    mail("s", null),
                    target(
                        "mx.example",
                        smtp.port(),
                        "'to': ['a@x.example'], 'username': 'me', 'password': {'secret':"
                            + " 'password'}"),
                    attempt(1))
                .verdict())
        .isInstanceOf(Verdict.Retry.class);
  }

  private Verdict verdict(String command, String answer) {
    smtp.answer(command, answer);
    return channel
        .send(
            mail("s", null), target("mx.example", smtp.port(), "'to': ['a@x.example']"), attempt(1))
        .verdict();
  }

  @Test
  void fourHundredsAreTriedAgainAndFiveHundredsAreNot() {
    assertThat(verdict("MAIL", "450 4.7.1 greylisted")).isInstanceOf(Verdict.Retry.class);
    assertThat(verdict("MAIL", "550 5.7.1 not you")).isInstanceOf(Verdict.Refused.class);
    assertThat(verdict("MAIL", "250 ok")).isEqualTo(new Verdict.Delivered());
    assertThat(verdict("RCPT", "452 4.2.2 full")).isInstanceOf(Verdict.Retry.class);
    assertThat(verdict("RCPT", "550 5.1.1 nobody")).isInstanceOf(Verdict.Refused.class);
    assertThat(verdict("RCPT", "250 ok")).isEqualTo(new Verdict.Delivered());
    assertThat(verdict("DATA", "451 4.3.0 later")).isInstanceOf(Verdict.Retry.class);
    assertThat(verdict("DATA", "554 5.6.0 spam")).isInstanceOf(Verdict.Refused.class);
    assertThat(verdict("DATA", "354 go")).isEqualTo(new Verdict.Delivered());
    assertThat(verdict(".", "552 5.2.3 too long")).isInstanceOf(Verdict.Refused.class);
    assertThat(verdict(".", "421 4.3.2 going down")).isInstanceOf(Verdict.Retry.class);
    assertThat(verdict("", "421 4.3.2 full house")).isInstanceOf(Verdict.Retry.class);
  }

  @Test
  void recipientsThatGotTheMailDoNotGetItAgain() {
    ActiveTarget target =
        target(
            "mx.example", smtp.port(), "'to': ['a@x.example', 'grey@x.example', 'gone@x.example']");
    smtp.answer("RCPT TO:<grey@x.example>", "451 4.7.1 greylisted");
    smtp.answer("RCPT TO:<gone@x.example>", "550 5.1.1 nobody");
    Attempt attempt = attempt(1);
    Exchange first = channel.send(mail("s", null), target, attempt);
    assertThat(first.verdict())
        .isInstanceOfSatisfying(
            Verdict.Retry.class, retry -> assertThat(retry.reason()).contains("grey@x.example"));
    assertThat(smtp.delivered()).containsExactly(List.of("a@x.example"));
    smtp.answer("RCPT TO:<grey@x.example>", "250 ok");
    Exchange second = channel.send(mail("s", null), target, attempt);
    assertThat(second.verdict()).isEqualTo(new Verdict.Delivered());
    assertThat(smtp.delivered()).containsExactly(List.of("a@x.example"), List.of("grey@x.example"));
  }

  @Test
  void aServerThatHangsOrIsNotThereIsTriedAgainInTime() throws Exception {
    String to = "'to': ['a@x.example'], 'timeout': '1s'";
    for (String at : List.of("", "EHLO", "MAIL", ".")) {
      smtp.answer(at, ScriptedSmtp.HANG);
      Exchange exchange =
          channel.send(mail("s", null), target("mx.example", smtp.port(), to), attempt(1));
      assertThat(exchange.verdict()).as("at %s", at).isInstanceOf(Verdict.Retry.class);
      assertThat(exchange.took()).isLessThan(Duration.ofSeconds(10));
      smtp.answerAsUsual();
    }
    smtp.drip(Duration.ofMillis(200));
    Exchange dripped =
        channel.send(mail("s", null), target("mx.example", smtp.port(), to), attempt(1));
    assertThat(dripped.verdict()).isInstanceOf(Verdict.Retry.class);
    assertThat(dripped.took()).isLessThan(Duration.ofSeconds(10));
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    assertThat(channel.send(mail("s", null), target("mx.example", free, to), attempt(1)).verdict())
        .isInstanceOf(Verdict.Retry.class);
  }

  @Test
  void theShownMailIsTheOneThatWasSent() {
    Exchange exchange =
        channel.send(
            mail("subject", null),
            plain("'to': ['a@x.example'], 'bcc': ['b@x.example']"),
            attempt(2));
    assertThat(exchange.sent().line())
        .isEqualTo("SMTP 127.0.0.1:" + mails.getSmtp().getPort() + " none");
    assertThat(exchange.sent().headers())
        .extracting(HeaderLine::name)
        .containsExactly(
            "From",
            "To",
            "Bcc",
            "Subject",
            "Message-ID",
            "In-Reply-To",
            "References",
            "Auto-Submitted",
            "X-Auto-Response-Suppress");
    assertThat(exchange.sent().body()).isEqualTo("Text with ümläuts\n.\n..dots");
    await().until(() -> mails.getReceivedMessages().length == 2);
    assertThat(new ArrayList<>(List.of(mails.getReceivedMessages()))).hasSize(2);
  }
}
