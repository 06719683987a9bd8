package io.peerlens.notify.channel;

import io.peerlens.alerttemplates.Message;

/**
 * Channel by which messages are delivered, one for each type of target. Implementations are safe
 * for use by many threads, block until the attempt is over, and make exactly one attempt: trying
 * again is up to the caller.
 */
public interface Channel {

  /** The kind of target that this channel reaches. */
  TargetType type();

  /**
   * Sends a message once. Whatever goes wrong outside is a {@link Verdict}, never an exception; the
   * attempt ends at about the target's timeout at the latest.
   *
   * @param message as rendered and kept; secrets in it are still names
   * @param target where to
   * @param attempt which delivery this is, and which attempt at it
   */
  Exchange send(Message message, ActiveTarget target, Attempt attempt);
}
