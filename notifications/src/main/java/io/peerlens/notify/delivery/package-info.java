/** Notifications on their way: the queue, those who send, and the log. */
@NullMarked
package io.peerlens.notify.delivery;

import org.jspecify.annotations.NullMarked;
