/**
 * The evaluation loop: on every tick of the grid one frame is loaded, rules are computed on it and
 * their results stored in one transaction. {@link io.peerlens.evaluation.Evaluation} is a tick from
 * top to bottom; {@link io.peerlens.evaluation.Frames} reads the frames, of the present and of the
 * past.
 */
@NullMarked
package io.peerlens.evaluation;

import org.jspecify.annotations.NullMarked;
