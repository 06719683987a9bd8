/**
 * Sums of flows by minute, sender, receiver and service ({@link
 * io.peerlens.flow.minute.FlowMinutes}). No database and no framework here.
 */
@NullMarked
package io.peerlens.flow.minute;

import org.jspecify.annotations.NullMarked;
