/**
 * The notification pipeline, from an event of an alert to a queued notification: {@link
 * io.peerlens.notify.dispatch.Stages} lists the stages in order (match, mute, dedup, group, render,
 * enqueue). When a rule notifies a target (delays, mutes, resending, damping, groups) is decided by
 * {@link io.peerlens.notify.dispatch.Flow} and {@link io.peerlens.notify.dispatch.GroupFlow}, which
 * look at nothing but their arguments, time included.
 */
@NullMarked
package io.peerlens.notify.dispatch;

import org.jspecify.annotations.NullMarked;
