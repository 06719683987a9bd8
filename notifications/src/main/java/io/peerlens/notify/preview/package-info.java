/** Trying things out: templates on alerts, rules on the past, targets with a test message. */
@NullMarked
package io.peerlens.notify.preview;

import org.jspecify.annotations.NullMarked;
