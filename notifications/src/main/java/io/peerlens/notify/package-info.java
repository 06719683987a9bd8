/** Tells people and programs outside of alerts. */
@NullMarked
package io.peerlens.notify;

import org.jspecify.annotations.NullMarked;
