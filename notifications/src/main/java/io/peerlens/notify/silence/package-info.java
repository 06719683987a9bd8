/** Times at which some alerts are not notified. */
@NullMarked
package io.peerlens.notify.silence;

import org.jspecify.annotations.NullMarked;
