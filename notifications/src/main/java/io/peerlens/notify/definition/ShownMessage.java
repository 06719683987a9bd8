package io.peerlens.notify.definition;

import io.peerlens.alerttemplates.Message;
import io.peerlens.alerttemplates.SecretMarks;
import io.peerlens.api.model.NotificationFile;
import io.peerlens.api.model.NotificationHeader;
import io.peerlens.api.model.NotificationMessage;
import io.peerlens.api.model.NotificationMessageKind;
import io.peerlens.api.model.NotificationVarBind;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Messages as people see them: with names in the place of secrets. */
public final class ShownMessage {

  private ShownMessage() {}

  /** In the words of the contract. */
  public static NotificationMessage of(Message message) {
    return switch (message) {
      case Message.Http http ->
          new NotificationMessage(NotificationMessageKind.HTTP)
              .method(http.method())
              .path(SecretMarks.show(http.path()))
              .headers(headers(http.headers()))
              .contentType(http.contentType())
              .body(SecretMarks.show(http.body()));
      case Message.Mail mail ->
          new NotificationMessage(NotificationMessageKind.MAIL)
              .subject(SecretMarks.show(mail.subject()))
              .headers(headers(mail.headers()))
              .text(SecretMarks.show(mail.text()))
              .html(mail.html() == null ? null : SecretMarks.show(mail.html()))
              .chart(mail.chart())
              .chartPng(mail.picture() == null ? null : mail.picture().png())
              .chartWords(mail.picture() == null ? null : mail.picture().words())
              .files(
                  mail.files().isEmpty()
                      ? null
                      : mail.files().stream()
                          .map(
                              file ->
                                  new NotificationFile(
                                      file.name(), file.contentType(), file.text()))
                          .toList());
      case Message.Trap trap ->
          new NotificationMessage(NotificationMessageKind.TRAP)
              .trapOid(trap.trapOid())
              .varBinds(
                  trap.varBinds().stream()
                      .map(
                          bind ->
                              new NotificationVarBind(
                                  bind.oid(), bind.type().word(), SecretMarks.show(bind.value())))
                      .toList());
    };
  }

  private static List<NotificationHeader> headers(List<Message.Header> headers) {
    return headers.stream()
        .map(header -> new NotificationHeader(header.name(), SecretMarks.show(header.value())))
        .toList();
  }

  /** Size of what is sent, without what the channel adds. */
  public static long bytes(Message message) {
    return switch (message) {
      case Message.Http http -> bytes(http.body());
      case Message.Mail mail ->
          bytes(mail.subject())
              + bytes(mail.text())
              + (mail.html() == null ? 0 : bytes(mail.html()))
              + mail.files().stream().mapToLong(file -> bytes(file.text())).sum();
      case Message.Trap trap ->
          trap.varBinds().stream().mapToLong(bind -> bytes(bind.value())).sum();
    };
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
