/** Super metrics: definitions with their history and policy, files, checks and previews. */
@NullMarked
package io.peerlens.supermetric;

import org.jspecify.annotations.NullMarked;
