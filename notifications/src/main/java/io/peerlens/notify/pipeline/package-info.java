/**
 * From what happened to an alert to what is sent about it: {@link
 * io.peerlens.notify.pipeline.NotificationPipeline} names the stages in order.
 */
@NullMarked
package io.peerlens.notify.pipeline;

import org.jspecify.annotations.NullMarked;
