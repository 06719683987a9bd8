package io.peerlens.source.vcenter;

import io.peerlens.source.OutletException;
import io.peerlens.source.SourceError;
import io.peerlens.vcenter.vim.VimException;

/** Errors of a vCenter in words for people: what happened, what we do now, what they can do. */
final class Errors {

  private static final String AGAIN = "It is tried again, at least once a minute.";

  private Errors() {}

  static SourceError of(Throwable failure, String account) {
    return switch (failure) {
      case VimException.Fault fault when fault.type().equals("InvalidLogin") ->
          new SourceError(
              "sign-in-refused",
              "vCenter refuses the account %s or its password.".formatted(account),
              "After two refusals it waits %d minutes, so that vCenter does not lock the account."
                  .formatted(SignIn.LONG_WAIT.toMinutes()),
              "Enter the password of the account again, or another account.");
      case VimException.Fault fault when fault.type().equals("NoPermission") ->
          new SourceError(
              "no-permission",
              "The account %s may not read this: %s".formatted(account, fault.getMessage()),
              AGAIN,
              "Give the account the role of docs/vcenter.md on the root folder, with propagation to children.");
      case VimException.Fault fault ->
          new SourceError(
              "fault",
              "vCenter answers with a fault: " + fault.getMessage(),
              AGAIN,
              "If it stays, look into vCenter's own log (vpxd.log) at that time.");
      case VimException.Untrusted untrusted ->
          new SourceError(
              "certificate-not-trusted",
              "The certificate of vCenter is not trusted: " + untrusted.getMessage(),
              "Nothing is read, and no password is sent.",
              "If the certificate was renewed on purpose, compare the new fingerprint in vCenter and confirm it.");
      case VimException.Refused refused ->
          new SourceError(
              "egress-refused",
              String.valueOf(refused.getMessage()),
              AGAIN,
              "Ask the administrator to allow the address: peerlens.collector.egress.allow.");
      case VimException.Unavailable unavailable ->
          new SourceError(
              "unreachable",
              "vCenter does not answer: " + unavailable.getMessage(),
              AGAIN,
              "See whether vCenter is up and port and firewall let this node through.");
      case OutletException outlet ->
          new SourceError(
              "kafka",
              "Kafka does not take what was read: " + outlet.getMessage(),
              "It is read again from vCenter, which keeps the last hour.",
              "See whether Kafka is up, and whether the topic takes records.");
      default ->
          new SourceError(
              "internal",
              "Reading failed: " + failure,
              AGAIN,
              "Please report this with the log of the node.");
    };
  }
}
