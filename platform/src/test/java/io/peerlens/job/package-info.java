/** Long work. */
@NullMarked
package io.peerlens.job;

import org.jspecify.annotations.NullMarked;
