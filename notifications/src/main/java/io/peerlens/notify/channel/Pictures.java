package io.peerlens.notify.channel;

import io.peerlens.alerttemplates.Message;
import java.util.UUID;

/** Charts that are added to messages. */
@FunctionalInterface
public interface Pictures {

  /** Draws nothing. */
  Pictures NONE = (message, subject) -> message;

  /**
   * The message with its picture, or with the reason why there is none. It takes some seconds at
   * most, never throws, and gives the same message back when nothing is to be added.
   *
   * @param subject the alert, or the group of alerts, that it is about
   */
  Message complete(Message message, UUID subject);
}
