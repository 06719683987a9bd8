package io.peerlens.notify.preview;

import io.peerlens.alerttemplates.AlertTemplate;
import io.peerlens.alerttemplates.Message;
import io.peerlens.alerttemplates.ReceiverCheck;
import io.peerlens.alerttemplates.SecretMarks;
import io.peerlens.api.model.RuleIssue;
import java.util.ArrayList;
import java.util.List;

/** Issues that the receiver of a message would have with it, in the words of the contract. */
final class ReceiverIssues {

  private ReceiverIssues() {}

  static List<RuleIssue> of(AlertTemplate template, Message message) {
    List<RuleIssue> issues = new ArrayList<>();
    String receiver = template.receiver();
    if (receiver != null && !ReceiverCheck.receivers().contains(receiver)) {
      issues.add(
          new RuleIssue(
              "document.receiver",
              "messages for " + receiver + " are not checked",
              "Those for " + String.join(", ", ReceiverCheck.receivers()) + " are."));
    }
    for (ReceiverCheck.Finding finding : ReceiverCheck.findings(receiver, message)) {
      issues.add(
          new RuleIssue(
              place(message, finding.place()), SecretMarks.show(finding.what()), finding.hint()));
    }
    return issues;
  }

  private static String place(Message message, String place) {
    if (message instanceof Message.Http) {
      return place.isEmpty() || place.startsWith("/") ? "message.body" + place : place;
    }
    return "message." + place;
  }
}
