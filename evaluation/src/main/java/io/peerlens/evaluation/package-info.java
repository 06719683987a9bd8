/**
 * The evaluation loop: on every tick of the grid one frame is loaded, rules are computed on it, and
 * what they find is stored in one transaction. {@link io.peerlens.evaluation.Evaluation} is a tick
 * from top to bottom.
 */
@NullMarked
package io.peerlens.evaluation;

import org.jspecify.annotations.NullMarked;
