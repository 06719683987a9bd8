/** Alerts of other systems on their way in: who may send them, what they say, how that goes. */
@NullMarked
package io.peerlens.notify.relay;

import org.jspecify.annotations.NullMarked;
