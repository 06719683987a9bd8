/** Alerts that are not raised here: those of relays, and notices about the installation itself. */
@NullMarked
package io.peerlens.notify.foreign;

import org.jspecify.annotations.NullMarked;
