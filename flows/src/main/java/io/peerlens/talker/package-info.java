/**
 * Who uses the network: roll-ups of flows ({@link io.peerlens.talker.FlowRollUpStore}) and the
 * lists of talkers that are made with them and answer for any range.
 */
@NullMarked
package io.peerlens.talker;

import org.jspecify.annotations.NullMarked;
