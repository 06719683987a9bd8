/**
 * How a message is sent: the channels (webhook, e-mail, SNMP), the settings of their targets, the
 * guard of outbound addresses, and the result of an attempt. Every kind of target implements {@link
 * io.peerlens.notify.channel.Channel}.
 */
@NullMarked
package io.peerlens.notify.channel;

import org.jspecify.annotations.NullMarked;
