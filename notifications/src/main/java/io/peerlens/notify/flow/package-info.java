/**
 * When an alert is told to a target: delays, holds, resending, damping and groups. Everything here
 * looks at nothing but its arguments, time included.
 */
@NullMarked
package io.peerlens.notify.flow;

import org.jspecify.annotations.NullMarked;
