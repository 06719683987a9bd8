/**
 * How a message leaves the house: what a target is, what a channel does with a message, and what is
 * known afterwards. Each kind of target has a package of its own that implements {@link
 * io.peerlens.notify.channel.Channel}.
 */
@NullMarked
package io.peerlens.notify.channel;

import org.jspecify.annotations.NullMarked;
