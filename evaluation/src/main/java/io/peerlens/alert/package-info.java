/**
 * The life of an alert. {@link io.peerlens.alert.AlertStateMachine} says what becomes of each alert
 * at a tick, {@link io.peerlens.alert.AlertStage} is the part of a tick that finds out what fires,
 * and {@link io.peerlens.alert.AlertStore} keeps it; the controllers are what people see of it.
 */
@NullMarked
package io.peerlens.alert;

import org.jspecify.annotations.NullMarked;
