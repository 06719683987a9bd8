package io.peerlens.notify.channel;

import static java.util.regex.Matcher.quoteReplacement;

import io.peerlens.alerttemplates.Message;
import io.peerlens.alerttemplates.SecretMarks;
import jakarta.activation.DataHandler;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.Session;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.internet.MimeUtility;
import jakarta.mail.util.ByteArrayDataSource;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.web.util.HtmlUtils;

/**
 * MIME message of a rendered mail. Everything that becomes a header is one line, whatever the
 * alert's name holds; addresses come from the target alone.
 */
final class MailMessage {

  private static final int LONGEST_SUBJECT = 250;
  private static final Pattern HEADER_NAME = Pattern.compile("[!-9;-~]{1,76}");

  /** A picture that the mail has no part for. */
  private static final Pattern CHART_IMAGE = Pattern.compile("(?is)<img\\b[^>]*cid:chart[^>]*>");

  private static final Pattern ALT =
      Pattern.compile("(?is)\\salt\\s*=\\s*(\"[^\"]*\"|'[^']*'|[^\\s>]*)");

  /** Headers that say who sends what to whom, or how the mail is built. Templates set others. */
  private static final Set<String> RESERVED =
      Set.of(
          "from",
          "sender",
          "to",
          "cc",
          "bcc",
          "reply-to",
          "return-path",
          "received",
          "date",
          "subject",
          "message-id",
          "in-reply-to",
          "references",
          "mime-version",
          "auto-submitted",
          "precedence",
          "dkim-signature",
          "authentication-results",
          "disposition-notification-to",
          "return-receipt-to",
          "errors-to",
          "apparently-to",
          "delivered-to");

  private final Message.Mail message;
  private final EmailSettings settings;
  private final Attempt attempt;

  MailMessage(Message.Mail message, EmailSettings settings, Attempt attempt) {
    this.message = message;
    this.settings = settings;
    this.attempt = attempt;
  }

  /** Id of the mail; the same for every attempt and replay. */
  String messageId() {
    return id(attempt.sequence());
  }

  private String id(int sequence) {
    return "<" + attempt.alertId() + "." + sequence + "@" + domain() + ">";
  }

  /** Of the sender, whose mails these are. */
  private String domain() {
    String from = settings.from();
    String domain = from.substring(from.lastIndexOf('@') + 1).replace(">", "").strip();
    return domain.toLowerCase(Locale.ROOT);
  }

  /** The headers that say something, in the order shown. */
  List<HeaderLine> headers() {
    List<HeaderLine> headers = new ArrayList<>();
    headers.add(new HeaderLine("From", settings.from()));
    add(headers, "To", settings.to());
    add(headers, "Cc", settings.cc());
    add(headers, "Bcc", settings.bcc());
    if (settings.replyTo() != null) {
      headers.add(new HeaderLine("Reply-To", settings.replyTo()));
    }
    headers.add(new HeaderLine("Subject", subject()));
    headers.add(new HeaderLine("Message-ID", messageId()));
    headers.addAll(thread());
    headers.addAll(ownHeaders());
    return headers;
  }

  private static void add(List<HeaderLine> headers, String name, List<String> addresses) {
    if (!addresses.isEmpty()) {
      headers.add(new HeaderLine(name, String.join(", ", addresses)));
    }
  }

  /** All mails about an alert answer the first one, so that readers see them together. */
  private List<HeaderLine> thread() {
    List<HeaderLine> headers = new ArrayList<>();
    if (attempt.sequence() > 1) {
      headers.add(new HeaderLine("In-Reply-To", id(1)));
      headers.add(new HeaderLine("References", id(1)));
    }
    headers.add(new HeaderLine("Auto-Submitted", "auto-generated"));
    headers.add(new HeaderLine("X-Auto-Response-Suppress", "All"));
    return headers;
  }

  /** Of the template, as far as it may set them. */
  private List<HeaderLine> ownHeaders() {
    return message.headers().stream()
        .filter(
            header -> {
              String name = header.name().toLowerCase(Locale.ROOT);
              return HEADER_NAME.matcher(name).matches()
                  && !RESERVED.contains(name)
                  && !name.startsWith("content-")
                  && !name.startsWith("resent-")
                  && !name.startsWith("arc-")
                  && !name.equals("x-auto-response-suppress");
            })
        .map(header -> new HeaderLine(header.name(), line(header.value())))
        .toList();
  }

  private String subject() {
    String subject = line(message.subject());
    if (subject.length() > LONGEST_SUBJECT) {
      int end = subject.offsetByCodePoints(LONGEST_SUBJECT - 1, 0);
      if (Character.isLowSurrogate(subject.charAt(end))) {
        end--;
      }
      subject = subject.substring(0, end) + "…";
    }
    return subject;
  }

  /** The text part; secrets stay names, as mails are read by people. */
  String text() {
    return SecretMarks.show(message.text());
  }

  /** Who gets it, each once. */
  List<InternetAddress> recipients() throws AddressException {
    List<InternetAddress> all = new ArrayList<>();
    for (List<String> some : List.of(settings.to(), settings.cc(), settings.bcc())) {
      for (String one : some) {
        InternetAddress address = address(one);
        if (!all.contains(address)) {
          all.add(address);
        }
      }
    }
    return all;
  }

  /** The mail itself. */
  MimeMessage mime(Session session) throws MessagingException {
    String id = messageId();
    MimeMessage mail =
        new MimeMessage(session) {
          @Override
          protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", id);
          }
        };
    mail.setFrom(address(settings.from()));
    for (String to : settings.to()) {
      mail.addRecipient(jakarta.mail.Message.RecipientType.TO, address(to));
    }
    for (String cc : settings.cc()) {
      mail.addRecipient(jakarta.mail.Message.RecipientType.CC, address(cc));
    }
    if (settings.to().isEmpty() && settings.cc().isEmpty()) {
      mail.setHeader("To", "undisclosed-recipients:;");
    }
    if (settings.replyTo() != null) {
      mail.setReplyTo(new InternetAddress[] {address(settings.replyTo())});
    }
    mail.setSubject(subject(), StandardCharsets.UTF_8.name());
    mail.setSentDate(Date.from(attempt.at()));
    for (HeaderLine header : thread()) {
      mail.setHeader(header.name(), header.value());
    }
    for (HeaderLine header : ownHeaders()) {
      mail.setHeader(header.name(), encoded(header));
    }
    content(mail);
    mail.saveChanges();
    return mail;
  }

  private static String encoded(HeaderLine header) {
    try {
      return MimeUtility.fold(
          header.name().length() + 2,
          MimeUtility.encodeText(header.value(), StandardCharsets.UTF_8.name(), null));
    } catch (UnsupportedEncodingException e) {
      throw new IllegalStateException("Every JDK has UTF-8", e);
    }
  }

  private void content(MimeMessage mail) throws MessagingException {
    List<Message.Attachment> attached =
        message.attachments().stream().filter(one -> one.contentId() == null).toList();
    if (message.files().isEmpty() && attached.isEmpty()) {
      body(mail);
      return;
    }
    MimeBodyPart body = new MimeBodyPart();
    body(body);
    List<MimeBodyPart> parts = new ArrayList<>(List.of(body));
    for (Message.TextFile file : message.files()) {
      MimeBodyPart part = new MimeBodyPart();
      part.setDataHandler(
          new DataHandler(
              new ByteArrayDataSource(
                  file.text().getBytes(StandardCharsets.UTF_8),
                  file.contentType() + "; charset=utf-8")));
      part.setDisposition(Part.ATTACHMENT);
      part.setFileName(file.name());
      part.setHeader("Content-Transfer-Encoding", "base64");
      parts.add(part);
    }
    for (Message.Attachment one : attached) {
      parts.add(part(one));
    }
    mail.setContent(multipart("mixed", parts.toArray(MimeBodyPart[]::new)));
  }

  private static MimeBodyPart part(Message.Attachment of) throws MessagingException {
    MimeBodyPart part = new MimeBodyPart();
    part.setDataHandler(
        new DataHandler(
            new ByteArrayDataSource(Base64.getDecoder().decode(of.base64()), of.contentType())));
    part.setHeader("Content-Transfer-Encoding", "base64");
    part.setDisposition(of.contentId() == null ? Part.ATTACHMENT : Part.INLINE);
    if (of.contentId() != null) {
      part.setContentID("<" + of.contentId() + ">");
    }
    part.setFileName(of.name());
    return part;
  }

  private void body(Part part) throws MessagingException {
    String html = message.html();
    if (html == null) {
      text(part, text(), "plain");
      return;
    }
    html = SecretMarks.show(html);
    MimeBodyPart plain = new MimeBodyPart();
    text(plain, text(), "plain");
    MimeBodyPart rich = new MimeBodyPart();
    Message.Picture picture = message.picture();
    String png = picture == null ? null : picture.png();
    String words = picture == null ? "" : HtmlUtils.htmlEscape(picture.words(), "UTF-8");
    Matcher image = CHART_IMAGE.matcher(html);
    if (png != null && image.find()) {
      MimeBodyPart page = new MimeBodyPart();
      text(
          page,
          image.replaceAll(found -> quoteReplacement(described(found.group(), words))),
          "html");
      MimeBodyPart drawn = new MimeBodyPart();
      drawn.setDataHandler(
          new DataHandler(new ByteArrayDataSource(Base64.getDecoder().decode(png), "image/png")));
      drawn.setContentID("<chart>");
      drawn.setDisposition(Part.INLINE);
      drawn.setFileName("chart.png");
      rich.setContent(multipart("related", page, drawn));
    } else if (message.attachments().stream().anyMatch(one -> one.contentId() != null)) {
      MimeBodyPart page = new MimeBodyPart();
      text(page, html, "html");
      List<MimeBodyPart> parts = new ArrayList<>(List.of(page));
      for (Message.Attachment one : message.attachments()) {
        if (one.contentId() != null) {
          parts.add(part(one));
        }
      }
      rich.setContent(multipart("related", parts.toArray(MimeBodyPart[]::new)));
    } else {
      // Without a picture it says why, where there is something to say.
      text(rich, image.replaceAll(quoteReplacement(png == null ? words : "")), "html");
    }
    part.setContent(multipart("alternative", plain, rich));
  }

  /** The image with words for those who do not see it. */
  private static String described(String image, String words) {
    return words.isEmpty()
        ? image
        : ALT.matcher(image)
            .replaceAll("")
            .replaceFirst("(?i)^<img", quoteReplacement("<img alt=\"" + words + "\""));
  }

  private static void text(Part part, String text, String subtype) throws MessagingException {
    part.setContent(text, "text/" + subtype + "; charset=utf-8");
    // Long lines and other letters pass every server this way.
    part.setHeader("Content-Transfer-Encoding", "quoted-printable");
  }

  private static Multipart multipart(String subtype, MimeBodyPart... parts)
      throws MessagingException {
    MimeMultipart multipart = new MimeMultipart(subtype);
    for (MimeBodyPart part : parts) {
      multipart.addBodyPart(part);
    }
    return multipart;
  }

  /** One address, with or without a name; never a list, never more than one line. */
  static InternetAddress address(String text) throws AddressException {
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw new AddressException("A mail address holds a line break");
    }
    InternetAddress[] parsed = InternetAddress.parse(text, true);
    if (parsed.length != 1 || parsed[0].isGroup()) {
      throw new AddressException("\"" + text + "\" is not one mail address");
    }
    parsed[0].validate();
    String name = parsed[0].getPersonal();
    if (name != null) {
      try {
        return new InternetAddress(parsed[0].getAddress(), name, StandardCharsets.UTF_8.name());
      } catch (UnsupportedEncodingException e) {
        throw new IllegalStateException("Every JDK has UTF-8", e);
      }
    }
    return parsed[0];
  }

  private static String line(String text) {
    return SecretMarks.show(text)
        .replaceAll("[\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029]+", " ")
        .strip();
  }
}
